//! Answers as people wrote them, and what the standard schema hears in them.

use vosim_engine::parts::coverage::Ledger;
use vosim_engine::parts::hearing::{AskedFor, Listener, Utterance, current, listen};
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

/// No answers, though they are full of signals.
const BAD: [(&str, &str); 17] = [
    ("approach", "First I go to the store, then I always buy 3 apples."),
    ("requirements", "Lorem ipsum return update call insert dolor sit amet because it is empty."),
    ("failure_modes", "My last job was a single point of failure because I was absent."),
    ("tradeoffs", "I prefer tea instead of coffee, because the cost is 3 euros."),
    ("correctness", "It never fails because I wrote the line."),
    ("reflection", "asdf asdf asdf asdf practice asdf 5 asdf slow asdf"),
    ("correctness", "line one\nline two"),
    ("correctness", "Before and after lunch I ordered 2 coffees."),
    ("debugging", "That is log n per call."),
    ("requirements", "I get it, so that is fine, 100 percent."),
    ("requirements", "I read a book and write 2 letters, because I like it."),
    ("constraints", "I only want to say 3 things because I have time for the interview."),
    ("constraints", "An int is only 4 bytes I think."),
    ("metrics", "I had a good time on the fast train at 5."),
    ("failure_modes", "I forgot my keys at home because it was 8 already."),
    ("tradeoffs", "That is the simplest question of the 4 so far."),
    ("reflection", "Thanks, that was all because it is 5 o'clock."),
];

/// The effect of one message on a dimension of the standard schema, as an answer to its section's prompt.
fn level(dimension: &str, text: &str) -> (Coverage, Option<Guard>) {
    let package = package();
    let schema = fill(standard(), &package.problem, &package.coaching.fill);
    let mut sections = schema.sections.iter();
    let section = sections.find(|s| s.dimensions.iter().any(|d| d.id == dimension)).unwrap();
    let listener =
        Listener::new(Some(current()), &package.problem.interface, &package.problem.statement);
    let said = Utterance {
        text,
        before: "",
        asked: AskedFor { about: None, text: &section.prompt },
        dimensions: &section.dimensions,
        told: &[&section.prompt],
    };
    let heard = listen(listener.as_ref(), said).heard;
    let mut ledger = Ledger::new(&section.dimensions);
    for change in ledger.changes(&heard) {
        ledger.take_change(&change);
    }
    (ledger.level(dimension), heard.guard)
}

#[test]
fn most_good_answers_are_heard_and_nothing_holds_one_back() {
    let levels: Vec<_> = GOOD.iter().map(|(dimension, text)| level(dimension, text)).collect();
    assert!(levels.iter().all(|(_, guard)| guard.is_none()), "{levels:?}");
    let heard = levels.iter().filter(|(level, _)| *level > Coverage::NotCovered).count();
    assert!(heard * 3 >= GOOD.len() * 2, "{heard}");
}

#[test]
fn what_is_full_of_signals_and_no_answer_hardly_ever_covers() {
    let covering =
        BAD.iter().filter(|(dimension, text)| level(dimension, text).0 == Coverage::Covered);
    assert!(covering.count() <= 1);
}
