//! Compaction: a new database with the live values alone takes the place of the old one.
//!
//! sled gives no room back, and the bytes of deleted rows stay in a database's file, so this is also
//! how erased bytes leave the disk. The copying goes on beside the committer, in small steps with
//! pauses; what commits change meanwhile is noted and copied again. Only the last few rows and the
//! exchange hold up other writes. The exchange is one rename, so a crash leaves either database.

use std::collections::BTreeSet;
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use vosim_protocol::ids::Hash;

use crate::backend::{Backend, Batch};
use crate::committer::Committer;
use crate::data::Data;
use crate::error::{OpenError, StoreError};
use crate::files::Ready;
use crate::folder;
use crate::keys;
use crate::manifest::{self, Manifest};
use crate::sealed::unseal;
use crate::store::Store;
use crate::tally::Tally;

/// About how many bytes are copied, or synced, at a time.
pub(crate) const STEP_BYTES: usize = 64 * 1024;
/// The longest pause between two steps; a pause is as long as the step before it.
const PAUSE_MAX: Duration = Duration::from_millis(50);
/// With so few changed rows the exchange is made, after at most so many rounds.
const LAST_ROWS: usize = 64;
const ROUNDS_MAX: usize = 32;
/// How many files that no row names are removed while other writes wait.
const ORPHANS_AT_ONCE: usize = 8;

impl Store {
    /// Rewrites the database so that it holds live values and nothing else; blocks.
    ///
    /// Every value is checked on the way; a damaged one is an error and leaves everything
    /// unchanged. Other writes go on meanwhile, apart from a moment at the end. The new database is
    /// of the kind named in the options.
    pub fn compact(&self) -> Result<(), StoreError> {
        let data = Arc::clone(self.data());
        let Some(dir) = data.dir.as_deref() else { return self.alone(|_| Ok(())) };
        let _one_at_a_time = data.compacting.lock().unwrap_or_else(PoisonError::into_inner);
        let old = self.alone(Committer::begin_to_note)?;
        let new = Manifest {
            database: manifest::next_database(dir).map_err(failed(dir))?,
            backend: data.options.backend,
            ..old.clone()
        };
        let exchanged = self.copy_beside(&data, dir, &new);
        if exchanged.is_err() {
            // The first error is the one to report; the next start sweeps what is left.
            drop(self.alone(|committer| {
                committer.noted = None;
                Ok(())
            }));
            if Manifest::read(dir)
                .is_ok_and(|live| live.is_some_and(|it| it.database != new.database))
            {
                drop(folder::remove(&new.database_path(dir)));
            }
        }
        drop(exchanged?);
        let left = old.database_path(dir);
        folder::remove(&left).map_err(opened)?;
        self.remove_orphans(&data, dir)
    }

    /// Whether something has been erased whose bytes are still in the database's file.
    pub fn has_erased_bytes(&self) -> Result<bool, StoreError> {
        Ok(self.data().backend().get(keys::ERASED)?.is_some())
    }

    /// Copies the database, has it exchanged and returns the old one.
    fn copy_beside(
        &self,
        data: &Arc<Data>,
        dir: &Path,
        new: &Manifest,
    ) -> Result<Arc<dyn Backend>, StoreError> {
        let (backend, tally) = manifest::create(dir, new, None, &data.options).map_err(opened)?;
        copy(data, &*backend)?;
        for _ in 0..ROUNDS_MAX {
            let changed = self.alone(|committer| Ok(committer.take_noted()))?;
            let few = changed.len() <= LAST_ROWS;
            copy_again(data, &*backend, changed)?;
            if few {
                break;
            }
        }
        let copied = Copied { backend, tally, manifest: new.prepare(dir).map_err(failed(dir))? };
        let old = self.alone(move |committer| committer.exchange(copied))?;
        self.alone(Committer::sync_tally)?;
        Ok(old)
    }

    /// Removes blob files that no row names: their batch was refused after they had been written.
    fn remove_orphans(&self, data: &Data, dir: &Path) -> Result<(), StoreError> {
        let Some(files) = &data.files else { return Ok(()) };
        let backend = data.backend();
        let mut orphans = Vec::new();
        for hash in files.list().map_err(failed(dir))? {
            if backend.get(&keys::blob(hash))?.is_none() {
                orphans.push(hash);
            }
        }
        for some in orphans.chunks(ORPHANS_AT_ONCE) {
            let some = some.to_vec();
            self.alone(move |committer| committer.remove_nameless(&some))?;
        }
        Ok(())
    }
}

/// A copy of the database that lacks the last few changes alone, with all that can be made ready.
struct Copied {
    backend: Arc<dyn Backend>,
    tally: Tally,
    /// The manifest that names it.
    manifest: Ready,
}

impl Committer {
    /// Begins to note which rows are changed, and returns the manifest in force.
    fn begin_to_note(&mut self) -> Result<Manifest, StoreError> {
        self.writable()?;
        let dir = self.data.dir.clone().unwrap_or_default();
        let live = Manifest::read(&dir).map_err(opened)?;
        let live = live.ok_or_else(|| StoreError::damaged("store.json", "it is missing"))?;
        self.noted = Some(BTreeSet::new());
        Ok(live)
    }

    fn take_noted(&mut self) -> BTreeSet<Vec<u8>> {
        self.noted.as_mut().map(mem::take).unwrap_or_default()
    }

    /// Copies the last changes and puts the new database in force; returns the old one.
    ///
    /// All others wait meanwhile, so there are two syncs: of the changes, and of the manifest's name.
    fn exchange(&mut self, copied: Copied) -> Result<Arc<dyn Backend>, StoreError> {
        self.writable()?;
        let Copied { backend, mut tally, manifest } = copied;
        let changed = self.take_noted();
        let mut batch = changes(&self.data, changed)?;
        tally.go_on_from(&self.tally);
        // The count comes with the last of what was copied, so that it witnesses all of it.
        tally.count(&mut batch);
        write(&*backend, batch)?;
        tally.committed();
        // If this fails, it is unknown which of the two the next start will open. An event written
        // to either could be lost, so no more are written.
        manifest.replace().map_err(|error| self.stop_writing(error.to_string()))?;
        self.noted = None;
        self.tally = tally;
        Ok(self.data.exchange(backend))
    }

    fn sync_tally(&mut self) -> Result<(), StoreError> {
        self.tally.sync().map_err(|error| StoreError::Io {
            doing: "counting the commits".to_owned(),
            reason: vosim_protocol::trouble::cause(&error).into(),
        })
    }

    fn remove_nameless(&mut self, hashes: &[Hash]) -> Result<(), StoreError> {
        let Some(files) = &self.data.files else { return Ok(()) };
        if self.snapshot.is_some() {
            // A row of the snapshot may name it; the next compaction removes it.
            return Ok(());
        }
        for &hash in hashes {
            // A write may have named it meanwhile.
            if self.data.backend().get(&keys::blob(hash))?.is_none() {
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
    let everything = keys::everything();
    data.backend().scan(&everything.start..&everything.end, &mut |key, value| {
        if data.closing.load(Ordering::Relaxed) {
            fault = Some(StoreError::Closed);
        } else if let Err(why) = unseal(key, value) {
            fault = Some(StoreError::unsealed(keys::describe(key), &why));
        } else if key != keys::COMMITS && key != keys::ERASED {
            batch.put(key.to_vec(), value.to_vec());
            if batch.bytes() >= STEP_BYTES {
                fault = step(to, mem::take(&mut batch)).err();
            }
        }
        if fault.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    match fault {
        Some(fault) => Err(fault),
        None => step(to, batch),
    }
}

/// Copies rows that have changed since they were copied.
fn copy_again(data: &Data, to: &dyn Backend, changed: BTreeSet<Vec<u8>>) -> Result<(), StoreError> {
    write(to, changes(data, changed)?)
}

/// What makes rows of a copy what they are now.
fn changes(data: &Data, changed: BTreeSet<Vec<u8>>) -> Result<Batch, StoreError> {
    let from = data.backend();
    let mut batch = Batch::default();
    for key in changed.into_iter().filter(|key| **key != *keys::COMMITS) {
        match from.get(&key)? {
            None => batch.remove(key),
            Some(value) => match unseal(&key, &value) {
                Ok(_) => batch.put(key, value),
                Err(why) => return Err(StoreError::unsealed(keys::describe(&key), &why)),
            },
        }
    }
    Ok(batch)
}

/// Writes a part of the new database, and leaves the disk to others for as long as that took.
fn step(to: &dyn Backend, batch: Batch) -> Result<(), StoreError> {
    let begun = Instant::now();
    write(to, batch)?;
    leave_to_others(begun);
    Ok(())
}

/// Leaves the disk to others for as long as a step has taken.
pub(crate) fn leave_to_others(begun: Instant) {
    thread::park_timeout(begun.elapsed().min(PAUSE_MAX));
}

fn write(to: &dyn Backend, batch: Batch) -> Result<(), StoreError> {
    if batch.is_empty() {
        return Ok(());
    }
    to.commit(batch).map_err(|error| StoreError::Io {
        doing: "writing the new database".to_owned(),
        reason: error.to_string().into(),
    })
}

fn failed(dir: &Path) -> impl FnOnce(std::io::Error) -> StoreError {
    let dir = dir.to_owned();
    move |error| StoreError::io("compacting", &dir, &error)
}

fn opened(error: OpenError) -> StoreError {
    StoreError::Io { doing: "making a new database".to_owned(), reason: error.to_string().into() }
}
