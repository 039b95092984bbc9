//! Blobs that are kept as files, each named by its SHA-256 and written before the row that names
//! it.
//!
//! A file without a row is harmless: a crash came between the two, or the file is a copy for an
//! archive. A row without its file is damage. Nothing here decides when a blob is deleted.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use vosim_protocol::ids::Hash;

use crate::error::{OpenError, StoreError};
use crate::files::{entries, make_dir, remove, replace, sweep_unfinished};
use crate::folder::check_folder;

const DIR: &str = "blobs";
/// The first byte of a row that holds the blob itself.
const INLINE: u8 = 0;
/// The first byte of a row whose blob is a file.
const FILE: u8 = 1;

/// The blob files of a data directory.
#[derive(Clone, Debug)]
pub(crate) struct BlobFiles {
    root: PathBuf,
}

/// The content of a blob's row.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BlobRow<'a> {
    /// The bytes themselves.
    Inline(&'a [u8]),
    /// The bytes are in a file of this length.
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

    /// Writes a blob's file durably. A file that is already there is checked and, if it is damaged,
    /// replaced.
    pub(crate) fn write(&self, hash: Hash, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.path(hash);
        if fs::read(&path).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        let failed = |error: io::Error| StoreError::io("writing", &path, &error);
        make_dir(path.parent().unwrap_or(&self.root)).map_err(failed)?;
        replace(&path, |file| file.write_all(bytes)).map_err(failed)
    }

    /// Copies a blob's file from elsewhere, unless it is there already and intact.
    pub(crate) fn copy(&self, hash: Hash, bytes: &mut dyn Read) -> Result<(), StoreError> {
        if matches!(self.read(hash), Ok(Some(_))) {
            return Ok(());
        }
        let path = self.path(hash);
        let failed = |error: io::Error| StoreError::io("writing", &path, &error);
        make_dir(path.parent().unwrap_or(&self.root)).map_err(failed)?;
        replace(&path, |file| io::copy(bytes, file).map(drop)).map_err(failed)
    }

    /// Returns the bytes of a blob's file, checked against its name; `None` if there is no file.
    pub(crate) fn read(&self, hash: Hash) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(hash);
        match fs::read(&path) {
            Ok(bytes) if Hash::of(&bytes) == hash => Ok(Some(bytes)),
            Ok(_) => Err(StoreError::damaged(
                path.display().to_string(),
                "its bytes do not match its name",
            )),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("reading", &path, &error)),
        }
    }

    pub(crate) fn remove(&self, hash: Hash) -> Result<(), StoreError> {
        let path = self.path(hash);
        remove(&path).map_err(|error| StoreError::io("removing", &path, &error))
    }

    /// Lists every blob file by its hash.
    pub(crate) fn list(&self) -> io::Result<Vec<Hash>> {
        let mut hashes = Vec::new();
        for shelf in self.shelves()? {
            let names = entries(&shelf)?;
            hashes.extend(names.iter().filter_map(|path| {
                format!("sha256:{}", path.file_name()?.to_str()?).parse::<Hash>().ok()
            }));
        }
        Ok(hashes)
    }

    /// Removes what interrupted writes have left behind.
    pub(crate) fn sweep(&self) -> io::Result<()> {
        self.shelves()?.iter().try_for_each(|shelf| sweep_unfinished(shelf))
    }

    /// Checks that nothing stands in the way of the folders, and that each is ours to use.
    pub(crate) fn check_places(&self) -> Result<(), OpenError> {
        check_folder(&self.root)?;
        let shelves = self.shelves().map_err(OpenError::io("looking through", &self.root))?;
        shelves.iter().try_for_each(|shelf| check_folder(shelf))
    }

    /// The folders in which the files lie, by the first byte of their names; what others have put beside
    /// them is not looked at.
    fn shelves(&self) -> io::Result<Vec<PathBuf>> {
        let is_shelf = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.len() == 2 && u8::from_str_radix(name, 16).is_ok()
        };
        let mut shelves = entries(&self.root)?;
        shelves.retain(is_shelf);
        Ok(shelves)
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
