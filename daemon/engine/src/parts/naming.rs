//! Whether somebody's words name what went wrong: they are compared with the ways in which each slip of the
//! problem may be told.
//!
//! ```text
//! words ─▶ about nothing that the problem or a program has, or declined: they say nothing
//!       ─▶ for each slip the likeness of its nearest ways, summed: its ways as candidates tell it, and the
//!          sentences of its own texts that speak of the slip itself
//!       ─▶ as near to the slip that was made as to any: named · almost: it may be meant · else another
//! ```
//! Sentences that would fit any slip are ways of none (`vague`), so that "it is off by one" names nothing. Nothing
//! here understands a sentence: who says the opposite of what is wrong in the words of what is wrong is heard as
//! well.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use vosim_protocol::v1::coverage::Guard;
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::problem::{Issue, IssueMatch, Problem, SmallRun};

use crate::parts::coverage::hear;
use crate::parts::likeness::{Book, Compared, Entry, Weights};
use crate::parts::lists::list;
use crate::parts::text::{sentences, words};

/// Words are compared by so many of their letters.
const STEM: usize = 5;
/// Fewest letters of a word that counts.
const SHORTEST: usize = 3;
/// How many of a slip's nearest ways are summed.
const NEAREST: usize = 4;
/// What the nearest ways of a slip come to at least, for each of [`NEAREST`] of them; and what is enough where
/// the slip is so much nearer than any other, percent.
const FLOOR: u64 = 160;
const FLOOR_ALONE: u64 = 110;
const ALONE: u64 = 130;
/// How near the slip is beside the nearest other, percent: to be named, and to be meant perhaps.
const AS_NEAR: u64 = 95;
const ALMOST: u64 = 70;
/// Fewest words of a text that names a slip by a single one that says something.
const FEWEST_WORDS: usize = 3;
/// What ways of no slip count beside those of one, percent.
const VAGUE: u64 = 85;
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
/// The names of algorithms and structures, by their stems: who names one says something of a program.
static METHODS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| list(LISTS, "methods").into_iter().map(stem).collect());
/// Signs that speak of an edge.
const SIGNS: [&str; 4] = ["<=", ">=", "≤", "≥"];
/// The word that they stand for.
const EDGE: &str = "boundary";

/// What somebody's words name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// Nothing that the problem or a program is about.
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
    Slips::of(problem).named(text, cause)
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

/// The ways in which the slips of a problem are told, for whoever asks about many texts.
#[derive(Debug)]
pub struct Slips<'a> {
    weights: Weights<'static>,
    ways: Vec<(&'a Issue, Vec<Way>)>,
    vague: Vec<Way>,
    /// The words of the statement and of all that is told of the slips.
    known: BTreeSet<String>,
}

/// The features of one way, and how long it is.
#[derive(Debug)]
struct Way {
    entry: Entry,
    length: u64,
}

impl<'a> Slips<'a> {
    /// Of a problem.
    pub fn of(problem: &'a Problem) -> Self {
        let mut book = Book::default();
        let mut known = stems(&problem.statement);
        let mut enter = |told: Vec<String>| -> Vec<Entry> {
            told.iter().map(|told| book.enter(told)).collect()
        };
        let mut slips = Vec::new();
        for issue in &problem.issues {
            let told = sayings(issue);
            known.extend(told.iter().flat_map(|told| stems(told)));
            // The issue that fits everything is told in words that fit everything.
            if issue.when != IssueMatch::default() {
                let shows = |run: &&SmallRun| {
                    issue.when.shows.iter().any(|shown| shown.contains_key(&run.name))
                };
                let runs = problem.runs.iter().filter(shows).map(|run| run.about.clone());
                slips.push((issue, enter(told.into_iter().chain(runs).collect())));
            }
        }
        let vague = enter(list(LISTS, "vague").into_iter().map(str::to_owned).collect());
        let weights = book.weights();
        let ways = |entries: Vec<Entry>| -> Vec<Way> {
            let way = |entry: Entry| Way { length: weights.length(&entry), entry };
            entries.into_iter().map(way).collect()
        };
        let told = slips.into_iter().map(|(issue, entries)| (issue, ways(entries))).collect();
        let vague = ways(vague);
        Self { weights, ways: told, vague, known }
    }

    /// What a text names, and whether that is the slip that was made, if it is known.
    pub fn named(&self, text: &str, cause: Option<&Issue>) -> Named {
        let said = stems(text);
        // What else a word may stand for is no sign that it is about the problem.
        let literal = || said.iter().filter(|stem| !stem.starts_with('='));
        let is_about = literal().any(|it| self.known.contains(it) || METHODS.contains(it));
        if !is_about || hear(text, &[], &[]).guard == Some(Guard::Declined) {
            return Named::Nothing;
        }
        let Some(cause) = cause else { return Named::Other };
        if literal().count() < 2 && words(text).len() < FEWEST_WORDS {
            return Named::Other;
        }
        let said = self.weights.compared(text);
        let near = |ways: &[Way]| nearest(ways, &said);
        let mut own = 0;
        let mut other = 0;
        for (issue, ways) in &self.ways {
            if issue.id == cause.id {
                own = near(ways);
            } else if is_like(issue, cause) {
                other = other.max(near(ways));
            }
        }
        let is = |percent: u64| own * 100 >= other * percent;
        let clear = (own >= FLOOR && is(AS_NEAR)) || (own >= FLOOR_ALONE && is(ALONE));
        if own * 100 < near(&self.vague) * VAGUE {
            Named::Other
        } else if clear {
            Named::Cause
        } else if own >= FLOOR_ALONE && is(ALMOST) {
            Named::Near
        } else {
            Named::Other
        }
    }
}

/// The sentences that say what an issue is: as candidates tell it, and of its own texts those that speak of
/// the slip itself. What follows lays out the whole solution, in much the same words for every slip.
fn sayings(issue: &Issue) -> Vec<String> {
    let feedback = issue.feedback.replace("{facts}", "");
    let whole = feedback.trim().to_owned();
    let mut told: Vec<_> = sentences(&feedback).into_iter().map(str::to_owned).collect();
    told.extend([whole, issue.hints[0].clone(), issue.id.replace('_', " ")]);
    told.extend(issue.ways.iter().cloned());
    told
}

/// What the nearest ways come to, for each of [`NEAREST`].
fn nearest(ways: &[Way], said: &Compared) -> u64 {
    let mut likes: Vec<_> = ways.iter().map(|way| said.likeness(&way.entry, way.length)).collect();
    likes.sort_unstable_by_key(|likeness| std::cmp::Reverse(*likeness));
    likes.iter().take(NEAREST).sum::<u64>() / NEAREST as u64
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
            let failing = if id == "general" { Vec::new() } else { vec![id.to_owned()] };
            let when = IssueMatch { failing, ..IssueMatch::default() };
            Issue { id: id.into(), when, feedback: feedback.into(), hints, ways: Vec::new() }
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
    fn whoever_names_an_algorithm_or_a_structure_says_something() {
        for text in [
            "I implemented LFU",
            "It is a FIFO.",
            "LIFO instead",
            "DFS",
            "union find",
            "a heap",
            "I used Dijkstra",
            "Two pointers!",
            "Binary search",
            "memoization",
            "linked list",
            "That is a trie",
        ] {
            assert_eq!(heard(text, "limit"), Named::Other, "{text:?}");
        }
    }

    #[test]
    fn what_fits_more_than_one_slip_may_be_any_of_them() {
        let text = "A person gets a tool that is out.";
        assert_eq!(heard(text, "lent"), Named::Cause);
        assert_eq!(heard(text, "limit"), Named::Near);
        assert_eq!(heard(text, "slow"), Named::Other);
    }

    #[test]
    fn a_slip_that_cannot_have_been_made_takes_no_words_away() {
        let mut problem = desk();
        let limit = |problem: &Problem| {
            named("A person gets a tool that is out.", problem, problem.issues.first())
        };
        problem.issues[1].when.failure_types = vec![FailureType::ImportError];
        assert_eq!(limit(&problem), Named::Cause);
        problem.issues[0].when.failure_types = vec![FailureType::ImportError];
        assert_eq!(limit(&problem), Named::Near, "both can have been made");
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
