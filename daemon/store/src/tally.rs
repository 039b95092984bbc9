//! A count of commits that is kept twice, so that a log which ends too early is noticed.
//!
//! sled takes the first damaged place in the newest part of its file for the end of an interrupted
//! write and silently drops what follows. Every batch therefore counts itself in the database, and
//! a small file beside it, the witness, receives the count once the batch is durable. The witness
//! is never synced: after a power cut it may lag behind the database, but it can be ahead only if
//! the database has lost something. The tally decides nothing; opening refuses a store that lost
//! commits.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use tracing::warn;

use crate::backend::{Backend, Batch};
use crate::error::StoreError;
use crate::files::{remove, sync_dir};
use crate::keys;
use crate::sealed::put;
use crate::sealed::unseal;

const FILE: &str = "commits";
const COUNT_BYTES: usize = 8;
const CRC_BYTES: usize = 4;

/// The number of commits, and the file that witnesses it.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    commits: u64,
    witness: Option<File>,
}

impl Tally {
    /// Continues to count for a database in a directory.
    pub(crate) fn resume(database: &Path, commits: u64) -> io::Result<Self> {
        let path = path(database);
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).mode(0o600).open(&path)?;
        let tally = Self { commits, witness: Some(file) };
        tally.testify();
        sync_dir(database)?;
        Ok(tally)
    }

    /// Continues the same count for a copy of the database.
    pub(crate) fn move_to(&self, database: &Path) -> io::Result<Self> {
        Self::resume(database, self.commits)
    }

    /// Adds the new count to a batch.
    pub(crate) fn count(&self, batch: &mut Batch) {
        put(batch, keys::COMMITS.to_vec(), &(self.commits + 1).to_be_bytes());
    }

    /// Notes that the batch which was counted last is durable.
    pub(crate) fn committed(&mut self) {
        self.commits += 1;
        self.testify();
    }

    fn testify(&self) {
        let Some(file) = &self.witness else { return };
        let count = self.commits.to_be_bytes();
        let crc = crc32fast::hash(&count).to_be_bytes();
        if let Err(error) = file.write_all_at(&[&count[..], &crc].concat(), 0) {
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
    let count = bytes.try_into().map_err(|_| StoreError::damaged(what, "it is cut short"))?;
    Ok(u64::from_be_bytes(count))
}

/// Reads the count of the witness; `None` if it is missing or unreadable.
pub(crate) fn witnessed(database: &Path) -> Option<u64> {
    let bytes = fs::read(path(database)).ok()?;
    let (count, crc) = bytes.split_first_chunk::<COUNT_BYTES>()?;
    let crc: [u8; CRC_BYTES] = crc.try_into().ok()?;
    (crc32fast::hash(count) == u32::from_be_bytes(crc)).then(|| u64::from_be_bytes(*count))
}

/// Removes the witness, so that the database's own count is trusted.
pub(crate) fn dismiss_witness(database: &Path) -> io::Result<()> {
    remove(&path(database))
}

fn path(database: &Path) -> PathBuf {
    database.join(FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_speaks_of_the_last_commit_that_ended() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(witnessed(dir.path()), None);
        let mut tally = Tally::resume(dir.path(), 41).unwrap();
        tally.count(&mut Batch::default());
        assert_eq!(witnessed(dir.path()), Some(41));
        tally.committed();
        assert_eq!(witnessed(dir.path()), Some(42));
        fs::write(path(dir.path()), [0; 12]).unwrap();
        assert_eq!(witnessed(dir.path()), None, "a spoilt file says nothing");
    }
}
