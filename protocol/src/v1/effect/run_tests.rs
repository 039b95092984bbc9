//! Running the tests of a task.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::BlobRef;
use crate::v1::agent::{Category, Exam, RunCaps, TaskLanguage, TestReport};

/// Run the tests of a workspace in the sandbox (002 6.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunTests {
    /// The absolute path of the folder.
    pub workspace: String,
    /// What runs them.
    pub language: TaskLanguage,
    /// What a person has allowed for this run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<Category>,
    /// The session that judges; absent where the tests of the workspace do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exam: Option<Exam>,
    /// What the run may use up.
    #[serde(default, skip_serializing_if = "RunCaps::is_usual")]
    pub run: RunCaps,
}

/// How they went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestsRun {
    /// In figures.
    pub report: TestReport,
    /// What they wrote.
    pub output: BlobRef,
    /// How the run came to its first error, where that is known: lines of code are among it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<BlobRef>,
    /// True where the daemon ended in the middle and they were run again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}
