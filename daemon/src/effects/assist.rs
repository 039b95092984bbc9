//! Answers a question to the assistant (001 8): by the server of a session's model, where it has one, else by
//! the assistant that needs none, which also steps in for a server that fails.
//!
//! Blind by construction: whoever answers is given a [`Question`], what the candidate has asked and
//! shown. Nothing else is read for it, and no argument leads an assistant to the session, its spec,
//! its problem, its cases or its hints.

use std::sync::Arc;

use tokio_util::task::AbortOnDropHandle;
use vosim_protocol::v1::effect::{Assist, Assisted};

use crate::background;
use crate::effects::{CarryOut, Done, Run, served};
use crate::model::{Assistant, Limits, ModelError, Question, check, prompts, wants_solution};

impl CarryOut for Assist {
    /// The candidate's code is all that is read for the assistant.
    async fn carry_out(self, run: &Run) -> Result<Done<Assisted>, String> {
        let Self { kind, question, code, language, model } = self;
        let code = match code {
            Some(code) => Some(run.code(code).await?),
            None => None,
        };
        let question = Question { kind, text: question, code, language };
        // Whoever answers, the same questions are refused, and no server reads them.
        if let Some(model) = model.filter(|_| !wants_solution(&question.text)) {
            match served::ask(&run.daemon, &model, &prompts::answer(&question)).await {
                Ok(text) => return Ok(Assisted { text: Some(text), model: Some(model) }.into()),
                Err(error) => {
                    tracing::warn!(?question, %error, "the offline assistant answers instead");
                }
            }
        }
        let assistant = Arc::clone(&run.daemon.assistant);
        let text = assist(assistant, question, Limits::default()).await?;
        Ok(Assisted { text, model: None }.into())
    }
}

/// Has a question answered; takes at most `limits.try_within`. Dropping it gives the question up.
async fn assist(
    assistant: Arc<dyn Assistant>,
    question: Question,
    limits: Limits,
) -> Result<Option<String>, String> {
    let told = format!("{question:?}");
    let answered = ask(Arc::clone(&assistant), question, limits).await;
    answered.map_err(|error| {
        tracing::warn!(assistant = assistant.name(), question = told, %error, "no answer to use");
        error.to_string()
    })
}

async fn ask(
    assistant: Arc<dyn Assistant>,
    question: Question,
    limits: Limits,
) -> Result<Option<String>, ModelError> {
    // A task of its own: one that falls over must not take along whoever waits for its end.
    let answering = async move { assistant.answer(&question).await };
    let answering = AbortOnDropHandle::new(background::spawn("assistant", answering));
    // A wait for the world, not a deadline of a session: tokio's clock is the right one.
    let answered = tokio::time::timeout(limits.try_within, answering).await;
    let answered = answered.map_err(|_| ModelError::TimedOut { limit: limits.try_within })?;
    let fell_over = |_| ModelError::Failed { reason: "it crashed".to_owned() };
    let answer = answered.map_err(fell_over)??;
    if let Some(text) = &answer {
        check(text, limits.bytes_max)?;
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::oneshot;
    use tokio::task::LocalSet;
    use vosim_protocol::v1::assistant::AskKind;
    use vosim_protocol::v1::problem::Language;

    use super::*;
    use crate::model::Reply;
    use crate::model::faulty::{ANSWER, Fault, FaultyAssistant};

    fn question() -> Question {
        Question {
            kind: AskKind::Code,
            text: "why".to_owned(),
            code: Some(b"code".to_vec()),
            language: Some(Language::Python),
        }
    }

    async fn answer_of(assistant: impl Assistant + 'static) -> Result<Option<String>, String> {
        let asked = assist(Arc::new(assistant), question(), Limits::default());
        LocalSet::new().run_until(asked).await
    }

    async fn answer_with(fault: Fault) -> Result<Option<String>, String> {
        answer_of(FaultyAssistant::new([fault])).await
    }

    fn assisted(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    /// Says all that it is given.
    #[derive(Debug)]
    struct Echo;

    impl Assistant for Echo {
        fn name(&self) -> &'static str {
            "echo"
        }

        fn answer<'a>(&'a self, question: &'a Question) -> Reply<'a, Option<String>> {
            // Without `..`: whoever gives an assistant more to see has to look at this test.
            let Question { kind, text, code, language } = question;
            let code = code.as_deref().map(String::from_utf8_lossy);
            let said = format!("{kind:?} {text} {code:?} {language:?}");
            Box::pin(async move { Ok(Some(said)) })
        }
    }

    #[tokio::test]
    async fn all_that_an_assistant_is_given_is_the_question_and_the_code() {
        let said = assisted("Code why Some(\"code\") Some(Python)");
        assert_eq!(answer_of(Echo).await, Ok(said));
    }

    #[tokio::test]
    async fn an_assistant_that_fails_or_falls_over_is_a_failure_and_no_more() {
        let failed = answer_with(Fault::Fails).await;
        assert_eq!(failed.unwrap_err(), "the model failed: on purpose");
        let fell = answer_with(Fault::Panics).await;
        assert_eq!(fell.unwrap_err(), "the model failed: it crashed");
    }

    #[tokio::test]
    async fn an_answer_that_is_too_long_or_no_text_goes_no_further() {
        for text in ["x".repeat(Limits::default().bytes_max + 1), "\u{1b}[2J".to_owned()] {
            assert!(answer_with(Fault::Answers(text)).await.is_err());
        }
        let text = "x".repeat(Limits::default().bytes_max);
        assert_eq!(answer_with(Fault::Answers(text.clone())).await, Ok(assisted(&text)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_assistant_is_heard_and_one_that_never_answers_is_given_up() {
        let slow = answer_with(Fault::Slow(Duration::from_secs(19))).await;
        assert_eq!(slow, Ok(assisted(ANSWER)));
        let hanging = answer_with(Fault::Hangs).await;
        assert_eq!(hanging.unwrap_err(), "the model did not answer within 20 s");
    }

    /// Tells when it is asked, and when the answer it never gives is dropped.
    #[derive(Debug)]
    struct Waits(std::sync::Mutex<Option<(oneshot::Sender<()>, oneshot::Sender<()>)>>);

    impl Assistant for Waits {
        fn name(&self) -> &'static str {
            "waits"
        }

        fn answer<'a>(&'a self, _: &'a Question) -> Reply<'a, Option<String>> {
            let (asked, dropped) = self.0.lock().unwrap().take().unwrap();
            Box::pin(async move {
                let _dropped = dropped;
                asked.send(()).unwrap();
                std::future::pending().await
            })
        }
    }

    #[tokio::test]
    async fn a_question_that_nobody_waits_for_any_more_is_given_up() {
        let ((asked, is_asked), (dropped, is_dropped)) = (oneshot::channel(), oneshot::channel());
        let assistant = Arc::new(Waits(std::sync::Mutex::new(Some((asked, dropped)))));
        let waiting = async {
            let asking = assist(assistant, question(), Limits::default());
            tokio::select! {
                _ = asking => panic!("it never answers"),
                asked = is_asked => asked.unwrap(),
            }
            // The sender has gone with the answer.
            is_dropped.await.unwrap_err();
        };
        LocalSet::new().run_until(waiting).await;
    }
}
