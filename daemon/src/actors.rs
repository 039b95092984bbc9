//! The actors: one for each session that is awake, and the registry that wakes them.
//!
//! All of them live on one arbiter; spreading them over several makes every ask slower. Nothing
//! here waits for a disk, a process or a terminal on that thread: the committer, the blocking
//! pool and the connections' own writers do. The actor's logic is the engine's plain function.

pub mod registry;
pub mod session;

pub(crate) mod delivery;

pub mod creation;
pub mod presence;
pub(crate) mod startup;
pub mod timekeeper;
