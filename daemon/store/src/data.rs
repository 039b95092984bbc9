//! [`Data`]: what readers and the committer share, which is the database in use and the blob files.
//!
//! Only the committer changes what is stored; nothing here writes a row.

use std::collections::HashMap;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use nix::sys::statvfs::{FsFlags, statvfs};
use vosim_protocol::ids::{EventId, SessionId, StoreId};
use vosim_protocol::trouble::cause;

use crate::backend::Backend;
use crate::blobs::BlobFiles;
use crate::error::StoreError;
use crate::options::Options;

/// How many bytes on disk one byte may cost before the next compaction; sled takes up to four.
const BYTES_ON_DISK_PER_BYTE: u64 = 4;

/// The database in use, the blob files, and the commit that is under way.
pub(crate) struct Data {
    pub(crate) dir: Option<PathBuf>,
    /// Which directory was opened.
    opened: Option<FileId>,
    pub(crate) files: Option<BlobFiles>,
    pub(crate) store_id: StoreId,
    pub(crate) options: Options,
    pub(crate) queued_bytes: AtomicUsize,
    /// Set once the store is being closed, so that long work ends.
    pub(crate) closing: AtomicBool,
    /// Held while the database is being compacted.
    pub(crate) compacting: Mutex<()>,
    /// Held while the store is being backed up.
    pub(crate) backing_up: Mutex<()>,
    backend: RwLock<Arc<dyn Backend>>,
    unsettled: Mutex<HashMap<SessionId, Before>>,
}

/// A session as it was before the commit under way: what readers see until that is durable.
#[derive(Debug)]
pub(crate) struct Before {
    pub(crate) cursor: EventId,
    /// The sealed head, if the session had one.
    pub(crate) head: Option<Vec<u8>>,
}

/// A file's device and number, by which it is known whatever its name.
type FileId = (u64, u64);

fn file_id(path: &Path) -> io::Result<FileId> {
    path.metadata().map(|meta| (meta.dev(), meta.ino()))
}

fn away(dir: &Path, reason: String) -> StoreError {
    StoreError::Away { path: dir.to_owned(), reason: reason.into() }
}

impl Data {
    pub(crate) fn new(
        dir: Option<&Path>,
        backend: Arc<dyn Backend>,
        store_id: StoreId,
        options: Options,
    ) -> Self {
        Self {
            dir: dir.map(Path::to_owned),
            opened: dir.and_then(|dir| file_id(dir).ok()),
            files: dir.map(BlobFiles::in_dir),
            store_id,
            options,
            queued_bytes: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
            compacting: Mutex::new(()),
            backing_up: Mutex::new(()),
            backend: RwLock::new(backend),
            unsettled: Mutex::new(HashMap::new()),
        }
    }

    /// Returns the database that is in use now.
    pub(crate) fn backend(&self) -> Arc<dyn Backend> {
        Arc::clone(&self.backend.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the database in use by a compacted one and returns the old one, which running reads
    /// go on using.
    pub(crate) fn exchange(&self, backend: Arc<dyn Backend>) -> Arc<dyn Backend> {
        let mut in_use = self.backend.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *in_use, backend)
    }

    /// The sessions to which the commit under way adds events.
    pub(crate) fn unsettled(&self) -> MutexGuard<'_, HashMap<SessionId, Before>> {
        self.unsettled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an error while the directory that was opened is not in its place.
    pub(crate) fn check_there(&self) -> Result<(), StoreError> {
        let Some(dir) = &self.dir else { return Ok(()) };
        let found = file_id(dir).map_err(|error| away(dir, cause(&error)))?;
        if self.opened.is_some_and(|opened| opened != found) {
            return Err(away(dir, "another folder is in its place".to_owned()));
        }
        Ok(())
    }

    /// Returns an error while the directory is not there, since the database would go on writing
    /// into files that nobody finds again, and while the disk takes no writes or is so full that one
    /// of this size could fail half-way.
    pub(crate) fn check_room(&self, bytes: u64) -> Result<(), StoreError> {
        let Some(dir) = &self.dir else { return Ok(()) };
        self.check_there()?;
        let stat = statvfs(dir).map_err(|errno| away(dir, cause(&errno.into())))?;
        if stat.flags().contains(FsFlags::ST_RDONLY) {
            let error = io::ErrorKind::ReadOnlyFilesystem.into();
            return Err(StoreError::io("writing to", dir, &error));
        }
        let free_bytes = stat.blocks_available() * stat.fragment_size();
        let needed_bytes = self.options.reserve_bytes + bytes * BYTES_ON_DISK_PER_BYTE;
        if self.options.reserve_bytes > 0 && free_bytes < needed_bytes {
            return Err(StoreError::DiskFull { path: dir.clone(), free_bytes, needed_bytes });
        }
        Ok(())
    }
}
