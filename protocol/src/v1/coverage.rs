//! The dimensions that a candidate's words are to cover, how far they are, and by which rule
//! (001 6).

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::EventId;

/// Something a section must cover (001 6.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dimension {
    /// Names it, for example `failure_modes`; unique in the section.
    pub id: String,
    /// The name on screens.
    pub title: String,
    /// False for one that never keeps a section open and is never asked for.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub required: bool,
    /// Groups of stems; a word that begins with a stem hits its group. A stem of several words
    /// matches such a run of words.
    pub signals: Vec<Vec<String>>,
    /// What covers it in the place of words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// The pool of follow-up questions, first one first.
    #[serde(default)]
    pub questions: Vec<String>,
}

/// What covers a dimension; it beats words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// A run of the candidate's own cases, and the latest verdict told in the candidate's words; or
    /// words that cover it once a run is on record. Words alone cover it partly.
    TestsAndVerdict,
}

/// How far a dimension is covered (001 6.2).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Coverage {
    /// Nothing was said of it.
    #[default]
    NotCovered,
    /// Touched.
    PartiallyCovered,
    /// Said with a specific, or shown by evidence.
    Covered,
}

/// How far each dimension of a section is covered.
pub type CoverageMap = BTreeMap<String, Coverage>;

/// Groups of signals that were hit, by dimension; a group is named by its place, from 0.
pub type Signals = BTreeMap<String, BTreeSet<u8>>;

/// A change of coverage, with the rule that made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CoverageChange {
    /// Which dimension.
    pub dimension: String,
    /// Before.
    pub from: Coverage,
    /// After.
    pub to: Coverage,
    /// Why.
    pub rule: CoverageRule,
}

/// The rule that changed a coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CoverageRule {
    /// One group of signals was hit.
    OneGroup,
    /// Two groups in one message of at least 8 words with a specific.
    TwoGroupsInOneMessage,
    /// Three groups over the section, and a specific.
    ThreeGroupsOverTheSection,
    /// A clarifying question was asked.
    ClarificationAsked,
    /// Cases of the candidate's own were run, or the verdict was told.
    TestsOrVerdict,
    /// Both.
    TestsAndVerdict,
    /// What the message says, weighed by the session's weights.
    Weighed,
    /// The same, about a run that is on record.
    AboutARun,
    /// A model's hearing, which quotes the candidate: one level above what was heard without it
    /// (DECISIONS 37).
    HeardByModel,
}

/// Why a message counts less than its words, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    /// Mostly the statement or a question again: nothing counts.
    Echo,
    /// Nothing but questions: at most partly.
    Question,
    /// Mostly signal words, and no sentence: at most partly.
    Stuffing,
    /// The candidate declined the question.
    Declined,
    /// The message came in the grace: never counts (DECISIONS 10).
    Late,
}

/// The rule that chose a follow-up (001 6.3), and with it the type of the follow-up (001 6.1).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FollowupRule {
    /// Rule 1: a required dimension that is not covered.
    UncoveredFirst,
    /// Rule 2: a required dimension that is partly covered.
    DeepenPartial,
    /// The answer to a question said nothing: it is asked once more in other words, where the budget
    /// leaves a question for each dimension that was not asked about (DECISIONS 38).
    InOtherWords,
}

impl FollowupRule {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::UncoveredFirst, Self::DeepenPartial, Self::InOtherWords];
}

/// A sentence of a summary, taken from the transcript word for word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sentence {
    /// The dimension it speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimension: Option<String>,
    /// The sentence.
    pub text: String,
    /// The message it stands in.
    pub event_id: EventId,
}

fn yes() -> bool {
    true
}
