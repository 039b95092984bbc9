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
    /// What the server of the settings calls the model that is asked; absent: the offline assistant is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// What was said to a question, before it is checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assisted {
    /// The answer; none where nothing is known about it.
    pub text: Option<String>,
    /// The model that said it; none for the offline assistant, which also answers where a server fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}
