//! Everything that can end a command early, with its sentence, its hint and its exit status.
//!
//! This is the one place that knows exit codes (000: error handling): 0 done, also when the code
//! under test failed; 1 the user can mend it; 2 a fault of ours. What a signal has ended ends by
//! that signal, which shells tell as 128 and its number.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use nix::sys::signal::Signal;
use vosim_protocol::blob::SUBMISSION_MAX_BYTES;
use vosim_protocol::hello::{Mismatch, VERSIONS, VersionRange};
use vosim_protocol::paths::SOCKET_PATH_MAX_BYTES;
use vosim_protocol::v1::bundle::Unreadable;
use vosim_protocol::v1::interview::{MESSAGE_MAX_BYTES, OWN_CASES_MAX};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::{ErrorCode, ErrorObject, EventId, Wire as _};

use crate::render::text::shell;

/// How the cases of the command line are named, each with its number behind it.
pub(crate) const OWN_CASE: &str = "own case";

const CASE_HINT: &str = "Write it like: --case 'LRUCache(1) put(1,1) get(1)==1'";

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
    /// The daemon said no.
    #[error(transparent)]
    Refused(Box<ErrorObject>),
    /// Something on this side that the user can mend.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Whoever read our output has gone: nothing to say, nothing wrong.
    #[error("the reader of the output has gone")]
    BrokenPipe,
    /// Ctrl-C where a command does not end by itself.
    #[error("interrupted")]
    Interrupted,
    /// A signal that ends programs, taken so that the terminal could be given back before.
    #[error("ended by {0}")]
    Signalled(Signal),
    /// A fault of ours.
    #[error("{0:#}")]
    Internal(#[from] anyhow::Error),
}

impl From<Box<ErrorObject>> for Failure {
    fn from(error: Box<ErrorObject>) -> Self {
        Self::Refused(error)
    }
}

impl From<ErrorObject> for Failure {
    fn from(error: ErrorObject) -> Self {
        Self::Refused(Box::new(error))
    }
}

/// What the client itself finds wrong and the user can mend.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error("the daemon is not running: nothing listens on {}", socket.display())]
    NotRunning { socket: PathBuf },
    #[error("the daemon is not running: {} is left from one that is gone", socket.display())]
    StaleSocket { socket: PathBuf },
    #[error("what stands there is not a socket: {}", path.display())]
    NotASocket { path: PathBuf },
    #[error("the socket path has {bytes} bytes, {SOCKET_PATH_MAX_BYTES} are possible: {}", path.display())]
    SocketPathTooLong { path: PathBuf, bytes: usize },
    #[error("cannot connect to {}: {source}", socket.display())]
    Connect { socket: PathBuf, source: io::Error },
    #[error("the socket {} belongs to the user with the id {uid}, not to you", socket.display())]
    WrongUser { socket: PathBuf, uid: u32 },
    #[error("the program vosimd is neither beside vosimctl nor in PATH")]
    DaemonMissing,
    #[error("the daemon could not be started: {reason}")]
    StartFailed { reason: String },
    #[error("the daemon of this data runs already, on another socket: {}", socket.display())]
    Elsewhere { socket: PathBuf },
    #[error("the connection to vosimd was lost")]
    Lost,
    #[error("the daemon has not answered {method} within {secs} s")]
    NoAnswer { method: &'static str, secs: u64 },
    #[error("the daemon answered {method} with something this version cannot read: {reason}")]
    Garbled { method: &'static str, reason: String },
    #[error("neither HOME nor XDG_DATA_HOME is set to an absolute path")]
    NoHome,
    #[error("File not found: {path}")]
    FileMissing { path: String },
    #[error("this is a directory, not a file: {path}")]
    Directory { path: String },
    #[error("this is not a regular file: {path}")]
    NotAFile { path: String },
    #[error("cannot read {path}: {source}")]
    Unreadable { path: String, source: io::Error },
    #[error("this is not a program text, its byte {at} is zero: {path}")]
    Binary { path: String, at: usize },
    #[error(
        "the file has {bytes} bytes, a submission may have {SUBMISSION_MAX_BYTES} (512 KiB): {path}"
    )]
    TooLarge { path: String, bytes: u64 },
    #[error("the name {path} does not tell the language")]
    UnknownLanguage { path: String },
    #[error("{path} is a file of {named} by its name, and the language asked for is {said}")]
    OtherLanguage { path: String, said: Language, named: Language },
    #[error("cannot write {path}: {source}")]
    Unwritable { path: String, source: io::Error },
    #[error("{path} is there already and is no export; it was left as it is")]
    Exists { path: String },
    #[error("cannot write the output: {0}")]
    Output(io::Error),
    #[error("cannot read {}: {reason}", case(name))]
    BadCase { name: String, reason: String },
    #[error("{} does not fit the problem: {reason}", case(name))]
    Misfit { name: String, reason: String, calls: String },
    #[error("there is no text")]
    EmptyText,
    #[error("the text has {bytes} bytes, {MESSAGE_MAX_BYTES} (32 KiB) are possible")]
    TextTooLong { bytes: usize },
    #[error("this is not UTF-8 text, its byte {at} is not")]
    NotText { at: usize },
    #[error("a text is missing: {usage}")]
    TextMissing { usage: &'static str },
    #[error("/{word} is not a command here")]
    UnknownWord { word: String },
    #[error("/{word} stands alone on its line")]
    WordAlone { word: String },
    #[error("there is no section {name}; there are: {known}")]
    UnknownSection { name: String, known: String },
    #[error("session {id} is an interview, and the form jsonl is the drill's")]
    NoPlainForm { id: String },
    #[error("no file was named, and none is watched")]
    NoFile,
    #[error("no case of your own was given")]
    NoCases,
    #[error("{count} cases were given, {OWN_CASES_MAX} are possible in one run")]
    TooManyCases { count: usize },
    #[error("a schema has at most {max} bytes: {path}")]
    SchemaTooLarge { path: String, max: u64 },
    #[error("session {id} is {a_kind}, which has no '{what}'")]
    WrongKind { id: String, a_kind: &'static str, what: &'static str },
    #[error("{what} needs a yes")]
    Unconfirmed { what: &'static str, flag: &'static str },
    #[error("{reason}")]
    Offline { reason: String },
    #[error("{path}: {reason}")]
    NotABundle { path: String, reason: Unreadable },
    #[error("there is no event {event}; there are 1 to {last}")]
    UnknownEvent { event: EventId, last: EventId },
    #[error("nothing happens from {from} on: the session ends at {end}")]
    BeyondTheEnd { from: String, end: String },
    #[error("--until, {until}, lies before --from, {from}")]
    Reversed { from: String, until: String },
    #[error("nothing happens between {from} and {until}")]
    NothingBetween { from: String, until: String },
    #[error("{0}")]
    NothingToShow(String),
    #[error("there is no attempt {number}")]
    UnknownAttempt { number: u32 },
    #[error("attempt {number} has no verdict yet")]
    NotJudged { number: u32 },
    #[error("{0}")]
    Usage(String),
    #[error("the run ended without a verdict: {reason}")]
    Aborted { reason: String },
    #[error("the session ended before {what} came")]
    EndedBefore { what: &'static str },
    #[error("{role} {reason}")]
    OtherRole { role: &'static str, reason: &'static str },
    #[error("{what} has not come within {secs} s")]
    Overdue { what: &'static str, secs: u64 },
}

impl Fault {
    /// The reason as a word for programs; these words are the client's own.
    fn code(&self) -> &'static str {
        match self {
            Self::NotRunning { .. } | Self::StaleSocket { .. } => "daemon_not_running",
            Self::NotASocket { .. } | Self::SocketPathTooLong { .. } | Self::NoHome => "bad_path",
            Self::Connect { .. } | Self::Lost => "connection_failed",
            Self::WrongUser { .. } => "wrong_user",
            Self::Elsewhere { .. } => "other_socket",
            Self::DaemonMissing | Self::StartFailed { .. } => "daemon_start_failed",
            Self::NoAnswer { .. } | Self::Overdue { .. } => "no_answer",
            Self::Garbled { .. } => "garbled_answer",
            Self::FileMissing { .. } => "file_not_found",
            Self::Directory { .. } | Self::NotAFile { .. } | Self::Unreadable { .. } => {
                "file_unreadable"
            }
            Self::Binary { .. } => "file_binary",
            Self::TooLarge { .. } => "too_large",
            Self::UnknownLanguage { .. } | Self::OtherLanguage { .. } => "unknown_language",
            Self::Unwritable { .. } | Self::Output(_) => "write_failed",
            Self::Exists { .. } => "file_exists",
            Self::BadCase { .. } | Self::Misfit { .. } => "invalid_case",
            Self::EmptyText | Self::TextMissing { .. } => "empty_text",
            Self::TextTooLong { .. } | Self::SchemaTooLarge { .. } => "too_large",
            Self::NotText { .. } => "not_utf8",
            Self::UnknownWord { .. } | Self::WordAlone { .. } => "usage",
            Self::UnknownSection { .. } => "unknown_section",
            Self::NoFile => "usage",
            Self::NoCases | Self::TooManyCases { .. } => "invalid_case",
            Self::WrongKind { .. } | Self::NoPlainForm { .. } => "wrong_kind",
            Self::EndedBefore { .. } => "session_ended",
            Self::OtherRole { .. } => "role_forbidden",
            Self::Unconfirmed { .. } => "confirmation_required",
            Self::NothingToShow(_) | Self::UnknownAttempt { .. } => "unknown_attempt",
            Self::NotJudged { .. } => "not_judged",
            Self::Offline { .. } | Self::NotABundle { .. } => "refused",
            Self::UnknownEvent { .. } => "unknown_event",
            Self::BeyondTheEnd { .. }
            | Self::Reversed { .. }
            | Self::NothingBetween { .. }
            | Self::Usage(_) => "usage",
            Self::Aborted { .. } => "evaluation_aborted",
        }
    }

    /// True where another content of the named file would do.
    pub(crate) fn is_of_a_file(&self) -> bool {
        matches!(
            self,
            Self::FileMissing { .. }
                | Self::Directory { .. }
                | Self::NotAFile { .. }
                | Self::Unreadable { .. }
                | Self::Binary { .. }
                | Self::TooLarge { .. }
        )
    }

    /// The next step.
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NotRunning { .. } | Self::StaleSocket { .. } => {
                "Start it with: vosimctl daemon start".to_owned()
            }
            Self::NotASocket { .. } => {
                "Move it away, or name another path in VOSIM_SOCKET.".to_owned()
            }
            Self::SocketPathTooLong { .. } => "Name a shorter path in VOSIM_SOCKET.".to_owned(),
            Self::WrongUser { .. } => "Use your own daemon: unset VOSIM_SOCKET.".to_owned(),
            Self::DaemonMissing => {
                "Install vosimd beside vosimctl, or add its folder to PATH.".to_owned()
            }
            Self::StartFailed { .. } | Self::Connect { .. } | Self::NoAnswer { .. } => {
                "Look closer with: vosimctl doctor".to_owned()
            }
            Self::Elsewhere { socket } => {
                let socket = shell(&socket.display().to_string());
                format!("Speak to it with: VOSIM_SOCKET={socket} vosimctl ...")
            }
            Self::Lost => "Try again; see what happened with: vosimctl doctor".to_owned(),
            Self::Overdue { .. } => {
                "It may still come; see with: vosimctl result, or result --hints".to_owned()
            }
            Self::Garbled { .. } => {
                "vosimctl and vosimd are of different versions. Restart the daemon: \
                 vosimctl daemon stop, then any command"
                    .to_owned()
            }
            Self::NoHome => "Set HOME.".to_owned(),
            Self::SchemaTooLarge { .. } => {
                "Start from the standard one: vosimctl schema show > mine.toml".to_owned()
            }
            Self::Exists { .. } => {
                "Name another file, or replace this one with: --force".to_owned()
            }
            Self::Binary { .. } => "Submit the source file, saved as text.".to_owned(),
            Self::UnknownLanguage { .. } => {
                "Say it with --language python or --language javascript.".to_owned()
            }
            Self::OtherLanguage { .. } => "Name another file, or leave --language out.".to_owned(),
            Self::EmptyText => "Give it behind the command, or through a pipe with: -".to_owned(),
            Self::TextTooLong { .. } => "Send it in several parts.".to_owned(),
            Self::NotText { .. } => "Save or send it as UTF-8.".to_owned(),
            Self::UnknownSection { .. } => "See where it stands with: vosimctl status".to_owned(),
            Self::BadCase { .. } | Self::NoCases => CASE_HINT.to_owned(),
            Self::Misfit { calls, .. } => format!("Its calls are: {calls}"),
            Self::UnknownWord { .. } => "The commands are shown by: /help".to_owned(),
            Self::NoPlainForm { .. } => "Export it with: --format records".to_owned(),
            Self::WordAlone { .. } => "To say it, begin the line with //".to_owned(),
            Self::WrongKind { .. } => {
                "Another session can be named with --session; see: vosimctl list".to_owned()
            }
            Self::Unconfirmed { flag, .. } => format!("Repeat the command with {flag}."),
            Self::NotABundle { path, reason } => bundle_hint(path, reason),
            Self::UnknownEvent { .. } => {
                "The events are shown by: vosimctl replay --speed max".to_owned()
            }
            Self::BeyondTheEnd { .. } | Self::NothingBetween { .. } => {
                "What happens when is shown by: vosimctl replay --speed max".to_owned()
            }
            Self::Reversed { .. } => {
                "Name the earlier place first: --from 05:00 --until 10:00".to_owned()
            }
            Self::NotJudged { .. } => "Follow along with: vosimctl attach".to_owned(),
            Self::UnknownAttempt { .. } => "The attempts are shown by: vosimctl status".to_owned(),
            Self::Usage(_) => "See: vosimctl --help".to_owned(),
            Self::Aborted { .. } => {
                "The attempt was not counted. Look closer with: vosimctl doctor".to_owned()
            }
            Self::FileMissing { .. }
            | Self::Directory { .. }
            | Self::NotAFile { .. }
            | Self::Unreadable { .. }
            | Self::TooLarge { .. }
            | Self::Unwritable { .. }
            | Self::Output(_)
            | Self::Offline { .. }
            | Self::NoFile
            | Self::EndedBefore { .. }
            | Self::OtherRole { .. }
            | Self::TextMissing { .. }
            | Self::TooManyCases { .. }
            | Self::NothingToShow(_) => return None,
        })
    }
}

/// A case by its name; one from the command line says what it is by itself.
fn case(name: &str) -> String {
    if name.starts_with(OWN_CASE) { name.to_owned() } else { format!("case {name}") }
}

/// What can be done about a file that cannot be played back.
fn bundle_hint(path: &str, reason: &Unreadable) -> String {
    match reason {
        Unreadable::BreaksOff => "Copy it once more, or write it anew with: vosimctl export \
                                  --bundle replay -o FILE"
            .to_owned(),
        Unreadable::Newer { .. } => "Use the vosimctl of that version.".to_owned(),
        Unreadable::Record(_) => format!("Look closer with: vosimctl verify {}", shell(path)),
        Unreadable::TooLarge | Unreadable::Evaluation | Unreadable::Other { .. } => {
            "Write one of an ended session with: vosimctl export --bundle replay -o FILE".to_owned()
        }
    }
}

impl Failure {
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Refused(error) => exit_of(&error.code),
            Self::Fault(_) => Exit::Fixable,
            Self::BrokenPipe => Exit::Done,
            Self::Interrupted => Exit::Fixable,
            Self::Signalled(signal) => Exit::Signalled(*signal),
            Self::Internal(_) => Exit::Bug,
        }
    }

    /// What the user reads, in the form that `--json` prints; None where nothing is to be said.
    pub(crate) fn object(&self) -> Option<ErrorObject> {
        match self {
            Self::Refused(error) => Some(explain(error)),
            Self::Fault(fault) => {
                let mut object = ErrorObject::new(ErrorCode::from(fault.code()), fault.to_string());
                object.hint = fault.hint();
                Some(object)
            }
            // Whoever sent a signal knows.
            Self::BrokenPipe | Self::Signalled(_) => None,
            Self::Interrupted => {
                Some(ErrorObject::new(ErrorCode::from("interrupted"), self.to_string()))
            }
            Self::Internal(error) => Some(internal(&format!("{error:#}"))),
        }
    }
}

/// 000: unexpected errors.
pub(crate) fn internal(what: &str) -> ErrorObject {
    ErrorObject::new(ErrorCode::Internal, "Internal error. Please report.").hint(what)
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

/// A refusal with what the daemon could not know: versions of both sides, bugs named as such.
fn explain(error: &ErrorObject) -> ErrorObject {
    let mut object = error.clone();
    object.data = None;
    if error.code == ErrorCode::ProtocolMismatch
        && let Ok(mismatch) = serde_json::to_value(&error.data).and_then(Mismatch::from_json)
    {
        return mismatched(object, mismatch);
    }
    if error.code == ErrorCode::UnknownMethod {
        object.hint.get_or_insert_with(|| {
            "The daemon is older than this vosimctl. Restart it: vosimctl daemon stop, then any \
             command"
                .to_owned()
        });
    }
    if error.code == ErrorCode::InvalidCase {
        object.hint.get_or_insert_with(|| CASE_HINT.to_owned());
    }
    if exit_of(&error.code) == Exit::Bug {
        return ErrorObject { code: object.code, ..internal(&error.message) };
    }
    object
}

fn mismatched(mut object: ErrorObject, mismatch: Mismatch) -> ErrorObject {
    let range = |VersionRange(first, last): VersionRange| {
        if first == last {
            format!("version {first}")
        } else {
            format!("versions {first} to {last}")
        }
    };
    object.message = format!(
        "no protocol in common: vosimctl speaks {}, vosimd {}",
        range(VERSIONS),
        range(mismatch.daemon)
    );
    object.hint = Some(if mismatch.daemon.1 < VERSIONS.0 {
        "The daemon is older. Restart it: vosimctl daemon stop, then any command".to_owned()
    } else {
        "This vosimctl is older than the daemon. Install the one that came with it.".to_owned()
    });
    object
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
        assert_eq!(Failure::from(Fault::Lost).exit(), Exit::Fixable);
        assert_eq!(Failure::BrokenPipe.exit(), Exit::Done);
        assert_eq!(Failure::from(anyhow::anyhow!("x")).exit(), Exit::Bug);
        assert_eq!(ExitCode::from(Exit::Signalled(Signal::SIGTERM)), ExitCode::from(143));
    }

    #[test]
    fn a_fault_of_ours_asks_for_a_report_and_says_what_it_was() {
        let refused = Failure::from(ErrorObject::new(ErrorCode::Internal, "index 7 of 3"));
        let object = refused.object().unwrap();
        assert_eq!(object.message, "Internal error. Please report.");
        assert_eq!(object.hint.as_deref(), Some("index 7 of 3"));
    }

    #[test]
    fn a_mismatch_names_both_ranges_and_the_older_side() {
        let data = Mismatch { daemon: VersionRange(3, 4), client: VERSIONS }.to_json();
        let error = ErrorObject::new(ErrorCode::ProtocolMismatch, "no").data(data);
        let object = Failure::from(error).object().unwrap();
        assert_eq!(
            object.message,
            "no protocol in common: vosimctl speaks version 1, vosimd versions 3 to 4"
        );
        assert!(object.hint.unwrap().starts_with("This vosimctl is older"));
    }

    #[test]
    fn a_missing_file_is_told_in_the_words_of_the_specification() {
        let fault = Fault::FileMissing { path: "missing.py".to_owned() };
        assert_eq!(Failure::from(fault).object().unwrap().message, "File not found: missing.py");
    }
}
