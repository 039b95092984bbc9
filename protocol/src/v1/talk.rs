//! What is said in a session, whatever its kind: how long it may be, and in whose words it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::EventId;

/// Longest message of a candidate, question to the assistant or note, bytes (DECISIONS 6).
pub const MESSAGE_MAX_BYTES: usize = 32 * 1024;

/// Where the words of a text come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Words {
    /// The problem's own text, as it is.
    Problem,
    /// A model put the problem's text into other words.
    Model,
}

/// Payload of `VARIATION_ASKED`: what a problem's author asks about a changed problem, once it is solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VariationAsked {
    /// In which section, where there are sections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section_id: Option<String>,
    /// Which of the session's variations, from 1; each is asked once.
    pub number: u32,
    /// The change, in a few words.
    pub title: String,
    /// What is changed, and the question about it.
    pub text: String,
}

/// Payload of `VARIATION_ANSWERED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VariationAnswered {
    /// Which variation.
    pub number: u32,
    /// What the candidate says.
    pub text: String,
}

/// Payload of `WORDING_FAILED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WordingFailed {
    /// The event that asked for the words first.
    pub request: EventId,
    /// One sentence.
    pub reason: String,
}
