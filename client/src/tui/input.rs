//! The input as rows of the screen, and where its cursor stands in them.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::render::joiners::apart;
use crate::render::look::Look;
use crate::render::text::{clean_before, columns};
use crate::tui::editor::Editor;

/// Rows of at most `width` columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<String>,
    /// The byte of the text with which each row begins.
    starts: Vec<usize>,
    /// The row and column of the cursor.
    pub(crate) cursor: (usize, usize),
}

/// Where a row may be broken that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breaks {
    Anywhere,
    /// Behind a blank, where the row has one.
    AtWords,
}

/// The place behind a blank.
#[derive(Clone, Copy, Debug)]
struct Behind {
    /// In the text.
    byte: usize,
    /// In the row.
    len: usize,
    columns: usize,
}

/// A character as cells show it, where this follows it.
fn cell(character: &str, behind: &str) -> String {
    apart(&clean_before(character, behind.chars().next())).into_owned()
}

impl Rows {
    /// A line that is typed, broken where the width ends.
    pub(crate) fn of(editor: &Editor, look: &Look, width: usize) -> Self {
        Self::broken(editor, look, width, Breaks::Anywhere)
    }

    /// A text in a form, broken between words.
    pub(crate) fn of_text(editor: &Editor, look: &Look, width: usize) -> Self {
        Self::broken(editor, look, width, Breaks::AtWords)
    }

    fn broken(editor: &Editor, look: &Look, width: usize, breaks: Breaks) -> Self {
        let width = width.max(1);
        let mut rows = vec![String::new()];
        let mut starts = vec![0];
        let mut used = 0;
        let mut cursor = None;
        let mut behind: Option<Behind> = None;
        for (at, character) in editor.text().grapheme_indices(true) {
            let next = at + character.len();
            if character == "\n" || character == "\r\n" {
                if at >= editor.cursor() {
                    cursor.get_or_insert((rows.len() - 1, used));
                }
                rows.push(String::new());
                starts.push(next);
                (used, behind) = (0, None);
                continue;
            }
            // What a terminal would obey is spelled out here as everywhere.
            let shown = cell(character, &editor.text()[next..]);
            let shown = look.spell(&shown).into_owned();
            let wide = columns(&shown);
            // A blank at the edge is not seen, and the next word begins a row.
            let hangs = breaks == Breaks::AtWords && character == " " && used == width;
            if used > 0 && used + wide > width && !hangs {
                let broken = behind.take().unwrap_or(Behind {
                    byte: at,
                    len: rows.last().map_or(0, String::len),
                    columns: used,
                });
                let tail = rows.last_mut().map(|row| row.split_off(broken.len));
                used = used.saturating_sub(broken.columns);
                if let Some((row, column)) = &mut cursor
                    && *row + 1 == rows.len()
                    && *column >= broken.columns
                {
                    (*row, *column) = (*row + 1, *column - broken.columns);
                }
                rows.push(tail.unwrap_or_default());
                starts.push(broken.byte);
            }
            if at >= editor.cursor() {
                cursor.get_or_insert((rows.len() - 1, used));
            }
            if let Some(row) = rows.last_mut().filter(|_| !hangs) {
                row.push_str(&shown);
                used += wide;
            }
            if breaks == Breaks::AtWords && character == " " {
                let len = rows.last().map_or(0, String::len);
                behind = Some(Behind { byte: next, len, columns: used });
            }
        }
        if cursor.is_none() && used >= width {
            rows.push(String::new());
            starts.push(editor.text().len());
            used = 0;
        }
        let cursor = cursor.unwrap_or((rows.len() - 1, used));
        Self { rows, starts, cursor }
    }

    /// The byte in the row so many rows away that stands below or above the cursor; None where there is
    /// no such row.
    pub(crate) fn beside(&self, editor: &Editor, by: isize) -> Option<usize> {
        let row = self.cursor.0.checked_add_signed(by)?;
        let start = *self.starts.get(row)?;
        let end = self.starts.get(row + 1).copied();
        let text = editor.text();
        let line = &text[start..end.unwrap_or(text.len())];
        let mut used = 0;
        for (at, character) in line.grapheme_indices(true) {
            if used >= self.cursor.1 || character.ends_with('\n') {
                return Some(start + at);
            }
            used += columns(&cell(character, &line[at + character.len()..]));
        }
        // A row that the width has ended goes on in the next one, so its end is before its last character.
        let last = line.grapheme_indices(true).next_back().map_or(0, |(at, _)| at);
        Some(if end.is_some() { start + last } else { text.len() })
    }

    /// The rows that are shown where there is room for so many: those around the cursor. Answers
    /// the first of them.
    pub(crate) fn window(&self, height: usize) -> usize {
        let last = self.rows.len().saturating_sub(height);
        (self.cursor.0 + 1).saturating_sub(height).min(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::editor::To;

    fn rows(text: &str, width: usize) -> (Vec<String>, (usize, usize)) {
        let mut editor = Editor::default();
        editor.insert(text);
        let rows = Rows::of(&editor, &Look::PLAIN, width);
        (rows.rows, rows.cursor)
    }

    #[test]
    fn wide_characters_never_stand_half_over_the_edge() {
        assert_eq!(rows("漢字漢", 5), (vec!["漢字".to_owned(), "漢".to_owned()], (1, 2)));
        assert_eq!(rows("abcd", 4).1, (1, 0), "a full row has its cursor on the next");
        assert_eq!(rows("ab\ncd", 4), (vec!["ab".to_owned(), "cd".to_owned()], (1, 2)));
        assert_eq!(rows("", 4), (vec![String::new()], (0, 0)));
    }

    #[test]
    fn joined_letters_and_emoji_are_typed_as_they_are_meant() {
        assert_eq!(rows("می\u{200c}خ", 20), (vec!["می\u{200c}خ".to_owned()], (0, 3)));
        assert_eq!(rows("👨\u{200d}👩x", 20), (vec!["👨👩x".to_owned()], (0, 5)));
    }

    #[test]
    fn escape_sequences_are_spelled_out_while_typed() {
        assert_eq!(rows("a\u{1b}[2J", 20), (vec!["a\\x1b[2J".to_owned()], (0, 8)));
    }

    #[test]
    fn a_text_is_broken_between_words_and_its_cursor_stays_at_its_character() {
        for (text, width, expected) in [
            ("one two three", 8, vec!["one two ", "three"]),
            ("one two three", 7, vec!["one two", "three"]),
            ("one two  three", 7, vec!["one two", "three"]),
            ("one twothree", 6, vec!["one ", "twothr", "ee"]),
            ("漢字 漢字漢", 7, vec!["漢字 ", "漢字漢"]),
        ] {
            let mut editor = Editor::default();
            editor.insert(text);
            let rows = Rows::of_text(&editor, &Look::PLAIN, width);
            assert_eq!(rows.rows, expected, "{text} at {width}");
            for (at, character) in text.grapheme_indices(true).filter(|(_, c)| *c != " ") {
                editor.stand(at);
                let Rows { rows, cursor: (row, column), .. } =
                    Rows::of_text(&editor, &Look::PLAIN, width);
                let mut used = 0;
                let found = rows[row].graphemes(true).find(|c| {
                    let here = used == column;
                    used += columns(c);
                    here
                });
                assert_eq!(found, Some(character), "{text} at {width}, byte {at}");
            }
        }
    }

    #[test]
    fn a_row_up_or_down_is_one_that_is_seen() {
        let mut editor = Editor::default();
        editor.insert("abcdef\n漢字x\ngh");
        let beside = |editor: &Editor, by| {
            let to = Rows::of(editor, &Look::PLAIN, 4).beside(editor, by)?;
            Some(editor.text()[to..].to_owned())
        };
        assert_eq!(beside(&editor, 1), None);
        assert_eq!(beside(&editor, -1).as_deref(), Some("\ngh"));
        editor.stand(13);
        assert_eq!(beside(&editor, -1).as_deref(), Some("漢字x\ngh"));
        editor.stand(10);
        assert_eq!(beside(&editor, -1).as_deref(), Some("\n漢字x\ngh"));
        editor.stand(5);
        assert_eq!(beside(&editor, -1).as_deref(), Some("bcdef\n漢字x\ngh"));
        assert_eq!(beside(&editor, -2), None);
    }

    #[test]
    fn the_cursor_stays_in_the_window() {
        let mut editor = Editor::default();
        editor.insert("1\n2\n3\n4\n5");
        let at = |editor: &Editor| Rows::of(editor, &Look::PLAIN, 10).window(2);
        assert_eq!(at(&editor), 3);
        (0..3).for_each(|_| editor.up());
        assert_eq!(at(&editor), 0);
        editor.go(To::LineEnd);
        assert_eq!(Rows::of(&editor, &Look::PLAIN, 10).cursor, (1, 1));
    }
}
