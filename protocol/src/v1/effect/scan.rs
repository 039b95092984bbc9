//! Looking through the code of a task before it runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::v1::agent::{Category, Finding, TaskLanguage};

/// Look through all code of a workspace (002 6.1, 6.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scan {
    /// The absolute path of the folder.
    pub workspace: String,
    /// In what the task is solved.
    pub language: TaskLanguage,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scanned {
    /// The worst first.
    pub findings: Vec<Finding>,
    /// Who looked: `vosim`, `ruff`, `bandit`.
    pub by: Vec<String>,
    /// The rules that were looked by: a permission holds for these alone.
    pub rules: u32,
    /// What no run can be given on this machine, whatever a person allows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unavailable: Vec<Category>,
}
