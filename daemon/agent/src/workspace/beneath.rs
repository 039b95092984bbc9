//! Files of a workspace by the kernel's own confinement: every path is opened beneath the folder's
//! descriptor and through no link (`openat2`), and a file is written beside its place and renamed into
//! it. So neither a link that was there before, nor one that is made meanwhile, leads anywhere.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, FileType, Gid, Mode, OFlags, RenameFlags, ResolveFlags, Stat, Uid, fchmod,
    fchown, fstat, mkdirat, openat2, renameat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;
use vosim_protocol::blob::Blob;
use vosim_protocol::trouble::cause;

use super::name::{FileName, UNFINISHED};
use super::refusal::FileRefusal;

/// Largest file that is read or written, bytes.
pub const FILE_MAX_BYTES: usize = 256 * 1024;

const CONFINED: ResolveFlags =
    ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS).union(ResolveFlags::NO_MAGICLINKS);
const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::RDONLY).union(OFlags::CLOEXEC);
/// A named pipe or a terminal in the way must not hold anybody up.
const READ: OFlags = OFlags::RDONLY
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// The folder of one task, held open: renaming it, or putting another in its place, changes nothing.
#[derive(Debug)]
pub struct Workspace {
    folder: OwnedFd,
    path: PathBuf,
}

/// One file before and after a change; nothing stands for a file that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The file.
    pub path: FileName,
    /// What it held.
    pub before: Option<Blob>,
    /// What it is to hold.
    pub after: Option<Blob>,
}

/// A file that is there.
#[derive(Debug)]
pub(super) struct Present {
    pub(super) bytes: Vec<u8>,
    stat: Stat,
}

impl Workspace {
    /// Opens the folder.
    ///
    /// # Errors
    /// If it is no folder that can be opened, or the kernel cannot confine paths to it.
    pub fn open(path: &Path) -> Result<Self, FileRefusal> {
        let tried = || format!("opening the workspace {}", path.display());
        let real = path
            .canonicalize()
            .map_err(|error| FileRefusal::Machine { what: tried(), why: cause(&error) })?;
        // Once for all: a kernel that does not know the call refuses here (002 6: never unconfined).
        let folder = openat2(CWD, &real, FOLDER, Mode::empty(), ResolveFlags::NO_MAGICLINKS)
            .map_err(|errno| machine(tried(), errno))?;
        Ok(Self { folder, path: real })
    }

    /// The real path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What a file holds now, or nothing where it is not there.
    ///
    /// # Errors
    /// If its path leads through a link, it is no plain file with one name, or it is too large.
    pub fn content(&self, name: &FileName) -> Result<Option<Vec<u8>>, FileRefusal> {
        Ok(self.look(name)?.map(|present| present.bytes))
    }

    pub(super) fn look(&self, name: &FileName) -> Result<Option<Present>, FileRefusal> {
        let file = match openat2(&self.folder, name.as_str(), READ, Mode::empty(), CONFINED) {
            Ok(file) => File::from(file),
            Err(Errno::NOENT) => return Ok(None),
            Err(errno) => return Err(refused(name, errno)),
        };
        let stat = fstat(&file).map_err(|errno| refused(name, errno))?;
        plain(name, &stat)?;
        let too_large =
            |bytes| FileRefusal::TooLarge { path: name.to_string(), bytes, max: FILE_MAX_BYTES };
        let size = usize::try_from(stat.st_size).unwrap_or_default();
        if size > FILE_MAX_BYTES {
            return Err(too_large(size));
        }
        let mut bytes = Vec::new();
        file.take(FILE_MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| {
            FileRefusal::Machine { what: format!("reading {name}"), why: error.to_string() }
        })?;
        if bytes.len() > FILE_MAX_BYTES {
            return Err(too_large(bytes.len()));
        }
        Ok(Some(Present { bytes, stat }))
    }

    /// Makes a change, once: what was carried out already is left as it is.
    ///
    /// # Errors
    /// If the file is neither as it was before the change nor as it is after it, or it cannot be written.
    pub fn carry_out(&self, change: &FileChange) -> Result<(), FileRefusal> {
        let present = self.look(&change.path)?;
        let now = present.as_ref().map(|present| present.bytes.as_slice());
        let of = |blob: &Option<Blob>| blob.as_ref().map(|blob| blob.0.clone());
        if now == of(&change.after).as_deref() {
            return Ok(());
        }
        if now != of(&change.before).as_deref() {
            let now = now.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            return Err(FileRefusal::Stale { path: change.path.to_string(), now });
        }
        let done = match (&change.after, present) {
            (Some(after), present) => self.put(&change.path, &after.0, present.as_ref()),
            (None, Some(present)) => self.remove(&change.path, &present),
            (None, None) => Ok(()),
        };
        done.map_err(|refusal| match refusal {
            FileRefusal::Stale { path, .. } => {
                let now = self.content(&change.path).ok().flatten();
                let now = now.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                FileRefusal::Stale { path, now }
            }
            other => other,
        })
    }

    fn put(
        &self,
        name: &FileName,
        bytes: &[u8],
        present: Option<&Present>,
    ) -> Result<(), FileRefusal> {
        let folder = self.folder_of(name, Absent::Made)?;
        let write = || -> Result<(), Errno> {
            let file = File::from(fresh(&folder)?);
            // A new file belongs to whom its folder belongs, and is as open as that.
            let above = fstat(&folder)?;
            let of = present.map_or(above, |present| present.stat);
            give(&file, &of)?;
            let mode = if present.is_some() { of.st_mode & 0o777 } else { of.st_mode & 0o666 };
            fchmod(&file, Mode::from_raw_mode(mode))?;
            (&file)
                .write_all(bytes)
                .and_then(|()| file.sync_all())
                .map_err(|error| error.raw_os_error().map_or(Errno::IO, Errno::from_raw_os_error))
        };
        let placed = write().map_err(|errno| refused(name, errno)).and_then(|()| match present {
            None => place_new(&folder, name),
            Some(present) => exchange(&folder, name, present),
        });
        // What is left of it, also where it was not placed.
        match unlinkat(&folder, UNFINISHED, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => placed,
            Err(errno) => placed.and(Err(refused(name, errno))),
        }
    }

    fn remove(&self, name: &FileName, present: &Present) -> Result<(), FileRefusal> {
        let folder = self.folder_of(name, Absent::Refused)?;
        let now = Look::at(&folder, name.last()).map_err(|errno| refused(name, errno))?;
        if now != Some(Look::of(&present.stat)) {
            return Err(FileRefusal::Stale { path: name.to_string(), now: None });
        }
        unlinkat(&folder, name.last(), AtFlags::empty()).map_err(|errno| refused(name, errno))
    }

    /// Opens the folder in which a file stands, step by step.
    fn folder_of(&self, name: &FileName, absent: Absent) -> Result<OwnedFd, FileRefusal> {
        let step = |at: &OwnedFd, part: &str| {
            match openat2(at, part, FOLDER, Mode::empty(), CONFINED) {
                Err(Errno::NOENT) if absent == Absent::Made => {}
                opened => return opened,
            }
            match mkdirat(at, part, Mode::RWXU) {
                Ok(()) => {}
                Err(Errno::EXIST) => return openat2(at, part, FOLDER, Mode::empty(), CONFINED),
                Err(errno) => return Err(errno),
            }
            let (made, above) = (openat2(at, part, FOLDER, Mode::empty(), CONFINED)?, fstat(at)?);
            give(&made, &above)?;
            fchmod(&made, Mode::from_raw_mode(above.st_mode & 0o777))?;
            Ok(made)
        };
        let mut at = openat2(&self.folder, ".", FOLDER, Mode::empty(), CONFINED)
            .map_err(|errno| refused(name, errno))?;
        for part in name.folders() {
            at = step(&at, part).map_err(|errno| refused(name, errno))?;
        }
        Ok(at)
    }

    /// Opens a folder of the workspace by its path, for a listing.
    pub(super) fn subfolder(&self, path: &str) -> Result<OwnedFd, Errno> {
        let path = if path.is_empty() { "." } else { path };
        openat2(&self.folder, path, FOLDER, Mode::empty(), CONFINED)
    }
}

/// What is done about a folder that is not there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Absent {
    Made,
    Refused,
}

/// Gives a file away as another is owned, as far as this account may.
fn give(file: &impl AsFd, like: &Stat) -> Result<(), Errno> {
    let (owner, group) = (Uid::from_raw(like.st_uid), Gid::from_raw(like.st_gid));
    match fchown(file, Some(owner), Some(group)) {
        Ok(()) | Err(Errno::PERM) => Ok(()),
        Err(errno) => Err(errno),
    }
}

/// Makes the file that is written, whatever an interrupted writing has left there.
fn fresh(folder: &impl AsFd) -> Result<OwnedFd, Errno> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let make = || openat2(folder, UNFINISHED, flags, Mode::from_raw_mode(0o600), CONFINED);
    match make() {
        Err(Errno::EXIST) => {
            unlinkat(folder, UNFINISHED, AtFlags::empty())?;
            make()
        }
        made => made,
    }
}

/// Gives a new file its name, unless something bears that meanwhile.
fn place_new(folder: &impl AsFd, name: &FileName) -> Result<(), FileRefusal> {
    match renameat_with(folder, UNFINISHED, folder, name.last(), RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        Err(Errno::EXIST) => Err(FileRefusal::Stale { path: name.to_string(), now: None }),
        // A file system that cannot promise it.
        Err(Errno::INVAL | Errno::NOSYS) => {
            match statat(folder, name.last(), AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => renameat(folder, UNFINISHED, folder, name.last())
                    .map_err(|errno| refused(name, errno)),
                _ => Err(FileRefusal::Stale { path: name.to_string(), now: None }),
            }
        }
        Err(errno) => Err(refused(name, errno)),
    }
}

/// Puts the new file in the place of one that was looked at. They change places, so that what stood
/// there can be looked at again: somebody who saved at this moment gets their file back.
fn exchange(folder: &impl AsFd, name: &FileName, looked_at: &Present) -> Result<(), FileRefusal> {
    let failed = |errno| refused(name, errno);
    let stale = || FileRefusal::Stale { path: name.to_string(), now: None };
    let looked_at = Some(Look::of(&looked_at.stat));
    let ours = Look::at(folder, UNFINISHED).map_err(failed)?;
    match swap(folder, name) {
        Ok(()) if Look::at(folder, UNFINISHED).map_err(failed)? == looked_at => Ok(()),
        Ok(()) => {
            give_back(folder, name, ours)?;
            Err(stale())
        }
        Err(Errno::INVAL | Errno::NOSYS) => {
            if Look::at(folder, name.last()).map_err(failed)? != looked_at {
                return Err(stale());
            }
            renameat(folder, UNFINISHED, folder, name.last()).map_err(failed)
        }
        Err(Errno::NOENT) => Err(stale()),
        Err(errno) => Err(failed(errno)),
    }
}

fn swap(folder: &impl AsFd, name: &FileName) -> Result<(), Errno> {
    renameat_with(folder, UNFINISHED, folder, name.last(), RenameFlags::EXCHANGE)
}

/// Most saves that are let by while a file is given back.
const SAVES_MAX: usize = 1000;

/// Gives back a file of somebody else's for which `ours` was put under its name. Whoever saves meanwhile has
/// saved last: what comes out is then not what was put there, and goes back in its turn.
fn give_back(folder: &impl AsFd, name: &FileName, ours: Option<Look>) -> Result<(), FileRefusal> {
    let failed = |errno| refused(name, errno);
    let mut put = ours;
    for _ in 0..SAVES_MAX {
        let back = Look::at(folder, UNFINISHED).map_err(failed)?;
        match swap(folder, name) {
            Ok(()) => {}
            // It was removed meanwhile; theirs is not ours to lose.
            Err(Errno::NOENT) => return place_new(folder, name),
            Err(errno) => return Err(failed(errno)),
        }
        if Look::at(folder, UNFINISHED).map_err(failed)? == put {
            return Ok(());
        }
        put = back;
    }
    Ok(())
}

/// What tells a file that was looked at from another, and from itself once something was written to it. Its
/// change time is left out: giving it another name is a change too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    file: (u64, u64),
    names: i128,
    size: i64,
    written: (i64, u64),
}

impl Look {
    fn of(stat: &Stat) -> Self {
        Self {
            file: (stat.st_dev, stat.st_ino),
            names: stat.st_nlink.into(),
            size: stat.st_size,
            written: (stat.st_mtime, stat.st_mtime_nsec),
        }
    }

    /// None where there is no file of that name.
    fn at(folder: &impl AsFd, name: &str) -> Result<Option<Self>, Errno> {
        match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(Self::of(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(errno),
        }
    }
}

/// Refuses what is no plain file with one name.
fn plain(name: &FileName, stat: &Stat) -> Result<(), FileRefusal> {
    let what = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => "",
        FileType::Directory => "a folder",
        FileType::Fifo => "a named pipe",
        FileType::Socket => "a socket",
        FileType::Symlink
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => "a device",
    };
    if !what.is_empty() {
        return Err(FileRefusal::NotAFile { path: name.to_string(), what });
    }
    let names = stat.st_nlink;
    if names > 1 {
        return Err(FileRefusal::HardLinked { path: name.to_string(), names });
    }
    Ok(())
}

fn refused(name: &FileName, errno: Errno) -> FileRefusal {
    let path = name.to_string();
    match errno {
        Errno::LOOP => FileRefusal::Linked { path },
        Errno::XDEV => FileRefusal::Outside,
        Errno::NOENT => FileRefusal::NotFound { path },
        Errno::NOTDIR => {
            FileRefusal::BadPath { why: format!("a part of `{path}` is a file, not a folder") }
        }
        Errno::ISDIR => FileRefusal::NotAFile { path, what: "a folder" },
        // A socket cannot be opened.
        Errno::NXIO => FileRefusal::NotAFile { path, what: "a socket or a pipe" },
        errno => machine(format!("opening {path}"), errno),
    }
}

fn machine(what: String, errno: Errno) -> FileRefusal {
    FileRefusal::Machine { what, why: cause(&errno.into()) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// What stands under a name after a file was given back, with what was put aside and what had come
    /// under the name since.
    fn given_back(aside: &str, since: Option<&str>) -> Option<String> {
        let home = tempfile::tempdir().unwrap();
        let (name, aside_at) = (home.path().join("a.py"), home.path().join(UNFINISHED));
        fs::write(&name, "ours").unwrap();
        let folder = File::open(home.path()).unwrap();
        let ours = Look::at(&folder, "a.py").unwrap();
        fs::write(&aside_at, aside).unwrap();
        match since {
            Some("") => fs::remove_file(&name).unwrap(),
            Some(since) => {
                fs::write(home.path().join("new"), since).unwrap();
                fs::rename(home.path().join("new"), &name).unwrap();
            }
            None => {}
        }
        give_back(&folder, &FileName::parse("a.py").unwrap(), ours).unwrap();
        fs::read_to_string(&name).ok()
    }

    #[test]
    fn what_was_saved_last_is_there_after_a_file_was_given_back() {
        assert_eq!(given_back("theirs", None).as_deref(), Some("theirs"));
        assert_eq!(given_back("theirs", Some("newer")).as_deref(), Some("newer"));
        assert_eq!(given_back("theirs", Some("")).as_deref(), Some("theirs"));
    }
}
