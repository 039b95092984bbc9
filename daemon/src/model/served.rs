//! Asking the server of models for one text, by one try: whoever asks decides what a failure means.

use std::time::Duration;

use vosim_agent::model::{FaultKind, Model, Request, Said, Usage};

use super::contract::{Limits, ModelError};
use super::{check, prompts};

/// What an answer may take, and how long it may be.
const LIMITS: Limits =
    Limits { try_within: Duration::from_secs(prompts::TRY_SECS), bytes_max: 4 * 1024 };

/// What a server said, and what that took.
#[derive(Debug)]
pub struct Served {
    /// The text, or why there is none.
    pub said: Result<String, ModelError>,
    /// What it took, as far as the server has told.
    pub usage: Option<Usage>,
    /// True when nobody answered: asking again at once would be another wait.
    pub silent: bool,
}

impl Served {
    /// Asks once; takes at most the time of a try. Dropping it gives the request up.
    pub async fn ask(server: &dyn Model, request: &Request) -> Self {
        // A wait for the world, not a deadline of a session: tokio's clock is the right one.
        let asked = tokio::time::timeout(LIMITS.try_within, server.ask(request)).await;
        let failed = |reason: String| Err(ModelError::Failed { reason });
        let (said, usage, silent) = match asked {
            Err(_) => (Err(ModelError::TimedOut { limit: LIMITS.try_within }), None, true),
            Ok(Err(fault)) => {
                let silent = matches!(fault.kind, FaultKind::Unreachable | FaultKind::TimedOut);
                (failed(fault.told), fault.usage, silent)
            }
            Ok(Ok(reply)) => {
                for warning in &reply.warnings {
                    tracing::info!(model = %server.id(), warning, "the server of models");
                }
                let said = match reply.said {
                    Said::Text { text } => usable(&text),
                    Said::Cut { why, .. } => failed(format!("the answer was cut short: {why}")),
                    Said::Call { .. } => failed("a call of a tool came for a text".to_owned()),
                };
                (said, Some(reply.usage), false)
            }
        };
        if let Err(error) = &said {
            tracing::warn!(model = %server.id(), %error, "no answer to use");
        }
        Self { said, usage, silent }
    }
}

/// A text without what some models put around it.
fn usable(text: &str) -> Result<String, ModelError> {
    let text = match text.trim_start().strip_prefix("<think>") {
        Some(thought) => thought.split_once("</think>").map_or("", |(_, said)| said),
        None => text,
    };
    let text = text.trim();
    let text = match text.strip_prefix("<text>").and_then(|text| text.strip_suffix("</text>")) {
        Some(inside) => inside.trim(),
        None => text,
    };
    let quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let text = quoted.filter(|inside| !inside.contains('"')).unwrap_or(text);
    check(text, LIMITS.bytes_max).map(|()| text.to_owned())
}

#[cfg(test)]
mod tests {
    use vosim_agent::model::{Again, Answer, ModelFault, ModelId, ModelKind, Reply};
    use vosim_protocol::v1::effect::Purpose;

    use super::super::contract::Request as Text;
    use super::*;

    /// Answers with this, or never.
    #[derive(Debug)]
    struct Once(Option<Result<Said, ModelFault>>);

    impl Model for Once {
        fn id(&self) -> ModelId {
            ModelId { kind: ModelKind::Openai, name: "once".to_owned() }
        }

        fn ask<'a>(&'a self, _: &'a Request) -> Answer<'a> {
            let answer = self.0.clone().map(|answer| {
                let usage = Usage::NOTHING;
                answer.map(|said| Reply { said, usage, answered_by: None, warnings: Vec::new() })
            });
            Box::pin(async move {
                match answer {
                    Some(answer) => answer,
                    None => std::future::pending().await,
                }
            })
        }
    }

    async fn asked(answer: Option<Result<Said, ModelFault>>) -> Served {
        let text =
            Text { text: "Why?".to_owned(), purpose: Purpose::Followup, context: Vec::new() };
        Served::ask(&Once(answer), &prompts::wording(&text)).await
    }

    async fn said(text: &str) -> Result<String, ModelError> {
        asked(Some(Ok(Said::Text { text: text.to_owned() }))).await.said
    }

    #[tokio::test]
    async fn a_text_comes_without_what_models_put_around_it() {
        for text in [
            "And why?",
            " And why?\n",
            "\"And why?\"",
            "<think>He wants a question.</think>\n\nAnd why?",
            "<text>\nAnd why?\n</text>",
        ] {
            assert_eq!(said(text).await, Ok("And why?".to_owned()), "{text}");
        }
        assert_eq!(said("\"A\" or \"B\"?").await, Ok("\"A\" or \"B\"?".to_owned()));
        assert_eq!(said("<think>He wants").await, Err(ModelError::Empty));
        assert_eq!(said("\u{1b}[2J").await, Err(ModelError::Garbage));
        let long = "x".repeat(LIMITS.bytes_max + 1);
        assert!(matches!(said(&long).await, Err(ModelError::TooLong { .. })));
    }

    #[tokio::test]
    async fn half_an_answer_and_a_call_are_none() {
        let cut = Said::Cut { text: "And w".to_owned(), tool: None, why: "length".to_owned() };
        let told = asked(Some(Ok(cut))).await.said.unwrap_err().to_string();
        assert_eq!(told, "the model failed: the answer was cut short: length");
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_hangs_costs_one_try_and_is_known_to_be_silent() {
        let served = asked(None).await;
        assert_eq!(served.said, Err(ModelError::TimedOut { limit: LIMITS.try_within }));
        assert!(served.silent);
        let busy = ModelFault::new(FaultKind::RateLimited, Again::Soon, "slow down");
        let served = asked(Some(Err(busy))).await;
        assert_eq!(served.said.unwrap_err().to_string(), "the model failed: slow down");
        assert!(!served.silent);
    }
}
