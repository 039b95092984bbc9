//! The folder of a database: which one is ours, and how it is copied and removed.
//!
//! A folder that merely bears such a name, or is a copy that somebody made, is that person's. So each
//! folder says in a file of its own for which place it was made, and as which folder of the disk: a copy
//! is another one, and what has no such file is never swept. What others have put into a folder of ours
//! is neither copied nor removed.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use nix::unistd::AccessFlags;
use serde::{Deserialize, Serialize};
use vosim_protocol::ids::{SessionId, StoreId};

use crate::backend::sled;
use crate::error::OpenError;
use crate::files::{check_kind, entries, make_dir, replace, sync_dir};
use crate::options::BackendKind;
use crate::tally;

/// The file that says for which place a folder was made.
const ORIGIN: &str = "origin";
/// The folder with the archives that came with a database.
pub(crate) const ARCHIVES: &str = "exports";
/// How the name of a folder ends that cannot say yet what it is.
const MAKING: &str = ".making";
/// How often a folder is emptied that is never empty: what had the database open may end a little later.
const REMOVALS_MAX: usize = 20;

#[derive(Debug, Serialize, Deserialize)]
struct Origin {
    /// The folder's name.
    folder: String,
    /// Its number on its disk.
    inode: u64,
    store: StoreId,
    /// The store in whose data directory it was made, if its place was to be taken.
    beside: Option<StoreId>,
}

/// Makes the folder of a store's database, in the data directory of that store or of the one whose
/// place it is to take. It bears its name only once it says whose it is.
pub(crate) fn make(path: &Path, store: StoreId, beside: Option<StoreId>) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return sign(path, name_of(path), store, beside);
    }
    let mut making = path.as_os_str().to_owned();
    making.push(MAKING);
    let making = PathBuf::from(making);
    make_dir(&making)?;
    sign(&making, name_of(path), store, beside)?;
    fs::rename(&making, path)?;
    path.parent().map_or(Ok(()), sync_dir)
}

/// Says of a folder for which place it is.
fn sign(path: &Path, folder: &str, store: StoreId, beside: Option<StoreId>) -> io::Result<()> {
    let inode = path.metadata()?.ino();
    let line = serde_json::to_vec(&Origin { folder: folder.to_owned(), inode, store, beside })?;
    replace(&path.join(ORIGIN), |file| file.write_all(&line))
}

/// What a folder says of itself; none where it says nothing, or is a copy or moved.
fn origin(path: &Path) -> Option<Origin> {
    let origin: Origin = serde_json::from_slice(&fs::read(path.join(ORIGIN)).ok()?).ok()?;
    let is_itself = origin.folder == name_of(path) && origin.inode == path.metadata().ok()?.ino();
    is_itself.then_some(origin)
}

/// Whether a folder was made for its place by a store's own work.
pub(crate) fn is_of(path: &Path, store: StoreId) -> bool {
    origin(path).is_some_and(|origin| origin.store == store || origin.beside == Some(store))
}

/// Whether a folder was made for its place by any store's work.
pub(crate) fn is_ours(path: &Path) -> bool {
    origin(path).is_some()
}

/// Copies a database durably into a folder of its own.
pub(crate) fn copy(from: &Path, to: &Path, store: StoreId) -> io::Result<()> {
    make(to, store, None)?;
    for path in files(from)? {
        let Ok(name) = path.strip_prefix(from) else { continue };
        let target = to.join(name);
        if name == OsStr::new(ORIGIN) {
            continue;
        }
        make_dir(target.parent().unwrap_or(to))?;
        fs::copy(&path, &target)?;
        File::open(&target)?.sync_all()?;
    }
    for folder in FOLDERS.map(|name| to.join(name)).iter().filter(|it| it.is_dir()) {
        sync_dir(folder)?;
    }
    sync_dir(to)
}

/// Removes a database durably, and its folder, unless there is something else in it.
pub(crate) fn remove(path: &Path) -> Result<(), OpenError> {
    let removing = || OpenError::io("removing", path);
    for _ in 0..REMOVALS_MAX {
        let mut ours = files(path).map_err(removing())?;
        // The origin goes last, so that what is cut off is gone on with.
        ours.sort_by_key(|file| file.ends_with(ORIGIN));
        for file in &ours {
            remove_if_there(fs::remove_file(file)).map_err(OpenError::io("removing", file))?;
        }
        for folder in FOLDERS.map(|name| path.join(name)) {
            remove_if_there(fs::remove_dir(&folder)).map_err(OpenError::io("removing", &folder))?;
        }
        match fs::remove_dir(path) {
            Ok(()) => return path.parent().map_or(Ok(()), sync_dir).map_err(removing()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) if is_in_use(&error) => {}
            Err(error) => return Err(removing()(error)),
        }
        if files(path).map_err(removing())?.is_empty() {
            tracing::warn!(
                path = %path.display(),
                "a database is removed, but not what others have put into its folder"
            );
            return Ok(());
        }
    }
    Ok(())
}

/// What is gone already needs no removal, and what holds something of others, or is a link, stays.
fn remove_if_there(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound || is_in_use(&error) => Ok(()),
        other => other,
    }
}

fn is_in_use(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::NotADirectory)
}

/// The folders that a database's folder may hold.
const FOLDERS: [&str; 2] = [sled::HEAP, ARCHIVES];

/// The files of a database, by their names; whatever bears such a name and is no plain file is none.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = plain(path, is_file_of_ours)?;
    found.extend(in_folder(&path.join(sled::HEAP), is_large_value)?);
    found.extend(archives(&path.join(ARCHIVES))?);
    Ok(found)
}

/// The archives in a folder, each named by its session.
pub(crate) fn archives(folder: &Path) -> io::Result<Vec<PathBuf>> {
    in_folder(folder, |name| archive_session(Path::new(name)).is_some())
}

/// The session of an archive, by its name.
pub(crate) fn archive_session(path: &Path) -> Option<SessionId> {
    name_of(path).strip_suffix(".jsonl")?.parse().ok()
}

/// The same of what is a folder; none where that is a link or anything else.
fn in_folder(folder: &Path, is_right: impl Fn(&str) -> bool) -> io::Result<Vec<PathBuf>> {
    let is_folder = folder.symlink_metadata().is_ok_and(|it| it.is_dir());
    if is_folder { plain(folder, is_right) } else { Ok(Vec::new()) }
}

/// The plain files in a folder that bear such a name.
fn plain(folder: &Path, is_right: impl Fn(&str) -> bool) -> io::Result<Vec<PathBuf>> {
    let mut found = entries(folder)?;
    found.retain(|path| {
        is_right(name_of(path)) && path.symlink_metadata().is_ok_and(|it| it.is_file())
    });
    Ok(found)
}

/// Whether a file beside the database's own belongs to it.
fn is_file_of_ours(name: &str) -> bool {
    let databases = [BackendKind::Sled, BackendKind::Redb].map(BackendKind::file);
    databases.contains(&name)
        || [ORIGIN, tally::FILE, sled::SETTINGS].contains(&name)
        || name.starts_with(sled::log::SNAPSHOT)
        || name.starts_with(sled::ASIDE)
        || (name.starts_with(ORIGIN) && name.ends_with(".unfinished"))
}

/// Whether sled has named a file of a value that is too large for a segment.
fn is_large_value(name: &str) -> bool {
    name.parse::<i64>().is_ok()
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(OsStr::to_str).unwrap_or_default()
}

/// Checks that what a database needs is of the right kind and may be used: to find that later would mean to
/// refuse after something was changed.
pub(crate) fn check(path: &Path, kind: BackendKind) -> Result<(), OpenError> {
    check_folder(path)?;
    check_folder(&path.join(ARCHIVES))?;
    if kind == BackendKind::Sled {
        check_folder(&path.join(sled::HEAP))?;
    }
    let listed = entries(path).map_err(OpenError::io("looking through", path))?;
    listed.iter().filter(|file| is_file_of_ours(name_of(file))).try_for_each(|file| {
        check_kind(file, Metadata::is_file, AccessFlags::R_OK | AccessFlags::W_OK)
            .map_err(OpenError::io("looking at", file))
    })
}

/// Checks that there is nothing at a path, or a folder that may be used.
pub(crate) fn check_folder(path: &Path) -> Result<(), OpenError> {
    let all = AccessFlags::R_OK | AccessFlags::W_OK | AccessFlags::X_OK;
    check_kind(path, Metadata::is_dir, all).map_err(OpenError::io("looking through", path))
}
