//! What one message says: its words, the signals it hits, and what holds it back.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use vosim_protocol::v1::coverage::{Coverage, Dimension, Guard};

use super::{Signals, decline};
use crate::parts::lists::list;
use crate::parts::text::{closes, sentences, words};

/// Words in a row that are compared with what the candidate was told (notes, echo guard).
const RUN: usize = 3;
/// From this share of told runs on a message is an echo, percent (notes, echo guard).
const ECHO_PERCENT: usize = 60;
/// Longest inside of quotation marks that makes a quoted name, characters.
const QUOTED_MAX: usize = 64;
/// Words that give a reason.
const REASONS: [&str; 7] =
    ["because", "since", "therefore", "hence", "thus", "otherwise", "consequently"];
/// Runs of words that give a reason.
const REASON_RUNS: [[&str; 2]; 5] =
    [["so", "that"], ["due", "to"], ["which", "means"], ["that", "means"], ["that", "way"]];
const LISTS: &str = include_str!("hearing.txt");
/// Beginnings of words that name a value at an edge.
static EDGES: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "edges"));

/// What a message says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// The words.
    pub word_count: u32,
    /// What holds it back: an echo, stuffing, a declined question, or that it only asks.
    pub guard: Option<Guard>,
    /// True when it holds a specific: a number, `O(…)`, a quoted or called name, a named value at
    /// an edge, or a word that gives a reason.
    pub specific: bool,
    /// The groups it hits; empty for an echo and a declined question.
    pub signals: Signals,
    /// What it comes to by the session's weights, for each dimension that was learned.
    pub weighed: BTreeMap<String, Coverage>,
}

impl Heard {
    /// With what was weighed. By weights a short exact answer is no stuffing, though each word of it be a
    /// signal; `is_heap` is whether the words hold together by nothing.
    pub fn weighed(self, weighed: BTreeMap<String, Coverage>, is_heap: bool) -> Self {
        let guard = self.guard.filter(|guard| *guard != Guard::Stuffing || is_heap);
        Self { guard, weighed, ..self }
    }
}

/// Weighs one message.
///
/// `told` is all that was shown to the candidate: statement, prompt, questions, cards.
pub fn hear(text: &str, dimensions: &[Dimension], told: &[&str]) -> Heard {
    Hearing::new(dimensions, told).hear(text)
}

/// What messages of a section are weighed against, prepared once.
pub(crate) struct Hearing {
    stems: Vec<Stem>,
    /// The words of each text that was told.
    told: Vec<Vec<String>>,
}

struct Stem {
    dimension: String,
    group: u8,
    words: Vec<String>,
}

impl Hearing {
    pub(crate) fn new(dimensions: &[Dimension], told: &[&str]) -> Self {
        let stems = dimensions.iter().flat_map(stems).collect();
        let told = told.iter().map(|text| words(text)).collect();
        Self { stems, told }
    }

    pub(crate) fn hear(&self, text: &str) -> Heard {
        let words = words(text);
        let (signals, hits) = self.signals(&words);
        let guard = if decline::declines(text, &words, |clause| self.hits(clause)) {
            Some(Guard::Declined)
        } else if self.is_echo(&words) {
            Some(Guard::Echo)
        } else if only_asks(text) {
            Some(Guard::Question)
        } else if hits * 2 > words.len() {
            Some(Guard::Stuffing)
        } else {
            None
        };
        let word_count = u32::try_from(words.len()).unwrap_or(u32::MAX);
        if matches!(guard, Some(Guard::Declined | Guard::Echo)) {
            let (signals, weighed) = (BTreeMap::new(), BTreeMap::new());
            return Heard { word_count, guard, specific: false, signals, weighed };
        }
        let specific = is_specific(text, &words);
        Heard { word_count, guard, specific, signals, weighed: BTreeMap::new() }
    }

    /// True when some words hit a signal.
    fn hits(&self, words: &[String]) -> bool {
        self.stems.iter().any(|stem| (0..words.len()).any(|at| stem.matches(&words[at..])))
    }

    /// The groups that are hit, and how many words hit one.
    fn signals(&self, words: &[String]) -> (Signals, usize) {
        let mut signals = Signals::new();
        let mut hit = vec![false; words.len()];
        for stem in &self.stems {
            let mut found = false;
            for at in (0..words.len()).filter(|&at| stem.matches(&words[at..])) {
                hit[at..at + stem.words.len()].fill(true);
                found = true;
            }
            if found {
                signals.entry(stem.dimension.clone()).or_default().insert(stem.group);
            }
        }
        (signals, hit.iter().filter(|&&hit| hit).count())
    }

    fn is_echo(&self, words: &[String]) -> bool {
        // How often each run is said; a message is shorter than what was told.
        let mut said = BTreeMap::<&[String], usize>::new();
        for run in words.windows(RUN) {
            *said.entry(run).or_default() += 1;
        }
        let runs: usize = said.values().sum();
        let told = self.told.iter().flat_map(|told| told.windows(RUN));
        let told: usize = told.filter_map(|run| said.remove(run)).sum();
        runs > 0 && told * 100 >= runs * ECHO_PERCENT
    }
}

impl Stem {
    /// True when words begin with this stem: its last word may go on.
    fn matches(&self, words: &[String]) -> bool {
        let Some((last, before)) = self.words.split_last() else { return false };
        words.len() > before.len()
            && words[before.len()].starts_with(last.as_str())
            && words[..before.len()] == *before
    }
}

/// True when each sentence of a text is a question: who asks what the limits are has not named them.
fn only_asks(text: &str) -> bool {
    let mut all = sentences(text).into_iter().filter(|sentence| !words(sentence).is_empty());
    all.by_ref().next().is_some_and(asks) && all.all(asks)
}

fn asks(sentence: &str) -> bool {
    sentence.trim_end_matches(closes).ends_with(['?', '？']) && !sentence.contains(';')
}

fn stems(dimension: &Dimension) -> Vec<Stem> {
    let group = |(index, group): (usize, &Vec<String>)| -> Vec<Stem> {
        let Ok(index) = u8::try_from(index) else { return Vec::new() };
        let stem = |text: &String| {
            let dimension = dimension.id.clone();
            Stem { dimension, group: index, words: stem_words(text) }
        };
        group.iter().map(stem).filter(|stem| !stem.words.is_empty()).collect()
    };
    dimension.signals.iter().enumerate().flat_map(group).collect()
}

/// The words of a stem; one that ends in a bracket, as `o(` does, keeps it.
fn stem_words(stem: &str) -> Vec<String> {
    let word = |part: &str| {
        if part.ends_with('(') { vec![part.to_lowercase()] } else { words(part) }
    };
    stem.split_whitespace().flat_map(word).collect()
}

fn is_specific(text: &str, words: &[String]) -> bool {
    words.iter().any(|word| {
        word.starts_with(|c: char| c.is_ascii_digit())
            || word.contains('(')
            || REASONS.contains(&word.as_str())
            || EDGES.iter().any(|edge| word.starts_with(edge))
    }) || words.windows(2).any(|pair| REASON_RUNS.iter().any(|run| pair == run))
        || names_something(text)
}

/// True for a quoted name, or one that is called: `get(key)`, but not `key(s)`.
fn names_something(text: &str) -> bool {
    let mut before = ' ';
    let mut name = 0;
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let opens = !before.is_alphanumeric();
        let quoted = match c {
            '`' => closed(rest, '`'),
            '"' => closed(rest, '"'),
            '“' => closed(rest, '”'),
            '«' => closed(rest, '»'),
            '\'' if opens => closed(rest, '\''),
            _ => false,
        };
        let called = c == '(' && name >= 2 && !rest.starts_with("s)") && !rest.starts_with("es)");
        if quoted || called {
            return true;
        }
        name = if c.is_alphanumeric() || c == '_' { name + 1 } else { 0 };
        before = c;
    }
    false
}

/// True when a quotation ends soon, on the same line and not in the middle of a word.
fn closed(text: &str, close: char) -> bool {
    let mut inside = text.char_indices().take(QUOTED_MAX).take_while(|&(_, c)| c != '\n');
    inside.find(|&(_, c)| c == close).is_some_and(|(at, _)| {
        text[..at].contains(char::is_alphanumeric)
            && !text[at + close.len_utf8()..].starts_with(char::is_alphanumeric)
    })
}
