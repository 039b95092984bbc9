//! Talking with a model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Have a model say the next thing in a conversation, with one try: whoever asks decides what a
/// failure means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Chat {
    /// What the model is to be and to do.
    pub instructions: String,
    /// What has been said so far, oldest first; the last turn is not the model's.
    pub turns: Vec<ChatTurn>,
}

/// One thing that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatTurn {
    /// Whether the model said it.
    pub by_model: bool,
    /// In its words.
    pub text: String,
}
