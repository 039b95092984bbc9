//! The table of sentences, and how one is filled.
//!
//! Every sentence that an event says stands in `english.txt` under its key; code names keys and
//! values, never words. Another language is another table over the same keys. [`phrase!`] checks
//! key and values while it is compiled, so no sentence is ever missing or half filled.
//!
//! A library for translations would bring a dozen crates, a syntax with selectors, attributes and
//! functions, and its errors at run time; gaps, lengths of time and nouns that are counted are all
//! that is needed here. There are no conditions: what differs in more than a value has its own key.
//!
//! [`phrase!`]: crate::phrase

use std::collections::BTreeMap;

use crate::v1::phrase::{Phrase, Span, Value};

/// `KEY = SENTENCE`, one a line; what begins with `#` is a remark. A kind that only tests host has a
/// file of its own.
const ENGLISH: &[&str] = &[
    include_str!("sentences/english.txt"),
    #[cfg(feature = "errand")]
    include_str!("sentences/errand.txt"),
];

/// A sentence of the table with its values, by name; `phrase!("key", name = value, same_name)`.
///
/// The macro does not compile with a key that the table does not have, with a value that the
/// sentence does not use, or without one that it does.
#[macro_export]
macro_rules! phrase {
    (@value $name:ident) => { $name };
    (@value $name:ident $value:expr) => { $value };
    ($key:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        const {
            assert!(
                $crate::v1::sentences::fits($key, &[$(stringify!($name)),*]),
                "the table of sentences has no such key, or its sentence other values",
            );
        }
        $crate::v1::sentences::phrase(
            $key,
            ::std::collections::BTreeMap::from([$((
                ::std::string::String::from(stringify!($name)),
                $crate::v1::phrase::Value::from($crate::phrase!(@value $name $($value)?)),
            )),*]),
        )
    }};
}

/// The sentences by their keys.
pub fn table() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = ENGLISH.iter().flat_map(|file| file.lines()).filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(" = "))
}

/// What [`phrase!`](crate::phrase) makes, once it has checked that key and values fit.
pub fn phrase(key: &'static str, values: BTreeMap<String, Value>) -> Phrase {
    Phrase { text: english(key, &values), key: Some(key.to_owned()), values }
}

/// Clauses in a row; None where there is none.
pub fn all(mut clauses: Vec<Phrase>) -> Option<Phrase> {
    match clauses.len() {
        0 | 1 => clauses.pop(),
        _ => Some(crate::phrase!("clauses", clauses)),
    }
}

/// A sentence, filled; a key that is not in the table stands for itself.
fn english(key: &str, values: &BTreeMap<String, Value>) -> String {
    let sentence = table().find(|(known, _)| *known == key).map_or(key, |(_, sentence)| sentence);
    let mut text = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some((before, (hole, after))) =
        rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        close(&mut text, before);
        fill(&mut text, hole, values);
        rest = after;
    }
    close(&mut text, rest);
    text
}

/// Goes on behind a value, which may have ended its sentence itself.
fn close(text: &mut String, literal: &str) {
    let ended = text.ends_with(['.', '!', '?']);
    text.push_str(literal.strip_prefix('.').filter(|_| ended).unwrap_or(literal));
}

/// `name`, or `name|noun|nouns`.
fn fill(text: &mut String, hole: &str, values: &BTreeMap<String, Value>) {
    let mut parts = hole.split('|');
    let value = parts.next().and_then(|name| values.get(name));
    match (value, parts.next(), parts.next()) {
        (Some(Value::Number(1)), Some(one), _) => text.push_str(&format!("1 {one}")),
        (Some(Value::Number(n)), _, Some(many)) => {
            text.push_str(&format!("{} {many}", thousands(*n)));
        }
        (Some(value), ..) => write(text, value),
        (None, ..) => text.push_str(hole),
    }
}

fn write(text: &mut String, value: &Value) {
    match value {
        Value::Number(number) => text.push_str(&thousands(*number)),
        Value::Text(words) => text.push_str(words),
        Value::Span(length) => text.push_str(&span(*length)),
        Value::Phrase(phrase) => text.push_str(&phrase.text),
        Value::List(items) => {
            // Names stand between commas, clauses may hold some.
            let names = items.iter().all(|item| matches!(item, Value::Text(_) | Value::Number(_)));
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    text.push_str(if names { ", " } else { "; " });
                }
                write(text, item);
            }
        }
    }
}

/// `40 ms`, `14.9 s`, `2 min`, `1 h 2 min 3 s`. What is left of the last unit is dropped, so that
/// 14.99 s never reads as the 15 s that would be too late.
pub fn span(Span { ms }: Span) -> String {
    let (seconds, tenths) = (ms / 1_000, ms / 100 % 10);
    match (ms, tenths) {
        (1..1_000, _) => return format!("{ms} ms"),
        (1_000..60_000, 1..) => return format!("{seconds}.{tenths} s"),
        (0..60_000, _) => return format!("{seconds} s"),
        (60_000.., _) => {}
    }
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")];
    let parts = parts.iter().filter(|(n, _)| *n > 0).map(|(n, unit)| format!("{n} {unit}"));
    parts.collect::<Vec<_>>().join(" ")
}

/// `10,000`.
fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// True where the table has the key, and its sentence has a gap for each of the names and no other.
pub const fn fits(key: &str, names: &[&str]) -> bool {
    let key = key.as_bytes();
    let mut file = 0;
    while file < ENGLISH.len() {
        let table = ENGLISH[file].as_bytes();
        let mut at = 0;
        while at < table.len() {
            let end = find(table, at, b'\n');
            if has(table, at, key) && has(table, at + key.len(), b" = ") {
                return gaps_are(table, at + key.len(), end, names);
            }
            at = end + 1;
        }
        file += 1;
    }
    false
}

/// True where the gaps between two places have these names.
const fn gaps_are(table: &[u8], from: usize, to: usize, names: &[&str]) -> bool {
    // A name is found at least once if as many different ones are found as there are names.
    let mut met = 0;
    let mut at = find(table, from, b'{');
    while at < to {
        let Some(name) = name_at(table, at + 1, names) else { return false };
        met |= 1_u32 << name;
        at = find(table, at + 1, b'{');
    }
    met.count_ones() as usize == names.len()
}

/// The name that a gap begins with.
const fn name_at(table: &[u8], at: usize, names: &[&str]) -> Option<usize> {
    let mut place = 0;
    while place < names.len() {
        let end = at + names[place].len();
        if has(table, at, names[place].as_bytes()) && (table[end] == b'}' || table[end] == b'|') {
            return Some(place);
        }
        place += 1;
    }
    None
}

const fn find(table: &[u8], from: usize, byte: u8) -> usize {
    let mut at = from;
    while at < table.len() && table[at] != byte {
        at += 1;
    }
    at
}

const fn has(table: &[u8], at: usize, part: &[u8]) -> bool {
    let mut place = 0;
    while place < part.len() {
        if at + place >= table.len() || table[at + place] != part[place] {
            return false;
        }
        place += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn lengths_of_time_never_read_longer_than_they_are() {
        let all = [0, 40, 999, 14_999, 45_000, 59_999, 60_000, 90_500, 3_600_000, 3_723_000];
        let read = all.map(|ms| span(Span::ms(ms)));
        let short = ["0 s", "40 ms", "999 ms", "14.9 s", "45 s", "59.9 s", "1 min"];
        assert_eq!(read[..7], short);
        assert_eq!(read[7..], ["1 min 30 s", "1 h", "1 h 2 min 3 s"]);
    }

    #[test]
    fn a_sentence_is_filled_from_its_values() {
        let (number, class, passed, total) = (3u32, "X", 1u32, 3u32);
        let verdict = phrase!("verdict.failed", number, class, passed, total);
        let told = phrase!("verdict.failing", verdict, failing = vec!["a", "b"]);
        assert_eq!(told.text, "Submission 3: X, 1 of 3 tests passed. Failing: a, b.");
        let lines = |lines: u64| phrase!("code.lines", lines).text;
        assert_eq!([lines(1), lines(12_345)], ["1 line", "12,345 lines"]);
        let aborted = |reason: &str| phrase!("own_cases.aborted", reason).text;
        assert_eq!(
            aborted("no Python was found"),
            "Own cases could not be run: no Python was found."
        );
        assert_eq!(
            aborted("There is no Python."),
            "Own cases could not be run: There is no Python."
        );
        let vec = vec![phrase!("code.again"), Phrase::said("and more")];
        assert_eq!(all(vec).unwrap().text, "the same code as before; and more");
    }

    #[test]
    fn only_the_values_of_a_sentence_fit_it() {
        assert!(fits("code.lines", &["lines"]));
        assert!(!fits("code.lines", &[]) && !fits("code.lines", &["lines", "more"]));
        assert!(!fits("code.lines", &["line"]) && !fits("code.line", &["lines"]));
        assert!(!fits("code", &[]) && !fits("", &[]));
    }

    #[test]
    fn each_line_of_the_table_is_one_sentence_with_whole_gaps() {
        let lines = ENGLISH.iter().flat_map(|file| file.lines());
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        assert_eq!(lines.count(), table().count());
        let keys: BTreeSet<_> = table().map(|(key, _)| key).collect();
        assert_eq!(keys.len(), table().count(), "a key stands twice");
        for (key, sentence) in table() {
            assert!(key.bytes().all(|b| b.is_ascii_lowercase() || b"._".contains(&b)), "{key}");
            let gaps = sentence.split('{').skip(1);
            for gap in gaps {
                let (gap, _) = gap.split_once('}').unwrap_or_else(|| panic!("{key}: {gap}"));
                assert!([0, 2].contains(&gap.matches('|').count()), "{key}: {gap}");
            }
            assert_eq!(sentence.trim(), sentence, "{key}");
        }
    }
}
