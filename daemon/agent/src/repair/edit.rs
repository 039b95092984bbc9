//! A change of a text: what is put where, by which operator, and how soon it is tried.

use std::ops::Range;

use super::operator::Operator;

/// One change. Its parts do not overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) operator: Operator,
    /// Less is tried sooner.
    pub(super) cost: u32,
    pub(super) parts: Vec<(Range<usize>, String)>,
}

impl Edit {
    /// The text after the change.
    pub(super) fn apply(&self, text: &str) -> String {
        let mut parts: Vec<_> = self.parts.iter().collect();
        parts.sort_by_key(|(range, _)| (range.start, range.end));
        let mut made = String::with_capacity(text.len() + 64);
        let mut at = 0;
        for (range, put) in parts {
            made.push_str(&text[at..range.start]);
            made.push_str(put);
            at = range.end;
        }
        made.push_str(&text[at..]);
        made
    }

    /// The first byte that changes.
    pub(super) fn at(&self) -> usize {
        self.parts.iter().map(|(range, _)| range.start).min().unwrap_or_default()
    }
}

/// The lines that differ between two texts: the number of the first, and both sides.
pub(super) fn lines_changed(before: &str, after: &str) -> (u32, String, String) {
    let (before, after): (Vec<_>, Vec<_>) = (before.lines().collect(), after.lines().collect());
    let same = before.iter().zip(&after).take_while(|(one, other)| one == other).count();
    let left = before.len().min(after.len()) - same;
    let ends = before.iter().rev().zip(after.iter().rev());
    let tail = ends.take(left).take_while(|(one, other)| one == other).count();
    let number = u32::try_from(same + 1).unwrap_or(u32::MAX);
    let part = |lines: &[&str]| lines[same..lines.len() - tail].join("\n");
    (number, part(&before), part(&after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_put_in_by_their_places() {
        let edit = Edit {
            operator: Operator::SwapOperands,
            cost: 0,
            parts: vec![(4..5, "a".to_owned()), (0..1, "b".to_owned())],
        };
        assert_eq!(edit.apply("a - b;"), "b - a;");
        assert_eq!(edit.at(), 0);
    }

    #[test]
    fn only_the_lines_that_differ_are_told() {
        let told = lines_changed("a\nb\nc\n", "a\nx\ny\nc\n");
        assert_eq!(told, (2, "b".to_owned(), "x\ny".to_owned()));
        assert_eq!(lines_changed("a\na\n", "a\n"), (2, "a".to_owned(), String::new()));
    }
}
