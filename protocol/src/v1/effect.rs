//! What sessions ask of the world, whatever their kind, and how it ends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::BlobRef;
use crate::ids::Hash;
use crate::time::Time;
use crate::v1::assistant::AskKind;
use crate::v1::evaluation::{Evaluation, GrowthPoint};
use crate::v1::problem::{Language, Op};

/// Something a session wants from the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// Put a text into words, with one try: whoever asks decides what a failure means.
    Word {
        /// The text that is right as it stands.
        text: String,
        /// What it is for.
        purpose: Purpose,
        /// What is kept of the sections before, in the candidate's own sentences (001 7.1).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        context: Vec<String>,
    },
    /// Run cases of the candidate's own.
    Try {
        /// The code.
        code: Hash,
        /// The candidate's own name for the file.
        file_path: String,
        /// Its language.
        language: Language,
        /// The cases, each a list of operations.
        cases: Vec<Vec<Op>>,
    },
    /// Wait until a file holds other bytes than those known.
    Watch {
        /// Where it stands.
        file_path: String,
        /// What it held last; absent when it has not been read yet.
        known: Option<Hash>,
    },
    /// Read a file as it stood at a deadline that has passed.
    Capture {
        /// Where it stands.
        file_path: String,
        /// What it held last; absent when it has not been read yet.
        known: Option<Hash>,
        /// Changes after this do not count.
        due: Time,
    },
    /// Answer a question to the assistant. What is here is all it gets to see (001 8).
    Assist {
        /// What kind of help.
        kind: AskKind,
        /// The question.
        question: String,
        /// The candidate's code it is about.
        code: Option<Hash>,
        /// The language of the code, or of the last submission.
        language: Option<Language>,
    },
}

impl Effect {
    /// False for what only waits: a file that is watched keeps nobody busy.
    pub fn is_work(&self) -> bool {
        !matches!(self, Self::Watch { .. })
    }
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
    /// A watched file was saved.
    Saved {
        /// Its bytes, which come along.
        code: BlobRef,
        /// When it was changed, as its disk says.
        modified: Time,
    },
    /// A file was read as it stood at a deadline.
    Captured {
        /// Its bytes, which come along; absent when they are those known, or do not count.
        code: Option<BlobRef>,
        /// True when it was read long after the deadline.
        late: bool,
        /// Why its bytes do not count; absent when they are those known, or come along.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        untaken: Option<Untaken>,
    },
    /// The assistant answered.
    Assisted {
        /// The answer; absent when it knows none.
        text: Option<String>,
    },
    /// It could not be done.
    Failed {
        /// One sentence.
        reason: String,
    },
}

/// Why the bytes of a watched file were not taken at the end of its section (DECISIONS 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Untaken {
    /// It was missing, or could not be read.
    Unreadable,
    /// It had more bytes than a submission may have.
    TooLarge,
    /// It was empty, as most editors leave a file for a moment.
    Empty,
    /// It was changed after the end.
    Changed,
}
