//! The entries of the assistant: reading them, and finding the one that a question is about.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use serde::Deserialize;
use vosim_engine::parts::text::words;
use vosim_protocol::v1::problem::Language;

use super::message::Message;

/// The files of the binary; a test compares the list with the folder.
pub(super) const FILES: [(&str, &str); 7] = [
    ("complexity.toml", include_str!("../../../content/assistant/complexity.toml")),
    ("errors_javascript.toml", include_str!("../../../content/assistant/errors_javascript.toml")),
    ("errors_python.toml", include_str!("../../../content/assistant/errors_python.toml")),
    ("javascript.toml", include_str!("../../../content/assistant/javascript.toml")),
    ("python.toml", include_str!("../../../content/assistant/python.toml")),
    ("structures.toml", include_str!("../../../content/assistant/structures.toml")),
    ("testing.toml", include_str!("../../../content/assistant/testing.toml")),
];

/// Up to this length a stem is a whole word, but for an `s` at its end; a longer one is the
/// beginning of a word. Bytes.
const WHOLE_WORD_MAX: usize = 5;
/// What a word of a stem counts beside its length, so that three words beat one long one.
const WORD_POINTS: usize = 10;
/// An entry must account for one of so many words that carry the question.
const COVERED_ONE_IN: usize = 4;

/// Words that any question may hold.
const COMMON: &str = "a about actually after all an and any are as at be before between by can compare \
    compared concept could define definition describe differ difference different do \
    does exactly explain for from give good happens has have hello help hi how i i'm if \
    in is isn't it its javascript js just know like make me mean meaning means my need \
    node not of on one or please python quick say should some tell term than that the \
    there thing this to understand use used using vs was what what's when which why will \
    with work";

/// One thing the assistant knows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) id: String,
    /// A question that must lead here.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests ask it"))]
    pub(super) question: String,
    #[serde(default)]
    pub(super) language: Option<Language>,
    /// The exception whose meaning this is.
    #[serde(default)]
    pub(super) kind: Option<String>,
    asks: Vec<Vec<Stem>>,
    pub(super) answer: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryFile {
    entry: Vec<Entry>,
}

/// A word, the beginning of one, several in a row, or a run of operators.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "String")]
struct Stem {
    words: Vec<String>,
    /// Set instead of words.
    operator: Option<String>,
    points: usize,
}

impl From<String> for Stem {
    fn from(text: String) -> Self {
        let words = words(&text);
        let operator = words.is_empty().then(|| text.clone());
        Self { points: WORD_POINTS * words.len().max(1) + text.len(), words, operator }
    }
}

/// A question, taken apart.
#[derive(Debug)]
pub(super) struct Asked {
    words: Vec<String>,
    operators: BTreeSet<String>,
    language: Option<Language>,
}

impl Asked {
    pub(super) fn new(question: &str, language: Option<Language>) -> Self {
        let words = words(question);
        let is_operator = |c: char| "=!<>+-*/%&|?[]{}.^~".contains(c);
        let operators = question.split(|c: char| !is_operator(c));
        let operators = operators.filter(|run| !run.is_empty()).flat_map(|run| {
            // The mark at the end of the question may stand right behind the operator.
            [run, run.trim_end_matches(['?', '.'])]
        });
        let operators = operators.map(str::to_owned).collect();
        let language = named_language(&words).or(language);
        Self { words, operators, language }
    }

    /// Where the words of a stem stand; an operator stands nowhere but counts.
    fn find(&self, stem: &Stem) -> Option<Vec<usize>> {
        if let Some(operator) = &stem.operator {
            return self.operators.contains(operator).then(Vec::new);
        }
        let length = stem.words.len();
        let mut places = Vec::new();
        for (at, row) in self.words.windows(length).enumerate() {
            if row.iter().zip(&stem.words).all(|(word, stem)| fits(word, stem)) {
                places.extend(at..at + length);
            }
        }
        (!places.is_empty()).then_some(places)
    }

    /// True when the question holds a word or a beginning of one.
    pub(super) fn mentions(&self, stems: &[&str]) -> bool {
        stems.iter().any(|stem| self.find(&Stem::from((*stem).to_owned())).is_some())
    }

    /// True when the question holds exactly this word, whatever its case.
    pub(super) fn names(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.words.contains(&word)
    }

    /// The line that the question names, as in "line 12".
    pub(super) fn line(&self) -> Option<usize> {
        let mut pairs = self.words.windows(2);
        pairs.find_map(|pair| (pair[0] == "line").then(|| pair[1].parse().ok())?)
    }

    /// True when the entry says enough about what was asked.
    fn is_covered(&self, found: &Found) -> bool {
        let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
        let carries = |word: &&String| {
            !COMMON.split_whitespace().any(|common| common == *word) && !is_number(word)
        };
        let carrying = self.words.iter().filter(carries).count();
        found.places.len() * COVERED_ONE_IN >= carrying
    }
}

/// What languages are also called.
const ALSO_CALLED: [(&str, Language); 4] = [
    ("python3", Language::Python),
    ("py", Language::Python),
    ("js", Language::Javascript),
    ("nodejs", Language::Javascript),
];

/// The one language that is named.
fn named_language(words: &[String]) -> Option<Language> {
    let called = |language: Language| {
        let also = ALSO_CALLED.iter().filter(move |(_, of)| *of == language);
        also.map(|(name, _)| *name).chain([language.name()])
    };
    let named =
        |language: &Language| called(*language).any(|name| words.iter().any(|word| word == name));
    let mut all = Language::ALL.into_iter().filter(named);
    all.next().filter(|_| all.next().is_none())
}

fn fits(word: &str, stem: &str) -> bool {
    match word.strip_prefix(stem) {
        Some(rest) => stem.len() > WHOLE_WORD_MAX || matches!(rest, "" | "s" | "'s"),
        None => false,
    }
}

/// How well an entry fits a question.
struct Found {
    points: usize,
    places: BTreeSet<usize>,
}

impl Entry {
    /// Every group must be hit; the longest stem of each counts.
    fn find(&self, asked: &Asked) -> Option<Found> {
        let mut found = Found { points: 0, places: BTreeSet::new() };
        for group in &self.asks {
            let mut best = None;
            for stem in group {
                if let Some(places) = asked.find(stem) {
                    found.places.extend(places);
                    best = best.max(Some(stem.points));
                }
            }
            found.points += best?;
        }
        Some(found)
    }

    /// 3 for an entry of the language that is asked about, 2 for one of none, 0 for one of another.
    fn language_fit(&self, asked: &Asked) -> u8 {
        match (self.language, asked.language) {
            (None, _) => 2,
            (Some(_), None) => 1,
            (Some(own), Some(other)) if own == other || other.extends() == Some(own) => 3,
            (Some(_), Some(_)) => 0,
        }
    }
}

/// All entries, in the order of the files and their lines: the order that breaks ties.
pub(super) fn all() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let read = |(_, text): (&str, &str)| toml::from_str::<EntryFile>(text);
        let files = FILES.into_iter().map(read).collect::<Result<Vec<_>, _>>();
        let files = files.expect("a test reads every entry of the binary");
        files.into_iter().flat_map(|file| file.entry).collect()
    })
}

/// The names of the exceptions that the assistant knows.
pub(super) fn exceptions() -> BTreeSet<&'static str> {
    all().iter().filter_map(|entry| entry.kind.as_deref()).collect()
}

/// The entry that a question is about: of another language only if there is no other, then by
/// points, then the language that is asked about, then the first.
pub(super) fn best(asked: &Asked) -> Option<&'static Entry> {
    pick(asked, |entry| {
        let mut found = entry.find(asked).filter(|_| !entry.asks.is_empty())?;
        let named = entry.kind.as_deref().is_some_and(|kind| asked.names(kind));
        match entry.kind {
            Some(_) if named => found.points += WORD_POINTS,
            // Its words are those of a message; a question that holds them may mean the thing.
            Some(_) => found.points = found.points.saturating_sub(WORD_POINTS),
            None => {}
        }
        (named || asked.is_covered(&found)).then_some(found.points)
    })
    .or_else(|| pick(asked, |entry| asked.names(entry.kind.as_deref()?).then_some(0)))
}

/// The entry for a message: of the exception's entries the one whose words it holds, else the
/// general one.
pub(super) fn of_exception(asked: &Asked, message: &Message) -> Option<&'static Entry> {
    let language = message.language.or(asked.language);
    let asked = &Asked { words: asked.words.clone(), operators: asked.operators.clone(), language };
    pick(asked, |entry| {
        let same = entry.kind.as_deref() == Some(message.exception);
        same.then(|| entry.find(asked).map(|found| found.points))?
    })
}

fn pick(asked: &Asked, points: impl Fn(&Entry) -> Option<usize>) -> Option<&'static Entry> {
    let mut best: Option<((bool, usize, u8), &Entry)> = None;
    for entry in all() {
        if let Some(points) = points(entry) {
            let fit = entry.language_fit(asked);
            let rank = (fit > 0, points, fit);
            if best.is_none_or(|(other, _)| rank > other) {
                best = Some((rank, entry));
            }
        }
    }
    let (_, entry) = best?;
    tracing::debug!(entry = entry.id, "the assistant knows an answer");
    Some(entry)
}
