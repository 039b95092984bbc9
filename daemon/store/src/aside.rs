//! What recoveries have put aside: it can be listed, put back in place and erased.
//!
//! A quarantine is a folder with databases and the manifest that was in force with them. Only these
//! folders are touched here, and a database that is in force only to be put aside itself. What only
//! bears such a name (a link, a folder without a manifest) is somebody else's and left alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::OpenError;
use crate::files::{bytes_on_disk, entries, remove_tree, sync_dir};
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
}

/// Lists what has been put aside in a data directory, the oldest first.
pub fn asides(dir: &Path) -> Result<Vec<Aside>, OpenError> {
    let mut asides = Vec::new();
    for path in entries(dir).map_err(OpenError::io("looking through", dir))? {
        let Some(number) = aside_number(&path) else { continue };
        let bytes = bytes_on_disk(&path).map_err(OpenError::io("measuring", &path))?;
        let since = fs::metadata(&path).and_then(|metadata| metadata.modified()).ok();
        asides.push(Aside { number, path, bytes, since });
    }
    asides.sort_by_key(|aside| aside.number);
    Ok(asides)
}

/// Erases a store that was put aside, for good.
pub fn erase_aside(dir: &Path, number: u32) -> Result<(), OpenError> {
    let path = find(dir, number)?;
    remove_tree(&path).map_err(OpenError::io("removing", &path))
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
    let begun = !from.exists() && to.exists() && Manifest::read(dir)?.is_none();
    if !begun && !old.file(&aside).is_file() {
        return Err(unusable("its database is missing"));
    }
    let present =
        if begun || manifest::is_vacant(dir)? { None } else { Some(manifest::quarantine(dir)?) };
    if !begun {
        fs::rename(&from, &to).map_err(OpenError::io("moving", &from))?;
    }
    // The manifest goes last: a database without one is refused and not overlooked.
    old.write(dir).map_err(OpenError::io("writing the manifest of", dir))?;
    remove_tree(&aside).map_err(OpenError::io("removing", &aside))?;
    sync_dir(dir).map_err(OpenError::io("syncing", dir))?;
    Ok(present)
}

/// The number of a folder into which a store was put aside; the name is spelled as it was then.
///
/// `None` for everything else: another spelling, a link, a folder without a manifest.
pub fn aside_number(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    let number: u32 = name.strip_prefix(QUARANTINE)?.parse().ok()?;
    let is_real = |path: &Path, wanted: fn(&fs::Metadata) -> bool| {
        path.symlink_metadata().is_ok_and(|meta| wanted(&meta))
    };
    let is_ours = name == format!("{QUARANTINE}{number}")
        && is_real(path, fs::Metadata::is_dir)
        && is_real(&path.join(manifest::FILE), fs::Metadata::is_file);
    is_ours.then_some(number)
}

fn find(dir: &Path, number: u32) -> Result<PathBuf, OpenError> {
    let found = asides(dir)?.into_iter().find(|aside| aside.number == number);
    found.map(|aside| aside.path).ok_or(OpenError::NoAside { dir: dir.to_owned(), number })
}
