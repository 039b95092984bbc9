//! A value as the driver sent it, with its type, and how it compares with what must come back.
//!
//! Comparison goes by type first, and no method of the value is asked: the value was written down in
//! the sandbox by its exact type, and the comparison is made here. What must come back is JSON:
//!
//! | must come back | Python returns | JavaScript returns |
//! |---|---|---|
//! | `null` | `None` | `null`, `undefined` and a hole |
//! | `true` | `True`, never `1` | `true` |
//! | `1` | an int, never `True`, `1.0` or a subclass | `1` and `1.0`, no bigint |
//! | beyond 2^53 | an int, to the last digit | a number or a bigint, to the last digit |
//! | `1.0` | a float, `-0.0` for `0.0` | `1` and `1.0`, `-0` for `0` |
//! | a text | a str of whole characters, unnormalized | the same, no `new String` |
//! | a list | a list: no tuple, set, range or subclass | an array: no subclass, no typed array |
//! | an object | a dict with str keys, in any order | an object whose prototype is `Object`'s or none, no map; symbols are not looked at, getters are |
//!
//! Everything else equals nothing and is shown by its type: NaN and infinities, bytes, complex
//! numbers, enums, dates, symbols, proxies, an object whose getter throws, text with half a
//! surrogate pair, what contains itself, and what is deeper than 24 levels, has more than 100 000
//! parts, or more than a megabyte of text. `tests/values.rs` has a row for each of these.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use vosim_protocol::Json;
use vosim_protocol::v1::problem::Language;

use super::languages::profile;

/// A value that a candidate's code returned.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// JavaScript's other nothing, which is what a method without `return` gives.
    Undefined,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number beyond 64 bits, in digits.
    BigInt(String),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Str(String),
    /// A list.
    List(Vec<Self>),
    /// A tuple, a set or another sequence, by its name.
    Sequence(String, Vec<Self>),
    /// A dictionary or plain object, in its own order.
    Dict(Vec<(Self, Self)>),
    /// JavaScript's map, which is no object with these keys.
    Map(Vec<(Self, Self)>),
    /// Anything else, and what was too large to be sent: a type and a text for display.
    Other {
        /// The name of its type.
        kind: String,
        /// What it looks like.
        text: String,
    },
}

impl Value {
    /// Reads the driver's notation; None when it is none.
    pub fn read(json: Json) -> Option<Self> {
        Some(match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(value),
            Json::Number(number) => Self::Int(number.as_i64()?),
            Json::String(text) => Self::Str(text),
            Json::Array(items) => Self::List(read_all(items)?),
            Json::Object(object) => return Self::read_tagged(object),
        })
    }

    fn read_tagged(mut object: serde_json::Map<String, Json>) -> Option<Self> {
        if object.is_empty() {
            return Some(Self::Undefined);
        }
        if let (Some(kind), Some(text)) = (object.remove("type"), object.remove("repr")) {
            return Some(Self::Other { kind: text_of(kind)?, text: text_of(text)? });
        }
        let mut entries = object.into_iter();
        let (tag, json) = entries.next()?;
        if entries.next().is_some() {
            return None;
        }
        Some(match tag.as_str() {
            "int" => Self::BigInt(text_of(json).filter(|digits| is_beyond(digits))?),
            "float" => Self::Float(text_of(json)?.parse().ok()?),
            "tuple" | "set" | "frozenset" => Self::Sequence(tag, read_all(items_of(json)?)?),
            "dict" => Self::Dict(pairs_of(json)?),
            "map" => Self::Map(pairs_of(json)?),
            _ => return None,
        })
    }

    /// True when it is exactly what must come back.
    pub fn is(&self, expected: &Json, language: Language) -> bool {
        let one_number = notation(language).one_number;
        match (self, expected) {
            (Self::Null | Self::Undefined, Json::Null) => true,
            (Self::Bool(actual), Json::Bool(expected)) => actual == expected,
            (Self::Int(actual), Json::Number(expected)) if one_number && expected.is_f64() => {
                digits_of(expected).as_deref() == Some(&actual.to_string())
            }
            (Self::BigInt(actual), Json::Number(expected)) if one_number && expected.is_f64() => {
                digits_of(expected).as_ref() == Some(actual)
            }
            (Self::Int(actual), Json::Number(expected)) => expected.as_i64() == Some(*actual),
            (Self::BigInt(actual), Json::Number(expected)) => *actual == expected.to_string(),
            (Self::Float(actual), Json::Number(expected)) => {
                expected.is_f64() && expected.as_f64() == Some(*actual)
            }
            (Self::Str(actual), Json::String(expected)) => actual == expected,
            (Self::List(actual), Json::Array(expected)) => {
                let same = |(actual, expected): (&Self, &Json)| actual.is(expected, language);
                actual.len() == expected.len() && actual.iter().zip(expected).all(same)
            }
            (Self::Dict(actual), Json::Object(expected)) => {
                let mut seen = BTreeSet::new();
                let mut known = |(key, value): &(Self, Self)| match key {
                    Self::Str(key) => {
                        seen.insert(key.clone())
                            && expected.get(key).is_some_and(|e| value.is(e, language))
                    }
                    _ => false,
                };
                actual.len() == expected.len() && actual.iter().all(&mut known)
            }
            _ => false,
        }
    }

    /// What comes back from a method that is `async`, in words.
    pub(super) fn awaitable(&self) -> Option<&'static str> {
        match self {
            Self::Other { kind, .. } if kind == "Promise" => Some("promise"),
            Self::Other { kind, .. } if kind == "coroutine" => Some("coroutine"),
            _ => None,
        }
    }

    /// As the language writes it.
    pub fn show(&self, language: Language) -> String {
        let mut text = String::new();
        self.write(&mut text, language);
        text
    }

    fn write(&self, out: &mut String, language: Language) {
        match self {
            Self::Null => out.push_str(notation(language).null),
            Self::Undefined => out.push_str("undefined"),
            Self::Bool(value) => out.push_str(notation(language).of(*value)),
            Self::Int(value) => push(out, value),
            Self::BigInt(digits) => out.push_str(digits),
            Self::Float(value) if value.is_infinite() => {
                out.push_str(if *value < 0.0 { "-" } else { "" });
                out.push_str(notation(language).infinity);
            }
            Self::Float(value) if value.is_nan() => out.push_str(notation(language).nan),
            Self::Float(value) => write_float(out, *value, language),
            Self::Str(text) => quote(out, text),
            Self::List(items) => {
                list(out, ("[", "]"), items, |out, item| item.write(out, language));
            }
            Self::Sequence(kind, items) => {
                let brackets = match (kind.as_str(), items.len()) {
                    ("set", _) if notation(language).named_sets => ("Set {", "}"),
                    ("tuple", 1) => ("(", ",)"),
                    ("tuple", _) => ("(", ")"),
                    ("set", 0) => ("set(", ")"),
                    ("set", _) => ("{", "}"),
                    _ => ("frozenset({", "})"),
                };
                list(out, brackets, items, |out, item| item.write(out, language));
            }
            Self::Dict(entries) => list(out, ("{", "}"), entries, |out, (key, value)| {
                match key {
                    Self::Str(name) => write_key(out, name, language),
                    other => other.write(out, language),
                }
                out.push_str(": ");
                value.write(out, language);
            }),
            Self::Map(entries) => list(out, ("Map {", "}"), entries, |out, (key, value)| {
                key.write(out, language);
                out.push_str(" => ");
                value.write(out, language);
            }),
            Self::Other { kind, text } if text.contains(kind.as_str()) => out.push_str(text),
            Self::Other { kind, text } => push(out, format_args!("{text} ({kind})")),
        }
    }
}

/// What must come back, or an argument, as the language writes it.
pub(super) fn show_json(json: &Json, language: Language) -> String {
    let mut text = String::new();
    write_json(&mut text, json, language);
    text
}

fn write_json(out: &mut String, json: &Json, language: Language) {
    match json {
        Json::Null => out.push_str(notation(language).null),
        Json::Bool(value) => out.push_str(notation(language).of(*value)),
        Json::Number(number) => push(out, number),
        Json::String(text) => quote(out, text),
        Json::Array(items) => {
            list(out, ("[", "]"), items, |out, item| write_json(out, item, language));
        }
        Json::Object(entries) => {
            list(out, ("{", "}"), entries, |out, (key, value)| {
                write_key(out, key, language);
                out.push_str(": ");
                write_json(out, value, language);
            });
        }
    }
}

/// With the exponent as the language writes it: `1e+300`, in Python `1e-07`.
fn write_float(out: &mut String, value: f64, language: Language) {
    let text = format!("{value:?}");
    let Some((digits, exponent)) = text.split_once('e') else { return out.push_str(&text) };
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
    let places = notation(language).exponent_places;
    push(out, format_args!("{digits}e{sign}{exponent:0>places$}"));
}

/// The name of an entry; JavaScript quotes only what is no name.
fn write_key(out: &mut String, key: &str, language: Language) {
    let letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let is_name = key.chars().all(letter) && key.starts_with(|c: char| !c.is_ascii_digit());
    if notation(language).bare_keys && is_name { out.push_str(key) } else { quote(out, key) }
}

/// How a language writes values, and whether it tells its numbers apart.
#[derive(Debug)]
pub(super) struct Notation {
    pub(super) null: &'static str,
    pub(super) infinity: &'static str,
    pub(super) nan: &'static str,
    pub(super) yes: &'static str,
    pub(super) no: &'static str,
    /// Least digits of an exponent.
    pub(super) exponent_places: usize,
    /// Whether a key that is a name stands without quotation marks.
    pub(super) bare_keys: bool,
    /// Whether a set is shown with its type's name.
    pub(super) named_sets: bool,
    /// Whether `1` and `1.0` are the same number.
    pub(super) one_number: bool,
}

impl Notation {
    const fn of(&self, value: bool) -> &'static str {
        if value { self.yes } else { self.no }
    }
}

const fn notation(language: Language) -> &'static Notation {
    profile(language).notation
}

fn push(out: &mut String, what: impl std::fmt::Display) {
    write!(out, "{what}").expect("writing to a String cannot fail");
}

/// A control character as both languages write it.
pub(super) fn escape(out: &mut String, control: char) {
    match control {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        other => push(out, format_args!("\\x{:02x}", u32::from(other))),
    }
}

fn quote(out: &mut String, text: &str) {
    out.push('\'');
    for character in text.chars() {
        match character {
            '\'' => out.push_str("\\'"),
            '\\' => out.push_str("\\\\"),
            control if control.is_control() => escape(out, control),
            other => out.push(other),
        }
    }
    out.push('\'');
}

fn list<T>(
    out: &mut String,
    brackets: (&str, &str),
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut String, T),
) {
    out.push_str(brackets.0);
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write(out, item);
    }
    out.push_str(brackets.1);
}

fn read_all(items: Vec<Json>) -> Option<Vec<Value>> {
    items.into_iter().map(Value::read).collect()
}

fn pairs_of(json: Json) -> Option<Vec<(Value, Value)>> {
    let pair = |json| {
        let mut pair = items_of(json)?.into_iter();
        let read = (Value::read(pair.next()?)?, Value::read(pair.next()?)?);
        pair.next().is_none().then_some(read)
    };
    items_of(json)?.into_iter().map(pair).collect()
}

/// True for a whole number that 64 bits do not hold, as both drivers write it.
fn is_beyond(digits: &str) -> bool {
    let bare = digits.strip_prefix('-').unwrap_or(digits);
    let plain = bare.bytes().all(|byte| byte.is_ascii_digit()) && !bare.starts_with('0');
    plain && !bare.is_empty() && digits.parse::<i64>().is_err()
}

/// All digits of a double that is a whole number.
fn digits_of(number: &serde_json::Number) -> Option<String> {
    // A zero below zero is plain zero on its way here.
    let double = number.as_f64().filter(|double| double.fract() == 0.0)? + 0.0;
    Some(format!("{double:.0}"))
}

fn text_of(json: Json) -> Option<String> {
    match json {
        Json::String(text) => Some(text),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => None,
    }
}

fn items_of(json: Json) -> Option<Vec<Json>> {
    match json {
        Json::Array(items) => Some(items),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(json: Json) -> Value {
        Value::read(json).unwrap()
    }

    #[test]
    fn equal_values_of_another_type_differ() {
        assert!(read(json!(1)).is(&json!(1), Language::Python));
        for other in [json!(true), json!("1"), json!({"float": "1.0"}), json!([1])] {
            assert!(!read(other.clone()).is(&json!(1), Language::Python), "{other}");
        }
        assert!(!read(json!(1)).is(&json!(true), Language::Python));
        assert!(!read(json!(null)).is(&json!(0), Language::Python));
        assert!(!read(json!({"tuple": [1]})).is(&json!([1]), Language::Python));
        assert!(!read(json!({"type": "_Any", "repr": "1"})).is(&json!(1), Language::Python));
    }

    #[test]
    fn floats_and_large_numbers_are_exact() {
        assert!(read(json!({"float": "2.5"})).is(&json!(2.5), Language::Python));
        assert!(read(json!({"float": "2.0"})).is(&json!(2.0), Language::Python));
        assert!(!read(json!({"float": "2.0"})).is(&json!(2), Language::Python));
        assert!(!read(json!({"float": "nan"})).is(&json!(0.5), Language::Python));
        assert!(
            read(json!({"int": "18446744073709551615"})).is(&json!(u64::MAX), Language::Python)
        );
    }

    #[test]
    fn javascript_has_one_kind_of_number_and_two_of_nothing() {
        let is = |value: Json, expected: Json| read(value).is(&expected, Language::Javascript);
        assert!(is(json!(2), json!(2.0)) && is(json!({"float": "2.5"}), json!(2.5)));
        assert!(is(json!({}), json!(null)) && is(json!(null), json!(null)));
        assert!(is(json!([{}]), json!([null])));
        assert!(!is(json!({}), json!(-1)));
        assert!(!is(json!({"float": "NaN"}), json!(0)) && !is(json!(true), json!(1)));
        assert!(!is(json!({"map": [["a", 1]]}), json!({"a": 1})));
        assert!(is(json!({"dict": [["a", 1]]}), json!({"a": 1})));
        assert!(!is(json!({"type": "bigint", "repr": "1n"}), json!(1)));
    }

    #[test]
    fn whole_doubles_compare_by_every_digit() {
        let is =
            |value: Json, expected: f64| read(value).is(&json!(expected), Language::Javascript);
        assert!(is(json!({ "int": "100000000000000000000" }), 1e20));
        assert!(is(json!({ "int": "99999999999999991611392" }), 1e23));
        assert!(!is(json!({ "int": "100000000000000000001" }), 1e20));
        assert!(is(json!(9_007_199_254_740_992_i64), 9_007_199_254_740_992.0));
        assert!(!is(json!(9_007_199_254_740_993_i64), 9_007_199_254_740_992.0));
        assert!(is(json!(0), -0.0) && is(json!(-5), -5.0) && !is(json!(2), 2.5));
        let python = read(json!({ "int": "100000000000000000000" }));
        assert!(!python.is(&json!(1e20), Language::Python), "a float is wanted");
    }

    #[test]
    fn an_entry_that_comes_twice_stands_for_no_other() {
        let twice = read(json!({"dict": [["a", 1], ["a", 1]]}));
        assert!(!twice.is(&json!({"a": 1, "b": 2}), Language::Python));
        assert!(!twice.is(&json!({"a": 1}), Language::Python));
    }

    #[test]
    fn digits_are_a_whole_number_that_has_no_other_notation() {
        for wrong in
            ["", "-", "5", "-9223372036854775808", "1.5", "1e30", "00018446744073709551615"]
        {
            assert_eq!(Value::read(json!({ "int": wrong })), None, "{wrong}");
        }
        assert!(Value::read(json!({ "int": "-9223372036854775809" })).is_some());
    }

    #[test]
    fn nested_values_compare_part_by_part() {
        let value = read(json!({"dict": [["a", [1, null]]]}));
        assert!(value.is(&json!({"a": [1, null]}), Language::Python));
        assert!(!value.is(&json!({"a": [1, 0]}), Language::Python));
        assert!(!value.is(&json!({"a": [1, null], "b": 1}), Language::Python));
    }

    #[test]
    fn a_notation_of_nobody_is_none() {
        for wrong in [
            json!(1.5),
            json!({"int": 3}),
            json!({"list": []}),
            json!({"type": "a"}),
            json!({"dict": [[1]]}),
        ] {
            assert_eq!(Value::read(wrong.clone()), None, "{wrong}");
        }
    }

    #[test]
    fn values_are_shown_as_the_language_writes_them() {
        let value = read(json!([null, true, {"tuple": [1]}, {"set": []}, "it's\n"]));
        assert_eq!(value.show(Language::Python), r"[None, True, (1,), set(), 'it\'s\n']");
        assert_eq!(show_json(&json!([null, false]), Language::Javascript), "[null, false]");
        let value = json!([{}, {"float": "-Infinity"}, {"set": [1]},
            {"map": [[1, "b"]]}, {"dict": [["a", 1], ["b c", 2]]}]);
        let shown = "[undefined, -Infinity, Set {1}, Map {1 => 'b'}, {a: 1, 'b c': 2}]";
        assert_eq!(read(value).show(Language::Javascript), shown);
        let other = read(json!({"type": "_Any", "repr": "1"}));
        assert_eq!(other.show(Language::Python), "1 (_Any)");
    }
}
