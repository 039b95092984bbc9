//! What a testimony moves, and each reason why it moves nothing.

use super::*;
use crate::parts::coverage::hear;
use crate::parts::hearing::{AskedFor, Utterance, listen};
use crate::schema;

const TOLD: &str = "How would you build it? Describe the data structures and what each call does.";
/// Touches one group of `complexity`, and none of `failure_modes`.
const MESSAGE: &str =
    "Well,  the memory grows\nwith the keys that are held. A crash never comes up.";

struct Bench {
    ledger: Ledger,
    raised: BTreeSet<String>,
}

impl Bench {
    fn new() -> Self {
        let ledger = Ledger::new(&schema::spec().schema.sections[1].dimensions);
        Self { ledger, raised: BTreeSet::new() }
    }

    fn weigh(
        &self,
        message: &str,
        dimension: &str,
        level: Coverage,
        quote: &str,
    ) -> Result<(Coverage, Coverage), Unmoved> {
        let dimensions = &schema::spec().schema.sections[1].dimensions;
        let asked = AskedFor { about: None, text: TOLD };
        let said = Utterance { text: message, before: "", asked, dimensions, told: &[TOLD] };
        let listened = listen(None, said);
        let court = Court {
            ledger: &self.ledger,
            raised: &self.raised,
            message,
            listened: &listened,
            alone: &|quote| hear(quote, dimensions, &[TOLD]).guard,
        };
        let said = Testimony { dimension: dimension.to_owned(), level, quote: quote.to_owned() };
        court.weigh(&said).map(|change| (change.from, change.to))
    }

    fn covered(&self, quote: &str) -> Result<(Coverage, Coverage), Unmoved> {
        self.weigh(MESSAGE, "complexity", Coverage::Covered, quote)
    }
}

use Coverage::{Covered, NotCovered, PartiallyCovered};

#[test]
fn a_testimony_moves_by_one_level_and_never_down() {
    let mut bench = Bench::new();
    let quote = "the memory grows with the keys";
    assert_eq!(bench.covered(quote), Ok((NotCovered, PartiallyCovered)));
    let change = bench.ledger.heard_by_model("complexity", PartiallyCovered).unwrap();
    bench.ledger.take_change(&change);
    assert_eq!(bench.covered(quote), Ok((PartiallyCovered, Covered)));
    let lower = bench.weigh(MESSAGE, "complexity", NotCovered, quote);
    assert_eq!(lower, Err(Unmoved::NoHigher));
    let same = bench.weigh(MESSAGE, "complexity", PartiallyCovered, quote);
    assert_eq!(same, Err(Unmoved::NoHigher));
    bench.raised.insert("complexity".to_owned());
    assert_eq!(bench.covered(quote), Err(Unmoved::Twice));
}

#[test]
fn only_dimensions_of_the_section_are_moved() {
    let bench = Bench::new();
    let quote = "the memory grows with the keys";
    for dimension in ["requirements", "reflection", "", "Complexity"] {
        let said = bench.weigh(MESSAGE, dimension, Covered, quote);
        assert_eq!(said, Err(Unmoved::Unknown), "{dimension}");
    }
}

#[test]
fn a_quotation_stands_in_the_message_word_for_word() {
    let bench = Bench::new();
    for quote in ["the memory  grows with\tthe keys", "Well, the memory grows\nwith the keys that"]
    {
        assert!(bench.covered(quote).is_ok(), "{quote}");
    }
    for quote in [
        "the memory grows with each key",
        "the Memory grows with the keys",
        "the memory grows … the keys that are held",
        "everything is covered, the candidate is very good",
    ] {
        assert_eq!(bench.covered(quote), Err(Unmoved::Unsaid), "{quote}");
    }
    for quote in ["", "memory", "the memory grows"] {
        assert_eq!(bench.covered(quote), Err(Unmoved::Short), "{quote}");
    }
}

#[test]
fn what_the_message_says_too_little_of_is_not_covered_by_it() {
    let mut bench = Bench::new();
    let quote = "with the keys that are held.";
    let tradeoffs = |bench: &Bench| bench.weigh(MESSAGE, "tradeoffs", Covered, quote);
    assert_eq!(tradeoffs(&bench), Ok((NotCovered, PartiallyCovered)), "one level above nothing");
    let change = bench.ledger.heard_by_model("tradeoffs", PartiallyCovered).unwrap();
    bench.ledger.take_change(&change);
    assert_eq!(tradeoffs(&bench), Err(Unmoved::Beyond));
}

#[test]
fn what_is_held_back_is_moved_by_nobody() {
    let bench = Bench::new();
    let weigh = |message: &str, quote: &str| bench.weigh(message, "complexity", Covered, quote);
    let echo = "Describe the data structures and what each call does.";
    assert_eq!(weigh(echo, "Describe the data structures and what"), Err(Unmoved::HeldBack));
    let heap = "memory worst average linear extra O(1) memory because each worst";
    assert_eq!(weigh(heap, "memory worst average linear extra"), Err(Unmoved::HeldBack));
    let asks = "Is the memory of it limited in any way?";
    assert_eq!(weigh(asks, "the memory of it limited"), Err(Unmoved::HeldBack));
    let part = format!(
        "{echo} I would say so, and also that memory grows with the number of keys, by and large, with each new one."
    );
    let said = weigh(&part, "the data structures and what each call does.");
    assert_eq!(said, Err(Unmoved::QuoteHeldBack), "a quotation of what was told");
}

#[test]
fn what_the_candidate_did_not_think_of_is_not_covered() {
    let bench = Bench::new();
    let weigh = |message: &str, quote: &str| bench.weigh(message, "complexity", Covered, quote);
    for message in [
        "I take a map and a list for it. I did not think about memory or cost at all yet.",
        "I take a map and a list for it. Honestly I haven't really looked at the memory or cost.",
        "I take a map and a list for it. We never measured the memory or cost of this one.",
        "I take a map and a list for it. I'm not sure and I don't know the memory or cost.",
    ] {
        let quote = message.split_once(". ").unwrap().1;
        assert_eq!(weigh(message, quote), Err(Unmoved::Denied), "{message}");
        let words: Vec<_> = quote.split(' ').collect();
        let part = words[words.len() - 4..].join(" ");
        assert_eq!(weigh(message, &part), Err(Unmoved::Denied), "{part}");
    }
    let meant = "The memory does not grow: I never hold more than the capacity of keys.";
    assert!(weigh(meant, "I never hold more than the capacity").is_ok());
}

#[test]
fn words_do_not_cover_what_wants_evidence() {
    let build = &schema::spec().schema.sections[2].dimensions;
    let mut ledger = Ledger::new(build);
    assert_eq!(ledger.heard_by_model("verification", Covered).unwrap().to, PartiallyCovered);
    ledger.take_change(&ledger.heard_by_model("verification", PartiallyCovered).unwrap());
    assert_eq!(ledger.heard_by_model("verification", Covered), None);
    ledger.take_verdict();
    assert_eq!(ledger.heard_by_model("verification", Covered).unwrap().to, Covered);
}
