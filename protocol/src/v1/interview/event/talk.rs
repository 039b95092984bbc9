//! What interviewer and candidate say to each other.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::EventId;
use crate::v1::coverage::{CoverageChange, CoverageMap, FollowupRule, Guard, Signals};
use crate::v1::effect::Testimony;
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
    /// What the server calls the model whose words they are; absent where they are not a model's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
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

/// Payload of `MESSAGE_HEARD`: what a model says that a message covers, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MessageHeard {
    /// The section that the message belongs to.
    pub section_id: String,
    /// The message.
    pub message: EventId,
    /// The model that was asked.
    pub model: String,
    /// What it said, whether it counts or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub testimonies: Vec<Testimony>,
    /// Why it said nothing that can be used, one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
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
    /// The question and its answer.
    pub text: String,
    /// The way of asking that the candidate's words came nearest to.
    pub nearest: String,
    /// What asking covered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageChange>,
}

/// What a candidate asks the interviewer for, where no card of the problem answers it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Inquiry {
    /// The open question, once more.
    Repeat,
    /// The open question, in other words.
    Reword,
    /// Time to think.
    Pause,
    /// How much time is left.
    TimeLeft,
    /// In which language to write.
    Language,
    /// What may be imported.
    Library,
    /// How code is run and submitted.
    Running,
    /// Whether an answer is right.
    Judgement,
    /// Whether it is enough, and what comes next.
    Onward,
    /// A hint, or the solution.
    Help,
    /// Who asks here, and what becomes of the answers.
    Interviewer,
    /// Paper, documents, other people's help.
    Notes,
    /// Where the problem's statement can be read again.
    Statement,
    /// Something that the problem leaves open: the candidate says what they assume.
    LeftOpen,
    /// Something that the statement says.
    InStatement,
    /// Two cards are equally near, or nothing is: the candidate is asked what they mean.
    Unclear,
}

/// Payload of `INQUIRY_ANSWERED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InquiryAnswered {
    /// In which section.
    pub section_id: String,
    /// What was asked for.
    pub inquiry: Inquiry,
    /// The answer.
    pub text: String,
    /// The way of asking that the candidate's words came nearest to; absent where none was near.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<String>,
    /// The cards that were offered, where it was not clear which one is meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offered: Vec<String>,
    /// The question, where the candidate is to assume an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumed: Option<String>,
    /// The question of the pool that stands in the place of the open follow-up from here on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reworded: Option<Reworded>,
}

/// A follow-up in other words: the next question of the same pool (001 6.3), without another place of the budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reworded {
    /// What it asks about.
    pub dimension: String,
    /// The place in the dimension's pool, from 0.
    pub pool_index: u32,
    /// The pool's text.
    pub question: String,
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
    /// What the server calls the model whose words they are; absent where they are not a model's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
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
