//! Code in the middle of a sentence, without any mark: `then d[k] = v, and o.append(k)`.

use super::statement::{PROSE, assigns};

/// Most words of a value.
const VALUE_WORDS: usize = 8;
/// Signs between a name and its value.
const SIGNS: [&str; 8] = ["=", ":=", "+=", "-=", "*=", "/=", "|=", "&="];
/// Words that end a value, beside those of sentences.
const ENDS: [&str; 16] = [
    "and", "then", "or", "so", "where", "with", "means", "gives", "makes", "if", "because",
    "before", "after", "as", "but", "while",
];

/// The assignments of a sentence; one of a mere number tells a size: "with n = 1,000".
pub(super) fn assignments(sentence: &str) -> Vec<String> {
    let words: Vec<_> = sentence.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let value = if SIGNS.contains(word) { value(&words[at + 1..]) } else { String::new() };
        let whole = match *word {
            _ if !value.is_empty() => format!("{} {word} {value}", names(&words[..at])),
            word if word.contains('=') && !SIGNS.contains(&word) => closed(word).to_owned(),
            _ => continue,
        };
        if !is_size(&whole) && whole.starts_with(begins_name) && assigns(&whole) {
            found.push(whole);
        }
    }
    found
}

/// The names before a sign: one, or several with commas between.
fn names(before: &[&str]) -> String {
    let is_name = |word: &&str| word.ends_with(',') && word.starts_with(begins_name);
    let others = before.iter().rev().skip(1).take_while(|word| is_name(word)).count();
    let first = before.len().saturating_sub(1 + others);
    before[first..].join(" ").trim_start_matches(opens).to_owned()
}

/// The words after a sign, up to the next assignment or the end of the thought.
fn value(after: &[&str]) -> String {
    let is_sign = |word: &&str| SIGNS.contains(word);
    let mut value = Vec::new();
    for (at, word) in after.iter().take(VALUE_WORDS).enumerate() {
        let next = at > 0 && after.get(at + 1).is_some_and(is_sign);
        if next || is_sign(word) || PROSE.contains(word) || ENDS.contains(word) {
            break;
        }
        value.push(*word);
        if word.ends_with(['.', ';', '?', '!']) {
            break;
        }
    }
    value.join(" ")
}

/// `d={}` out of "(d={},"; nothing of the middle of a call, as in "popitem(last=false)".
fn closed(word: &str) -> &str {
    let word = word.trim_start_matches(opens).trim_end_matches(['.', ',', ';', ':', '"', '\'']);
    let count = |bracket: char| word.matches(bracket).count();
    if count('(') == count(')') { word } else { "" }
}

fn opens(c: char) -> bool {
    matches!(c, '(' | '"' | '\'' | '*' | '“' | '„' | '«')
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_size(assignment: &str) -> bool {
    let sign = |c: char| c.is_ascii_digit() || " .,;:_-+*/^()%".contains(c);
    let value = assignment.rsplit('=').next().and_then(|value| value.split_whitespace().next());
    value.is_none_or(|value| value.chars().all(sign))
}

/// The calls of a sentence, a growth such as `o(n)` left out.
pub(super) fn calls(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split_whitespace().map(|word| word.trim_start_matches(opens)).filter(|word| {
        let Some((name, inside)) = word.split_once('(') else { return false };
        let path = |c: char| c.is_alphanumeric() || "_.[]".contains(c);
        name.len() > 1
            && name.starts_with(begins_name)
            && name.chars().all(path)
            && inside.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    })
}
