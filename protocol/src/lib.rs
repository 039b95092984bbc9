//! The vocabulary of vosim, shared by the engine, the store, the daemon and its clients.
//!
//! Everything that is written to disk or put on the wire is a type of this crate; it does no
//! I/O, reads no clock and starts nothing.

#![warn(missing_docs)]
#![deny(clippy::wildcard_enum_match_arm)]

// `events!` and `commands!` name this crate from wherever they are used.
extern crate self as vosim_protocol;
#[doc(hidden)]
pub use {schemars, serde};

pub mod ids;
pub mod time;
pub mod wire;

pub mod blob;
pub mod cut;
pub mod record;

pub mod frame;
pub mod hello;
pub mod message;
pub mod misfit;
pub mod next;

pub mod paths;
pub mod trouble;

pub mod v1;

pub use blob::{Blob, BlobRef};
pub use ids::{CommandId, EffectId, EventId, Hash, Kind, ProblemId, Role, SessionId, StoreId};
pub use message::{ErrorCode, ErrorObject};
pub use record::{Actor, EventRecord, Finished, Head, LineHash, Outcome, Standing};
pub use time::Time;
pub use wire::{Json, Wire};
