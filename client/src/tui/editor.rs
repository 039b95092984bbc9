//! The line that is being typed: text, a cursor between two characters, and the lines before it.
//!
//! Characters are what people take for one: a letter with its accents, an emoji with its parts.

use unicode_segmentation::UnicodeSegmentation as _;
use vosim_protocol::v1::talk::MESSAGE_MAX_BYTES;

/// Longest text, bytes: a message and the word before it.
pub(crate) const TEXT_MAX_BYTES: usize = MESSAGE_MAX_BYTES + 1024;
/// Most lines that are remembered.
const HISTORY_MAX: usize = 200;

/// What is typed and what was typed before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Editor {
    text: String,
    /// A byte between two characters.
    cursor: usize,
    history: Vec<String>,
    /// The place in the history that is shown, and the text that was typed before looking there.
    browsing: Option<(usize, String)>,
    /// What was cut last.
    cut: String,
}

/// Where to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    Left,
    Right,
    WordLeft,
    WordRight,
    LineStart,
    LineEnd,
}

impl Editor {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn cursor(&self) -> usize {
        self.cursor
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Takes text at the cursor, or nothing of it where it does not fit.
    pub(crate) fn insert(&mut self, text: &str) -> bool {
        if self.text.len() + text.len() > TEXT_MAX_BYTES {
            return false;
        }
        self.settle();
        self.text.insert_str(self.cursor, text);
        // What was typed may join the character after it, so the cursor is put on a boundary.
        self.cursor = self.boundary_from(self.cursor + text.len());
        true
    }

    pub(crate) fn go(&mut self, to: To) {
        self.cursor = self.place(to);
    }

    /// Puts the cursor at a byte, or behind the character in which that lies.
    pub(crate) fn stand(&mut self, byte: usize) {
        self.cursor = self.boundary_from(byte);
    }

    /// Removes what lies between the cursor and a place; a piece longer than a character can be
    /// put back.
    pub(crate) fn remove(&mut self, to: To) {
        self.settle();
        let place = self.place(to);
        let (from, until) = (place.min(self.cursor), place.max(self.cursor));
        let gone: String = self.text.drain(from..until).collect();
        self.cursor = self.boundary_from(from);
        if !matches!(to, To::Left | To::Right) && !gone.is_empty() {
            self.cut = gone;
        }
    }

    /// Puts back what was cut last.
    pub(crate) fn put_back(&mut self) -> bool {
        let cut = self.cut.clone();
        self.insert(&cut)
    }

    /// The text as a finished line: it is remembered, and the next one begins.
    pub(crate) fn take(&mut self) -> String {
        self.settle();
        let text = std::mem::take(&mut self.text);
        self.cursor = 0;
        self.keep(&text);
        text
    }

    /// Remembers a line as the newest.
    pub(crate) fn remember(&mut self, line: &str) {
        self.settle();
        self.keep(line);
    }

    /// A line of the history that is shown becomes the text; what was typed before looking there
    /// becomes history, so that neither is lost.
    fn settle(&mut self) {
        if let Some((_, draft)) = self.browsing.take() {
            self.keep(&draft);
        }
    }

    fn keep(&mut self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        self.history.retain(|known| known != line);
        self.history.push(line.to_owned());
        if self.history.len() > HISTORY_MAX {
            self.history.remove(0);
        }
    }

    /// A text in place of what is there.
    pub(crate) fn set(&mut self, text: String) {
        self.settle();
        self.text = text;
        self.cursor = self.text.len();
    }

    /// Up: a line further up in the text, or the line before in the history.
    pub(crate) fn up(&mut self) {
        let start = self.line_start();
        if start > 0 {
            self.go_to_line(self.text[..start - 1].rfind('\n').map_or(0, |at| at + 1));
            return;
        }
        let at = match &self.browsing {
            Some((0, _)) => return,
            Some((at, _)) => at - 1,
            None => match self.history.len().checked_sub(1) {
                Some(newest) => newest,
                None => return,
            },
        };
        self.show(at);
    }

    /// Down: the other way.
    pub(crate) fn down(&mut self) {
        let end = self.line_end();
        if end < self.text.len() {
            self.go_to_line(end + 1);
            return;
        }
        let Some((at, draft)) = self.browsing.take() else { return };
        if at + 1 < self.history.len() {
            self.browsing = Some((at, draft));
            self.show(at + 1);
        } else {
            self.set(draft);
        }
    }

    fn show(&mut self, at: usize) {
        let draft = match self.browsing.take() {
            Some((_, draft)) => draft,
            None => std::mem::take(&mut self.text),
        };
        self.text = self.history.get(at).cloned().unwrap_or_default();
        self.cursor = self.text.len();
        self.browsing = Some((at, draft));
    }

    /// What was typed before the history was looked at; it is not lost when somebody leaves then.
    pub(crate) fn draft(&self) -> Option<&str> {
        let draft = self.browsing.as_ref().map_or(&self.text, |(_, draft)| draft);
        (!draft.trim().is_empty()).then_some(draft)
    }

    /// The same number of characters into another line.
    fn go_to_line(&mut self, start: usize) {
        let before = self.text[self.line_start()..self.cursor].graphemes(true).count();
        let line = &self.text[start..];
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        let into = line.grapheme_indices(true).nth(before).map_or(line.len(), |(at, _)| at);
        self.cursor = start + into;
    }

    fn line_start(&self) -> usize {
        self.text[..self.cursor].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        self.text[self.cursor..].find('\n').map_or(self.text.len(), |at| self.cursor + at)
    }

    fn place(&self, to: To) -> usize {
        let (before, after) = self.text.split_at(self.cursor);
        let blank = |word: &&(usize, &str)| word.1.trim().is_empty();
        match to {
            To::Left => before.grapheme_indices(true).next_back().map_or(0, |(at, _)| at),
            To::Right => self.cursor + after.graphemes(true).next().map_or(0, str::len),
            To::WordLeft => {
                let words: Vec<_> = before.split_word_bound_indices().collect();
                let word = words.iter().rev().find(|word| !blank(word));
                word.map_or(0, |(at, _)| *at)
            }
            To::WordRight => {
                let words: Vec<_> = after.split_word_bound_indices().collect();
                let word = words.iter().find(|word| !blank(word));
                word.map_or(self.text.len(), |(at, word)| self.cursor + at + word.len())
            }
            To::LineStart => self.line_start(),
            To::LineEnd => self.line_end(),
        }
    }

    /// The byte itself if it lies between two characters, else the end of the one it lies in.
    fn boundary_from(&self, byte: usize) -> usize {
        self.text
            .grapheme_indices(true)
            .map(|(at, _)| at)
            .find(|at| *at >= byte)
            .unwrap_or(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str) -> Editor {
        let mut editor = Editor::default();
        assert!(editor.insert(text));
        editor
    }

    /// The text with `|` where the cursor stands.
    fn shown(editor: &Editor) -> String {
        let (before, after) = editor.text().split_at(editor.cursor());
        format!("{before}|{after}")
    }

    #[test]
    fn the_cursor_goes_by_characters_words_and_lines() {
        for (to, expected) in [
            (&[To::Left][..], "one two\nthree  fou|r"),
            (&[To::WordLeft], "one two\nthree  |four"),
            (&[To::WordLeft, To::WordLeft], "one two\n|three  four"),
            (&[To::LineStart], "one two\n|three  four"),
            (&[To::LineStart, To::WordRight], "one two\nthree|  four"),
            (&[To::LineStart, To::Left, To::LineStart], "|one two\nthree  four"),
            (&[To::LineStart, To::Left, To::LineStart, To::LineEnd], "one two|\nthree  four"),
            (&[To::Right], "one two\nthree  four|"),
        ] {
            let mut editor = with("one two\nthree  four");
            to.iter().for_each(|to| editor.go(*to));
            assert_eq!(shown(&editor), expected, "{to:?}");
        }
    }

    #[test]
    fn what_looks_like_one_character_is_one() {
        let mut editor = with("a\u{301}👩‍👩‍👧漢");
        editor.remove(To::Left);
        assert_eq!(shown(&editor), "a\u{301}👩‍👩‍👧|");
        editor.remove(To::Left);
        editor.remove(To::Left);
        assert_eq!(shown(&editor), "|");
    }

    #[test]
    fn an_accent_typed_behind_its_letter_joins_it() {
        let mut editor = with("ab");
        editor.go(To::Left);
        editor.insert("\u{301}");
        assert_eq!(shown(&editor), "a\u{301}|b");
    }

    #[test]
    fn words_and_lines_are_cut_and_can_be_put_back() {
        for (to, expected) in [
            (To::WordLeft, "say |four"),
            (To::WordRight, "say three|"),
            (To::LineStart, "|four"),
            (To::LineEnd, "say three|"),
        ] {
            let mut editor = with("say threefour");
            (0..4).for_each(|_| editor.go(To::Left));
            editor.remove(to);
            assert_eq!(shown(&editor), expected, "{to:?}");
            editor.put_back();
            assert_eq!(editor.text(), "say threefour");
        }
    }

    #[test]
    fn history_is_walked_without_losing_what_is_typed() {
        let mut editor = with("first");
        editor.take();
        editor.insert("second");
        editor.take();
        editor.insert("new");
        editor.up();
        assert_eq!(shown(&editor), "second|");
        assert_eq!(editor.draft(), Some("new"));
        editor.up();
        editor.up();
        assert_eq!(shown(&editor), "first|");
        editor.down();
        editor.down();
        assert_eq!(shown(&editor), "new|");
        editor.down();
        assert_eq!(shown(&editor), "new|");
    }

    #[test]
    fn a_line_of_the_history_can_be_changed_and_neither_text_is_lost() {
        let mut editor = with("first");
        editor.take();
        editor.insert("new");
        editor.up();
        editor.insert("!");
        assert_eq!(shown(&editor), "first!|");
        editor.up();
        assert_eq!(shown(&editor), "new|");
        editor.down();
        assert_eq!(shown(&editor), "first!|");
    }

    #[test]
    fn up_and_down_go_through_the_lines_of_a_text_first() {
        let mut editor = with("old");
        editor.take();
        editor.insert("one\ntwo\nx");
        editor.up();
        assert_eq!(shown(&editor), "one\nt|wo\nx");
        editor.up();
        assert_eq!(shown(&editor), "o|ne\ntwo\nx");
        editor.up();
        assert_eq!(shown(&editor), "old|");
    }

    #[test]
    fn a_text_that_does_not_fit_is_not_taken_in_part() {
        let mut editor = with("x");
        assert!(!editor.insert(&"y".repeat(TEXT_MAX_BYTES)));
        assert_eq!(editor.text(), "x");
        assert!(editor.insert(&"y".repeat(TEXT_MAX_BYTES - 1)));
    }
}
