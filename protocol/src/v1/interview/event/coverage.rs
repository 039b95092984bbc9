//! How far the dimensions of a section are covered, and by which rule (001 6.2).

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
}

/// Why a message counts less than its words, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    /// Mostly the statement or a question again: nothing counts.
    Echo,
    /// Nothing but questions: at most partly.
    Question,
    /// Mostly signal words: at most partly.
    Stuffing,
    /// The candidate declined the question.
    Declined,
    /// It came in the grace: never counts (DECISIONS 10).
    Late,
}
