//! Why a log cannot be read, or no bundle be made of it.

use vosim_protocol::EventId;

/// Why a log cannot be folded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Not even a first event.
    #[error("the session has no events")]
    Empty,
    /// The first event is not `SESSION_CREATED`.
    #[error("the first event is not SESSION_CREATED")]
    NotCreated,
    /// The log is of another kind than it is read as.
    #[error("the session is of kind {kind}")]
    OtherKind {
        /// Which.
        kind: vosim_protocol::Kind,
    },
    /// The spec blob is not the one the first event names, or cannot be read.
    #[error("the session's spec cannot be read: {reason}")]
    Spec {
        /// Why.
        reason: String,
    },
    /// An event does not fit behind the one before it.
    #[error("event {event_id}: {reason}")]
    Event {
        /// Which.
        event_id: EventId,
        /// Why.
        reason: String,
    },
}

/// Why a session has no such bundle.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// Something may still happen in it, and what is hidden must not leave before.
    #[error("the session has not ended")]
    NotEnded,
    /// The kind is not evaluated by sections.
    #[error("{} has no evaluation bundle, only interviews have", .kind.with_article())]
    NoEvaluation {
        /// Which kind.
        kind: vosim_protocol::Kind,
    },
    /// The log or spec cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
}
