//! Running cases of the candidate's own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::Hash;
use crate::v1::problem::{Language, Op};

/// Run cases of the candidate's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Try {
    /// The code.
    pub code: Hash,
    /// The candidate's own name for the file.
    pub file_path: String,
    /// The language.
    pub language: Language,
    /// The cases, each a list of operations.
    pub cases: Vec<Vec<Op>>,
}
