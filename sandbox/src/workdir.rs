//! The working directory of a run that has no root of its own (level C): made, and removed again
//! whatever the program has done to it. Removing follows no link and needs no more descriptors for
//! a deep tree than for a flat one.

use std::collections::VecDeque;
use std::ffi::{CStr, CString};
use std::fs::{self, File};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::dir::{Dir, Entry};
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, Flock, FlockArg, OFlag, open, renameat};
use nix::sys::stat::{FchmodatFlags, Mode, SFlag, fchmodat, lstat};
use nix::unistd::{UnlinkatFlags, unlinkat};

use crate::fault::{At as _, Fault};
use crate::request::Request;
use crate::root;

/// The beginning of the names of working directories; letters that mkdtemp chooses follow.
const PREFIX: &str = "run-";
const LETTERS: usize = 6;

/// Age from which on a directory that is not locked may be removed: its maker may not have locked
/// it yet.
const STALE_AFTER: Duration = Duration::from_secs(60);

/// A private directory with the request's files, which is removed with this value.
#[derive(Debug)]
pub(crate) struct WorkDir {
    pub(crate) path: PathBuf,
    /// Locked as long as it is in use, so that others can tell it from one that was left behind.
    _held: Flock<File>,
}

impl WorkDir {
    pub(crate) fn new(request: &Request) -> Result<Self, Fault> {
        let path = make(&std::env::temp_dir())?;
        let held = hold(&path).at("taking hold of the working directory")?;
        let dir = Self { path, _held: held };
        for (name, text) in &request.spec.files {
            root::write_new(&dir.path.join(name), text).at("writing the run's files")?;
        }
        Ok(dir)
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        // If this fails, the next sweep tries again.
        remove(&self.path).ok();
        // There may be directories of other runs in it.
        self.path.parent().map(fs::remove_dir);
    }
}

/// Number of times that the account's folder may vanish, with the last directory in it, before ours
/// is made.
const TRIES: usize = 10;

/// Makes a directory in the account's folder, after a sweep.
fn make(temporary: &Path) -> Result<PathBuf, Fault> {
    let mut tries = 0;
    loop {
        let folder = own_folder(temporary)?;
        sweep(&folder);
        tries += 1;
        match nix::unistd::mkdtemp(&folder.join(format!("{PREFIX}XXXXXX"))) {
            Err(Errno::ENOENT) if tries < TRIES => {}
            made => return made.at("making the working directory"),
        }
    }
}

fn hold(path: &Path) -> nix::Result<Flock<File>> {
    let file = File::from(open(path, DIRECTORY, Mode::empty())?);
    Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(_, errno)| errno)
}

/// Returns the account's folder for these directories and nothing else. Only here is swept, so that
/// no other folder is ever mistaken for one of them.
fn own_folder(temporary: &Path) -> Result<PathBuf, Fault> {
    let own = nix::unistd::geteuid();
    let folder = temporary.join(format!("vosim-sandbox-{own}"));
    match nix::unistd::mkdir(&folder, Mode::S_IRWXU) {
        Ok(()) | Err(Errno::EEXIST) => {}
        Err(errno) => return Err(errno).at("making the folder of working directories"),
    }
    let about = match lstat(&folder) {
        // The folder has vanished with the last directory in it, which is seen when ours is made.
        Err(Errno::ENOENT) => return Ok(folder),
        about => about.at("looking at the folder of working directories")?,
    };
    let private = SFlag::from_bits_truncate(about.st_mode & SFlag::S_IFMT.bits()) == SFlag::S_IFDIR
        && about.st_uid == own.as_raw()
        && about.st_mode & 0o077 == 0;
    if !private {
        let why = format!("{} is not a private folder of this account", folder.display());
        return Err(Fault::Request(why));
    }
    Ok(folder)
}

/// Removes the directories that killed helpers have left behind.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let own = nix::unistd::geteuid().as_raw();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let letters = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let ours = letters.is_some_and(|letters| letters.len() == LETTERS)
            && entry.metadata().is_ok_and(|about| {
                let age = about.modified().ok().and_then(|at| at.elapsed().ok());
                about.is_dir() && about.uid() == own && age.is_some_and(|age| age > STALE_AFTER)
            });
        if ours && let Ok(_held) = hold(&entry.path()) {
            // Another helper may be sweeping as well.
            remove(&entry.path()).ok();
        }
    }
}

const DIRECTORY: OFlag =
    OFlag::O_RDONLY.union(OFlag::O_DIRECTORY).union(OFlag::O_NOFOLLOW).union(OFlag::O_CLOEXEC);

/// Removes a directory and all that is in it. Deeper directories are moved up before they are
/// removed, so that neither names nor descriptors pile up.
fn remove(path: &Path) -> nix::Result<()> {
    fchmodat(AT_FDCWD, path, Mode::S_IRWXU, FchmodatFlags::FollowSymlink)?;
    let mut top = Dir::open(path, DIRECTORY, Mode::empty())?;
    let mut names = listed(&mut top);
    let mut moved = 0_u64;
    while let Some(name) = names.pop_front() {
        let Some(mut below) = unlink_or_open(top.as_fd(), &name)? else { continue };
        for inner in listed(&mut below) {
            if unlink_or_open(below.as_fd(), &inner)?.is_some() {
                names.push_back(move_up(below.as_fd(), &inner, top.as_fd(), &mut moved)?);
            }
        }
        unlinkat(top.as_fd(), name.as_c_str(), UnlinkatFlags::RemoveDir)?;
    }
    unlinkat(AT_FDCWD, path, UnlinkatFlags::RemoveDir)
}

fn listed(dir: &mut Dir) -> VecDeque<CString> {
    let names = dir.iter().map_while(Result::ok).map(|entry: Entry| entry.file_name().to_owned());
    names.filter(|name| ![c".", c".."].contains(&name.as_c_str())).collect()
}

/// Removes an entry, or opens it if it is a directory, even where its mode forbids that.
fn unlink_or_open(dir: BorrowedFd<'_>, name: &CStr) -> nix::Result<Option<Dir>> {
    match unlinkat(dir, name, UnlinkatFlags::NoRemoveDir) {
        Ok(()) | Err(Errno::ENOENT) => return Ok(None),
        Err(Errno::EISDIR | Errno::EPERM) => {}
        Err(errno) => return Err(errno),
    }
    // A link would be gone now, and no process is left that could make it one.
    fchmodat(dir, name, Mode::S_IRWXU, FchmodatFlags::FollowSymlink)?;
    Dir::openat(dir, name, DIRECTORY, Mode::empty()).map(Some)
}

/// Gives a directory a free name further up.
fn move_up(
    from: BorrowedFd<'_>,
    name: &CStr,
    top: BorrowedFd<'_>,
    moved: &mut u64,
) -> nix::Result<CString> {
    loop {
        *moved += 1;
        let free = CString::new(format!("{moved}")).unwrap_or_default();
        match renameat(from, name, top, free.as_c_str()) {
            Ok(()) => return Ok(free),
            Err(Errno::EEXIST | Errno::ENOTEMPTY | Errno::ENOTDIR) => {}
            Err(errno) => return Err(errno),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn whatever_a_program_has_made_is_removed_and_nothing_else() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("kept"), "").unwrap();
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("place");
        fs::create_dir_all(place.join("1/2/1/2")).unwrap();
        fs::write(place.join("2"), "").unwrap();
        fs::create_dir(place.join("3")).unwrap();
        symlink(outside.path(), place.join("1/2/link")).unwrap();
        symlink(outside.path(), place.join("link")).unwrap();
        fs::create_dir(place.join("shut")).unwrap();
        fs::write(place.join("shut/in"), "").unwrap();
        for shut in [&place.join("shut"), &place] {
            fs::set_permissions(shut, fs::Permissions::from_mode(0o000)).unwrap();
        }
        remove(&place).unwrap();
        assert!(!place.exists() && outside.path().join("kept").exists());
    }

    #[test]
    fn a_directory_is_swept_once_nobody_holds_it_and_time_has_passed() {
        let folder = tempfile::tempdir().unwrap();
        let made = |name: &str, age_secs: u64| {
            let path = folder.path().join(name);
            fs::create_dir(&path).unwrap();
            let then = std::time::SystemTime::now() - Duration::from_secs(age_secs);
            File::open(&path).unwrap().set_modified(then).unwrap();
            path
        };
        let [old, new, held] =
            [made("run-aaaaaa", 99), made("run-bbbbbb", 0), made("run-cccccc", 99)];
        let foreign = [made("other-d", 99), made("run-notes", 99), made("run-", 99)];
        let holding = hold(&held).unwrap();
        sweep(folder.path());
        assert!(!old.exists() && new.exists() && held.exists());
        assert!(foreign.iter().all(|folder| folder.exists()));
        drop(holding);
        sweep(folder.path());
        assert!(!held.exists());
    }

    #[test]
    fn only_a_private_folder_of_this_account_is_taken_for_its_own() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = own_folder(temporary.path()).unwrap();
        assert_eq!(own_folder(temporary.path()).unwrap(), folder);
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        own_folder(temporary.path()).unwrap_err();
        fs::remove_dir(&folder).unwrap();
        symlink(temporary.path(), &folder).unwrap();
        own_folder(temporary.path()).unwrap_err();
    }
}
