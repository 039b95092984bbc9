//! Making the workspace of a task ready.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::v1::agent::Exam;

/// Make the folder of a task, or look at the one that was named (002 2.2: INIT).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Prepare {
    /// The absolute path of the folder.
    pub workspace: String,
    /// Whether it is made for this task and must be new.
    pub own: bool,
    /// The session that is sat: it is opened, and its file to begin with is put into the folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exam: Option<Exam>,
}

/// What lies in the folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Prepared {
    /// How many files.
    pub files: u32,
    /// How many of them hold tests.
    pub tests: u32,
}
