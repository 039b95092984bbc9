//! Whether a terminal of the candidate is there (001 5.3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::time::Time;

/// Payload of `CANDIDATE_CONNECTED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateConnected {}

/// Payload of `CANDIDATE_DISCONNECTED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateDisconnected {
    /// When the interview pauses unless somebody comes back.
    pub pauses_at: Time,
}

/// Payload of `CANDIDATE_TYPING`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateTyping {
    /// In which section.
    pub section_id: String,
    /// Until when nothing is asked and no covered section ends, unless a message comes before.
    pub until: Time,
}

/// Payload of `CANDIDATE_TYPING_ENDED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateTypingEnded {
    /// In which section.
    pub section_id: String,
    /// True when the line was given up; false when its minute was over.
    pub stopped: bool,
}

/// Payload of `INTERVIEW_PAUSED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterviewPaused {}

/// How a candidate came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReturnedBy {
    /// A terminal attached.
    Terminal,
    /// A command was given.
    Command,
}

/// Payload of `CANDIDATE_RECONNECTED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateReconnected {
    /// How.
    pub by: ReturnedBy,
    /// How long nobody was there, milliseconds.
    pub away_ms: u64,
    /// True when the interview had paused meanwhile.
    pub was_paused: bool,
}
