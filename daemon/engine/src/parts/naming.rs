//! Whether somebody's words name what went wrong: they are compared with what the problem itself says of
//! each slip.
//!
//! A word speaks for an issue that has it in its texts, or one that programmers use for the same: the more,
//! the fewer issues have it, and the nearer the text is to the slip itself (`NAMES` to `TEACHES`). Words that
//! many issues have, or that say nothing about any program, speak for none. Nothing here understands a
//! sentence: who says the opposite of what is wrong in the words of what is wrong is heard as well.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use vosim_protocol::v1::coverage::Guard;
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::problem::{Issue, Problem};

use crate::parts::coverage::hear;
use crate::parts::lists::list;
use crate::parts::text::words;

/// Words are compared by so many of their letters.
const STEM: usize = 5;
/// Fewest letters of a word that counts.
const SHORTEST: usize = 3;
/// How much a text says of the slip: its name and feedback, the runs that show it, the question of the
/// first hint, and the first paragraph of the second.
const NAMES: u32 = 4;
const SHOWS: u32 = 3;
const ASKS: u32 = 2;
const TEACHES: u32 = 1;
/// Fewest points that name a slip beside others: about two words of the feedback that a third of the issues
/// have. The slip that has the most points needs half of them, of more than one word; with half of them and
/// a third of the most it may be meant.
const FEWEST: u32 = 28;
const LISTS: &str = include_str!("naming.txt");
static SAYS_LITTLE: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| list(LISTS, "says_little").into_iter().collect());
/// What a word stands for beside itself, by its stem: the names of its groups.
static SAME: LazyLock<BTreeMap<String, BTreeSet<String>>> = LazyLock::new(|| {
    let mut same = BTreeMap::<String, BTreeSet<String>>::new();
    for group in list(LISTS, "same") {
        // No word begins like that.
        let name = format!("={}", group.split(' ').next().unwrap_or_default());
        for word in group.split(' ') {
            same.entry(stem(word)).or_default().insert(name.clone());
        }
    }
    same
});
/// Signs that speak of an edge.
const SIGNS: [&str; 4] = ["<=", ">=", "≤", "≥"];
/// The word that they stand for.
const EDGE: &str = "boundary";

/// What somebody's words name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// Nothing that the problem is about.
    Nothing,
    /// Something else than the slip, or the slip so that it is not heard.
    Other,
    /// What may be the slip, and may be another that is told in the same words.
    Near,
    /// The slip.
    Cause,
}

/// What a text names of a problem, and whether that is the slip that was made, if it is known.
pub fn named(text: &str, problem: &Problem, cause: Option<&Issue>) -> Named {
    let said = stems(text);
    let issues: Vec<_> =
        problem.issues.iter().map(|issue| IssueWords::of(issue, problem)).collect();
    let known = stems(&problem.statement);
    // What else a word may stand for is no sign that it is about the problem.
    let mut literal = said.iter().filter(|stem| !stem.starts_with('='));
    let about = literal.any(|stem| known.contains(stem) || issues.iter().any(|it| it.has(stem)));
    if !about || hear(text, &[], &[]).guard == Some(Guard::Declined) {
        return Named::Nothing;
    }
    let mut having = BTreeMap::<&str, u32>::new();
    for stem in issues.iter().flat_map(|it| it.weights.keys()) {
        *having.entry(stem).or_default() += 1;
    }
    let number = u32::try_from(issues.len()).unwrap_or(u32::MAX);
    let points = |told: &IssueWords<'_>| -> u32 {
        let of = |stem: &String| {
            let weight = told.weights.get(stem)?;
            Some(weight * worth(number, having.get(stem.as_str()).copied()?))
        };
        said.iter().filter_map(of).sum()
    };
    let Some(cause) = cause else { return Named::Other };
    let pairs = issues.iter().zip(&problem.issues);
    let best = pairs.filter(|(_, issue)| is_like(issue, cause)).map(|(it, _)| points(it)).max();
    let best = best.unwrap_or(0);
    match issues.iter().find(|it| it.id == cause.id).map_or(0, points) {
        // Slips that are like each other share words, so another may be a little ahead.
        points if points >= FEWEST && points * 3 >= best * 2 => Named::Cause,
        points if points * 2 >= FEWEST && points == best && said.len() > 1 => Named::Cause,
        points if points * 2 >= FEWEST && points * 3 >= best && said.len() > 1 => Named::Near,
        _ => Named::Other,
    }
}

/// Whether a slip may have been made in place of another: a file that was run was read as well.
fn is_like(issue: &Issue, cause: &Issue) -> bool {
    let types = &issue.when.failure_types;
    let answers = [FailureType::WrongAnswer, FailureType::PartialPass];
    types.is_empty()
        || types.iter().any(|it| answers.contains(it) || cause.when.failure_types.contains(it))
}

/// Whether a text speaks of what a problem has or what a program keeps: two of its words are words of the
/// statement, or such as programmers use.
pub fn speaks_of(text: &str, problem: &Problem) -> bool {
    let known = stems(&problem.statement);
    let said = stems(text);
    let literal = said.iter().filter(|stem| !stem.starts_with('='));
    literal.filter(|stem| known.contains(*stem) || SAME.contains_key(*stem)).nth(1).is_some()
}

/// What a word is worth that so many of the issues have: four times the logarithm of their share, and
/// nothing for one that most of them have.
fn worth(issues: u32, having: u32) -> u32 {
    let (issues, having) = (u64::from(issues), u64::from(having.max(1)));
    if issues * 2 < having * 3 { 0 } else { (issues.pow(4) / having.pow(4)).ilog2() }
}

/// The words with which an issue is told.
struct IssueWords<'a> {
    id: &'a str,
    /// By stem the weight of the text that says most of the slip.
    weights: BTreeMap<String, u32>,
}

impl<'a> IssueWords<'a> {
    fn of(issue: &'a Issue, problem: &Problem) -> Self {
        let mut weights = BTreeMap::<String, u32>::new();
        let mut put = |text: &str, weight: u32| {
            for stem in stems(text) {
                let known = weights.entry(stem).or_default();
                *known = weight.max(*known);
            }
        };
        put(&format!("{} {}", issue.id.replace('_', " "), issue.feedback), NAMES);
        let shows = |name: &String| issue.when.shows.iter().any(|shown| shown.contains_key(name));
        let runs = problem.runs.iter().filter(|run| shows(&run.name));
        runs.for_each(|run| put(&run.about, SHOWS));
        // What follows there lays out the whole solution, in much the same words for every slip.
        let [first, second, _] = &issue.hints;
        put(first, ASKS);
        put(second.split("\n\n").next().unwrap_or_default(), TEACHES);
        Self { id: &issue.id, weights }
    }

    fn has(&self, stem: &str) -> bool {
        self.weights.contains_key(stem)
    }
}

/// The words of a text that say something, by their beginnings.
fn stems(text: &str) -> BTreeSet<String> {
    let says = |word: &&str| word.chars().count() >= SHORTEST && !SAYS_LITTLE.contains(word);
    let signs = SIGNS.iter().any(|sign| text.contains(sign));
    let words = words(text);
    let mut stems = BTreeSet::new();
    for word in words.iter().map(String::as_str).chain(signs.then_some(EDGE)).filter(says) {
        let stem = stem(word);
        stems.extend(SAME.get(&stem).into_iter().flatten().cloned());
        stems.insert(stem);
    }
    stems
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
                let named = heard(text, &issue.id) == Named::Cause;
                assert_eq!(named, issue.id == cause, "{text:?} as {}", issue.id);
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
    fn what_fits_more_than_one_slip_may_be_any_of_them() {
        let text = "A person gets a tool that is out.";
        assert_eq!(heard(text, "limit"), Named::Cause);
        assert_eq!(heard(text, "lent"), Named::Near);
        assert_eq!(heard(text, "slow"), Named::Other);
    }

    #[test]
    fn a_slip_that_cannot_have_been_made_takes_no_words_away() {
        let mut problem = desk();
        problem.issues[0].when.failure_types = vec![FailureType::ImportError];
        let lent = |problem: &Problem| {
            named("A person gets a tool that is out.", problem, problem.issues.get(1))
        };
        assert_eq!(lent(&problem), Named::Cause);
        problem.issues[1].when.failure_types = vec![FailureType::ImportError];
        assert_eq!(lent(&problem), Named::Near, "both can have been made");
    }

    #[test]
    fn a_sentence_speaks_of_something_by_two_words_at_least() {
        for (text, speaks) in [
            ("No person has more tools than the limit.", true),
            ("The index on the left is never greater than that on the right.", true),
            ("asdf qwer zxcv tyui ghjk bnmm", false),
            ("The moon is made of good green cheese.", false),
            ("", false),
        ] {
            assert_eq!(speaks_of(text, &desk()), speaks, "{text:?}");
        }
    }

    #[test]
    fn where_no_slip_is_known_none_is_named() {
        assert_eq!(named("Two desks share a table.", &desk(), None), Named::Other);
        assert_eq!(named("asdf", &desk(), None), Named::Nothing);
    }
}
