//! The interviewer's private notes; they are no events.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{CommandId, EventId, Role, SessionId};
use crate::time::Time;

/// Most bytes of a note's text.
pub const NOTE_MAX_BYTES: usize = 32 * 1024;

/// Parameters of `note.add`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteAddParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Made once per user intention and kept across reconnects.
    pub command_id: CommandId,
    /// Must be the interviewer.
    #[serde(default)]
    pub role: Role,
    /// The note, at most 32 KiB.
    pub text: String,
    /// The event it speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_id: Option<EventId>,
}

/// What `note.add` answers, once the note is durable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteAdded {
    /// The session.
    pub session_id: SessionId,
    /// The note as it is kept.
    pub note: Note,
    /// True when the same note had been added before.
    #[serde(default)]
    pub replayed: bool,
}

/// A private note of the interviewer. It is no event: no log, stream or export holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// 1, 2, 3 …
    pub number: u64,
    /// When it was taken.
    pub at: Time,
    /// What it says.
    pub text: String,
    /// The intention it came from.
    pub command_id: CommandId,
    /// The event it speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_id: Option<EventId>,
}

/// Parameters of `note.list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteListParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Must be the interviewer.
    #[serde(default)]
    pub role: Role,
    /// Only notes after this one.
    #[serde(default)]
    pub after: u64,
}

/// What `note.list` answers: as many as fit into one frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteListResult {
    /// The session.
    pub session_id: SessionId,
    /// The notes, in order.
    pub notes: Vec<Note>,
    /// The number of the last one: ask again until it is reached.
    pub last: u64,
}
