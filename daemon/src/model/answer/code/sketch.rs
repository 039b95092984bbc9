//! A program as far as it is looked at: its lines and what they define.

use vosim_protocol::v1::problem::{Language, Syntax};

use super::scan::{self, Definition, Line};

/// A program as far as it is looked at.
#[derive(Debug)]
pub(in crate::model::answer) struct Sketch {
    pub(super) syntax: Syntax,
    pub(super) lines: Vec<Line>,
    pub(super) definitions: Vec<Definition>,
}

impl Sketch {
    /// Reads a program; nothing for an empty text.
    pub(in crate::model::answer) fn read(text: &str, language: Option<Language>) -> Option<Self> {
        let syntax = language.map_or_else(|| scan::guess(text), Language::syntax);
        let lines = scan::lines(text, syntax);
        if lines.is_empty() {
            return None;
        }
        let definitions = scan::definitions(&lines, syntax);
        Some(Self { syntax, lines, definitions })
    }

    /// The lines inside the block that a line opens.
    pub(super) fn block(&self, at: usize) -> &[Line] {
        let Some(opening) = self.lines.get(at) else { return &[] };
        let inside = &self.lines[at + 1..];
        let end = inside.iter().position(|line| line.level <= opening.level);
        &inside[..end.unwrap_or(inside.len())]
    }
}
