//! The event log of vosim: durable before it answers, checked whenever it is read.
//!
//! [`Store`] is a cheap handle. Behind it one committer thread owns every write: it takes what has
//! queued up, commits it as one batch, waits for the disk and then answers all of it. Queued writes
//! never wait on the caller's thread unless their name says `blocking`; what reads or rewrites at
//! length says "blocks". Nothing here knows tokio.
//!
//! The data directory holds:
//!
//! ```text
//! vosim.lock       held for the daemon's whole life; decides which daemon is alive
//! store.json       manifest: format, backend, store id, which database is the live one
//! db-1/            the database; a compaction or a restore makes db-2 and then moves the manifest
//! db-1/origin      for which place the folder was made; what says so wrongly or not at all is never swept
//! blobs/ab/…       blobs that are too large for the database, by SHA-256
//! exports/         one file of JSON lines for each archived session
//! quarantine-1/    what a recovery has put aside
//! checking/        a copy of a database about which there is a doubt, while it is looked at
//! ```
//!
//! The crate does not interpret what it stores: records are made and folded by the engine, which
//! this crate does not know. It never replaces unreadable data by an empty store.

mod files;
mod lock;
mod options;

mod backend;
mod keys;
mod owner;
mod sealed;

mod blobs;
mod error;
mod folder;
mod manifest;
mod tally;

mod archive;
mod data;
mod read;
mod snapshot;

mod census;
mod doubt;
mod opening;

mod committer;
mod store;
mod write;

mod aside;
mod backup;
mod compact;
mod erase;
mod export;
mod new_store;
mod packages;
mod rescue;
mod salvage;
mod side;
mod upkeep;

pub use archive::{check_file, write_file};
pub use aside::{Aside, aside, asides, erase_aside, put_back};
pub use backend::memory::MemoryBackend;
pub use backend::{Backend, BackendError, Batch, Op, Visit};
pub use backup::{Rebuilt, Restored, check_archives, check_backup, rebuild, restore};
pub use doubt::is_sound;
pub use error::{OpenError, StoreError};
pub use lock::{InPlace, Lock, LockError};
pub use manifest::{STORE_FORMAT, quarantine};
pub use options::{BackendKind, Durability, Options};
pub use owner::{Owner, SideLog};
pub use packages::{PACKAGES, Packages};
pub use read::Heads;
pub use rescue::{ReadBlob, Rescued, RescuedFrom, rescue};
pub use side::{Appended, SIDE_LINE_MAX_BYTES};
pub use store::Store;
pub use upkeep::{Stats, Verified};
pub use write::{Append, BLOB_INLINE_MAX_BYTES, HEAD_MAX_BYTES, KEY_VALUE_MAX_BYTES};
