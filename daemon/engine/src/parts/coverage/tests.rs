//! Laws of the ledger and the guards; the sample answers are in `samples.rs`.

mod samples;

use proptest::prelude::*;

use super::*;

/// The ten dimensions of the standard schema with their groups, `/` between stems, `|` between
/// groups.
const GROUPS: [(&str, &str); 10] = [
    (
        "requirements",
        "input/output/return/argument|operation/method/update/call|clarif/assum/what if/what happens/should it|example/for instance/walk through",
    ),
    (
        "constraints",
        "up to/at most/million/capacity/large|memory/mb/time limit/disk|range/negative/integer/empty/null/unique/sorted|thread/concurren/parallel/lock",
    ),
    (
        "metrics",
        "latency/per call/per operation/millisecond|o(/constant time/linear/amorti/complexity|hit rate/throughput/correctness/error rate|more important/priorit/goal/good enough",
    ),
    (
        "approach",
        "hash/map/list/heap/tree/stack/queue/array/graph|two pointer/sliding/binary search/recurs/greedy/sort/linked|first/then/finally/when|invariant/always/never/keeps",
    ),
    (
        "complexity",
        "o(/linear/quadratic/amorti|space/memory/extra|worst/average/best case|because/since/each/only once",
    ),
    (
        "tradeoffs",
        "alternative/instead/brute force/naive|faster/slower/simpler/versus/rather than/but|i choose/would pick/prefer/go with|memory/readab/overhead",
    ),
    (
        "failure_modes",
        "empty/zero/single/duplicate/boundary/overflow/last|invalid/negative/null/missing/wrong type|crash/exception/infinite loop/race/leak|guard/check/handle/reject/validate",
    ),
    (
        "correctness",
        "invariant/always/before and after|trace/at this point/value of|because/so that/therefore|line/function/loop/branch/node",
    ),
    (
        "verification",
        "test/assert/case/run|empty/zero/single/boundary/capacity|expect/should return/got|pass/fail/fixed",
    ),
    (
        "reflection",
        "improve/would change/next time/refactor|mistake/missed/bug/stuck/forgot|pattern/similar/in general/lesson|practice/extend/measure/would add",
    ),
];

const SECTIONS: [&[&str]; 4] = [
    &["requirements", "constraints", "metrics"],
    &["approach", "complexity", "failure_modes", "tradeoffs"],
    &["verification", "correctness"],
    &["reflection"],
];

pub(crate) const TOLD: &str = "A lookup service keeps recent answers in memory. Build a cache with a \
    fixed capacity that drops its least recently used key. get(key) returns the value stored under \
    key, or -1 if the key is not in the cache. put(key, value) stores value under key.";
pub(crate) const QUESTION: &str =
    "What is the cost of put in the worst case, and which step dominates it?";

pub(crate) fn dimension(id: &str) -> Dimension {
    let groups = GROUPS.iter().find(|(name, _)| *name == id).map_or("", |(_, groups)| groups);
    Dimension {
        id: id.to_owned(),
        title: id.to_owned(),
        required: true,
        signals: groups.split('|').map(|g| g.split('/').map(str::to_owned).collect()).collect(),
        evidence: (id == "verification").then_some(Evidence::TestsAndVerdict),
        questions: Vec::new(),
    }
}

/// The dimensions of the section that holds one.
pub(crate) fn section_of(id: &str) -> Vec<Dimension> {
    let ids = SECTIONS.iter().find(|ids| ids.contains(&id)).copied().unwrap_or_default();
    ids.iter().map(|id| dimension(id)).collect()
}

/// One message, heard and folded.
fn say(ledger: &mut Ledger, dimensions: &[Dimension], text: &str) -> Vec<CoverageChange> {
    let heard = hear(text, dimensions, &[TOLD, QUESTION]);
    let changes = ledger.changes(&heard);
    ledger.take_message(&heard.signals, heard.specific, counts(heard.guard), &changes);
    changes
}

#[test]
fn three_groups_over_the_section_cover_with_a_specific_in_one_of_them() {
    let design = section_of("approach");
    let mut ledger = Ledger::new(&design);
    assert_eq!(say(&mut ledger, &design, "some kind of tree here")[0].rule, CoverageRule::OneGroup);
    assert_eq!(say(&mut ledger, &design, "I guess that greedy does it"), []);
    assert_eq!(ledger.level("approach"), Coverage::PartiallyCovered);
    assert_eq!(say(&mut ledger, &design, "nothing of this has to do with 17 apples"), []);
    let last = say(&mut ledger, &design, "it never goes beyond `low`");
    assert_eq!(last[0].rule, CoverageRule::ThreeGroupsOverTheSection);
    assert_eq!((last[0].from, last[0].to), (Coverage::PartiallyCovered, Coverage::Covered));
    assert_eq!(ledger.level("approach"), Coverage::Covered);

    let mut vague = Ledger::new(&design);
    for text in ["some kind of tree here", "greedy might do it here", "it never goes beyond that"] {
        say(&mut vague, &design, text);
    }
    assert_eq!(vague.level("approach"), Coverage::PartiallyCovered, "no specific");
}

#[test]
fn stuffed_messages_never_add_up() {
    let design = section_of("approach");
    let mut ledger = Ledger::new(&design);
    for text in
        ["hash map list", "sort then 1", "always o(1) because extra worst", "invariant keeps"]
    {
        say(&mut ledger, &design, text);
    }
    assert!(ledger.map().values().all(|level| *level < Coverage::Covered), "{:?}", ledger.map());
    assert_eq!(ledger.level("approach"), Coverage::PartiallyCovered);
}

#[test]
fn who_only_asks_has_covered_partly_at_most() {
    let frame = section_of("constraints");
    let mut ledger = Ledger::new(&frame);
    let asked =
        "What is the largest capacity, may keys be negative or null? (And how many threads?)";
    let changes = say(&mut ledger, &frame, asked);
    assert!(changes.iter().all(|change| change.to == Coverage::PartiallyCovered), "{changes:?}");
    assert_eq!(hear(asked, &frame, &[]).guard, Some(Guard::Question));
    say(&mut ledger, &frame, "And is 10 the most that memory holds?");
    assert_eq!(ledger.level("constraints"), Coverage::PartiallyCovered, "questions never add up");
    let stated =
        "So I take it that keys are never negative, and at most 3000 of them are kept. Right?";
    say(&mut ledger, &frame, stated);
    assert_eq!(ledger.level("constraints"), Coverage::Covered);
}

#[test]
fn another_verdict_has_to_be_told_again() {
    let mut ledger = Ledger::new(&section_of("verification"));
    ledger.take_verdict_told(ledger.verdict_told().as_ref());
    ledger.take_verdict();
    assert_eq!(ledger.tests_run(), None, "it is partly covered by what was told before");
    ledger.take_tests_run(None);
    let told = ledger.verdict_told();
    assert_eq!(told.map(|told| told.rule), Some(CoverageRule::TestsAndVerdict));
}

#[test]
fn evidence_beats_words_in_either_order() {
    let build = section_of("verification");
    let telling = "My test of the empty cache passes, I expected and got -1 from `get`";
    let mut ledger = Ledger::new(&build);
    say(&mut ledger, &build, telling);
    assert_eq!(ledger.level("verification"), Coverage::PartiallyCovered, "words alone");
    assert_eq!(ledger.tests_run(), None, "it is partly covered already");
    ledger.take_tests_run(None);
    let told = ledger.verdict_told();
    assert_eq!(told.as_ref().map(|told| told.rule), Some(CoverageRule::TestsAndVerdict));
    ledger.take_verdict_told(told.as_ref());
    assert_eq!(ledger.level("verification"), Coverage::Covered);

    let mut ledger = Ledger::new(&build);
    let told = ledger.verdict_told();
    assert_eq!(told.as_ref().map(|told| told.rule), Some(CoverageRule::TestsOrVerdict));
    ledger.take_verdict_told(told.as_ref());
    let run = ledger.tests_run();
    assert_eq!(run.as_ref().map(|run| run.to), Some(Coverage::Covered));
    ledger.take_tests_run(run.as_ref());
    assert_eq!(ledger.level("verification"), Coverage::Covered);
    assert_eq!((ledger.tests_run(), ledger.verdict_told()), (None, None), "it never falls");
    assert_eq!(Ledger::new(&section_of("approach")).tests_run(), None);
}

#[test]
fn a_clarifying_question_covers_partly_once() {
    let mut ledger = Ledger::new(&section_of("constraints"));
    let touched = ledger.touched("constraints");
    assert_eq!(touched.as_ref().map(|change| change.rule), Some(CoverageRule::ClarificationAsked));
    touched.iter().for_each(|change| ledger.take_change(change));
    assert_eq!(ledger.level("constraints"), Coverage::PartiallyCovered);
    assert_eq!((ledger.touched("constraints"), ledger.touched("approach")), (None, None));
}

#[test]
fn a_section_is_satisfied_when_all_that_is_required_is_covered() {
    let cover = |dimension: &str| CoverageChange {
        dimension: dimension.to_owned(),
        from: Coverage::NotCovered,
        to: Coverage::Covered,
        rule: CoverageRule::TwoGroupsInOneMessage,
    };
    let mut dimensions = section_of("requirements");
    dimensions[2].required = false;
    let mut ledger = Ledger::new(&dimensions);
    ledger.take_change(&cover("requirements"));
    assert!(!ledger.satisfied());
    ledger.take_change(&cover("constraints"));
    assert!(ledger.satisfied());
    assert!(!Ledger::new(&[]).satisfied(), "what requires nothing is not over at once");
}

#[test]
fn a_message_of_the_largest_size_is_heard_as_one_of_a_few_words() {
    let design = section_of("approach");
    let unit = "the map finds `node` and then o(1) holds because of 3 links; ";
    let long: String = unit.repeat(32 * 1024 / unit.len());
    let heard = hear(&long, &design, &[&long[..long.len() / 2].to_uppercase(), TOLD]);
    assert_eq!(heard.guard, Some(Guard::Echo));
    let heard = hear(&long, &design, &[TOLD]);
    assert_eq!(heard.signals, hear(unit, &design, &[TOLD]).signals);
    for part in ["`", "\"x", "o(", "'", "\u{1b}[", "pass ", "f("] {
        let heard = hear(&part.repeat(32 * 1024 / part.len()), &design, &[TOLD]);
        assert_eq!(heard.signals, Signals::new(), "{part:?}");
    }
}

proptest! {
    #[test]
    fn coverage_never_falls_and_every_change_is_a_rise(texts in prop::collection::vec(TEXT, 0..8)) {
        let design = section_of("approach");
        let mut ledger = Ledger::new(&design);
        for text in texts {
            let before = ledger.map();
            for change in say(&mut ledger, &design, &text) {
                prop_assert_eq!(before[&change.dimension], change.from);
                prop_assert_eq!(ledger.level(&change.dimension), change.to);
                prop_assert!(change.from < change.to);
            }
            for (dimension, level) in ledger.map() {
                prop_assert!(before[&dimension] <= level);
            }
        }
    }

    #[test]
    fn a_message_that_was_told_counts_for_nothing(text in TEXT) {
        let heard = hear(&text, &section_of("approach"), &[&text]);
        let held = matches!(heard.guard, Some(Guard::Echo | Guard::Declined));
        prop_assert_eq!(held, heard.word_count >= 3 || heard.guard == Some(Guard::Declined));
        prop_assert!(!held || heard.signals.is_empty() && !heard.specific);
    }

    #[test]
    fn case_and_blanks_do_not_matter(text in TEXT) {
        let design = section_of("approach");
        let other = text.to_uppercase().replace(' ', "  ");
        prop_assert_eq!(hear(&text, &design, &[]).signals, hear(&other, &design, &[]).signals);
    }
}

const TEXT: &str = "((map|tree|then|always|O\\(n\\)|because|empty|check|instead|but|I don't know|7|the|of|it|node|zebra)[ ,.]){0,14}";
