//! The input as rows of the screen, and where its cursor stands in them.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::render::look::Look;
use crate::render::text::{clean, columns};
use crate::tui::editor::Editor;

/// Rows of at most `width` columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<String>,
    /// The row and column of the cursor.
    pub(crate) cursor: (usize, usize),
}

impl Rows {
    pub(crate) fn of(editor: &Editor, look: &Look, width: usize) -> Self {
        let width = width.max(1);
        let mut rows = vec![String::new()];
        let mut used = 0;
        let mut cursor = None;
        for (at, character) in editor.text().grapheme_indices(true) {
            if character == "\n" || character == "\r\n" {
                if at >= editor.cursor() {
                    cursor.get_or_insert((rows.len() - 1, used));
                }
                rows.push(String::new());
                used = 0;
                continue;
            }
            // What a terminal would obey is spelled out here as everywhere.
            let shown = look.spell(&clean(character)).into_owned();
            let wide = columns(&shown);
            if used > 0 && used + wide > width {
                rows.push(String::new());
                used = 0;
            }
            if at >= editor.cursor() {
                cursor.get_or_insert((rows.len() - 1, used));
            }
            if let Some(row) = rows.last_mut() {
                row.push_str(&shown);
            }
            used += wide;
        }
        if cursor.is_none() && used >= width {
            rows.push(String::new());
            used = 0;
        }
        let cursor = cursor.unwrap_or((rows.len() - 1, used));
        Self { rows, cursor }
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
    fn escape_sequences_are_spelled_out_while_typed() {
        assert_eq!(rows("a\u{1b}[2J", 20), (vec!["a\\x1b[2J".to_owned()], (0, 8)));
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
