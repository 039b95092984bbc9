//! What a candidate can ask of an attempt, however it is typed.

use std::path::PathBuf;

use vosim_protocol::v1::attempt::Command;
use vosim_protocol::v1::problem::Op;
use vosim_protocol::v1::service::OwnCase;

use crate::case_syntax;
use crate::errors::Failure;
use crate::intent::FileMeant;

/// What a candidate can ask of an attempt.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Intent {
    /// A command whose arguments stand in the line.
    Ask(Box<Command>),
    /// Send a filled form of UNDERSTAND.
    Understand(PathBuf),
    /// Answer a question of the assessment by its number, counted from 1.
    Answer { question: usize, answer: String },
    /// Judge a file; without a name the one that the session knows. `again` means bytes that were
    /// judged before, too.
    Submit { file: FileMeant, again: bool },
    /// Run the visible cases, those that are kept, and these on a file.
    Test { file: FileMeant, cases: Vec<OwnCase> },
    /// Show the last verdict again.
    Result,
    /// Show the last failure call by call.
    Trace,
    /// Show the problem again.
    Problem,
}

/// A run of calls as it is typed.
pub(super) fn input(calls: &str) -> Result<Vec<Op>, Failure> {
    Ok(case_syntax::parse("your input", calls)?.ops)
}
