//! A file that exists while the daemon runs, by which the next start knows how the last run ended.
//!
//! The log and `vosimctl doctor` mention it; nothing depends on it. Which daemon is alive is
//! decided by the lock, and a kill loses no event.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vosim_protocol::time::Time;

const RUNNING: &str = "running.json";
const UNCLEAN: &str = "unclean-stop.json";

/// A run of the daemon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DaemonRun {
    /// The process id.
    pub pid: u32,
    /// The daemon's version.
    pub version: String,
    /// When it started.
    pub started: Time,
    /// The boot of the machine in which it started.
    pub boot_id: String,
}

/// The mark of this run.
#[derive(Debug)]
pub struct RunMark {
    path: PathBuf,
}

impl RunMark {
    /// Marks a run, and returns the previous one if it did not end by itself. Only the holder of
    /// the data directory's lock may call this.
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

    /// Removes the mark, since the run ends by itself.
    pub fn end(self) -> io::Result<()> {
        std::fs::remove_file(&self.path)
    }
}

/// Returns the last run that did not end by itself, if there was one.
pub fn last_unclean(state_dir: &Path) -> io::Result<Option<DaemonRun>> {
    read(&state_dir.join(UNCLEAN))
}

/// Reads a mark; `None` if there is no file, or only what a power cut has left of one.
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
