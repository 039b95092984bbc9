//! The threads and the memory that the daemon needs are there from its start, or it does not start.
//!
//! Libraries take a thread that cannot be had for a fault, and some wait for it for ever; without
//! memory a process ends on the spot. So a limit that is too low is found before anything is opened,
//! and said.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};

/// Threads of the daemon at work, with those of its database, and processes of two runs.
const NEEDED: usize = 24;

/// A thread of the pool for blocking work ends after so long without work. Never: a new one may
/// not be had when it is needed.
const KEPT: Duration = Duration::from_secs(u32::MAX as u64);

/// Addresses of the daemon at work, MiB. The C library sets 64 aside for each thread.
const ADDRESSES: u64 = 1024;

/// What the daemon lacks.
#[derive(Debug, thiserror::Error)]
pub enum Lacking {
    /// Fewer threads may be started than are needed.
    #[error(
        "only {possible} more threads can be started here and {NEEDED} are needed ({source}); raise \
         the limit on processes (ulimit -u, or TasksMax of the unit)"
    )]
    Threads {
        /// How many could be started.
        possible: usize,
        /// Why not one more.
        source: io::Error,
    },
    /// The process may use less memory than it needs.
    #[error(
        "only {mib} MiB of memory may be used here and {ADDRESSES} are needed; raise the limit \
         (ulimit -v)"
    )]
    Memory {
        /// How much may be used, MiB.
        mib: u64,
    },
}

/// Returns an error if this process may not use what the daemon needs.
pub fn check() -> Result<(), Lacking> {
    // A limit that cannot be asked for is none.
    let (limit, _) = getrlimit(Resource::RLIMIT_AS).unwrap_or((RLIM_INFINITY, RLIM_INFINITY));
    let mib = limit >> 20;
    if mib < ADDRESSES {
        return Err(Lacking::Memory { mib });
    }
    check_threads()
}

/// All threads are started at once, and end again.
fn check_threads() -> Result<(), Lacking> {
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let wait = |gate: &(Mutex<bool>, Condvar)| {
        let open = gate.0.lock().unwrap_or_else(PoisonError::into_inner);
        drop(gate.1.wait_while(open, |open| !*open));
    };
    let mut started = Vec::new();
    let mut refused = None;
    while started.len() < NEEDED && refused.is_none() {
        let gate = Arc::clone(&gate);
        match thread::Builder::new().name("check".to_owned()).spawn(move || wait(&gate)) {
            Ok(thread) => started.push(thread),
            Err(error) => refused = Some(error),
        }
    }
    *gate.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
    gate.1.notify_all();
    let possible = started.len();
    started.into_iter().for_each(|thread| drop(thread.join()));
    refused.map_or(Ok(()), |source| Err(Lacking::Threads { possible, source }))
}

/// The runtime that everything asynchronous runs on: one thread, and a pool for blocking work that
/// keeps the threads it has.
pub fn runtime() -> io::Result<tokio::runtime::Runtime> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .thread_keep_alive(KEPT)
        .build()?;
    // The first thread of the pool is had now; where there is none at all, tokio panics.
    let (first, there) = mpsc::sync_channel(0);
    runtime.spawn_blocking(move || first.send(()));
    there.recv().map_err(io::Error::other)?;
    Ok(runtime)
}
