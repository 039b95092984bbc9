//! sled 0.34, the backend that is used by default, made durable.
//!
//! Two things are done here that sled does not do by itself on Linux:
//!
//! - `flush()` ends in `sync_file_range`, which promises nothing across a power cut. Every commit is
//!   followed by an `fdatasync` on a second descriptor of sled's `db` file.
//! - A tree node over a quarter of a segment (128 KiB) is written to a separate file that is never
//!   synced. A leaf holds up to 16 values before it splits, so a value over [`CHUNK_BYTES`] is cut
//!   into rows of that size, and no node can grow that large.
//!
//! `flush_async` is never called: seven such calls at once deadlock.

pub(crate) mod log;
pub(crate) mod pages;

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use sled::{Config, Db, IVec, Mode};
use tracing::warn;

use super::{Backend, BackendError, Batch, Op, Visit, contained};
use crate::files::{entries, sync_dir};
use crate::options::{BackendKind, Durability, Options};

use self::log::SNAPSHOT;

/// The largest row; 17 rows and their keys stay well below a quarter of a segment.
const CHUNK_BYTES: usize = 4 * 1024;
/// How often sled's own thread wakes to clean segments; durability does not depend on it.
const CLEAN_EVERY_MS: u64 = 1_000;
/// How long to wait for a lock that is held, and how long between two attempts.
const FREE_WITHIN: Duration = Duration::from_millis(750);
const FREE_STEP: Duration = Duration::from_millis(10);
/// The file in which sled keeps the size of its segments and its own version.
pub(crate) const SETTINGS: &str = "conf";
/// The folder in which sled keeps values that are too large for a segment.
pub(crate) const HEAP: &str = "blobs";
/// How the name of a file begins that was put aside to open the database without it.
pub(crate) const ASIDE: &str = "aside.";
/// The first byte of the keys of the chunks of a long value.
const CHUNK_PREFIX: u8 = 255;
/// The first byte of a row that holds the value itself.
const WHOLE: u8 = 0;
/// The first byte of a row that holds the number of the value's chunks.
const CHUNKED: u8 = 1;

/// One sled database and the descriptor by which it is synced.
pub(crate) struct SledBackend {
    db: Db,
    file: File,
    durability: Durability,
    /// Held for writing while a batch is applied: a long value is read row by row, and all of its
    /// rows must be of one moment.
    applying: RwLock<()>,
}

impl SledBackend {
    /// Opens or creates the database in the directory `path`.
    pub(crate) fn open(path: &Path, options: &Options) -> Result<Self, BackendError> {
        let log = path.join(BackendKind::Sled.file());
        if log.exists() {
            // sled writes and syncs a snapshot of what it finds here. After a crash the log may
            // still be in the page cache alone, and a snapshot must not outlive the log it
            // describes.
            let file = File::open(&log)?;
            file.sync_all()?;
        }
        let config = Config::new()
            .path(path)
            .mode(Mode::HighThroughput)
            .cache_capacity(options.cache_bytes)
            .flush_every_ms(Some(CLEAN_EVERY_MS));
        let db = open_db(path, &config)?;
        let file = File::open(log)?;
        file.sync_all()?;
        // sled writes it once, and never syncs it.
        match File::open(path.join(SETTINGS)) {
            Ok(settings) => settings.sync_all()?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        sync_dir(path)?;
        Ok(Self { db, file, durability: options.durability, applying: RwLock::default() })
    }

    /// Adds a change and removes the chunks of the present value that the new one does not replace.
    fn change(&self, batch: &mut sled::Batch, op: Op) -> Result<(), BackendError> {
        let present = self.db.get(op.key())?.map_or(Ok(None), |row| chunk_count(&row))?;
        let (key, kept) = match op {
            Op::Put(key, value) if value.len() <= CHUNK_BYTES => {
                batch.insert(&*key, [&[WHOLE], &*value].concat());
                (key, 0)
            }
            Op::Put(key, value) => {
                let chunks = value.chunks(CHUNK_BYTES);
                let count = u32::try_from(chunks.len()).expect("a value is far below 16 TiB");
                for (index, chunk) in (0..count).zip(chunks) {
                    batch.insert(chunk_key(&key, index), chunk);
                }
                batch.insert(&*key, [&[CHUNKED][..], &count.to_be_bytes()].concat());
                (key, count)
            }
            Op::Remove(key) => {
                batch.remove(&*key);
                (key, 0)
            }
        };
        for index in kept..present.unwrap_or(0) {
            batch.remove(chunk_key(&key, index));
        }
        Ok(())
    }

    /// Returns the value of a row that was read, or `None` if it has been removed since.
    fn assemble(&self, key: &[u8], row: &IVec) -> Result<Option<Vec<u8>>, BackendError> {
        if chunk_count(row)?.is_none() {
            return Ok(Some(row[1..].to_vec()));
        }
        let _one_moment = self.applying.read().unwrap_or_else(PoisonError::into_inner);
        // A commit may have changed the chunks since the row was read.
        let Some(row) = self.db.get(key)? else { return Ok(None) };
        let Some(count) = chunk_count(&row)? else { return Ok(Some(row[1..].to_vec())) };
        let mut value = Vec::new();
        for index in 0..count {
            let chunk = self.db.get(chunk_key(key, index))?;
            value.extend_from_slice(&chunk.ok_or_else(|| damaged("a part of a value is missing"))?);
        }
        Ok(Some(value))
    }
}

impl Backend for SledBackend {
    fn commit(&self, batch: Batch) -> Result<(), BackendError> {
        contained(|| {
            let mut sled_batch = sled::Batch::default();
            // Of several changes of a key the last one counts, and so it is with its chunks.
            let last: BTreeMap<_, _> =
                batch.ops.into_iter().map(|op| (op.key().to_vec(), op)).collect();
            for op in last.into_values() {
                self.change(&mut sled_batch, op)?;
            }
            {
                let _nobody_reads = self.applying.write().unwrap_or_else(PoisonError::into_inner);
                self.db.apply_batch(sled_batch)?;
            }
            self.db.flush()?;
            match self.durability {
                Durability::Disk => self.file.sync_data()?,
                Durability::Unsafe => {}
            }
            Ok(())
        })
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        contained(|| match self.db.get(key)? {
            Some(row) => self.assemble(key, &row),
            None => Ok(None),
        })
    }

    fn scan(&self, range: Range<&[u8]>, visit: &mut Visit<'_>) -> Result<(), BackendError> {
        contained(|| {
            for entry in self.db.range(range) {
                let (key, row) = entry?;
                let Some(value) = self.assemble(&key, &row)? else { continue };
                if visit(&key, &value) == ControlFlow::Break(()) {
                    break;
                }
            }
            Ok(())
        })
    }

    fn last_key(&self, range: Range<&[u8]>) -> Result<Option<Vec<u8>>, BackendError> {
        contained(|| {
            let last = self.db.range(range).next_back().transpose()?;
            Ok(last.map(|(key, _)| key.to_vec()))
        })
    }
}

impl fmt::Debug for SledBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SledBackend").field("durability", &self.durability).finish_non_exhaustive()
    }
}

impl From<sled::Error> for BackendError {
    fn from(error: sled::Error) -> Self {
        match error {
            // sled has no error kind for the lock that it takes on its file.
            sled::Error::Io(error) if error.to_string().contains("could not acquire lock") => {
                Self::InUse
            }
            sled::Error::Io(error) => Self::Io(plain(error)),
            sled::Error::Corruption { .. } => Self::Damaged(error.to_string()),
            other => Self::Failed(other.to_string()),
        }
    }
}

/// An error of the system as it came from there: sled answers later calls with the debug text of an
/// earlier error.
fn plain(error: io::Error) -> io::Error {
    let text = error.to_string();
    let number = text.split_once("Os { code: ").and_then(|(_, rest)| rest.split_once(','));
    match number.and_then(|(number, _)| number.parse().ok()) {
        Some(number) => io::Error::from_raw_os_error(number),
        None => error,
    }
}

/// Opens the database, without its snapshots and its settings if it cannot be opened with them.
///
/// A snapshot merely shortens the replay of the log, and the settings are always those of sled
/// itself, which writes them anew; damaged ones must not make the log unreadable.
fn open_db(path: &Path, config: &Config) -> Result<Db, BackendError> {
    let open = || open_when_free(config);
    let error = match open() {
        Err(error @ (BackendError::Damaged(_) | BackendError::Failed(_))) => error,
        other => return other,
    };
    let dispensable: Vec<(PathBuf, PathBuf)> = entries(path)?
        .into_iter()
        .filter_map(|from| {
            let name = from.file_name()?.to_str()?;
            let (is_settings, snapshot) = (name == SETTINGS, name.strip_prefix(SNAPSHOT));
            let name = if is_settings && is_damaged(&from) { name } else { snapshot? };
            let aside = path.join(format!("{ASIDE}{name}"));
            Some((from, aside))
        })
        .collect();
    for (from, aside) in &dispensable {
        fs::rename(from, aside)?;
    }
    open().map_err(|_| {
        // They were not the cause: everything is left as it was.
        for (from, aside) in &dispensable {
            if let Err(error) = fs::rename(aside, from) {
                warn!(%error, "a file of the database could not be put back");
            }
        }
        error
    })
}

/// Whether the checksum at the end of sled's settings does not fit. Sound ones may be those of
/// another sled, and are never replaced.
fn is_damaged(settings: &Path) -> bool {
    let Ok(bytes) = fs::read(settings) else { return false };
    let Some((text, crc)) = bytes.split_last_chunk() else { return true };
    crc32fast::hash(text) != u32::from_le_bytes(*crc)
}

/// Opens the database and waits a moment for the file's lock: sled's own threads may keep a
/// database of this process open a little longer than its last handle lives.
fn open_when_free(config: &Config) -> Result<Db, BackendError> {
    let until = Instant::now() + FREE_WITHIN;
    loop {
        match contained(|| config.open().map_err(BackendError::from)) {
            Err(BackendError::InUse) if Instant::now() < until => thread::park_timeout(FREE_STEP),
            other => return other,
        }
    }
}

fn chunk_key(key: &[u8], index: u32) -> Vec<u8> {
    [&[CHUNK_PREFIX], key, &index.to_be_bytes()].concat()
}

/// Returns the number of chunks that a row stands for; `None` if the row holds the value itself.
fn chunk_count(row: &[u8]) -> Result<Option<u32>, BackendError> {
    match row {
        [WHOLE, ..] => Ok(None),
        [CHUNKED, count @ ..] => {
            let count = count.try_into().map_err(|_| damaged("a row of chunks is too short"))?;
            Ok(Some(u32::from_be_bytes(count)))
        }
        _ => Err(damaged("a row begins with an unknown byte")),
    }
}

fn damaged(reason: &str) -> BackendError {
    BackendError::Damaged(reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_chunk_outlives_its_value() {
        let dir = tempfile::tempdir().unwrap();
        let options = Options { durability: Durability::Unsafe, ..Options::default() };
        let backend = SledBackend::open(dir.path(), &options).unwrap();
        let put = |chunks: usize| Op::Put(b"k".to_vec(), vec![7; chunks * CHUNK_BYTES]);
        let remove = || Op::Remove(b"k".to_vec());
        let rows = |ops| {
            backend.commit(Batch { ops, ..Batch::default() }).unwrap();
            backend.db.len()
        };
        assert_eq!(rows(vec![put(5)]), 6);
        assert_eq!(rows(vec![put(3)]), 4);
        assert_eq!(rows(vec![put(1)]), 1);
        assert_eq!(rows(vec![put(4), put(2)]), 3);
        assert_eq!(rows(vec![remove(), put(1), put(6), put(0)]), 1);
        assert_eq!(rows(vec![put(9), remove()]), 0);
    }

    #[test]
    fn a_long_value_is_read_whole_or_not_at_all_while_it_is_replaced_and_removed() {
        let dir = tempfile::tempdir().unwrap();
        let options = Options { durability: Durability::Unsafe, ..Options::default() };
        let backend = SledBackend::open(dir.path(), &options).unwrap();
        let key = b"k".to_vec();
        let commit = |op| backend.commit(Batch { ops: vec![op], ..Batch::default() }).unwrap();
        thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for length in (1..8).cycle().take(300) {
                    commit(Op::Put(key.clone(), vec![length; usize::from(length) * CHUNK_BYTES]));
                    commit(Op::Remove(key.clone()));
                }
            });
            let whole = |value: &[u8]| {
                assert!(value.iter().all(|byte| *byte == value[0]));
                assert_eq!(value.len(), usize::from(value[0]) * CHUNK_BYTES);
            };
            while !writer.is_finished() {
                if let Some(value) = backend.get(&key).unwrap() {
                    whole(&value);
                }
                let visit = &mut |_: &[u8], value: &[u8]| {
                    whole(value);
                    ControlFlow::Continue(())
                };
                backend.scan(b"a"..b"z", visit).unwrap();
            }
        });
    }
}
