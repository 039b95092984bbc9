//! An invariant, checked on runs.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Checks an invariant on runs of the reference and of the planted wrong programs (003: PLAN).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckInvariant {
    /// The template.
    pub template: String,
    /// The choices, by the name of the gap, counted from 0.
    pub choices: BTreeMap<String, usize>,
}

/// What runs say of an invariant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Checked {
    /// Runs of the reference that speak of it.
    pub runs: u32,
    /// The case in which a run of the reference contradicts it; absent where none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contradicted_by: Option<String>,
    /// Planted wrong programs whose runs contradict it.
    pub catches: u32,
}
