//! Whether a text looks like a question, and which parts of a message may be one.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::parts::lists::list;
use crate::parts::text::{sentences, words};

/// The words by which a question is known, and the ways of asking that any interview may bring.
pub(super) const LISTS: &str = include_str!("../asking.txt");

/// Words up to which a message is taken as a whole.
const SHORT: usize = 30;
/// Words up to which a sentence before a question belongs to it.
const LEADING: usize = 15;
/// Words behind "how many" among which what is counted stands.
const COUNTED_WITHIN: usize = 2;
/// Most questions of one message that are looked at.
const PIECES_MAX: usize = 3;

/// How far a text looks like a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// It is built as one.
    Question,
    /// It only ends in a question mark.
    Marked,
    /// It does, and is an answer that somebody is not sure of: "O(1), I guess?".
    Hedged,
    /// It does, and holds more than what asks.
    Unsure,
    /// It does neither.
    Plain,
}

struct Lists {
    begins: BTreeSet<&'static str>,
    interrogatives: BTreeSet<&'static str>,
    verbs: BTreeSet<&'static str>,
    subjects: BTreeSet<&'static str>,
    openers: BTreeSet<&'static str>,
    before: BTreeSet<&'static str>,
    pairs: BTreeSet<&'static str>,
    counted: BTreeSet<&'static str>,
    amounts: BTreeSet<&'static str>,
    numbers: Vec<String>,
    runs: Vec<String>,
    answers: Vec<String>,
}

static WORDS: LazyLock<Lists> = LazyLock::new(|| {
    let set = |name| list(LISTS, name).into_iter().collect();
    let runs = |name| list(LISTS, name).into_iter().map(|run| format!(" {run} ")).collect();
    Lists {
        begins: set("begins"),
        interrogatives: set("interrogatives"),
        verbs: set("verbs"),
        subjects: set("subjects"),
        openers: set("openers"),
        before: set("before"),
        pairs: set("pairs"),
        counted: set("counted"),
        amounts: set("amounts"),
        numbers: runs("numbers"),
        runs: runs("runs"),
        answers: runs("answers"),
    }
});

impl Form {
    pub(super) fn of(text: &str) -> Self {
        let marked = is_marked(text);
        let one = sentences(text).len() == 1;
        let said = words(text);
        let line = format!(" {} ", said.join(" "));
        let hedges = WORDS.answers.iter().any(|run| line.contains(run.as_str()));
        let mut rest = said.iter().map(String::as_str).skip_while(|it| WORDS.before.contains(it));
        let (first, second) = (rest.next().unwrap_or(""), rest.next().unwrap_or(""));
        let inverted = WORDS.verbs.contains(first) && WORDS.subjects.contains(second)
            || WORDS.openers.contains(first) && !second.is_empty()
            || WORDS.pairs.contains(format!("{first} {second}").as_str());
        let ends = text.trim_end_matches(|c: char| "\")”".contains(c)).ends_with(['?', '？']);
        let formed = inverted || ends && WORDS.interrogatives.contains(first);
        match one && formed {
            true if marked && hedges => Self::Unsure,
            true => Self::Question,
            false if marked && hedges && one => Self::Hedged,
            false if marked && one => Self::Marked,
            false if marked => Self::Unsure,
            false => Self::Plain,
        }
    }
}

/// The parts of a message that may ask something, and whether they are all of it.
pub(super) fn pieces(text: &str) -> (Vec<&str>, bool) {
    if !may_ask(text) {
        return (Vec::new(), false);
    }
    let all = sentences(text);
    let asking: Vec<_> = (0..all.len()).filter(|at| is_marked(all[*at])).collect();
    match asking[..] {
        [_, _, ..] => {
            let whole = asking.len() == all.len() && asking.len() <= PIECES_MAX;
            (asking.iter().take(PIECES_MAX).map(|at| all[*at]).collect(), whole)
        }
        _ if words(text).len() <= SHORT => (vec![text.trim()], true),
        [at] => (vec![with_leading(text, &all, at)], false),
        [] => (Vec::new(), false),
    }
}

/// A sentence together with the one before it, where that is short.
fn with_leading<'t>(text: &'t str, all: &[&'t str], at: usize) -> &'t str {
    let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let leading = at.checked_sub(1).map(|before| all[before]);
    match leading.filter(|before| words(before).len() < LEADING) {
        Some(before) => &text[offset(before)..offset(all[at]) + all[at].len()],
        None => all[at],
    }
}

/// True when a text may ask at all: by a mark, by its first word, or by words that ask.
pub fn may_ask(text: &str) -> bool {
    let said = words(text);
    let begins = said.first().is_some_and(|first| WORDS.begins.contains(first.as_str()));
    let line = format!(" {} ", said.join(" "));
    is_marked(text) || begins || WORDS.runs.iter().any(|run| line.contains(run.as_str()))
}

/// True when a text asks how many there are of what no interview has, or how much: "how many calls will there
/// be?", "how much data?".
pub(super) fn counts_of_problem(text: &str) -> bool {
    let said = words(text);
    let behind = |how: &str| {
        let at = said.windows(2).position(|pair| pair[0] == "how" && pair[1] == how);
        at.map(|at| said[at + 2..].iter().take(COUNTED_WITHIN))
    };
    let many = behind("many")
        .is_some_and(|mut counted| !counted.any(|word| WORDS.counted.contains(word.as_str())));
    let much = behind("much")
        .is_some_and(|mut amount| amount.any(|word| WORDS.amounts.contains(word.as_str())));
    many || much
}

/// What a text counts, each in the singular: the words right behind "how many". None where it counts nothing, or does
/// not say what.
pub(super) fn counted(text: &str) -> BTreeSet<String> {
    let said = words(text);
    let behind =
        said.windows(2).enumerate().filter(|(_, pair)| pair[0] == "how" && pair[1] == "many");
    let named = |word: &&String| {
        let word = word.as_str();
        !WORDS.verbs.contains(word) && !WORDS.subjects.contains(word) && word.len() > 2
    };
    let of = |(at, _): (usize, &[String])| {
        let noun = said[at + 2..].iter().take(COUNTED_WITHIN).take_while(named);
        noun.map(|word| singular(word)).collect::<Vec<_>>()
    };
    behind.flat_map(of).collect()
}

/// What a way of asking may count, each in the singular: what it says it counts, else all its words where it asks
/// for a number.
pub(super) fn countable(way: &str) -> BTreeSet<String> {
    let counted = counted(way);
    if !counted.is_empty() {
        return counted;
    }
    let said = words(way);
    let line = format!(" {} ", said.join(" "));
    match WORDS.numbers.iter().any(|run| line.contains(run.as_str())) {
        true => said.iter().map(|word| singular(word)).collect(),
        false => BTreeSet::new(),
    }
}

/// A noun without the ending of its plural.
pub(super) fn singular(word: &str) -> String {
    let cut = |end: &str| word.strip_suffix(end).filter(|rest| rest.len() > 2);
    if let Some(stem) = cut("ies") {
        return format!("{stem}y");
    }
    let hissing = ["sses", "xes", "ches", "shes"].iter().any(|end| word.ends_with(end));
    let stem = if hissing { cut("es") } else { cut("s").filter(|rest| !rest.ends_with('s')) };
    stem.unwrap_or(word).to_owned()
}

fn is_marked(text: &str) -> bool {
    text.contains(['?', '？'])
}
