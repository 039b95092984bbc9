//! [`Turns`]: limits on work that takes a core, a thread or much memory.
//!
//! A turn lasts until it is dropped. Whoever has waited longest is next; nothing here gives anybody
//! precedence.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

/// How many sessions are woken at a time without anybody waiting for them.
const WAKINGS: usize = 4;

/// How many searches and proofs hold a thread at once. Each waits there for its turns to run code, and whoever has
/// a turn needs a thread: there must be more threads than may wait.
const SEARCHES: usize = 8;

/// How many candidates' files are looked at at once. A disk that hangs blocks no more threads.
const LOOKS: usize = 4;

/// How many candidates' files the kernel is asked to tell of: it has 128 ears for all programs of a
/// user. The others are found by looks.
const EARS: usize = 32;

/// The turns of one daemon.
#[derive(Debug)]
pub(crate) struct Turns {
    runs: Arc<Semaphore>,
    searches: Arc<Semaphore>,
    folds: Semaphore,
    wakings: Semaphore,
    creations: Semaphore,
    examinations: Semaphore,
    readings: Arc<Semaphore>,
    looks: Arc<Semaphore>,
    ears: Arc<Semaphore>,
}

impl Default for Turns {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            runs: Arc::new(Semaphore::new(cores)),
            searches: Arc::new(Semaphore::new(SEARCHES)),
            folds: Semaphore::new(cores),
            wakings: Semaphore::new(WAKINGS),
            creations: Semaphore::new(1),
            examinations: Semaphore::new(cores),
            readings: Arc::new(Semaphore::new(cores)),
            looks: Arc::new(Semaphore::new(LOOKS)),
            ears: Arc::new(Semaphore::new(EARS)),
        }
    }
}

impl Turns {
    /// Waits for a turn to run code; there is one for each core.
    pub(crate) async fn run(&self) -> SemaphorePermit<'_> {
        turn(&self.runs).await
    }

    /// The turns of work that runs code many times, and takes one turn after the other.
    pub(crate) fn searches(&self) -> Searches {
        Searches { searches: Arc::clone(&self.searches), runs: Arc::clone(&self.runs) }
    }

    /// Waits for a turn to fold a log; there is one for each core, so that a thousand sessions that
    /// wake at once do not take a thread and a log's memory each.
    pub(crate) async fn fold(&self) -> SemaphorePermit<'_> {
        turn(&self.folds).await
    }

    /// Waits for a turn to wake a session that nobody has asked for. Right after the start there
    /// may be thousands of these, and a request must not wait for more than a few of them.
    pub(crate) async fn wake(&self) -> SemaphorePermit<'_> {
        turn(&self.wakings).await
    }

    /// Waits until no other session is being created, so that two of them cannot both find that
    /// none is in progress.
    pub(crate) async fn create(&self) -> SemaphorePermit<'_> {
        turn(&self.creations).await
    }

    /// Waits for a turn to examine this machine; there is one for each core, since it runs programs. These are
    /// apart from the turns to run code, which may be what is wrong.
    pub(crate) async fn examine(&self) -> SemaphorePermit<'_> {
        turn(&self.examinations).await
    }

    /// Waits for a turn to answer a client with what takes long to find, as by reading a whole log; there is one
    /// for each core, so that clients who all ask at once do not take a thread and a log's memory for each request. The turn is owned,
    /// so that it lasts as long as the work even if nobody waits for the result any more.
    pub(crate) async fn read(&self) -> OwnedSemaphorePermit {
        Arc::clone(&self.readings).acquire_owned().await.expect("the semaphore is never closed")
    }

    /// Waits for a turn to look at a candidate's file. The turn is owned, so that it lasts as long
    /// as the look even if nobody waits for the result any more.
    pub(crate) async fn look(&self) -> OwnedSemaphorePermit {
        Arc::clone(&self.looks).acquire_owned().await.expect("the semaphore is never closed")
    }

    /// An ear at the kernel, if one is free.
    pub(crate) fn ear(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.ears).try_acquire_owned().ok()
    }
}

/// The turns of searches and proofs.
#[derive(Clone, Debug)]
pub(crate) struct Searches {
    searches: Arc<Semaphore>,
    runs: Arc<Semaphore>,
}

impl Searches {
    /// Waits, on no thread, until there is one to search on.
    pub(crate) async fn begin(&self) -> Search {
        let search = Arc::clone(&self.searches).acquire_owned().await;
        Search {
            _search: search.expect("the semaphore is never closed"),
            runs: Arc::clone(&self.runs),
            runtime: Handle::current(),
        }
    }
}

/// One of the searches that hold a thread; it lasts until it is dropped.
#[derive(Debug)]
pub(crate) struct Search {
    _search: OwnedSemaphorePermit,
    runs: Arc<Semaphore>,
    runtime: Handle,
}

impl Search {
    /// Waits for a turn to run code, so that a long search keeps nobody else waiting; blocks.
    pub(crate) fn turn(&self) -> OwnedSemaphorePermit {
        let turn = self.runtime.block_on(Arc::clone(&self.runs).acquire_owned());
        turn.expect("the semaphore is never closed")
    }
}

async fn turn(semaphore: &Semaphore) -> SemaphorePermit<'_> {
    semaphore.acquire().await.expect("the semaphore is never closed")
}
