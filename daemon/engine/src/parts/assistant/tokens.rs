//! Tokens of programs and of what looks like them.

use crate::parts::text::invisible;

/// Letters of other scripts that look like the Latin ones below them.
const LOOK_ALIKES: [(&str, &str); 2] =
    [("аеорсухіјѕԁһԛԝкмтвнпг", "aeopcyxijsdhqwkmtbhnr"), ("αορνικτυχεηγıɡ", "aopviktuxenyig")];

/// A text in lower case, look-alike letters and blanks made plain, and what cannot be seen left
/// out; its lines stay.
pub(super) fn fold(text: &str) -> String {
    text.replace("\r\n", "\n").chars().flat_map(char::to_lowercase).filter_map(plain).collect()
}

fn plain(c: char) -> Option<char> {
    let offset = |base: u32, first: u8, count: u32| {
        let at = u8::try_from((u32::from(c) - base) % count).ok()?;
        Some(char::from(first + at).to_ascii_lowercase())
    };
    match c {
        c if c.is_ascii() => Some(if matches!(c, '\r' | '\u{b}' | '\u{c}') { '\n' } else { c }),
        '\u{85}' | '\u{2028}' | '\u{2029}' => Some('\n'),
        '\u{300}'..='\u{36f}' => None,
        c if invisible(c) => None,
        // The sign of an assignment in pseudo-code.
        '←' | '⟵' | '≔' | '≝' => Some('='),
        // Letters in circles.
        '\u{24d0}'..='\u{24e9}' => offset(0x24d0, b'a', 26),
        c if c.is_whitespace() => Some(' '),
        '\u{ff01}'..='\u{ff5e}' => offset(0xff01, b'!', 94),
        // Mathematical letters stand in alphabets of 26 capitals and 26 small ones.
        '\u{1d400}'..='\u{1d6a3}' => {
            let at = (u32::from(c) - 0x1d400) % 26;
            u8::try_from(at).ok().map(|at| char::from(b'a' + at))
        }
        '\u{1d7ce}'..='\u{1d7ff}' => offset(0x1d7ce, b'0', 10),
        c => Some(look_alike(c).unwrap_or(c)),
    }
}

fn look_alike(c: char) -> Option<char> {
    LOOK_ALIKES.iter().find_map(|(from, to)| {
        let at = from.chars().position(|other| other == c)?;
        to.chars().nth(at)
    })
}

/// Names and numbers; brackets, dots and operators separate them.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|t| !t.is_empty()).collect()
}

/// Words that a sentence puts between the tokens of a program.
const FILLERS: [&str; 20] = [
    "the", "a", "an", "its", "it", "of", "this", "that", "then", "and", "with", "by", "to", "from",
    "in", "as", "is", "for", "on", "s",
];

/// Tokens without the words that a sentence puts between them.
pub(super) fn without_fillers<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    tokens.iter().copied().filter(|token| !FILLERS.contains(token)).collect()
}

/// A text without comments, and without the numbers and marks before its lines.
pub(super) fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for line in without_blocks(text).lines() {
        let line = without_mark(line);
        let comment = line.match_indices(['#', '/']).find(|&(at, mark)| {
            let starts = line[..at].chars().next_back().is_none_or(char::is_whitespace);
            starts && (mark == "#" || line[at..].starts_with("//"))
        });
        kept.push_str(comment.map_or(line, |(at, _)| &line[..at]));
        kept.push('\n');
    }
    kept
}

/// A text without `/* … */` and `<!-- … -->`; an unclosed one stays.
fn without_blocks(text: &str) -> String {
    without(text, &[("/*", "*/"), ("<!--", "-->")])
}

/// A program without the sentences that explain it in its texts of several lines.
pub(super) fn without_doc_texts(program: &str) -> String {
    without(program, &[("\"\"\"", "\"\"\""), ("'''", "'''")])
}

fn without(text: &str, blocks: &[(&str, &str)]) -> String {
    let mut text = text.to_owned();
    for (open, close) in blocks {
        let mut kept = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once(*open)
            && let Some((_, left)) = after.split_once(*close)
        {
            kept.push_str(before);
            kept.push(' ');
            rest = left;
        }
        kept.push_str(rest);
        text = kept;
    }
    text
}

/// A line without what stands before it: marks of quotations and lists, its number.
pub(super) fn without_mark(line: &str) -> &str {
    let line = line.trim_start_matches(['>', '|', ' ', '\t']);
    if let Some(item) = line.strip_prefix(['-', '*', '+', '•']).filter(|l| l.starts_with(' ')) {
        return item.trim_start();
    }
    let body = line.strip_prefix('(').unwrap_or(line);
    let after = body.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = body.len() - after.len();
    let marked = after.strip_prefix(['.', ')', ':', '|']).unwrap_or(after);
    if (1..=4).contains(&digits) && marked.starts_with([' ', '\t']) {
        return marked.trim_start_matches(['|', ' ', '\t']);
    }
    line
}
