//! The committer: the one owner of all writes.
//!
//! The committer takes the writes that have queued up, stages them into one batch, commits the
//! batch and only then answers. A refused write (a conflict, a deleted session) adds nothing to the
//! batch and does not affect its neighbours. After a failed commit nothing more is written: what
//! the disk holds is unknown until the database has been opened again, and guessing would risk
//! acknowledged events.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;

use tracing::{error, warn};
use vosim_protocol::Wire as _;
use vosim_protocol::blob::Blob;
use vosim_protocol::ids::{EventId, Hash, SessionId};
use vosim_protocol::record::Head;

use crate::backend::{BackendError, Batch, panic_text};
use crate::blobs::BlobRow;
use crate::data::{Before, Data};
use crate::error::StoreError;
use crate::files::trouble;
use crate::keys;
use crate::read::Standing;
use crate::sealed::put;
use crate::snapshot::Snapshot;
use crate::tally::Tally;
use crate::write::{Append, BLOB_INLINE_MAX_BYTES, Done, HEAD_MAX_BYTES, Write, check_key};

/// The most events in one commit.
const GROUP_MAX_EVENTS: usize = 256;
/// The most bytes in one commit, unless a single write is larger.
const GROUP_MAX_BYTES: usize = 4 * 1024 * 1024;
/// The most sessions whose cursor is cached; for any other it is read from the database.
const CURSORS_MAX: usize = 8 * 1024;

/// An entry of the queue.
pub(crate) enum Job {
    /// A write that may share a commit with its neighbours.
    Write(Box<Write>, Done),
    /// A task that runs alone, after everything that was queued before it.
    Alone(Box<dyn FnOnce(&mut Committer) + Send>),
    /// The end: whatever is queued after this is not done.
    Stop,
}

/// Carries out writes and caches the sessions' cursors.
pub(crate) struct Committer {
    pub(crate) data: Arc<Data>,
    cursors: HashMap<SessionId, EventId>,
    failed: Option<Arc<str>>,
    pub(crate) tally: Tally,
    /// The keys that have changed since the database began to be copied, while it is being copied.
    pub(crate) noted: Option<BTreeSet<Vec<u8>>>,
    /// The snapshot that is being read.
    pub(crate) snapshot: Option<Arc<Snapshot>>,
}

/// A batch that is being put together.
#[derive(Default)]
struct Stage {
    batch: Batch,
    cursors: HashMap<SessionId, EventId>,
    before: HashMap<SessionId, Before>,
    blobs: Vec<Hash>,
}

impl Committer {
    pub(crate) fn new(data: Arc<Data>, tally: Tally) -> Self {
        Self { data, cursors: HashMap::new(), failed: None, tally, noted: None, snapshot: None }
    }

    /// Works until the queue is closed or holds [`Job::Stop`].
    pub(crate) fn run(mut self, queue: &Receiver<Job>) {
        let mut next = None;
        while let Some(job) = next.take().or_else(|| queue.recv().ok()) {
            match job {
                Job::Stop => break,
                Job::Alone(task) => unharmed(|| task(&mut self)),
                Job::Write(write, done) => {
                    let group;
                    (group, next) = gather(*write, done, queue);
                    for (done, result) in self.commit(group) {
                        unharmed(|| done.answer(result));
                    }
                }
            }
        }
        if let Err(error) = self.tally.sync() {
            // All commits are durable; merely the check at the next start is weaker.
            warn!(%error, "the count of commits could not be synced");
        }
        // Jobs that are left in the queue answer `Closed` when they are dropped.
    }

    /// Commits a group and returns the answers, which the caller is to give.
    pub(crate) fn commit(
        &mut self,
        group: Vec<(Write, Done)>,
    ) -> Vec<(Done, Result<(), StoreError>)> {
        let bytes = group.iter().map(|(write, _)| write.bytes()).sum();
        self.data.queued_bytes.fetch_sub(bytes, Ordering::Relaxed);
        let ready = self.writable().and_then(|()| self.data.check_room(bytes as u64));
        let mut stage = Stage::default();
        let staged: Vec<_> = group
            .into_iter()
            .map(|(write, done)| {
                let staged = ready.clone().and_then(|()| self.stage(&mut stage, write));
                (done, staged)
            })
            .collect();
        let settled = self.settle(stage);
        let answer = |result: Result<(), StoreError>| result.and_then(|()| settled.clone());
        staged.into_iter().map(|(done, result)| (done, answer(result))).collect()
    }

    /// Returns an error once a commit has failed.
    pub(crate) fn writable(&self) -> Result<(), StoreError> {
        match &self.failed {
            Some(reason) => Err(StoreError::Failed { reason: Arc::clone(reason) }),
            None => Ok(()),
        }
    }

    /// Refuses every write from now on.
    pub(crate) fn stop_writing(&mut self, reason: String) -> StoreError {
        let reason: Arc<str> = reason.into();
        error!(%reason, "the store stops writing");
        self.failed = Some(Arc::clone(&reason));
        StoreError::Failed { reason }
    }

    /// Why a commit failed, with the step that mends it where the system says what is wrong.
    fn why_failed(&self, error: &BackendError) -> String {
        match (error, &self.data.dir) {
            (BackendError::Io(error), Some(dir)) => trouble(error, dir).to_string(),
            _ => error.to_string(),
        }
    }

    /// Commits a batch that moves no session's cursor.
    pub(crate) fn apply(&mut self, batch: Batch) -> Result<(), StoreError> {
        self.writable()?;
        self.settle(Stage { batch, ..Stage::default() })
    }

    /// Drops a session's cached cursor.
    pub(crate) fn forget(&mut self, session: SessionId) {
        self.cursors.remove(&session);
    }

    fn stage(&self, stage: &mut Stage, write: Write) -> Result<(), StoreError> {
        match write {
            Write::Append(append) => self.stage_append(stage, &append),
            Write::Blob { session, blob } => {
                if self.standing_in(stage, session)? == Standing::Deleted {
                    return Err(StoreError::Deleted { session });
                }
                let mut batch = Batch::default();
                let hash = self.stage_blob(stage, &mut batch, session, &blob)?;
                stage.blobs.push(hash);
                stage.batch.extend(batch);
                Ok(())
            }
            Write::Key { name, value } => {
                check_key(&name, value.as_deref())?;
                let key = keys::setting(&name);
                match value {
                    Some(value) => put(&mut stage.batch, key, &value),
                    None => stage.batch.remove(key),
                }
                Ok(())
            }
            Write::Head(head) => self.stage_head(stage, &head),
        }
    }

    fn stage_append(&self, stage: &mut Stage, append: &Append) -> Result<(), StoreError> {
        append.check()?;
        let session = append.session;
        let actual = match self.standing_in(stage, session)? {
            Standing::At(cursor) => cursor,
            Standing::Pruned => return Err(StoreError::Pruned { session }),
            Standing::Deleted => return Err(StoreError::Deleted { session }),
        };
        if actual != append.expected {
            return Err(StoreError::Conflict { session, expected: append.expected, actual });
        }
        let mut batch = Batch::default();
        put(&mut batch, keys::head(session), &head_bytes(&append.head)?);
        let mut blobs = Vec::new();
        for blob in &append.blobs {
            blobs.push(self.stage_blob(stage, &mut batch, session, blob)?);
        }
        for (name, value) in &append.settings {
            put(&mut batch, keys::setting(name), value);
        }
        let mut id = append.expected;
        for line in &append.lines {
            id = id.next();
            put(&mut batch, keys::event(session, id), line);
        }
        if let Entry::Vacant(before) = stage.before.entry(session) {
            let head = self.data.backend().get(&keys::head(session))?;
            before.insert(Before { cursor: actual, head });
        }
        stage.cursors.insert(session, id);
        stage.blobs.extend(blobs);
        stage.batch.extend(batch);
        Ok(())
    }

    /// Stages a blob. A large one becomes a durable file at once, before the row that names it.
    fn stage_blob(
        &self,
        stage: &Stage,
        batch: &mut Batch,
        session: SessionId,
        blob: &Blob,
    ) -> Result<Hash, StoreError> {
        let hash = Hash::of(&blob.0);
        let key = keys::blob(hash);
        // One that is damaged is written anew: others may depend on it.
        let kept = || matches!(self.data.blob(hash), Ok(there) if there == blob.0);
        if !stage.blobs.contains(&hash) && !kept() {
            let row = match &self.data.files {
                Some(files) if blob.0.len() > BLOB_INLINE_MAX_BYTES => {
                    files.write(hash, &blob.0)?;
                    BlobRow::File(blob.0.len() as u64)
                }
                Some(_) | None => BlobRow::Inline(&blob.0),
            };
            put(batch, key, &row.to_bytes());
        }
        refer(batch, session, hash);
        Ok(hash)
    }

    fn stage_head(&self, stage: &mut Stage, head: &Head) -> Result<(), StoreError> {
        let session = head.session_id;
        let actual = match self.standing_in(stage, session)? {
            Standing::At(cursor) => cursor,
            Standing::Pruned => self.data.pruned(session)?.map_or(EventId::ZERO, |p| p.cursor),
            Standing::Deleted => return Err(StoreError::Deleted { session }),
        };
        if head.cursor != actual {
            return Err(StoreError::Conflict { session, expected: head.cursor, actual });
        }
        put(&mut stage.batch, keys::head(session), &head_bytes(head)?);
        Ok(())
    }

    fn standing_in(&self, stage: &Stage, session: SessionId) -> Result<Standing, StoreError> {
        let known = stage.cursors.get(&session).or_else(|| self.cursors.get(&session));
        known.map_or_else(|| self.data.standing(session), |&cursor| Ok(Standing::At(cursor)))
    }

    fn settle(&mut self, mut stage: Stage) -> Result<(), StoreError> {
        if stage.batch.is_empty() {
            return Ok(());
        }
        if let Some(noted) = &mut self.noted {
            noted.extend(stage.batch.ops.iter().map(|op| op.key().to_vec()));
        }
        if let Some(snapshot) = &self.snapshot {
            snapshot.note(&*self.data.backend(), &stage.batch);
        }
        self.tally.count(&mut stage.batch);
        let touched: Vec<SessionId> = stage.before.keys().copied().collect();
        self.data.unsettled().extend(stage.before);
        if let Err(error) = self.data.backend().commit(stage.batch) {
            // Readers keep seeing what was durable before. Whether this batch was written is known
            // at the next start.
            return Err(self.stop_writing(self.why_failed(&error)));
        }
        self.tally.committed();
        let mut unsettled = self.data.unsettled();
        touched.iter().for_each(|session| drop(unsettled.remove(session)));
        drop(unsettled);
        if self.cursors.len() > CURSORS_MAX {
            self.cursors.clear();
        }
        self.cursors.extend(stage.cursors);
        Ok(())
    }
}

/// Collects the writes that have queued up behind the first; returns them with the job that ended
/// the search.
fn gather(write: Write, done: Done, queue: &Receiver<Job>) -> (Vec<(Write, Done)>, Option<Job>) {
    let (mut events, mut bytes) = (write.events(), write.bytes());
    let mut group = vec![(write, done)];
    while events < GROUP_MAX_EVENTS && bytes < GROUP_MAX_BYTES {
        match queue.try_recv() {
            Ok(Job::Write(write, done)) => {
                events += write.events();
                bytes += write.bytes();
                group.push((*write, done));
            }
            Ok(other) => return (group, Some(other)),
            Err(_) => break,
        }
    }
    (group, None)
}

/// Calls a callback and survives its panic.
fn unharmed(call: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(call)) {
        error!(reason = panic_text(panic.as_ref()), "a callback of the store panicked");
    }
}

/// Records, in both directions, that a session refers to a blob.
pub(crate) fn refer(batch: &mut Batch, session: SessionId, hash: Hash) {
    put(batch, keys::reference(session, hash), &[]);
    put(batch, keys::referrer(hash, session), &[]);
}

/// Returns the stored form of a head.
pub(crate) fn head_bytes(head: &Head) -> Result<Vec<u8>, StoreError> {
    let bytes = head.to_line();
    if bytes.len() > HEAD_MAX_BYTES {
        let length = bytes.len();
        return Err(StoreError::invalid(format!(
            "a head of {length} bytes; the limit is {HEAD_MAX_BYTES}"
        )));
    }
    Ok(bytes)
}
