//! What recoveries have put aside: it can be listed, put back in place and erased.
//!
//! A quarantine is a folder with databases, the manifest that was in force with them, if there was
//! one, and their archives. Only these folders are touched here, and a database that is in force only
//! to be put aside itself. What only bears such a name (a link, a folder with anything else in it) is
//! somebody else's and left alone.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::archive::{adopt_archives, archives_in, move_archives};
use crate::error::OpenError;
use crate::files::{bytes_on_disk, entries};
use crate::folder;
use crate::manifest::{self, Manifest, QUARANTINE};

/// A store that was put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// The number in the name of its folder.
    pub number: u32,
    /// Its folder.
    pub path: PathBuf,
    /// How much room it takes.
    pub bytes: u64,
    /// When it was put aside.
    pub since: Option<SystemTime>,
    /// Whether it has the manifest without which it cannot be put back.
    pub has_manifest: bool,
}

/// Lists what has been put aside in a data directory, the oldest first.
pub fn asides(dir: &Path) -> Result<Vec<Aside>, OpenError> {
    let mut asides = Vec::new();
    for path in entries(dir).map_err(OpenError::io("looking through", dir))? {
        asides.extend(aside(&path)?);
    }
    asides.sort_by_key(|aside| aside.number);
    Ok(asides)
}

/// Returns what a folder holds if a store was put aside into it; its name is spelled as it was then.
pub fn aside(path: &Path) -> Result<Option<Aside>, OpenError> {
    let name = path.file_name().and_then(|name| name.to_str());
    let number = name.and_then(|name| name.strip_prefix(QUARANTINE)?.parse::<u32>().ok());
    let Some(number) = number.filter(|it| name == Some(format!("{QUARANTINE}{it}").as_str()))
    else {
        return Ok(None);
    };
    if !is_dir(path) || !holds_a_store(path)? {
        return Ok(None);
    }
    let bytes = bytes_on_disk(path).map_err(OpenError::io("measuring", path))?;
    let since = fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let has_manifest = path.join(manifest::FILE).exists();
    Ok(Some(Aside { number, path: path.to_owned(), bytes, since, has_manifest }))
}

/// Whether the database of a store that was put aside stands in its place again, and only that.
fn is_half_way_back(path: &Path) -> bool {
    let old = Manifest::read(path).ok().flatten();
    let dir = path.parent();
    old.zip(dir).is_some_and(|(old, dir)| old.file(dir).is_file())
}

fn has_archives(folder: &Path) -> Result<bool, OpenError> {
    let archives = folder::archives(folder).map_err(OpenError::io("looking through", folder))?;
    Ok(!archives.is_empty())
}

/// Whether a folder holds a database or archives, and nothing that does not belong to one.
fn holds_a_store(path: &Path) -> Result<bool, OpenError> {
    let mut has_one = false;
    for inside in entries(path).map_err(OpenError::io("looking through", path))? {
        let name = inside.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_manifest = name == manifest::FILE && is_file(&inside);
        let is_database = manifest::generation(name).is_some() && inside.is_dir();
        let are_archives = inside == archives_in(path) && is_dir(&inside);
        let belongs = is_manifest || is_database || are_archives;
        if !belongs {
            return Ok(false);
        }
        has_one |= is_database
            || (are_archives && has_archives(&inside)?)
            || (is_manifest && is_half_way_back(path));
    }
    Ok(has_one)
}

fn is_dir(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
}

fn is_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_file())
}

/// Erases a store that was put aside, for good.
pub fn erase_aside(dir: &Path, number: u32) -> Result<(), OpenError> {
    let path = find(dir, number)?;
    let live = Manifest::read(&path).ok().flatten().map(|live| live.database_path(&path));
    for database in manifest::databases(&path).map_err(OpenError::io("looking through", &path))? {
        // Whatever else was moved along is what somebody had put beside the store; without a manifest
        // nobody can say which one was in force.
        if live.as_ref().is_none_or(|live| *live == database) || folder::is_ours(&database) {
            folder::remove(&database)?;
        }
    }
    manifest::dissolve(&path).map_err(OpenError::io("removing", &path))
}

/// Puts a store that was put aside back in place, and returns where the present one went.
///
/// Take the [`crate::Lock`] first; no store may be open.
pub fn put_back(dir: &Path, number: u32) -> Result<Option<PathBuf>, OpenError> {
    let aside = find(dir, number)?;
    let unusable = |reason: &str| OpenError::unreadable(&aside, reason);
    let old = Manifest::read(&aside)?.ok_or_else(|| unusable("it has no store.json"))?;
    let (from, to) = (old.database_path(&aside), old.database_path(dir));
    // An earlier attempt may have come as far as that.
    let live = Manifest::read(dir).ok().flatten().map(|live| live.database_path(dir));
    let begun = !from.exists() && old.file(dir).is_file() && live.as_ref() != Some(&to);
    if !begun && !old.file(&aside).is_file() {
        return Err(unusable("its database is missing"));
    }
    // Its manifest stays in force until the other one takes its place: a start that comes between takes
    // the present store back.
    let present = manifest::put_aside(dir, begun.then_some(&*to))?;
    put_archives_back(dir, &aside, present.as_deref())
        .map_err(OpenError::io("putting back the archives of", &aside))?;
    if !begun {
        fs::rename(&from, &to).map_err(OpenError::io("moving", &from))?;
    }
    old.write(dir).map_err(OpenError::io("writing the manifest of", dir))?;
    manifest::move_back(dir, &aside).map_err(OpenError::io("removing", &aside))?;
    Ok(present)
}

/// Puts the archives back that were put aside with a store; those of the present one go with it.
///
/// Where none were put aside, those that are there are its own.
fn put_archives_back(dir: &Path, aside: &Path, present: Option<&Path>) -> io::Result<()> {
    let (own, there) = (archives_in(aside), archives_in(dir));
    if let Some(present) = present
        && own.is_dir()
        && there.is_dir()
    {
        move_archives(&there, &archives_in(present))?;
    }
    adopt_archives(dir, aside)
}

fn find(dir: &Path, number: u32) -> Result<PathBuf, OpenError> {
    let found = asides(dir)?.into_iter().find(|aside| aside.number == number);
    found.map(|aside| aside.path).ok_or(OpenError::NoAside { dir: dir.to_owned(), number })
}
