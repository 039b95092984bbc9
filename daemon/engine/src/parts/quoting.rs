//! The candidate's best sentence about a dimension, as it is told when the session is over.
//!
//! Only what was heard is quoted: no question, no echo, no heap of words, nothing that says too little to
//! touch the dimension, and nothing that did not hold to the end. Two things take a sentence back: a
//! later sentence that corrects it, and a later verdict where it told the one before. What was said when the
//! dimension was heard goes before what was said to another question, however much that sounds like it; where
//! only all its sentences together touch the dimension, it is the one that says most.

use std::sync::LazyLock;

use vosim_protocol::EventId;
use vosim_protocol::v1::coverage::{Coverage, CoverageChange, Dimension};

use crate::parts::hearing::{AskedFor, FIELD, Listener, Utterance, listen};
use crate::parts::lists::list;
use crate::parts::summary::bounded;
use crate::parts::text::{sentences, words};

const LISTS: &str = include_str!("quoting.txt");
/// What takes back what was said before.
static CORRECTIONS: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "corrections"));
/// Words of a sentence among which a correction begins.
const OPENING: usize = 8;

/// A message that counted.
#[derive(Clone, Copy, Debug)]
pub struct Spoken<'a> {
    /// The event.
    pub event: EventId,
    /// The message.
    pub text: &'a str,
    /// True when it tells a verdict that another one has followed.
    pub outdated: bool,
    /// What it was heard to cover.
    pub coverage: &'a [CoverageChange],
}

impl Spoken<'_> {
    /// How far it was heard to cover a dimension that was less covered before.
    fn raised(&self, dimension: &Dimension) -> Coverage {
        let changes = self.coverage.iter().filter(|change| change.dimension == dimension.id);
        changes.map(|change| change.to).max().unwrap_or_default()
    }
}

/// The best sentence about a dimension with its event; None where none can be quoted.
pub fn best<'a>(
    listener: Option<&Listener>,
    spoken: &[Spoken<'a>],
    dimension: &Dimension,
    told: &[&str],
) -> Option<(EventId, &'a str)> {
    let mut best: Option<((Coverage, i64), EventId, &str)> = None;
    for message in spoken {
        let raised = message.raised(dimension);
        let mut corrects = false;
        for sentence in sentences(message.text) {
            corrects |= is_correction(sentence);
            let Some(text) = bounded(sentence) else { continue };
            let heard = raised > Coverage::NotCovered;
            let Some(score) = score(listener, text, dimension, (told, heard)) else { continue };
            if corrects {
                best = None;
                corrects = false;
            }
            let score = (raised, score);
            let holds = !(message.outdated && dimension.evidence.is_some());
            if holds && best.is_none_or(|(so_far, ..)| score > so_far) {
                best = Some((score, message.event, text));
            }
        }
    }
    best.map(|(_, event, text)| (event, text))
}

/// How much a sentence says of a dimension; None where it cannot be quoted for it. `heard` is whether the whole
/// message was heard for it.
fn score(
    listener: Option<&Listener>,
    text: &str,
    dimension: &Dimension,
    (told, heard): (&[&str], bool),
) -> Option<i64> {
    let asked = AskedFor { about: Some((&dimension.id, FIELD)), text: "" };
    let dimensions = std::slice::from_ref(dimension);
    let said = Utterance { text, before: "", asked, dimensions, told };
    let listened = listen(listener, said);
    if listened.heard.guard.is_some() {
        return None;
    }
    match listened.weighed.get(&dimension.id) {
        // What was not heard for it stands for it only where it names it: an answer to another question may
        // weigh as much.
        Some(weighed) => {
            let names = listened.heard.signals.contains_key(&dimension.id);
            let says = names && weighed.level > Coverage::NotCovered;
            (heard || says).then_some(weighed.score)
        }
        // A dimension that was never learned goes by its groups, and then by a specific.
        None => {
            let groups = listened.heard.signals.get(&dimension.id)?.len();
            let groups = i64::try_from(groups).unwrap_or(i64::MAX / 2);
            (groups > 0).then(|| groups * 2 + i64::from(listened.heard.specific))
        }
    }
}

fn is_correction(sentence: &str) -> bool {
    let opening: Vec<_> =
        words(sentence).into_iter().take(OPENING).map(|word| word.replace('\'', "")).collect();
    let opening = format!(" {} ", opening.join(" "));
    CORRECTIONS.iter().any(|phrase| opening.contains(&format!(" {phrase} ")))
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::coverage::CoverageRule;

    use super::*;

    fn dimension(evidence: bool) -> Dimension {
        Dimension {
            id: "cost".to_owned(),
            title: "Cost".to_owned(),
            required: true,
            signals: vec![vec!["time".to_owned(), "o(".to_owned()], vec!["memory".to_owned()]],
            evidence: evidence.then_some(vosim_protocol::v1::coverage::Evidence::TestsAndVerdict),
            questions: Vec::new(),
        }
    }

    fn quoted<'a>(messages: &[(&'a str, bool)], evidence: bool) -> Option<(u64, &'a str)> {
        let spoken: Vec<_> = (1..)
            .zip(messages)
            .map(|(n, (text, outdated))| Spoken {
                event: EventId(n),
                text,
                outdated: *outdated,
                coverage: &[],
            })
            .collect();
        best(None, &spoken, &dimension(evidence), &["How does the time of a call grow with it?"])
            .map(|(event, text)| (event.0, text))
    }

    #[test]
    fn the_sentence_that_says_most_is_quoted_alone() {
        let said = "I begin. The time is O(1) and the memory grows with the keys held. Fine.";
        let best = "The time is O(1) and the memory grows with the keys held.";
        assert_eq!(quoted(&[("Some time goes by.", false), (said, false)], false), Some((2, best)));
    }

    #[test]
    fn what_was_said_when_it_was_heard_goes_before_what_says_more() {
        let heard = [CoverageChange {
            dimension: "cost".to_owned(),
            from: Coverage::NotCovered,
            to: Coverage::Covered,
            rule: CoverageRule::Weighed,
        }];
        let answer = "The time is the same for each of them.";
        let other = "An empty one takes no time and no memory at all, because it holds 0 keys.";
        let quoted = |coverage: &[CoverageChange]| {
            let first = Spoken { event: EventId(1), text: answer, outdated: false, coverage };
            let second = Spoken { event: EventId(2), text: other, outdated: false, coverage: &[] };
            best(None, &[first, second], &dimension(false), &[]).map(|(event, _)| event.0)
        };
        assert_eq!(quoted(&[]), Some(2), "it says more");
        assert_eq!(quoted(&heard), Some(1));
    }

    #[test]
    fn a_message_is_quoted_for_what_it_was_heard_for_though_no_sentence_of_it_be_enough() {
        let problem = crate::problem::spec().problem;
        let weights = Some(crate::parts::hearing::current());
        let listener = Listener::new(weights, &problem.interface, &problem.statement);
        let dimension = Dimension { id: "failure_modes".to_owned(), ..dimension(false) };
        let heard = [CoverageChange {
            dimension: dimension.id.clone(),
            from: Coverage::NotCovered,
            to: Coverage::PartiallyCovered,
            rule: CoverageRule::Weighed,
        }];
        let answer = "Using < in the place of <= at the edge, so a visit counts one minute too long. Also \
            badges that never come again keep their queue: a leak.";
        let other = "Fixed buckets with one counter are smaller but allow double the limit around a \
            border, which breaks rule 2, so no.";
        let first = Spoken { event: EventId(1), text: answer, outdated: false, coverage: &heard };
        let second = Spoken { event: EventId(2), text: other, outdated: false, coverage: &[] };
        let best = best(listener.as_ref(), &[first, second], &dimension, &[]);
        assert_eq!(best.map(|(event, _)| event), Some(EventId(1)));
    }

    #[test]
    fn what_only_asks_or_echoes_or_is_a_heap_of_words_is_not_quoted() {
        for text in [
            "What is the time of a call?",
            "How does the time of a call grow with it",
            "time time memory time memory",
            "I like trains.",
        ] {
            assert_eq!(quoted(&[(text, false)], false), None, "{text}");
        }
    }

    #[test]
    fn what_was_taken_back_or_overtaken_by_a_verdict_is_not_quoted() {
        let first = ("The time of a get is O(n) in the number of keys.", false);
        let second = "Actually, no: I was wrong, the time is O(1).";
        assert_eq!(quoted(&[first, (second, false)], false), Some((2, second)));
        // A correction of something else takes nothing back.
        let other = ("I was wrong about the name of the class.", false);
        assert_eq!(quoted(&[first, other], false), Some((1, first.0)));
        let told = ("All of it passed in no time.", true);
        assert_eq!(quoted(&[told], true), None);
        assert_eq!(quoted(&[told], false), Some((1, told.0)));
    }
}
