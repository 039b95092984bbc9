//! How a store is kept: which database, how much memory, how much room on the disk.

use serde::{Deserialize, Serialize};

/// How a store is kept.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which database a new store gets, and an old one after its next compaction.
    pub backend: BackendKind,
    /// Bytes of database pages kept in memory.
    pub cache_bytes: u64,
    /// Most writes that may wait; more are answered `Busy`.
    pub queue_max: usize,
    /// Bytes that must stay free on the disk; below that writes are refused before they are begun.
    pub reserve_bytes: u64,
    /// Only for the test that shows what happens without it.
    #[doc(hidden)]
    pub durability: Durability,
}

/// Whether a commit waits for the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// It does.
    #[default]
    Disk,
    /// It does not: the negative control of the power-cut test. What is answered may be lost.
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
    /// redb; present with the feature `store-redb`.
    Redb,
}

impl BackendKind {
    /// As the manifest spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sled => "sled",
            Self::Redb => "redb",
        }
    }
}
