//! Packages in folders: read within bounds, told apart by their bytes, and kept on a shelf.
//!
//! A [`Shelf`] is a folder of packages by their ids. A package gets there whole or not at all. Whether
//! it is proved is not known here.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uuid::Uuid;
use vosim_protocol::ids::{Hash, ProblemId};
use vosim_protocol::trouble::Location;

use super::files::{ContentError, Files};
use super::layout::INTERFACE;
use super::package::Package;
use super::read;
use crate::runtime_dir::make_private_dir;

/// A package as it stands in a folder.
#[derive(Debug)]
pub struct Folder {
    /// The package.
    pub package: Arc<Package>,
    /// The hash of all its files that were read, with their names.
    pub hash: Hash,
    files: Files,
}

impl Folder {
    /// Reads a package from a folder; blocks. The first mistake ends it.
    pub fn read(dir: &Path) -> Result<Self, ContentError> {
        let files = Files::from_dir(dir)?;
        Ok(Self { package: Arc::new(read::package(&files)?), hash: files.hash(), files })
    }
}

/// Where people's own packages are kept, each in a folder of its id.
#[derive(Clone, Debug)]
pub struct Shelf(PathBuf);

impl Shelf {
    /// Returns the shelf of a data folder; it need not be there yet.
    pub fn of(data: &Path) -> Self {
        Self(data.join(vosim_store::PACKAGES))
    }

    /// Returns the folder of a package, whether it is there or not.
    pub fn place(&self, id: &ProblemId) -> PathBuf {
        self.0.join(id.as_str())
    }

    /// Returns the ids of all packages, in order; none where there is no shelf.
    pub fn ids(&self) -> Vec<ProblemId> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let mut ids: Vec<ProblemId> =
            entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
        ids.sort();
        ids
    }

    /// Reads a package from its place; blocks.
    pub fn read(&self, id: &ProblemId) -> Result<Folder, ContentError> {
        let folder = Folder::read(&self.place(id))?;
        if folder.package.problem.id == *id {
            return Ok(folder);
        }
        Err(ContentError::invalid(INTERFACE, "id", format!("must be '{id}' like its folder")))
    }

    /// Puts the files of a package that were read in its place, durably, unless something is there.
    pub fn put(&self, folder: &Folder) -> io::Result<()> {
        make_private_dir(&self.0, Location::Data).map_err(io::Error::other)?;
        let beside = self.beside();
        let written = write(&beside, &folder.files)
            .and_then(|()| fs::rename(&beside, self.place(&folder.package.problem.id)))
            .and_then(|()| File::open(&self.0)?.sync_all());
        if written.is_err() {
            // What was written so far is of no use; what failed is told.
            fs::remove_dir_all(&beside).ok();
        }
        written
    }

    /// Takes a package away.
    pub fn remove(&self, id: &ProblemId) -> io::Result<()> {
        let beside = self.beside();
        fs::rename(self.place(id), &beside)?;
        File::open(&self.0)?.sync_all()?;
        fs::remove_dir_all(&beside)
    }

    /// A name that no package has.
    fn beside(&self) -> PathBuf {
        self.0.join(format!(".{}", Uuid::new_v4()))
    }
}

fn write(dir: &Path, files: &Files) -> io::Result<()> {
    let mut folders = DirBuilder::new();
    folders.recursive(true).mode(0o700);
    for (path, bytes) in files.all() {
        let path = dir.join(path);
        let parent = path.parent().unwrap_or(dir);
        folders.create(parent)?;
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        File::open(parent)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_on_the_shelf_is_the_one_that_was_read_and_goes_as_a_whole() {
        let dir = tempfile::tempdir().unwrap();
        let shelf = Shelf::of(dir.path());
        assert!(shelf.ids().is_empty());
        let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("content/problems");
        let folder = Folder::read(&content.join("giftboxes")).unwrap();
        let other = Folder::read(&content.join("lrucache")).unwrap();
        assert_ne!(folder.hash, other.hash);
        let id = folder.package.problem.id.clone();
        shelf.put(&folder).unwrap();
        shelf.put(&folder).unwrap_err();
        assert_eq!(shelf.ids(), std::slice::from_ref(&id));
        let kept = shelf.read(&id).unwrap();
        assert_eq!((kept.hash, &kept.package.programs), (folder.hash, &folder.package.programs));

        // One byte makes it another package.
        let path = shelf.place(&id).join("statement/problem.en.md");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}\n")).unwrap();
        assert_ne!(shelf.read(&id).unwrap().hash, folder.hash);
        let moved: ProblemId = "elsewhere".parse().unwrap();
        fs::rename(shelf.place(&id), shelf.place(&moved)).unwrap();
        let error = shelf.read(&moved).unwrap_err().to_string();
        assert_eq!(error, ".vosim/interface.toml: id: must be 'elsewhere' like its folder");

        shelf.remove(&moved).unwrap();
        shelf.remove(&moved).unwrap_err();
        assert_eq!(fs::read_dir(dir.path().join("problems")).unwrap().count(), 0);
    }
}
