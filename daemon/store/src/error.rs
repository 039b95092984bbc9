//! What can go wrong, in sentences a person can act on.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use vosim_protocol::ids::{EventId, Hash, SessionId};
use vosim_protocol::record::ChainBreak;

use crate::backend::BackendError;
use crate::sealed::Unsealed;

/// Why the store did not do what it was asked to.
///
/// Cheap to clone, since one failed commit answers a whole group.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The session has moved on since the caller looked (001 section 10.1).
    #[error("session {session} stands at event {actual}, not at {expected}")]
    Conflict {
        /// Of which session.
        session: SessionId,
        /// Where the caller thought it was.
        expected: EventId,
        /// Where it is.
        actual: EventId,
    },
    /// The committer's queue is full; nothing was written. Try again.
    #[error("the store is busy: {queued} writes are waiting; try again")]
    Busy {
        /// How many.
        queued: usize,
    },
    /// The store has been closed; nothing was written.
    #[error("the store is closed")]
    Closed,
    /// An earlier write failed, so nothing more is written until the store is opened again.
    ///
    /// What was acknowledged stays. Whether the failed write itself took effect is known then.
    #[error("the store stopped writing after an error: {reason}; restart the daemon")]
    Failed {
        /// The first error.
        reason: Arc<str>,
    },
    /// Too little room is left to write safely; nothing was written, and the store goes on.
    #[error(
        "the disk is full: {free_bytes} bytes are free under {}, {needed_bytes} are needed; \
         make room and try again",
        path.display()
    )]
    DiskFull {
        /// Where.
        path: PathBuf,
        /// What is left.
        free_bytes: u64,
        /// What is needed, with the reserve.
        needed_bytes: u64,
    },
    /// The session has been deleted; its id stays taken.
    #[error("session {session} has been deleted")]
    Deleted {
        /// Which.
        session: SessionId,
    },
    /// The session's log has been moved to its export, so nothing can be added.
    #[error("session {session} is archived and takes no more events")]
    Pruned {
        /// Which.
        session: SessionId,
    },
    /// There is no such session.
    #[error("there is no session {session}")]
    Unknown {
        /// Which.
        session: SessionId,
    },
    /// The session has not ended.
    #[error("session {session} has not ended")]
    NotEnded {
        /// Which.
        session: SessionId,
    },
    /// The session's log is not (wholly) in its export.
    #[error("session {session} is not archived: {reason}; archive it first")]
    NotArchived {
        /// Which.
        session: SessionId,
        /// What is missing.
        reason: String,
    },
    /// A side log holds as many lines as it may.
    #[error("the log {log} is full: it takes {lines_max} lines")]
    Full {
        /// Which.
        log: String,
        /// How many it takes.
        lines_max: u64,
    },
    /// The caller asked for something that makes no sense.
    #[error("refused to write: {reason}")]
    Invalid {
        /// What.
        reason: String,
    },
    /// Something stored cannot be trusted.
    #[error("{what} is damaged: {reason}")]
    Damaged {
        /// Which value.
        what: String,
        /// In what way.
        reason: String,
    },
    /// Events are missing.
    #[error("event {missing} of session {session} is missing")]
    Hole {
        /// Of which session.
        session: SessionId,
        /// The first that is not there.
        missing: EventId,
    },
    /// The hash chain does not hold: the log has been edited.
    #[error("the log of session {session} has been changed at {broken}")]
    Chain {
        /// Of which session.
        session: SessionId,
        /// Where.
        broken: ChainBreak,
    },
    /// A value was written by a newer vosimd.
    #[error("{what} cannot be read: {reason}")]
    Newer {
        /// Which value.
        what: String,
        /// Its format.
        reason: String,
    },
    /// A blob is not here, or no longer.
    #[error("{hash} is not in the store")]
    NoBlob {
        /// Which.
        hash: Hash,
    },
    /// The operating system refused.
    #[error("{doing}: {reason}")]
    Io {
        /// What was attempted, with the path.
        doing: String,
        /// Its answer.
        reason: Arc<str>,
    },
}

impl StoreError {
    pub(crate) fn io(doing: &str, path: &Path, error: &io::Error) -> Self {
        Self::Io { doing: format!("{doing} {}", path.display()), reason: error.to_string().into() }
    }

    pub(crate) fn invalid(reason: impl Into<String>) -> Self {
        Self::Invalid { reason: reason.into() }
    }

    pub(crate) fn damaged(what: impl Into<String>, reason: impl ToString) -> Self {
        Self::Damaged { what: what.into(), reason: reason.to_string() }
    }

    pub(crate) fn unsealed(what: impl Into<String>, why: &Unsealed) -> Self {
        let (what, reason) = (what.into(), why.to_string());
        match why {
            Unsealed::Newer(_) => Self::Newer { what, reason },
            Unsealed::Checksum | Unsealed::Short => Self::Damaged { what, reason },
        }
    }

    /// What a failed read of the database means to its caller.
    pub(crate) fn reading(error: &BackendError) -> Self {
        match error {
            BackendError::Io(error) => Self::Io {
                doing: "reading the database".to_owned(),
                reason: error.to_string().into(),
            },
            BackendError::InUse => Self::Io {
                doing: "opening the database".to_owned(),
                reason: error.to_string().into(),
            },
            BackendError::Damaged(reason) | BackendError::Failed(reason) => {
                Self::damaged("the database", reason)
            }
        }
    }
}

impl From<BackendError> for StoreError {
    fn from(error: BackendError) -> Self {
        Self::reading(&error)
    }
}

/// Why a store did not open, was not restored or not put aside.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// What is there cannot be read. It is left as it is; nothing is replaced by an empty store.
    #[error(
        "the store in {} cannot be read: {reason}; nothing has been changed. \
         `vosimctl restore FILE` brings back a backup, `vosimctl restore --from-exports` the \
         archived sessions; both put what is there aside",
        dir.display()
    )]
    Unreadable {
        /// The data directory.
        dir: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The newest part of the log is gone: the database's file has been damaged near its end.
    ///
    /// [`crate::accept_loss`] opens what is left.
    #[error(
        "the store in {} has lost its last {lost} commits: its file is damaged. \
         `vosimctl restore FILE` brings back a backup, `vosimctl restore --accept-loss` goes on \
         with what is left",
        dir.display()
    )]
    Lost {
        /// The data directory.
        dir: PathBuf,
        /// How many commits are missing.
        lost: u64,
    },
    /// A newer vosimd has written here.
    #[error(
        "the store in {} is of format {found}, this vosimd knows up to {known}: \
         install the newer vosimd again, or `vosimctl restore FILE` a backup made before it",
        dir.display()
    )]
    Newer {
        /// The data directory.
        dir: PathBuf,
        /// Its format.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// An older vosimd has written here, in a format that was never released.
    #[error(
        "the store in {} is of format {found}, and this vosimd reads format {known} alone: until \
         the first release no store is carried over. `vosimctl restore --from-exports` begins a new \
         one with those archived sessions that can still be read, and puts the old one aside",
        dir.display()
    )]
    Older {
        /// The data directory.
        dir: PathBuf,
        /// Its format.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// This binary has been built without the backend the store needs.
    #[error(
        "the store in {} is kept by `{backend}`, which this vosimd has been built without",
        dir.display()
    )]
    NoBackend {
        /// The data directory.
        dir: PathBuf,
        /// The backend's name.
        backend: String,
    },
    /// A backup cannot be used; the store has not been touched.
    #[error("{} is not a usable backup: {reason}", path.display())]
    BadBackup {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Another process has the database open.
    #[error("the store in {} is open in another process", dir.display())]
    InUse {
        /// The data directory.
        dir: PathBuf,
    },
    /// The operating system refused.
    #[error("{doing} {}", path.display())]
    Io {
        /// What was attempted.
        doing: &'static str,
        /// On which file.
        path: PathBuf,
        /// Its answer.
        #[source]
        source: io::Error,
    },
    /// The new database did not take what was written to it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl OpenError {
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }

    pub(crate) fn unreadable(dir: &Path, reason: impl ToString) -> Self {
        Self::Unreadable { dir: dir.to_owned(), reason: reason.to_string() }
    }
}
