//! What interviewer and candidate say to each other.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::v1::coverage::{CoverageChange, CoverageMap, FollowupRule, Guard, Signals};
use crate::v1::talk::Words;

/// Payload of `PROMPT_PRESENTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptPresented {
    /// Of which section.
    pub section_id: String,
    /// What the candidate reads.
    pub text: String,
    /// Where the words come from.
    pub words: Words,
}

/// Payload of `CANDIDATE_MESSAGE`; section, late flag and distance are the receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateMessage {
    /// The section it belongs to.
    pub section_id: String,
    /// What was said.
    pub text: String,
    /// True when it came within the grace after the section's time (001 5.2).
    #[serde(default)]
    pub late: bool,
    /// Microseconds to the section's deadline; negative after it.
    pub until_deadline_micros: i64,
    /// The section the candidate named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named: Option<String>,
    /// The words.
    pub word_count: u32,
    /// Which groups of signals it hit, by dimension.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub signals: Signals,
    /// True when it holds a specific: a number, a cost, a named call or edge value, a reason.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub specific: bool,
    /// True when it tells the latest verdict as it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tells_verdict: bool,
    /// What held it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<Guard>,
    /// The dimension that the candidate declined and is not asked about again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declined: Option<String>,
    /// What it covered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coverage: Vec<CoverageChange>,
}

/// Payload of `CLARIFICATION_GIVEN`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClarificationGiven {
    /// In which section.
    pub section_id: String,
    /// Which card.
    pub card: String,
    /// The answer.
    pub text: String,
    /// What asking covered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageChange>,
}

/// Payload of `FOLLOWUP_SELECTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FollowupSelected {
    /// In which section.
    pub section_id: String,
    /// What it asks about.
    pub dimension: String,
    /// The place in the dimension's pool, from 0.
    pub pool_index: u32,
    /// The pool's text.
    pub question: String,
    /// What the candidate has said of the dimension and the question takes up, word for word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quoted: Option<String>,
    /// How far each dimension was covered then.
    pub coverage_before: CoverageMap,
    /// The rule that chose it.
    pub rule: FollowupRule,
    /// Follow-ups left before this one.
    pub budget_before: u32,
}

/// Payload of `FOLLOWUP_PRESENTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FollowupPresented {
    /// In which section.
    pub section_id: String,
    /// What it asks about.
    pub dimension: String,
    /// The place in the dimension's pool, from 0.
    pub pool_index: u32,
    /// What the candidate reads.
    pub text: String,
    /// Where the words come from.
    pub words: Words,
    /// How far each dimension was covered when it was chosen.
    pub coverage_before: CoverageMap,
    /// The rule that chose it.
    pub rule: FollowupRule,
    /// Follow-ups left after this one.
    pub budget_remaining: u32,
}

/// Payload of `QUESTIONS_OVER`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionsOver {
    /// In which section.
    pub section_id: String,
}
