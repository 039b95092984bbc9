//! A finished session as a file of JSON lines: the form that outlives every database.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use vosim_protocol::Wire as _;
use vosim_protocol::ids::{EventId, Hash, SessionId};
use vosim_protocol::record::check_chain;

use crate::backend::Batch;
use crate::committer::{Committer, put};
use crate::error::StoreError;
use crate::files::{make_dir, parent, replace, write_line};
use crate::keys;
use crate::read::Pruned;
use crate::store::{Shared, Store};

const DIR: &str = "exports";

impl Store {
    /// Writes the full records of a session to `<session>.jsonl` in any directory.
    ///
    /// The file is whole or not there: written, synced, renamed, the directory synced.
    pub fn export(&self, session: SessionId, dir: &Path) -> Result<PathBuf, StoreError> {
        let lines = self.shared().whole_log(session)?;
        let path = dir.join(file_name(session));
        write_lines(&path, &lines)?;
        Ok(path)
    }

    /// Puts an ended session into the store's own `exports` folder and returns the file.
    ///
    /// Its blobs become files too, so that [`crate::rebuild`] finds them without the database.
    /// Blocks; may be repeated.
    pub fn archive(&self, session: SessionId) -> Result<PathBuf, StoreError> {
        self.alone(move |committer| committer.archive(session))
    }

    /// Removes the events of an archived session from the database.
    ///
    /// The archive is compared with the log first; from then on reading means reading the archive.
    /// Blocks; may be repeated.
    pub fn prune(&self, session: SessionId) -> Result<(), StoreError> {
        self.alone(move |committer| committer.prune(session))
    }

    /// Where the archive of a session lies or would lie; nothing for a store in memory.
    pub fn archive_path(&self, session: SessionId) -> Option<PathBuf> {
        self.shared().archive_path(session)
    }
}

impl Committer {
    fn archive(&self, session: SessionId) -> Result<PathBuf, StoreError> {
        let path = archive_path_of(&self.shared, session)?;
        let head = self.shared.head(session)?.ok_or(StoreError::Unknown { session })?;
        if !head.ended {
            return Err(StoreError::NotEnded { session });
        }
        if let Some(files) = &self.shared.files {
            for hash in self.shared.references(session)? {
                files.write(hash, &self.shared.blob(hash)?)?;
            }
        }
        if self.shared.pruned(session)?.is_none() {
            write_lines(&path, &self.shared.whole_log(session)?)?;
        }
        Ok(path)
    }

    fn prune(&mut self, session: SessionId) -> Result<(), StoreError> {
        self.writable()?;
        if self.shared.pruned(session)?.is_some() {
            return Ok(());
        }
        let head = self.shared.head(session)?.ok_or(StoreError::Unknown { session })?;
        if !head.ended {
            return Err(StoreError::NotEnded { session });
        }
        let log = self.shared.whole_log(session)?;
        let missing = |reason: &str| StoreError::NotArchived { session, reason: reason.to_owned() };
        let path = archive_path_of(&self.shared, session)?;
        let archived = match read_lines(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(missing("there is no export of it"));
            }
            other => other.map_err(|error| StoreError::io("reading", &path, &error))?,
        };
        if archived != log {
            return Err(missing("its export is not of the whole log"));
        }
        let last = check(session, &log)?;
        let mark = Pruned { cursor: EventId(log.len() as u64), last };
        let mut batch = Batch::default();
        let range = keys::events_after(session, EventId::ZERO);
        self.shared.keys(&range)?.into_iter().for_each(|key| batch.remove(key));
        put(&mut batch, keys::pruned(session), &mark.to_line());
        self.forget(session);
        self.apply(batch)
    }
}

impl Shared {
    /// All lines of a session, from the log or from its archive.
    pub(crate) fn whole_log(&self, session: SessionId) -> Result<Vec<Vec<u8>>, StoreError> {
        let lines = self.read(session, EventId::ZERO, usize::MAX, usize::MAX)?;
        if lines.is_empty() { Err(StoreError::Unknown { session }) } else { Ok(lines) }
    }

    pub(crate) fn archive_path(&self, session: SessionId) -> Option<PathBuf> {
        self.dir.as_ref().map(|dir| dir.join(DIR).join(file_name(session)))
    }
}

/// The folder of the archives of a data directory.
pub(crate) fn archives_in(dir: &Path) -> PathBuf {
    dir.join(DIR)
}

/// The log of a pruned session, checked against what the database remembers of it.
pub(crate) fn read_archive(
    shared: &Shared,
    session: SessionId,
) -> Result<Vec<Vec<u8>>, StoreError> {
    let mark = shared.pruned(session)?.ok_or(StoreError::Unknown { session })?;
    let path = archive_path_of(shared, session)?;
    let lines = read_lines(&path).map_err(|error| StoreError::io("reading", &path, &error))?;
    let spoiled = |reason: &str| StoreError::damaged(path.display().to_string(), reason);
    if lines.len() as u64 != mark.cursor.0 {
        return Err(spoiled("lines have been added or are missing"));
    }
    if check(session, &lines)? != mark.last {
        return Err(spoiled("its last line has been changed"));
    }
    Ok(lines)
}

/// Checks the chain and returns the hash of its last line.
pub(crate) fn check(session: SessionId, lines: &[Vec<u8>]) -> Result<Hash, StoreError> {
    check_chain(lines.iter().map(Vec::as_slice))
        .map_err(|broken| StoreError::Chain { session, broken })
}

/// The lines of a file, without their ends.
pub(crate) fn read_lines(path: &Path) -> io::Result<Vec<Vec<u8>>> {
    let bytes = fs::read(path)?;
    let whole = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    if whole.is_empty() {
        return Ok(Vec::new());
    }
    Ok(whole.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect())
}

fn write_lines(path: &Path, lines: &[Vec<u8>]) -> Result<(), StoreError> {
    let failed = |error: io::Error| StoreError::io("writing", path, &error);
    make_dir(parent(path)).map_err(failed)?;
    replace(path, |file| lines.iter().try_for_each(|line| write_line(file, line))).map_err(failed)
}

/// Writes a whole file or none, readable for its owner alone: beside its place, synced, renamed.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let failed = |error: io::Error| StoreError::io("writing", path, &error);
    make_dir(parent(path)).map_err(failed)?;
    replace(path, |file| file.write_all(bytes)).map_err(failed)
}

fn archive_path_of(shared: &Shared, session: SessionId) -> Result<PathBuf, StoreError> {
    let path = shared.archive_path(session);
    path.ok_or_else(|| StoreError::invalid("a store in memory keeps no archive"))
}

fn file_name(session: SessionId) -> String {
    format!("{session}.jsonl")
}
