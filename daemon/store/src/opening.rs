//! Opens the live database of a data directory, or creates the first one.
//!
//! Whatever can lead to a refusal is looked at before a database may write, and nothing is swept or
//! removed before it is open.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tracing::warn;
use uuid::Uuid;
use vosim_protocol::ids::StoreId;

use crate::archive::{adopt_archives, archives_in};
use crate::backend::Backend;
use crate::blobs::BlobFiles;
use crate::doubt;
use crate::error::OpenError;
use crate::files::make_dir;
use crate::folder::{self, check_folder};
use crate::manifest::{self, Manifest, STORE_FORMAT, databases};
use crate::options::Options;
use crate::tally::{Tally, counted};

/// A database that is ready for use.
pub(crate) struct Opened {
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) store_id: StoreId,
    pub(crate) tally: Tally,
}

/// Opens the live database of a data directory, or creates the first one.
pub(crate) fn open(dir: &Path, options: &Options) -> Result<Opened, OpenError> {
    make_dir(dir).map_err(OpenError::io("making", dir))?;
    let manifest = match Manifest::read(dir)? {
        Some(manifest) if manifest.complete => return open_existing(dir, &manifest, options),
        Some(manifest) => manifest,
        None if databases(dir).map_err(OpenError::io("looking through", dir))?.is_empty() => {
            begin(dir, options)?
        }
        None => return Err(OpenError::unreadable(dir, "store.json is missing")),
    };
    check_places(dir, &manifest)?;
    // Nothing has been acknowledged yet, so what an interrupted first start has left is worthless.
    folder::remove(&manifest.database_path(dir))?;
    let (backend, tally) = manifest::create(dir, &manifest, None, options)?;
    let manifest = Manifest { complete: true, ..manifest };
    manifest.write(dir).map_err(OpenError::io("writing the manifest of", dir))?;
    Ok(Opened { backend, store_id: manifest.store_id, tally })
}

fn begin(dir: &Path, options: &Options) -> Result<Manifest, OpenError> {
    // Its manifest would name a store that this program can never open, whatever the settings say later.
    #[cfg(not(feature = "store-redb"))]
    if options.backend == crate::options::BackendKind::Redb {
        return Err(manifest::no_backend(dir, options.backend, options));
    }
    let manifest = Manifest {
        format: STORE_FORMAT,
        backend: options.backend,
        store_id: StoreId(Uuid::new_v4()),
        database: manifest::next_database(dir).map_err(OpenError::io("looking through", dir))?,
        complete: false,
    };
    manifest.write(dir).map_err(OpenError::io("writing the manifest of", dir))?;
    Ok(manifest)
}

fn open_existing(dir: &Path, live: &Manifest, options: &Options) -> Result<Opened, OpenError> {
    check_places(dir, live)?;
    let file = live.file(dir);
    if !is_there(&file)? {
        manifest::take_back(dir, live)?;
    }
    // A database that is asked to open a missing file would create an empty one.
    if !is_there(&file)? {
        return Err(OpenError::unreadable(dir, format_args!("{} is missing", file.display())));
    }
    let manifest = doubt::settle(dir, live, options)?;
    let path = manifest.database_path(dir);
    let backend = manifest::open_backend(dir, manifest.backend, &path, options)?;
    manifest.check_belongs(dir, &*backend)?;
    let commits = counted(&*backend).map_err(|error| OpenError::unreadable(dir, error))?;
    let (store_id, file) = (manifest.store_id, manifest.backend.file());
    let tally = Tally::resume(&path, file, store_id, commits)
        .map_err(OpenError::io("counting the commits of", dir))?;
    adopt_archives(dir, &path).map_err(OpenError::io("putting the archives in place of", dir))?;
    sweep_databases(dir, &manifest)?;
    Ok(Opened { backend, store_id, tally })
}

/// Whether the file of a database is there. What keeps this process from seeing it is no damage: nothing
/// is lost, and a backup in its place would help nobody.
fn is_there(file: &Path) -> Result<bool, OpenError> {
    match file.metadata() {
        Ok(found) => Ok(found.is_file()),
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(false)
        }
        Err(error) => Err(OpenError::io("looking at", file)(error)),
    }
}

/// Checks that what the database and the store need as a folder or a file is nothing else: to find that
/// later would mean to refuse after something was changed.
fn check_places(dir: &Path, live: &Manifest) -> Result<(), OpenError> {
    check_folder(&archives_in(dir))?;
    let database = live.database_path(dir);
    if database.symlink_metadata().is_ok() {
        folder::check(&database, live.backend)?;
    }
    BlobFiles::in_dir(dir).check_places()
}

/// Removes what an interrupted compaction or restore has left beside the live database. Opening the
/// store matters more than room.
fn sweep_databases(dir: &Path, live: &Manifest) -> Result<(), OpenError> {
    let current = live.database_path(dir);
    manifest::sweep(dir);
    for path in databases(dir).map_err(OpenError::io("looking through", dir))? {
        if path == current {
            continue;
        }
        if folder::is_of(&path, live.store_id) {
            let removed = folder::remove(&path);
            removed.unwrap_or_else(|error| warn!(%error, "an old database stays"));
        } else {
            warn!(path = %path.display(), "it is not of this store's making and stays");
        }
    }
    Ok(())
}
