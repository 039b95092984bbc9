//! Having a model say what a message covers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::v1::coverage::Coverage;

/// Have a model say how far one message covers each dimension, with one try. What it says is evidence
/// beside what is heard without it (DECISIONS 37).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hear {
    /// What the server of the settings calls the model.
    pub model: String,
    /// The question that the message answers.
    pub question: String,
    /// The message.
    pub message: String,
    /// What is not covered yet.
    pub dimensions: Vec<Subject>,
}

/// Something that an answer may cover, as a model is told of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Subject {
    /// The dimension.
    pub dimension: String,
    /// What it is about: its name and the questions about it.
    pub about: Vec<String>,
}

/// What a model says a message covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Testimony {
    /// Which dimension.
    pub dimension: String,
    /// How far.
    pub level: Coverage,
    /// The words of the message that it rests on.
    pub quote: String,
}
