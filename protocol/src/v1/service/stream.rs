//! Streams of a session's events: how one begins, the notices on it, how it ends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{EventId, Kind, Role, SessionId};
use crate::v1::telling::ToldRecord;
use crate::wire::Json;

/// Where a stream begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", untagged)]
pub enum From {
    /// After this event.
    Cursor(EventId),
    /// With a word.
    Word(FromWord),
}

/// Words for where a stream begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FromWord {
    /// With the view, then what follows it.
    Snapshot,
}

/// Parameters of `session.subscribe`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubscribeParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Where to begin.
    pub from: From,
    /// For whose eyes.
    #[serde(default)]
    pub role: Role,
    /// Makes the stream a terminal of that role: it counts as present while it lasts, and is told
    /// who else is there. Only an attached candidate is missed when gone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub attach: bool,
}

/// What `session.subscribe` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Subscribed {
    /// Names the stream on this connection.
    pub subscription: u64,
    /// The session.
    pub session_id: SessionId,
    /// The rules.
    pub kind: Kind,
    /// Events after this one follow.
    pub after: EventId,
    /// The view at that event, for a snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Json>,
}

/// Parameters of `session.unsubscribe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnsubscribeParams {
    /// The stream.
    pub subscription: u64,
}

/// An event of a stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventNotice {
    /// The stream.
    pub subscription: u64,
    /// The event.
    pub record: ToldRecord,
}

/// How far a run is; not an event, nothing depends on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProgressNotice {
    /// The stream; absent for a run that no session takes note of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subscription: Option<u64>,
    /// What is under way, in words: for a run the case.
    pub text: String,
    /// Steps before it.
    pub done: u32,
    /// Steps in all; absent where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u32>,
    /// True when it goes on no further until what the words tell has been mended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hindered: bool,
}

/// The terminals attached to a session: told once, then whenever it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PresenceNotice {
    /// The stream.
    pub subscription: u64,
    /// Those of the candidate.
    pub candidates: u32,
    /// Those of observers.
    pub observers: u32,
    /// Those of interviewers.
    pub interviewers: u32,
    /// Those of agents.
    #[serde(default)]
    pub agents: u32,
}

/// An idle stream's cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MarkNotice {
    /// The stream.
    pub subscription: u64,
    /// The session's last event.
    pub cursor: EventId,
}

/// The end of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EndNotice {
    /// The stream.
    pub subscription: u64,
    /// Why.
    pub reason: EndReason,
    /// Subscribe again from here.
    pub resume_from: EventId,
}

/// Why a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// Nothing could be told for 25 s; whoever goes on not reading is cut off soon.
    TooSlow,
    /// The daemon goes down.
    Shutdown,
    /// The session was erased.
    Deleted,
    /// The session's log cannot be read.
    Damaged,
}
