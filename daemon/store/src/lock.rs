//! The lock of a data directory: its holder is the living daemon, and nothing else decides that.
//!
//! The lock is taken before the store is opened and before a socket is bound, and kept until the
//! process ends. The kernel releases it however the process dies. The text in the file says who
//! holds the lock ([`vosim_protocol::paths::Holder`]); it counts only while the lock is held.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};

use vosim_protocol::paths::LOCK_FILE;
use vosim_protocol::trouble::Trouble;

use crate::files::{make_dir, open_at_once, ours, trouble};

/// The longest text that is read from a lock file.
const ABOUT_MAX_BYTES: u64 = 4 * 1024;

/// How often a held lock is looked at before it counts as held, and how long to wait in between. A
/// new holder may not have written its text yet, and the lock of a killed holder is still held by a
/// child that it forked and that has not executed its program yet.
const LOOKS_MAX: u32 = 40;
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// The lock of a data directory, held until this is dropped.
#[derive(Debug)]
pub struct Lock {
    file: Flock<File>,
    path: PathBuf,
}

/// What has become of the file of a lock that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InPlace {
    /// Others find it locked.
    Yes,
    /// Its directory cannot be reached now, and nobody else can work there either.
    Away,
    /// It was removed or replaced: others find a directory without a daemon.
    Lost,
}

/// Why the lock could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds it.
    #[error("{} is in use by another vosimd: {holder}", path.display())]
    Held {
        /// The lock file.
        path: PathBuf,
        /// What the holder says about itself.
        holder: String,
    },
    /// The operating system refused something.
    #[error("{} cannot be locked: {trouble}", path.display())]
    Io {
        /// The lock file.
        path: PathBuf,
        /// The system's answer.
        trouble: Trouble,
    },
}

impl Lock {
    /// Takes the lock of a data directory, creating the directory if it is missing, or says who
    /// holds it.
    ///
    /// `about` is the text that others find: a daemon's is a [`vosim_protocol::paths::Holder`].
    pub fn take(dir: &Path, about: &str) -> Result<Self, LockError> {
        let path = dir.join(LOCK_FILE);
        let failed = |error: io::Error| LockError::Io {
            trouble: trouble(&error, &path),
            path: path.clone(),
        };
        make_dir(dir).map_err(failed)?;
        let mut holder = String::new();
        for _ in 0..LOOKS_MAX {
            let file = open(&path).map_err(failed)?;
            match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
                Ok(mut file) if is_at(&file, &path) => {
                    write_about(&mut file, about).map_err(failed)?;
                    return Ok(Self { file, path });
                }
                // The file was replaced between opening and locking and guards nothing: look again.
                Ok(_) => {}
                Err((mut file, Errno::EWOULDBLOCK)) => {
                    holder = read_about(&mut file);
                    std::thread::park_timeout(LOOK_AGAIN);
                }
                Err((_, errno)) => return Err(failed(errno.into())),
            }
        }
        if holder.is_empty() {
            "it does not say who it is".clone_into(&mut holder);
        }
        Err(LockError::Held { path, holder })
    }

    /// Looks whether the lock still keeps others out.
    pub fn in_place(&self) -> InPlace {
        let there = self.path.symlink_metadata();
        match (there, self.path.parent().map(Path::symlink_metadata)) {
            (Ok(_), _) if is_at(&self.file, &self.path) => InPlace::Yes,
            (Ok(_), _) => InPlace::Lost,
            (Err(error), Some(Ok(_))) if error.kind() == io::ErrorKind::NotFound => InPlace::Lost,
            (Err(_), _) => InPlace::Away,
        }
    }

    /// Returns what the holder of a directory's lock says about itself; `None` if nobody holds it.
    pub fn holder(dir: &Path) -> Option<String> {
        let file = ours(open_at_once(&dir.join(LOCK_FILE))).ok()?;
        match Flock::lock(file, FlockArg::LockSharedNonblock) {
            Err((mut file, Errno::EWOULDBLOCK)) => Some(read_about(&mut file)),
            Ok(_) | Err(_) => None,
        }
    }
}

impl Drop for Lock {
    /// Removes the text, which would name a process that no longer exists.
    fn drop(&mut self) {
        drop(self.file.set_len(0));
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut how = OpenOptions::new();
    ours(how.read(true).write(true).create(true).truncate(false).mode(0o600).open(path))
}

fn is_at(file: &File, path: &Path) -> bool {
    let ours = file.metadata().map(|metadata| (metadata.dev(), metadata.ino()));
    let there = path.metadata().map(|metadata| (metadata.dev(), metadata.ino()));
    matches!((ours, there), (Ok(ours), Ok(there)) if ours == there)
}

fn write_about(file: &mut File, about: &str) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(about.as_bytes())
}

fn read_about(file: &mut File) -> String {
    let mut bytes = Vec::new();
    // Text that cannot be read is merely missing from a sentence.
    drop(file.take(ABOUT_MAX_BYTES).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_learns_who_the_first_is_and_gets_the_lock_when_it_goes() {
        let dir = tempfile::tempdir().unwrap();
        let first = Lock::take(dir.path(), "pid 7, vosimd 0.1.0, /run/x").unwrap();
        let refused = Lock::take(dir.path(), "pid 8").unwrap_err();
        assert!(matches!(&refused, LockError::Held { holder, .. } if holder.contains("pid 7")));
        assert_eq!(Lock::holder(dir.path()).unwrap(), "pid 7, vosimd 0.1.0, /run/x");
        drop(first);
        assert_eq!(Lock::holder(dir.path()), None);
        Lock::take(dir.path(), "pid 8").unwrap();
    }

    #[test]
    fn a_file_left_by_a_dead_process_holds_nobody_up() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(LOCK_FILE), "pid 1").unwrap();
        Lock::take(dir.path(), "pid 8").unwrap();
        std::fs::write(dir.path().join(LOCK_FILE), "").unwrap();
        Lock::take(dir.path(), "pid 9").unwrap();
    }

    #[test]
    fn what_stands_in_the_place_of_a_lock_is_told_with_the_step_that_helps() {
        let pipe = |path: &Path| nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let folder = |path: &Path| std::fs::create_dir(path).unwrap();
        let socket = |path: &Path| drop(std::os::unix::net::UnixListener::bind(path).unwrap());
        for put in [&pipe as &dyn Fn(&Path), &folder, &socket] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join(LOCK_FILE);
            put(&path);
            let refused = Lock::take(dir.path(), "pid 8").unwrap_err().to_string();
            let told =
                format!("something else stands in its place; move it away: mv {0}", path.display());
            assert!(refused.contains(&told), "{refused}");
            assert_eq!(Lock::holder(dir.path()), None);
        }
    }

    #[test]
    fn a_holder_that_never_signs_is_given_up_on() {
        let dir = tempfile::tempdir().unwrap();
        let _first = Lock::take(dir.path(), "").unwrap();
        let refused = Lock::take(dir.path(), "pid 8").unwrap_err();
        assert!(refused.to_string().contains("does not say"), "{refused}");
    }

    #[test]
    fn a_lock_file_put_in_place_of_ours_is_the_one_that_counts() {
        let dir = tempfile::tempdir().unwrap();
        let _first = Lock::take(dir.path(), "old").unwrap();
        std::fs::remove_file(dir.path().join(LOCK_FILE)).unwrap();
        let _second = Lock::take(dir.path(), "new").unwrap();
        assert_eq!(Lock::holder(dir.path()).unwrap(), "new");
    }

    #[test]
    fn a_lock_that_was_taken_away_is_told_apart_from_a_folder_that_is_away() {
        let base = tempfile::tempdir().unwrap();
        let (dir, away) = (base.path().join("data"), base.path().join("away"));
        let lock = Lock::take(&dir, "").unwrap();
        assert_eq!(lock.in_place(), InPlace::Yes);
        std::fs::rename(&dir, &away).unwrap();
        assert_eq!(lock.in_place(), InPlace::Away);
        std::fs::rename(&away, &dir).unwrap();
        assert_eq!(lock.in_place(), InPlace::Yes);
        std::fs::remove_file(dir.join(LOCK_FILE)).unwrap();
        assert_eq!(lock.in_place(), InPlace::Lost);
        std::fs::write(dir.join(LOCK_FILE), "").unwrap();
        assert_eq!(lock.in_place(), InPlace::Lost);
    }
}
