//! Somebody's own examples, run with the reference and with planted wrong programs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::v1::problem::Op;

/// Runs somebody's own examples with the reference, and with the planted wrong programs of the package
/// (003: UNDERSTAND and REFLECT). No answer of the reference comes back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Examine {
    /// The runs of calls; an answer that is given is compared.
    pub runs: Vec<Vec<Op>>,
    /// True where the wrong programs are left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reference_only: bool,
}

/// What became of examples.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Examined {
    /// One for each run.
    pub runs: Vec<ExaminedRun>,
    /// How many wrong programs there are.
    pub planted: u32,
    /// How many of them at least one run catches that counts.
    pub caught: u32,
}

/// What became of one example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExaminedRun {
    /// Whether the reference gives every answer that the example gives.
    pub holds: bool,
    /// The first call on which they disagree, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs_at: Option<u32>,
    /// How many wrong programs answer it otherwise than the reference.
    pub catches: u32,
    /// True when the statement or a visible case shows these calls already.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shown: bool,
    /// The first call that goes beyond what inputs of the problem look like, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside: Option<u32>,
    /// The words of the statement that say so, where there are such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
}

impl ExaminedRun {
    /// Whether it counts as an example of one's own.
    pub fn counts(&self) -> bool {
        !self.shown && self.outside.is_none()
    }
}
