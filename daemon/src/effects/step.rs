//! Steps of a task that must not be taken twice unnoticed: each leaves a mark on disk while it is under
//! way, so that after a crash it is known that it was begun (002 8.4).

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::effects::Run;

/// A step that is under way.
#[derive(Debug)]
pub(super) struct TaskStep {
    mark: PathBuf,
    /// What the mark held when the step was begun before; a daemon has ended in the middle of it.
    pub(super) before: Option<Vec<u8>>,
}

impl TaskStep {
    /// Begins a step, or finds that it was begun before; blocks.
    pub(super) fn begin(folder: &Path, name: &str) -> Result<Self, String> {
        let failed = |error: std::io::Error| {
            format!(
                "{} cannot be written: {}",
                folder.display(),
                vosim_protocol::trouble::cause(&error)
            )
        };
        fs::create_dir_all(folder).map_err(failed)?;
        let mark = folder.join(name);
        let before = match fs::read(&mark) {
            Ok(before) => Some(before),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(failed(error)),
        };
        if before.is_none() {
            // What an earlier step has left was given up.
            for entry in fs::read_dir(folder).map_err(failed)?.flatten() {
                fs::remove_file(entry.path()).map_err(failed)?;
            }
            write(&mark, b"").map_err(failed)?;
        }
        Ok(Self { mark, before })
    }

    /// Notes what is about to be done, durably; blocks.
    pub(super) fn note(&self, what: &[u8]) -> Result<(), String> {
        write(&self.mark, what).map_err(|error| {
            format!("{}: {}", self.mark.display(), vosim_protocol::trouble::cause(&error))
        })
    }
}

/// Writes a file whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let new = path.with_extension("new");
    let mut file = fs::File::create(&new)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(&new, path)
}

impl Run {
    /// The folder and the name of this effect's mark. A mark stays until the next step begins: the end of
    /// this one may not be durable yet.
    pub(super) fn mark(&self) -> (PathBuf, String) {
        (self.daemon.marks_of(self.session), format!("step-{}", self.effect))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_was_begun_before_is_known_with_what_was_noted() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("one");
        let begin = |name: &str| TaskStep::begin(&folder, name).unwrap();
        let first = begin("step-7");
        assert_eq!(first.before, None);
        assert_eq!(begin("step-7").before, Some(Vec::new()));
        first.note(b"what it does").unwrap();
        assert_eq!(begin("step-7").before.as_deref(), Some(&b"what it does"[..]));
        assert_eq!(begin("step-9").before, None);
        assert_eq!(begin("step-7").before, None, "a later step has begun since");
    }
}
