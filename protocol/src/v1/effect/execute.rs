//! Running programs in a folder.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::BlobRef;
use crate::v1::evaluation::Detail;
use crate::v1::problem::Language;

/// Run programs in a folder one after another, up to the first that fails.
///
/// Each runs in a sandbox of its own, which sees of the machine this one folder and may change it
/// (DECISIONS 47).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Execute {
    /// The absolute path of the folder.
    pub folder: String,
    /// What is run, in this order.
    pub steps: Vec<ExecuteStep>,
}

/// One program of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExecuteStep {
    /// What it is for, in a few words: they are the progress that people see.
    pub name: String,
    /// What runs it.
    pub language: Language,
    /// Where it is, from the folder on.
    pub file: String,
    /// What it is called with.
    pub arguments: Vec<String>,
}

/// How the steps ended that were run; of these, only the last can have failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Executed {
    /// In their order.
    pub steps: Vec<ExecutedStep>,
}

/// How one step ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExecutedStep {
    /// The name.
    pub name: String,
    /// The status with which it ended by itself; 0 is success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The limit or the signal that ended it; absent when it ended by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    /// What it wrote to its standard output; the bytes come along, cut in the middle where they
    /// are many.
    pub stdout: BlobRef,
    /// The same of its standard error.
    pub stderr: BlobRef,
}

impl ExecutedStep {
    /// True when it ended by itself, with status 0.
    pub fn succeeded(&self) -> bool {
        self.exit_code == Some(0) && self.detail.is_none()
    }
}
