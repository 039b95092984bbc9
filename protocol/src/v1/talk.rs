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

/// What a session asks of the server of models that the settings named at its start (DECISIONS 35, 37).
///
/// It stands in the session's spec, so a change of the settings changes no session that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelUse {
    /// What the server calls the model.
    pub name: String,
    /// Whether it puts texts into words.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wording: bool,
    /// Whether it answers as the assistant (001 8).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assistant: bool,
    /// Whether it hears answers, beside the session's own weights (001 6.2).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hearing: bool,
}

impl ModelUse {
    /// The model that puts texts into words; none where the author's words are used as they are.
    pub fn wording(used: Option<&Self>) -> Option<&str> {
        used.filter(|used| used.wording).map(|used| used.name.as_str())
    }

    /// The model that answers as the assistant; none where the offline one does.
    pub fn assistant(used: Option<&Self>) -> Option<&str> {
        used.filter(|used| used.assistant).map(|used| used.name.as_str())
    }

    /// The model that hears answers; none where the session's weights hear alone.
    pub fn hearing(used: Option<&Self>) -> Option<&str> {
        used.filter(|used| used.hearing).map(|used| used.name.as_str())
    }
}

/// Payload of `VARIATION_ASKED`: what a problem's author asks about a changed problem, once it is solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VariationAsked {
    /// In which section, where there are sections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section_id: Option<String>,
    /// Which of the session's variations, from 1.
    pub number: u32,
    /// The change, in a few words.
    pub title: String,
    /// What is changed, and the question about it.
    pub text: String,
    /// True when it is asked once more in other words, since the answer said nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
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
