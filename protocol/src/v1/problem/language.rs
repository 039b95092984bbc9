//! The languages in which a solution may be written.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A programming language a solution may be written in.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// CPython 3.11 or newer.
    Python,
    /// Node.js 18 or newer.
    Javascript,
}

impl Language {
    /// Every language, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Python, Self::Javascript];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Javascript => "javascript",
        }
    }

    /// The usual ending of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Python => "py",
            Self::Javascript => "js",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
