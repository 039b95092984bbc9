//! Reading a candidate's file as somebody else's editor leaves it: carefully, and never for long.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use nix::fcntl::OFlag;
use nix::sys::statfs::{
    CGROUP2_SUPER_MAGIC, DEBUGFS_MAGIC, FsType, PROC_SUPER_MAGIC, SECURITYFS_MAGIC, SYSFS_MAGIC,
    TRACEFS_MAGIC, statfs,
};
use vosim_protocol::Time;
use vosim_protocol::blob::SUBMISSION_MAX_BYTES;
use vosim_protocol::v1::effect::Obstacle;

/// File systems whose files the kernel makes up while they are read.
const MADE_UP: [FsType; 6] = [
    PROC_SUPER_MAGIC,
    SYSFS_MAGIC,
    CGROUP2_SUPER_MAGIC,
    DEBUGFS_MAGIC,
    SECURITYFS_MAGIC,
    TRACEFS_MAGIC,
];

/// Whether there is a file that somebody has written. A folder, a pipe and a device are none, and no more
/// is what the kernel makes up, although it is called a regular file: some of it waits for its reader, is
/// used up by reading, never ends, or fails like a broken disk.
pub fn is_plain(path: &Path, metadata: &Metadata) -> bool {
    let is_made_up = || statfs(path).is_ok_and(|of| MADE_UP.contains(&of.filesystem_type()));
    metadata.is_file() && !is_made_up()
}

/// What tells whether a file has been touched since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    device: u64,
    inode: u64,
    bytes: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
    /// Moves even where `modified` is set back.
    changed: (i64, i64),
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Whether the file held nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// When the file was changed, as its disk says.
    pub fn modified(&self) -> Time {
        let (secs, nanos) = self.modified;
        Time::from_micros(secs.saturating_mul(1_000_000).saturating_add(nanos / 1000))
    }
}

/// What a look at a file finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// As it was left last time.
    Untouched,
    /// The bytes.
    Bytes(Vec<u8>, Stamp),
    /// More bytes than a submission may have.
    TooLarge(Stamp),
    /// It was changed while it was read.
    Changing,
    /// Nothing that can be read.
    Nothing(Obstacle),
}

/// Looks at a file; blocks. One that still bears the `left` stamp is not read again.
pub fn look(path: &Path, left: Option<Stamp>) -> Found {
    found(path, left).unwrap_or_else(|error| {
        Found::Nothing(match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Obstacle::Missing,
            _ => Obstacle::Unreadable,
        })
    })
}

fn found(path: &Path, left: Option<Stamp>) -> io::Result<Found> {
    // Opening a pipe or a device can do something to it, so it is asked about first.
    let metadata = path.metadata()?;
    if !is_plain(path, &metadata) {
        return Ok(Found::Nothing(Obstacle::NotAFile));
    }
    if Some(Stamp::of(&metadata)) == left {
        return Ok(Found::Untouched);
    }
    // Something else may stand there by now: then opening must not wait for it.
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    read(&OpenOptions::new().read(true).custom_flags(flags.bits()).open(path)?)
}

fn read(mut file: &File) -> io::Result<Found> {
    let before = file.metadata()?;
    if !before.is_file() {
        return Ok(Found::Nothing(Obstacle::NotAFile));
    }
    let limit = SUBMISSION_MAX_BYTES as u64;
    let mut bytes = Vec::new();
    (&mut file).take(limit + 1).read_to_end(&mut bytes)?;
    let stamp = Stamp::of(&file.metadata()?);
    Ok(if bytes.len() > SUBMISSION_MAX_BYTES {
        Found::TooLarge(stamp)
    } else if stamp == Stamp::of(&before) {
        Found::Bytes(bytes, stamp)
    } else {
        Found::Changing
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_read_once_until_it_is_touched() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a b.py");
        assert_eq!(look(&path, None), Found::Nothing(Obstacle::Missing));
        fs::write(&path, "one").unwrap();
        let Found::Bytes(bytes, stamp) = look(&path, None) else { panic!("not read") };
        assert_eq!(bytes, b"one");
        assert_eq!(look(&path, Some(stamp)), Found::Untouched);
        // An editor that saves by renaming leaves another file with the same name.
        fs::write(dir.path().join("new"), "two").unwrap();
        fs::rename(dir.path().join("new"), &path).unwrap();
        assert!(matches!(look(&path, Some(stamp)), Found::Bytes(bytes, _) if bytes == b"two"));
    }

    #[test]
    fn what_is_no_file_is_left_alone_and_a_link_is_followed() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let not_a_file = Found::Nothing(Obstacle::NotAFile);
        assert_eq!(look(dir.path(), None), not_a_file);
        for made_up in
            ["/dev/zero", "/proc/self/mem", "/proc/self/status", "/sys/kernel/uevent_seqnum"]
        {
            assert_eq!(look(Path::new(made_up), None), not_a_file, "{made_up}");
        }
        // Nobody writes to this pipe: whoever opened it would wait for ever.
        nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert_eq!(look(&at("pipe"), None), not_a_file);
        std::os::unix::fs::symlink(at("pipe"), at("to_pipe")).unwrap();
        assert_eq!(look(&at("to_pipe"), None), not_a_file);
        std::os::unix::fs::symlink(at("nowhere"), at("broken")).unwrap();
        assert_eq!(look(&at("broken"), None), Found::Nothing(Obstacle::Missing));
        fs::write(at("a.py"), "one").unwrap();
        std::os::unix::fs::symlink(at("a.py"), at("link")).unwrap();
        assert!(matches!(look(&at("link"), None), Found::Bytes(bytes, _) if bytes == b"one"));
    }

    #[test]
    fn a_file_that_is_too_large_is_not_taken_by_one_byte() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.py");
        fs::write(&path, vec![b'x'; SUBMISSION_MAX_BYTES]).unwrap();
        assert!(matches!(look(&path, None), Found::Bytes(..)));
        fs::write(&path, vec![b'x'; SUBMISSION_MAX_BYTES + 1]).unwrap();
        let found = look(&path, None);
        assert!(matches!(found, Found::TooLarge(_)), "{found:?}");
    }
}
