//! Texts that people send: checked before anything is sent, read from a pipe with a bound.

use std::io::Read;
use std::path::Path;

use vosim_protocol::ErrorCode;
use vosim_protocol::v1::talk::MESSAGE_MAX_BYTES;

use crate::errors::{Failure, code, user_error};
use crate::files::unreadable;

/// A text as it can be sent: something in it, and not too long (DECISIONS 6).
///
/// What else it holds is kept as it is, escape sequences too: a log that changed what was said
/// would not be one. Screens make it harmless where they show it.
pub(crate) fn checked(text: &str) -> Result<&str, Failure> {
    let text = text.trim_matches(|c: char| c.is_whitespace());
    if text.is_empty() {
        return Err(user_error(code::EMPTY_TEXT, "there is no text")
            .hint("Give it after the command, or through a pipe with: -"));
    }
    if text.len() > MESSAGE_MAX_BYTES {
        return Err(too_long(text.len()));
    }
    Ok(text)
}

/// Reads a whole text, not more of it than is needed to know that it is too long.
pub(crate) fn read_text(from: impl Read) -> Result<String, Failure> {
    // Blanks around a text do not count, but nobody sends this many.
    let limit = 2 * MESSAGE_MAX_BYTES as u64;
    let mut bytes = Vec::new();
    from.take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(Path::new("standard input"), &error))?;
    if bytes.len() as u64 > limit {
        return Err(too_long(bytes.len()));
    }
    let text = String::from_utf8(bytes).map_err(|e| not_utf8(&e.utf8_error()))?;
    checked(&text).map(str::to_owned)
}

fn too_long(bytes: usize) -> Failure {
    let message =
        format!("the text has {bytes} bytes; at most {MESSAGE_MAX_BYTES} (32 KiB) are possible");
    user_error(ErrorCode::TooLarge, message).hint("Send it in several parts")
}

fn not_utf8(error: &std::str::Utf8Error) -> Failure {
    let at = error.valid_up_to();
    user_error(code::NOT_UTF8, format!("this is not UTF-8 text, its byte {at} is not"))
        .hint("Save or send it as UTF-8")
}

/// Lines out of whatever pieces the input comes in; a line that is too long is left out whole.
#[derive(Debug, Default)]
pub(crate) struct LineReader {
    pending: Vec<u8>,
    /// The rest of a line that was too long is passed over.
    skipping: bool,
}

/// Longest line that is kept: a message and the word before it.
const LINE_MAX: usize = MESSAGE_MAX_BYTES + 1024;

impl LineReader {
    /// Takes some bytes and gives the lines that are whole now.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<Result<String, Failure>> {
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, ends) = match piece.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (piece, false),
            };
            if !self.skipping {
                self.pending.extend_from_slice(text);
                if self.pending.len() > LINE_MAX {
                    lines.push(Err(too_long(self.pending.len())));
                    self.pending = Vec::new();
                    self.skipping = true;
                }
            }
            if ends && !std::mem::take(&mut self.skipping) {
                lines.push(line(std::mem::take(&mut self.pending)));
            }
        }
        lines
    }

    /// The last line, which had no end.
    pub(crate) fn finish(&mut self) -> Option<Result<String, Failure>> {
        let rest = std::mem::take(&mut self.pending);
        self.skipping = false;
        (!rest.is_empty()).then(|| line(rest))
    }
}

fn line(bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|e| not_utf8(&e.utf8_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told<T: std::fmt::Debug>(result: Result<T, Failure>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn a_text_has_something_in_it_and_at_most_32_kib() {
        assert_eq!(checked(" a\nb \n").unwrap(), "a\nb");
        assert_eq!(told(checked(" \n\t")), "there is no text");
        assert_eq!(checked(&"x".repeat(MESSAGE_MAX_BYTES)).unwrap().len(), MESSAGE_MAX_BYTES);
        assert_eq!(
            told(checked(&"é".repeat(MESSAGE_MAX_BYTES / 2 + 1))),
            "the text has 32770 bytes; at most 32768 (32 KiB) are possible"
        );
    }

    #[test]
    fn what_a_terminal_would_obey_is_sent_as_it_is() {
        let odd = "\u{1b}[2J\u{7}\u{202e}";
        assert_eq!(checked(odd).unwrap(), odd);
        assert_eq!(read_text(odd.as_bytes()).unwrap(), odd);
    }

    #[test]
    fn a_pipe_is_read_to_its_end_or_to_where_it_is_too_long() {
        assert_eq!(read_text(&b"one\ntwo\n"[..]).unwrap(), "one\ntwo");
        assert_eq!(told(read_text(&b"ok \xff"[..])), "this is not UTF-8 text, its byte 3 is not");
        assert!(told(read_text(std::io::repeat(b'x'))).starts_with("the text has 65537 bytes"));
        assert_eq!(told(read_text(&b""[..])), "there is no text");
    }

    fn lines(pieces: &[&[u8]]) -> Vec<String> {
        let mut reader = LineReader::default();
        let mut all: Vec<_> = pieces.iter().flat_map(|piece| reader.push(piece)).collect();
        all.extend(reader.finish());
        all.into_iter().map(|line| line.unwrap_or_else(|fault| format!("! {fault}"))).collect()
    }

    #[test]
    fn lines_come_whole_however_they_were_cut() {
        assert_eq!(lines(&[b"a\nb", b"c\n", b"\n", b"d"]), ["a", "bc", "", "d"]);
        assert_eq!(lines(&["gr\u{f6}".as_bytes()]), ["grö"]);
        // A character may be cut in two.
        assert_eq!(lines(&[b"\xc3", b"\xb6\n"]), ["ö"]);
        assert_eq!(lines(&[b"\xff\nx\n"]), ["! this is not UTF-8 text, its byte 0 is not", "x"]);
    }

    #[test]
    fn a_line_without_end_is_passed_over_and_the_next_one_counts() {
        let long = vec![b'x'; LINE_MAX];
        let told = lines(&[&long, &long, b"still\nnext\n"]);
        assert_eq!(told.len(), 2, "told once");
        assert!(told[0].starts_with("! the text has "));
        assert_eq!(told[1], "next");
    }
}
