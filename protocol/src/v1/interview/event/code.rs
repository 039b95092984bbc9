//! The candidate's code: watched, tried with own cases, submitted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{EventId, Hash};
use crate::time::Time;
use crate::v1::coverage::CoverageChange;
use crate::v1::effect::{Obstacle, Untaken};
use crate::v1::evaluation::Evaluation;
use crate::v1::problem::{Language, Op};

/// Why code was submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The candidate submitted it.
    Candidate,
    /// The watched file as it stood at the section's deadline (DECISIONS 11).
    Deadline,
    /// The watched file as it stood when the section ended before its time.
    SectionEnd,
}

/// Why nothing was submitted when a file was no longer watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotSubmitted {
    /// The file was submitted before as it stood.
    Unchanged,
    /// The file held the problem's starter and nothing else.
    Starter,
    /// Nothing had ever been saved in it.
    Nothing,
    /// The interview was left.
    Left,
}

/// Payload of `CANDIDATE_CODE_SUBMISSION`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateCodeSubmission {
    /// In which section.
    pub section_id: String,
    /// 1, 2, 3 …
    pub attempt_number: u32,
    /// Where the file stands on the candidate's disk.
    pub file_path: String,
    /// SHA-256 of its bytes.
    pub code_hash: Hash,
    /// The lines.
    pub line_count: u64,
    /// The bytes.
    pub bytes: u64,
    /// The language.
    pub language: Language,
    /// Why.
    pub origin: Origin,
    /// True when the file was read after the deadline because the daemon was down then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub captured_late: bool,
    /// Why the last save stands in for the watched file; absent when it is the file itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untaken: Option<Untaken>,
    /// True when the same bytes were judged before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeated: bool,
    /// True when the candidate submitted it in the grace after the section's time (001 5.2).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
    /// Microseconds to the section's deadline; negative after it.
    pub until_deadline_micros: i64,
}

/// Payload of `OWN_TESTS_STARTED`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OwnTestsStarted {
    /// In which section.
    pub section_id: String,
    /// Where the file stands on the candidate's disk.
    pub file_path: String,
    /// SHA-256 of its bytes.
    pub code_hash: Hash,
    /// The lines.
    pub line_count: u64,
    /// The bytes.
    pub bytes: u64,
    /// The language.
    pub language: Language,
    /// The cases.
    pub cases: Vec<Vec<Op>>,
}

impl OwnTestsStarted {
    /// True when a case says what some call must return: one that does not tests nothing.
    pub fn expects(&self) -> bool {
        self.cases.iter().flatten().any(|op| op.expect.is_some())
    }
}

/// Payload of `OWN_TESTS_RESULT`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OwnTestsResult {
    /// The event that asked.
    pub request: EventId,
    /// Cases whose answers were as the candidate expected.
    pub passed: u32,
    /// All others.
    pub failed: u32,
    /// What they covered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageChange>,
    /// Everything the evaluator found.
    pub evaluation: Box<Evaluation>,
}

/// Payload of `OWN_TESTS_ABORTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnTestsAborted {
    /// The event that asked.
    pub request: EventId,
    /// One sentence.
    pub reason: String,
}

/// Payload of `SOLUTION_WATCHED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SolutionWatched {
    /// Where the file stands.
    pub file_path: String,
    /// The language.
    pub language: Language,
    /// The other file that was watched until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<String>,
}

/// Payload of `SOLUTION_SAVED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SolutionSaved {
    /// SHA-256 of its bytes.
    pub code_hash: Hash,
    /// The lines.
    pub line_count: u64,
    /// The bytes.
    pub bytes: u64,
    /// When the file was changed, as its disk says.
    pub modified: Time,
}

/// Payload of `SOLUTION_LOST`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SolutionLost {
    /// Why it cannot be taken.
    pub why: Obstacle,
}

/// Payload of `SOLUTION_UNWATCHED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SolutionUnwatched {
    /// Why the daemon gave up; absent when the candidate asked, or the section had ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it was not submitted at the end; absent when it was, and when the candidate asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_submitted: Option<NotSubmitted>,
    /// Why what it held at the end did not count, so that its last save was looked at instead; absent
    /// when it was submitted, or counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untaken: Option<Untaken>,
}
