//! Folders, and the free space on their disks.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use nix::fcntl::OFlag;
use nix::sys::statvfs::statvfs;
use nix::unistd::{AccessFlags, access};
use vosim_protocol::trouble::{Location, Trouble, cause, size};
use vosim_protocol::v1::service::Check;

use super::check::{fail, ok, warn};
use crate::logging::FILE_NAME;
use crate::runtime_dir::{check_to_be_private, quoted, trouble};

/// Free space that is enough for a day's practice, bytes.
const SCARCE_BYTES: u64 = 1024 * 1024 * 1024;

/// How much is written to see whether anything can be.
const TRIED_BYTES: usize = 4 * 1024;

/// Free space below which appends will soon fail, bytes.
const NONE_LEFT_BYTES: u64 = 64 * 1024 * 1024;

/// Whether the daemon's log can be written.
pub(super) fn log(dir: &Path) -> Check {
    const NAME: &str = "log folder";
    let path = dir.join(FILE_NAME);
    // A pipe without a reader would keep the doctor waiting.
    let no_wait = OFlag::O_NONBLOCK.bits();
    let opened = OpenOptions::new().append(true).custom_flags(no_wait).open(&path);
    // Whether a device takes anything shows only when something is written.
    let written = opened.and_then(|mut file| match file.metadata()?.is_file() {
        true => Ok(()),
        false => file.write_all(b"\n"),
    });
    match written {
        Err(error) if error.kind() != io::ErrorKind::NotFound && dir.is_dir() => {
            let Trouble { cause, mend } = trouble(&error, &path, Location::Log);
            fail(NAME, format!("{} cannot be written: {cause}", path.display()), mend)
        }
        Ok(_) | Err(_) => folder(NAME, dir, Location::Log),
    }
}

/// Whether a folder is writable, or can be created; by the checks of a start, and by writing.
pub(super) fn folder(name: &str, dir: &Path, place: Location) -> Check {
    let shown = dir.display();
    let there = nearest(dir);
    if !there.is_dir() {
        let fix = format!("move {} away", quoted(there));
        return fail(name, format!("{} is not a folder", there.display()), Some(fix));
    }
    if let Err(error) = check_to_be_private(dir, place) {
        return fail(name, error.to_string(), error.remedy());
    }
    let fault =
        if there == dir { unusable(name, dir, place) } else { unmakeable(name, dir, place) };
    match fault {
        Some(fault) => fault,
        None if there == dir => ok(name, format!("{shown} is writable")),
        None => ok(name, format!("{shown} will be created when needed")),
    }
}

/// Why a folder that is there cannot be worked in, if that is so: nothing may be written in it, or
/// nothing can be.
pub(super) fn unusable(name: &str, dir: &Path, place: Location) -> Option<Check> {
    unwritable(name, dir, place).or_else(|| unwritten(name, dir, place))
}

/// Why nothing may be written in a folder that is there, if that is so.
fn unwritable(name: &str, there: &Path, place: Location) -> Option<Check> {
    let flags = AccessFlags::R_OK | AccessFlags::W_OK | AccessFlags::X_OK;
    let errno = access(there, flags).err()?;
    let Trouble { cause, mend } = trouble(&errno.into(), there, place);
    Some(fail(name, format!("{} is not writable: {cause}", there.display()), mend))
}

/// Why nothing can be written to a file in a folder, if that is so: a full disk shows itself only then.
fn unwritten(name: &str, dir: &Path, place: Location) -> Option<Check> {
    // What a killed doctor leaves behind is swept by the store, as what a killed daemon does.
    let path = dir.join(format!("doctor-{}.unfinished", std::process::id()));
    let write = |mut file: File| file.write_all(&[0; TRIED_BYTES]).and_then(|()| file.sync_all());
    let created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
    let written = created.and_then(write);
    std::fs::remove_file(&path).ok();
    let Trouble { cause, mend } = trouble(&written.err()?, dir, place);
    Some(fail(name, format!("nothing can be written in {}: {cause}", dir.display()), mend))
}

/// Why a folder that is not there cannot be made, if that is so.
pub(super) fn unmakeable(name: &str, dir: &Path, place: Location) -> Option<Check> {
    let there = nearest(dir);
    unwritable(name, there, place).or_else(|| {
        let about = statvfs(there).ok()?;
        let left = Left {
            bytes: (about.blocks(), about.blocks_free()),
            files: (about.files(), about.files_available()),
        };
        full(name, there, place, left)
    })
}

/// What a file system has, and what is left of it.
#[derive(Clone, Copy, Debug)]
struct Left {
    bytes: (u64, u64),
    files: (u64, u64),
}

/// Why nothing can be made in a folder whose file system is full, if it is. It is asked and not tried: what
/// a try leaves behind in a folder that is not ours is swept by nobody.
fn full(name: &str, there: &Path, place: Location, left: Left) -> Option<Check> {
    // One that counts none at all has no end of them.
    let used_up = |(all, left): (u64, u64)| all > 0 && left == 0;
    if !used_up(left.bytes) && !used_up(left.files) {
        return None;
    }
    let Trouble { cause, mend } = trouble(&io::ErrorKind::StorageFull.into(), there, place);
    Some(fail(name, format!("nothing can be made in {}: {cause}", there.display()), mend))
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
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        std::fs::set_permissions(base.path(), private).unwrap();
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
    fn a_folder_that_a_start_would_not_trust_and_a_log_that_is_no_file_fail() {
        let base = tempfile::tempdir().unwrap();
        let dir = base.path().join("vosim");
        std::fs::create_dir(&dir).unwrap();
        let mode = |mode| std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(&dir, mode(0o755)).unwrap();
        let open = folder("f", &dir, Location::Data);
        assert!(
            open.found.ends_with("others may open it (mode 755, needed 700)"),
            "{}",
            open.found
        );
        assert_eq!(open.fix.unwrap(), format!("chmod 700 {}", dir.display()));
        std::fs::set_permissions(&dir, mode(0o700)).unwrap();
        assert_eq!(log(&dir).status, CheckStatus::Ok);
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0, "nothing is left behind");
        std::fs::create_dir(dir.join(FILE_NAME)).unwrap();
        let blocked = log(&dir);
        assert_eq!(blocked.status, CheckStatus::Fail);
        assert!(blocked.found.ends_with("cannot be written: it is a folder"), "{}", blocked.found);
        std::fs::remove_dir(dir.join(FILE_NAME)).unwrap();
        std::os::unix::fs::symlink("/dev/full", dir.join(FILE_NAME)).unwrap();
        let full = log(&dir);
        assert!(full.found.ends_with("the disk is full"), "{}", full.found);
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
    fn a_folder_cannot_be_made_where_no_file_or_no_byte_is_left() {
        let told =
            |bytes, files| full("f", Path::new("/usr"), Location::Runtime, Left { bytes, files });
        assert!(told((100, 1), (50, 1)).is_none());
        assert!(told((0, 0), (0, 0)).is_none(), "it counts neither");
        for left in [told((100, 1), (50, 0)), told((100, 0), (50, 1))] {
            let check = left.unwrap();
            assert_eq!(check.status, CheckStatus::Fail);
            assert_eq!(check.found, "nothing can be made in /usr: the disk is full");
            assert!(check.fix.unwrap().contains("df -i /usr"));
        }
    }
}
