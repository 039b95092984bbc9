//! [`Rejection`]: why the engine refuses a command, each reason with a stable code.

use vosim_protocol::{ErrorCode, ErrorObject, EventId, Kind};

/// Why a command is refused; nothing has been recorded then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// Not possible in this phase (000: InvalidStateTransitionError).
    #[error("cannot {command} in current state: {because}")]
    InvalidTransition {
        /// What was asked, as a verb.
        command: &'static str,
        /// Why this phase does not allow it.
        because: &'static str,
        /// What to do instead.
        next: &'static str,
    },
    /// Nothing happens after the end.
    #[error("this session has ended")]
    SessionEnded(Kind),
    /// The reference solution is shown only after an explicit yes (DECISIONS 18).
    #[error("this would show the reference solution; it needs your explicit yes")]
    ConfirmationRequired,
    /// Hints are for work in progress.
    #[error("all tests pass already; there is nothing to hint at")]
    AlreadyPassed(Kind),
    /// One hint at a time.
    #[error("the last hint is still being written")]
    HintPending,
    /// The same bytes were judged before (DECISIONS 15).
    #[error("this is the same file as attempt {submission}: {passed}/{total} tests passed")]
    IdenticalSubmission {
        /// The submission that judged them.
        submission: u32,
        /// What it gave.
        passed: u32,
        /// Of how many.
        total: u32,
    },
    /// The problem offers no starter or driver for the language.
    #[error("this problem cannot be solved in {language}")]
    LanguageNotOffered {
        /// What was asked for.
        language: String,
        /// What there is.
        offered: String,
    },
    /// A section holds too little to be ended, and the candidate has been told so (001 6.4).
    #[error("there is too little in this section to end it; missing: {missing}")]
    TooLittle {
        /// What is missing.
        missing: String,
    },
    /// A text that cannot be used.
    #[error("{message}")]
    InvalidInput {
        /// One sentence.
        message: String,
        /// What to do instead.
        next: &'static str,
    },
    /// A text or file over its bound.
    #[error("{what} has {size} bytes, more than {limit}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// Its size.
        size: u64,
        /// The bound.
        limit: u64,
    },
    /// A command names bytes that did not come with it.
    #[error("the bytes the command names did not come with it")]
    BlobMissing,
    /// The arguments are not those of the command.
    #[error("{0}")]
    InvalidParams(String),
    /// A command id stands for one intention only.
    #[error("this command id was used before for something else")]
    CommandIdReused,
    /// The session has moved on (001 10.1: optimistic concurrency).
    #[error("the session has moved on: it stands at event {actual}, not {expected}")]
    Conflict {
        /// What the client thought.
        expected: EventId,
        /// What is.
        actual: EventId,
    },
}

impl Rejection {
    /// The stable word for programs.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::InvalidTransition { .. } => ErrorCode::InvalidTransition,
            Self::SessionEnded(_) => ErrorCode::SessionEnded,
            Self::ConfirmationRequired => ErrorCode::ConfirmationRequired,
            Self::AlreadyPassed(_) => ErrorCode::AlreadyPassed,
            Self::HintPending => ErrorCode::HintPending,
            Self::IdenticalSubmission { .. } => ErrorCode::IdenticalSubmission,
            Self::LanguageNotOffered { .. } => ErrorCode::LanguageNotOffered,
            Self::TooLittle { .. } => ErrorCode::InvalidTransition,
            Self::InvalidInput { .. } => ErrorCode::InvalidInput,
            Self::TooLarge { .. } => ErrorCode::TooLarge,
            Self::BlobMissing => ErrorCode::BlobMissing,
            Self::InvalidParams(_) => ErrorCode::InvalidParams,
            Self::CommandIdReused => ErrorCode::CommandIdReused,
            Self::Conflict { .. } => ErrorCode::Conflict,
        }
    }

    /// What to do next.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::InvalidTransition { next, .. } | Self::InvalidInput { next, .. } => {
                Some((*next).to_owned())
            }
            Self::TooLittle { .. } => {
                Some("say it in a few sentences (vosimctl say), or let the time run".to_owned())
            }
            Self::SessionEnded(kind) => Some(after_the_end(*kind).to_owned()),
            Self::ConfirmationRequired => {
                Some("say yes with --confirm, or go on trying: vosimctl submit FILE".to_owned())
            }
            Self::AlreadyPassed(Kind::Drill) => Some("finish with: vosimctl end".to_owned()),
            // To end an interview is to leave it.
            Self::AlreadyPassed(Kind::Interview) => {
                Some("go on to the next section with: vosimctl done".to_owned())
            }
            Self::HintPending => Some("it appears in a moment: vosimctl log".to_owned()),
            Self::IdenticalSubmission { .. } => {
                Some("change the file, or have it judged again with: --again".to_owned())
            }
            Self::LanguageNotOffered { offered, .. } => Some(format!("it offers: {offered}")),
            Self::Conflict { .. } => Some("look at it anew, then ask again".to_owned()),
            Self::TooLarge { .. } => Some("make it smaller, then try again".to_owned()),
            Self::BlobMissing => Some("send it again: vosimctl submit FILE".to_owned()),
            Self::CommandIdReused => Some("ask again under a new command id".to_owned()),
            Self::InvalidParams(_) => None,
        }
    }
}

/// What can be done with a session that is over, and how to have another.
fn after_the_end(kind: Kind) -> &'static str {
    match kind {
        Kind::Drill => "start a new session with: vosimctl start",
        Kind::Interview => {
            "look back with vosimctl result, hand it on with vosimctl export --bundle evaluation, \
             or begin another with vosimctl interview start"
        }
    }
}

impl From<Rejection> for ErrorObject {
    fn from(rejection: Rejection) -> Self {
        let error = Self::new(rejection.code(), rejection.to_string());
        match rejection.hint() {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}
