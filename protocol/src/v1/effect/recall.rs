//! Asking the memory of earlier tasks, and keeping something in it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::BlobRef;
use crate::ids::{Hash, SessionId};
use crate::v1::agent::{Hit, TaskLanguage, TestError};

/// Look for something of earlier tasks (002 5.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recall {
    /// What for.
    pub what: Memory,
    /// The task.
    pub task: String,
    /// The error, where errors are looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<TestError>,
    /// How the run came to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<BlobRef>,
    /// In what the task is solved.
    pub language: TaskLanguage,
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Memory {
    /// Tasks that were solved.
    Patterns,
    /// Errors that were met.
    Failures,
}

/// What there is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recalled {
    /// The most alike first.
    pub hits: Vec<Hit>,
    /// Why there may be more (002 7.3): the memory was slow or cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// Keep something for later tasks (002 5.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "keep", rename_all = "snake_case")]
pub enum Remember {
    /// An error; what solves it is not known yet.
    Failure {
        /// Which.
        error: TestError,
        /// How the run came to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trace: Option<BlobRef>,
        /// The agent's files with what they held.
        files: Vec<(String, Hash)>,
        /// In what the task is solved.
        language: TaskLanguage,
    },
    /// That a task failed although it was given these patterns.
    Unsolved {
        /// The tasks that they come from.
        given: Vec<SessionId>,
        /// What it had come to, where some of its tests passed (002 2.2: FAILED).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        partial: Option<Box<PartialSolution>>,
    },
    /// A task that was solved: it becomes a pattern, and its last error learns what solved it.
    Solved {
        /// The task.
        task: String,
        /// How it was planned.
        notes: String,
        /// Its files with what they hold.
        files: Vec<(String, Hash)>,
        /// In what it was solved.
        language: TaskLanguage,
        /// The tasks whose patterns it was given.
        given: Vec<SessionId>,
    },
}

/// What a task that failed had come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PartialSolution {
    /// The task.
    pub task: String,
    /// How it was planned.
    pub notes: String,
    /// Its files with what they hold.
    pub files: Vec<(String, Hash)>,
    /// In what it was to be solved.
    pub language: TaskLanguage,
    /// How many of its tests passed in its last run.
    pub passed: u32,
    /// Of how many.
    pub total: u32,
}

/// It is kept, or was not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remembered {
    /// Why nothing could be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}
