//! Ended sessions as files of JSON lines, the form that outlives every database.
//!
//! An *export* is a copy anywhere; an *archive* is the export in the store's own folder, after
//! which the log may be pruned from the database. Side logs are part of neither.

use std::path::{Path, PathBuf};

use vosim_protocol::Wire as _;
use vosim_protocol::ids::{EventId, SessionId};

use crate::archive::{archive_path_of, file_name, is_closed_at, read_records, write_records};
use crate::backend::Batch;
use crate::committer::Committer;
use crate::error::StoreError;
use crate::keys;
use crate::read::Pruned;
use crate::sealed::put;
use crate::store::Store;

impl Store {
    /// Writes the full records of a session to `<session>.jsonl` in any directory, whole or not at
    /// all. The last line says how many there are, and which is the last.
    pub fn export(&self, session: SessionId, dir: &Path) -> Result<PathBuf, StoreError> {
        let lines = self.data().whole_log(session)?;
        let path = dir.join(file_name(session));
        write_records(session, &path, &lines)?;
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

    /// Whether a session that ended with an event has no archive that is closed there; never so for
    /// a store in memory, which keeps none.
    pub fn lacks_archive(&self, session: SessionId, last: EventId) -> bool {
        let path = self.archive_path(session);
        path.is_some_and(|path| !is_closed_at(&path, session, last).unwrap_or(false))
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
            write_records(session, &path, &self.data.whole_log(session)?)?;
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
        let closing = match read_records(session, &path) {
            Ok((archived, closing)) if archived == log => closing,
            Ok(_) | Err(StoreError::Chain { .. } | StoreError::Damaged { .. }) => {
                return Err(missing("its export is not of the whole log"));
            }
            Err(_) if !path.exists() => return Err(missing("there is no export of it")),
            Err(error) => return Err(error),
        };
        let mark = Pruned { cursor: EventId(closing.records), last: closing.head };
        let mut batch = Batch::default();
        let range = keys::events_after(session, EventId::ZERO);
        self.data.keys(&range)?.into_iter().for_each(|key| batch.remove(key));
        put(&mut batch, keys::pruned(session), &mark.to_line());
        self.forget(session);
        self.apply(batch)
    }
}
