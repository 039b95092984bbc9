//! A change of the problem that is asked about once code has passed, and the same in other words where the
//! answer said nothing.
//!
//! Nothing is judged of an answer: whether it says anything at all is what is looked at.

use vosim_protocol::phrase;
use vosim_protocol::v1::coverage::Guard;
use vosim_protocol::v1::guide::Variation;
use vosim_protocol::v1::talk::VariationAsked;

use super::coverage::hear;
use super::hearing::says_nothing;
use super::text::sentences;

/// Variations that are asked about at most.
pub const VARIATIONS_MAX: usize = 2;

/// The question about the variation at a place, from 0.
pub fn asked(variation: &Variation, place: usize, section_id: Option<String>) -> VariationAsked {
    VariationAsked {
        section_id,
        number: u32::try_from(place + 1).unwrap_or(u32::MAX),
        title: variation.title.clone(),
        text: variation.text.clone(),
        again: false,
    }
}

/// The same once more: the change as its author tells it, and a question that needs less than the author's.
pub fn in_other_words(asked: &VariationAsked) -> VariationAsked {
    let told = sentences(&asked.text);
    // A text ends in its question.
    let change = match told.split_last() {
        Some((_, change @ [_, ..])) => change.join(" "),
        Some((_, [])) | None => format!("{}.", asked.title),
    };
    let text = phrase!("variation.reworded", change = change.as_str()).text;
    VariationAsked { text, again: true, ..asked.clone() }
}

/// True for an answer that says nothing of what was asked: fillers, the question's own words, a question. Who
/// declines is not asked again, as after a follow-up.
pub fn is_no_answer(asked: &str, answer: &str) -> bool {
    match hear(answer, &[], &[asked]).guard {
        Some(Guard::Echo | Guard::Question) => true,
        Some(Guard::Declined) => false,
        Some(Guard::Late | Guard::Stuffing) | None => says_nothing(answer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Each key has an end. After that it is gone. When do you look for it?";

    fn first(title: &str, text: &str) -> VariationAsked {
        let variation = Variation { title: title.to_owned(), text: text.to_owned() };
        asked(&variation, 1, None)
    }

    #[test]
    fn it_is_asked_once_more_with_the_change_and_another_question() {
        let again = in_other_words(&first("An end", TEXT));
        assert_eq!((again.number, again.again), (2, true));
        let (change, question) =
            again.text.split_at("Each key has an end. After that it is gone.".len());
        assert_eq!(change, "Each key has an end. After that it is gone.");
        assert!(question.ends_with('?') && !question.contains("look for it"), "{question}");
        let bare = in_other_words(&first("An end", "When do you look for it?"));
        assert!(bare.text.starts_with("An end. "), "{}", bare.text);
    }

    #[test]
    fn fillers_echoes_and_questions_are_no_answers() {
        for text in ["Hmm.", "ok, good", "What do you mean?", "When do you look for it"] {
            assert!(is_no_answer(TEXT, text), "{text}");
        }
        for text in ["A heap.", "On each get.", "I don't know.", "4"] {
            assert!(!is_no_answer(TEXT, text), "{text}");
        }
    }
}
