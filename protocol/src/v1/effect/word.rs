//! Putting a text into words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Put a text into words, with one try: whoever asks decides what a failure means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Word {
    /// The text that is right as it stands.
    pub text: String,
    /// What it is for.
    pub purpose: Purpose,
    /// What is kept of the sections before, in the candidate's own sentences (001 7.1).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<String>,
    /// What the server of the settings calls the model that is asked; absent: nobody is, and the text
    /// comes back as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// What a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Feedback after a verdict.
    Feedback,
    /// A hint.
    Hint,
    /// The opening question of a section.
    Prompt,
    /// A follow-up.
    Followup,
}

impl Purpose {
    /// The word on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Feedback => "feedback",
            Self::Hint => "hint",
            Self::Prompt => "prompt",
            Self::Followup => "followup",
        }
    }
}
