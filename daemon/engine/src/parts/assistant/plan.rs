//! Tells a plan of an implementation from an explanation.
//!
//! A plan says what to do, in the form of a command ("create a map", "start by creating"); an
//! explanation says what happens ("the map grows"). Only the first kind of verb counts.

use std::sync::LazyLock;

use crate::parts::lists::list;
use crate::parts::text::words;

/// Steps that make a plan (001 8.2: step-by-step implementation plans).
const STEPS: usize = 3;
/// Steps among them that write or change something.
const CHANGES: usize = 2;
/// Commands anywhere in an answer that make a plan without numbers.
const COMMANDS: usize = 4;
/// How far behind "first" or "then" the verb may stand, words.
const REACH: usize = 5;

const LISTS: &str = include_str!("plan.txt");
/// Verbs of writing or changing something.
static CHANGE: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "change"));
/// Verbs of looking.
static LOOK: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "look"));
/// Words before the verb of a command.
static BEFORE: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "before"));
/// Words of order.
static ORDER: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "order"));

/// What stands before an item of a list, or before a heading.
const BULLETS: &str = "-–—*+•·◦▪‣→»#✓☐";
/// Words between a verb and its object.
const THING: [&str; 9] = ["a", "an", "the", "each", "every", "new", "it", "its", "one"];

#[derive(Clone, Copy, PartialEq)]
enum Verb {
    Change,
    Look,
}

/// True for a numbered or listed plan, for "first … then … finally", and for a row of commands.
pub(super) fn is_plan(text: &str) -> bool {
    let text = &without_names(text);
    let words = words(text);
    is_steps(items(text).iter().filter_map(|item| command(item)))
        || is_steps(ordered(&words))
        || numbered_steps(&words) >= STEPS
        || commands(text) >= COMMANDS
}

/// A text whose names between backticks are no verbs: "`append` costs …", but "`add` a node".
fn without_names(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`')
        && let Some((name, left)) = after.split_once('`')
    {
        kept.push_str(before);
        kept.push_str(if has_object(left) { name } else { "name" });
        rest = left;
    }
    kept.push_str(rest);
    kept
}

fn has_object(after: &str) -> bool {
    let next = after.trim_start();
    THING.iter().any(|word| next.strip_prefix(word).is_some_and(|rest| rest.starts_with(' ')))
}

fn is_steps(verbs: impl Iterator<Item = Verb>) -> bool {
    let verbs: Vec<_> = verbs.collect();
    let changes = verbs.iter().filter(|verb| **verb == Verb::Change).count();
    verbs.len() >= STEPS && changes >= CHANGES
}

fn verb(word: &str) -> Option<Verb> {
    let is = |list: &[&str]| list.iter().any(|verb| *verb == word || is_doing(word, verb));
    if is(&CHANGE) { Some(Verb::Change) } else { is(&LOOK).then_some(Verb::Look) }
}

/// "creating" of "create", "setting" of "set".
fn is_doing(word: &str, verb: &str) -> bool {
    word.strip_suffix("ing").is_some_and(|stem| {
        stem == verb
            || verb.strip_suffix('e') == Some(stem)
            || stem.strip_prefix(verb).is_some_and(|last| last.len() == 1 && verb.ends_with(last))
    })
}

/// The verb of a command at the beginning of some words.
fn command(words: &[String]) -> Option<Verb> {
    let first = words.iter().find(|word| !BEFORE.contains(&word.as_str()))?;
    verb(first)
}

/// What follows each number or mark of a list, also inside a line.
fn items(text: &str) -> Vec<Vec<String>> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut open = false;
        for (at, part) in line.split_whitespace().enumerate() {
            let bullet = at == 0 && part.chars().all(|c| BULLETS.contains(c));
            if bullet || is_number_of_item(part) {
                found.push(String::new());
                open = true;
            } else if open && let Some(item) = found.last_mut() {
                item.push_str(part);
                item.push(' ');
            }
        }
    }
    found.iter().map(|item| words(item)).collect()
}

/// "1." "2)" "(3)" "4:" "a)" "iv." and the same in bold; a digit on a key or in a circle.
fn is_number_of_item(part: &str) -> bool {
    let part = part.trim_matches(['*', '#']);
    let circle = |c: char| matches!(c, '\u{2460}'..='\u{2473}' | '\u{2776}'..='\u{2793}');
    if part.strip_suffix('\u{20e3}').is_some_and(|key| key.len() == 1)
        || part.starts_with(circle) && part.chars().count() == 1
    {
        return true;
    }
    let Some(number) = part.strip_suffix(['.', ')', ':']) else { return false };
    let number = number.strip_prefix('(').unwrap_or(number);
    let digits = (1..=2).contains(&number.len()) && number.chars().all(|c| c.is_ascii_digit());
    let letter = number.len() == 1 && number.chars().all(|c| c.is_ascii_lowercase());
    digits || letter || matches!(number, "ii" | "iii" | "iv" | "vi" | "vii" | "viii" | "ix")
}

/// The verbs that follow words of order.
fn ordered(words: &[String]) -> impl Iterator<Item = Verb> {
    let is_order = |word: &String| ORDER.contains(&word.as_str());
    words.iter().enumerate().filter(move |(_, word)| is_order(word)).filter_map(move |(at, _)| {
        let after = words[at + 1..].iter().take(REACH);
        after.take_while(|word| !is_order(word)).find_map(|word| verb(word))
    })
}

/// How many different steps are named: "step 1", "step two".
fn numbered_steps(words: &[String]) -> usize {
    const NAMES: [&str; 10] = ["1", "2", "3", "4", "5", "one", "two", "three", "four", "five"];
    let named = |name: &str| words.windows(2).any(|pair| pair[0] == "step" && pair[1] == name);
    NAMES.iter().filter(|name| named(name)).count()
}

/// How many clauses command a change.
fn commands(text: &str) -> usize {
    let mut count = 0;
    for part in text.split(['.', ',', ';', ':', '!', '?', '\n', '(', ')', '–', '—']) {
        for clause in words(part).split(|word| matches!(word.as_str(), "and" | "then" | "or")) {
            if command(clause) == Some(Verb::Change) {
                count += 1;
            }
        }
    }
    count
}
