//! The manifest `store.json`: which database is the live one, and whether this binary may open it.
//!
//! The manifest is read before any database is opened, so that another format is refused before
//! anything is misread. It is replaced by one rename, by which a compaction or a restore takes
//! effect. Opening never makes room for a new store; only [`quarantine`], a restore, a rebuild and a
//! rescue do.

use std::cmp::Ordering;
use std::fs;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nix::unistd::{AccessFlags, access};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use vosim_protocol::ids::StoreId;
use vosim_protocol::misfit;

use crate::backend::{Backend, BackendError, Batch, Looked, sled};
use crate::error::{OpenError, StoreError};
use crate::files::{Ready, entries, make_dir, open_at_once, ours, remove, sync_dir};
use crate::folder;
use crate::keys;
use crate::options::{BackendKind, Options};
use crate::sealed::{put, unseal};
use crate::tally::Tally;

/// The version of the layout that this binary writes, and the only one that it reads (DECISIONS
/// 43).
pub const STORE_FORMAT: u32 = 3;

pub(crate) const FILE: &str = "store.json";
const DATABASE: &str = "db-";
/// How the name of a folder begins into which a store was put aside.
pub(crate) const QUARANTINE: &str = "quarantine-";

/// The content of `store.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) format: u32,
    pub(crate) backend: BackendKind,
    pub(crate) store_id: StoreId,
    /// The name of the database's directory.
    pub(crate) database: String,
    /// False until a new store has been opened once. Until then nothing has been acknowledged, and
    /// a missing database may be created anew.
    pub(crate) complete: bool,
}

/// The part of the manifest that every future format keeps.
#[derive(Deserialize)]
struct Frozen {
    format: u32,
}

impl Manifest {
    /// Reads the manifest of a data directory; `None` if there is none.
    pub(crate) fn read(dir: &Path) -> Result<Option<Self>, OpenError> {
        let path = dir.join(FILE);
        let mut bytes = Vec::new();
        let file = ours(open_at_once(&path));
        match file.and_then(|mut file| file.read_to_end(&mut bytes)) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(OpenError::io("reading", &path)(error)),
        }
        let spoiled = |error: serde_json::Error| match error.is_eof() {
            true => OpenError::unreadable(dir, format_args!("{FILE} is cut off")),
            false => OpenError::unreadable(dir, format_args!("{FILE}: {}", misfit::words(&error))),
        };
        let Frozen { format } = serde_json::from_slice(&bytes).map_err(spoiled)?;
        check_known(dir, format)?;
        let manifest: Self = serde_json::from_slice(&bytes).map_err(spoiled)?;
        if generation(&manifest.database).is_none() {
            return Err(OpenError::unreadable(dir, format_args!("{FILE} names no database")));
        }
        Ok(Some(manifest))
    }

    /// What the manifest must have been if it named this database, but for the store's identity;
    /// none where there is no database in the folder.
    fn guess(database: &Path) -> Option<Self> {
        let is_there = |kind: &BackendKind| database.join(kind.file()).is_file();
        let backend = [BackendKind::Sled, BackendKind::Redb].into_iter().find(is_there)?;
        Some(Self {
            format: STORE_FORMAT,
            backend,
            store_id: StoreId(Uuid::nil()),
            database: database.file_name()?.to_str()?.to_owned(),
            complete: true,
        })
    }

    /// Puts this manifest in force.
    pub(crate) fn write(&self, dir: &Path) -> io::Result<()> {
        self.prepare(dir)?.replace()
    }

    /// Makes this manifest durable, so that it can be put in force in a moment.
    pub(crate) fn prepare(&self, dir: &Path) -> io::Result<Ready> {
        let line = serde_json::to_vec(self)?;
        Ready::write(&dir.join(FILE), |file| file.write_all(&line))
    }

    pub(crate) fn database_path(&self, dir: &Path) -> PathBuf {
        dir.join(&self.database)
    }

    /// The file without which there is no database.
    pub(crate) fn file(&self, dir: &Path) -> PathBuf {
        self.database_path(dir).join(self.backend.file())
    }

    /// Returns an error unless a database is the one of this manifest's store.
    pub(crate) fn check_belongs(&self, dir: &Path, backend: &dyn Backend) -> Result<(), OpenError> {
        match store_of(backend) {
            Ok(store) if store == self.store_id => Ok(()),
            Ok(_) => Err(OpenError::unreadable(dir, "the database belongs to another store")),
            Err(why) => Err(OpenError::unreadable(dir, why)),
        }
    }
}

/// Returns the store that a database says it belongs to, or why it does not say so.
pub(crate) fn store_of(backend: &dyn Backend) -> Result<StoreId, String> {
    meta(backend).map(|meta| meta.store_id)
}

/// Returns an error if a database says that it is of another format.
pub(crate) fn check_format(dir: &Path, backend: &dyn Backend) -> Result<(), OpenError> {
    meta(backend).map_or(Ok(()), |meta| check_known(dir, meta.format))
}

fn check_known(dir: &Path, found: u32) -> Result<(), OpenError> {
    let known = STORE_FORMAT;
    match found.cmp(&known) {
        Ordering::Less => Err(OpenError::Older { dir: dir.to_owned(), found, known }),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(OpenError::Newer { dir: dir.to_owned(), found, known }),
    }
}

fn meta(backend: &dyn Backend) -> Result<Meta, String> {
    let value = backend.get(keys::META).map_err(|error| error.to_string())?;
    let value = value.ok_or_else(|| "the database is empty".to_owned())?;
    let bytes = unseal(keys::META, &value).map_err(|why| why.to_string())?;
    serde_json::from_slice(bytes).map_err(|error| misfit::words(&error))
}

/// What the database says about itself under [`keys::META`].
#[derive(Debug, Serialize, Deserialize)]
struct Meta {
    format: u32,
    store_id: StoreId,
}

/// Creates the empty database that a manifest names, beside the store that is in force, if that is
/// another one.
pub(crate) fn create(
    dir: &Path,
    manifest: &Manifest,
    beside: Option<StoreId>,
    options: &Options,
) -> Result<(Arc<dyn Backend>, Tally), OpenError> {
    let path = manifest.database_path(dir);
    folder::make(&path, manifest.store_id, beside).map_err(OpenError::io("making", &path))?;
    let backend = open_backend(dir, manifest.backend, &path, options)?;
    let meta = Meta { format: STORE_FORMAT, store_id: manifest.store_id };
    let mut batch = Batch::default();
    put(&mut batch, keys::META.to_vec(), &serde_json::to_vec(&meta).unwrap_or_default());
    backend.commit(batch).map_err(StoreError::from)?;
    sync_dir(dir).map_err(OpenError::io("syncing", dir))?;
    let tally = Tally::resume(&path, manifest.backend.file(), manifest.store_id, 0)
        .map_err(OpenError::io("counting the commits of", dir))?;
    Ok((backend, tally))
}

/// Reads the file of the live database without writing, and says what opening it would find.
pub(crate) fn look(dir: &Path, live: &Manifest, options: &Options) -> Result<Looked, OpenError> {
    let path = live.database_path(dir);
    match live.backend {
        BackendKind::Sled => {
            let looked = crate::backend::sled::log::look(&path, live.backend.file());
            looked.map_err(OpenError::io("reading", &path))
        }
        #[cfg(feature = "store-redb")]
        BackendKind::Redb => {
            let looked = crate::backend::redb::RedbBackend::look(&path, options);
            looked.map_err(|error| failed_to_open(dir, (&path, live.backend), error))
        }
        #[cfg(not(feature = "store-redb"))]
        BackendKind::Redb => Err(no_backend(dir, live.backend, options)),
    }
}

/// Finds the database of a data directory from which something may be brought back: the live one, else
/// the one with the most commits; none where there is no database. Nothing is changed but that a live
/// one is put back which a crash has left aside.
pub(crate) fn find(dir: &Path, options: &Options) -> Result<Option<Manifest>, OpenError> {
    match Manifest::read(dir) {
        Ok(Some(live)) => {
            if !live.file(dir).is_file() {
                take_back(dir, &live)?;
            }
            if live.file(dir).is_file() {
                return Ok(Some(live));
            }
        }
        Ok(None) | Err(OpenError::Unreadable { .. }) => {}
        Err(other) => return Err(other),
    }
    let mut found = databases(dir).map_err(OpenError::io("looking through", dir))?;
    found.sort_by_key(|path| path.file_name().and_then(|name| generation(name.to_str()?)));
    let mut best: Option<(u64, Manifest)> = None;
    for guess in found.iter().filter_map(|path| Manifest::guess(path)) {
        let commits = look(dir, &guess, options)?.whole;
        if best.as_ref().is_none_or(|(most, _)| commits >= *most) {
            best = Some((commits, guess));
        }
    }
    Ok(best.map(|(_, guess)| guess))
}

/// In which order [`each_row_in_pages`] shows what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageOrder {
    /// As it was written: of two versions of a row the later one counts.
    Written,
    /// None.
    Unknown,
}

/// Shows whatever stands in the pages of a database like a row, without opening it.
pub(crate) fn each_row_in_pages(
    dir: &Path,
    of: &Manifest,
    visit: &mut dyn FnMut(&[u8], &[u8]),
) -> Result<PageOrder, OpenError> {
    let file = of.file(dir);
    let (read, order) = match of.backend {
        BackendKind::Sled => {
            let read = sled::pages::each_row(&of.database_path(dir), of.backend.file(), visit);
            (read, PageOrder::Written)
        }
        BackendKind::Redb => (each_row_of_redb(&file, visit), PageOrder::Unknown),
    };
    read.map(|()| order).map_err(OpenError::io("reading", &file))
}

#[cfg(feature = "store-redb")]
fn each_row_of_redb(file: &Path, visit: &mut dyn FnMut(&[u8], &[u8])) -> io::Result<()> {
    crate::backend::redb::pages::each_row(file, visit)
}

#[cfg(not(feature = "store-redb"))]
fn each_row_of_redb(_: &Path, _: &mut dyn FnMut(&[u8], &[u8])) -> io::Result<()> {
    Ok(())
}

/// Opens or creates a database in a directory of its own.
pub(crate) fn open_backend(
    dir: &Path,
    kind: BackendKind,
    path: &Path,
    options: &Options,
) -> Result<Arc<dyn Backend>, OpenError> {
    let opened: Result<Arc<dyn Backend>, BackendError> = match kind {
        BackendKind::Sled => {
            crate::backend::sled::SledBackend::open(path, options).map(|db| Arc::new(db) as _)
        }
        #[cfg(feature = "store-redb")]
        BackendKind::Redb => {
            crate::backend::redb::RedbBackend::open(path, options).map(|db| Arc::new(db) as _)
        }
        #[cfg(not(feature = "store-redb"))]
        BackendKind::Redb => return Err(no_backend(dir, kind, options)),
    };
    opened.map_err(|error| failed_to_open(dir, (path, kind), error))
}

#[cfg(not(feature = "store-redb"))]
pub(crate) fn no_backend(dir: &Path, kind: BackendKind, _: &Options) -> OpenError {
    OpenError::NoBackend { dir: dir.to_owned(), backend: kind.name().to_owned() }
}

/// Returns what a database that does not open means: damage only where the system did not refuse.
fn failed_to_open(
    dir: &Path,
    (path, kind): (&Path, BackendKind),
    error: BackendError,
) -> OpenError {
    match error {
        BackendError::InUse => OpenError::InUse { dir: dir.to_owned() },
        BackendError::Io(error)
            if !matches!(
                error.kind(),
                io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::Other
            ) =>
        {
            let may = AccessFlags::R_OK | AccessFlags::W_OK;
            let file = path.join(kind.file());
            // What keeps us out, where that can be told: its folder or its file.
            let refused = [path, &file].into_iter().find(|at| access(*at, may).is_err());
            OpenError::io("opening the database in", refused.unwrap_or(path))(error)
        }
        other => OpenError::unreadable(dir, other),
    }
}

/// Lists the databases in a data directory, live or not.
pub(crate) fn databases(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let name = |path: &PathBuf| Some(path.file_name()?.to_str()?.to_owned());
    let mut databases = entries(dir)?;
    databases
        .retain(|path| path.is_dir() && name(path).is_some_and(|name| generation(&name).is_some()));
    Ok(databases)
}

/// Returns an unused name for a new database.
pub(crate) fn next_database(dir: &Path) -> io::Result<String> {
    let last = entries(dir)?
        .iter()
        .filter_map(|path| generation(path.file_name()?.to_str()?))
        .max()
        .unwrap_or(0);
    Ok(format!("{DATABASE}{}", last.saturating_add(1)))
}

/// Removes manifests that were being written when something ended.
pub(crate) fn sweep(dir: &Path) {
    let is_one = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with(FILE) && name.ends_with(".unfinished")
    };
    for path in entries(dir).unwrap_or_default().iter().filter(|path| is_one(path)) {
        if let Err(error) = remove(path) {
            tracing::warn!(%error, "a manifest that was never put in force stays");
        }
    }
}

/// The number in the name of a database.
pub(crate) fn generation(name: &str) -> Option<u32> {
    name.strip_prefix(DATABASE)?.parse().ok()
}

/// Puts the databases and the manifest of a data directory aside and returns where they went.
///
/// Besides [`crate::restore`] and [`crate::rebuild`] this is the only way in which an unreadable
/// store makes room for another. Exports and blob files stay, since both are checked when they are
/// read.
pub fn quarantine(dir: &Path) -> Result<PathBuf, OpenError> {
    let aside = make_quarantine(dir)?;
    copy_manifest(dir, &aside)?;
    // The manifest goes last: databases without one are refused and not overlooked.
    let mut victims = databases(dir).map_err(OpenError::io("looking through", dir))?;
    victims.push(dir.join(FILE));
    move_into(&aside, &victims)?;
    sync_dir(dir).map_err(OpenError::io("syncing", dir))?;
    Ok(aside)
}

/// Puts aside whatever is in the way of a new database and returns where it went, if there was
/// anything.
///
/// A copy of the manifest goes along, so that the old store can be put back. A database that is `new` stays.
pub(crate) fn put_aside(dir: &Path, new: Option<&Path>) -> Result<Option<PathBuf>, OpenError> {
    let mut old = databases(dir).map_err(OpenError::io("looking through", dir))?;
    let live = Manifest::read(dir).ok().flatten().map(|live| live.database_path(dir));
    // What somebody has put beside them is none of the store's.
    old.retain(|path| {
        Some(path.as_path()) != new && (live.as_ref() == Some(path) || folder::is_ours(path))
    });
    let path = dir.join(FILE);
    if old.is_empty() && !path.exists() {
        return Ok(None);
    }
    let aside = make_quarantine(dir)?;
    copy_manifest(dir, &aside)?;
    move_into(&aside, &old)?;
    sync_dir(dir).map_err(OpenError::io("syncing", dir))?;
    Ok(Some(aside))
}

fn copy_manifest(dir: &Path, aside: &Path) -> Result<(), OpenError> {
    let path = dir.join(FILE);
    match fs::copy(&path, aside.join(FILE)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(OpenError::io("copying", &path)(error))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Puts the live database back that a crash has left aside, before another was in force.
pub(crate) fn take_back(dir: &Path, live: &Manifest) -> Result<(), OpenError> {
    let path = live.database_path(dir);
    for aside in entries(dir).map_err(OpenError::io("looking through", dir))? {
        let name = aside.file_name().and_then(|name| name.to_str());
        let is_aside = name.is_some_and(|name| name.starts_with(QUARANTINE));
        let is_it = is_aside
            && live.file(&aside).is_file()
            && matches!(Manifest::read(&aside), Ok(Some(old)) if old.store_id == live.store_id);
        if is_it && !path.exists() {
            fs::rename(live.database_path(&aside), &path)
                .and_then(|()| sync_dir(dir))
                .and_then(|()| move_back(dir, &aside))
                .map_err(OpenError::io("putting back", &aside))?;
        }
    }
    Ok(())
}

/// Removes the folder of a store that was put aside and is back in place. What else was put aside with
/// it goes back, too, unless something stands there by now; then it stays.
pub(crate) fn move_back(dir: &Path, aside: &Path) -> io::Result<()> {
    for database in databases(aside)? {
        let place = dir.join(database.file_name().unwrap_or_default());
        if place.symlink_metadata().is_err() {
            fs::rename(&database, &place)?;
        }
    }
    sync_dir(dir)?;
    for archive in folder::archives(&aside.join(folder::ARCHIVES))? {
        let place = dir.join(folder::ARCHIVES).join(archive.file_name().unwrap_or_default());
        if place.symlink_metadata().is_err() {
            make_dir(&dir.join(folder::ARCHIVES))?;
            fs::rename(&archive, &place)?;
        }
    }
    dissolve(aside)
}

/// Removes the folder of a store that was put aside, without its databases; what others have put there
/// stays.
pub(crate) fn dissolve(aside: &Path) -> io::Result<()> {
    remove(&aside.join(FILE))?;
    for archive in folder::archives(&aside.join(folder::ARCHIVES))? {
        remove(&archive)?;
    }
    for folder in [aside.join(folder::ARCHIVES), aside.to_owned()] {
        match fs::remove_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                tracing::warn!(path = %folder.display(), "something of others is left there");
            }
            removed => removed?,
        }
    }
    aside.parent().map_or(Ok(()), sync_dir)
}

fn move_into(aside: &Path, victims: &[PathBuf]) -> Result<(), OpenError> {
    for victim in victims {
        let Some(name) = victim.file_name() else { continue };
        match fs::rename(victim, aside.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(OpenError::io("putting aside", victim)(error));
            }
            Ok(()) | Err(_) => {}
        }
    }
    sync_dir(aside).map_err(OpenError::io("syncing", aside))
}

fn make_quarantine(dir: &Path) -> Result<PathBuf, OpenError> {
    let taken = entries(dir)
        .map_err(OpenError::io("looking through", dir))?
        .iter()
        .filter_map(|path| {
            path.file_name()?.to_str()?.strip_prefix(QUARANTINE)?.parse::<u32>().ok()
        })
        .max()
        .unwrap_or(0);
    let aside = dir.join(format!("{QUARANTINE}{}", taken.saturating_add(1)));
    make_dir(&aside).map_err(OpenError::io("making", &aside))?;
    Ok(aside)
}
