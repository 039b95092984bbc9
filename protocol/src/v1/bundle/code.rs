//! The states of the candidate's code that a session took note of, as both bundles tell them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{EventId, Hash};
use crate::time::Time;
use crate::v1::evaluation::{Detail, FailureType};

/// Why a state of the code is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CodeOrigin {
    /// The candidate submitted it.
    Candidate,
    /// The watched file as it stood at the section's deadline.
    Deadline,
    /// The watched file as it stood when the section ended before its time.
    SectionEnd,
    /// The watched file was saved.
    Saved,
    /// Cases of the candidate's own were run on it.
    OwnTests,
    /// The assistant was asked about it.
    Asked,
    /// An agent wrote it.
    Agent,
}

/// A state of the candidate's code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CodeVersion {
    /// The event that tells of it.
    pub event_id: EventId,
    /// When.
    pub at: Time,
    /// Which submission it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission: Option<u32>,
    /// Why it is known.
    pub origin: CodeOrigin,
    /// Where the file stands on the candidate's disk; absent for a question to the assistant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    /// SHA-256 of its bytes.
    pub code_hash: Hash,
    /// The bytes.
    pub bytes: u64,
    /// What the judge said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// What the judge said of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// The event that tells it.
    pub event_id: EventId,
    /// The class.
    pub failure_type: FailureType,
    /// Cases it passed.
    pub tests_passed: u32,
    /// All others.
    pub tests_failed: u32,
    /// The names of those, hidden ones too.
    pub failing_tests: Vec<String>,
    /// Why the class applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    /// The cause that it was put down to; absent for a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
}
