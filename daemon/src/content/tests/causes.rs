//! Claims about how well an explanation of a failure is heard, over graded sentences: `tests/hearing/causes`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use vosim_engine::parts::naming::{Named, Slips};
use vosim_protocol::v1::problem::{Issue, IssueMatch, Problem};

use crate::content::{Package, catalog};

/// What a sentence says that names no slip.
const NOTHING: &str = "nothing";

/// A sentence of somebody whose program failed.
#[derive(Debug, Deserialize)]
struct Explained {
    problem: String,
    /// The issue that the verdict was put down to.
    cause: String,
    /// The issue that the sentence names, or [`NOTHING`].
    says: String,
    text: String,
}

#[derive(Debug, Default)]
struct Heard {
    /// Sentences that name the cause, those of them that are told so, and those that may mean it.
    right: usize,
    named: usize,
    near: usize,
    /// Sentences that name another issue or none, and those of them that are told that they name the cause.
    wrong: usize,
    confirmed: usize,
    /// Every right sentence with every other issue of its problem for the cause.
    pairs: usize,
    mistaken: usize,
    misses: String,
}

fn explained(file: &str) -> Vec<Explained> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/hearing/causes");
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn issue<'a>(problem: &'a Problem, id: &str) -> &'a Issue {
    let found = problem.issues.iter().find(|issue| issue.id == id);
    found.unwrap_or_else(|| panic!("{} has no issue {id}", problem.id))
}

fn hear(sentences: &[Explained]) -> Heard {
    let mut heard = Heard::default();
    let of = |package: &'static Arc<Package>| {
        let problem = &package.problem;
        (problem.id.as_str().replace('_', ""), (problem, Slips::of(problem)))
    };
    let slips: BTreeMap<_, _> = catalog().list().map(of).collect();
    for said in sentences {
        let (problem, slips) = &slips[&said.problem];
        let named = |id: &str| slips.named(&said.text, Some(issue(problem, id)));
        let found = named(&said.cause);
        let is_right = said.says == said.cause;
        if said.says != NOTHING {
            issue(problem, &said.says);
        }
        if is_right == (found != Named::Cause) {
            heard.misses.push_str(&format!("{found:?} {said:?}\n"));
        }
        if !is_right {
            heard.wrong += 1;
            heard.confirmed += usize::from(found == Named::Cause);
            continue;
        }
        heard.right += 1;
        heard.named += usize::from(found == Named::Cause);
        heard.near += usize::from(found == Named::Near);
        for other in &problem.issues {
            if other.id != said.cause && other.when != IssueMatch::default() {
                heard.pairs += 1;
                heard.mistaken += usize::from(named(&other.id) == Named::Cause);
            }
        }
    }
    heard
}

fn check(file: &str, named: usize, confirmed: usize) {
    let heard = hear(&explained(file));
    println!("{file} {heard:?}\n{}", heard.misses);
    assert!(heard.right >= 120 && heard.wrong >= 50, "{heard:?}");
    assert!(heard.named * 100 >= heard.right * named, "{heard:?}\n{}", heard.misses);
    assert!((heard.named + heard.near) * 100 >= heard.right * 88, "{heard:?}\n{}", heard.misses);
    assert!(heard.confirmed * 100 <= heard.wrong * confirmed, "{heard:?}\n{}", heard.misses);
    assert!(heard.mistaken * 100 <= heard.pairs * 2, "{heard:?}");
}

#[test]
fn most_explanations_that_name_the_cause_are_heard_and_hardly_one_that_does_not() {
    check("one.jsonl", 85, 4);
}

#[test]
fn nearly_the_same_is_true_of_a_second_set_of_sentences() {
    check("two.jsonl", 80, 6);
}

#[test]
fn every_issue_of_the_bank_that_is_a_cause_has_ways_of_telling_it_and_no_two_have_the_same() {
    for package in catalog().list() {
        let mut ways = BTreeMap::new();
        for issue in package.problem.issues.iter().filter(|it| it.when != IssueMatch::default()) {
            let id = format!("{} of {}", issue.id, package.problem.id);
            assert!(issue.ways.len() >= 3, "{id} has {} ways", issue.ways.len());
            for way in &issue.ways {
                let other = ways.insert(way.to_lowercase(), &issue.id);
                assert_eq!(other, None, "{id}: {way}");
            }
        }
    }
}
