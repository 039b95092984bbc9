//! What people read of a session, whatever its kind: who speaks, and in whose words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::EventId;
use crate::time::Time;

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

/// Which channel an entry of the transcript belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// The boundary of a section.
    Section,
    /// The interviewer's prompt, follow-up, answer or nudge.
    Interviewer,
    /// The candidate.
    Candidate,
    /// The candidate to the assistant.
    Ask,
    /// The assistant.
    Assistant,
    /// What the system tells: warnings, verdicts, presence.
    System,
}

/// One entry of the transcript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// The event it tells.
    pub event_id: EventId,
    /// When.
    pub at: Time,
    /// Who.
    pub channel: Channel,
    /// In which section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section_id: Option<String>,
    /// What.
    pub text: String,
    /// True for a message that came in the grace.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
}

/// Payload of `WORDING_FAILED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WordingFailed {
    /// The event that asked for the words first.
    pub request: EventId,
    /// One sentence.
    pub reason: String,
}
