//! The interview as a whole: its plan, its start, its end.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ExitReason;
use crate::ids::ProblemId;
use crate::time::Time;
use crate::v1::interview::Accommodation;
use crate::v1::talk::ModelUse;

/// Payload of `INTERVIEW_CREATED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterviewCreated {
    /// Which schema.
    pub schema_id: String,
    /// The version.
    pub schema_version: u32,
    /// Which problem.
    pub problem_id: ProblemId,
    /// Who is interviewed, or a token.
    pub candidate_id: String,
    /// The sections with the times that are granted.
    pub sections: Vec<PlannedSection>,
    /// The sum, milliseconds.
    pub total_ms: u64,
    /// How long late messages are taken, seconds.
    pub grace_seconds: u32,
    /// What was granted.
    pub accommodation: Accommodation,
    /// The Python that will judge.
    pub python_version: String,
    /// What a server of models is asked for; absent: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelUse>,
}

/// A section of the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedSection {
    /// The id.
    pub section_id: String,
    /// The name on screens.
    pub title: String,
    /// The duration, milliseconds.
    pub duration_ms: u64,
    /// Most follow-ups.
    pub followup_cap: u32,
}

/// Payload of `INTERVIEW_STARTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterviewStarted {
    /// The latest moment at which the last section ends.
    pub ends_by: Time,
}

/// Payload of `INTERVIEW_COMPLETED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterviewCompleted {
    /// Why each section ended, in order.
    pub exits: Vec<ExitReason>,
    /// Cases the last judged submission passed, and all; absent when nothing was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests_passed: Option<(u32, u32)>,
    /// Hints given.
    pub hints_used: u32,
    /// Questions to the assistant.
    pub assistant_queries: u32,
    /// Answers of the assistant that broke a rule and were withheld.
    pub assistant_violations: u32,
    /// From the start of the clock to this event, milliseconds.
    pub duration_ms: u64,
}

/// Why an interview ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TerminationReason {
    /// The candidate left it.
    Abandoned,
    /// The engine could not go on (001 10.2).
    SystemError,
}

/// Payload of `INTERVIEW_TERMINATED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterviewTerminated {
    /// Why.
    pub reason: TerminationReason,
    /// The section that was open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section_id: Option<String>,
}
