//! Tells when a candidate declines a question, so that it is not asked again.

use std::sync::LazyLock;

use crate::parts::lists::list;
use crate::parts::text::words;

/// Longest message that can decline, words.
const DECLINE_WORDS_MAX: usize = 14;

const LISTS: &str = include_str!("decline.txt");
/// Clauses that decline when they stand alone.
static ALONE: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "alone"));
/// Runs of words that decline inside a clause.
static INSIDE: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "inside"));
/// Words after "I don't know" that make it a question about the task.
const ASKING: [&str; 3] = ["if", "whether", "yet"];
/// Words that begin a clause of their own: "no idea, maybe a map".
const TURNS: [&str; 7] = ["but", "maybe", "perhaps", "probably", "however", "though", "guess"];

/// True for a short message that declines and says nothing else: every other clause hits nothing.
pub(super) fn declines(text: &str, all: &[String], hits: impl Fn(&[String]) -> bool) -> bool {
    if all.len() > DECLINE_WORDS_MAX {
        return false;
    }
    let mut declined = false;
    for clause in clauses(text) {
        match declining(&clause) {
            Some(true) => declined = true,
            Some(false) => return false,
            None if hits(&clause) => return false,
            None => {}
        }
    }
    declined && !(text.contains('?') && all.iter().any(|word| ASKED.contains(&word.as_str())))
}

/// True for a sentence that says of its speaker that something was not thought of, known or done: "I did not
/// think about the cost", "no idea what that needs".
pub(crate) fn denies(sentence: &str) -> bool {
    clauses(sentence).iter().any(|clause| {
        let plain: Vec<_> = clause.iter().map(|word| word.replace('\'', "")).collect();
        declining(clause) == Some(true) || disowns(&plain)
    })
}

/// The speaker, a negation, and a verb of thinking or doing, close together and in this order.
fn disowns(clause: &[String]) -> bool {
    let is = |word: &String, list: &[&str]| list.contains(&word.as_str());
    clause.iter().enumerate().any(|(at, word)| {
        if !is(word, &SPEAKERS) {
            return false;
        }
        let after = &clause[at + 1..];
        let negated = after.iter().take(DISOWN_REACH).position(|word| is(word, &NEGATED));
        negated.is_some_and(|not| {
            after[not + 1..].iter().take(DISOWN_REACH).any(|word| is(word, &OWNED))
        })
    })
}

/// How far a negation stands behind its speaker, and a verb behind the negation, words.
const DISOWN_REACH: usize = 3;
const SPEAKERS: [&str; 4] = ["i", "ive", "we", "weve"];
const NEGATED: [&str; 12] = [
    "not", "never", "didnt", "dont", "havent", "hadnt", "cant", "cannot", "couldnt", "wont", "no",
    "wasnt",
];
const OWNED: [&str; 26] = [
    "think",
    "thought",
    "thinking",
    "consider",
    "considered",
    "look",
    "looked",
    "know",
    "knew",
    "check",
    "checked",
    "cover",
    "covered",
    "care",
    "cared",
    "understand",
    "understood",
    "sure",
    "remember",
    "say",
    "analysed",
    "analyzed",
    "measured",
    "tested",
    "handle",
    "handled",
];

/// Words of a question that goes on where a declined one would end.
const ASKED: [&str; 5] = ["what", "how", "which", "does", "is"];

fn clauses(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for part in text.split([',', ';', '.', ':', '!', '?', '\n', '–', '—']) {
        let mut clause = Vec::new();
        for word in words(part) {
            if TURNS.contains(&word.as_str()) && !clause.is_empty() {
                found.push(std::mem::take(&mut clause));
            }
            clause.push(word);
        }
        found.push(clause);
    }
    found
}

/// Some(true) when a clause declines, Some(false) when it asks about the task instead.
fn declining(clause: &[String]) -> Option<bool> {
    let plain: Vec<_> = clause.iter().map(|word| word.replace('\'', "")).collect();
    let line = plain.join(" ");
    if ALONE.contains(&line.as_str()) {
        return Some(true);
    }
    let line = format!(" {line} ");
    let phrase = INSIDE.iter().find_map(|phrase| line.split_once(&format!(" {phrase} ")))?;
    let next = phrase.1.split_whitespace().next();
    Some(!next.is_some_and(|next| ASKING.contains(&next)))
}
