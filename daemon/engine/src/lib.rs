//! The pure engine: what somebody asks becomes facts, facts become state.
//!
//! The engine reads no clock, file, socket, environment or randomness: the same inputs give the
//! same log, byte for byte. Everything slow or outside is an *effect* that the daemon carries out.

// A test of one kind names what that kind asks for, not everything that can be asked for.
#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

pub mod draft;
pub mod failure;
pub mod wanted;

pub mod because;
pub mod kind;
pub mod rejection;
pub mod settling;

mod carried;
pub mod session;

pub mod bundle;
pub mod replay;
pub mod report;

pub mod check;
pub mod kinds;
pub mod parts;
mod telling;

pub use because::Because;
pub use draft::Draft;
pub use failure::{BundleError, LoadError};
pub use kind::{Cause, Kind, Misfit, Recorded};
pub use kinds::{create, load};
pub use rejection::Rejection;
pub use session::{Answer, AnySession, CommandInput, Input, Sealed, Step};
pub use settling::Settling;
pub use wanted::Wanted;

// What unit tests share with the simulation in `tests/`, which knows the crate by its name.
#[cfg(test)]
extern crate self as vosim_engine;
#[cfg(test)]
#[path = "../tests/common/metronome.rs"]
mod metronome;
#[cfg(test)]
#[path = "../tests/common/moves.rs"]
mod moves;
#[cfg(test)]
#[path = "../tests/common/problem.rs"]
mod problem;
#[cfg(test)]
#[path = "../tests/common/schema.rs"]
mod schema;
