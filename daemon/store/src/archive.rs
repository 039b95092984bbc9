//! Files that hold one session as JSON lines: where the archives lie, and how they are read,
//! written and checked.
//!
//! A file is either whole or absent: it is written, synced and renamed, and its directory is
//! synced. Deciding when a session is archived is left to `export.rs`.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use vosim_protocol::Wire as _;
use vosim_protocol::ids::{EventId, Hash, SessionId};
use vosim_protocol::record::{ChainBreak, Closing, FileCheck, RECORD_MAX_BYTES, check_chain};

use crate::data::Data;
use crate::error::StoreError;
use crate::files::{make_dir, parent, replace, sync_dir, write_line};
use crate::folder::{self, ARCHIVES};

/// More than the line has that closes a file of records.
const CLOSING_MAX_BYTES: u64 = 512;

impl Data {
    /// Returns the path of a session's archive, whether or not it exists; `None` for a store in
    /// memory.
    pub(crate) fn archive_path(&self, session: SessionId) -> Option<PathBuf> {
        self.dir.as_ref().map(|dir| dir.join(ARCHIVES).join(file_name(session)))
    }
}

/// The folder that holds the archives of a data directory, or those that wait beside a database.
pub(crate) fn archives_in(dir: &Path) -> PathBuf {
    dir.join(ARCHIVES)
}

/// Puts the archives in place that came with a database which is now in force. Until it was, those
/// of the one before it were left as they were; a start goes on with what a crash has left of this.
pub(crate) fn adopt_archives(dir: &Path, database: &Path) -> io::Result<()> {
    move_archives(&archives_in(database), &archives_in(dir))
}

/// Moves the archives of one folder into another and removes the folder, unless there is something else in
/// it.
pub(crate) fn move_archives(from: &Path, to: &Path) -> io::Result<()> {
    if !from.symlink_metadata().is_ok_and(|it| it.is_dir()) {
        return Ok(());
    }
    make_dir(to)?;
    for path in folder::archives(from)? {
        let Some(name) = path.file_name() else { continue };
        let place = to.join(name);
        if place.is_dir() {
            tracing::warn!(place = %place.display(), "it is in the way of an archive");
            continue;
        }
        fs::rename(&path, place)?;
    }
    sync_dir(to)?;
    match fs::remove_dir(from) {
        Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => Err(error),
        Ok(()) | Err(_) => sync_dir(parent(from)),
    }
}

/// Gives the archives in a folder a second name in another one, which then has those of this moment:
/// an archive is replaced and never written again.
pub(crate) fn link_archives(from: &Path, to: &Path) -> io::Result<()> {
    let (from, to) = (archives_in(from), archives_in(to));
    make_dir(&to)?;
    for path in &folder::archives(&from)? {
        let Some(name) = path.file_name() else { continue };
        let link = to.join(name);
        // Not every file system knows hard links.
        fs::hard_link(path, &link).or_else(|_| fs::copy(path, &link).map(drop))?;
    }
    sync_dir(&to)
}

/// Checks the chain and returns the hash of its last line.
pub(crate) fn check(session: SessionId, lines: &[Vec<u8>]) -> Result<Hash, StoreError> {
    check_chain(lines.iter().map(Vec::as_slice))
        .map_err(|broken| StoreError::Chain { session, broken })
}

/// Checks a file of records to its end. `keep` gets each record, without the end of its line.
///
/// No more than one line is in memory at a time.
pub fn check_file(
    bytes: &mut dyn Read,
    keep: &mut dyn FnMut(&[u8]),
) -> io::Result<Result<Closing, ChainBreak>> {
    let mut lines = BufReader::new(bytes);
    let mut check = FileCheck::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut limited = (&mut lines).take(RECORD_MAX_BYTES as u64 + 1);
        if limited.read_until(b'\n', &mut line)? == 0 {
            return Ok(check.end());
        }
        match check.line(&line) {
            Ok(record) => record.into_iter().for_each(&mut *keep),
            Err(broken) => return Ok(Err(broken)),
        }
    }
}

/// The records of a file that was written by [`write_records`], and what closes it.
pub(crate) fn read_records(
    session: SessionId,
    path: &Path,
) -> Result<(Vec<Vec<u8>>, Closing), StoreError> {
    let mut lines = Vec::new();
    let closing = File::open(path)
        .and_then(|mut file| check_file(&mut file, &mut |line| lines.push(line.to_vec())))
        .map_err(|error| StoreError::io("reading", path, &error))?
        .map_err(|broken| StoreError::Chain { session, broken })?;
    if closing.session_id != session {
        let reason = "it is of another session than its name";
        return Err(StoreError::damaged(path.display().to_string(), reason));
    }
    Ok((lines, closing))
}

/// Whether a session's archive is closed at an event; what stands before that is not read.
pub(crate) fn is_closed_at(path: &Path, session: SessionId, last: EventId) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(CLOSING_MAX_BYTES)))?;
    let mut end = Vec::new();
    file.take(CLOSING_MAX_BYTES).read_to_end(&mut end)?;
    let line = end.strip_suffix(b"\n").and_then(|end| end.rsplit(|&byte| byte == b'\n').next());
    let closing = line.and_then(|line| Closing::from_bytes(line).ok());
    Ok(closing.is_some_and(|it| it.session_id == session && it.records == last.0))
}

/// Writes the records of a session and the line that closes them, whole or not at all.
pub(crate) fn write_records(
    session: SessionId,
    path: &Path,
    lines: &[Vec<u8>],
) -> Result<(), StoreError> {
    let failed = |error: io::Error| StoreError::io("writing", path, &error);
    let head = lines.last().map_or(Hash::NONE, |line| Hash::of(line));
    let closing = Closing { session_id: session, records: lines.len() as u64, head };
    make_dir(parent(path)).map_err(failed)?;
    let written = replace(path, |file| {
        lines.iter().try_for_each(|line| write_line(file, line))?;
        write_line(file, &closing.to_line())
    });
    written.map_err(failed)
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
