//! Deletion (DECISIONS 7): of a whole session, which leaves a tombstone, or of some of its blobs.
//!
//! Rows go first, files after them. What a crash leaves in between is named by rows and unlinked at
//! the next start. The bytes of deleted rows stay in the database's file until the next compaction.

use std::path::Path;

use tracing::warn;
use vosim_protocol::ids::{EventId, Hash, SessionId};

use crate::archive::archives_in;
use crate::backend::Batch;
use crate::committer::Committer;
use crate::error::{OpenError, StoreError};
use crate::files::{remove, sweep_unfinished};
use crate::keys;
use crate::owner::Owner;
use crate::sealed::put;
use crate::store::Store;

impl Store {
    /// Erases a session: its log, its side logs, its archive, and the blobs that no other session
    /// refers to. Blocks.
    ///
    /// The id stays taken. The bytes leave the disk with the next [`Store::compact`].
    pub fn delete(&self, session: SessionId) -> Result<(), StoreError> {
        self.alone(move |committer| committer.delete(session))
    }

    /// Erases some of a session's blobs and leaves its log unchanged; a replay then says "code
    /// withheld". Blocks.
    ///
    /// A blob that another session refers to stays for that session. Erasing the spec blob is
    /// refused, since the log could not be read without it (DECISIONS 3).
    pub fn delete_blobs(&self, session: SessionId, hashes: Vec<Hash>) -> Result<(), StoreError> {
        self.alone(move |committer| committer.delete_blobs(session, &hashes))
    }

    /// Whether a session with this id has been deleted.
    pub fn is_deleted(&self, session: SessionId) -> Result<bool, StoreError> {
        Ok(self.data().backend().get(&keys::tombstone(session))?.is_some())
    }
}

impl Committer {
    fn delete(&mut self, session: SessionId) -> Result<(), StoreError> {
        if self.data.backend().get(&keys::tombstone(session))?.is_some() {
            return Err(StoreError::Deleted { session });
        }
        let events = self.data.keys(&keys::events_after(session, EventId::ZERO))?;
        let hashes = self.data.references(session)?;
        let known = self.data.backend().get(&keys::head(session))?.is_some();
        if !known && events.is_empty() && hashes.is_empty() {
            return Err(StoreError::Unknown { session });
        }
        let mut batch = Batch::default();
        events.into_iter().for_each(|key| batch.remove(key));
        self.erase_side_logs(&mut batch, Owner::Session(session))?;
        batch.remove(keys::head(session));
        batch.remove(keys::pruned(session));
        self.release(&mut batch, session, &hashes)?;
        put(&mut batch, keys::tombstone(session), &[]);
        put(&mut batch, keys::ERASED.to_vec(), &[]);
        self.forget(session);
        self.apply(batch)?;
        if let Some(path) = self.data.archive_path(session) {
            remove(&path).map_err(|error| StoreError::io("removing", &path, &error))?;
        }
        self.unlink_doomed()
    }

    fn delete_blobs(&mut self, session: SessionId, hashes: &[Hash]) -> Result<(), StoreError> {
        let head = self.data.head(session)?.ok_or(StoreError::Unknown { session })?;
        if hashes.contains(&head.spec) {
            return Err(StoreError::invalid("the spec of a session cannot be deleted on its own"));
        }
        let held = self.data.references(session)?;
        let mut hashes: Vec<Hash> =
            hashes.iter().copied().filter(|hash| held.contains(hash)).collect();
        hashes.sort_unstable();
        hashes.dedup();
        let mut batch = Batch::default();
        self.release(&mut batch, session, &hashes)?;
        if !batch.is_empty() {
            put(&mut batch, keys::ERASED.to_vec(), &[]);
            self.apply(batch)?;
        }
        self.unlink_doomed()
    }

    /// Removes a session's references to blobs, and marks for deletion each blob that no other
    /// session refers to.
    fn release(
        &self,
        batch: &mut Batch,
        session: SessionId,
        hashes: &[Hash],
    ) -> Result<(), StoreError> {
        for &hash in hashes {
            batch.remove(keys::reference(session, hash));
            batch.remove(keys::referrer(hash, session));
            if self.data.keys(&keys::referrers(hash))?.len() <= 1 {
                batch.remove(keys::blob(hash));
                put(batch, keys::doomed(hash), &[]);
            }
        }
        Ok(())
    }

    /// Unlinks the files of the blobs that are marked for deletion.
    fn unlink_doomed(&mut self) -> Result<(), StoreError> {
        let doomed = self.data.keys(&keys::all_doomed())?;
        let mut batch = Batch::default();
        for key in doomed {
            if let (Some(hash), Some(files)) = (keys::parse_hash(&key), &self.data.files) {
                // The same blob may have been stored again since.
                if self.data.backend().get(&keys::blob(hash))?.is_none() {
                    files.remove(hash)?;
                }
            }
            batch.remove(key);
        }
        if batch.is_empty() { Ok(()) } else { self.apply(batch) }
    }

    /// Finishes interrupted deletions and removes files that were being written during a crash.
    pub(crate) fn sweep(&mut self, dir: &Path) -> Result<(), OpenError> {
        let archives = archives_in(dir);
        sweep_unfinished(&archives).map_err(OpenError::io("sweeping", &archives))?;
        if let Some(files) = &self.data.files {
            files.sweep().map_err(OpenError::io("sweeping the blobs of", dir))?;
        }
        let swept = self.unlink_doomed().and_then(|()| {
            for key in self.data.keys(&keys::tombstones())? {
                let Some(session) = keys::parse_session(&key) else { continue };
                if let Some(path) = self.data.archive_path(session) {
                    remove(&path).map_err(|error| StoreError::io("removing", &path, &error))?;
                }
            }
            Ok(())
        });
        if let Err(error) = swept {
            // Opening the store matters more than finishing a deletion.
            warn!(%error, "an interrupted deletion could not be finished");
        }
        Ok(())
    }
}
