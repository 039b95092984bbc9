//! A text on its way: asked for with one try, once more after a failure, and then used as it is.
//!
//! The own text is right as it stands and is what there is without a model (DECISIONS 35), so a
//! wording is never mended: it is taken as it is, or not at all. Each failure is an event of the
//! kind, so that a replay sees what was asked and how it ended (001 10.2; invariant 4).

use vosim_protocol::v1::effect::{Failure, Word};
use vosim_protocol::v1::hints::{HintGiven, HintRequested};
use vosim_protocol::v1::talk::{ModelUse, WordingFailed, Words};
use vosim_protocol::{EffectId, EventId};

use crate::parts::rewording::Original;
use crate::parts::words::{self, MESSAGE_MAX_BYTES, TEXT_MAX_BYTES, json_len};

/// Failures after which the own text is used as it is: one retry (001 10.2; DECISIONS 35).
const FAILURES_MAX: u32 = 2;

/// A text that was asked for and is not there yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    /// The event that asks now: the one that asked first, or the one that tells a failure.
    pub effect: EffectId,
    /// The event that asked first.
    pub request: EventId,
    failures: u32,
}

/// What the end of a try becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worded {
    /// The failure to be told first.
    pub failed: Option<WordingFailed>,
    /// The text with its author; none while it is asked for once more.
    pub said: Option<Voiced>,
}

/// A text as it is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Voiced {
    /// The text.
    pub text: String,
    /// Whose words they are.
    pub words: Words,
    /// The model whose words they are, where it has a name in the session's spec.
    pub model: Option<String>,
}

impl Voiced {
    /// A text as its author wrote it.
    pub fn own(text: String) -> Self {
        Self { text, words: Words::Problem, model: None }
    }
}

impl Wording {
    /// A text that an event asks for.
    pub fn new(request: EventId) -> Self {
        Self { effect: EffectId(request), request, failures: 0 }
    }

    /// The effect that puts a text into words, by the model that the session has for it.
    pub fn word(own: &Original<'_>, context: Vec<String>, used: Option<&ModelUse>) -> Word {
        let model = ModelUse::wording(used).map(str::to_owned);
        Word { text: own.text.to_owned(), purpose: own.purpose, context, model }
    }

    /// Takes note of a failure: the event that tells it asks again.
    pub fn fail(&mut self, told: EventId) {
        self.failures += 1;
        self.effect = EffectId(told);
    }

    /// What a try came to. `used` is what the session has a model for.
    pub fn conclude(
        &self,
        own: &Original<'_>,
        outcome: Result<&String, &Failure>,
        used: Option<&ModelUse>,
    ) -> Worded {
        let reason = match usable(own, outcome) {
            Ok(text) => {
                let model = ModelUse::wording(used);
                return Worded { failed: None, said: Some(voiced(own.text, text, model)) };
            }
            Err(reason) => words::cut(reason, MESSAGE_MAX_BYTES),
        };
        let failed = Some(WordingFailed { request: self.request, reason });
        let last = self.failures + 1 >= FAILURES_MAX;
        Worded { failed, said: last.then(|| Voiced::own(own.text.to_owned())) }
    }
}

/// The model's wording, or why there is none that can be used.
fn usable<'a>(
    own: &Original<'_>,
    outcome: Result<&'a String, &Failure>,
) -> Result<&'a str, String> {
    match outcome {
        Ok(text) if text.trim().is_empty() => Err("the model's wording is empty".to_owned()),
        Ok(text) if json_len(text) > TEXT_MAX_BYTES => {
            Err("the model's wording is too long".to_owned())
        }
        Ok(text) => own.check(text).map(|()| text.as_str()).map_err(|broken| broken.to_string()),
        Err(failure) => Err(failure.reason.clone()),
    }
}

/// A model's wording of a text; words that are the same are not the model's.
fn voiced(own: &str, wording: &str, model: Option<&str>) -> Voiced {
    match wording == own {
        true => Voiced::own(own.to_owned()),
        false => Voiced {
            text: wording.to_owned(),
            words: Words::Model,
            model: model.map(str::to_owned),
        },
    }
}

/// The hint that was asked for, in these words.
pub fn hint(requested: &HintRequested, said: Voiced) -> HintGiven {
    let Voiced { text: hint_text, words, model } = said;
    HintGiven {
        hint_level: requested.hint_level,
        hint_text,
        trigger_reason: requested.trigger_reason,
        issue: requested.issue.clone(),
        words,
        model,
    }
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::effect::Purpose;

    use super::*;
    use crate::problem;

    const OWN: &str = "Look at the order in which keys are used.";

    fn used() -> ModelUse {
        ModelUse { name: "small".to_owned(), wording: true, assistant: false, hearing: false }
    }

    fn concluded(wording: &Wording, outcome: Result<&str, &str>) -> Worded {
        let spec = problem::spec();
        let own =
            Original { text: OWN, purpose: Purpose::Hint, problem: &spec.problem, about: None };
        let outcome = outcome.map(str::to_owned).map_err(Failure::new);
        wording.conclude(&own, outcome.as_ref(), Some(&used()))
    }

    #[test]
    fn a_wording_is_taken_as_it_is_or_not_at_all() {
        let by_model = |text: &str| Voiced {
            text: text.to_owned(),
            words: Words::Model,
            model: Some("small".to_owned()),
        };
        let long = format!("Look at the order of the keys used{}", " there".repeat(TEXT_MAX_BYTES));
        for (outcome, expected) in [
            (
                Ok("Watch the order of the keys used."),
                Ok(by_model("Watch the order of the keys used.")),
            ),
            (
                Ok(" Mind the order of keys used.\n"),
                Ok(by_model(" Mind the order of keys used.\n")),
            ),
            (Ok(OWN), Ok(Voiced::own(OWN.to_owned()))),
            (Ok(""), Err("the model's wording is empty")),
            (Ok(" \n\t"), Err("the model's wording is empty")),
            (Ok(long.as_str()), Err("the model's wording is too long")),
            (
                Ok("Bananas are yellow and so is the sun."),
                Err("the model's wording is about something else"),
            ),
            (Err("no answer within 20 s"), Err("no answer within 20 s")),
        ] {
            let Worded { failed, said } = concluded(&Wording::new(EventId(5)), outcome);
            let reason = failed.map(|failed| failed.reason);
            assert_eq!((said, reason.as_deref()), (expected.clone().ok(), expected.err()));
        }
    }

    #[test]
    fn after_a_failure_it_is_asked_once_more_and_then_the_own_text_is_used() {
        let mut wording = Wording::new(EventId(5));
        let first = concluded(&wording, Err("late"));
        assert_eq!(first.said, None);
        assert_eq!(first.failed.map(|failed| failed.request), Some(EventId(5)));
        wording.fail(EventId(6));
        assert_eq!(wording.effect, EffectId(EventId(6)));
        let second = concluded(&wording, Err("late"));
        assert_eq!(second.said, Some(Voiced::own(OWN.to_owned())));
        assert_eq!(second.failed.map(|failed| failed.request), Some(EventId(5)));
    }

    #[test]
    fn a_server_is_asked_for_words_only_where_the_session_says_so() {
        let spec = problem::spec();
        let own =
            Original { text: OWN, purpose: Purpose::Hint, problem: &spec.problem, about: None };
        let asked = |used: Option<&ModelUse>| Wording::word(&own, Vec::new(), used).model;
        assert_eq!(asked(Some(&used())).as_deref(), Some("small"));
        let without = ModelUse { wording: false, assistant: true, hearing: true, ..used() };
        assert_eq!((asked(Some(&without)), asked(None)), (None, None));
    }
}
