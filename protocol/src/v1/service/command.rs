//! Commands of a session and what became of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::Blob;
use crate::ids::{CommandId, EventId, Kind, Role, SessionId};
use crate::time::Time;
use crate::v1::telling::ToldRecord;
use crate::wire::Json;

/// Parameters of `session.do`, which carries every command of every kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DoParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The kind that the session must be of; absent: any that has the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The command's name within the kind, for example `submit`.
    pub command: String,
    /// Made once per user intention and kept across reconnects.
    pub command_id: CommandId,
    /// As whom; most commands are the candidate's alone.
    #[serde(default, skip_serializing_if = "Role::is_candidate")]
    pub role: Role,
    /// The command's own arguments; absent: none.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub args: Json,
    /// Bytes that the arguments name by their hash.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blobs: Vec<Blob>,
    /// Refuse if the session has moved on since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_cursor: Option<EventId>,
    /// Tell what follows, up to the notice `settled`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follow: bool,
}

/// What an accepted command answers, once it is durable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Accepted {
    /// The session.
    pub session_id: SessionId,
    /// Its rules, which tell what a result is.
    pub kind: Kind,
    /// Its last event.
    pub cursor: EventId,
    /// True when the same command had been carried out before: these are its events of then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replayed: bool,
    /// The events it caused at once.
    pub events: Vec<ToldRecord>,
    /// What its sender can rely on, in a kind that counts time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
    /// What has still to end before it has settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub awaits: Option<Awaited>,
    /// Its result, of the command's own type, where it has settled and nobody follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Json>,
    /// The stream that tells what follows, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subscription: Option<u64>,
}

/// Where a command counts, and how far from the deadline it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Receipt {
    /// When it was received.
    pub at: Time,
    /// The part of the session that it counts for, as screens name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Microseconds to that part's deadline; negative after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_deadline_micros: Option<i64>,
    /// True when it came after the deadline, and is marked so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
}

/// An effect that answers a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Awaited {
    /// The event that asked for it.
    pub event_id: EventId,
    /// Its name, for example `evaluate`.
    pub effect: String,
}

/// A command that was followed has settled: its effects, and what these led to, have ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettledNotice {
    /// The stream, which ends with this.
    pub subscription: u64,
    /// The command.
    pub command_id: CommandId,
    /// The session's last event.
    pub cursor: EventId,
    /// The result, of the command's own type; absent when the session ended before there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Json>,
}

/// Parameters of `session.command`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandGetParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The intention.
    pub command_id: CommandId,
    /// For whose eyes.
    #[serde(default, skip_serializing_if = "Role::is_candidate")]
    pub role: Role,
}

/// What `session.command` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandGetResult {
    /// What it caused; absent when it was never carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Accepted>,
}
