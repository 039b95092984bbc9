//! The seam between the log and a database: an ordered map of bytes with durable, atomic batches.
//!
//! A backend stores what it is given and interprets none of it. The rules of the log (conditional
//! append, checksums, contiguity, references to blobs) live above this seam and are written once,
//! so no backend can read them differently.

use std::fmt;
use std::io;
use std::ops::{ControlFlow, Range};
use std::panic::{AssertUnwindSafe, catch_unwind};

use vosim_protocol::ids::StoreId;

pub(crate) mod memory;
#[cfg(feature = "store-redb")]
pub(crate) mod redb;
pub(crate) mod sled;

/// What a look at a database's file has found, which changes nothing.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    /// The highest count of commits that would be found on opening.
    pub(crate) whole: u64,
    /// The highest count that would be thrown away.
    pub(crate) behind: u64,
    /// The store whose commits these are.
    pub(crate) store: Option<StoreId>,
    /// Whether something was being written, or is damaged, at the very end.
    pub(crate) torn: bool,
    /// The log number at which the newest part is damaged.
    pub(crate) damaged_at: Option<u64>,
    /// Why opening could lose something.
    pub(crate) doubt: Option<String>,
}

impl Looked {
    /// Notes a doubt; the first is the one to report.
    pub(crate) fn doubt(&mut self, why: String) {
        self.doubt.get_or_insert(why);
    }
}

/// Is shown one key and its value, and says whether to continue.
pub type Visit<'a> = dyn FnMut(&[u8], &[u8]) -> ControlFlow<()> + 'a;

/// A database that can hold the event log.
///
/// No key begins with the byte 255; the backend may use such keys for itself.
pub trait Backend: Send + Sync + fmt::Debug + 'static {
    /// Applies a whole batch or none of it. Once this has returned, the batch survives a power cut.
    ///
    /// The store calls it from one thread at a time. After an error the state on disk is unknown
    /// until the database has been opened again.
    fn commit(&self, batch: Batch) -> Result<(), BackendError>;

    /// Returns the value of a key.
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError>;

    /// Visits the keys of a range in order.
    fn scan(&self, range: Range<&[u8]>, visit: &mut Visit<'_>) -> Result<(), BackendError>;

    /// Returns the last key of a range.
    fn last_key(&self, range: Range<&[u8]>) -> Result<Option<Vec<u8>>, BackendError>;
}

/// One change in a [`Batch`].
#[derive(Clone, PartialEq, Eq)]
pub enum Op {
    /// Sets a key.
    Put(Vec<u8>, Vec<u8>),
    /// Removes a key if it exists.
    Remove(Vec<u8>),
}

impl Op {
    /// The key that is changed.
    pub fn key(&self) -> &[u8] {
        match self {
            Self::Put(key, _) | Self::Remove(key) => key,
        }
    }
}

/// Changes that become durable together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The changes, in the order in which they are applied: the last change of a key wins.
    pub ops: Vec<Op>,
    bytes: usize,
}

impl Batch {
    /// Sets a key.
    pub fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.bytes += key.len() + value.len();
        self.ops.push(Op::Put(key, value));
    }

    /// Removes a key.
    pub fn remove(&mut self, key: Vec<u8>) {
        self.bytes += key.len();
        self.ops.push(Op::Remove(key));
    }

    /// Adds the changes of another batch after these.
    pub fn extend(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.ops.extend(other.ops);
    }

    /// The size of all keys and values.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }
}

/// Prints sizes alone, since a value may be a candidate's code.
impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Put(key, value) => write!(f, "Put({} + {} bytes)", key.len(), value.len()),
            Self::Remove(key) => write!(f, "Remove({} bytes)", key.len()),
        }
    }
}

/// What went wrong inside a database.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// The operating system refused.
    #[error("{}", vosim_protocol::trouble::cause(.0))]
    Io(#[from] io::Error),
    /// Another process, or another handle in this one, has the database open.
    #[error("the database is open elsewhere")]
    InUse,
    /// The database found its own file damaged.
    #[error("the database file is damaged: {0}")]
    Damaged(String),
    /// The database gave up in the middle of its work.
    #[error("the database failed: {0}")]
    Failed(String),
}

/// Calls into a database and turns a panic inside it into an error.
///
/// sled panics over files that it cannot make sense of, when opening and when reading.
pub(crate) fn contained<T>(
    call: impl FnOnce() -> Result<T, BackendError>,
) -> Result<T, BackendError> {
    catch_unwind(AssertUnwindSafe(call))
        .unwrap_or_else(|panic| Err(BackendError::Failed(panic_text(panic.as_ref()))))
}

/// The message of a panic.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;

    /// Every backend of this build, empty.
    fn all(dir: &std::path::Path) -> Vec<Box<dyn Backend>> {
        let options = Options { durability: crate::Durability::Unsafe, ..Options::default() };
        vec![
            Box::new(super::memory::MemoryBackend::default()),
            Box::new(super::sled::SledBackend::open(&dir.join("sled"), &options).unwrap()),
            #[cfg(feature = "store-redb")]
            Box::new(super::redb::RedbBackend::open(&dir.join("redb"), &options).unwrap()),
        ]
    }

    #[test]
    fn the_last_change_of_a_key_wins_whatever_the_lengths() {
        const LENGTHS: [Option<usize>; 6] =
            [Some(0), Some(4096), Some(4097), Some(9000), None, Some(40_000)];
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("redb")).unwrap();
        for backend in all(dir.path()) {
            let found = || {
                let mut found = Vec::new();
                let visit = &mut |key: &[u8], value: &[u8]| {
                    found.push((key.to_vec(), value.to_vec()));
                    ControlFlow::Continue(())
                };
                backend.scan(b"a"..b"z", visit).unwrap();
                found
            };
            let changes = LENGTHS.iter().flat_map(|first| LENGTHS.map(|second| (*first, second)));
            for (n, (first, second)) in (0..).zip(changes) {
                let value = |length: usize, byte| vec![byte; length];
                let mut batch = Batch::default();
                for (length, byte) in [(first, n), (second, n + 100)] {
                    match length {
                        Some(length) => batch.put(b"k".to_vec(), value(length, byte)),
                        None => batch.remove(b"k".to_vec()),
                    }
                }
                batch.put(b"l".to_vec(), value(n.into(), n));
                backend.commit(batch).unwrap();
                let present = second.map(|length| value(length, n + 100));
                assert_eq!(
                    backend.get(b"k").unwrap(),
                    present,
                    "{backend:?}: {first:?} {second:?}"
                );
                let expected = present.map(|value| (b"k".to_vec(), value)).into_iter();
                let expected: Vec<_> =
                    expected.chain([(b"l".to_vec(), value(n.into(), n))]).collect();
                assert_eq!(found(), expected, "{backend:?}");
            }
        }
    }
}
