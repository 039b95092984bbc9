//! What is taken into a summary, and that nothing else is.

use proptest::prelude::*;

use super::*;
use crate::parts::coverage::tests::{QUESTION, TOLD, section_of};

fn said(texts: &[&'static str]) -> Vec<Said<'static>> {
    let message = |(index, text): (usize, &&'static str)| Said {
        event: EventId(index as u64 + 10),
        text: text.trim_start_matches("late: "),
        late: text.starts_with("late: "),
    };
    texts.iter().enumerate().map(message).collect()
}

/// `event dimension: text` of each sentence.
fn summary(texts: &[&'static str]) -> Vec<String> {
    let line =
        |s: Sentence| format!("{} {}: {}", s.event_id.0, s.dimension.unwrap_or_default(), s.text);
    let said = said(texts);
    summarize(&said, &section_of("approach"), &[TOLD, QUESTION]).into_iter().map(line).collect()
}

#[test]
fn the_best_sentence_for_each_dimension_in_the_order_they_were_said() {
    assert_eq!(
        summary(&[
            "Well. A tree, I suppose. Let me think.",
            "An empty cache must not crash, so I check for it. It is late today.",
            "A map finds the node, then the list moves it. Each step is O(1), because only links change.",
            "A naive scan would be slower, but simpler.",
            "A map finds the node, then a queue moves it.",
        ]),
        [
            "11 failure_modes: An empty cache must not crash, so I check for it.",
            "12 approach: A map finds the node, then the list moves it.",
            "12 complexity: Each step is O(1), because only links change.",
            "13 tradeoffs: A naive scan would be slower, but simpler.",
        ]
    );
}

#[test]
fn a_sentence_that_serves_two_stands_there_once() {
    assert_eq!(summary(&["A tree is O(log n)."]), ["10 approach: A tree is O(log n)."]);
}

#[test]
fn late_declined_and_echoed_texts_leave_nothing() {
    assert_eq!(
        summary(&[
            "late: A map finds the node, then the list moves it.",
            "I can't think of an alternative",
            "What is the cost of put in the worst case, and which step dominates it?",
            "What is the cost of put in the worst case? Well, a tree. I cannot think of an alternative.",
            "fine",
            "",
        ]),
        ["13 approach: Well, a tree."]
    );
    assert_eq!(summary(&[]), [""; 0]);
}

#[test]
fn a_long_sentence_is_cut_after_a_word() {
    let long = format!("a map {}", "of wörds ".repeat(60));
    let cut = bounded(long.trim()).unwrap_or_default();
    assert!(cut.len() <= SENTENCE_MAX_BYTES && cut.len() > SENTENCE_MAX_BYTES - 10, "{cut}");
    assert!(cut.ends_with("of") || cut.ends_with("wörds"), "{cut}");
    let growth = format!("{} O(n log n) {}", "x ".repeat(196), "y".repeat(40));
    assert_eq!(bounded(&growth), Some("x ".repeat(196).trim()));
    assert_eq!(bounded(&"y".repeat(500)), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// 001 7.2: a summary introduces nothing.
    #[test]
    fn every_word_of_a_summary_stands_in_the_message_it_names(
        messages in prop::collection::vec((TEXT, any::<bool>()), 0..6),
        first in 0_u64..1000,
    ) {
        let said: Vec<_> = (first..)
            .zip(&messages)
            .map(|(event, (text, late))| Said { event: EventId(event), text, late: *late })
            .collect();
        let dimensions = section_of("approach");
        let summary = summarize(&said, &dimensions, &[TOLD, QUESTION]);
        prop_assert!(summary.len() <= SENTENCES_MAX.min(dimensions.len()));
        prop_assert!(summary.is_sorted_by_key(|sentence| sentence.event_id));
        for sentence in summary {
            let source = said.iter().find(|said| said.event == sentence.event_id);
            let text = source.map_or("", |said| said.text);
            prop_assert!(source.is_some_and(|said| !said.late));
            prop_assert!(text.contains(&sentence.text) && !sentence.text.is_empty());
            prop_assert!(sentence.text.len() <= SENTENCE_MAX_BYTES);
            let (inner, outer) = (words(&sentence.text), words(text));
            prop_assert!(outer.windows(inner.len()).any(|run| run == inner), "{inner:?}");
        }
    }
}

const TEXT: &str = "(?s)((map|tree|then|O\\(n log n\\)|O\\(|because|empty|check|instead|it's|ünd|word|.)[ ,.\n]?){0,160}";
