//! The actors: one for each session that is awake, the registry that wakes them, and whatever tells
//! them that something has happened.
//!
//! All of them live on one arbiter, since spreading them over several makes every request slower.
//! Nothing here waits on that thread for a disk, a process or a terminal: the committer, the
//! blocking pool and the connections' writers do. No actor decides anything by itself; each asks
//! the engine, makes the answer durable and publishes it in the daemon's hub.

pub mod registry;
pub mod session;

pub(crate) mod delivery;
mod retry;

pub mod creation;
pub(crate) mod housekeeping;
pub mod presence;
pub(crate) mod startup;
pub mod timekeeper;
