//! The interview schema: sections, questions, words that tell coverage (docs/interview-schema.md).

use std::collections::BTreeSet;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::v1::coverage::{Dimension, FollowupRule};

/// The plan of an interview, as an author writes it in TOML.
///
/// Texts may hold `{title}`, `{interface}`, `{operation}`, `{special_input}`, `{critical_step}` and
/// `{file}`; they are filled from the problem when a session begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// Version of the format: 1.
    pub format: u32,
    /// Names the schema: 1 to 64 of `a-z`, `0-9`, `_` and `-`.
    pub id: String,
    /// Version of its content; a change of any text or number counts it up.
    pub version: u32,
    /// The name on screens.
    pub title: String,
    /// The whole duration, seconds; the sum of the sections'.
    pub total_seconds: u32,
    /// How long after an expired deadline a message still belongs to the section, seconds, 0 to 60
    /// (001 5.2).
    pub grace_seconds: u32,
    /// No follow-up within so many seconds of a message: the candidate may go on writing.
    pub message_quiet_seconds: u32,
    /// No follow-up within so many seconds of a save, nor while a run is going.
    pub save_quiet_seconds: u32,
    /// How long a covered section stays open without a message, save or run (DECISIONS 13).
    pub covered_seconds: u32,
    /// How long after the last candidate terminal has gone the interview pauses (DECISIONS 12).
    pub presence_seconds: u32,
    /// What is said when a candidate wants to leave a section with too little in it (001 6.4).
    pub nudge: String,
    /// The sections in their order, 1 to 12.
    pub sections: Vec<Section>,
}

/// One timed section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Names it; unique in the schema.
    pub id: String,
    /// The name on screens.
    pub title: String,
    /// What it is for, one or two sentences.
    pub goal: String,
    /// The interviewer's opening question.
    pub prompt: String,
    /// The duration, seconds, at least 1.
    pub duration_seconds: u32,
    /// Most follow-ups (001 6.1).
    pub followup_cap: u32,
    /// The types of follow-ups that may be asked (001 6.1).
    #[serde(default = "every_type", skip_serializing_if = "has_every_type")]
    pub followup_types_allowed: BTreeSet<FollowupRule>,
    /// Seconds before the deadline at which a warning is given, longest first (001 5.1).
    #[serde(default)]
    pub warnings: Vec<u32>,
    /// True for the section in which code is submitted; then it is covered only when the latest
    /// submission passes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub coding: bool,
    /// What must be there before `done` ends it (001 6.4).
    #[serde(default)]
    pub minimum: Minimum,
    /// What it must cover, most important first.
    pub dimensions: Vec<Dimension>,
}

fn every_type() -> BTreeSet<FollowupRule> {
    FollowupRule::ALL.into()
}

fn has_every_type(allowed: &BTreeSet<FollowupRule>) -> bool {
    allowed.len() == FollowupRule::ALL.len()
}

/// The minimum content of a section: each part that is given must hold; of `one_message` and
/// `two_messages` either one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Minimum {
    /// One message of so many words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_message: Option<u32>,
    /// Two messages of so many words each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub two_messages: Option<u32>,
    /// So many words in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_words: Option<u32>,
    /// This dimension is at least partly covered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touches: Option<String>,
    /// A submission that loads.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub loads: bool,
}

/// A fixed answer to a clarifying question, from the problem's package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Clarification {
    /// Names it; unique in the problem.
    pub id: String,
    /// The question that it answers.
    pub question: String,
    /// Other ways in which people ask it.
    pub ways: Vec<String>,
    /// The answer.
    pub answer: String,
    /// The dimension that asking it covers partly.
    pub dimension: String,
}

/// What `schema check` finds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SchemaReport {
    /// The schema's id and version, when it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The sections with their seconds and caps.
    #[serde(default)]
    pub sections: Vec<(String, u32, u32)>,
    /// What is wrong; empty for a good one.
    pub faults: Vec<SchemaFault>,
}

/// One fault of a schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SchemaFault {
    /// In which line of the file, from 1; absent for what stands nowhere in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Where: the key with the way to it, for example `sections.design.followup_cap`, or `file`.
    pub place: String,
    /// What is wrong: the rest of a sentence that begins with the place.
    pub message: String,
}

/// `line 7, sections.design.followup_cap: is 13, but …`.
impl fmt::Display for SchemaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}, ")?;
        }
        write!(f, "{}: {}", self.place, self.message)
    }
}
