//! Answers as people wrote them, and what the standard schema hears in them.

use vosim_engine::parts::coverage::{Ledger, hear};
use vosim_protocol::v1::coverage::{Coverage, Guard};

use super::*;

/// Good answers: each is at least partly about its dimension.
const GOOD: [(&str, &str); 16] = [
    (
        "requirements",
        "When I write a key that is already present, I just overwrite the old number and mark the key as freshest.",
    ),
    ("requirements", "LRUCache(1), put(1,10) -> nothing, put(2,20) -> nothing, get(1) -> -1"),
    (
        "requirements",
        "A get refreshes the key, and a put saves its value, replacing the one of before.",
    ),
    ("constraints", "Only one caller uses it, and all keys and values are ints."),
    (
        "constraints",
        "With two threads I would put a mutex around each call, which means one of them waits.",
    ),
    (
        "metrics",
        "It should be fast: I would time 100,000 calls and compare the figures with a plain dictionary.",
    ),
    ("metrics", "Speed matters to me here, and after it that the code is simple to read."),
    ("complexity", "Roughly 200 bytes per entry, so 10,000 entries are about 2 MB."),
    (
        "failure_modes",
        "If put stopped after deleting from the dict but before unlinking the node, the two would disagree about the length.",
    ),
    (
        "failure_modes",
        "I might have forgotten to take it out of the dictionary, then its length is above the capacity.",
    ),
    ("tradeoffs", "The simplest way is a list that I search from one end; it's O(n) per call."),
    ("tradeoffs", "A heap of timestamps gives log n per call, so no."),
    ("tradeoffs", "It is more code than the list, and I trade memory for speed."),
    (
        "correctness",
        "popitem(last=False) removes the front, and each read moves a key to the back, hence the front is the one not used for longest.",
    ),
    (
        "correctness",
        "Just before the call the tail is the oldest node, and after it the one in front of it is.",
    ),
    ("debugging", "I logged every call and compared the lines with what I had on paper."),
];

/// No answers, with the level they reach all the same: words are counted, not understood. The ones
/// that cover are here so that nobody believes otherwise, and so that no stem adds another.
const BAD: [(&str, Coverage, &str); 17] = [
    ("approach", Coverage::Covered, "First I go to the store, then I always buy 3 apples."),
    (
        "requirements",
        Coverage::Covered,
        "Lorem ipsum return update call insert dolor sit amet because it is empty.",
    ),
    (
        "failure_modes",
        Coverage::Covered,
        "My last job was a single point of failure because I was absent.",
    ),
    (
        "tradeoffs",
        Coverage::Covered,
        "I prefer tea instead of coffee, because the cost is 3 euros.",
    ),
    ("correctness", Coverage::Covered, "It never fails because I wrote the line."),
    ("reflection", Coverage::Covered, "asdf asdf asdf asdf practice asdf 5 asdf slow asdf"),
    ("correctness", Coverage::NotCovered, "line one\nline two"),
    ("correctness", Coverage::PartiallyCovered, "Before and after lunch I ordered 2 coffees."),
    ("debugging", Coverage::NotCovered, "That is log n per call."),
    ("requirements", Coverage::NotCovered, "I get it, so that is fine, 100 percent."),
    (
        "requirements",
        Coverage::PartiallyCovered,
        "I read a book and write 2 letters, because I like it.",
    ),
    (
        "constraints",
        Coverage::NotCovered,
        "I only want to say 3 things because I have time for the interview.",
    ),
    ("constraints", Coverage::NotCovered, "An int is only 4 bytes I think."),
    ("metrics", Coverage::PartiallyCovered, "I had a good time on the fast train at 5."),
    (
        "failure_modes",
        Coverage::PartiallyCovered,
        "I forgot my keys at home because it was 8 already.",
    ),
    ("tradeoffs", Coverage::PartiallyCovered, "That is the simplest question of the 4 so far."),
    ("reflection", Coverage::NotCovered, "Thanks, that was all because it is 5 o'clock."),
];

/// The effect of one message on a dimension of the standard schema.
fn level(dimension: &str, text: &str) -> (Coverage, Option<Guard>) {
    let mut sections = standard().sections.iter();
    let section = sections.find(|s| s.dimensions.iter().any(|d| d.id == dimension)).unwrap();
    let mut ledger = Ledger::new(&section.dimensions);
    let heard = hear(text, &section.dimensions, &[&section.prompt]);
    for change in ledger.changes(&heard) {
        ledger.take_change(&change);
    }
    (ledger.level(dimension), heard.guard)
}

#[test]
fn a_good_answer_is_heard_at_least_partly_and_nothing_holds_it_back() {
    let missed = GOOD.into_iter().filter(|(dimension, text)| {
        let (level, guard) = level(dimension, text);
        level == Coverage::NotCovered || guard.is_some()
    });
    assert_eq!(missed.collect::<Vec<_>>(), []);
}

#[test]
fn what_is_no_answer_reaches_no_more_than_is_known() {
    for (dimension, known, text) in BAD {
        assert_eq!(level(dimension, text).0, known, "{dimension}: {text}");
    }
}
