//! [`Turns`]: how many may do at once what takes a core, a thread or much memory.
//!
//! A turn is held until it is dropped. Nothing here says who comes first: whoever waits longest
//! does.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

/// Sessions that are being woken at a time without anybody waiting for it.
const WAKINGS: usize = 4;

/// Candidates' files looked at in one moment. A disk that hangs holds up no more threads than these.
const LOOKS: usize = 4;

/// The turns of one daemon.
#[derive(Debug)]
pub(crate) struct Turns {
    runs: Semaphore,
    folds: Semaphore,
    wakings: Semaphore,
    creations: Semaphore,
    looks: Arc<Semaphore>,
}

impl Default for Turns {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            runs: Semaphore::new(cores),
            folds: Semaphore::new(cores),
            wakings: Semaphore::new(WAKINGS),
            creations: Semaphore::new(1),
            looks: Arc::new(Semaphore::new(LOOKS)),
        }
    }
}

impl Turns {
    /// Waits for a turn to run code: as many at a time as there are cores.
    pub(crate) async fn run(&self) -> SemaphorePermit<'_> {
        turn(&self.runs).await
    }

    /// Waits for a turn to fold a log: as many at a time as there are cores, so that a thousand
    /// sessions that wake at once take neither a thread nor a log's memory each.
    pub(crate) async fn fold(&self) -> SemaphorePermit<'_> {
        turn(&self.folds).await
    }

    /// Waits for a turn to wake a session that nobody asks for, of which there may be thousands
    /// right after the start: whoever asks waits for a few of them at most.
    pub(crate) async fn wake(&self) -> SemaphorePermit<'_> {
        turn(&self.wakings).await
    }

    /// Waits until no other session is being created, so that two of them cannot both find that
    /// none is in progress.
    pub(crate) async fn create(&self) -> SemaphorePermit<'_> {
        turn(&self.creations).await
    }

    /// Waits for a turn to look at a candidate's file. It is owned, so that it can end with the
    /// look itself, also when nobody waits for that any more.
    pub(crate) async fn look(&self) -> OwnedSemaphorePermit {
        Arc::clone(&self.looks).acquire_owned().await.expect("the semaphore is never closed")
    }
}

async fn turn(semaphore: &Semaphore) -> SemaphorePermit<'_> {
    semaphore.acquire().await.expect("the semaphore is never closed")
}
