//! Judging a submission.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::Hash;
use crate::v1::problem::Language;

/// Judge code against a suite of the session's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evaluate {
    /// The code.
    pub code: Hash,
    /// The candidate's own name for the file.
    pub file_path: String,
    /// The language.
    pub language: Language,
    /// The case data.
    pub suite: Hash,
}
