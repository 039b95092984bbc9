//! What a pasted error message says: the exception, the line, and whose words it is in.

use std::collections::BTreeSet;

use vosim_protocol::v1::problem::Language;

/// An error message, as far as it is understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// One of the known exceptions.
    pub(super) exception: &'static str,
    /// The line of the candidate's file that it points to.
    pub(super) line: Option<u32>,
    /// Set when the shape of the message tells.
    pub(super) language: Option<Language>,
}

/// Reads a message, or a question that names an exception.
///
/// Of several exceptions the one that begins the last line counts: below "during handling of the
/// above exception" stands the one that ended the program.
pub(super) fn read(text: &str, known: &BTreeSet<&'static str>) -> Option<Message> {
    let begins = text.lines().rev().find_map(|line| {
        let name = without_uncaught(line).split([':', ' ']).next()?;
        known.get(name).copied()
    });
    let anywhere = || {
        let mut names = text.split(|c: char| !c.is_ascii_alphanumeric());
        names.find_map(|name| known.iter().copied().find(|known| known.eq_ignore_ascii_case(name)))
    };
    let exception = begins.or_else(anywhere)?;
    let (line, language) = match (python_line(text), javascript_line(text)) {
        (Some(line), _) if text.contains("File \"") => (Some(line), Some(Language::Python)),
        (_, Some(line)) => (Some(line), Some(Language::Javascript)),
        (line, None) => (line, None),
    };
    Some(Message { exception, line, language })
}

/// True when a line is a message, as it is pasted: it begins with a known exception and a colon.
pub(super) fn is_pasted(text: &str, known: &BTreeSet<&'static str>) -> bool {
    text.lines().any(|line| {
        let name = without_uncaught(line).split_once(':').map(|(name, _)| name);
        name.is_some_and(|name| known.contains(name))
    })
}

/// A line without what Node says before the exception.
fn without_uncaught(line: &str) -> &str {
    let line = line.trim_start();
    line.strip_prefix("Uncaught ").unwrap_or(line)
}

/// The last `line 12`: a traceback ends where the error was raised.
fn python_line(text: &str) -> Option<u32> {
    text.rmatch_indices("line ").find_map(|(at, word)| number(&text[at + word.len()..]))
}

/// The first `name.js:12`: a stack begins where the error was thrown. Frames of the runtime itself
/// do not count.
fn javascript_line(text: &str) -> Option<u32> {
    [".js:", ".mjs:", ".cjs:"].into_iter().flat_map(|mark| text.match_indices(mark)).find_map(
        |(at, mark)| {
            let before = text[..at].rsplit([' ', '(', '\n']).next().unwrap_or_default();
            if before.starts_with("node:") { None } else { number(&text[at + mark.len()..]) }
        },
    )
}

/// The number at the beginning of a text; no file has a line 0.
fn number(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok().filter(|line| *line > 0)
}
