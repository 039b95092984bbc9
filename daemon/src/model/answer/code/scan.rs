//! Lines of a program with their depth, without comments and texts, and what they define.

use std::ops::RangeInclusive;

use vosim_protocol::v1::problem::Syntax;

/// Columns to the next stop of a tab.
const TAB: usize = 8;
/// Longest name that is repeated to the candidate, bytes.
const NAME_BYTES_MAX: usize = 40;
/// Words that look like the name of a method before a bracket.
const NO_NAMES: [&str; 7] = ["if", "for", "while", "switch", "catch", "function", "return"];

/// A line that holds something.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// From 1.
    pub(super) number: usize,
    /// The indentation in Python, the blocks around it in JavaScript.
    pub(super) level: usize,
    /// Without comment, the contents of texts and blanks at the ends.
    pub(super) text: String,
}

/// A class, function or method.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) line: usize,
    /// The place in the program's lines.
    pub(super) at: usize,
    pub(super) is_class: bool,
    /// First and last line.
    pub(super) range: RangeInclusive<usize>,
}

/// The syntax of a program that came without one.
pub(super) fn guess(text: &str) -> Syntax {
    let python = text.lines().any(|line| {
        let line = line.trim();
        (line.starts_with("def ") || line.starts_with("class ")) && line.ends_with(':')
    });
    if python { Syntax::Python } else { Syntax::Javascript }
}

/// The lines that hold something.
pub(super) fn lines(text: &str, syntax: Syntax) -> Vec<Line> {
    let mut stripper = Stripper { syntax, inside: None };
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let bare = stripper.strip(line);
        let trimmed = bare.trim();
        let closing = trimmed.chars().take_while(|c| *c == '}').count();
        let level = match syntax {
            Syntax::Python => indentation(line),
            Syntax::Javascript => depth.saturating_sub(closing),
        };
        let count = |mark: char| trimmed.chars().filter(|c| *c == mark).count();
        depth = (depth + count('{')).saturating_sub(count('}'));
        if !trimmed.is_empty() {
            found.push(Line { number: index + 1, level, text: trimmed.to_owned() });
        }
    }
    found
}

fn indentation(line: &str) -> usize {
    let blanks = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    blanks.fold(0, |column, c| if c == '\t' { (column / TAB + 1) * TAB } else { column + 1 })
}

/// Takes comments and the contents of texts out, also of those over several lines.
struct Stripper {
    syntax: Syntax,
    /// What ends the text or comment that is open at the end of a line.
    inside: Option<&'static str>,
}

impl Stripper {
    fn strip(&mut self, line: &str) -> String {
        let mut kept = String::with_capacity(line.len());
        let mut rest = line;
        while !rest.is_empty() {
            if let Some(end) = self.inside {
                let Some((_, after)) = rest.split_once(end) else { return kept };
                self.inside = None;
                rest = after;
                continue;
            }
            let (comment, opens): (&str, &[(&str, &'static str)]) = match self.syntax {
                Syntax::Python => ("#", &[("\"\"\"", "\"\"\""), ("'''", "'''")]),
                Syntax::Javascript => ("//", &[("/*", "*/"), ("`", "`")]),
            };
            if rest.starts_with(comment) {
                return kept;
            }
            if let Some((open, end)) = opens.iter().find(|(open, _)| rest.starts_with(open)) {
                self.inside = Some(end);
                rest = &rest[open.len()..];
                continue;
            }
            let Some(first) = rest.chars().next() else { return kept };
            rest = &rest[first.len_utf8()..];
            kept.push(first);
            if matches!(first, '"' | '\'') {
                rest = after_text(rest, first);
                kept.push(first);
            }
        }
        kept
    }
}

/// What follows the text that a quotation mark opened; nothing if it is not closed.
fn after_text(rest: &str, mark: char) -> &str {
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == mark => return &rest[at + c.len_utf8()..],
            _ => {}
        }
    }
    ""
}

/// What is defined, in the order of the lines.
pub(super) fn definitions(lines: &[Line], syntax: Syntax) -> Vec<Definition> {
    let found = lines.iter().enumerate().filter_map(|(at, line)| {
        let (name, is_class) = match syntax {
            Syntax::Python => python_name(&line.text),
            Syntax::Javascript => javascript_name(&line.text),
        }?;
        let inside = lines[at + 1..].iter().take_while(|inner| inner.level > line.level);
        let last = inside.last().map_or(line.number, |inner| inner.number);
        let range = line.number..=last;
        Some(Definition { name, line: line.number, at, is_class, range })
    });
    found.collect()
}

fn python_name(text: &str) -> Option<(String, bool)> {
    let text = text.strip_prefix("async ").unwrap_or(text);
    match text.strip_prefix("class ") {
        Some(rest) => Some((identifier(rest)?, true)),
        None => Some((identifier(text.strip_prefix("def ")?)?, false)),
    }
}

fn javascript_name(text: &str) -> Option<(String, bool)> {
    let text = text.strip_prefix("export ").unwrap_or(text);
    let text = text.strip_prefix("static ").unwrap_or(text);
    let text = text.strip_prefix("async ").unwrap_or(text);
    if let Some(rest) = text.strip_prefix("class ") {
        return Some((identifier(rest)?, true));
    }
    if let Some(rest) = text.strip_prefix("function ") {
        return Some((identifier(rest)?, false));
    }
    if let Some(rest) = text.strip_prefix("const ").or_else(|| text.strip_prefix("let ")) {
        let arrow = rest.contains("=>") || rest.contains("= function");
        return arrow.then(|| identifier(rest)).flatten().map(|name| (name, false));
    }
    let name = identifier(text)?;
    let rest = text.strip_prefix(name.as_str())?;
    let is_method = rest.trim_start().starts_with('(')
        && rest.contains(") {")
        && !NO_NAMES.contains(&name.as_str());
    is_method.then_some((name, false))
}

/// The name at the beginning of a text.
fn identifier(text: &str) -> Option<String> {
    let text = text.trim_start();
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '#')));
    let name = &text[..end.unwrap_or(text.len())];
    (!name.is_empty() && name.len() <= NAME_BYTES_MAX).then(|| name.to_owned())
}
