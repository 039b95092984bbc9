//! What guides through the shipped problems. The measure of what a text is about is held to the bank itself:
//! what a package calls good answers, with one run of its calls, is about its own problem and about no other.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use vosim_engine::kinds::attempt::ABOUT_PERCENT;
use vosim_engine::parts::topic::{Topic, stems};

use vosim_protocol::v1::guide::Fit;

use super::package;
use crate::content::{Package, catalog, catalogue};

/// The answers that an explanation is made of.
const ANSWERS: [&str; 3] = ["requirements", "constraints", "tradeoffs"];
/// A word of so many of the shipped statements is one that most problems share.
const SHARED: usize = 8;

fn explanation(package: &Package) -> String {
    let samples = package.coaching.discussion.samples.iter();
    let answers = samples.filter(|sample| ANSWERS.contains(&sample.dimension.as_str()));
    let answers = answers.map(|sample| sample.text.as_str());
    let suite = package.suite();
    let run = suite.cases[0].ops.iter().map(|op| op.call.as_str());
    answers.chain(run).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_good_answers_of_a_package_are_about_its_problem_and_no_other() {
    let packages: Vec<_> = catalog().list().collect();
    let topics: Vec<_> = packages.iter().map(|package| Topic::of(&package.problem)).collect();
    let (mut table, mut misses) = (String::new(), Vec::new());
    for (at, package) in packages.iter().enumerate() {
        let said = explanation(package);
        write!(table, "{:>15}", package.problem.id.as_str()).unwrap();
        for (of, topic) in topics.iter().enumerate() {
            let about = topic.heard_in(&said);
            let mark = if about.reaches(ABOUT_PERCENT) { '*' } else { ' ' };
            write!(table, "{:>4}{mark}", about.percent).unwrap();
            if (mark == '*') != (of == at) {
                misses.push((at, of, about));
            }
        }
        table.push('\n');
    }
    assert!(misses.is_empty(), "{misses:?}\n{table}");
}

#[test]
fn words_that_most_problems_share_are_listed() {
    let packages: Vec<_> = catalog().list().collect();
    let of = |package: &&std::sync::Arc<Package>| -> BTreeSet<String> {
        stems(&package.problem.statement).collect()
    };
    let said: Vec<_> = packages.iter().map(of).collect();
    let all: BTreeSet<_> = said.iter().flatten().collect();
    let shared = all
        .into_iter()
        .filter(|word| said.iter().filter(|words| words.contains(*word)).count() >= SHARED);
    let shared: Vec<_> = shared.collect();
    assert!(shared.is_empty(), "add them to [shared] of topic.txt: {shared:?}");
}

#[test]
fn the_right_choice_has_no_place_of_its_own() {
    for package in catalog().list() {
        let gaps = package.coaching.invariants.iter().flat_map(|template| &template.gaps);
        let places: BTreeSet<_> = gaps.map(|gap| gap.right).collect();
        let answers: BTreeSet<_> =
            package.coaching.discovery.iter().map(|step| step.answer).collect();
        let id = &package.problem.id;
        assert!(places.len() > 1 && answers.len() > 1, "{id}: {places:?} {answers:?}");
    }
}

#[test]
fn a_package_that_rates_no_pattern_leaves_the_whole_catalogue() {
    let mut package = package();
    assert!(package.guide().patterns.len() < catalogue().len());
    package.coaching.patterns.clear();
    let guide = package.guide();
    assert_eq!(guide.patterns.len(), catalogue().len());
    assert_eq!(guide.cards, catalogue());
    assert!(guide.patterns.iter().all(|pattern| pattern.fit == Fit::Maybe));
    assert!(guide.patterns.iter().all(|pattern| pattern.rationale.contains("does not rate it")));
}
