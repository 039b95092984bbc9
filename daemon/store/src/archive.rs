//! Files that hold one session as JSON lines: where the archives lie, and how they are read,
//! written and checked.
//!
//! A file is either whole or absent: it is written, synced and renamed, and its directory is
//! synced. Deciding when a session is archived is left to `export.rs`.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use vosim_protocol::ids::{Hash, SessionId};
use vosim_protocol::record::check_chain;

use crate::data::Data;
use crate::error::StoreError;
use crate::files::{entries, make_dir, parent, remove_tree, replace, sync_dir, write_line};

const DIR: &str = "exports";

impl Data {
    /// Returns the path of a session's archive, whether or not it exists; `None` for a store in
    /// memory.
    pub(crate) fn archive_path(&self, session: SessionId) -> Option<PathBuf> {
        self.dir.as_ref().map(|dir| dir.join(DIR).join(file_name(session)))
    }
}

/// The folder that holds the archives of a data directory, or those that wait beside a database.
pub(crate) fn archives_in(dir: &Path) -> PathBuf {
    dir.join(DIR)
}

/// Puts the archives in place that came with a database which is now in force. Until it was, those
/// of the one before it were left as they were; a start goes on with what a crash has left of this.
pub(crate) fn adopt_archives(dir: &Path, database: &Path) -> io::Result<()> {
    let (from, to) = (archives_in(database), archives_in(dir));
    if !from.is_dir() {
        return Ok(());
    }
    make_dir(&to)?;
    for path in entries(&from)? {
        if let Some(name) = path.file_name() {
            fs::rename(&path, to.join(name))?;
        }
    }
    sync_dir(&to)?;
    remove_tree(&from)
}

/// Checks the chain and returns the hash of its last line.
pub(crate) fn check(session: SessionId, lines: &[Vec<u8>]) -> Result<Hash, StoreError> {
    check_chain(lines.iter().map(Vec::as_slice))
        .map_err(|broken| StoreError::Chain { session, broken })
}

/// Reads the lines of a file, without their line ends.
pub(crate) fn read_lines(path: &Path) -> io::Result<Vec<Vec<u8>>> {
    let bytes = fs::read(path)?;
    let whole = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    if whole.is_empty() {
        return Ok(Vec::new());
    }
    Ok(whole.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect())
}

pub(crate) fn write_lines(path: &Path, lines: &[Vec<u8>]) -> Result<(), StoreError> {
    let failed = |error: io::Error| StoreError::io("writing", path, &error);
    make_dir(parent(path)).map_err(failed)?;
    replace(path, |file| lines.iter().try_for_each(|line| write_line(file, line))).map_err(failed)
}

/// Writes a file that only its owner may read, whole or not at all.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let failed = |error: io::Error| StoreError::io("writing", path, &error);
    make_dir(parent(path)).map_err(failed)?;
    replace(path, |file| file.write_all(bytes)).map_err(failed)
}

/// Returns the path of a session's archive; a store in memory has none, which is an error.
pub(crate) fn archive_path_of(data: &Data, session: SessionId) -> Result<PathBuf, StoreError> {
    let path = data.archive_path(session);
    path.ok_or_else(|| StoreError::invalid("a store in memory keeps no archive"))
}

/// The name of the file that holds a session.
pub(crate) fn file_name(session: SessionId) -> String {
    format!("{session}.jsonl")
}
