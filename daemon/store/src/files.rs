//! The few file operations that must survive a power cut.
//!
//! A file is written, synced and renamed, and then its directory is synced. What the files mean is
//! known elsewhere.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The extension of a file that is being written; leftovers are swept when the store is opened.
const UNFINISHED: &str = "unfinished";

/// Replaces or creates a file, whole or not at all.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let unfinished = unfinished(path);
    let written = write_synced(&unfinished, write)
        .and_then(|()| fs::rename(&unfinished, path))
        .and_then(|()| sync_dir(parent(path)));
    if written.is_err() {
        // The first error is the one to report; a leftover is swept at the next start.
        drop(fs::remove_file(&unfinished));
    }
    written
}

fn write_synced(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(true).mode(0o600).open(path)?;
    let mut writer = BufWriter::new(file);
    write(&mut writer)?;
    writer.into_inner()?.sync_all()
}

/// Returns a name that no other write uses, since two may be writing the same file at once.
fn unfinished(path: &Path) -> PathBuf {
    static WRITES: AtomicU64 = AtomicU64::new(0);
    let number = WRITES.fetch_add(1, Ordering::Relaxed);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{number}.{UNFINISHED}"));
    name.into()
}

/// Creates a directory that only its owner may enter, with its parents, durably.
pub(crate) fn make_dir(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    make_dir(parent(path))?;
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => sync_dir(path)?,
    }
    sync_dir(parent(path))
}

/// Makes the entries of a directory durable.
pub(crate) fn sync_dir(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Removes a file durably, if it exists.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Ok(()) => sync_dir(parent(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Removes a directory with everything in it durably, if it exists.
pub(crate) fn remove_tree(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Ok(()) => sync_dir(parent(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Removes what interrupted calls of [`replace`] have left in a directory.
pub(crate) fn sweep_unfinished(dir: &Path) -> io::Result<()> {
    for path in entries(dir)? {
        if path.extension().is_some_and(|extension| extension == UNFINISHED) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Lists the paths in a directory, sorted; none if the directory does not exist.
pub(crate) fn entries(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let listing = match fs::read_dir(dir) {
        Ok(listing) => listing,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut paths = listing.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}

/// Measures how much room a file, or a directory with everything in it, takes up on disk.
pub(crate) fn bytes_on_disk(path: &Path) -> io::Result<u64> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        // A database creates and removes files while it works.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let mut bytes = metadata.blocks() * 512;
    if metadata.is_dir() {
        for entry in entries(path)? {
            bytes += bytes_on_disk(&entry)?;
        }
    }
    Ok(bytes)
}

/// Returns the directory that a path is in.
pub(crate) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Writes a line and its line end.
pub(crate) fn write_line(writer: &mut impl Write, line: &[u8]) -> io::Result<()> {
    writer.write_all(line)?;
    writer.write_all(b"\n")
}
