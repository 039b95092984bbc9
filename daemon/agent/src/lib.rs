//! What an autonomous candidate works with: models that propose, tools that act in its workspace, the
//! repair of programs that are nearly right, and the memory of earlier tasks (002).
//!
//! Nothing here knows sessions, actors or the store: the daemon's effects call it, and what comes back
//! is told to the engine.

pub mod graded;
pub mod memory;
pub mod model;
pub mod repair;
pub mod scan;
pub mod workspace;
