//! Commands of a session and what became of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::Blob;
use crate::ids::{CommandId, EventId, Role, SessionId};
use crate::v1::telling::ToldRecord;
use crate::wire::Json;

/// Parameters of a session's command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Made once per user intention and kept across reconnects.
    pub command_id: CommandId,
    /// As whom; only the candidate acts.
    #[serde(default, skip_serializing_if = "Role::is_candidate")]
    pub role: Role,
    /// Refuse if the session has moved on since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_cursor: Option<EventId>,
    /// Bytes that the arguments name by their hash.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blobs: Vec<Blob>,
    /// The command's own arguments.
    #[serde(default)]
    pub args: Json,
}

/// What an accepted command answers, once it is durable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Accepted {
    /// The session.
    pub session_id: SessionId,
    /// Its last event.
    pub cursor: EventId,
    /// True when the same command had been carried out before: these are its events of then.
    #[serde(default)]
    pub replayed: bool,
    /// The events it caused at once.
    pub events: Vec<ToldRecord>,
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
