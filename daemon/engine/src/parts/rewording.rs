//! Whether a model's wording still says what the text says, and no more (001 8, 11; DECISIONS 35).
//!
//! The text is right as it stands, so a doubt costs nothing but the model's words: whatever breaks one of
//! these rules is not used. What the text does itself is never held against its wording.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use vosim_protocol::v1::coverage::{Coverage, Dimension};
use vosim_protocol::v1::effect::Purpose;
use vosim_protocol::v1::problem::Problem;

use crate::parts::assistant::{self, Reference};
use crate::parts::coverage::hear;
use crate::parts::hearing::{AskedFor, FIELD, Listener, Utterance, listen, roots};
use crate::parts::lists::list;
use crate::parts::text::{closes, sentences, words};

/// How much longer than twice the text a wording may be, characters.
const LONGER_MAX_CHARS: usize = 120;
/// The least share of the text's words, of which a wording has so many at least.
const WORDS_SHARE: usize = 3;
/// The least share of what the text is about, which its wording still speaks of.
const SUBJECT_SHARE: usize = 3;

const LISTS: &str = include_str!("rewording.txt");
/// What judges an answer.
static JUDGES: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| rows("judges"));
/// What a model says of itself and of what it was asked to do.
static ASIDE: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| rows("aside"));
/// Structures and ways to a solution, which a text names itself or not at all.
static TECHNIQUES: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| rows("techniques"));
/// Words that say nothing of what a text is about.
static LITTLE: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| list(LISTS, "little").into_iter().flat_map(roots).collect());

fn rows(name: &str) -> Vec<Vec<String>> {
    list(LISTS, name).into_iter().map(words).collect()
}

/// A text that was given to a model, with what its wording is held against.
#[derive(Clone, Copy, Debug)]
pub struct Original<'a> {
    /// The text.
    pub text: &'a str,
    /// What it is for.
    pub purpose: Purpose,
    /// The problem, of whose programs and hints nothing may be told that the text does not tell.
    pub problem: &'a Problem,
    /// What a follow-up asks about; none for another text.
    pub about: Option<AskedAbout<'a>>,
}

/// What a follow-up asks about.
#[derive(Clone, Copy, Debug)]
pub struct AskedAbout<'a> {
    /// The dimension.
    pub dimension: &'a str,
    /// All of the section.
    pub dimensions: &'a [Dimension],
    /// What hears answers.
    pub listener: Option<&'a Listener>,
}

/// Why a wording is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfaithful {
    /// It would be another number of questions.
    #[error("the model's wording asks another number of questions")]
    Questions,
    /// It goes on after its question.
    #[error("the model's wording goes on after its question")]
    GoesOn,
    /// It is too long.
    #[error("the model's wording is far longer than the text")]
    Longer,
    /// It is too short.
    #[error("the model's wording leaves most of the text out")]
    Shorter,
    /// Something that has to stay as it is does not.
    #[error("the model's wording leaves out {what}")]
    LeavesOut {
        /// What.
        what: &'static str,
    },
    /// Something comes in that the text does not say.
    #[error("the model's wording brings in {what}")]
    BringsIn {
        /// What.
        what: &'static str,
    },
    /// It tells of a program or of the way to one (001 8.2).
    #[error("the model's wording tells of a solution")]
    Tells,
    /// It judges.
    #[error("the model's wording judges the candidate")]
    Judges,
    /// It speaks of itself or of what it was asked to do.
    #[error("the model speaks of itself")]
    Aside,
    /// It is about something else.
    #[error("the model's wording is about something else")]
    Elsewhere,
    /// It holds an answer to its question.
    #[error("the model's wording answers its own question")]
    Answers,
}

impl Original<'_> {
    /// Whether a wording may stand in the text's place.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn check(&self, wording: &str) -> Result<(), Unfaithful> {
        if wording == self.text {
            return Ok(());
        }
        self.asks_as_often(wording)?;
        self.has_its_length(wording)?;
        self.keeps(wording)?;
        self.brings_in_nothing(wording)?;
        let (of_text, of_wording) = (words(self.text), words(wording));
        let says = |rows: &[Vec<String>]| {
            rows.iter().any(|row| holds(&of_wording, row) && !holds(&of_text, row))
        };
        if says(&JUDGES) {
            return Err(Unfaithful::Judges);
        }
        if says(&ASIDE) {
            return Err(Unfaithful::Aside);
        }
        if self.tells(wording) {
            return Err(Unfaithful::Tells);
        }
        self.stays(wording)?;
        let public: Vec<_> = self.public().map(words).collect();
        let known = |row: &Vec<String>| public.iter().any(|text| holds(text, row));
        let hinted = TECHNIQUES.iter().filter(|row| !known(row)).cloned().collect::<Vec<_>>();
        match says(&hinted) {
            true => Err(Unfaithful::BringsIn { what: "a technique" }),
            false => Ok(()),
        }
    }

    /// An opening question and a follow-up ask as often as before, and a follow-up ends with its question.
    /// Any other text asks nothing new.
    fn asks_as_often(&self, wording: &str) -> Result<(), Unfaithful> {
        let (own, now) = (questions(self.text), questions(wording));
        match self.purpose {
            Purpose::Prompt | Purpose::Followup if own != now => Err(Unfaithful::Questions),
            Purpose::Hint | Purpose::Feedback if own < now => Err(Unfaithful::Questions),
            Purpose::Followup if ends_asking(self.text) && !ends_asking(wording) => {
                Err(Unfaithful::GoesOn)
            }
            Purpose::Prompt | Purpose::Followup | Purpose::Hint | Purpose::Feedback => Ok(()),
        }
    }

    fn has_its_length(&self, wording: &str) -> Result<(), Unfaithful> {
        let chars = |text: &str| text.chars().count();
        if chars(wording) > chars(self.text) * 2 + LONGER_MAX_CHARS {
            Err(Unfaithful::Longer)
        } else if words(wording).len() * WORDS_SHARE < words(self.text).len() {
            Err(Unfaithful::Shorter)
        } else {
            Ok(())
        }
    }

    /// What is quoted and what is marked as code stays word for word, and no number gets lost.
    fn keeps(&self, wording: &str) -> Result<(), Unfaithful> {
        let lost = |spans: Vec<&str>| spans.into_iter().any(|span| !wording.contains(span));
        let what = if lost(fenced(self.text)) || lost(marked(self.text)) {
            "a name or a program"
        } else if lost(quoted(self.text)) {
            "what the candidate has said"
        } else if !numbers(self.text).is_subset(&numbers(wording)) {
            "a number"
        } else {
            return Ok(());
        };
        Err(Unfaithful::LeavesOut { what })
    }

    /// No number, name of code or quotation is new, save what the candidate can read anyway.
    fn brings_in_nothing(&self, wording: &str) -> Result<(), Unfaithful> {
        let public: Vec<_> = [self.text].into_iter().chain(self.public()).collect();
        let known = |span: &str| public.iter().any(|text| text.contains(span));
        let what = if !numbers(wording).is_subset(&numbers(self.text)) {
            "a number"
        } else if marked(wording).into_iter().chain(names(wording)).any(|span| !known(span)) {
            "a name of code"
        } else if quoted(wording).into_iter().any(|span| !self.text.contains(span)) {
            "a quotation"
        } else {
            return Ok(());
        };
        Err(Unfaithful::BringsIn { what })
    }

    /// The rules for whoever assists a candidate (001 8.2), where the text itself keeps them.
    fn tells(&self, wording: &str) -> bool {
        let Problem { solutions, issues, .. } = self.problem;
        let rungs = issues.iter().flat_map(|issue| issue.hints.iter());
        let secret = solutions.values().chain(rungs).map(String::as_str);
        let reference = Reference::new(secret, self.public().chain([self.text]));
        let own = assistant::broken(self.text, &reference);
        assistant::broken(wording, &reference).iter().any(|rule| !own.contains(rule))
    }

    /// It is about the same thing, each sentence of it, and a question asks for the same dimension and does not
    /// say it itself.
    fn stays(&self, wording: &str) -> Result<(), Unfaithful> {
        let subject =
            |text: &str| -> BTreeSet<_> { roots(text).difference(&LITTLE).cloned().collect() };
        let own = subject(self.text);
        let shared = subject(wording).intersection(&own).count();
        // "The section ends now." would stand beside the question as if it were true.
        let beside = |sentence: &str| {
            let told = subject(sentence);
            !own.is_empty() && !told.is_empty() && told.is_disjoint(&own)
        };
        let told = quotations_ended(wording);
        // What stands before or behind one of these is told like a sentence.
        let joint = [';', ':', '–', '—'];
        let mut parts = sentences(&told).into_iter().flat_map(|sentence| sentence.split(joint));
        if shared * SUBJECT_SHARE < own.len() || parts.any(beside) {
            return Err(Unfaithful::Elsewhere);
        }
        let Some(about) = self.about else { return Ok(()) };
        let hit = |text: &str| hear(&stated(text), about.dimensions, &[]).signals;
        let (own, now) = (hit(self.text), hit(wording));
        let asks = now.contains_key(about.dimension);
        let strays = now.keys().any(|dimension| !own.contains_key(dimension));
        if !asks && (strays || own.contains_key(about.dimension)) {
            return Err(Unfaithful::Elsewhere);
        }
        match about.says(wording) > about.says(self.text) {
            true => Err(Unfaithful::Answers),
            false => Ok(()),
        }
    }

    fn public(&self) -> impl Iterator<Item = &str> {
        let Problem { starters, statement, .. } = self.problem;
        starters.values().map(String::as_str).chain([statement.as_str()])
    }
}

impl AskedAbout<'_> {
    /// How far a text would cover the dimension if the candidate had said it.
    fn says(&self, text: &str) -> Coverage {
        let known = self.dimensions.iter().find(|known| known.id == self.dimension);
        let Some(dimension) = known else { return Coverage::NotCovered };
        let asked = AskedFor { about: Some((self.dimension, FIELD)), text: "" };
        let dimensions = std::slice::from_ref(dimension);
        let text = &stated(text);
        let listened =
            listen(self.listener, Utterance { text, before: "", asked, dimensions, told: &[] });
        listened.weighed.get(self.dimension).map_or(Coverage::NotCovered, |weighed| weighed.level)
    }
}

/// A text as if it said what it asks.
fn stated(text: &str) -> String {
    text.replace(['?', '？'], ".")
}

fn questions(text: &str) -> usize {
    text.matches(['?', '？']).count()
}

fn ends_asking(text: &str) -> bool {
    text.trim_end().trim_end_matches(closes).ends_with(['?', '？'])
}

fn holds(text: &[String], row: &[String]) -> bool {
    text.windows(row.len()).any(|part| part == row)
}

fn numbers(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty()).collect()
}

/// Blocks between fences.
fn fenced(text: &str) -> Vec<&str> {
    text.split("```").skip(1).step_by(2).collect()
}

/// What stands between backticks, outside of blocks.
fn marked(text: &str) -> Vec<&str> {
    let outside = text.split("```").step_by(2);
    outside.flat_map(|part| part.split('`').skip(1).step_by(2)).collect()
}

/// With a stop behind each quotation that has none and that a new sentence follows, which is no part of it.
fn quotations_ended(text: &str) -> String {
    let begins = |c: char| c.is_uppercase();
    text.split_inclusive('”').fold(String::with_capacity(text.len() + 1), |mut told, part| {
        if told.ends_with('”') && part.trim_start().starts_with(begins) {
            told.push('.');
        }
        told + part
    })
}

fn quoted(text: &str) -> Vec<&str> {
    text.split('“').skip(1).filter_map(|rest| Some(rest.split_once('”')?.0)).collect()
}

/// Words that only a program has: with an underscore, a bracket that calls, a dot, a capital or an operator
/// inside.
fn names(text: &str) -> Vec<&str> {
    let inside = |pair: &[char]| match pair {
        [before, '('] => before.is_alphanumeric(),
        ['_', after] => after.is_alphanumeric(),
        ['.', after] => after.is_alphabetic(),
        ['-' | '=', '>'] | [_, '='] => true,
        [before, after] => before.is_lowercase() && after.is_uppercase(),
        _ => false,
    };
    let is_name = |word: &str| word.chars().collect::<Vec<_>>().windows(2).any(inside);
    let bare = |word| {
        let word: &str = word;
        let word = word.trim_matches(|c: char| ",;:!?\"'“”`".contains(c)).trim_end_matches('.');
        let word = word.trim_start_matches('(');
        if word.contains('(') { word } else { word.trim_end_matches(')') }
    };
    let all = text.split_whitespace().map(bare);
    all.filter(|word| !matches!(*word, "e.g" | "i.e") && is_name(word)).collect()
}
