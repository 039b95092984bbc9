//! Folders, and the free space on their disks.

use std::path::Path;

use nix::sys::statvfs::statvfs;
use nix::unistd::{AccessFlags, access};
use vosim_protocol::trouble::{Location, Trouble, cause};
use vosim_protocol::v1::service::Check;

use super::check::{fail, ok, warn};
use crate::runtime_dir::{quoted, trouble};

/// Free space that is enough for a day's practice, bytes.
const SCARCE_BYTES: u64 = 1024 * 1024 * 1024;

/// Free space below which appends will soon fail, bytes.
const NONE_LEFT_BYTES: u64 = 64 * 1024 * 1024;

/// Whether a folder is writable, or can be created.
pub(super) fn folder(name: &str, dir: &Path, place: Location) -> Check {
    let shown = dir.display();
    let there = nearest(dir);
    if !there.is_dir() {
        let fix = format!("move {} away", quoted(there));
        return fail(name, format!("{} is not a folder", there.display()), Some(fix));
    }
    match unwritable(name, there, place) {
        Some(fault) => fault,
        None if there == dir => ok(name, format!("{shown} is writable")),
        None => ok(name, format!("{shown} will be created when needed")),
    }
}

/// Why nothing can be written in a folder that is there, if that is so.
pub(super) fn unwritable(name: &str, there: &Path, place: Location) -> Option<Check> {
    let flags = AccessFlags::R_OK | AccessFlags::W_OK | AccessFlags::X_OK;
    let errno = access(there, flags).err()?;
    let Trouble { cause, mend } = trouble(&errno.into(), there, place);
    Some(fail(name, format!("{} is not writable: {cause}", there.display()), mend))
}

/// A folder that a daemon works in is not there any more.
pub(super) fn gone(dir: &Path) -> Check {
    let found =
        format!("{} has gone while the daemon runs, and nothing can be recorded", dir.display());
    fail("data folder", found, Some("put it back where it was; the daemon goes on then".to_owned()))
}

/// Whether there is space for more events.
pub(super) fn space(dir: &Path) -> Check {
    const NAME: &str = "disk";
    match statvfs(nearest(dir)) {
        Ok(about) => room(dir, about.blocks_available().saturating_mul(about.fragment_size())),
        Err(errno) => {
            let reason = cause(&errno.into());
            warn(NAME, format!("the free space of {} is unknown: {reason}", dir.display()), None)
        }
    }
}

fn room(dir: &Path, free_bytes: u64) -> Check {
    const NAME: &str = "disk";
    let found = format!("{} free for {}", size(free_bytes), dir.display());
    let fix = || Some(format!("free some space on the disk of {}", quoted(dir)));
    match free_bytes {
        ..NONE_LEFT_BYTES => fail(NAME, found, fix()),
        NONE_LEFT_BYTES..SCARCE_BYTES => warn(NAME, found, fix()),
        SCARCE_BYTES.. => ok(NAME, found),
    }
}

/// Returns a number of bytes for people, in powers of 1,024.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match UNITS.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => {
            let tenths = u128::from(bytes) * 10 / u128::from(*unit);
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
        None => format!("{bytes} bytes"),
    }
}

/// Returns the folder itself, or the nearest path above it that exists.
fn nearest(dir: &Path) -> &Path {
    dir.ancestors().find(|dir| dir.symlink_metadata().is_ok()).unwrap_or(Path::new("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vosim_protocol::v1::service::CheckStatus;

    #[test]
    fn a_folder_may_exist_or_be_created_and_a_file_in_its_place_fails() {
        let base = tempfile::tempdir().unwrap();
        assert_eq!(folder("f", base.path(), Location::Data).status, CheckStatus::Ok);
        let missing = folder("f", &base.path().join("a/b"), Location::Data);
        assert!(missing.found.ends_with("will be created when needed"));
        let file = base.path().join("file");
        std::fs::write(&file, "").unwrap();
        let blocked = folder("f", &file.join("a"), Location::Data);
        assert_eq!(blocked.status, CheckStatus::Fail);
        assert_eq!(blocked.fix.unwrap(), format!("move {} away", file.display()));
    }

    #[test]
    fn little_room_is_a_warning_and_next_to_none_a_failure() {
        let status = |bytes| room(Path::new("/"), bytes).status;
        assert_eq!(status(2 << 30), CheckStatus::Ok);
        assert_eq!(status(500 << 20), CheckStatus::Warn);
        assert_eq!(status(1 << 20), CheckStatus::Fail);
        assert!(space(Path::new("/nowhere/at/all")).found.contains(" free for "));
    }

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in
            [(0, "0 bytes"), (1_023, "1023 bytes"), (1_536, "1.5 KiB"), (5 << 30, "5.0 GiB")]
        {
            assert_eq!(size(bytes), text);
        }
        assert!(size(u64::MAX).ends_with(" GiB"));
    }
}
