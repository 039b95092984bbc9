//! A count of commits that is kept twice, so that a log which ends too early is noticed.
//!
//! sled takes the first damaged place in the newest part of its file for the end of an interrupted
//! write and silently drops what follows. Every batch therefore counts itself in the database, in a
//! row that bears a mark: it can be found in the database's file without the database, so the file
//! itself says whether commits stand behind a damaged place.
//!
//! A small file beside it, the witness, receives the count and the length of the database's file once
//! the batch is durable. It is written in place and synced when the database is opened and closed,
//! so it is never missing; after a power cut it may lag behind the database, but it can be ahead only
//! if the database has lost something. The tally decides nothing.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use tracing::warn;
use uuid::Uuid;
use vosim_protocol::ids::StoreId;

use crate::backend::{Backend, Batch};
use crate::error::StoreError;
use crate::files::sync_dir;
use crate::keys;
use crate::sealed::{self, put, unseal};

pub(crate) const FILE: &str = "commits";
const CRC_BYTES: usize = 4;
/// What the row of the count begins with. The first byte occurs in no text.
const MARK: [u8; 8] = *b"\xf5vosim#c";
/// The size of a row's content: mark, store, count.
const ROW_BYTES: usize = MARK.len() + 16 + 8;

/// The number of commits, and the file that witnesses it.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    commits: u64,
    store: StoreId,
    witness: Option<Witness>,
}

/// The file that witnesses, and the file whose length it tells.
#[derive(Debug)]
struct Witness {
    file: File,
    database: PathBuf,
}

/// A count of commits as a database holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) store: StoreId,
    pub(crate) commits: u64,
}

/// What the witness says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Witnessed {
    /// How many commits were durable.
    pub(crate) commits: u64,
    /// How long the database's file was then.
    pub(crate) bytes: u64,
}

impl Mark {
    /// Finds the counts in some bytes of a database's file.
    pub(crate) fn all_in(bytes: &[u8]) -> impl Iterator<Item = Self> {
        let mut from = 0;
        std::iter::from_fn(move || {
            loop {
                let at = from + bytes.get(from..)?.iter().position(|byte| *byte == MARK[0])?;
                from = at + 1;
                let Some(start) = at.checked_sub(sealed::HEADER_BYTES) else { continue };
                let Some(value) = bytes.get(start..at + ROW_BYTES) else { continue };
                if let Some(mark) = unseal(keys::COMMITS, value).ok().and_then(Self::parse) {
                    return Some(mark);
                }
            }
        })
    }

    /// Reads the content of the row of the count.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let (store, commits) = bytes.strip_prefix(&MARK)?.split_first_chunk::<16>()?;
        let commits = u64::from_be_bytes(commits.try_into().ok()?);
        Some(Self { store: StoreId(Uuid::from_bytes(*store)), commits })
    }

    fn bytes(&self) -> Vec<u8> {
        [&MARK[..], self.store.0.as_bytes(), &self.commits.to_be_bytes()].concat()
    }
}

impl Tally {
    /// Continues to count for a database: a directory and the name of its file.
    pub(crate) fn resume(
        directory: &Path,
        database: &str,
        store: StoreId,
        commits: u64,
    ) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).mode(0o600);
        let file = file.open(path(directory))?;
        let witness = Witness { file, database: directory.join(database) };
        let tally = Self { commits, store, witness: Some(witness) };
        tally.testify();
        tally.sync()?;
        sync_dir(directory)?;
        Ok(tally)
    }

    /// Continues the count of another database, of which this one's is a copy.
    pub(crate) fn go_on_from(&mut self, other: &Self) {
        self.commits = other.commits;
    }

    /// Adds the new count to a batch.
    pub(crate) fn count(&self, batch: &mut Batch) {
        let mark = Mark { store: self.store, commits: self.commits + 1 };
        put(batch, keys::COMMITS.to_vec(), &mark.bytes());
    }

    /// Notes that the batch which was counted last is durable.
    pub(crate) fn committed(&mut self) {
        self.commits += 1;
        self.testify();
    }

    /// Makes what the witness says durable.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.witness.as_ref().map_or(Ok(()), |witness| witness.file.sync_data())
    }

    fn testify(&self) {
        let Some(Witness { file, database }) = &self.witness else { return };
        let written = fs::metadata(database).and_then(|metadata| {
            let said = [self.commits.to_be_bytes(), metadata.len().to_be_bytes()].concat();
            let crc = crc32fast::hash(&said).to_be_bytes();
            file.write_all_at(&[&said[..], &crc].concat(), 0)
        });
        if let Err(error) = written {
            // The commit is done; merely the check at the next start is weaker.
            warn!(%error, "the count of commits could not be written");
        }
    }
}

/// Reads the count in the database.
pub(crate) fn counted(backend: &dyn Backend) -> Result<u64, StoreError> {
    let what = "the count of commits";
    let Some(value) = backend.get(keys::COMMITS)? else { return Ok(0) };
    let bytes = unseal(keys::COMMITS, &value).map_err(|why| StoreError::unsealed(what, &why))?;
    let mark = Mark::parse(bytes).ok_or_else(|| StoreError::damaged(what, "it is no count"))?;
    Ok(mark.commits)
}

/// Reads the witness; `None` if it is missing or unreadable.
pub(crate) fn witnessed(directory: &Path) -> Option<Witnessed> {
    let said = fs::read(path(directory)).ok()?;
    let (said, crc) = said.split_last_chunk::<CRC_BYTES>()?;
    let (commits, bytes) = said.split_first_chunk::<8>()?;
    let bytes = u64::from_be_bytes(bytes.try_into().ok()?);
    let fits = crc32fast::hash(said) == u32::from_be_bytes(*crc);
    fits.then_some(Witnessed { commits: u64::from_be_bytes(*commits), bytes })
}

fn path(directory: &Path) -> PathBuf {
    directory.join(FILE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Op;

    #[test]
    fn the_file_speaks_of_the_last_commit_that_ended() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(witnessed(dir.path()), None);
        fs::write(dir.path().join("db"), "12345").unwrap();
        let mut tally = Tally::resume(dir.path(), "db", StoreId::default(), 41).unwrap();
        tally.count(&mut Batch::default());
        assert_eq!(witnessed(dir.path()), Some(Witnessed { commits: 41, bytes: 5 }));
        tally.committed();
        assert_eq!(witnessed(dir.path()), Some(Witnessed { commits: 42, bytes: 5 }));
        fs::write(path(dir.path()), [0; 20]).unwrap();
        assert_eq!(witnessed(dir.path()), None, "a spoilt file says nothing");
    }

    #[test]
    fn a_count_is_found_wherever_it_stands() {
        let store = StoreId(Uuid::from_u128(7));
        let mut batch = Batch::default();
        Tally { commits: 8, store, witness: None }.count(&mut batch);
        let Some(Op::Put(_, row)) = batch.ops.pop() else { panic!("no row") };
        let bytes = [b"\xf5vosim#c", &row[..], b"\xf5", &row[..], &row[..20]].concat();
        let found: Vec<_> = Mark::all_in(&bytes).collect();
        assert_eq!(found, [Mark { store, commits: 9 }; 2]);
        let mut spoilt = row;
        spoilt[20] ^= 1;
        assert_eq!(Mark::all_in(&spoilt).next(), None);
    }
}
