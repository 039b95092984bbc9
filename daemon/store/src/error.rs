//! What can go wrong in the store, in sentences that a person can act on.
//!
//! [`StoreError`] is what a call on an open store returns, [`OpenError`] what opening, restoring or
//! putting aside a store returns. Both carry text and never the bytes of a record or blob.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use vosim_protocol::ids::{EventId, Hash, SessionId};
use vosim_protocol::paths::quoted;
use vosim_protocol::record::ChainBreak;
use vosim_protocol::trouble::{Location, Trouble, cause, size};

use crate::backend::BackendError;
use crate::files::{trouble, trouble_at};
use crate::sealed::Unsealed;

/// Why the store did not do what it was asked to do.
///
/// The error is cheap to clone, since one failed commit answers a whole group.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The session has moved on since the caller looked (001 section 10.1).
    #[error("session {session} is at event {actual}, not at {expected}")]
    Conflict {
        /// The session.
        session: SessionId,
        /// The last event as the caller knew it.
        expected: EventId,
        /// The last event.
        actual: EventId,
    },
    /// The committer's queue is full; nothing was written. Try again.
    #[error("the store is busy: {queued} writes are waiting; try again")]
    Busy {
        /// How many writes may wait.
        queued: usize,
    },
    /// The store has been closed; nothing was written.
    #[error("the store is closed")]
    Closed,
    /// An earlier write failed, so nothing more is written until the store is opened again.
    ///
    /// Acknowledged events are safe. Whether the failed write took effect is known after that.
    #[error(
        "the store has stopped writing: {reason}. Whatever was answered before is safe; the daemon \
         ends, and the next command starts it again"
    )]
    Failed {
        /// The first error.
        reason: Arc<str>,
    },
    /// Too little room is left to write safely; nothing was written, and the store goes on.
    #[error(
        "the disk is full: {} are free under {}, {} are needed; make room and try again",
        size(*.free_bytes), path.display(), size(*.needed_bytes)
    )]
    DiskFull {
        /// The data directory.
        path: PathBuf,
        /// How much room is left.
        free_bytes: u64,
        /// How much room is needed, including the reserve.
        needed_bytes: u64,
    },
    /// The data directory is gone, cannot be read, or is another one than was opened; nothing was
    /// written, and the store goes on once the directory is back.
    #[error("the data folder {} cannot be reached: {reason}; bring it back and try again", path.display())]
    Away {
        /// The data directory.
        path: PathBuf,
        /// What was found there.
        reason: Arc<str>,
    },
    /// The session has been deleted; its id stays taken.
    #[error("session {session} has been deleted")]
    Deleted {
        /// The session.
        session: SessionId,
    },
    /// The session's log has been moved to its export, so nothing can be added.
    #[error("session {session} is archived and takes no more events")]
    Pruned {
        /// The session.
        session: SessionId,
    },
    /// There is no such session.
    #[error("there is no session {session}")]
    Unknown {
        /// The session.
        session: SessionId,
    },
    /// The session has not ended.
    #[error("session {session} has not ended")]
    NotEnded {
        /// The session.
        session: SessionId,
    },
    /// The session's archive is missing or incomplete.
    #[error("session {session} is not archived: {reason}; archive it first")]
    NotArchived {
        /// The session.
        session: SessionId,
        /// What is wrong with the archive.
        reason: String,
    },
    /// A side log has as many lines as it may have.
    #[error("the log {log} is full: it takes {lines_max} lines")]
    Full {
        /// The side log.
        log: String,
        /// How many lines it may have.
        lines_max: u64,
    },
    /// The caller asked for something that cannot be done.
    #[error("refused to write: {reason}")]
    Invalid {
        /// Why it cannot be done.
        reason: String,
    },
    /// A stored value is damaged.
    #[error("{what} is damaged: {reason}")]
    Damaged {
        /// The value.
        what: String,
        /// How it is damaged.
        reason: String,
    },
    /// Events are missing.
    #[error("event {missing} of session {session} is missing")]
    Hole {
        /// The session.
        session: SessionId,
        /// The first event that is missing.
        missing: EventId,
    },
    /// The hash chain is broken: the log has been edited.
    #[error("the log of session {session} has been changed at {broken}")]
    Chain {
        /// The session.
        session: SessionId,
        /// Where the chain is broken.
        broken: ChainBreak,
    },
    /// A value was written by a newer vosimd.
    #[error("{what} cannot be read: {reason}")]
    Newer {
        /// The value.
        what: String,
        /// Which format it has.
        reason: String,
    },
    /// The store does not have this blob, or no longer has it.
    #[error("{hash} is not in the store")]
    NoBlob {
        /// The blob.
        hash: Hash,
    },
    /// The operating system refused something.
    #[error("{doing}: {reason}")]
    Io {
        /// What was attempted, with the path.
        doing: String,
        /// The system's answer.
        reason: Arc<str>,
    },
}

impl StoreError {
    /// Whether nothing was written and the same write may succeed later as it is.
    pub fn passes(&self) -> bool {
        match self {
            Self::Busy { .. } | Self::DiskFull { .. } | Self::Away { .. } | Self::Io { .. } => true,
            Self::Conflict { .. }
            | Self::Closed
            | Self::Failed { .. }
            | Self::Deleted { .. }
            | Self::Pruned { .. }
            | Self::Unknown { .. }
            | Self::NotEnded { .. }
            | Self::NotArchived { .. }
            | Self::Full { .. }
            | Self::Invalid { .. }
            | Self::Damaged { .. }
            | Self::Hole { .. }
            | Self::Chain { .. }
            | Self::Newer { .. }
            | Self::NoBlob { .. } => false,
        }
    }

    pub(crate) fn io(doing: &str, path: &Path, error: &io::Error) -> Self {
        Self::Io {
            doing: format!("{doing} {}", path.display()),
            reason: trouble(error, path).to_string().into(),
        }
    }

    /// The same of a file that somebody has named, and can name another one.
    pub(crate) fn named(doing: &str, path: &Path, error: &io::Error) -> Self {
        Self::Io {
            doing: format!("{doing} {}", path.display()),
            reason: trouble_at(Location::Named, error, path).to_string().into(),
        }
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

    /// Returns what a failed read of the database means for the caller.
    pub(crate) fn reading(error: &BackendError) -> Self {
        match error {
            BackendError::Io(error) => {
                Self::Io { doing: "reading the database".to_owned(), reason: cause(error).into() }
            }
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

/// Why a store could not be opened, restored or put aside.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// What is there cannot be read. It is left as it is and never replaced by an empty store.
    #[error(
        "the store in {} cannot be read: {reason}; nothing has been changed. \
         `vosimctl restore FILE` brings back a backup, `vosimctl restore --accept-loss` what is \
         intact, `vosimctl restore --from-exports` the archived sessions; each puts what is there \
         aside",
        dir.display()
    )]
    Unreadable {
        /// The data directory.
        dir: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Something of the store is damaged or missing. Every byte is as it was.
    ///
    /// [`crate::rescue()`] makes a new store of what is intact.
    #[error(
        "the store in {} is damaged: {reason}{}; {}. Nothing has been changed. \
         `vosimctl restore FILE` brings back a backup, `vosimctl restore --accept-loss` what is \
         intact; both put what is there aside",
        dir.display(), lost_commits(*lost), intact(*whole, *sessions, *lost)
    )]
    Damaged {
        /// The data directory.
        dir: PathBuf,
        /// What is wrong with it.
        reason: String,
        /// How many sessions are whole.
        whole: u64,
        /// How many sessions are known.
        sessions: u64,
        /// How many commits are missing at the end.
        lost: u64,
    },
    /// There is too little room to open the store safely. Nothing has been changed.
    #[error(
        "the disk is full: {} are free in {}, opening the store takes {}; make room and try again",
        size(*.free_bytes), dir.display(), size(*.needed_bytes)
    )]
    NoRoom {
        /// The data directory.
        dir: PathBuf,
        /// How much room is left.
        free_bytes: u64,
        /// How much room is needed.
        needed_bytes: u64,
    },
    /// The store was written by a newer vosimd.
    #[error(
        "the store in {} is of format {found}, this vosimd knows up to {known}: \
         install the newer vosimd again, or `vosimctl restore FILE` a backup made before it",
        dir.display()
    )]
    Newer {
        /// The data directory.
        dir: PathBuf,
        /// The store's format.
        found: u32,
        /// The format that this binary reads.
        known: u32,
    },
    /// The store was written by an older vosimd, in a format that was never released.
    #[error(
        "the store in {} is of format {found}, and this vosimd reads format {known} alone: until \
         the first release no store is carried over. `vosimctl restore --from-exports` begins a new \
         one with those archived sessions that can still be read, and puts the old one aside",
        dir.display()
    )]
    Older {
        /// The data directory.
        dir: PathBuf,
        /// The store's format.
        found: u32,
        /// The format that this binary reads.
        known: u32,
    },
    /// The running program was built without the backend that the store needs.
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
    /// Nothing has been put aside under this number.
    #[error("nothing in {} was put aside under the number {number}", dir.display())]
    NoAside {
        /// The data directory.
        dir: PathBuf,
        /// The number.
        number: u32,
    },
    /// No session can be brought back from its archive; the store has not been touched.
    #[error(
        "no session can be brought back from {}: {reason}. `vosimctl restore FILE` brings back a \
         backup; without one a new store begins once the data folder is moved away: mv {} {}.old",
        dir.display(), shown_parent(dir), shown_parent(dir)
    )]
    NoArchives {
        /// The folder of the archives.
        dir: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A backup cannot be used; the store has not been touched.
    #[error("the file {} is not a usable backup: {reason}", path.display())]
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
    /// The operating system refused something.
    #[error("{doing} {}: {trouble}", path.display())]
    Io {
        /// What was attempted.
        doing: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The system's answer.
        trouble: Trouble,
    },
    /// Writing to the new database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn shown_parent(dir: &Path) -> String {
    quoted(dir.parent().unwrap_or(dir))
}

fn lost_commits(lost: u64) -> String {
    match lost {
        0 => String::new(),
        1 => ", and its last commit is missing".to_owned(),
        many => format!(", and its last {many} commits are missing"),
    }
}

/// What can be brought back. Of what was written last and is missing nobody knows the sessions.
fn intact(whole: u64, sessions: u64, lost: u64) -> String {
    let [of, read, up_to] =
        if lost > 0 { ["the", " that can be read", " up to there"] } else { ["its", "", ""] };
    match (whole, sessions) {
        (_, 0) => "none of its sessions can be read".to_owned(),
        (1, 1) => format!("{of} one session{read} is whole{up_to}"),
        (whole, sessions) if whole == sessions => {
            format!("{of} {sessions} sessions{read} are whole{up_to}")
        }
        (whole, sessions) => format!("{whole} of {of} {sessions} sessions{read} are whole{up_to}"),
    }
}

impl OpenError {
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { doing, trouble: trouble(&error, &path), path }
    }

    pub(crate) fn unreadable(dir: &Path, reason: impl ToString) -> Self {
        Self::Unreadable { dir: dir.to_owned(), reason: reason.to_string() }
    }
}
