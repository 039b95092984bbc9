//! Finds code in an answer: in fences, between backticks, in lines that look like it, and in the
//! middle of sentences.
//!
//! A keyword between backticks is spoken of and is no code: `const`, `try`/`except`. Nor is a name,
//! alone or of the standard library: `deque`, `collections.deque`.

mod inline;
mod statement;

use std::sync::LazyLock;

use super::tokens::{tokens, without_comments, without_mark};
use crate::parts::lists::list;
use inline::{assignments, calls};
use statement::{BLOCKS, DECLARES, DEFINES, STATEMENTS, is_call, is_statement};

/// Longest run without a blank that is no code and no address, characters.
const UNBROKEN_MAX: usize = 120;
/// Longest address of a page, characters.
const ADDRESS_MAX: usize = 300;
/// From this length on a run of letters and digits may be an encoded text, characters; several of
/// them count together.
const ENCODED_MIN: usize = 24;
/// Letters in a row with something between each two that spell a text.
const SPELLED: usize = 12;
/// A longer line of code counts as two, and so on, characters.
const LINE_CHARS: usize = 100;

const LISTS: &str = include_str!("code.txt");
/// Further words of languages that stand beside those in what is spoken of: `for … of`.
static OTHER_KEYWORDS: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "other_keywords"));
/// Modules and types of the standard libraries, before the dot of a name that documentation speaks
/// of. A field of the candidate's own is none: `self.items`, `node.next`.
static LIBRARY: LazyLock<Vec<&str>> = LazyLock::new(|| list(LISTS, "library"));

/// The code of an answer.
#[derive(Default)]
pub(super) struct Code {
    /// The lines; several statements on one line count as so many.
    pub(super) lines: usize,
    /// All of it; a name alone and the message of an error are none.
    pub(super) text: String,
    /// All that is marked as code, names and messages included.
    pub(super) marked: String,
}

impl Code {
    pub(super) fn of(text: &str) -> Self {
        let text = &with_marks(text);
        let mut code = Self::default();
        let mut fenced = false;
        let mut block = true;
        for line in text.lines() {
            let line = line.trim_start_matches('>');
            let body = line.trim();
            if let Some(rest) = fence(body) {
                match rest.split_once("```") {
                    Some((inside, _)) if !fenced => code.add(inside),
                    _ => fenced = !fenced,
                }
                continue;
            }
            let item = without_mark(line);
            let indented = block && (line.starts_with("    ") || line.starts_with('\t'));
            let bare = item.trim().trim_matches('`');
            let looks = if speaks_of_keyword(item) { is_marked(bare) } else { is_code(bare) };
            let certain = fenced || (indented && item.trim() == body);
            let lines = code.lines;
            if !certain && (!looks || bare.contains('`')) {
                code.add_spans(item);
            }
            if certain || looks && code.lines == lines {
                code.add(bare);
            }
            block = body.is_empty() || indented;
        }
        code
    }

    fn add(&mut self, line: &str) {
        self.lines += weight(line);
        for text in [&mut self.text, &mut self.marked] {
            text.push_str(line);
            text.push('\n');
        }
    }

    /// What stands between backticks in a line, and what of its sentences is code all the same.
    fn add_spans(&mut self, line: &str) {
        let line = line.replace("``", "`");
        let mut sentence = String::with_capacity(line.len());
        let mut rest = line.as_str();
        while let Some((before, after)) = rest.split_once('`') {
            sentence.push_str(before);
            self.add_calls(before);
            // One that is not closed goes to the end of the line.
            let (span, left) = after.split_once('`').unwrap_or((after, ""));
            if is_keywords(span) {
                self.mark(span);
            } else if is_statement(span.trim()) || span.contains(';') {
                self.add(span);
                sentence.push('.');
            } else {
                self.mark(span);
                let closed = after.len() > span.len();
                if tokens(span).len() > 1 && !is_message(span) && !names_library(span) && closed {
                    self.say(span);
                }
                sentence.push_str(span);
            }
            rest = left;
        }
        sentence.push_str(rest);
        self.add_calls(rest);
        for assignment in assignments(&sentence) {
            self.add(&assignment);
        }
    }

    fn add_calls(&mut self, sentence: &str) {
        for call in calls(sentence) {
            self.say(call);
        }
    }

    fn say(&mut self, code: &str) {
        self.text.push_str(code);
        self.text.push('\n');
    }

    fn mark(&mut self, span: &str) {
        self.marked.push_str(span);
        self.marked.push('\n');
    }
}

/// A text whose code is marked by backticks only, whatever marked it before.
fn with_marks(text: &str) -> String {
    let mut marked = text.replace(" <- ", " = ");
    for name in ["<code>", "</code>", "<tt>", "</tt>", "<kbd>", "</kbd>"] {
        marked = marked.replace(name, "`");
    }
    for block in ["<pre>", "</pre>"] {
        marked = marked.replace(block, "\n```\n");
    }
    marked
}

/// True for keywords and nothing else.
fn is_keywords(span: &str) -> bool {
    let lists: [&[&str]; 5] = [&DEFINES, &BLOCKS, &STATEMENTS, &DECLARES, &OTHER_KEYWORDS];
    let is_keyword = |token: &&str| lists.iter().any(|list| list.contains(token));
    let all = tokens(span);
    !all.is_empty() && all.iter().all(is_keyword) && !span.contains(['=', ';', '(', '{', '['])
}

/// True for a line that begins with a keyword between backticks: "`break` leaves the loop".
fn speaks_of_keyword(item: &str) -> bool {
    let span = item.trim().strip_prefix('`').and_then(|item| item.split_once('`'));
    span.is_some_and(|(span, _)| is_keywords(span))
}

/// True for a line of code that no sentence looks like.
fn is_marked(line: &str) -> bool {
    let plain = line.replace('`', "");
    let ends = plain.ends_with([':', ';']) && tokens(&plain).len() > 1;
    (ends || plain.contains(['=', '{', '['])) && is_code(&plain)
}

/// True for a name of the standard library and nothing else: `collections.deque`, `Map.get`.
fn names_library(span: &str) -> bool {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let parts = span.split_once('.');
    parts.is_some_and(|(library, name)| LIBRARY.contains(&library) && is_name(name))
}

/// True for the message of an error: `KeyError: 3`.
fn is_message(span: &str) -> bool {
    let name = span.split_once(": ").map_or("", |(name, _)| name.trim());
    name.ends_with("error") && tokens(name).len() == 1
}

fn fence(line: &str) -> Option<&str> {
    line.strip_prefix("```").or_else(|| line.strip_prefix("~~~"))
}

/// For how many lines a line of code counts: its statements, or its length.
fn weight(line: &str) -> usize {
    let mut depth = 0_u32;
    let parts = line.split(|c: char| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(c, ';' | '{' | '}')
    });
    let statements = parts.filter(|part| !tokens(part).is_empty()).count();
    let length = line.trim().chars().count().div_ceil(LINE_CHARS);
    statements.max(length)
}

/// True for a line that reads like a line of a program.
fn is_code(line: &str) -> bool {
    let line = without_comments(line);
    let line = line.trim();
    is_statement(line) || is_call(line)
}

/// True when an answer holds something that nobody reads: an unbroken run, or encoded text.
pub(super) fn is_opaque(text: &str) -> bool {
    if is_spelled(text) {
        return true;
    }
    let mut encoded = 0;
    for run in text.split_whitespace() {
        let run = run.trim_matches(|c: char| "()<>[]\"'`,.;".contains(c));
        let length = run.chars().filter(|c| !is_dense(*c)).count();
        let address = run.starts_with("http://") || run.starts_with("https://");
        if address && length <= ADDRESS_MAX {
            continue;
        }
        let letters = |c: char| c.is_ascii_alphanumeric() || "+/=-".contains(c);
        if length >= ENCODED_MIN && run.chars().all(letters) {
            encoded += length;
        }
        if length > UNBROKEN_MAX || encoded > UNBROKEN_MAX {
            return true;
        }
    }
    false
}

/// True when a row of letters stands alone each: "s e l f . g e t".
fn is_spelled(text: &str) -> bool {
    let letter = |token: &str| {
        let mut chars = token.chars();
        chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
    };
    let all: Vec<_> = tokens(text).into_iter().map(letter).collect();
    all.windows(SPELLED).any(|row| row.iter().all(|letter| *letter))
}

/// Scripts that are written without blanks.
fn is_dense(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{3000}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}
