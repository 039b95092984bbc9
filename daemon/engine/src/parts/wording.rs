//! A text on its way: asked for with one try, once more after a failure, and then used as it is.
//!
//! The own text is right as it stands and is what there is without a model (DECISIONS 35), so a
//! wording is never mended: it is taken as it is, or not at all. Each failure is an event of the
//! kind, so that a replay sees what was asked and how it ended (001 10.2; invariant 4).

use vosim_protocol::v1::effect::{Failure, Purpose, Word};
use vosim_protocol::v1::hints::{HintGiven, HintRequested};
use vosim_protocol::v1::talk::{WordingFailed, Words};
use vosim_protocol::{EffectId, EventId};

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
    pub said: Option<(String, Words)>,
}

impl Wording {
    /// A text that an event asks for.
    pub fn new(request: EventId) -> Self {
        Self { effect: EffectId(request), request, failures: 0 }
    }

    /// The effect that puts the own text into words.
    pub fn word(own: String, purpose: Purpose, context: Vec<String>) -> Word {
        Word { text: own, purpose, context }
    }

    /// Takes note of a failure: the event that tells it asks again.
    pub fn fail(&mut self, told: EventId) {
        self.failures += 1;
        self.effect = EffectId(told);
    }

    /// What a try came to: `usable` is the model's wording as far as it can be used.
    pub fn conclude(&self, own: String, usable: Result<&str, &str>) -> Worded {
        let Err(reason) = usable else {
            return Worded { failed: None, said: Some(worded(own, usable)) };
        };
        let reason = words::cut(reason.to_owned(), MESSAGE_MAX_BYTES);
        let failed = Some(WordingFailed { request: self.request, reason });
        let last = self.failures + 1 >= FAILURES_MAX;
        Worded { failed, said: last.then(|| worded(own, usable)) }
    }
}

/// The model's wording, or why there is none that can be used.
pub fn usable<'a>(outcome: Result<&'a String, &'a Failure>) -> Result<&'a str, &'a str> {
    match outcome {
        Ok(text) if text.trim().is_empty() => Err("the model's wording is empty"),
        Ok(text) if json_len(text) > TEXT_MAX_BYTES => Err("the model's wording is too long"),
        Ok(text) => Ok(text),
        Err(failure) => Err(&failure.reason),
    }
}

/// A model's wording of a text, or the text itself; words that are the same are not the model's.
fn worded(own: String, wording: Result<&str, &str>) -> (String, Words) {
    match wording {
        Ok(text) if text != own => (text.to_owned(), Words::Model),
        Ok(_) | Err(_) => (own, Words::Problem),
    }
}

/// The hint that was asked for, in these words.
pub fn hint(requested: &HintRequested, (hint_text, words): (String, Words)) -> HintGiven {
    HintGiven {
        hint_level: requested.hint_level,
        hint_text,
        trigger_reason: requested.trigger_reason,
        issue: requested.issue.clone(),
        words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "Look at the order in which keys are used.";

    #[test]
    fn a_wording_is_taken_as_it_is_or_not_at_all() {
        // A quotation mark takes two bytes inside a record.
        let (longest, longer) = ("\"".repeat(TEXT_MAX_BYTES / 2), "x".repeat(TEXT_MAX_BYTES + 1));
        let late = Failure::new("no answer within 20 s");
        for (outcome, expected, text, words) in [
            (Ok("Watch the order."), Ok("Watch the order."), "Watch the order.", Words::Model),
            (Ok(" Watch it.\n"), Ok(" Watch it.\n"), " Watch it.\n", Words::Model),
            (Ok(longest.as_str()), Ok(longest.as_str()), longest.as_str(), Words::Model),
            (Ok(OWN), Ok(OWN), OWN, Words::Problem),
            (Ok(""), Err("the model's wording is empty"), OWN, Words::Problem),
            (Ok(" \n\t"), Err("the model's wording is empty"), OWN, Words::Problem),
            (Ok(longer.as_str()), Err("the model's wording is too long"), OWN, Words::Problem),
            (Err(&late), Err("no answer within 20 s"), OWN, Words::Problem),
        ] {
            let outcome = outcome.map(str::to_owned);
            let usable = usable(outcome.as_ref().map_err(|failure| *failure));
            assert_eq!(usable, expected);
            assert_eq!(worded(OWN.to_owned(), usable), (text.to_owned(), words));
        }
    }

    #[test]
    fn after_a_failure_it_is_asked_once_more_and_then_the_own_text_is_used() {
        let mut wording = Wording::new(EventId(5));
        let first = wording.conclude(OWN.to_owned(), Err("late"));
        assert_eq!(first.said, None);
        assert_eq!(first.failed.map(|failed| failed.request), Some(EventId(5)));
        wording.fail(EventId(6));
        assert_eq!(wording.effect, EffectId(EventId(6)));
        let second = wording.conclude(OWN.to_owned(), Err("late"));
        assert_eq!(second.said, Some((OWN.to_owned(), Words::Problem)));
        assert_eq!(second.failed.map(|failed| failed.request), Some(EventId(5)));
    }
}
