//! Foreign text made harmless, measured and wrapped.
//!
//! A candidate's prints, file names and messages may hold escape sequences, bidirectional
//! overrides or invisible characters: they are shown as what they are, never obeyed.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

use crate::render::joiners::joins;

/// Columns that a text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// One line of foreign text: control and invisible characters are spelled out, tabs widened.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    clean_before(text, None)
}

/// The same for a part of a line, behind which stands this character.
pub(crate) fn clean_before(text: &str, next: Option<char>) -> Cow<'_, str> {
    if !text.chars().any(|c| c == '\t' || is_unsafe(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for (c, harmless) in looked_at(text, next) {
        match c {
            '\t' => out.push_str("    "),
            c if harmless => out.push(c),
            c => spell(c, &mut out),
        }
    }
    Cow::Owned(out)
}

/// The characters of a text, each with whether it may be shown where it stands.
fn looked_at(text: &str, next: Option<char>) -> impl Iterator<Item = (char, bool)> {
    let mut before = None;
    let mut rest = text.chars().chain(next).peekable();
    let mut left = text.chars().count();
    std::iter::from_fn(move || {
        left = left.checked_sub(1)?;
        let c = rest.next()?;
        let harmless = !is_unsafe(c) || joins(before, c, rest.peek().copied());
        before = Some(c);
        Some((c, harmless))
    })
}

/// Foreign text of several lines, each made harmless; a carriage return before the end of a
/// line is dropped.
pub(crate) fn clean_lines(text: &str) -> Vec<String> {
    text.lines().map(|line| clean(line).into_owned()).collect()
}

/// Foreign text of several lines in one piece, made harmless, where something else than a terminal breaks it.
pub(crate) fn clean_text(text: &str) -> String {
    clean_lines(text).join("\n")
}

/// The same JSON in characters that no terminal obeys: they are spelled as JSON does, so its meaning
/// is the same.
pub(crate) fn clean_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (c, harmless) in looked_at(text, None) {
        if harmless {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}").expect("writing to a string does not fail");
        }
    }
    out
}

fn spell(c: char, out: &mut String) {
    let code = u32::from(c);
    let written = match code {
        0x0a => write!(out, "\\n"),
        0x0d => write!(out, "\\r"),
        0..=0xff => write!(out, "\\x{code:02x}"),
        _ => write!(out, "\\u{{{code:x}}}"),
    };
    written.expect("writing to a string does not fail");
}

/// Controls, bidirectional overrides and what takes no room: two texts that differ must not
/// look equal.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00ad}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{3164}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// What becomes of a word that is longer than a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LongWords {
    Cut,
    /// The word runs over the edge, so that a path can still be copied.
    Whole,
}

/// Breaks one line at blanks into several of at most `width` columns, but for long words that
/// are to stay whole. Paths and names stay whole where they can.
pub(crate) fn wrap(text: &str, width: usize, long: LongWords) -> Vec<String> {
    let options = textwrap::Options::new(width.max(1))
        .word_separator(textwrap::WordSeparator::Custom(words))
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(long == LongWords::Cut);
    let lines: Vec<String> =
        textwrap::wrap(text, options).into_iter().map(Cow::into_owned).collect();
    if lines.is_empty() { vec![String::new()] } else { lines }
}

/// Words between blanks; a number stays with the unit of time behind it.
fn words(line: &str) -> Box<dyn Iterator<Item = textwrap::core::Word<'_>> + '_> {
    let number = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    let unit = |word: &str| {
        let word = word.trim_end_matches(|c: char| c.is_ascii_punctuation());
        matches!(word, "ms" | "s" | "min" | "h")
    };
    let mut plain = textwrap::WordSeparator::AsciiSpace.find_words(line).peekable();
    let mut start = 0;
    Box::new(std::iter::from_fn(move || {
        let first = plain.next()?;
        let mut length = first.word.len() + first.whitespace.len();
        if number(first.word)
            && let Some(second) = plain.next_if(|second| unit(second.word))
        {
            length += second.word.len() + second.whitespace.len();
        }
        let word = &line[start..start + length];
        start += length;
        Some(textwrap::core::Word::from(word))
    }))
}

/// A line of code in pieces of at most `width` columns: nothing of it is cut off or moved, and the mark
/// stands before each piece that goes on.
pub(crate) fn fold(line: &str, width: usize, mark: &str) -> Vec<String> {
    let own = line.len() - line.trim_start_matches(' ').len();
    // What is indented goes on below its beginning, where there is room for that.
    let lead = format!("{}{mark} ", &line[..own.min(width / 2)]);
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for character in line.graphemes(true) {
        let wide = columns(character);
        if used > 0 && used + wide > width {
            used = columns(&lead);
            pieces.push(lead.clone());
        }
        used += wide;
        if let Some(piece) = pieces.last_mut() {
            piece.push_str(character);
        }
    }
    pieces
}

/// The beginning of a line that fits, with a mark where it was cut.
pub(crate) fn cut(text: &str, width: usize, mark: &str) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(columns(mark));
    let mut out = String::new();
    let mut used = 0;
    for character in text.graphemes(true) {
        let wide = columns(character);
        if used + wide > room {
            break;
        }
        used += wide;
        out.push_str(character);
    }
    out + mark
}

/// `15m 32s`, `1h 02m 03s` (000: status).
pub(crate) fn duration(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds}s"),
        (0, _) => format!("{minutes}m {seconds:02}s"),
        (_, _) => format!("{hours}h {minutes:02}m {seconds:02}s"),
    }
}

/// `1 submission`, `2 submissions`.
pub(crate) fn count(n: impl Into<u64>, noun: &str) -> String {
    match n.into() {
        1 => format!("1 {noun}"),
        n => format!("{} {noun}s", thousands(n)),
    }
}

/// How many hints, and of which levels: `2 (Levels 1, 2)`.
pub(crate) fn hints(levels: &[u8]) -> String {
    let list: Vec<_> = levels.iter().map(u8::to_string).collect();
    match levels.len() {
        0 => "0".to_owned(),
        1 => format!("1 (Level {})", list[0]),
        n => format!("{n} (Levels {})", list.join(", ")),
    }
}

/// `10,000`.
pub(crate) fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A name as a shell reads it back.
pub(crate) fn shell(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%=".contains(c);
    if !name.is_empty() && name.chars().all(plain) {
        return name.to_owned();
    }
    let name: String = clean(name).replace('\'', "'\\''");
    format!("'{name}'")
}

/// The first letter in upper case: messages of errors begin small. A name of the user's cannot be
/// told from a word, so no message begins with one.
pub(crate) fn sentence(text: &str) -> String {
    let first_word = text.split_whitespace().next().unwrap_or_default();
    let mut chars = text.chars();
    match chars.next() {
        Some(first)
            if first_word.chars().all(char::is_alphabetic) && !first_word.starts_with("vosim") =>
        {
            first.to_uppercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escape_sequences_are_shown_and_not_obeyed() {
        assert_eq!(clean("\u{1b}[2J\u{7}a\tb\u{9b}1m"), "\\x1b[2J\\x07a    b\\x9b1m");
        assert_eq!(clean("a\u{202e}b\u{200b}"), "a\\u{202e}b\\u{200b}");
        let text = "ä\u{9b}\u{202e}\u{e0001}\u{7f}\u{1b}\n";
        let line = clean_json(&serde_json::to_string(text).unwrap());
        assert_eq!(line, "\"ä\\u009b\\u202e\\udb40\\udc01\\u007f\\u001b\\n\"");
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
        assert_eq!(clean("größe 漢字"), "größe 漢字");
        for shown in ["می\u{200c}خواهم", "क्\u{200d}ष", "👨\u{200d}👩\u{200d}👧 🧑🏽\u{200d}🚀"]
        {
            assert_eq!(clean(shown), shown);
            assert_eq!(clean_json(shown), shown);
        }
        assert_eq!(
            clean("pass\u{200d}word م\u{200f}\u{200c}م"),
            "pass\\u{200d}word م\\u{200f}\\u{200c}م"
        );
        assert_eq!(clean_json("a\u{200d}b"), "a\\u200db");
        assert_eq!(clean_before("می\u{200c}", Some('خ')), "می\u{200c}");
        assert_eq!(clean_lines("a\r\nb\rc"), ["a", "b\\rc"]);
    }

    #[test]
    fn a_number_and_its_unit_stay_on_one_line() {
        let lines = |text, width| wrap(text, width, LongWords::Cut);
        assert_eq!(lines("for 14 min 59 s, then", 13), ["for 14 min", "59 s, then"]);
        assert_eq!(lines("12 sheep", 3), ["12", "she", "ep"]);
        assert_eq!(lines("  a 1", 4), ["  a", "1"]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(columns("漢字"), 4);
        assert_eq!(cut("漢字漢字", 6, "…"), "漢字…");
        assert_eq!(cut("abc", 3, "…"), "abc");
        assert_eq!(cut("👨\u{200d}👩\u{200d}👧 family", 6, "…"), "👨\u{200d}👩\u{200d}👧 fa…");
    }

    #[test]
    fn a_line_of_code_is_folded_and_nothing_of_it_is_lost() {
        assert_eq!(fold("    if a == b:", 20, "…"), ["    if a == b:"]);
        assert_eq!(fold("  return one + two", 10, "…"), ["  return o", "  … ne + t", "  … wo"]);
        assert_eq!(fold("漢字漢字", 5, "…"), ["漢字", "… 漢", "… 字"]);
        assert_eq!(fold("", 5, "…"), [""]);
        let line = "        self.heads[key], self.tails[key] = value, self.heads[key]";
        let pieces = fold(line, 30, "…");
        let rest = pieces[1..].iter().map(|piece| piece.split_once("… ").unwrap().1);
        assert_eq!(pieces[0].clone() + &rest.collect::<String>(), line);
    }

    #[test]
    fn durations_and_numbers_read_as_people_write_them() {
        let all: Vec<_> = [0, 59, 60, 932, 3723].map(duration).into();
        assert_eq!(all, ["0s", "59s", "1m 00s", "15m 32s", "1h 02m 03s"]);
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([count(1u32, "test"), count(0u32, "test")], ["1 test", "0 tests"]);
        assert_eq!(sentence("émile is"), "Émile is");
        assert_eq!(sentence("a_b.py is"), "a_b.py is");
        assert_eq!(sentence("vosimctl list shows"), "vosimctl list shows");
    }

    #[test]
    fn names_are_quoted_for_the_shell_where_needed() {
        assert_eq!(shell("a/b-c.py"), "a/b-c.py");
        assert_eq!(shell("größe.py"), "größe.py");
        assert_eq!(shell("it's mine.py"), "'it'\\''s mine.py'");
    }

    proptest! {
        #[test]
        fn nothing_that_a_terminal_obeys_survives(text in "\\PC*|(?s).*") {
            prop_assert!(clean(&text).chars().all(|c| !c.is_control()));
            let once = clean(&text).into_owned();
            prop_assert_eq!(clean(&once), once.as_str());
        }

        #[test]
        fn wrapped_lines_fit(text in "[a-z漢 ]{0,200}", width in 4usize..60) {
            for line in wrap(&text, width, LongWords::Cut) {
                prop_assert!(columns(&line) <= width, "{:?}", line);
            }
        }
    }
}
