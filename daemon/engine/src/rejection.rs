//! [`Rejection`]: why the engine refuses a command, each reason with a stable code.

use vosim_protocol::next::{Action, Next, Switch};
use vosim_protocol::{ErrorCode, ErrorObject, EventId, Hash, Kind, Role};

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
        next: Vec<Next>,
    },
    /// A hint speaks of what was submitted (000, state transition rules).
    #[error("cannot {command} in current state: nothing has been submitted yet")]
    NothingSubmitted {
        /// What was asked, as a verb.
        command: &'static str,
        /// The problem's own question about its statement.
        question: String,
    },
    /// Nothing happens after the end.
    #[error("this session has ended")]
    SessionEnded {
        /// What can be done with it, and how to have another.
        next: Vec<Next>,
    },
    /// The reference solution is shown only after an explicit yes (DECISIONS 18).
    #[error("this would show the reference solution; it needs your explicit confirmation")]
    ConfirmationRequired,
    /// Hints are for work in progress.
    #[error("all tests pass already; there is nothing to hint at")]
    AlreadyPassed {
        /// How to go on.
        next: Vec<Next>,
    },
    /// One hint at a time.
    #[error("the last hint is still being written")]
    HintPending,
    /// The same bytes were judged before (DECISIONS 15).
    #[error("this is the same file as submission {submission}: {passed}/{total} tests passed")]
    IdenticalSubmission {
        /// The submission that judged them.
        submission: u32,
        /// What it gave.
        passed: u32,
        /// Of how many.
        total: u32,
    },
    /// Nothing has been done yet.
    #[error("this is the starter file as it was handed out; nothing in it is solved yet")]
    StarterUntouched,
    /// The problem offers no starter or driver for the language.
    #[error("this problem cannot be solved in {language}")]
    LanguageNotOffered {
        /// What was asked for.
        language: String,
        /// What there is.
        offered: String,
    },
    /// A text that cannot be used.
    #[error("{message}")]
    InvalidInput {
        /// One sentence.
        message: String,
        /// What to do instead.
        next: Vec<Next>,
    },
    /// A text or file over its bound.
    #[error("{what} has {size} {unit}, more than {limit}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// What is counted, for example `bytes`.
        unit: &'static str,
        /// The size.
        size: u64,
        /// The bound.
        limit: u64,
    },
    /// A command names bytes that did not come with it.
    #[error("the bytes the command names did not come with it")]
    BlobMissing,
    /// A command says of bytes that came with it what is not true of them.
    #[error("the bytes are {bytes} in {lines} lines, and the command says otherwise of {hash}")]
    BlobMisdescribed {
        /// The bytes.
        hash: Hash,
        /// How many there are.
        bytes: u64,
        /// How many lines, as the protocol counts them.
        lines: u64,
    },
    /// Not a command for this role (DECISIONS 28).
    #[error("the {} does not do this in a session: {command}", role.name())]
    RoleForbidden {
        /// The role of the one who asked.
        role: Role,
        /// What for.
        command: String,
        /// Who may.
        may: &'static [Role],
    },
    /// Bytes came along that nothing would refer to.
    #[error("bytes came along that the command does not name")]
    BlobUnnamed,
    /// The kind has no such command.
    #[error("{} has no command {command:?}; its commands are {}", kind.with_article(), known.join(", "))]
    UnknownCommand {
        /// The session's kind.
        kind: Kind,
        /// What was asked for.
        command: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// The arguments are not those of the command.
    #[error("{command}: {reason}")]
    InvalidParams {
        /// Whose.
        command: String,
        /// What is wrong with them.
        reason: String,
    },
    /// A command id stands for one intention only.
    #[error("this command id was used before for something else")]
    CommandIdReused,
    /// The session has moved on (001 10.1: optimistic concurrency).
    #[error("the session has moved on: it is at event {actual}, not {expected}")]
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
            Self::InvalidTransition { .. } | Self::NothingSubmitted { .. } => {
                ErrorCode::InvalidTransition
            }
            Self::SessionEnded { .. } => ErrorCode::SessionEnded,
            Self::ConfirmationRequired => ErrorCode::ConfirmationRequired,
            Self::AlreadyPassed { .. } => ErrorCode::AlreadyPassed,
            Self::HintPending => ErrorCode::HintPending,
            Self::IdenticalSubmission { .. } => ErrorCode::IdenticalSubmission,
            Self::StarterUntouched => ErrorCode::StarterUntouched,
            Self::LanguageNotOffered { .. } => ErrorCode::LanguageNotOffered,
            Self::InvalidInput { .. } => ErrorCode::InvalidInput,
            Self::TooLarge { .. } => ErrorCode::TooLarge,
            Self::BlobMissing => ErrorCode::BlobMissing,
            Self::RoleForbidden { .. } => ErrorCode::RoleForbidden,
            Self::InvalidParams { .. } | Self::BlobUnnamed | Self::BlobMisdescribed { .. } => {
                ErrorCode::InvalidParams
            }
            Self::UnknownCommand { .. } => ErrorCode::UnknownCommand,
            Self::CommandIdReused => ErrorCode::CommandIdReused,
            Self::Conflict { .. } => ErrorCode::Conflict,
        }
    }

    /// What can be done about it.
    pub fn next(&self) -> Vec<Next> {
        match self {
            Self::InvalidTransition { next, .. }
            | Self::InvalidInput { next, .. }
            | Self::SessionEnded { next }
            | Self::AlreadyPassed { next } => next.clone(),
            Self::NothingSubmitted { question, .. } => {
                let question = Some(question.clone()).filter(|question| !question.is_empty());
                let consider = question.map(|question| Next::Consider { question });
                let submit = Next::run("submit code first", Action::Submit);
                [submit].into_iter().chain(consider).collect()
            }
            Self::ConfirmationRequired => vec![
                Next::repeat("say yes", Switch::Confirm),
                Next::run("keep trying", Action::Submit),
            ],
            Self::HintPending => vec![Next::wait_and_see("it", Action::Log)],
            Self::IdenticalSubmission { .. } => vec![
                Next::edit("change the file"),
                Next::repeat("have it judged again", Switch::Again),
            ],
            Self::StarterUntouched => vec![
                Next::edit("write your solution into it"),
                Next::repeat("have it judged all the same", Switch::Again),
            ],
            Self::LanguageNotOffered { offered, .. } => {
                vec![Next::edit(format!("choose a language that it offers: {offered}"))]
            }
            Self::Conflict { .. } => vec![Next::edit("look at it again, then repeat the command")],
            Self::TooLarge { .. } => vec![Next::edit("make it smaller, then try again")],
            Self::BlobMissing => vec![Next::edit("send the bytes along")],
            Self::CommandIdReused => vec![Next::edit("ask again under a new command id")],
            Self::RoleForbidden { may, .. } => {
                let roles: Vec<_> = may.iter().map(|role| role.name()).collect();
                vec![Next::edit(format!("ask as the {}", roles.join(" or the ")))]
            }
            Self::BlobUnnamed => vec![Next::edit("leave them out")],
            Self::BlobMisdescribed { bytes, lines, .. } => {
                vec![Next::edit(format!("say that there are {bytes} bytes and {lines} lines"))]
            }
            Self::UnknownCommand { .. } | Self::InvalidParams { .. } => {
                vec![Next::run("see what each command takes", Action::Describe)]
            }
        }
    }
}

impl From<Rejection> for ErrorObject {
    fn from(rejection: Rejection) -> Self {
        let next = rejection.next();
        Self { next, ..Self::new(rejection.code(), rejection.to_string()) }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A refusal as the scripts of the kinds' tests write it down: one line.
    pub(crate) fn line(rejection: Rejection) -> String {
        let ErrorObject { code, message, next, .. } = rejection.into();
        let next: Vec<_> = next.iter().map(step).collect();
        format!("! {code}: {message} | {}", next.join(" | "))
    }

    fn step(next: &Next) -> String {
        match next {
            Next::Run { to, action } => format!("{to} ({action:?})"),
            Next::Wait { until, seen_by: None } => format!("wait for {until}"),
            Next::Wait { until, seen_by: Some(action) } => format!("wait for {until} ({action:?})"),
            Next::Edit { how } => how.clone(),
            Next::Repeat { to, with } => format!("{to} ({with:?})"),
            Next::Consider { question } => format!("consider {question:?}"),
        }
    }
}
