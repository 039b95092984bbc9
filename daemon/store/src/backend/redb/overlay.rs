//! A redb file that can be opened without being written: what redb writes stays in memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use redb::StorageBackend;

/// The size of the pieces that are kept in memory.
const PIECE_BYTES: u64 = 4096;

/// A file with changes that are never written.
#[derive(Debug)]
pub(super) struct Overlay {
    file: File,
    /// How much of the file shows through.
    file_bytes: u64,
    changes: Mutex<Changes>,
}

#[derive(Debug)]
struct Changes {
    length: u64,
    /// How much of the file has never been cut off.
    shown: u64,
    pieces: BTreeMap<u64, Vec<u8>>,
}

impl Overlay {
    pub(super) fn over(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let changes = Changes { length, shown: length, pieces: BTreeMap::new() };
        Ok(Self { file, file_bytes: length, changes: Mutex::new(changes) })
    }

    /// The piece with a number, as it is now.
    fn piece(&self, changes: &Changes, number: u64) -> io::Result<Vec<u8>> {
        if let Some(piece) = changes.pieces.get(&number) {
            return Ok(piece.clone());
        }
        let mut piece = vec![0; usize::try_from(PIECE_BYTES).unwrap_or_default()];
        let at = number * PIECE_BYTES;
        let shown = changes.shown.min(self.file_bytes).saturating_sub(at).min(PIECE_BYTES);
        self.file.read_exact_at(&mut piece[..usize::try_from(shown).unwrap_or_default()], at)?;
        Ok(piece)
    }

    /// Shows each piece that a range touches, with the part of it that the range covers.
    fn each(
        offset: u64,
        length: usize,
        mut visit: impl FnMut(u64, std::ops::Range<usize>, std::ops::Range<usize>) -> io::Result<()>,
    ) -> io::Result<()> {
        let whole = usize::try_from(PIECE_BYTES).unwrap_or_default();
        let mut done = 0;
        while done < length {
            let at = offset + done as u64;
            let from = usize::try_from(at % PIECE_BYTES).unwrap_or_default();
            let part = (whole - from).min(length - done);
            visit(at / PIECE_BYTES, from..from + part, done..done + part)?;
            done += part;
        }
        Ok(())
    }
}

impl StorageBackend for Overlay {
    fn len(&self) -> io::Result<u64> {
        Ok(self.changes.lock().unwrap_or_else(PoisonError::into_inner).length)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        if offset + out.len() as u64 > changes.length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Self::each(offset, out.len(), |number, from, to| {
            out[to].copy_from_slice(&self.piece(&changes, number)?[from]);
            Ok(())
        })
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        // What was cut off reads as zeroes if the file grows again.
        if length < changes.length && !length.is_multiple_of(PIECE_BYTES) {
            let number = length / PIECE_BYTES;
            let mut piece = self.piece(&changes, number)?;
            piece[usize::try_from(length % PIECE_BYTES).unwrap_or_default()..].fill(0);
            changes.pieces.insert(number, piece);
        }
        drop(changes.pieces.split_off(&length.div_ceil(PIECE_BYTES)));
        changes.shown = changes.shown.min(length);
        changes.length = length;
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        Self::each(offset, data.len(), |number, to, from| {
            let mut piece = self.piece(&changes, number)?;
            piece[to].copy_from_slice(&data[from]);
            changes.pieces.insert(number, piece);
            Ok(())
        })
    }
}
