//! The folder of a database: which one is ours, and how it is removed.
//!
//! A folder that merely bears such a name, or is a copy that somebody made, is that person's. So each
//! folder says in a file of its own for which place it was made: a copy under another name tells the
//! wrong one, and what has no such file is never swept. What others have put into a folder of ours
//! stays there.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use vosim_protocol::ids::StoreId;

use crate::backend::sled;
use crate::error::OpenError;
use crate::files::{entries, make_dir, remove_tree, replace, sync_dir};
use crate::options::BackendKind;
use crate::tally;

/// The file that says for which place a folder was made.
const ORIGIN: &str = "origin";
/// The folder with the archives that came with a database.
pub(crate) const ARCHIVES: &str = "exports";

#[derive(Serialize, Deserialize)]
struct Origin {
    /// The folder's name.
    folder: String,
    /// The store in whose data directory it was made: its own, or the one whose place it was to take.
    beside: Option<StoreId>,
    store: StoreId,
}

/// Makes the folder of a store's database, in the data directory of that store or of the one whose
/// place it is to take.
pub(crate) fn make(path: &Path, store: StoreId, beside: Option<StoreId>) -> io::Result<()> {
    make_dir(path)?;
    let line = serde_json::to_vec(&Origin { folder: name_of(path).to_owned(), beside, store })?;
    replace(&path.join(ORIGIN), |file| file.write_all(&line))
}

/// Copies a database durably into a folder of its own.
pub(crate) fn copy(from: &Path, to: &Path, store: StoreId) -> io::Result<()> {
    make(to, store, None)?;
    copy_tree(from, to)
}

/// Copies a folder with its files durably, but for an origin.
fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    make_dir(to)?;
    for path in entries(from)? {
        let Some(name) = path.file_name().filter(|name| *name != ORIGIN) else { continue };
        let target = to.join(name);
        if path.is_dir() {
            copy_tree(&path, &target)?;
        } else {
            fs::copy(&path, &target)?;
            File::open(&target)?.sync_all()?;
        }
    }
    sync_dir(to)
}

/// Whether a folder was made for this place by a store's own work.
pub(crate) fn is_of(path: &Path, store: StoreId) -> Result<bool, OpenError> {
    let inside = entries(path).map_err(OpenError::io("looking through", path))?;
    // Its making or its removal may have been cut off where it does not say so.
    if inside.iter().all(|path| is_worthless(name_of(path))) {
        return Ok(true);
    }
    let read = fs::read(path.join(ORIGIN)).ok();
    let origin = read.and_then(|bytes| serde_json::from_slice::<Origin>(&bytes).ok());
    Ok(origin.is_some_and(|origin| {
        origin.folder == name_of(path) && (origin.store == store || origin.beside == Some(store))
    }))
}

/// Whether a folder holds nothing but what may belong to a database.
pub(crate) fn is_all_ours(path: &Path) -> Result<bool, OpenError> {
    let inside = entries(path).map_err(OpenError::io("looking through", path))?;
    Ok(inside.iter().all(|path| is_ours(name_of(path))))
}

/// Removes a database durably, and its folder, unless there is something else in it.
pub(crate) fn remove(path: &Path) -> Result<(), OpenError> {
    let inside = entries(path).map_err(OpenError::io("looking through", path))?;
    let (ours, foreign): (Vec<_>, Vec<_>) =
        inside.into_iter().partition(|path| is_ours(name_of(path)));
    // The origin goes last, so that what is cut off is gone on with.
    let (last, first): (Vec<_>, Vec<_>) =
        ours.into_iter().partition(|path| name_of(path) == ORIGIN);
    for path in first.iter().chain(&last) {
        remove_whatever(path).map_err(OpenError::io("removing", path))?;
    }
    if let Some(foreign) = foreign.first() {
        tracing::warn!(
            path = %foreign.display(),
            "a database is removed, but not what others have put into its folder"
        );
        return sync_dir(path).map_err(OpenError::io("syncing", path));
    }
    // A link to a folder is removed like one.
    remove_tree(path).map_err(OpenError::io("removing", path))
}

fn remove_whatever(path: &Path) -> io::Result<()> {
    if path.symlink_metadata()?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

/// Whether something in the folder of a database belongs to it, by its name.
fn is_ours(name: &str) -> bool {
    let databases = [BackendKind::Sled, BackendKind::Redb].map(BackendKind::file);
    is_worthless(name)
        || databases.contains(&name)
        || [ORIGIN, ARCHIVES, sled::HEAP].contains(&name)
        || name.starts_with(sled::ASIDE)
}

/// Whether it is nothing without the database.
fn is_worthless(name: &str) -> bool {
    [tally::FILE, sled::SETTINGS].contains(&name)
        || name.starts_with(sled::log::SNAPSHOT)
        || name.strip_prefix(ORIGIN).is_some_and(|rest| rest.starts_with('.'))
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}
