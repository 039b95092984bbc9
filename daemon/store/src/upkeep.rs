//! Maintenance: checking, measuring and compacting the store, and rebuilding heads.
//!
//! None of it changes a record. A compaction copies only values that are intact, and takes effect
//! as a whole or not at all.

use std::ops::ControlFlow;
use std::sync::Arc;

use vosim_protocol::ids::SessionId;
use vosim_protocol::record::{Head, LineHash};

use crate::archive::check;
use crate::backend::{Backend, Batch};
use crate::committer::Committer;
use crate::data::Data;
use crate::error::{OpenError, StoreError};
use crate::files::{bytes_on_disk, remove_tree};
use crate::keys;
use crate::manifest::{self, Manifest};
use crate::sealed::unseal;
use crate::store::Store;
use crate::write::Write;

/// About how many bytes a compaction copies in one commit.
const COPY_BYTES: usize = 1024 * 1024;

/// The result of checking a whole log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many events were read and checked.
    pub events: u64,
    /// The hash of the last record.
    pub last: LineHash,
    /// How many blobs were read and checked.
    pub blobs: u64,
}

/// How large the store is, and how much of it is live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// How many sessions have a head.
    pub sessions: u64,
    /// How many events are in the database.
    pub events: u64,
    /// How many blobs there are, in the database or as files.
    pub blobs: u64,
    /// The size of all keys and values.
    pub live_bytes: u64,
    /// How much the database takes up on disk; a compaction brings this close to `live_bytes`.
    pub database_bytes: u64,
    /// How much the data directory takes up: database, blob files, exports and what was put aside.
    pub disk_bytes: u64,
}

impl Store {
    /// Reads a whole session and checks its chain and its blobs.
    ///
    /// An edited log is [`StoreError::Chain`], a flipped bit is [`StoreError::Damaged`].
    pub fn verify(&self, session: SessionId) -> Result<Verified, StoreError> {
        let data = self.data();
        let lines = data.whole_log(session)?;
        let last = check(session, &lines)?;
        let hashes = data.references(session)?;
        hashes.iter().try_for_each(|&hash| data.blob(hash).map(drop))?;
        Ok(Verified { events: lines.len() as u64, last, blobs: hashes.len() as u64 })
    }

    /// Measures the store by reading all of it.
    pub fn stats(&self) -> Result<Stats, StoreError> {
        let data = self.data();
        let mut stats = Stats::default();
        let everything = keys::everything();
        data.backend().scan(&everything.start..&everything.end, &mut |key, value| {
            stats.live_bytes += (key.len() + value.len()) as u64;
            stats.events += u64::from(keys::parse_event(key).is_some());
            ControlFlow::Continue(())
        })?;
        stats.sessions = data.keys(&keys::heads())?.len() as u64;
        stats.blobs = data.keys(&keys::blobs())?.len() as u64;
        if let Some(dir) = &data.dir {
            let failed = |error| StoreError::io("measuring", dir, &error);
            let databases = manifest::databases(dir).map_err(failed)?;
            for database in databases {
                stats.database_bytes += bytes_on_disk(&database).map_err(failed)?;
            }
            stats.disk_bytes = bytes_on_disk(dir).map_err(failed)?;
        }
        Ok(stats)
    }

    /// Rewrites the database so that it holds live values and nothing else; blocks.
    ///
    /// Every value is checked on the way; a damaged one is an error and leaves everything
    /// unchanged. The new database takes effect by one rename, so a crash leaves either the old one
    /// or the new one. Other writes wait meanwhile. The new database is of the kind named in the
    /// options.
    pub fn compact(&self) -> Result<(), StoreError> {
        self.alone(Committer::compact)
    }

    /// Rebuilds damaged or missing heads from the log and returns how many there were.
    ///
    /// `fold` is the engine's and turns the lines of one session into its head.
    pub fn rebuild_heads(
        &self,
        mut fold: impl FnMut(SessionId, &[Vec<u8>]) -> Option<Head>,
    ) -> Result<usize, StoreError> {
        let data = self.data();
        let mut broken = data.heads()?.damaged;
        for session in data.sessions_with_events()? {
            let missing = data.backend().get(&keys::head(session))?.is_none();
            if missing && !broken.contains(&session) {
                broken.push(session);
            }
        }
        let mut rebuilt = 0;
        for session in broken {
            let lines = data.whole_log(session)?;
            let Some(head) = fold(session, &lines) else { continue };
            self.write_blocking(Write::Head(head))?;
            rebuilt += 1;
        }
        Ok(rebuilt)
    }
}

impl Committer {
    fn compact(&mut self) -> Result<(), StoreError> {
        self.writable()?;
        let data = Arc::clone(&self.data);
        let Some(dir) = data.dir.as_deref() else { return Ok(()) };
        let failed = |error| StoreError::io("compacting", dir, &error);
        let opened = |error: OpenError| StoreError::Io {
            doing: "making a new database".to_owned(),
            reason: error.to_string().into(),
        };
        let old = Manifest::read(dir).map_err(opened)?;
        let old = old.ok_or_else(|| StoreError::damaged("store.json", "it is missing"))?;
        let new = Manifest {
            database: manifest::next_database(dir).map_err(failed)?,
            backend: data.options.backend,
            ..old.clone()
        };
        let copied = manifest::create(dir, &new, &data.options)
            .map_err(opened)
            .and_then(|(backend, _)| copy(&data, &*backend).map(|()| backend))
            .and_then(|backend| {
                let (path, file) = (new.database_path(dir), new.backend.file());
                let mut tally = self.tally.move_to(&path, file).map_err(failed)?;
                // The count comes last, so that it witnesses all that was copied.
                let mut count = Batch::default();
                tally.count(&mut count);
                backend.commit(count)?;
                tally.committed();
                tally.sync().map_err(failed)?;
                Ok((backend, tally))
            });
        let (backend, tally) = match copied {
            Ok(copied) => copied,
            Err(error) => {
                // The first error is the one to report; the next start sweeps what is left.
                drop(remove_tree(&new.database_path(dir)));
                return Err(error);
            }
        };
        // If this fails, it is unknown which of the two the next start will open. An event written
        // to either could be lost, so no more are written.
        new.write(dir).map_err(|error| self.stop_writing(error.to_string()))?;
        self.tally = tally;
        drop(data.exchange(backend));
        remove_tree(&old.database_path(dir)).map_err(failed)?;
        self.remove_orphans()
    }

    /// Removes blob files that no row names: their batch was refused after they had been written.
    fn remove_orphans(&self) -> Result<(), StoreError> {
        let Some(files) = &self.data.files else { return Ok(()) };
        let backend = self.data.backend();
        let all = files.list().map_err(|error| StoreError::Io {
            doing: "looking through the blob files".to_owned(),
            reason: error.to_string().into(),
        })?;
        for hash in all {
            if backend.get(&keys::blob(hash))?.is_none() {
                files.remove(hash)?;
            }
        }
        Ok(())
    }
}

/// Copies every value; a damaged one is an error.
fn copy(data: &Data, to: &dyn Backend) -> Result<(), StoreError> {
    let mut batch = Batch::default();
    let mut fault = None;
    let flush = |batch: &mut Batch, fault: &mut Option<StoreError>| {
        if let Err(error) = to.commit(std::mem::take(batch)) {
            *fault = Some(StoreError::Io {
                doing: "writing the new database".to_owned(),
                reason: error.to_string().into(),
            });
        }
    };
    let everything = keys::everything();
    data.backend().scan(&everything.start..&everything.end, &mut |key, value| {
        if let Err(why) = unseal(key, value) {
            fault = Some(StoreError::unsealed(keys::describe(key), &why));
        } else if key != keys::COMMITS {
            batch.put(key.to_vec(), value.to_vec());
            if batch.bytes() >= COPY_BYTES {
                flush(&mut batch, &mut fault);
            }
        }
        if fault.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if fault.is_none() && !batch.is_empty() {
        flush(&mut batch, &mut fault);
    }
    fault.map_or(Ok(()), Err)
}
