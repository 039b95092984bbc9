//! The assistant channel (001 8).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{EventId, Hash};

/// What kind of help is asked of the assistant (001 8.2).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AskKind {
    /// What a thing is or how it behaves.
    Concept,
    /// What an error message means.
    Error,
    /// A question about the candidate's own code.
    Code,
}

impl AskKind {
    /// The word on the wire and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Concept => "concept",
            Self::Error => "error",
            Self::Code => "code",
        }
    }
}

/// Payload of `ASSISTANT_QUERY`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssistantQuery {
    /// In which section it was asked.
    pub section_id: String,
    /// What kind of help.
    pub kind: AskKind,
    /// The question.
    pub question: String,
    /// The code it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_hash: Option<Hash>,
    /// Its lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_count: Option<u64>,
    /// Its bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// A rule that an answer of the assistant broke (001 8.2).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Violation {
    /// More lines of code than an answer may hold.
    Code,
    /// Five tokens in a row that stand in the reference.
    Reference,
    /// A numbered or ordered plan of the implementation.
    Plan,
    /// Longer than an answer may be.
    Length,
    /// The whole session's budget of code and reference tokens is spent.
    LeakBudget,
}

/// Payload of `ASSISTANT_RESPONSE`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssistantResponse {
    /// The query it answers.
    pub request: EventId,
    /// What the candidate reads.
    pub text: String,
    /// The rules the answer broke; it was withheld then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// What was withheld; for the interviewer's eyes and the bundles of an ended interview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld: Option<String>,
    /// True when there was no answer to show: none was known, or the assistant failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unanswered: bool,
    /// Tokens of code and of the reference released so far, this answer included.
    pub released_tokens: u32,
}
