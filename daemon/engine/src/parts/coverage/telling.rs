//! Tells whether a candidate told the latest verdict as it is.
//!
//! A text is cut into clauses. One that speaks of passing or failing is a statement; wishes,
//! conditions and what was earlier are none. The last statement decides.

use std::sync::LazyLock;

use crate::parts::lists::list;
use crate::parts::text::words;

const LISTS: &str = include_str!("telling.txt");
/// Words that make a clause a wish, a plan, a condition or a memory.
static NOT_NOW: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "not_now"));
/// Words that begin a clause.
const TURNS: [&str; 9] =
    ["and", "but", "then", "now", "so", "because", "since", "although", "while"];
const NEGATIONS: [&str; 14] = [
    "not", "never", "cannot", "can't", "cant", "don't", "dont", "doesn't", "doesnt", "didn't",
    "isn't", "aren't", "won't", "without",
];
const ALL: [&str; 5] = ["all", "every", "everything", "each", "both"];
const NONE: [&str; 5] = ["none", "no", "nothing", "zero", "neither"];
const NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

/// What a clause says.
#[derive(Clone, Copy)]
struct Statement {
    passing: bool,
    count: Count,
}

#[derive(Clone, Copy, PartialEq)]
enum Count {
    Unsaid,
    All,
    Number(u32),
}

/// Whether a text tells the latest verdict as it is: all passed, so many of so many, or failing.
///
/// `passed` and `total` are the cases of the latest verdict; with no case there is nothing to
/// tell.
pub fn tells_verdict(text: &str, passed: u32, total: u32) -> bool {
    let last = clauses(text).iter().rev().find_map(|clause| statement(clause, total));
    total > 0 && last.is_some_and(|last| last.is_true(passed, total))
}

impl Statement {
    fn is_true(self, passed: u32, total: u32) -> bool {
        let named = if self.passing { passed } else { total.saturating_sub(passed) };
        match self.count {
            Count::Number(count) => named == count,
            Count::All => named == total,
            Count::Unsaid => (passed == total) == self.passing,
        }
    }
}

fn clauses(text: &str) -> Vec<Vec<String>> {
    let text = text.replace('/', " of ");
    let mut found = Vec::new();
    for sentence in text.split_inclusive(['.', '!', '?', '\n']) {
        if sentence.ends_with('?') {
            continue;
        }
        for part in sentence.split([',', ';', ':', '(', ')', '–', '—']) {
            let part = words(part);
            let mut clause: Vec<String> = Vec::new();
            for (at, word) in part.iter().enumerate() {
                let exception = word == "but" && part.get(at + 1).is_some_and(|w| is_number(w));
                if TURNS.contains(&word.as_str()) && !exception {
                    found.push(std::mem::take(&mut clause));
                }
                clause.push(word.clone());
            }
            found.push(clause);
        }
    }
    found
}

fn statement(clause: &[String], total: u32) -> Option<Statement> {
    let has = |list: &[&str]| clause.iter().any(|word| list.contains(&word.as_str()));
    if has(&NOT_NOW) {
        return None;
    }
    let figures = figures(clause, total);
    let verb = clause.iter().find_map(|word| polarity(word));
    let Some(passing) = verb else {
        return figures.map(|count| Statement { passing: true, count: Count::Number(count) });
    };
    if let Some(left_out) = left_out(clause) {
        return Some(Statement { passing: !passing, count: Count::Number(left_out) });
    }
    if let Some(count) = figures {
        return Some(Statement {
            passing: passing != has(&NEGATIONS),
            count: Count::Number(count),
        });
    }
    if has(&NEGATIONS) {
        // "not all pass" says that some fail, "two do not pass" how many.
        let count = number(clause).filter(|_| !has(&ALL)).map_or(Count::Unsaid, Count::Number);
        return Some(Statement { passing: !passing, count });
    }
    let count = if has(&NONE) {
        Count::Number(0)
    } else if has(&ALL) {
        Count::All
    } else {
        number(clause).map_or(Count::Unsaid, Count::Number)
    };
    Some(Statement { passing, count })
}

/// Some(true) for a word of passing, Some(false) for one of failing.
fn polarity(word: &str) -> Option<bool> {
    if ["pass", "passes", "passed", "passing", "green", "succeed", "succeeds", "succeeded"]
        .contains(&word)
    {
        Some(true)
    } else if word.starts_with("fail") || ["red", "broken"].contains(&word) {
        Some(false)
    } else {
        None
    }
}

/// The `n` of "n of m", "n out of m", "n of the m", where m is the number of cases.
fn figures(clause: &[String], total: u32) -> Option<u32> {
    clause.iter().enumerate().find_map(|(at, word)| {
        let count = value(word)?;
        let mut after = clause[at + 1..].iter().map(String::as_str).peekable();
        after.next_if_eq(&"out");
        after.next_if_eq(&"of")?;
        after.next_if_eq(&"the");
        after.next_if_eq(&"all");
        (after.next().and_then(value) == Some(total)).then_some(count)
    })
}

/// How many "all but two", "everything except one" leaves out.
fn left_out(clause: &[String]) -> Option<u32> {
    let at = clause.iter().position(|word| word == "but" || word.starts_with("except"))?;
    Some(number(&clause[at + 1..]).unwrap_or(1))
}

fn number(clause: &[String]) -> Option<u32> {
    clause.iter().find_map(|word| value(word))
}

fn is_number(word: &str) -> bool {
    value(word).is_some()
}

fn value(word: &str) -> Option<u32> {
    let spelled = NUMBERS.iter().position(|number| *number == word);
    spelled.and_then(|at| u32::try_from(at).ok()).or_else(|| word.parse().ok())
}
