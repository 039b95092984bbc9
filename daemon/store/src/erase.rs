//! Deletion (DECISIONS 7): of a whole session, which leaves a tombstone, or of some of its blobs.
//!
//! A session is gone with its tombstone, which is written first; what belonged to it is erased in
//! small steps, between which other writes go on. Rows go first, files after them. What a crash
//! leaves of this is finished at the next start. The bytes of deleted rows stay in the database's
//! file until the next compaction.

use std::ops::ControlFlow;
use std::path::Path;

use tracing::warn;
use vosim_protocol::ids::{EventId, Hash, SessionId};

use crate::archive::archives_in;
use crate::backend::Batch;
use crate::committer::Committer;
use crate::data::Data;
use crate::error::StoreError;
use crate::files::{remove, sweep_unfinished};
use crate::keys;
use crate::owner::Owner;
use crate::sealed::{put, unseal};
use crate::store::Store;

/// How many rows are erased in one commit.
const ROWS_AT_ONCE: usize = 64;
/// How many files are removed while other writes wait.
const FILES_AT_ONCE: usize = 8;
/// What a tombstone says while something of its session is still to be erased.
const UNDER_WAY: &[u8] = b"under way";

impl Store {
    /// Erases a session: its log, its side logs, its archive, and the blobs that no other session
    /// refers to. Blocks.
    ///
    /// The id stays taken. The bytes leave the disk with the next [`Store::compact`].
    pub fn delete(&self, session: SessionId) -> Result<(), StoreError> {
        self.alone(move |committer| committer.bury(session))?;
        while self.alone(move |committer| committer.erase_some(session))? {}
        self.unlink_doomed()
    }

    /// Erases some of a session's blobs and leaves its log unchanged; a replay then says "code
    /// withheld". Blocks. What a crash leaves of them is erased by the same call again.
    ///
    /// A blob that another session refers to stays for that session. Erasing the spec blob is
    /// refused, since the log could not be read without it (DECISIONS 3).
    pub fn delete_blobs(&self, session: SessionId, hashes: Vec<Hash>) -> Result<(), StoreError> {
        let head = self.data().head(session)?.ok_or(StoreError::Unknown { session })?;
        if hashes.contains(&head.spec) {
            return Err(StoreError::invalid("the spec of a session cannot be deleted on its own"));
        }
        for some in hashes.chunks(ROWS_AT_ONCE) {
            let some = some.to_vec();
            self.alone(move |committer| committer.delete_blobs(session, some))?;
        }
        self.unlink_doomed()
    }

    /// Finishes the deletions that were begun while a snapshot was read.
    pub(crate) fn finish_deletions(&self) -> Result<(), StoreError> {
        for (session, is_done) in self.data().buried()? {
            while !is_done && self.alone(move |committer| committer.erase_some(session))? {}
        }
        self.unlink_doomed()
    }

    /// Unlinks the files of the blobs that are marked for deletion.
    fn unlink_doomed(&self) -> Result<(), StoreError> {
        while self.alone(Committer::unlink_some)? {}
        Ok(())
    }

    /// Whether a session with this id has been deleted.
    pub fn is_deleted(&self, session: SessionId) -> Result<bool, StoreError> {
        Ok(self.data().backend().get(&keys::tombstone(session))?.is_some())
    }
}

impl Committer {
    /// Takes a session out of sight for good.
    fn bury(&mut self, session: SessionId) -> Result<(), StoreError> {
        let backend = self.data.backend();
        if backend.get(&keys::tombstone(session))?.is_some() {
            return Err(StoreError::Deleted { session });
        }
        let known = backend.get(&keys::head(session))?.is_some()
            || self.last_events(session)?.next().is_some()
            || !self.data.first_keys(&keys::references(session), 1)?.is_empty();
        if !known {
            return Err(StoreError::Unknown { session });
        }
        let mut batch = Batch::default();
        batch.remove(keys::head(session));
        batch.remove(keys::pruned(session));
        put(&mut batch, keys::tombstone(session), UNDER_WAY);
        put(&mut batch, keys::ERASED.to_vec(), &[]);
        self.forget(session);
        self.apply(batch)
    }

    /// Erases a part of a session that has been buried, and returns whether anything was left.
    fn erase_some(&mut self, session: SessionId) -> Result<bool, StoreError> {
        // From the end, so that a log that is left for now has no gap.
        let mut rows: Vec<_> = self.last_events(session)?.collect();
        for range in keys::side_logs(Owner::Session(session)) {
            rows.extend(self.data.first_keys(&range, ROWS_AT_ONCE - rows.len())?);
        }
        let mut batch = Batch::default();
        rows.into_iter().for_each(|key| batch.remove(key));
        if batch.is_empty() {
            let references = self.data.first_keys(&keys::references(session), ROWS_AT_ONCE)?;
            let hashes: Vec<_> =
                references.iter().filter_map(|key| keys::parse_hash(key)).collect();
            self.release(&mut batch, session, &hashes)?;
        }
        let is_left = !batch.is_empty();
        if is_left {
            put(&mut batch, keys::ERASED.to_vec(), &[]);
        } else if self.snapshot.is_some() {
            // Whoever reads it finishes this.
            return Ok(false);
        } else {
            if let Some(path) = self.data.archive_path(session) {
                remove(&path).map_err(|error| StoreError::io("removing", &path, &error))?;
            }
            put(&mut batch, keys::tombstone(session), &[]);
        }
        self.apply(batch)?;
        Ok(is_left)
    }

    /// The keys of a session's last events.
    fn last_events(
        &self,
        session: SessionId,
    ) -> Result<impl Iterator<Item = Vec<u8>> + use<>, StoreError> {
        let range = keys::events_after(session, EventId::ZERO);
        let last = self.data.backend().last_key(&range.start..&range.end)?;
        let last = last.and_then(|key| keys::parse_event(&key)).map_or(0, |(_, EventId(id))| id);
        let first = last.saturating_sub(ROWS_AT_ONCE as u64) + 1;
        Ok((first..=last).map(move |id| keys::event(session, EventId(id))))
    }

    fn delete_blobs(
        &mut self,
        session: SessionId,
        mut hashes: Vec<Hash>,
    ) -> Result<(), StoreError> {
        let held = self.data.references(session)?;
        hashes.retain(|hash| held.contains(hash));
        hashes.sort_unstable();
        hashes.dedup();
        let mut batch = Batch::default();
        self.release(&mut batch, session, &hashes)?;
        if batch.is_empty() {
            return Ok(());
        }
        put(&mut batch, keys::ERASED.to_vec(), &[]);
        self.apply(batch)
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
            if self.data.first_keys(&keys::referrers(hash), 2)?.len() <= 1 {
                batch.remove(keys::blob(hash));
                put(batch, keys::doomed(hash), &[]);
            }
        }
        Ok(())
    }

    /// Unlinks some files of blobs that are marked for deletion, and returns whether there were any.
    fn unlink_some(&mut self) -> Result<bool, StoreError> {
        if self.snapshot.is_some() {
            return Ok(false);
        }
        let doomed = self.data.first_keys(&keys::all_doomed(), FILES_AT_ONCE)?;
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
        let is_some = !batch.is_empty();
        self.apply(batch)?;
        Ok(is_some)
    }

    /// Finishes interrupted deletions and removes files that were being written during a crash.
    ///
    /// Opening the store matters more, so what cannot be removed waits for the next start.
    pub(crate) fn sweep(&mut self, dir: &Path) {
        let mut swept = sweep_unfinished(&archives_in(dir));
        if let Some(files) = &self.data.files {
            swept = swept.and(files.sweep());
        }
        if let Err(error) = swept {
            warn!(%error, "what an interrupted write has left could not be removed");
        }
        if let Err(error) = self.finish_deletions() {
            warn!(%error, "an interrupted deletion could not be finished");
        }
    }

    fn finish_deletions(&mut self) -> Result<(), StoreError> {
        for (session, is_done) in self.data.buried()? {
            if let Some(path) = self.data.archive_path(session) {
                remove(&path).map_err(|error| StoreError::io("removing", &path, &error))?;
            }
            while !is_done && self.erase_some(session)? {}
        }
        while self.unlink_some()? {}
        Ok(())
    }
}

impl Data {
    /// Lists the sessions that have been deleted, and whether nothing of them is left.
    fn buried(&self) -> Result<Vec<(SessionId, bool)>, StoreError> {
        let mut buried = Vec::new();
        let range = keys::tombstones();
        self.backend().scan(&range.start..&range.end, &mut |key, value| {
            let is_done = unseal(key, value).is_ok_and(|said| said != UNDER_WAY);
            buried.extend(keys::parse_session(key).map(|session| (session, is_done)));
            ControlFlow::Continue(())
        })?;
        Ok(buried)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blobs::BlobRow;
    use crate::census::past_damage;
    use crate::committer::refer;
    use crate::options::Options;
    use uuid::Uuid;

    const EVENTS: u64 = 150;

    #[test]
    fn a_deletion_that_was_cut_off_shows_nothing_and_is_finished_at_the_next_start() {
        let dir = tempfile::tempdir().unwrap();
        let (session, hash) = (SessionId(Uuid::from_u128(1)), Hash::of(b"code"));
        for steps in 0..5 {
            let dir = dir.path().join(steps.to_string());
            let store = Store::open(&dir, Options::default()).unwrap();
            let mut batch = Batch::default();
            (1..=EVENTS)
                .for_each(|id| put(&mut batch, keys::event(session, EventId(id)), b"an event"));
            put(&mut batch, keys::blob(hash), &BlobRow::Inline(b"code").to_bytes());
            refer(&mut batch, session, hash);
            store.alone(move |committer| committer.apply(batch)).unwrap();
            store.alone(move |committer| committer.bury(session)).unwrap();
            for _ in 0..steps {
                assert!(store.alone(move |committer| committer.erase_some(session)).unwrap());
            }
            let read = store.read(session, EventId::ZERO, 1, usize::MAX);
            assert!(matches!(read, Err(StoreError::Deleted { .. })), "{read:?}");
            assert!(matches!(store.delete(session), Err(StoreError::Deleted { .. })));
            assert_eq!(past_damage(&*store.data().backend(), &mut |_, _| {}).sessions, 0);
            assert_eq!(store.rebuild_heads(|_, _| panic!("it is gone")).unwrap(), 0);
            drop(store);

            let store = Store::open(&dir, Options::default()).unwrap();
            let data = store.data();
            let range = keys::everything();
            let mut rows: Vec<_> = data.keys(&range).unwrap();
            rows.retain(|key| ![keys::META, keys::COMMITS].contains(&&key[..]));
            assert_eq!(rows, [keys::ERASED.to_vec(), keys::tombstone(session)], "{steps}");
            assert!(store.is_deleted(session).unwrap());
        }
    }
}
