//! Carrying out one call of a tool in the workspace of a task.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::BlobRef;
use crate::ids::Hash;
use crate::v1::agent::{Exam, ToolCall, Written};

/// Carry out one call (002 4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Act {
    /// The absolute path of the folder.
    pub workspace: String,
    /// What was called.
    pub call: ToolCall,
    /// What the agent has last read or written of each file: it may write no other over it.
    pub known: BTreeMap<String, Hash>,
    /// The session that is sat; absent where none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exam: Option<Exam>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Acted {
    /// Whether it did what was asked.
    pub ok: bool,
    /// What the model is told.
    pub result: BlobRef,
    /// One line of it for people.
    pub gist: String,
    /// What was written; both texts come along as bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<Written>,
    /// The files whose content the agent knows now, with their hashes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub seen: BTreeMap<String, Hash>,
    /// True where the daemon ended in the middle and the call was looked at again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}
