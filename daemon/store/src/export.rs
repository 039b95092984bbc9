//! Ended sessions as files of JSON lines, the form that outlives every database.
//!
//! An *export* is a copy anywhere; an *archive* is the export in the store's own folder, after
//! which the log may be pruned from the database. Side logs are part of neither.

use std::io;
use std::path::{Path, PathBuf};

use vosim_protocol::Wire as _;
use vosim_protocol::ids::{EventId, SessionId};

use crate::archive::{archive_path_of, check, file_name, read_lines, write_lines};
use crate::backend::Batch;
use crate::committer::Committer;
use crate::error::StoreError;
use crate::keys;
use crate::read::Pruned;
use crate::sealed::put;
use crate::store::Store;

impl Store {
    /// Writes the full records of a session to `<session>.jsonl` in any directory, whole or not at
    /// all.
    pub fn export(&self, session: SessionId, dir: &Path) -> Result<PathBuf, StoreError> {
        let lines = self.data().whole_log(session)?;
        let path = dir.join(file_name(session));
        write_lines(&path, &lines)?;
        Ok(path)
    }

    /// Writes an ended session to the store's own `exports` folder and returns the path; blocks.
    ///
    /// The session's blobs become files too, so that [`crate::rebuild`] finds them without the
    /// database. Repeating it is harmless.
    pub fn archive(&self, session: SessionId) -> Result<PathBuf, StoreError> {
        self.alone(move |committer| committer.archive(session))
    }

    /// Removes the events of an archived session from the database; blocks.
    ///
    /// The archive is first compared with the log; from then on the session is read from the
    /// archive. Repeating it is harmless.
    pub fn prune(&self, session: SessionId) -> Result<(), StoreError> {
        self.alone(move |committer| committer.prune(session))
    }

    /// Returns the path of a session's archive, whether or not it exists; `None` for a store in
    /// memory.
    pub fn archive_path(&self, session: SessionId) -> Option<PathBuf> {
        self.data().archive_path(session)
    }
}

impl Committer {
    fn archive(&self, session: SessionId) -> Result<PathBuf, StoreError> {
        let path = archive_path_of(&self.data, session)?;
        let head = self.data.head(session)?.ok_or(StoreError::Unknown { session })?;
        if !head.ended {
            return Err(StoreError::NotEnded { session });
        }
        if let Some(files) = &self.data.files {
            for hash in self.data.references(session)? {
                files.write(hash, &self.data.blob(hash)?)?;
            }
        }
        if self.data.pruned(session)?.is_none() {
            write_lines(&path, &self.data.whole_log(session)?)?;
        }
        Ok(path)
    }

    fn prune(&mut self, session: SessionId) -> Result<(), StoreError> {
        self.writable()?;
        if self.data.pruned(session)?.is_some() {
            return Ok(());
        }
        let head = self.data.head(session)?.ok_or(StoreError::Unknown { session })?;
        if !head.ended {
            return Err(StoreError::NotEnded { session });
        }
        let log = self.data.whole_log(session)?;
        let missing = |reason: &str| StoreError::NotArchived { session, reason: reason.to_owned() };
        let path = archive_path_of(&self.data, session)?;
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
        self.data.keys(&range)?.into_iter().for_each(|key| batch.remove(key));
        put(&mut batch, keys::pruned(session), &mark.to_line());
        self.forget(session);
        self.apply(batch)
    }
}
