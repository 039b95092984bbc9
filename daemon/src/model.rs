//! Putting texts into words, talking, and answering candidates: one trait for each, and what happens when
//! one fails.
//!
//! A model re-words a text that is right as it stands; it decides nothing. So whatever it does, a
//! session goes on: the engine asks once more, and then uses the text as it is (DECISIONS 35).
//! An assistant that fails has no answer, and the candidate is told so.
//!
//! The offline ones are always there. A session whose spec names a model asks the server of the settings
//! ([`Served`]).

pub mod answer;
mod configured;
mod contract;
pub mod faulty;
pub mod offline;
pub(crate) mod prompts;
mod served;

use vosim_protocol::v1::effect::Chat;

pub use answer::{OfflineAssistant, wants_solution};
pub use configured::{Configured, Unconfigured};
pub use contract::{Assistant, Limits, Model, ModelError, Question, Reply, Request};
pub use offline::OfflineModel;
pub use served::Served;

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
    let text = in_time(model.phrase(request), limits).await?;
    if text != request.text {
        check(&text, limits.bytes_max)?;
    }
    Ok(text)
}

/// Has the next thing in a conversation said with one try: whoever asks decides what a failure means.
///
/// Takes at most `limits.try_within`.
pub async fn chat(model: &dyn Model, chat: &Chat, limits: Limits) -> Result<String, ModelError> {
    let said = in_time(model.chat(chat), limits).await;
    let said = said.and_then(|text| check(&text, limits.bytes_max).map(|()| text));
    if let Err(error) = &said {
        tracing::warn!(model = model.name(), turns = chat.turns.len(), %error, "no answer to use");
    }
    said
}

async fn in_time(reply: Reply<'_>, limits: Limits) -> Result<String, ModelError> {
    // A wait for the world, not a deadline of a session: tokio's clock is the right one.
    let answer = tokio::time::timeout(limits.try_within, reply).await;
    answer.map_err(|_| ModelError::TimedOut { limit: limits.try_within })?
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
    use std::time::Duration;

    use vosim_protocol::v1::assistant::AskKind;
    use vosim_protocol::v1::effect::Purpose;

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
        let model = OfflineModel;
        assert_eq!(model.name(), "offline");
        for text in ["plain", "  kept \r\n as it is \n", ""] {
            let request =
                Request { text: text.to_owned(), purpose: Purpose::Feedback, context: vec![] };
            assert_eq!(word(&model, &request, limits()).await, Ok(text.to_owned()));
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

    #[tokio::test(start_paused = true)]
    async fn what_is_said_in_a_conversation_is_one_try_and_has_its_bounds() {
        let talk = Chat { instructions: "Advise.".to_owned(), turns: Vec::new() };
        let offline = chat(&OfflineModel, &talk, limits()).await.unwrap_err();
        assert_eq!(
            offline.to_string(),
            "the model failed: none is configured that can be talked to"
        );
        let long = "x".repeat(101);
        let model = FaultyModel::new([Fault::Hangs, Fault::Answers(long)]);
        let timed_out = ModelError::TimedOut { limit: limits().try_within };
        assert_eq!(chat(&model, &talk, limits()).await, Err(timed_out));
        let too_long = ModelError::TooLong { bytes: 101, bytes_max: 100 };
        assert_eq!(chat(&model, &talk, limits()).await, Err(too_long));
        assert_eq!(chat(&model, &talk, limits()).await, Ok(faulty::ANSWER.to_owned()));
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
