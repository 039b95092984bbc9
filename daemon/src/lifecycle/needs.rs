//! What the daemon needs of the system's limits is there from its start, or it does not start.
//!
//! Libraries take a thread that cannot be had for a fault, and some wait for it for ever; without
//! memory, a stack or room in a file a process ends on the spot, and sometimes without a word. So a
//! limit that is too low is found before anything is opened, and said.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Threads of the daemon at work, with those of its database, and processes of two runs.
const NEEDED: usize = 24;

/// A thread of the pool for blocking work ends after so long without work. Never: a new one may
/// not be had when it is needed.
const KEPT: Duration = Duration::from_secs(u32::MAX as u64);

/// The least that a limit of the system must allow.
#[derive(Clone, Copy, Debug)]
pub struct Floor {
    resource: Resource,
    /// How much, in units of so many.
    least: u64,
    unit: u64,
    /// What may be had, with the unit.
    of: &'static str,
    /// By which letter `ulimit` raises it, and by which word a unit of systemd.
    letter: char,
    word: &'static str,
}

const MIB: u64 = 1 << 20;

impl Floor {
    /// How much may be had; what is less than one of its unit is told in the next smaller one.
    fn told(&self, had: u64) -> String {
        let Self { unit, of, .. } = *self;
        match of.strip_prefix("MiB") {
            Some(rest) if self.is_small(had) => format!("{} KiB{rest}", had >> 10),
            _ => format!("{} {of}", had / unit),
        }
    }

    /// How much is needed, beside what may be had.
    fn needed(&self, had: u64) -> String {
        let unit = if self.is_small(had) { " MiB" } else { "" };
        format!("{}{unit}", self.least)
    }

    fn is_small(&self, had: u64) -> bool {
        self.unit == MIB && (1..MIB).contains(&had)
    }
}

/// Descriptors for as many clients as are served at once, and all else.
const FILES_WANTED: u64 = 16_384;

/// Less would not do for the reading of a command line, and programs that are judged get as much.
const STACK: Floor =
    floor(Resource::RLIMIT_STACK, 8192, 1 << 10, "KiB of stack may be used", 's', "LimitSTACK");

const FLOORS: [Floor; 5] = [
    // Addresses of the daemon at work: the C library sets 64 MiB aside for each thread.
    floor(Resource::RLIMIT_AS, 1024, MIB, "MiB of memory may be used", 'v', "LimitAS"),
    floor(Resource::RLIMIT_DATA, 256, MIB, "MiB of data may be held", 'd', "LimitDATA"),
    // Two dozen are open while one program is judged; each client has one.
    floor(Resource::RLIMIT_NOFILE, 128, 1, "files may be open at once", 'n', "LimitNOFILE"),
    floor(Resource::RLIMIT_FSIZE, 256, MIB, "MiB may be written to a file", 'f', "LimitFSIZE"),
    floor(Resource::RLIMIT_CPU, 3600, 1, "s of computing may be used", 't', "LimitCPU"),
];

/// Root may start more, and the programs that it has judged may not: they get 32 and their own first.
const PROCESSES: Floor =
    floor(Resource::RLIMIT_NPROC, 40, 1, "processes may run at once", 'u', "LimitNPROC");

const fn floor(
    resource: Resource,
    least: u64,
    unit: u64,
    of: &'static str,
    letter: char,
    word: &'static str,
) -> Floor {
    Floor { resource, least, unit, of, letter, word }
}

/// What the daemon lacks.
#[derive(Debug, thiserror::Error)]
pub enum Lacking {
    /// Fewer threads may be started than are needed.
    #[error(
        "only {possible} more threads can be started here and {NEEDED} are needed ({}); raise \
         the limit on processes (ulimit -u, or TasksMax of the unit)",
        vosim_protocol::trouble::cause(.error)
    )]
    Threads {
        /// How many could be started.
        possible: usize,
        /// Why not one more.
        error: io::Error,
    },
    /// A limit of the system is below what is needed.
    #[error(
        "only {} here and {} are needed; raise the limit (ulimit -{}, or {} of the unit)",
        .floor.told(*.had), .floor.needed(*.had), .floor.letter, .floor.word
    )]
    Limit {
        /// How much may be had.
        had: u64,
        /// What is needed.
        floor: Floor,
    },
}

/// Returns an error if this program could not even read its command line.
pub fn check_stack() -> Result<(), Lacking> {
    reach(STACK)
}

/// Returns an error if this process may not use what the daemon needs.
pub fn check() -> Result<(), Lacking> {
    FLOORS.into_iter().try_for_each(reach)?;
    check_threads()?;
    reach(PROCESSES)
}

/// Raises a limit as far as serves and is allowed: what a shell had set for its own programs is no
/// reason to refuse a client its connection.
fn reach(floor: Floor) -> Result<(), Lacking> {
    // A limit that cannot be asked for is none.
    let Ok((limit, most)) = getrlimit(floor.resource) else { return Ok(()) };
    let least = floor.least * floor.unit;
    let wanted = match floor.resource {
        // Some programs look at every descriptor that they might have.
        Resource::RLIMIT_NOFILE => most.min(FILES_WANTED),
        // With an endless stack the kernel lays out programs that we start in another way.
        Resource::RLIMIT_STACK => most.min(least),
        _ => most,
    };
    let raised = limit < wanted && setrlimit(floor.resource, wanted, most).is_ok();
    let had = if raised { wanted } else { limit };
    if had >= least { Ok(()) } else { Err(Lacking::Limit { had, floor }) }
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
    refused.map_or(Ok(()), |error| Err(Lacking::Threads { possible, error }))
}

/// Most threads of the pool for blocking work, far more than wait there for a turn to run code. Clients who all ask
/// at once wait for each other: with a thread for each of their requests the memory of all would stay.
const AT_ONCE: usize = 128;

/// The runtime that everything asynchronous runs on: one thread, and a pool for blocking work that
/// keeps the threads it has.
pub fn runtime() -> io::Result<tokio::runtime::Runtime> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .thread_keep_alive(KEPT)
        .max_blocking_threads(AT_ONCE)
        .build()?;
    // The first thread of the pool is had now; where there is none at all, tokio panics.
    let (first, there) = mpsc::sync_channel(0);
    runtime.spawn_blocking(move || first.send(()));
    there.recv().map_err(io::Error::other)?;
    Ok(runtime)
}
