//! How a store is kept: which database, how much memory, how much room on the disk.

use serde::{Deserialize, Serialize};

/// How a store is kept.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which database a new store gets, and an existing one after its next compaction.
    pub backend: BackendKind,
    /// How many bytes of database pages are cached in memory.
    pub cache_bytes: u64,
    /// How many writes may wait; any further one is answered with `Busy`.
    pub queue_max: usize,
    /// How many bytes must stay free on the disk; with fewer, writes are refused before they begin.
    pub reserve_bytes: u64,
    /// Whether a commit waits for the disk; anything but the default is for one test alone.
    #[doc(hidden)]
    pub durability: Durability,
}

/// Whether a commit waits for the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// A commit waits until the disk has it.
    #[default]
    Disk,
    /// A commit does not wait, so acknowledged events may be lost: the negative control of the
    /// power-cut test.
    Unsafe,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            backend: BackendKind::Sled,
            cache_bytes: 16 * 1024 * 1024,
            queue_max: 1024,
            reserve_bytes: 8 * 1024 * 1024,
            durability: Durability::Disk,
        }
    }
}

/// Which database keeps the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackendKind {
    /// sled 0.34.
    #[default]
    Sled,
    /// redb, with the feature `store-redb`.
    Redb,
}

impl BackendKind {
    /// The name, as the manifest spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sled => "sled",
            Self::Redb => "redb",
        }
    }

    /// The name of the file without which there is no database.
    pub(crate) fn file(self) -> &'static str {
        match self {
            Self::Sled => "db",
            Self::Redb => "store.redb",
        }
    }
}
