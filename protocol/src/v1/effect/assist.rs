//! Answering a question to the assistant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::Hash;
use crate::v1::assistant::AskKind;
use crate::v1::problem::Language;

/// Answer a question to the assistant. What stands here is all it gets to see (001 8).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assist {
    /// What kind of help.
    pub kind: AskKind,
    /// The question.
    pub question: String,
    /// The candidate's code it is about.
    pub code: Option<Hash>,
    /// The language of the code, or of the last submission.
    pub language: Option<Language>,
}
