//! [`Misread`]: a value that does not fit the format, in words for the schema's author.

use std::fmt::{self, Display};

use serde::de::{Expected, Unexpected};

use crate::content::interview::faults::joined;
use crate::toml_text::one_line;

/// Most characters of a text that is quoted.
const QUOTED_MAX: usize = 40;

/// A mistake in a value, and the way to it.
#[derive(Debug)]
pub(super) struct Misread {
    /// The steps to the value, innermost first.
    way: Vec<String>,
    /// The byte where the value begins.
    pub(super) at: Option<usize>,
    /// The mistake: the rest of a sentence that begins with the name of the value.
    pub(super) message: String,
}

impl Misread {
    fn new(message: String) -> Self {
        Self { way: Vec::new(), at: None, message }
    }

    /// Adds the part in which the mistake is, which begins at this byte.
    pub(super) fn within(mut self, part: String, at: usize) -> Self {
        self.way.push(part);
        self.at.get_or_insert(at);
        self
    }

    /// Returns the place, for example `sections.frame.minimum.loads`.
    pub(super) fn place(&self) -> String {
        let place = self.way.iter().rev().fold(String::new(), |place, part| joined(&place, part));
        one_line(&place)
    }
}

impl Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place(), self.message)
    }
}

impl std::error::Error for Misread {}

impl serde::de::Error for Misread {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(one_line(&message.to_string()))
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let (is, must) = (found(unexpected), wanted(&expected.to_string()));
        Self::new(format!("is {is}; it must be {must}"))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let (is, must) = (quoted(variant), expected.join(" or "));
        Self::new(format!("is {is}; it must be {must}"))
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("is not a known key; there are {}", expected.join(", ")))
    }

    fn missing_field(field: &'static str) -> Self {
        Self { way: vec![field.to_owned()], ..Self::new("is missing".to_owned()) }
    }
}

fn found(unexpected: Unexpected<'_>) -> String {
    match unexpected {
        Unexpected::Str(text) => format!("the text {}", quoted(text)),
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Other(text) => shown(text),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a table".to_owned(),
        other => other.to_string(),
    }
}

/// Returns what the format asks for; serde names it after types.
fn wanted(expected: &str) -> String {
    match expected {
        "u32" => format!("a whole number from 0 to {}", u32::MAX),
        "a boolean" => "true or false".to_owned(),
        "a string" => "a text in quotation marks".to_owned(),
        "a sequence" => "a list in square brackets".to_owned(),
        table if table.starts_with("struct ") => "a table".to_owned(),
        other => other.to_owned(),
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", shown(text))
}

/// Returns a text in one line that is not too long.
fn shown(text: &str) -> String {
    let mut line = one_line(text);
    if let Some((end, _)) = line.char_indices().nth(QUOTED_MAX) {
        line.replace_range(end.., "...");
    }
    line
}
