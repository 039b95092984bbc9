//! What a model and an assistant are: what they are asked, what they may say, and why they may not
//! have said it.

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::effect::{Chat, Purpose};
use vosim_protocol::v1::problem::Language;

/// A text to be put into words.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// The text that is right as it stands.
    pub text: String,
    /// What it is for.
    pub purpose: Purpose,
    /// What is kept of the sections before, in the candidate's own sentences: what is said may go
    /// on from there.
    pub context: Vec<String>,
}

impl fmt::Debug for Request {
    /// A hint may hold a reference program: the length is enough for a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.text.len();
        f.debug_struct("Request").field("purpose", &self.purpose).field("bytes", &bytes).finish()
    }
}

/// An answer on its way.
pub type Reply<'a, T = String> = Pin<Box<dyn Future<Output = Result<T, ModelError>> + Send + 'a>>;

/// Puts texts into words, and talks.
pub trait Model: Send + Sync + fmt::Debug {
    /// Its name, for logs and records.
    fn name(&self) -> &str;

    /// The text in its words. Dropping the answer gives the request up.
    fn phrase<'a>(&'a self, request: &'a Request) -> Reply<'a>;

    /// What it says next in a conversation. Dropping the answer gives the request up.
    fn chat<'a>(&'a self, chat: &'a Chat) -> Reply<'a>;
}

/// A candidate's question (001 8), with all that an assistant gets to see.
#[derive(Clone, PartialEq, Eq)]
pub struct Question {
    /// What kind of help.
    pub kind: AskKind,
    /// In the candidate's words.
    pub text: String,
    /// The candidate's code, where it was shown.
    pub code: Option<Vec<u8>>,
    /// Its language, or that of the last submission.
    pub language: Option<Language>,
}

impl fmt::Debug for Question {
    /// What a candidate asks and shows is in the session's log and in no other.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question")
            .field("kind", &self.kind)
            .field("bytes", &self.text.len())
            .field("code_bytes", &self.code.as_ref().map(Vec::len))
            .field("language", &self.language)
            .finish()
    }
}

/// Answers candidates' questions.
///
/// Blind by construction: a [`Question`] is all it is ever given. What it says is checked by the
/// engine before the candidate reads it (`vosim_engine::parts::assistant`).
pub trait Assistant: Send + Sync + fmt::Debug {
    /// Its name, for logs.
    fn name(&self) -> &str;

    /// What it says to a question, or nothing when it knows nothing about it. Dropping the answer
    /// gives the question up.
    fn answer<'a>(&'a self, question: &'a Question) -> Reply<'a, Option<String>>;
}

/// Why there is no answer, or none that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The model could not be asked, or said that it cannot answer.
    #[error("the model failed: {reason}")]
    Failed {
        /// One sentence.
        reason: String,
    },
    /// The model did not answer in time.
    #[error("the model did not answer within {} s", limit.as_secs_f64())]
    TimedOut {
        /// The time it had.
        limit: Duration,
    },
    /// The answer was empty.
    #[error("the model's answer is empty")]
    Empty,
    /// The answer was longer than a person would read.
    #[error("the model's answer has {bytes} bytes; at most {bytes_max} are allowed")]
    TooLong {
        /// Length of the answer.
        bytes: usize,
        /// The limit.
        bytes_max: usize,
    },
    /// The answer was no text for a terminal.
    #[error("the model's answer holds control characters")]
    Garbage,
}

/// What a model is given for one answer.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time for each try.
    pub try_within: Duration,
    /// Longest answer, bytes.
    pub bytes_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { try_within: Duration::from_secs(20), bytes_max: 16 * 1024 }
    }
}
