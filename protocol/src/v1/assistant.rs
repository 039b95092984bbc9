//! The assistant channel: what may be asked, and the rules its answers are held to (001 8).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What kind of help is asked of the assistant (001 8.2).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AskKind {
    /// What a thing is or how it behaves.
    Concept,
    /// What an error message means.
    Error,
    /// A question about the candidate's own code.
    Code,
}

impl AskKind {
    /// The word on the wire and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Concept => "concept",
            Self::Error => "error",
            Self::Code => "code",
        }
    }
}

/// A rule that an answer of the assistant broke (001 8.2).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Violation {
    /// More lines of code than an answer may hold.
    Code,
    /// Five tokens in a row that stand in the reference.
    Reference,
    /// A numbered or ordered plan of the implementation.
    Plan,
    /// Longer than an answer may be.
    Length,
    /// The whole session's budget of code and reference tokens is spent.
    LeakBudget,
}
