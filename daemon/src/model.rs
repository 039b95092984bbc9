//! Putting texts into words, and answering candidates: one trait for each, and what happens when
//! one fails.
//!
//! A model re-words a text that is right as it stands; it decides nothing. So whatever it does, a
//! session goes on: the engine asks once more, and then uses the text as it is (DECISIONS 35).
//! An assistant that fails has no answer, and the candidate is told so.

pub mod answer;
pub mod faulty;
pub mod offline;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::effect::Purpose;
use vosim_protocol::v1::problem::Language;

use crate::config::{ModelConfig, ModelKind};
pub use answer::OfflineAssistant;
pub use offline::OfflineModel;

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
pub type Answer<'a, T = String> = Pin<Box<dyn Future<Output = Result<T, ModelError>> + Send + 'a>>;

/// Puts texts into words.
pub trait Model: Send + Sync + fmt::Debug {
    /// Its name, for logs and records.
    fn name(&self) -> &str;

    /// The text in its words. Dropping the answer gives the request up.
    fn phrase<'a>(&'a self, request: &'a Request) -> Answer<'a>;
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
    fn answer<'a>(&'a self, question: &'a Question) -> Answer<'a, Option<String>>;
}

/// Why there is no answer, or none that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// It could not be asked, or it said that it cannot answer.
    #[error("the model failed: {reason}")]
    Failed {
        /// One sentence.
        reason: String,
    },
    /// It did not answer in time.
    #[error("the model did not answer within {} s", limit.as_secs_f64())]
    TimedOut {
        /// The time it had.
        limit: Duration,
    },
    /// It answered with nothing.
    #[error("the model's answer is empty")]
    Empty,
    /// It answered with more than a person would read.
    #[error("the model's answer has {bytes} bytes, and {bytes_max} are the most")]
    TooLong {
        /// Length of the answer.
        bytes: usize,
        /// The limit.
        bytes_max: usize,
    },
    /// It answered with something that is no text for a terminal.
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

/// The model that the settings ask for.
pub fn open(config: ModelConfig) -> Box<dyn Model> {
    match config.kind {
        ModelKind::Offline => Box::new(OfflineModel),
    }
}

/// The assistant that the settings ask for.
pub fn open_assistant(config: ModelConfig) -> Arc<dyn Assistant> {
    match config.kind {
        ModelKind::Offline => Arc::new(OfflineAssistant),
    }
}

/// Has a text put into words with one try: whoever asks decides what a failure means.
///
/// Takes at most `limits.try_within`.
pub async fn word(
    model: &dyn Model,
    request: &Request,
    limits: Limits,
) -> Result<String, ModelError> {
    let worded = ask(model, request, limits).await;
    if let Err(error) = &worded {
        tracing::warn!(model = model.name(), ?request, %error, "no answer to use");
    }
    worded
}

async fn ask(model: &dyn Model, request: &Request, limits: Limits) -> Result<String, ModelError> {
    // A wait for the world, not a deadline of a session: tokio's clock is the right one.
    let answer = tokio::time::timeout(limits.try_within, model.phrase(request)).await;
    let text = answer.map_err(|_| ModelError::TimedOut { limit: limits.try_within })??;
    if text != request.text {
        check(&text, limits.bytes_max)?;
    }
    Ok(text)
}

/// Whether an answer is a text that may be shown on a terminal.
pub(crate) fn check(text: &str, bytes_max: usize) -> Result<(), ModelError> {
    let bytes = text.len();
    if text.trim().is_empty() {
        Err(ModelError::Empty)
    } else if bytes > bytes_max {
        Err(ModelError::TooLong { bytes, bytes_max })
    } else if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        Err(ModelError::Garbage)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::faulty::{Fault, FaultyModel};
    use super::*;

    fn request() -> Request {
        Request {
            text: "Look at `get`.\n\tAgain.".to_owned(),
            purpose: Purpose::Hint,
            context: vec![],
        }
    }

    fn limits() -> Limits {
        Limits { try_within: Duration::from_secs(20), bytes_max: 100 }
    }

    async fn word_with(fault: Fault) -> Result<String, ModelError> {
        word(&FaultyModel::new([fault]), &request(), limits()).await
    }

    #[tokio::test]
    async fn the_offline_model_gives_the_problems_text_as_it_is() {
        let model = open(ModelConfig::default());
        assert_eq!(model.name(), "offline");
        for text in ["plain", "  kept \r\n as it is \n", ""] {
            let request =
                Request { text: text.to_owned(), purpose: Purpose::Feedback, context: vec![] };
            assert_eq!(word(&*model, &request, limits()).await, Ok(text.to_owned()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_word_is_one_try_and_its_failure_is_told() {
        let model = FaultyModel::new([Fault::Fails, Fault::Hangs]);
        assert!(matches!(word(&model, &request(), limits()).await, Err(ModelError::Failed { .. })));
        assert_eq!(model.asked(), 1);
        let limit = Duration::from_secs(20);
        let timed_out = word(&model, &request(), limits()).await;
        assert_eq!(timed_out, Err(ModelError::TimedOut { limit }));
        assert_eq!(word(&model, &request(), limits()).await, Ok(faulty::ANSWER.to_owned()));
        assert_eq!(model.asked(), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_model_that_answers_in_time_is_heard() {
        let slow = word_with(Fault::Slow(Duration::from_secs(19))).await;
        assert_eq!(slow, Ok(faulty::ANSWER.to_owned()));
    }

    #[tokio::test]
    async fn an_answer_that_no_terminal_should_show_is_a_failure() {
        let cases = [
            (Fault::Answers("\u{1b}[2J".to_owned()), ModelError::Garbage),
            (Fault::Answers(" \n".to_owned()), ModelError::Empty),
            (Fault::Answers("x".repeat(101)), ModelError::TooLong { bytes: 101, bytes_max: 100 }),
        ];
        for (fault, error) in cases {
            assert_eq!(word_with(fault).await, Err(error));
        }
    }

    #[test]
    fn a_request_and_a_question_keep_their_texts_out_of_the_log() {
        assert!(!format!("{:?}", request()).contains("get"));
        let question = Question {
            kind: AskKind::Code,
            text: "asked".to_owned(),
            code: Some(b"shown".to_vec()),
            language: None,
        };
        let told = format!("{question:?}");
        assert_eq!(told, "Question { kind: Code, bytes: 5, code_bytes: Some(5), language: None }");
    }
}
