//! Whether somebody's words name what went wrong: they are compared with what the problem itself says of
//! each slip.
//!
//! A word speaks for an issue that has it in its texts: the more, the fewer issues have it, and twice where
//! the feedback has it, which names the slip in a sentence. Words that many issues have, or that say nothing
//! about any program, speak for none. Nothing here understands a sentence: who says the opposite of what is
//! wrong in the words of what is wrong is heard as well.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use vosim_protocol::v1::coverage::Guard;
use vosim_protocol::v1::problem::{Issue, Problem};

use crate::parts::coverage::hear;
use crate::parts::lists::list;
use crate::parts::text::words;

/// Words are compared by so many of their letters.
const STEM: usize = 5;
/// Fewest letters of a word that counts.
const SHORTEST: usize = 3;
/// Fewest points that name a slip: what a word of the feedback is worth that some issues have.
const FEWEST: u32 = 8;
const LISTS: &str = include_str!("naming.txt");
static SAYS_LITTLE: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| list(LISTS, "says_little").into_iter().collect());

/// What somebody's words name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// Nothing that the problem is about.
    Nothing,
    /// Something else than the slip, or the slip so that it is not heard.
    Other,
    /// The slip.
    Cause,
}

/// What a text names of a problem, and whether that is the slip that was made, if it is known.
pub fn named(text: &str, problem: &Problem, cause: Option<&Issue>) -> Named {
    let said = stems(text);
    let issues: Vec<_> = problem.issues.iter().map(IssueWords::of).collect();
    let known = stems(&problem.statement);
    let about =
        said.iter().any(|stem| known.contains(stem) || issues.iter().any(|it| it.has(stem)));
    if !about || hear(text, &[], &[]).guard == Some(Guard::Declined) {
        return Named::Nothing;
    }
    let mut having = BTreeMap::<&str, u32>::new();
    for stem in issues.iter().flat_map(|it| &it.all) {
        *having.entry(stem).or_default() += 1;
    }
    let number = u32::try_from(issues.len()).unwrap_or(u32::MAX);
    let points = |told: &IssueWords<'_>| -> u32 {
        let of = |stem: &String| {
            let worth = worth(number, having.get(stem.as_str()).copied().unwrap_or(1));
            if told.feedback.contains(stem) { 2 * worth } else { worth }
        };
        said.iter().filter(|stem| told.has(stem)).map(of).sum()
    };
    let best = issues.iter().map(points).max().unwrap_or(0);
    let cause = cause.and_then(|cause| issues.iter().find(|it| it.id == cause.id)).map(points);
    match cause {
        // Slips that are like each other share words, so another may be a little ahead.
        Some(points) if points >= FEWEST && points * 2 >= best => Named::Cause,
        Some(_) | None => Named::Other,
    }
}

/// What a word is worth that so many of the issues have: twice the logarithm of their share, and nothing
/// for one that half of them have.
fn worth(issues: u32, having: u32) -> u32 {
    let share = issues / having.max(1);
    if share < 2 { 0 } else { (issues * issues / (having * having)).ilog2() }
}

/// The words with which an issue is told.
struct IssueWords<'a> {
    id: &'a str,
    feedback: BTreeSet<String>,
    all: BTreeSet<String>,
}

impl<'a> IssueWords<'a> {
    fn of(issue: &'a Issue) -> Self {
        let feedback = stems(&issue.feedback);
        // The third hint lays out the whole solution, in much the same words for every slip.
        let hints = issue.hints.iter().take(2).flat_map(|hint| stems(hint));
        let all = feedback.iter().cloned().chain(hints).collect();
        Self { id: &issue.id, feedback, all }
    }

    fn has(&self, stem: &str) -> bool {
        self.all.contains(stem)
    }
}

/// The words of a text that say something, by their beginnings.
fn stems(text: &str) -> BTreeSet<String> {
    let says =
        |word: &String| word.chars().count() >= SHORTEST && !SAYS_LITTLE.contains(word.as_str());
    words(text).iter().filter(|word| says(word)).map(|word| stem(word)).collect()
}

fn stem(word: &str) -> String {
    let plural = word.len() > SHORTEST && word.ends_with('s') && !word.ends_with("ss");
    let word = if plural { &word[..word.len() - 1] } else { word };
    word.chars().take(STEM).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem;

    /// A desk that lends, with slips that are like each other.
    fn desk() -> Problem {
        let issue = |id: &str, feedback: &str, hint: &str| {
            let hints = [hint.to_owned(), String::new(), String::new()];
            Issue { id: id.into(), when: Default::default(), feedback: feedback.into(), hints }
        };
        let mut problem = problem::spec().problem;
        problem.statement = "A desk lends tools, each to one person, up to a limit.".to_owned();
        problem.issues = vec![
            issue(
                "limit",
                "A person gets more tools than the desk allows.",
                "Compare at the limit.",
            ),
            issue("lent", "A tool that is out is lent a second time.", "Who has it?"),
            issue("shared", "Two desks share their tables.", "Where are they made?"),
            issue("refusal", "A refused loan still changes the count.", "What comes first?"),
            issue("slow", "It reads the whole diary at each call.", "Which loop grows?"),
            issue("general", "No slip of a known kind shows.", "Follow a test on paper."),
        ];
        problem
    }

    fn heard(text: &str, cause: &str) -> Named {
        let problem = desk();
        named(text, &problem, problem.issues.iter().find(|issue| issue.id == cause))
    }

    #[test]
    fn words_that_a_slip_is_told_with_name_it_and_no_other() {
        for (text, cause) in [
            ("I compare so that a person may have more than the limit allows.", "limit"),
            ("The same tool is lent twice.", "lent"),
            ("All desks share one table.", "shared"),
            ("The count is changed before the loan is refused.", "refusal"),
        ] {
            for issue in desk().issues {
                let expected = if issue.id == cause { Named::Cause } else { Named::Other };
                assert_eq!(heard(text, &issue.id), expected, "{text:?} as {}", issue.id);
            }
        }
    }

    #[test]
    fn what_is_about_nothing_says_nothing() {
        for text in [
            "asdf",
            "the cat did it",
            "I do not know.",
            "no idea",
            "It is wrong because of a bug.",
            "my code fails the test",
            "test_limit_of_one",
            "...",
        ] {
            assert_eq!(heard(text, "limit"), Named::Nothing, "{text:?}");
        }
        assert_eq!(heard("The tool.", "limit"), Named::Other);
    }

    #[test]
    fn where_no_slip_is_known_none_is_named() {
        assert_eq!(named("Two desks share a table.", &desk(), None), Named::Other);
        assert_eq!(named("asdf", &desk(), None), Named::Nothing);
    }
}
