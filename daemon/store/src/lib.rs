//! The event log of vosim: durable before it answers, checked whenever it is read.
//!
//! [`Store`] is a cheap handle. One committer thread behind it owns every write: it takes what has
//! queued up, commits it as one batch, waits for the disk and then answers all of it. Nothing here
//! waits on the caller's thread unless its name says `blocking`, and nothing here knows tokio.
//!
//! What lies in the data directory:
//!
//! ```text
//! vosim.lock       held for the daemon's whole life; decides who is alive
//! store.json       manifest: format, backend, store id, which database is the live one
//! db-1/            the database; a compaction or a restore makes db-2 and then moves the manifest
//! blobs/ab/…       blobs too large for the database, by SHA-256
//! exports/         one file of JSON lines for each archived session
//! quarantine-1/    what a recovery has put aside
//! ```
//!
//! The crate stores bytes it does not interpret: records are made and folded by the engine, which
//! this crate does not know. It never answers unreadable data with an empty store.

mod archive;
mod backend;
mod backup;
mod blobs;
mod committer;
mod data;
mod erase;
mod error;
mod export;
mod files;
mod keys;
mod lock;
mod manifest;
mod options;
mod read;
mod sealed;
mod side;
mod store;
mod tally;
mod upkeep;
mod write;

pub use archive::write_file;
pub use backend::memory::MemoryBackend;
pub use backend::{Backend, BackendError, Batch, Op, Visit};
pub use backup::{Rebuilt, Restored, rebuild, restore};
pub use error::{OpenError, StoreError};
pub use lock::{Lock, LockError};
pub use manifest::{STORE_FORMAT, accept_loss, quarantine};
pub use options::{BackendKind, Durability, Options};
pub use read::Heads;
pub use side::{Appended, Owner, SIDE_LINE_MAX_BYTES, SideLog};
pub use store::Store;
pub use upkeep::{Stats, Verified};
pub use write::{Append, BLOB_INLINE_MAX_BYTES, HEAD_MAX_BYTES, KEY_VALUE_MAX_BYTES};
