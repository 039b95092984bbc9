//! Sessions: started, listed, shown, erased.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{EventId, Kind, Role, SessionId};
use crate::record::Head;
use crate::time::Time;
use crate::v1::telling::ToldRecord;
use crate::wire::Json;

/// Names a session: absent, the current one; else an id or the unique beginning of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionParams {
    /// The session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// What `session.cancel` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cancelled {
    /// The session.
    pub session_id: SessionId,
    /// Runs that were called off; 0 where none was under way.
    pub runs: u32,
}

/// Parameters of `session.create`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CreateParams {
    /// The id of the session to be, a UUID version 4 made by the client once per intention: so a
    /// repeated request finds the session it has created already.
    pub session_id: SessionId,
    /// The rules.
    pub kind: Kind,
    /// Opens it beside a session in progress instead of being refused.
    #[serde(default)]
    pub beside: bool,
    /// What the kind needs to know.
    #[serde(default)]
    pub args: Json,
}

/// What `session.create` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Created {
    /// The session.
    pub head: Head,
    /// True when the request had been carried out before.
    #[serde(default)]
    pub replayed: bool,
    /// The first events.
    pub events: Vec<ToldRecord>,
    /// What the candidate may see of it.
    pub view: Json,
}

/// Parameters of `session.list`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListParams {
    /// How many of the newest to leave out: those of the pages before.
    #[serde(default)]
    pub skip: u64,
}

/// What `session.list` answers: as many as fit into one frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ListResult {
    /// The sessions, newest first.
    pub sessions: Vec<Head>,
    /// The current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<SessionId>,
    /// How many there are in all: ask again until they are reached.
    #[serde(default)]
    pub total: u64,
}

/// Parameters of `session.view`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ViewParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Whose view.
    #[serde(default)]
    pub role: Role,
}

/// What `session.view` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ViewResult {
    /// Which session it is; who asked for the current one learns it here.
    pub session_id: SessionId,
    /// The session's rules, which tell what the view is.
    pub kind: Kind,
    /// The last event it shows.
    pub cursor: EventId,
    /// The daemon's time, from which clocks on screens are derived.
    pub now: Time,
    /// The view.
    pub view: Json,
}

/// What `session.delete` has done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeleteResult {
    /// By when the bytes have left the disk, as long as the daemon runs; after a stop they leave it
    /// within two minutes of the next start.
    pub gone_by: Time,
    /// The numbers of the stores that were put aside and may hold a copy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aside: Vec<u32>,
}

/// Parameters of `session.delete`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeleteParams {
    /// The session's whole id.
    pub session: String,
    /// What of it.
    pub what: DeleteWhat,
}

/// What is erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeleteWhat {
    /// Log, blobs and export; the id remains.
    Session,
    /// The submitted code; replay then says "code withheld".
    Code,
}
