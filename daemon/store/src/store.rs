//! [`Store`]: the handle that opens a store, queues writes for the committer and reads.
//!
//! The store never writes by itself, except in memory, where it calls the committer directly.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle, ThreadId};

use uuid::Uuid;
use vosim_protocol::blob::Blob;
use vosim_protocol::ids::{EventId, Hash, SessionId, StoreId};
use vosim_protocol::record::Head;

use crate::backend::memory::MemoryBackend;
use crate::backend::{Backend, panic_text};
use crate::committer::{Committer, Job};
use crate::data::Data;
use crate::error::{OpenError, StoreError};
use crate::keys;
use crate::opening::{self, Opened};
use crate::options::Options;
use crate::read::Heads;
use crate::tally::Tally;
use crate::write::{Append, Done, Write, check_key};

/// The most bytes that may wait in the queue.
const QUEUED_MAX_BYTES: usize = 64 * 1024 * 1024;

/// A handle to the event log; clones share it.
///
/// The store stays open until the last clone is dropped or [`Store::close`] is called.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    data: Arc<Data>,
    writer: Writer,
}

/// The one that carries out writes.
enum Writer {
    /// The committer thread.
    Thread { queue: SyncSender<Job>, id: ThreadId, thread: Mutex<Option<JoinHandle<()>>> },
    /// The caller itself: in memory nothing has to wait, and tests with a paused clock must not.
    Inline(Mutex<Committer>),
}

impl Store {
    /// Opens the store of a data directory, or creates one where there is none; blocks.
    ///
    /// Take the [`crate::Lock`] of the directory first. The database is opened on a thread of its
    /// own, so that a panic in it is an error and never leads to an empty store.
    pub fn open(dir: &Path, options: Options) -> Result<Self, OpenError> {
        let opened = {
            let (dir, options) = (dir.to_owned(), options.clone());
            let opener = thread::Builder::new().name("store-open".to_owned());
            opener.spawn(move || opening::open(&dir, &options))
        };
        let opener = opened.map_err(OpenError::io("starting a thread to open", dir))?;
        let Opened { backend, store_id, tally } = opener
            .join()
            .unwrap_or_else(|panic| Err(OpenError::unreadable(dir, panic_text(panic.as_ref()))))?;
        let data = Arc::new(Data::new(Some(dir), backend, store_id, options));
        let mut committer = Committer::new(Arc::clone(&data), tally);
        committer.sweep(dir);
        Self::start(data, committer).map_err(OpenError::io("starting the committer of", dir))
    }

    /// Makes a store on the caller's database, with a committer but without files: for tests that
    /// let a database fail or wait.
    pub fn on_backend(backend: Arc<dyn Backend>, options: Options) -> io::Result<Self> {
        let store_id = StoreId(Uuid::new_v4());
        let data = Arc::new(Data::new(None, backend, store_id, options));
        let committer = Committer::new(Arc::clone(&data), Tally::default());
        Self::start(data, committer)
    }

    fn start(data: Arc<Data>, committer: Committer) -> io::Result<Self> {
        let (queue, jobs) = mpsc::sync_channel(data.options.queue_max);
        let thread = thread::Builder::new()
            .name("store-commit".to_owned())
            .spawn(move || committer.run(&jobs))?;
        let id = thread.thread().id();
        let writer = Writer::Thread { queue, id, thread: Mutex::new(Some(thread)) };
        Ok(Self { inner: Arc::new(Inner { data, writer }) })
    }

    /// Makes a store in memory that lives as long as its handles: for tests.
    ///
    /// A write is done, and its callback called, before the call that asks for it returns.
    pub fn in_memory() -> Self {
        let backend = Arc::new(MemoryBackend::default());
        let store_id = StoreId(Uuid::new_v4());
        let data = Arc::new(Data::new(None, backend, store_id, Options::default()));
        let writer =
            Writer::Inline(Mutex::new(Committer::new(Arc::clone(&data), Tally::default())));
        Self { inner: Arc::new(Inner { data, writer }) }
    }

    /// Returns the store's identity. A restored backup gets a new one, so that cursors of the old
    /// store are recognised.
    pub fn store_id(&self) -> StoreId {
        self.inner.data.store_id
    }

    /// Adds events to a session if its cursor is the one that the caller expects; never blocks.
    ///
    /// `done` is called on the committer's thread once the events are durable, or with the reason
    /// why they are not; if the queue is full it is called at once with `Busy`. It should be quick,
    /// since the next group waits for it, and must not call anything here that blocks.
    pub fn append(
        &self,
        append: Append,
        done: impl FnOnce(Result<(), StoreError>) + Send + 'static,
    ) {
        self.write(Write::Append(append), Done::new(done));
    }

    /// Does the same as [`Store::append`] and waits until it is done.
    pub fn append_blocking(&self, append: Append) -> Result<(), StoreError> {
        self.write_blocking(Write::Append(append))
    }

    /// Stores a blob that an event of a session is going to name.
    pub fn put_blob(
        &self,
        session: SessionId,
        blob: Blob,
        done: impl FnOnce(Result<(), StoreError>) + Send + 'static,
    ) {
        self.write(Write::Blob { session, blob }, Done::new(done));
    }

    /// Does the same as [`Store::put_blob`] and waits until it is done.
    pub fn put_blob_blocking(&self, session: SessionId, blob: Blob) -> Result<(), StoreError> {
        self.write_blocking(Write::Blob { session, blob })
    }

    /// Sets or erases a small durable setting.
    ///
    /// A name has at most 64 letters, digits, `.`, `_` and `-`, a value at most
    /// [`crate::KEY_VALUE_MAX_BYTES`].
    pub fn set_key(
        &self,
        name: &str,
        value: Option<Vec<u8>>,
        done: impl FnOnce(Result<(), StoreError>) + Send + 'static,
    ) {
        self.write(Write::Key { name: name.to_owned(), value }, Done::new(done));
    }

    /// Does the same as [`Store::set_key`] and waits until it is done.
    pub fn set_key_blocking(&self, name: &str, value: Option<Vec<u8>>) -> Result<(), StoreError> {
        self.write_blocking(Write::Key { name: name.to_owned(), value })
    }

    /// Returns the value of a setting.
    pub fn key(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        check_key(name, None)?;
        self.inner.data.get(&keys::setting(name), || format!("the setting {name}"))
    }

    /// Reads the exact lines of a session after a cursor, checked, without a gap, all of them
    /// durable.
    ///
    /// There are at most `max_events`, and they have at most `max_bytes` together, except that one
    /// event is always given. An unknown session is empty; a pruned one is read from its archive.
    pub fn read(
        &self,
        session: SessionId,
        after: EventId,
        max_events: usize,
        max_bytes: usize,
    ) -> Result<Vec<Vec<u8>>, StoreError> {
        self.inner.data.read(session, after, max_events, max_bytes)
    }

    /// Returns the head of every session that has not been deleted.
    pub fn heads(&self) -> Result<Heads, StoreError> {
        self.inner.data.heads()
    }

    /// Returns the head of one session.
    pub fn head(&self, session: SessionId) -> Result<Option<Head>, StoreError> {
        self.inner.data.head(session)
    }

    /// Returns the bytes of a blob, checked against their hash.
    pub fn blob(&self, hash: Hash) -> Result<Vec<u8>, StoreError> {
        self.inner.data.blob(hash)
    }

    /// Writes the file of a stored blob anew unless it is whole, for whoever knows what the blob's
    /// bytes are; blocks. What the store does not have is not added.
    pub fn mend_blob(&self, hash: Hash, bytes: &[u8]) -> Result<(), StoreError> {
        self.inner.data.mend_blob(hash, bytes)
    }

    /// Whether a blob is stored.
    pub fn has_blob(&self, hash: Hash) -> Result<bool, StoreError> {
        Ok(self.inner.data.backend().get(&keys::blob(hash))?.is_some())
    }

    /// Whether a session refers to a blob; a blob that was erased for one session may remain for
    /// another.
    pub fn refers(&self, session: SessionId, hash: Hash) -> Result<bool, StoreError> {
        Ok(self.inner.data.backend().get(&keys::reference(session, hash))?.is_some())
    }

    /// Finishes what is queued and refuses every later write.
    ///
    /// The database itself is closed when the last handle is dropped. In a callback this does
    /// nothing, since the committer cannot wait for itself.
    pub fn close(&self) {
        self.inner.data.closing.store(true, Ordering::Relaxed);
        if let Writer::Thread { queue, id, thread } = &self.inner.writer
            && *id != thread::current().id()
        {
            // A committer that has already ended need not be told.
            drop(queue.send(Job::Stop));
            join(*id, thread);
        }
    }

    pub(crate) fn data(&self) -> &Arc<Data> {
        &self.inner.data
    }

    /// Queues a write, or answers it at once if there is no room.
    fn write(&self, write: Write, done: Done) {
        let bytes = write.bytes();
        let waiting = self.inner.data.queued_bytes.fetch_add(bytes, Ordering::Relaxed);
        match &self.inner.writer {
            Writer::Inline(committer) => {
                let mut committer = committer.lock().unwrap_or_else(PoisonError::into_inner);
                let answers = committer.commit(vec![(write, done)]);
                // The lock goes first, since a callback may write again.
                drop(committer);
                answers.into_iter().for_each(|(done, result)| done.answer(result));
            }
            // A write that is larger than the whole allowance is accepted when nothing else waits.
            Writer::Thread { .. } if waiting > 0 && waiting + bytes > QUEUED_MAX_BYTES => {
                self.turn_away(bytes, done);
            }
            Writer::Thread { queue, .. } => {
                let sent = queue.try_send(Job::Write(Box::new(write), done));
                // If the committer has ended, the job is dropped, which answers `Closed`.
                if let Err(TrySendError::Full(Job::Write(_, done))) = sent {
                    self.turn_away(bytes, done);
                }
            }
        }
    }

    fn turn_away(&self, bytes: usize, done: Done) {
        self.inner.data.queued_bytes.fetch_sub(bytes, Ordering::Relaxed);
        done.answer(Err(self.busy()));
    }

    fn busy(&self) -> StoreError {
        StoreError::Busy { queued: self.inner.data.options.queue_max }
    }

    pub(crate) fn write_blocking(&self, write: Write) -> Result<(), StoreError> {
        self.refuse_on_committer()?;
        let (answer, answered) = mpsc::channel();
        self.write(write, Done::new(move |result| drop(answer.send(result))));
        answered.recv().unwrap_or(Err(StoreError::Closed))
    }

    /// Runs a task alone, between commits, and waits for its end.
    pub(crate) fn alone<T: Send + 'static>(
        &self,
        task: impl FnOnce(&mut Committer) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.refuse_on_committer()?;
        match &self.inner.writer {
            Writer::Inline(committer) => {
                task(&mut committer.lock().unwrap_or_else(PoisonError::into_inner))
            }
            Writer::Thread { queue, .. } => {
                let (answer, answered) = mpsc::channel();
                let job = move |committer: &mut Committer| drop(answer.send(task(committer)));
                queue.send(Job::Alone(Box::new(job))).map_err(|_| StoreError::Closed)?;
                answered.recv().unwrap_or(Err(StoreError::Closed))
            }
        }
    }

    /// Returns an error on the committer's thread, where a blocking call would wait for itself.
    fn refuse_on_committer(&self) -> Result<(), StoreError> {
        match &self.inner.writer {
            Writer::Thread { id, .. } if *id == thread::current().id() => {
                Err(StoreError::invalid("a blocking call from a callback of the store"))
            }
            Writer::Thread { .. } | Writer::Inline(_) => Ok(()),
        }
    }
}

impl Drop for Inner {
    /// Waits until the database is closed, so that it can be opened again at once.
    fn drop(&mut self) {
        let Writer::Thread { queue, id, thread } = &mut self.writer else { return };
        // Once its only sender is gone, the committer finishes the queue and ends.
        drop(std::mem::replace(queue, mpsc::sync_channel(0).0));
        join(*id, thread);
    }
}

fn join(id: ThreadId, thread: &Mutex<Option<JoinHandle<()>>>) {
    let handle = thread.lock().unwrap_or_else(PoisonError::into_inner).take();
    // The last handle may be dropped by a callback, on the committer's own thread.
    if let Some(handle) = handle.filter(|_| id != thread::current().id()) {
        // Panics on that thread are contained and logged where they happen.
        drop(handle.join());
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("store_id", &self.store_id()).finish_non_exhaustive()
    }
}
