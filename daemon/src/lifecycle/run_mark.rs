//! A file that stands while the daemon runs, so that the next start knows how the last one ended.
//!
//! It decides nothing: which daemon is alive is the lock's matter, and a kill loses no event.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vosim_protocol::time::Time;

const RUNNING: &str = "running.json";
const UNCLEAN: &str = "unclean-stop.json";

/// A run of the daemon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DaemonRun {
    /// Its process.
    pub pid: u32,
    /// Its version.
    pub version: String,
    /// When it started.
    pub started: Time,
    /// In which boot of the machine.
    pub boot_id: String,
}

/// Stands while the daemon runs.
#[derive(Debug)]
pub struct RunMark {
    path: PathBuf,
}

impl RunMark {
    /// Marks a run, and gives the one before if it did not end by itself. Only the holder of the
    /// data directory's lock may call it.
    pub fn begin(state_dir: &Path, run: &DaemonRun) -> io::Result<(Self, Option<DaemonRun>)> {
        let path = state_dir.join(RUNNING);
        let before = read(&path)?;
        if before.is_some() {
            std::fs::rename(&path, state_dir.join(UNCLEAN))?;
        }
        let text = serde_json::to_vec(run).map_err(io::Error::other)?;
        let beside = state_dir.join("running.new");
        std::fs::write(&beside, text)?;
        std::fs::rename(&beside, &path)?;
        Ok((Self { path }, before))
    }

    /// The run ends by itself.
    pub fn end(self) -> io::Result<()> {
        std::fs::remove_file(&self.path)
    }
}

/// The last run that did not end by itself, if one is on record.
pub fn last_unclean(state_dir: &Path) -> io::Result<Option<DaemonRun>> {
    read(&state_dir.join(UNCLEAN))
}

/// Nothing where there is no file, or none that makes sense after a power cut.
fn read(path: &Path) -> io::Result<Option<DaemonRun>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(pid: u32) -> DaemonRun {
        let started = Time::from_micros(0);
        DaemonRun { pid, version: "0.1.0".to_owned(), started, boot_id: "b".to_owned() }
    }

    #[test]
    fn a_run_that_ended_by_itself_is_told_apart_from_one_that_was_killed() {
        let dir = tempfile::tempdir().unwrap();
        let (first, before) = RunMark::begin(dir.path(), &run(1)).unwrap();
        assert_eq!(before, None);
        first.end().unwrap();
        let (killed, before) = RunMark::begin(dir.path(), &run(2)).unwrap();
        assert_eq!(before, None);
        drop(killed);
        assert_eq!(last_unclean(dir.path()).unwrap(), None);
        let (third, before) = RunMark::begin(dir.path(), &run(3)).unwrap();
        assert_eq!(before, Some(run(2)));
        third.end().unwrap();
        assert_eq!(last_unclean(dir.path()).unwrap(), Some(run(2)));
    }

    #[test]
    fn a_mark_that_a_power_cut_left_empty_stops_nobody() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(RUNNING), "").unwrap();
        let (_mark, before) = RunMark::begin(dir.path(), &run(1)).unwrap();
        assert_eq!(before, None);
    }
}
