//! A section from its start to its sealed artifact.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::time::Time;
use crate::v1::coverage::{CoverageMap, Sentence};

/// Payload of `SECTION_STARTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionStarted {
    /// The id.
    pub section_id: String,
    /// The place, from 1.
    pub number: u32,
    /// How many sections there are.
    pub total: u32,
    /// The name on screens.
    pub title: String,
    /// What it is for.
    pub goal: String,
    /// When its time is up.
    pub deadline: Time,
    /// Follow-ups it may spend.
    pub followup_budget: u32,
    /// What it must cover, most important first.
    pub required: Vec<String>,
}

/// Payload of `SECTION_TIME_WARNING`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionTimeWarning {
    /// Of which section.
    pub section_id: String,
    /// The name on screens.
    pub title: String,
    /// Milliseconds left.
    pub left_ms: u64,
    /// When its time is up.
    pub deadline: Time,
}

/// Payload of `CONTENT_REQUESTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContentRequested {
    /// In which section.
    pub section_id: String,
    /// What the candidate reads.
    pub text: String,
    /// What is missing, one phrase each.
    pub missing: Vec<String>,
}

/// Payload of `COVERAGE_SATISFIED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CoverageSatisfied {
    /// Which section.
    pub section_id: String,
    /// The name on screens.
    pub title: String,
    /// When it ends unless something is said, saved or run before then.
    pub ends_at: Time,
}

/// Why a section ended (001 3.3).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ExitReason {
    /// The time was up.
    TimeExpired,
    /// Everything required was covered.
    CoverageSatisfied,
    /// The candidate said so.
    CandidateDone,
    /// The section could not go on, or the interview was left.
    SystemError,
}

/// Payload of `SECTION_ENDED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionEnded {
    /// Which section.
    pub section_id: String,
    /// The name on screens.
    pub title: String,
    /// Why.
    pub reason: ExitReason,
    /// Milliseconds it would still have had; they are not carried over.
    pub unused_ms: u64,
    /// Until when late messages still belong to it; only after `time_expired`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace_until: Option<Time>,
}

/// Payload of `SECTION_SUMMARIZED`: the section's artifact without what the log holds anyway
/// (001 3.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionSummarized {
    /// Which section.
    pub section_id: String,
    /// Why it ended.
    pub exit_reason: ExitReason,
    /// How far each dimension was covered.
    pub coverage_flags: CoverageMap,
    /// Dimensions the candidate declined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declined: Vec<String>,
    /// What was said, in the candidate's own sentences (001 7.1).
    pub bounded_context_summary: Vec<Sentence>,
    /// Follow-ups asked.
    pub followups_asked: u32,
    /// Messages, late ones included.
    pub messages: u32,
    /// Messages that came in the grace.
    #[serde(default)]
    pub late_messages: u32,
    /// Submissions, for the coding section.
    #[serde(default)]
    pub submissions: u32,
}
