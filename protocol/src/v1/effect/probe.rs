//! Measuring how the time per operation grows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::Hash;
use crate::v1::problem::Language;

/// Measure the time per operation at growing sizes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Probe {
    /// The code.
    pub code: Hash,
    /// The candidate's own name for the file.
    pub file_path: String,
    /// The language.
    pub language: Language,
}
