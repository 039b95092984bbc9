//! Whether a model's wording of one of our own texts can be used.
//!
//! The own text is right as it stands and is what there is without a model (DECISIONS 35), so a
//! wording is never mended: it is taken as it is, or not at all.

use vosim_protocol::v1::hints::{HintGiven, HintRequested};

use vosim_protocol::v1::effect::EffectOutcome;
use vosim_protocol::v1::talk::Words;

use crate::parts::words::{TEXT_MAX_BYTES, json_len};

/// The model's wording, or why there is none that can be used.
pub fn wording(outcome: &EffectOutcome) -> Result<&str, &str> {
    match outcome {
        EffectOutcome::Phrased { text } if text.trim().is_empty() => {
            Err("the model's wording is empty")
        }
        EffectOutcome::Phrased { text } if json_len(text) > TEXT_MAX_BYTES => {
            Err("the model's wording is too long")
        }
        EffectOutcome::Phrased { text } => Ok(text),
        EffectOutcome::Failed { reason } => Err(reason),
        EffectOutcome::Evaluated { .. }
        | EffectOutcome::Probed { .. }
        | EffectOutcome::Saved { .. }
        | EffectOutcome::Captured { .. }
        | EffectOutcome::Assisted { .. } => Err("the model answered nothing"),
    }
}

/// A model's wording of a text, or the text itself; words that are the same are not the model's.
pub fn worded(own: String, wording: Result<&str, &str>) -> (String, Words) {
    match wording {
        Ok(text) if text != own => (text.to_owned(), Words::Model),
        Ok(_) | Err(_) => (own, Words::Problem),
    }
}

/// The hint that was asked for, in a model's words where they can be used.
pub fn hint(requested: &HintRequested, own: String, outcome: &EffectOutcome) -> HintGiven {
    let (hint_text, words) = worded(own, wording(outcome));
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
        let phrased = |text: &str| EffectOutcome::Phrased { text: text.to_owned() };
        // A quotation mark takes two bytes inside a record.
        let (longest, longer) = ("\"".repeat(TEXT_MAX_BYTES / 2), "x".repeat(TEXT_MAX_BYTES + 1));
        let failed = EffectOutcome::Failed { reason: "no answer within 20 s".to_owned() };
        let assisted = EffectOutcome::Assisted { text: Some("Watch the order.".to_owned()) };
        for (outcome, usable, text, words) in [
            (phrased("Watch the order."), Ok("Watch the order."), "Watch the order.", Words::Model),
            (phrased(" Watch it.\n"), Ok(" Watch it.\n"), " Watch it.\n", Words::Model),
            (phrased(&longest), Ok(longest.as_str()), longest.as_str(), Words::Model),
            (phrased(OWN), Ok(OWN), OWN, Words::Problem),
            (phrased(""), Err("the model's wording is empty"), OWN, Words::Problem),
            (phrased(" \n\t"), Err("the model's wording is empty"), OWN, Words::Problem),
            (phrased(&longer), Err("the model's wording is too long"), OWN, Words::Problem),
            (failed, Err("no answer within 20 s"), OWN, Words::Problem),
            (assisted, Err("the model answered nothing"), OWN, Words::Problem),
        ] {
            assert_eq!(wording(&outcome), usable);
            assert_eq!(worded(OWN.to_owned(), wording(&outcome)), (text.to_owned(), words));
        }
    }
}
