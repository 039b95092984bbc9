//! A session's log: its records, why they are as they are, whether they are whole, and what is made
//! of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::Blob;
use crate::ids::{EventId, Hash, Role, SessionId};
use crate::record::ChainBreak;
use crate::v1::bundle::Bundle;
use crate::v1::telling::ToldRecord;

/// Parameters of `session.log`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Only events after this one.
    #[serde(default)]
    pub after: EventId,
    /// For whose eyes.
    #[serde(default)]
    pub role: Role,
}

/// What `session.log` answers: as much as fits into one frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LogResult {
    /// The session.
    pub session_id: SessionId,
    /// The records, in order.
    pub records: Vec<ToldRecord>,
    /// The session's last event: ask again until it is reached.
    pub cursor: EventId,
}

/// Parameters of `session.why`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WhyParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The event.
    pub event_id: EventId,
    /// For whose eyes.
    #[serde(default, skip_serializing_if = "Role::is_candidate")]
    pub role: Role,
}

/// Parameters of `session.replay`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Computes every decision anew and compares.
    #[serde(default)]
    pub verify: bool,
    /// Stops after this event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<EventId>,
    /// For whose eyes.
    #[serde(default, skip_serializing_if = "Role::is_candidate")]
    pub role: Role,
}

/// What `session.verify` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerifyResult {
    /// Records checked.
    pub records: u64,
    /// Where the chain is broken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<ChainBreak>,
    /// Hash of the last record when it is whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<Hash>,
}

/// Parameters of `session.export`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExportParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// In which form; absent: the usual one of its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<ExportForm>,
}

/// A form of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExportForm {
    /// One event a line: of a drill the seven types of 000, of an attempt all that a candidate may see,
    /// and on the last line the attempt in the words of 003.
    Jsonl,
    /// Every record as it is stored.
    Records,
}

/// Parameters of `session.bundle`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BundleParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Which bundle.
    pub which: Bundle,
}

/// Parameters of `blob.get`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlobGetParams {
    /// The session whose events name it; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The name.
    pub hash: Hash,
    /// First byte wanted.
    #[serde(default)]
    pub offset: u64,
    /// Who reads them: only what an event names that this role may see.
    #[serde(default)]
    pub role: Role,
}

/// What `blob.get` answers: as much as fits into one frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlobGetResult {
    /// The bytes from `offset` on.
    pub part: Blob,
    /// Bytes in all.
    pub bytes: u64,
}
