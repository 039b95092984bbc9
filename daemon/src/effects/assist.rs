//! The assistant's arm (001 8).
//!
//! Blind by construction: whoever answers is a plain function of what the candidate has asked and
//! shown. Neither the session nor its spec, its problem, its cases or its hints can be reached from
//! here: no argument leads to them, and this file has no handle to the store.

use std::time::Duration;

use vosim_protocol::v1::effect::EffectOutcome;
use vosim_protocol::v1::interview::AskKind;
use vosim_protocol::v1::problem::Language;

use crate::effects::Ended;
use crate::model::Answerer;

/// How long an answer may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);

/// A question, with all that the assistant gets to see.
#[derive(Debug)]
pub(crate) struct Question {
    /// What kind of help.
    pub(crate) kind: AskKind,
    /// In the candidate's words.
    pub(crate) text: String,
    /// The candidate's code.
    pub(crate) code: Option<Vec<u8>>,
    /// Its language, or that of the last submission.
    pub(crate) language: Option<Language>,
}

/// Has a question answered, on a thread of its own: thinking holds up nobody.
pub(crate) async fn assist(question: Question, answerer: Answerer) -> Result<Ended, String> {
    let answering = tokio::task::spawn_blocking(move || {
        let Question { kind, text, code, language } = question;
        answerer(kind, &text, code.as_deref(), language)
    });
    // A wait for the world, not a deadline of a session: tokio's clock is the right one.
    match tokio::time::timeout(ANSWER_WITHIN, answering).await {
        Ok(Ok(text)) => Ok(EffectOutcome::Assisted { text }.into()),
        Ok(Err(error)) => {
            tracing::error!(%error, "the assistant fell over");
            Err("the assistant could not answer".to_owned())
        }
        Err(_) => Err(format!("the assistant did not answer within {} s", ANSWER_WITHIN.as_secs())),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn question(text: &str) -> Question {
        Question {
            kind: AskKind::Code,
            text: text.to_owned(),
            code: Some(b"code".to_vec()),
            language: Some(Language::Python),
        }
    }

    #[tokio::test]
    async fn an_answer_is_made_of_the_question_and_the_code() {
        let ended = assist(question("why"), |kind, text, code, language| {
            Some(format!("{kind:?} {text} {} {language:?}", code?.len()))
        });
        let text = Some("Code why 4 Some(Python)".to_owned());
        assert_eq!(ended.await.unwrap().outcome, EffectOutcome::Assisted { text });
        let ended = assist(question("why"), |_, _, _, _| None).await.unwrap();
        assert_eq!(ended.outcome, EffectOutcome::Assisted { text: None });
    }

    #[tokio::test]
    async fn an_assistant_that_falls_over_is_a_failure_and_no_more() {
        let ended = assist(question("why"), |_, _, _, _| panic!("on purpose")).await;
        assert_eq!(ended.unwrap_err(), "the assistant could not answer");
    }

    #[tokio::test(start_paused = true)]
    async fn an_assistant_that_never_answers_is_given_up() {
        static HANGING: std::sync::Mutex<Option<mpsc::Receiver<()>>> = std::sync::Mutex::new(None);
        let (release, hanging) = mpsc::channel();
        *HANGING.lock().unwrap() = Some(hanging);
        let asked = assist(question("why"), |_, _, _, _| {
            HANGING.lock().unwrap().as_ref()?.recv().ok()?;
            None
        });
        // The paused clock does not move by itself while a blocking thread is at work.
        let passing = tokio::time::advance(ANSWER_WITHIN + Duration::from_secs(1));
        let (asked, ()) = tokio::join!(asked, passing);
        assert_eq!(asked.unwrap_err(), "the assistant did not answer within 20 s");
        release.send(()).unwrap();
    }
}
