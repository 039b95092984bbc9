//! [`NewStore`]: a database that is being filled beside the existing one, by a restore, a rebuild or
//! a rescue, and takes its place by one rename.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uuid::Uuid;
use vosim_protocol::ids::StoreId;

use crate::archive::{adopt_archives, link_archives};
use crate::backend::{Backend, Batch};
use crate::error::{OpenError, StoreError};
use crate::files::make_dir;
use crate::folder;
use crate::keys::KeyRange;
use crate::manifest::{self, Manifest, STORE_FORMAT};
use crate::options::Options;
use crate::tally::Tally;

/// About how many bytes are written in one commit.
pub(crate) const FILL_BYTES: usize = 1024 * 1024;

/// A database with an identity of its own that is being filled.
pub(crate) struct NewStore<'a> {
    dir: &'a Path,
    manifest: Manifest,
    backend: Arc<dyn Backend>,
    tally: Tally,
}

impl<'a> NewStore<'a> {
    pub(crate) fn begin(dir: &'a Path, options: &Options) -> Result<Self, OpenError> {
        make_dir(dir).map_err(OpenError::io("making", dir))?;
        let manifest = Manifest {
            format: STORE_FORMAT,
            backend: options.backend,
            store_id: StoreId(Uuid::new_v4()),
            database: manifest::next_database(dir)
                .map_err(OpenError::io("looking through", dir))?,
            complete: true,
        };
        let live = Manifest::read(dir).ok().flatten().map(|live| live.store_id);
        let (backend, tally) =
            manifest::create(dir, &manifest, live, options).inspect_err(|_| {
                // The error is the one to report; the next start sweeps what is left.
                drop(folder::remove(&manifest.database_path(dir)));
            })?;
        Ok(Self { dir, manifest, backend, tally })
    }

    /// Writes what has been gathered once there is enough of it.
    pub(crate) fn fill_up(&mut self, batch: &mut Batch) -> Result<(), OpenError> {
        if batch.bytes() < FILL_BYTES { Ok(()) } else { self.fill(batch) }
    }

    pub(crate) fn fill(&mut self, batch: &mut Batch) -> Result<(), OpenError> {
        let mut batch = std::mem::take(batch);
        if batch.is_empty() {
            return Ok(());
        }
        self.tally.count(&mut batch);
        self.backend.commit(batch).map_err(StoreError::from)?;
        self.tally.committed();
        Ok(())
    }

    /// The folder of the database.
    pub(crate) fn path(&self) -> PathBuf {
        self.manifest.database_path(self.dir)
    }

    /// The rows that are in it so far.
    pub(crate) fn rows(&self) -> &dyn Backend {
        &*self.backend
    }

    pub(crate) fn keys(&self, range: &KeyRange) -> Result<Vec<Vec<u8>>, OpenError> {
        let mut keys = Vec::new();
        let scanned = self.backend.scan(&range.start..&range.end, &mut |key, _| {
            keys.push(key.to_vec());
            ControlFlow::Continue(())
        });
        scanned.map_err(StoreError::from)?;
        Ok(keys)
    }

    /// Removes the database, which is of no use.
    pub(crate) fn give_up(self) {
        let path = self.path();
        drop(self.backend);
        // The first error is the one to report; the next start sweeps what is left.
        drop(folder::remove(&path));
    }

    /// Makes this database the live one, with the archives that came with it, and puts aside what was
    /// there before.
    pub(crate) fn put_in_force(self) -> Result<(StoreId, Option<PathBuf>), OpenError> {
        let Self { dir, manifest, backend, tally } = self;
        tally.sync().map_err(OpenError::io("counting the commits of", dir))?;
        drop(backend);
        // The old ones go first: after a crash between the two steps a start puts them back.
        let aside = manifest::put_aside(dir, Some(&manifest.database_path(dir)))?;
        if let Some(aside) = &aside {
            link_archives(dir, aside).map_err(OpenError::io("copying the archives of", dir))?;
        }
        manifest.write(dir).map_err(OpenError::io("writing the manifest of", dir))?;
        adopt_archives(dir, &manifest.database_path(dir))
            .map_err(OpenError::io("putting the archives in place of", dir))?;
        Ok((manifest.store_id, aside))
    }
}
