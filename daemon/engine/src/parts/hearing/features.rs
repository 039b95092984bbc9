//! What a message shows to the model: each feature a place in the table of weights, with a value.

use std::collections::BTreeSet;

use vosim_protocol::v1::problem::Interface;

use super::spelling::Vocabulary;
use crate::parts::text::words;

/// How many places the table of weights has.
pub const BUCKETS: usize = 1 << PLACES_BITS;
const PLACES_BITS: u32 = 18;

/// The value of a feature that is simply there; that of a word falls with the length of its message.
const ONE: u64 = 1024;

/// A place in the table of weights and how much of it there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Below [`BUCKETS`].
    pub place: u32,
    /// Above zero, at most a few thousand.
    pub value: i32,
}

/// The question that a message answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedFor<'a> {
    /// The dimension that it asks for, and which of that dimension's questions it is; none for a prompt,
    /// which asks for every dimension of its section.
    pub about: Option<(&'a str, usize)>,
    /// Its words.
    pub text: &'a str,
}

/// How a question stands to a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It asks for it.
    Asked,
    /// It is a prompt and asks for it among others.
    Prompted,
    /// It asks for another one.
    Beside,
}

impl AskedFor<'_> {
    /// How the question stands to a dimension.
    pub fn way(&self, dimension: &str) -> Way {
        match self.about {
            None => Way::Prompted,
            Some((about, _)) if about == dimension => Way::Asked,
            Some(_) => Way::Beside,
        }
    }
}

/// The names of a problem: what was learned with one problem serves the others, because that a name is
/// named counts beside which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The calls of its interface, in lower case.
    calls: BTreeSet<String>,
    /// The words, without their endings, that its statement does not share with others.
    terms: BTreeSet<String>,
}

impl Names {
    /// `common` are the words that statements share, without their endings.
    pub fn new(interface: &Interface, statement: &str, common: &BTreeSet<String>) -> Self {
        let calls = match interface {
            Interface::Class { name, methods, .. } => {
                methods.iter().map(|method| &method.name).chain([name]).collect()
            }
            Interface::Function(function) => vec![&function.name],
        };
        let terms = roots(statement).difference(common).cloned().collect();
        Self { calls: calls.into_iter().map(|name| name.to_lowercase()).collect(), terms }
    }
}

/// The words of a text without their endings.
pub fn roots(text: &str) -> BTreeSet<String> {
    words(text).iter().map(|word| root(word, &BTreeSet::new())).collect()
}

/// A message as the model reads it, whatever dimension it is weighed for.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Each word once, then each pair of words once, as they stand in the text.
    phrases: Vec<Phrase>,
    is_heap: bool,
    /// How it is said.
    manner: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Phrase {
    text: String,
    hash: u32,
    pair: bool,
}

/// The phrases of a message, each with the features that it makes for one dimension.
pub type Phrases<'m> = Vec<(&'m str, Vec<Feature>)>;

impl Reading {
    /// Reads a message.
    pub fn new(text: &str, asked: AskedFor<'_>, names: &Names, known: &Vocabulary) -> Self {
        let mut said = words(text);
        known.mend(&mut said, |word| names.know(word));
        let roots: Vec<_> = said.iter().map(|word| root(word, &names.calls)).collect();
        let plain: Vec<_> = roots.iter().map(|root| names.plain(root)).collect();
        let mut seen = BTreeSet::new();
        let mut phrases = Vec::new();
        let mut take = |text: String, key: &str, pair| {
            let hash = hash(if pair { "pair:" } else { "word:" }, key);
            if seen.insert(hash) {
                phrases.push(Phrase { text, hash, pair });
            }
        };
        for (word, root) in said.iter().zip(&roots) {
            take(word.clone(), root, false);
        }
        for (at, pair) in said.windows(2).enumerate() {
            take(pair.join(" "), &roots[at..at + 2].join(" "), true);
        }
        for (word, plain) in said.iter().zip(&plain).filter(|(_, plain)| **plain == TERM) {
            take(word.clone(), plain, false);
        }
        for (at, pair) in said.windows(2).enumerate() {
            if plain[at..at + 2].contains(&TERM) {
                take(pair.join(" "), &plain[at..at + 2].join(" "), true);
            }
        }
        let mut manner = manner(text, &said, &roots, asked.text, &names.calls);
        let terms = plain.iter().filter(|word| **word == TERM).count();
        let reached = TERMS_STEPS.iter().filter(|step| terms >= **step);
        manner.extend(reached.map(|step| hash("manner:", &format!("terms{step}"))));
        let holds =
            |word: &&String| SMALL.contains(&word.as_str()) || HOLDING.contains(&word.as_str());
        let holding = said.iter().filter(holds).count();
        let is_heap = said.len() >= HEAP_MIN && holding * 100 < said.len() * HEAP_PERCENT;
        Self { phrases, is_heap, manner }
    }

    /// True for many words that nothing holds together.
    pub fn is_heap(&self) -> bool {
        self.is_heap
    }

    /// What it shows of a dimension beside its phrases: how it is said, and the dimension's signal groups
    /// that it hits.
    pub fn manner(
        &self,
        dimension: &str,
        asked: AskedFor<'_>,
        groups: &BTreeSet<u8>,
    ) -> Vec<Feature> {
        let views = Views::new(dimension, asked);
        let mut found = Vec::new();
        for hash in &self.manner {
            found.extend(views.of_manner(*hash));
        }
        for group in groups {
            found.extend(views.of_manner(hash("group:", &group.to_string())));
        }
        for count in 1..=groups.len() {
            found.extend(views.of_manner(hash("groups:", &count.to_string())));
        }
        found
    }

    /// Its phrases, with what each shows of a dimension.
    pub fn phrases(&self, dimension: &str, asked: AskedFor<'_>) -> Phrases<'_> {
        let views = Views::new(dimension, asked);
        let count = |pair| self.phrases.iter().filter(|phrase| phrase.pair == pair).count();
        let (words, pairs) = (share(count(false)), share(count(true)));
        let features = |phrase: &Phrase| {
            if phrase.pair {
                views.of_pair(phrase.hash, pairs)
            } else {
                views.of_word(phrase.hash, words)
            }
        };
        self.phrases.iter().map(|phrase| (phrase.text.as_str(), features(phrase))).collect()
    }
}

/// The ways in which a feature is seen.
struct Views {
    /// For the dimension.
    dimension: u32,
    /// For the dimension, and whether the question asked for it.
    asked: u32,
    /// For the question, where it asked for the dimension; else for what it asked for instead.
    question: u32,
    /// For any dimension that was asked for, or any that was not.
    any: u32,
    is_asked: bool,
}

impl Views {
    fn new(dimension: &str, asked: AskedFor<'_>) -> Self {
        let of = hash("dimension:", dimension);
        let is_asked = asked.way(dimension) != Way::Beside;
        let question = match asked.about {
            None => format!("{dimension}:prompt"),
            Some((about, _)) if !is_asked => format!("{dimension}:instead:{about}"),
            Some((_, place)) => format!("{dimension}:{place}"),
        };
        Self {
            dimension: of,
            asked: mix(of, if is_asked { 1 } else { 2 }),
            question: hash("question:", &question),
            any: if is_asked { 11 } else { 12 },
            is_asked,
        }
    }

    fn of_word(&self, hash: u32, share: u64) -> Vec<Feature> {
        let mut found = vec![
            feature(self.dimension, hash, 2 * share),
            feature(self.asked, hash, 2 * share),
            feature(self.any, hash, share * 7 / 5),
        ];
        if self.is_asked {
            found.push(feature(self.question, hash, share * 7 / 5));
        }
        found
    }

    fn of_pair(&self, hash: u32, share: u64) -> Vec<Feature> {
        vec![
            feature(self.dimension, hash, 2 * share),
            feature(self.asked, hash, share),
            feature(self.any, hash, share),
        ]
    }

    fn of_manner(&self, hash: u32) -> [Feature; 4] {
        [
            feature(self.dimension, hash, ONE * 9 / 50),
            feature(self.asked, hash, ONE * 3 / 10),
            feature(self.any, hash, ONE * 3 / 10),
            feature(self.question, hash, ONE / 5),
        ]
    }
}

/// What each of so many phrases counts: together they have the length one, so that a long message does
/// not weigh more than a short one.
fn share(count: usize) -> u64 {
    let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
    (ONE * ONE / count).isqrt()
}

fn feature(view: u32, hash: u32, value: u64) -> Feature {
    let place = mix(view, hash) & ((1 << PLACES_BITS) - 1);
    Feature { place, value: i32::try_from(value).unwrap_or(i32::MAX) }
}

/// FNV-1a with a last stirring: the same on every machine, for ever.
pub(crate) fn hash(sort: &str, text: &str) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(16_777_619);
    let hash = sort.bytes().chain(text.bytes()).fold(2_166_136_261, step);
    mix(hash, 0)
}

fn mix(one: u32, other: u32) -> u32 {
    let mut mixed = one ^ other.wrapping_mul(0x9E37_79B1);
    mixed ^= mixed >> 16;
    mixed = mixed.wrapping_mul(0x7FEB_352D);
    mixed ^= mixed >> 15;
    mixed = mixed.wrapping_mul(0x846C_A68B);
    mixed ^ (mixed >> 16)
}

/// What stands for a term of the statement.
const TERM: &str = "~";
/// What stands for a call of the interface.
const CALL: &str = "@";

impl Names {
    fn know(&self, word: &str) -> bool {
        let root = root(word, &self.calls);
        root == CALL || self.terms.contains(&root)
    }

    /// A word without its ending, or what stands for it where it is a term of the statement.
    fn plain<'w>(&self, root: &'w str) -> &'w str {
        if self.terms.contains(root) { TERM } else { root }
    }
}

/// A word without its ending; all numbers are one word, and so are all names of the interface.
pub(crate) fn root(word: &str, calls: &BTreeSet<String>) -> String {
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return "#".to_owned();
    }
    if calls.contains(word) {
        return CALL.to_owned();
    }
    let ends = |end: &&&str| word.len() >= end.len() + 3 && word.ends_with(**end);
    let end = ENDINGS.iter().find(ends).filter(|_| word.len() > 4);
    word[..word.len() - end.map_or(0, |end| end.len())].to_owned()
}

const ENDINGS: [&str; 14] = [
    "ingly", "edly", "ations", "ation", "ings", "ing", "ies", "ied", "ers", "ed", "es", "er", "ly",
    "s",
];

const NEGATIONS: [&str; 22] = [
    "not", "no", "never", "didn't", "don't", "haven't", "can't", "cannot", "nothing", "idea",
    "none", "nor", "dunno", "idk", "without", "dont", "didnt", "havent", "cant", "hasn't", "isn't",
    "won't",
];
const HEDGES: [&str; 16] = [
    "maybe",
    "guess",
    "think",
    "probably",
    "perhaps",
    "suppose",
    "possibly",
    "might",
    "sure",
    "somehow",
    "something",
    "some",
    "kind",
    "sort",
    "stuff",
    "things",
];
const JOINTS: [&str; 16] = [
    "because",
    "since",
    "so",
    "therefore",
    "otherwise",
    "hence",
    "thus",
    "cause",
    "cos",
    "else",
    "unless",
    "if",
    "when",
    "after",
    "before",
    "then",
];
/// Words that hold sentences together: heaps of terms have few of them.
const SMALL: [&str; 30] = [
    "the", "a", "an", "of", "to", "in", "is", "it", "and", "or", "that", "this", "for", "on",
    "with", "as", "be", "are", "was", "if", "then", "so", "at", "by", "from", "i", "we", "you",
    "it's", "its",
];

/// Words that hold a short answer together as small ones do: "A map plus a list: O(1) each."
const HOLDING: [&str; 3] = ["plus", "each", "per"];

/// How many terms of the statement make a difference.
const TERMS_STEPS: [usize; 4] = [1, 2, 4, 7];

/// Fewest words of a heap of terms, and below which share of words that hold together it is one, percent.
const HEAP_MIN: usize = 6;
const HEAP_PERCENT: usize = 10;

/// How a message is said, whatever it is about.
fn manner(
    text: &str,
    said: &[String],
    roots: &[String],
    question: &str,
    calls: &BTreeSet<String>,
) -> Vec<u32> {
    let mut found = vec![hash("manner:", "any")];
    let mut steps = |name: &str, count: usize, steps: &[usize]| {
        let reached = steps.iter().filter(|step| count >= **step);
        found.extend(reached.map(|step| hash("manner:", &format!("{name}{step}"))));
    };
    let count = |list: &[&str]| said.iter().filter(|word| list.contains(&word.as_str())).count();
    let percent = |part: usize| if said.is_empty() { 0 } else { part * 100 / said.len() };
    steps("negations", count(&NEGATIONS), &[1, 2, 3, 5]);
    steps("hedges", count(&HEDGES), &[1, 2, 3, 5]);
    steps("joints", count(&JOINTS), &[1, 2, 3, 5]);
    let numbers = said.iter().filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).count();
    steps("numbers", numbers, &[1, 2, 4, 8]);
    steps("calls", said.iter().filter(|word| calls.contains(*word)).count(), &[1, 2, 4]);
    for mark in ["(", "?", "==", "->", "→", "`"] {
        steps(mark, usize::from(text.contains(mark)), &[1]);
    }
    steps("commas", percent(text.matches(',').count()), &[20, 35]);
    steps("small", percent(count(&SMALL)), &[5, 15, 25, 35, 45]);
    let asked: BTreeSet<_> = words(question).iter().map(|word| root(word, calls)).collect();
    let echoed = roots.iter().filter(|root| asked.contains(*root)).count();
    steps("echo", percent(echoed), &[20, 35, 50, 65, 80]);
    let is_new = |(word, root): &(&String, &String)| {
        !SMALL.contains(&word.as_str()) && !asked.contains(*root)
    };
    let new: BTreeSet<_> = said.iter().zip(roots).filter(is_new).map(|(_, root)| root).collect();
    steps("new", new.len(), &[1, 2, 3, 5, 8, 12, 18, 25, 35, 50]);
    let different = roots.iter().collect::<BTreeSet<_>>().len();
    steps("repeated", percent(roots.len() - different), &[30]);
    found
}
