//! Checks the texts of a package for readers: length, grade, questions, nothing given away.
//!
//! The findings are advice for authors; a package with findings can be used. The measures are those
//! of hints that did well in studies: 80 to 160 words, reading grade 9 or below, one question,
//! concrete.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

use vosim_protocol::v1::problem::Issue;

use super::common;
use super::forms::Clarification;
use super::package::{Package, Program, ProgramRole};

/// Words of a hint of level 2 or 3.
const HINT_WORDS: RangeInclusive<usize> = 80..=160;
/// Most words of a feedback text or a hint of level 1, which are read at a glance.
const SHORT_WORDS_MAX: usize = 80;
/// Highest reading grade (Flesch and Kincaid).
const GRADE_MAX: f64 = 9.0;
/// Words in a row that a text must not share with a solution.
const RUN: usize = 5;
/// Longest answer to a clarifying question, characters.
const ANSWER_CHARS_MAX: usize = 300;

/// One thing an author should look at again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The text, for example `general.level_2`.
    pub place: String,
    /// The finding, with its figure.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// The right programs of problems, as runs of words that no other text may contain.
#[derive(Clone, Default)]
pub(crate) struct References(BTreeSet<Vec<String>>);

impl References {
    /// Collects the runs of these packages, without those that everybody reads in a starter or in
    /// what the interface is told by.
    pub(crate) fn of<'a>(packages: impl IntoIterator<Item = &'a Package>) -> Self {
        Self(packages.into_iter().flat_map(Self::of_one).collect())
    }

    fn of_one(package: &Package) -> BTreeSet<Vec<String>> {
        let right = package.programs.iter().filter(|it| it.role == ProgramRole::Right);
        let public = package.stubs().map(code).chain([common::outline(&package.problem.interface)]);
        let public: BTreeSet<_> = public.flat_map(|text| runs(&text)).collect();
        right.flat_map(|program| runs(&code(program))).filter(|run| !public.contains(run)).collect()
    }

    /// Returns the first run of words that a text has in common with a program.
    pub(crate) fn shared_with(&self, text: &str) -> Option<String> {
        runs(text).into_iter().find(|run| self.0.contains(run)).map(|run| run.join(" "))
    }
}

// Reference programs stay out of logs.
impl fmt::Debug for References {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("References").field("runs", &self.0.len()).finish()
    }
}

/// Checks every feedback text, hint, card and fill of a package, apart from what all packages share.
pub fn lint(package: &Package) -> Vec<Finding> {
    let shared = common::with_common(Vec::new(), &package.problem.interface);
    findings(package, |issue| !shared.contains(issue))
}

fn findings(package: &Package, is_looked_at: impl Fn(&Issue) -> bool) -> Vec<Finding> {
    let shown: Vec<_> = package
        .programs
        .iter()
        .filter(|program| {
            package.problem.solutions.values().any(|text| text.contains(code(program).trim_end()))
        })
        .map(|program| runs(&code(program)))
        .collect();
    let mut findings = Vec::new();
    for issue in package.problem.issues.iter().filter(|issue| is_looked_at(issue)) {
        let mut note = |place: &str, messages: Vec<String>| {
            findings.extend(
                messages
                    .into_iter()
                    .map(|message| Finding { place: format!("{}.{place}", issue.id), message }),
            );
        };
        note("feedback", short(&issue.feedback, 0..=1));
        let [low, middle, high] = &issue.hints;
        let said = runs(&issue.feedback);
        let echo = runs(low).intersection(&said).next().map(|run| run.join(" "));
        let echo =
            echo.map(|run| format!("shares '{run}' with the feedback")).into_iter().collect();
        note("level_1", [short(low, 1..=1), leaks(low, &shown), echo].concat());
        note("level_2", [long(middle), leaks(middle, &shown)].concat());
        note("level_3", long(high));
    }
    findings.extend(interview(package));
    findings
}

/// Checks the texts for interviews: answers must give no approach away, and fills must leave each
/// question a single question.
fn interview(package: &Package) -> Vec<Finding> {
    let references = References::of([package]);
    let coaching = &package.coaching;
    let leak = |text: &str| {
        let shared = references.shared_with(text);
        shared.map(|run| format!("shares '{run}' with a solution"))
    };
    let cards = coaching.clarifications.iter().flat_map(|card| {
        let messages = card_findings(card).into_iter().chain(leak(&card.answer));
        messages.map(|message| Finding { place: format!("card {}", card.id), message })
    });
    let fills = coaching.fill.iter().flat_map(|(name, text)| {
        let asks = text.contains('?').then(|| "contains a question of its own".to_owned());
        let ends = text.trim_end().ends_with('.').then(|| "ends like a sentence".to_owned());
        let messages = asks.into_iter().chain(ends).chain(leak(text));
        messages.map(move |message| Finding { place: format!("fill.{name}"), message })
    });
    cards.chain(fills).collect()
}

fn card_findings(card: &Clarification) -> Vec<String> {
    let mut messages = Vec::new();
    let count = card.answer.chars().count();
    if count > ANSWER_CHARS_MAX {
        messages.push(format!("the answer has {count} characters, at most {ANSWER_CHARS_MAX}"));
    }
    if card.question.matches('?').count() != 1 || !card.question.ends_with('?') {
        messages.push("the question is not exactly one question".to_owned());
    }
    if card.answer.contains('?') {
        messages.push("the answer contains a question".to_owned());
    }
    messages
}

fn code(program: &Program) -> String {
    String::from_utf8_lossy(&program.source).into_owned()
}

fn short(text: &str, asked: RangeInclusive<usize>) -> Vec<String> {
    let count = words(text).count();
    let mut messages = readable(text, asked);
    if count > SHORT_WORDS_MAX {
        messages.push(format!("{count} words, at most {SHORT_WORDS_MAX}"));
    }
    messages
}

fn long(text: &str) -> Vec<String> {
    let count = words(text).count();
    let mut messages = readable(text, 0..=1);
    if !HINT_WORDS.contains(&count) {
        messages.push(format!("{count} words, should be 80 to 160"));
    }
    messages
}

fn readable(text: &str, asked: RangeInclusive<usize>) -> Vec<String> {
    let mut messages = Vec::new();
    let questions = text.matches('?').count();
    if !asked.contains(&questions) {
        messages.push(format!("{questions} questions"));
    }
    let grade = grade(text);
    if grade > GRADE_MAX {
        messages.push(format!("reading grade {grade:.1}, at most {GRADE_MAX}"));
    }
    messages
}

fn leaks(text: &str, shown: &[BTreeSet<Vec<String>>]) -> Vec<String> {
    runs(text)
        .iter()
        .find(|run| shown.iter().any(|code| code.contains(*run)))
        .map(|run| format!("shares '{}' with a solution", run.join(" ")))
        .into_iter()
        .collect()
}

/// Returns every run of [`RUN`] words.
fn runs(text: &str) -> BTreeSet<Vec<String>> {
    let tokens: Vec<_> = words(text).map(str::to_lowercase).collect();
    tokens.windows(RUN).map(<[String]>::to_vec).collect()
}

/// Returns the words: letters, digits and underscores, with apostrophes and hyphens inside.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'' | '-')))
        .filter(|word| word.contains(char::is_alphanumeric))
}

/// Returns the grade of Flesch and Kincaid: the school years needed to read the text.
fn grade(text: &str) -> f64 {
    let count = words(text).count().max(1);
    let syllables: usize = words(text).map(syllables).sum();
    let per_sentence = ratio(count, sentences(text));
    0.39 * per_sentence + 11.8 * ratio(syllables, count) - 15.59
}

fn ratio(a: usize, b: usize) -> f64 {
    let exact = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    exact(a) / exact(b)
}

/// Counts the sentences; an indented line of a code skeleton is one of its own.
fn sentences(text: &str) -> usize {
    let ends = |line: &str| {
        let at_end = |word: &&str| word.ends_with(['.', '?', '!', ':', ';']);
        line.split_whitespace().filter(at_end).count()
    };
    let of_line = |line: &str| {
        if line.starts_with("    ") { 1 } else { ends(line) }
    };
    text.lines().filter(|line| !line.trim().is_empty()).map(of_line).sum::<usize>().max(1)
}

/// Counts groups of vowels, without a silent `e` at the end: good enough for plain English.
fn syllables(word: &str) -> usize {
    let word = word.to_lowercase();
    let vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let groups = word.split(|c| !vowel(c)).filter(|group| !group.is_empty()).count();
    let silent = word.ends_with('e') && !word.ends_with("le") && groups > 1;
    (groups - usize::from(silent)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::catalog;

    #[test]
    fn the_shipped_texts_have_no_findings() {
        for package in catalog().list() {
            let findings = findings(package, |_| true);
            let findings: Vec<_> = findings.iter().map(Finding::to_string).collect();
            assert!(findings.is_empty(), "{}:\n{}", package.problem.id, findings.join("\n"));
        }
    }

    #[test]
    fn each_planted_breach_is_named() {
        let files = super::super::embedded::lru_cache();
        let mut package = super::super::read::package(&files).unwrap();
        let right = package.programs.iter().find(|p| p.path.ends_with("linked_list.py")).unwrap();
        let code: String = code(right).split_inclusive('\n').take(3).collect();
        let issue = &mut package.problem.issues[0];
        issue.hints = [
            "Where is it? Or where was it?".to_owned(),
            format!("Write this: {code}"),
            "Considerable organisational idiosyncrasies necessitate comprehensive \
             reconsideration of fundamental representational assumptions "
                .repeat(9),
        ];
        let found: Vec<_> = lint(&package).iter().map(Finding::to_string).collect();
        let says = |start: &str| found.iter().any(|finding| finding.contains(start));
        assert!(says("level_1: 2 questions"), "{found:?}");
        assert!(says("level_2: shares '"), "{found:?}");
        assert!(says("words, should be 80 to 160"), "{found:?}");
        assert!(says("level_3: reading grade"), "{found:?}");
    }

    #[test]
    fn a_breach_planted_in_a_card_or_a_fill_is_named() {
        let files = super::super::embedded::lru_cache();
        let mut package = super::super::read::package(&files).unwrap();
        let right = package.programs.iter().find(|p| p.path.ends_with("linked_list.py")).unwrap();
        let code: String = code(right).split_inclusive('\n').take(3).collect();
        let [first, second, ..] = &mut *package.coaching.clarifications else {
            panic!("the package has cards");
        };
        first.answer = code;
        second.question = "What? And why?".to_owned();
        second.answer = format!("{} Or not?", "No. ".repeat(80));
        let fill = &mut package.coaching.fill;
        fill.insert("operation".to_owned(), "a `put`, or what?".to_owned());
        fill.insert("critical_step".to_owned(), "Dropping the key.".to_owned());
        let found: Vec<_> = lint(&package).iter().map(Finding::to_string).collect();
        for start in [
            "card zero_capacity: shares '",
            "card largest_capacity: the answer has 328 characters, at most 300",
            "card largest_capacity: the question is not exactly one question",
            "card largest_capacity: the answer contains a question",
            "fill.operation: contains a question of its own",
            "fill.critical_step: ends like a sentence",
        ] {
            assert!(found.iter().any(|finding| finding.starts_with(start)), "{start}: {found:?}");
        }
        assert_eq!(found.len(), 6, "{found:?}");
    }

    #[test]
    fn what_a_starter_or_the_interface_says_gives_nothing_away() {
        for package in catalog().list() {
            let references = References::of([&**package]);
            let starters = package.stubs().map(code);
            for text in starters.chain([common::outline(&package.problem.interface)]) {
                assert_eq!(references.shared_with(&text), None, "{}", package.problem.id);
            }
            let right = package.programs.iter().filter(|it| it.role == ProgramRole::Right);
            for program in right {
                let shared = references.shared_with(&code(program));
                assert!(shared.is_some(), "{}: {}", package.problem.id, program.path);
            }
        }
    }

    #[test]
    fn grade_rises_with_long_words_and_long_sentences() {
        let plain = "The cat sat on the mat. It was warm. The sun was out.";
        let heavy = "Notwithstanding considerable reservations, administrators occasionally \
                     reconsider their organisational representation.";
        assert!(grade(plain) < 3.0, "{}", grade(plain));
        assert!(grade(heavy) > 15.0, "{}", grade(heavy));
    }

    #[test]
    fn syllables_are_counted_as_they_are_spoken() {
        for (word, count) in [("cache", 1), ("key", 1), ("map", 1), ("table", 2), ("memory", 3)] {
            assert_eq!(syllables(word), count, "{word}");
        }
    }
}
