//! Blobs as files: named by their SHA-256, written before the row that mentions them.
//!
//! A file may lie here without a row (a crash between the two, or a copy kept for an archive); a row
//! without its file is damage.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use vosim_protocol::ids::Hash;

use crate::error::StoreError;
use crate::files::{entries, make_dir, remove, replace, sweep_unfinished};

const DIR: &str = "blobs";
/// First byte of the row of a blob that is the blob.
const INLINE: u8 = 0;
/// First byte of the row of a blob that is a file.
const FILE: u8 = 1;

/// The tree of blob files of a data directory.
#[derive(Clone, Debug)]
pub(crate) struct BlobFiles {
    root: PathBuf,
}

/// What the row of a blob says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BlobRow<'a> {
    /// These are the bytes.
    Inline(&'a [u8]),
    /// The bytes are in a file, so many of them.
    File(u64),
}

impl<'a> BlobRow<'a> {
    pub(crate) fn parse(bytes: &'a [u8]) -> Option<Self> {
        match bytes {
            [INLINE, bytes @ ..] => Some(Self::Inline(bytes)),
            [FILE, length @ ..] => Some(Self::File(u64::from_be_bytes(length.try_into().ok()?))),
            _ => None,
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Inline(bytes) => [&[INLINE], *bytes].concat(),
            Self::File(length) => [&[FILE][..], &length.to_be_bytes()].concat(),
        }
    }
}

impl BlobFiles {
    pub(crate) fn in_dir(dir: &Path) -> Self {
        Self { root: dir.join(DIR) }
    }

    pub(crate) fn path(&self, hash: Hash) -> PathBuf {
        let name = hash.hex();
        self.root.join(&name[..2]).join(name)
    }

    /// Makes a blob's file durable; one that is there already is checked, and mended if it must be.
    pub(crate) fn write(&self, hash: Hash, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.path(hash);
        if fs::read(&path).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        let failed = |error: io::Error| StoreError::io("writing", &path, &error);
        make_dir(path.parent().unwrap_or(&self.root)).map_err(failed)?;
        replace(&path, |file| file.write_all(bytes)).map_err(failed)
    }

    /// The bytes of a blob's file, checked against its name; nothing when there is no such file.
    pub(crate) fn read(&self, hash: Hash) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(hash);
        match fs::read(&path) {
            Ok(bytes) if Hash::of(&bytes) == hash => Ok(Some(bytes)),
            Ok(_) => Err(StoreError::damaged(
                path.display().to_string(),
                "its bytes are not those its name promises",
            )),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("reading", &path, &error)),
        }
    }

    pub(crate) fn remove(&self, hash: Hash) -> Result<(), StoreError> {
        let path = self.path(hash);
        remove(&path).map_err(|error| StoreError::io("removing", &path, &error))
    }

    /// Every blob file, by name.
    pub(crate) fn list(&self) -> io::Result<Vec<Hash>> {
        let mut hashes = Vec::new();
        for shelf in entries(&self.root)? {
            let names = entries(&shelf)?;
            hashes.extend(names.iter().filter_map(|path| {
                format!("sha256:{}", path.file_name()?.to_str()?).parse::<Hash>().ok()
            }));
        }
        Ok(hashes)
    }

    /// Removes what interrupted writes have left.
    pub(crate) fn sweep(&self) -> io::Result<()> {
        entries(&self.root)?.iter().try_for_each(|shelf| sweep_unfinished(shelf))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_not_taken_for_the_blob_and_is_mended_when_written_again() {
        let dir = tempfile::tempdir().unwrap();
        let files = BlobFiles::in_dir(dir.path());
        let hash = Hash::of(b"code");
        files.write(hash, b"code").unwrap();
        assert_eq!(files.read(hash).unwrap().unwrap(), b"code");
        fs::write(files.path(hash), b"cod").unwrap();
        assert!(matches!(files.read(hash), Err(StoreError::Damaged { .. })));
        files.write(hash, b"code").unwrap();
        assert_eq!(files.read(hash).unwrap().unwrap(), b"code");
        assert_eq!(files.list().unwrap(), [hash]);
        files.remove(hash).unwrap();
        assert_eq!(files.read(hash).unwrap(), None);
    }

    #[test]
    fn a_row_reads_back_what_it_says() {
        for row in [BlobRow::Inline(b""), BlobRow::Inline(b"x"), BlobRow::File(1 << 40)] {
            assert_eq!(BlobRow::parse(&row.to_bytes()), Some(row));
        }
        assert_eq!(BlobRow::parse(&[FILE, 1]), None);
    }
}
