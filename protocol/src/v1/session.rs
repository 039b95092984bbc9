//! What every session has in common: its first event, clock events, explanations, replays.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::events;
use crate::ids::{EventId, Hash, Kind};
use crate::record::ChainBreak;
use crate::v1::phrase::Phrase;
use crate::v1::telling::Telling;
use crate::wire::Json;

events! {
    /// The events that a session of any kind has.
    pub enum SessionEvent {
        /// Event 1 of every session (DECISIONS 2).
        SessionCreated(SessionCreated): "SESSION_CREATED" by System for Everyone;
        /// The wall clock was stepped; open deadlines move with it (DESIGN 4).
        ClockAdjusted(ClockAdjusted): "CLOCK_ADJUSTED" by System for Everyone;
        /// The machine slept; time went on (001 5.3).
        SuspendObserved(SuspendObserved): "SUSPEND_OBSERVED" by System for Everyone;
    }
}

/// Payload of `SESSION_CREATED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionCreated {
    /// The rules.
    pub kind: Kind,
    /// What a list shows.
    pub title: String,
    /// Hash of the spec blob: everything the rules depend on.
    pub spec: Hash,
}

/// Payload of `CLOCK_ADJUSTED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClockAdjusted {
    /// By how much, microseconds; negative for a step back.
    pub step_micros: i64,
    /// Which step of this store's clock it is: 1, 2, 3 … A step is told to every open session
    /// before it counts as told, so after a crash a session may hear of it again.
    pub sequence: u64,
}

/// Payload of `SUSPEND_OBSERVED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuspendObserved {
    /// For how long, microseconds.
    pub suspended_micros: u64,
}

/// Why an event is as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// The event.
    pub event_id: EventId,
    /// The type.
    pub event_type: String,
    /// What it says.
    pub telling: Telling,
    /// The rule that decided.
    pub rule: Phrase,
    /// What the rule looked at, beyond what the event says.
    pub inputs: Vec<Input>,
    /// Rules that did not apply, and why.
    pub not_taken: Vec<NotTaken>,
}

/// One thing a rule looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// What it was.
    pub clause: Phrase,
    /// The event it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_id: Option<EventId>,
}

/// A rule that did not apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotTaken {
    /// The rule.
    pub rule: Phrase,
    /// Why it did not apply.
    pub reason: Phrase,
}

/// What a replay found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayReport {
    /// Events read.
    pub events: u64,
    /// Where the session stands after them.
    pub phase: String,
    /// The state as the candidate's view shows it at the last event.
    pub view: Json,
    /// Decisions computed anew from their inputs and compared.
    pub recomputed: u64,
    /// The first event that differs from what the engine decides today.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs: Option<Divergence>,
    /// Where the hash chain is broken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<ChainBreak>,
    /// Submissions whose code has been deleted: "code withheld".
    #[serde(default)]
    pub code_withheld: u64,
}

/// An event that is not what the engine decides from the same inputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Divergence {
    /// The event.
    pub event_id: EventId,
    /// What the log says.
    pub found: Json,
    /// What the engine decides; absent when it decides nothing here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computed: Option<Json>,
    /// One sentence.
    pub reason: String,
}

/// A step of the wall clock, as the daemon's clock saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClockStep {
    /// Which step of this store's clock it is: 1, 2, 3 …
    pub sequence: u64,
    /// By how much, microseconds.
    pub step_micros: i64,
}
