//! Words for people as data: what they say, and the sentence and values they were made from.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::time::Time;

/// Words, with what they were made from where they are not somebody's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Phrase {
    /// In English, whole.
    pub text: String,
    /// Names the sentence; absent for words that somebody has chosen: a message, a question, a
    /// reason. `protocol.describe` lists the sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// What stands in the sentence's gaps, for who tells it in another language.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, Value>,
}

impl Phrase {
    /// Words that somebody has chosen, as they are.
    pub fn said(text: impl Into<String>) -> Self {
        Self { text: text.into(), key: None, values: BTreeMap::new() }
    }
}

/// What stands in a gap of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// A number of things, or a number that names one.
    Number(u64),
    /// A name or somebody's own words.
    Text(String),
    // Tried before the two below, each of which would read a list as its fields in a row.
    /// Several.
    List(Vec<Self>),
    /// A length of time.
    Span(Span),
    /// Part of a sentence, from the table or somebody's own.
    Phrase(Phrase),
}

/// A length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// Milliseconds.
    pub ms: u64,
}

impl Span {
    /// So many milliseconds.
    pub fn ms(ms: u64) -> Self {
        Self { ms }
    }

    /// From one moment to a later one.
    pub fn between(from: Time, to: Time) -> Self {
        Self { ms: u64::try_from(to.micros_since(from) / 1_000).unwrap_or(0) }
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Span> for Value {
    fn from(span: Span) -> Self {
        Self::Span(span)
    }
}

impl From<Phrase> for Value {
    fn from(phrase: Phrase) -> Self {
        Self::Phrase(phrase)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(list: Vec<T>) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_reads_back_as_a_list_however_short_it_is() {
        for names in [vec!["a"], vec!["a", "b"], vec!["a", "b", "c"]] {
            let list = Value::from(names);
            let json = serde_json::to_string(&list).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), list);
        }
    }
}
