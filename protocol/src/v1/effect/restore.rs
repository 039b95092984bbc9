//! Putting the agent's own edits back to an earlier point.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::Hash;

/// Put files back, each only where it holds what the agent has written (002 9.2: a person's own
/// changes are respected).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Restore {
    /// The absolute path of the folder.
    pub workspace: String,
    /// Which files.
    pub files: Vec<PutBack>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PutBack {
    /// Which, from the workspace on.
    pub path: String,
    /// What the agent has written last; absent where it removed the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ours: Option<Hash>,
    /// What it held at that point; absent where there was no such file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Hash>,
}

/// What became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Restored {
    /// Files that were put back.
    pub restored: Vec<String>,
    /// Files that somebody else has changed, which stay as they are.
    pub kept: Vec<String>,
}
