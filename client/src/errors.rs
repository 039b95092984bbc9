//! Why a command ends early, and the exit status that follows from it.
//!
//! An error is made where it arises, with [`user_error`] and its hint; this file knows neither
//! sentences nor commands, only what a code means: 0 done, also when the code under test failed;
//! 1 the user can mend it; 2 a fault of ours (000: error handling). What a signal has ended ends
//! by that signal, which shells tell as 128 and its number.

use std::process::ExitCode;

use nix::sys::signal::Signal;
use serde::Serialize;
use vosim_protocol::hello::{Mismatch, VERSIONS, VersionRange};
use vosim_protocol::next::Next;
use vosim_protocol::{ErrorCode, ErrorObject, Wire as _};

use crate::spelling::Spelling;

/// The client's own codes, beside those of the protocol. Programs read them: none is ever renamed.
pub(crate) mod code {
    pub(crate) const CONNECTION_FAILED: &str = "connection_failed";
    pub(crate) const DAEMON_NOT_RUNNING: &str = "daemon_not_running";
    pub(crate) const DAEMON_UNREACHED: &str = "daemon_unreached";
    pub(crate) const EMPTY_TEXT: &str = "empty_text";
    pub(crate) const EVALUATION_ABORTED: &str = "evaluation_aborted";
    pub(crate) const FILE_EXISTS: &str = "file_exists";
    pub(crate) const FILE_NOT_FOUND: &str = "file_not_found";
    pub(crate) const FILE_UNREADABLE: &str = "file_unreadable";
    pub(crate) const GARBLED_ANSWER: &str = "garbled_answer";
    pub(crate) const INTERRUPTED: &str = "interrupted";
    pub(crate) const NO_ANSWER: &str = "no_answer";
    pub(crate) const NOT_JUDGED: &str = "not_judged";
    pub(crate) const NOT_UTF8: &str = "not_utf8";
    pub(crate) const OTHER_DATA: &str = "other_data";
    pub(crate) const OTHER_SOCKET: &str = "other_socket";
    pub(crate) const REFUSED: &str = "refused";
    pub(crate) const UNKNOWN_SUBMISSION: &str = "unknown_submission";
    pub(crate) const UNKNOWN_LANGUAGE: &str = "unknown_language";
    pub(crate) const USAGE: &str = "usage";
    pub(crate) const WRITE_FAILED: &str = "write_failed";
}

/// How a command ended, as a shell sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Done,
    Fixable,
    Bug,
    /// A signal that ends programs was taken, and everything is put away.
    Signalled(Signal),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Fixable => 1,
            Exit::Bug => 2,
            Exit::Signalled(signal) => u8::try_from(128 + signal as i32).unwrap_or(u8::MAX),
        })
    }
}

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Something to tell the user.
    #[error("{0}")]
    Told(Box<Reason>),
    /// Nobody reads the output any more: there is nothing to say and nothing wrong.
    #[error("the reader of the output has gone")]
    BrokenPipe,
    /// Ctrl-C where a command does not end by itself.
    #[error("interrupted")]
    Interrupted,
    /// A signal that ends programs, taken so that the terminal could be given back before.
    #[error("ended by {0}")]
    Signalled(Signal),
}

/// What is wrong, and what can be done about it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Reason {
    code: ErrorCode,
    message: String,
    remedy: Remedy,
}

#[derive(Clone, Debug, PartialEq)]
enum Remedy {
    /// A sentence of the client's own.
    Hint(String),
    /// Steps that are spelled where they are shown; perhaps none.
    Next(Vec<Next>),
}

/// An error as it is read, the form that `--json` prints (DECISIONS 29).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ErrorText {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

/// Something the user can mend; `message` is one sentence.
pub(crate) fn user_error(code: impl Into<ErrorCode>, message: impl Into<String>) -> Failure {
    Failure::from(ErrorObject::new(code.into(), message))
}

/// A command line that asks for what cannot be.
pub(crate) fn usage_error(message: impl Into<String>) -> Failure {
    user_error(code::USAGE, message).hint(SEE_HELP)
}

/// Where a command line is explained; which command's help is meant is known where it was read.
pub(crate) const SEE_HELP: &str = "See: vosimctl --help";

impl Failure {
    /// Says what to do about it.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        if let Self::Told(reason) = &mut self {
            reason.remedy = Remedy::Hint(hint.into());
        }
        self
    }

    /// Says what to do about it, spelled as it is typed where the user stands.
    #[must_use]
    pub(crate) fn step(mut self, step: Next) -> Self {
        if let Self::Told(reason) = &mut self {
            reason.remedy = Remedy::Next(vec![step]);
        }
        self
    }

    /// Whether this is the reason, as a word for programs.
    pub(crate) fn is(&self, code: impl Into<ErrorCode>) -> bool {
        matches!(self, Self::Told(reason) if reason.code == code.into())
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Told(reason) => exit_of(&reason.code),
            Self::BrokenPipe => Exit::Done,
            Self::Interrupted => Exit::Fixable,
            Self::Signalled(signal) => Exit::Signalled(*signal),
        }
    }

    /// What the user reads; None where nothing is to be said.
    pub(crate) fn text(&self, spelling: Spelling) -> Option<ErrorText> {
        match self {
            Self::Told(reason) => Some(reason.text(spelling)),
            Self::Interrupted => Some(ErrorText {
                code: ErrorCode::from(code::INTERRUPTED),
                message: self.to_string(),
                hint: None,
            }),
            // Whoever sent a signal knows.
            Self::BrokenPipe | Self::Signalled(_) => None,
        }
    }
}

impl Reason {
    pub(crate) fn text(&self, spelling: Spelling) -> ErrorText {
        let hint = match &self.remedy {
            Remedy::Hint(hint) => Some(hint.clone()),
            Remedy::Next(steps) => spelling.sentence(steps),
        };
        ErrorText { code: self.code.clone(), message: self.message.clone(), hint }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::from(ErrorObject::new(ErrorCode::Internal, format!("{error:#}")))
    }
}

/// The daemon's refusal, with what the daemon could not know.
impl From<ErrorObject> for Failure {
    fn from(error: ErrorObject) -> Self {
        let ErrorObject { code, message, next, data } = error;
        let (message, remedy) = match exit_of(&code) {
            // 000: unexpected errors.
            Exit::Bug => ("Internal error. Please report.".to_owned(), Remedy::Hint(message)),
            _ => match data.and_then(|data| Mismatch::from_json(*data).ok()) {
                Some(mismatch) if code == ErrorCode::ProtocolMismatch => mismatched(mismatch),
                _ => (message, Remedy::Next(next)),
            },
        };
        Self::Told(Box::new(Reason { code, message, remedy }))
    }
}

impl From<Box<ErrorObject>> for Failure {
    fn from(error: Box<ErrorObject>) -> Self {
        Self::from(*error)
    }
}

/// Whether a refusal is something the user can mend.
fn exit_of(code: &ErrorCode) -> Exit {
    match code {
        ErrorCode::Internal
        | ErrorCode::InvalidRequest
        | ErrorCode::FrameTooLarge
        | ErrorCode::HelloRequired
        | ErrorCode::InvalidParams
        | ErrorCode::BlobMissing
        | ErrorCode::CommandIdReused => Exit::Bug,
        _ => Exit::Fixable,
    }
}

/// The versions of both sides, and which one is older.
fn mismatched(mismatch: Mismatch) -> (String, Remedy) {
    let range = |VersionRange(first, last): VersionRange| match first == last {
        true => format!("version {first}"),
        false => format!("versions {first} to {last}"),
    };
    let message = format!(
        "no protocol in common: vosimctl speaks {}, vosimd {}",
        range(VERSIONS),
        range(mismatch.daemon)
    );
    let hint = match mismatch.daemon.1 < VERSIONS.0 {
        true => "The daemon is older. Restart it: vosimctl daemon stop, then any command",
        false => "This vosimctl is older than the daemon. Install the one that came with it.",
    };
    (message, Remedy::Hint(hint.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_those_of_the_error_table() {
        let refused = |code| Failure::from(ErrorObject::new(code, "no")).exit();
        for code in [
            ErrorCode::NoActiveSession,
            ErrorCode::SessionAlreadyActive,
            ErrorCode::InvalidTransition,
            ErrorCode::StoreUnavailable,
            ErrorCode::ProtocolMismatch,
            ErrorCode::Other("of_the_future".to_owned()),
        ] {
            assert_eq!(refused(code.clone()), Exit::Fixable, "{code}");
        }
        assert_eq!(refused(ErrorCode::Internal), Exit::Bug);
        assert_eq!(refused(ErrorCode::CommandIdReused), Exit::Bug);
        assert_eq!(user_error(code::USAGE, "no").exit(), Exit::Fixable);
        assert_eq!(Failure::BrokenPipe.exit(), Exit::Done);
        assert_eq!(Failure::from(anyhow::anyhow!("x")).exit(), Exit::Bug);
        assert_eq!(ExitCode::from(Exit::Signalled(Signal::SIGTERM)), ExitCode::from(143));
    }

    #[test]
    fn a_fault_of_ours_asks_for_a_report_and_says_what_it_was() {
        let refused = Failure::from(ErrorObject::new(ErrorCode::Internal, "index 7 of 3"));
        let object = refused.text(Spelling::CommandLine).unwrap();
        assert_eq!(object.message, "Internal error. Please report.");
        assert_eq!(object.hint.as_deref(), Some("index 7 of 3"));
    }

    #[test]
    fn a_mismatch_names_both_ranges_and_the_older_side() {
        let data = Mismatch { daemon: VersionRange(3, 4), client: VERSIONS }.to_json();
        let error = ErrorObject::new(ErrorCode::ProtocolMismatch, "no").data(data);
        let object = Failure::from(error).text(Spelling::CommandLine).unwrap();
        assert_eq!(
            object.message,
            "no protocol in common: vosimctl speaks version 1, vosimd versions 3 to 4"
        );
        assert!(object.hint.unwrap().starts_with("This vosimctl is older"));
    }
}
