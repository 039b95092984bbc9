//! The assistant channel (001 8).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{EventId, Hash};
use crate::v1::assistant::{AskKind, Violation};

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
    /// The lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_count: Option<u64>,
    /// The bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
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
    /// The model that answered; absent for the offline assistant, which also answers where a server
    /// fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tokens of code and of the reference released so far, this answer included.
    pub released_tokens: u32,
}
