//! The few file operations that must survive a power cut.
//!
//! A file is written, synced and renamed, and then its directory is synced. What the files mean is
//! known elsewhere.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::unistd::{AccessFlags, access};
use vosim_protocol::trouble::{Location, Onlooker, Seen, Trouble};

/// The extension of a file that is being written; leftovers are swept when the store is opened.
const UNFINISHED: &str = "unfinished";

/// Why the system refused something in the data folder, as far as this process can see.
pub(crate) fn trouble(error: &io::Error, path: &Path) -> Trouble {
    trouble_at(Location::Data, error, path)
}

/// The same of any place.
pub(crate) fn trouble_at(place: Location, error: &io::Error, path: &Path) -> Trouble {
    let look = |path: &Path| {
        path.metadata().ok().map(|meta| Seen { owner: meta.uid(), mode: meta.mode() })
    };
    let uid = nix::unistd::geteuid().as_raw();
    Trouble::of(error, path, place, Onlooker { uid, look: &look })
}

/// Replaces or creates a file, whole or not at all.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    put(path, write, |unfinished| fs::rename(unfinished, path))
}

/// Creates a file, whole or not at all; whatever already bears the name is an error and stays.
pub(crate) fn create(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let vacant = || match path.symlink_metadata() {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    };
    vacant()?;
    put(path, write, |unfinished| match fs::hard_link(unfinished, path) {
        Ok(()) => fs::remove_file(unfinished),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Not every file system knows hard links.
        Err(_) => vacant().and_then(|()| fs::rename(unfinished, path)),
    })
}

fn put(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    name: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let ready = Ready::write(path, write)?;
    name(&ready.unfinished)?;
    sync_dir(parent(path))
}

/// A file that is whole and durable beside the one whose place it is to take.
#[derive(Debug)]
pub(crate) struct Ready {
    unfinished: PathBuf,
    path: PathBuf,
}

impl Ready {
    pub(crate) fn write(
        path: &Path,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> io::Result<Self> {
        let (file, unfinished) = unfinished(path)?;
        let ready = Self { unfinished, path: path.to_owned() };
        let mut writer = BufWriter::new(file);
        write(&mut writer)?;
        writer.into_inner()?.sync_all()?;
        Ok(ready)
    }

    /// Takes its place, which is the work of a moment.
    pub(crate) fn replace(&self) -> io::Result<()> {
        fs::rename(&self.unfinished, &self.path)?;
        sync_dir(parent(&self.path))
    }
}

impl Drop for Ready {
    fn drop(&mut self) {
        // It is gone if it has its name; what is left of another is swept at the next start.
        drop(fs::remove_file(&self.unfinished));
    }
}

/// Creates a file beside its place, under a name that nothing bears, not even a link.
fn unfinished(path: &Path) -> io::Result<(File, PathBuf)> {
    static WRITES: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = WRITES.fetch_add(1, Ordering::Relaxed);
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{number}.{UNFINISHED}"));
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => return other.map(|file| (file, name.into())),
        }
    }
}

/// Whether a path, of which not all need exist, lies in a folder.
pub(crate) fn is_inside(path: &Path, folder: &Path) -> bool {
    let Ok(folder) = fs::canonicalize(folder) else { return false };
    let Ok(path) = std::path::absolute(path) else { return false };
    let there = path.ancestors().find_map(|above| fs::canonicalize(above).ok());
    there.is_some_and(|there| there.starts_with(folder))
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

/// Makes the entries of a directory durable. A pipe in its place is none, and keeps nobody waiting.
pub(crate) fn sync_dir(path: &Path) -> io::Result<()> {
    File::options().read(true).custom_flags(OFlag::O_DIRECTORY.bits()).open(path)?.sync_all()
}

/// Opens a file for reading. What is none must not make whoever reads it wait for ever: a pipe in its place is
/// empty.
pub(crate) fn open_at_once(path: &Path) -> io::Result<File> {
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    File::options().read(true).custom_flags(flags.bits()).open(path)
}

/// A file of ours that was opened; whatever else stands in its place is an error, also where it cannot
/// be opened for what it is.
pub(crate) fn ours(opened: io::Result<File>) -> io::Result<File> {
    match opened {
        Ok(file) if file.metadata()?.is_file() => Ok(file),
        Err(error) if !stands_in_the_way(&error) => Err(error),
        Ok(_) | Err(_) => Err(io::ErrorKind::AlreadyExists.into()),
    }
}

/// Whether there is a folder, a socket, or a device that has gone.
fn stands_in_the_way(error: &io::Error) -> bool {
    let number = error.raw_os_error().map(Errno::from_raw);
    matches!(number, Some(Errno::EISDIR | Errno::ENXIO | Errno::ENODEV))
}

/// Checks that there is nothing at a path, or something of the right kind that may be used so; a link that
/// leads nowhere is neither.
pub(crate) fn check_kind(
    path: &Path,
    is_right: fn(&Metadata) -> bool,
    used: AccessFlags,
) -> io::Result<()> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(_) | Err(_) => {}
    }
    match path.metadata() {
        Ok(found) if is_right(&found) => Ok(access(path, used)?),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(_) | Err(_) => Err(io::ErrorKind::AlreadyExists.into()),
    }
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

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn a_pipe_in_the_place_of_a_file_or_a_folder_keeps_nobody_waiting() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert_eq!(sync_dir(&pipe).unwrap_err().kind(), io::ErrorKind::NotADirectory);
        assert_eq!(make_dir(&pipe).unwrap_err().kind(), io::ErrorKind::NotADirectory);
        assert_eq!(open_at_once(&pipe).unwrap().read(&mut [0]).unwrap(), 0);
        let other = ours(open_at_once(&pipe)).unwrap_err();
        let Trouble { cause, mend } = trouble(&other, &pipe);
        assert_eq!(cause, "something else stands in its place");
        assert!(mend.unwrap().starts_with("move it away: mv "));
        sync_dir(dir.path()).unwrap();
    }
}
