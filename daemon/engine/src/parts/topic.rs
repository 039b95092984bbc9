//! What a problem is about, and whether a text is about it: which of its words the text uses.
//!
//! Words of every day and those that most problems share say nothing of it (`topic.txt`). Of the others a
//! problem has *words* and *main words*: those of its title and its calls, and those that its statement
//! says four times. A text is about the problem as far as it uses them; how often it does is nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use vosim_protocol::v1::problem::Problem;

use super::lists::list;
use super::text::words;

/// A word of the statement that is said so often is a main word.
const MAIN_SAID: usize = 4;
/// How much a main word counts; another word of the problem counts once.
const MAIN_WEIGHT: usize = 3;
/// Fewest words of the problem in a text that is about it.
const WORDS_MIN: usize = 3;
/// Shortest part of a word that counts, characters, and longest beginning that is compared.
const SHORTEST: usize = 3;
const LONGEST: usize = 6;
/// Endings that are left out, where so many characters stay.
const ENDINGS: [&str; 7] = ["ing", "ed", "es", "s", "er", "ly", "e"];
const STAYS: usize = 3;

const LISTS: &str = include_str!("topic.txt");
/// The stems that say nothing of a problem.
static GENERAL: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let all = ["everyday", "shared"].into_iter().flat_map(|name| list(LISTS, name));
    all.map(stem).collect()
});

/// What one problem is about.
#[derive(Clone, Debug)]
pub struct Topic {
    /// The stems of its words, each with its weight.
    weights: BTreeMap<String, usize>,
}

/// How far a text is about a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Words of the problem that the text uses.
    pub words: usize,
    /// Their weight, of a hundred words that say something; above 100 where most are main words.
    pub percent: usize,
}

impl About {
    /// True where enough of the problem's words are used, and they weigh so much.
    pub fn reaches(self, percent: usize) -> bool {
        self.words >= WORDS_MIN && self.percent >= percent
    }
}

impl Topic {
    /// What a problem is about.
    pub fn of(problem: &Problem) -> Self {
        let mut said = BTreeMap::<String, usize>::new();
        for stem in stems(&problem.statement) {
            *said.entry(stem).or_default() += 1;
        }
        let weight = |said: usize| if said >= MAIN_SAID { MAIN_WEIGHT } else { 1 };
        let mut weights: BTreeMap<_, _> =
            said.into_iter().map(|(stem, said)| (stem, weight(said))).collect();
        let calls = problem.interface.signatures().into_iter();
        let names = calls.flat_map(|(name, params)| {
            std::iter::once(name).chain(params.iter().map(|param| param.name.as_str()))
        });
        for stem in names.chain([problem.title.as_str()]).flat_map(stems) {
            weights.insert(stem, MAIN_WEIGHT);
        }
        Self { weights }
    }

    /// How far a text is about it.
    pub fn heard_in(&self, text: &str) -> About {
        let said: BTreeSet<_> = stems(text).collect();
        let weights: Vec<_> = said.iter().filter_map(|stem| self.weights.get(stem)).collect();
        let weight: usize = weights.iter().copied().sum();
        About { words: weights.len(), percent: weight * 100 / said.len().max(1) }
    }
}

/// The stems of a text that say something; names of programs are taken apart.
pub fn stems(text: &str) -> impl Iterator<Item = String> {
    let apart = apart(text);
    let parts = words(&apart).into_iter().map(|word| stem(&word));
    let parts: Vec<_> = parts.filter(|stem| says_something(stem)).collect();
    parts.into_iter()
}

fn says_something(stem: &str) -> bool {
    stem.chars().count() >= SHORTEST
        && !stem.starts_with(|c: char| c.is_ascii_digit())
        && !GENERAL.contains(stem)
}

/// A text whose `LoanDesk` and `give_back` are two words each.
fn apart(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut before = ' ';
    for c in text.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            out.push(' ');
        }
        out.push(if c == '_' { ' ' } else { c });
        before = c;
    }
    out
}

/// What words of one family have in common, roughly: `visits`, `visited` and `visit` are one.
fn stem(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    let shorter = ENDINGS
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.chars().count() >= STAYS));
    shorter.unwrap_or(word).chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem;

    #[test]
    fn words_of_a_family_have_one_stem() {
        for family in [["visit", "visits", "visited"], ["cable", "cables", "cable's"]] {
            let stems: BTreeSet<_> = family.iter().map(|word| stem(word)).collect();
            assert_eq!(stems.len(), 1, "{stems:?}");
        }
        let parts: Vec<_> = stems("LoanDesk give_back(7) of the").collect();
        assert_eq!(parts, ["loan", "desk"], "`give` and `back` are words of every day");
    }

    #[test]
    fn a_text_is_about_the_problem_whose_words_it_uses() {
        let mut problem = problem::spec().problem;
        problem.statement =
            "A shelf holds jars. A jar has a label. Jars are asked for by the label.".to_owned();
        let topic = Topic::of(&problem);
        let about = topic.heard_in("Each jar is found by its label on a shelf.");
        assert!(about.reaches(100), "{about:?}");
        let other = topic.heard_in("The dog missed the bus, because the weather was bad.");
        assert_eq!((other.words, other.percent), (0, 0));
        let few = topic.heard_in("jar label");
        assert!(!few.reaches(1), "two words are too few: {few:?}");
    }
}
