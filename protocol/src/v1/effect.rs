//! What sessions ask of the world, whatever their kind, and how it ends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::Hash;
use crate::v1::evaluation::{Evaluation, GrowthPoint};
use crate::v1::problem::Language;

/// Something a session wants from the world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "effect")]
pub enum Effect {
    /// Judge code against the session's suite.
    Evaluate {
        /// The code.
        code: Hash,
        /// The candidate's own name for the file.
        file_path: String,
        /// Its language.
        language: Language,
    },
    /// Measure the time per operation at growing sizes.
    Probe {
        /// The code.
        code: Hash,
        /// The candidate's own name for the file.
        file_path: String,
        /// Its language.
        language: Language,
    },
    /// Put a text into words.
    Phrase {
        /// The text that is right as it stands.
        text: String,
        /// What it is for.
        purpose: Purpose,
    },
}

/// What a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Feedback after a verdict.
    Feedback,
    /// A hint.
    Hint,
}

/// How an effect ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum EffectOutcome {
    /// The submission was judged.
    Evaluated {
        /// What was found.
        evaluation: Box<Evaluation>,
    },
    /// The time per operation was measured.
    Probed {
        /// The figures, smallest size first.
        points: Vec<GrowthPoint>,
    },
    /// The text as it shall be shown.
    Phrased {
        /// The text.
        text: String,
    },
    /// It could not be done.
    Failed {
        /// One sentence.
        reason: String,
    },
}
