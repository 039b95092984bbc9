//! Text from outside on its way to a terminal: what a terminal would obey is spelled out.
//!
//! Names of files and words of a command line hold whatever somebody put there. `vosimctl` does the
//! same with all that it shows; this is for what `vosimd` prints itself.

use std::fmt::Write as _;

/// Whether a character moves a terminal's cursor, begins a command to it or turns the direction of
/// writing.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}')
}

/// Text of several lines; lines and tabs stay.
pub fn plain(text: &str) -> String {
    spelled(text, |c| !matches!(c, '\n' | '\t') && is_obeyed(c), spell)
}

/// One line.
pub fn plain_line(text: &str) -> String {
    spelled(text, is_obeyed, spell)
}

/// JSON with the same meaning.
pub fn plain_json(text: &str) -> String {
    spelled(
        text,
        |c| c != '\n' && is_obeyed(c),
        |c, out| {
            c.encode_utf16(&mut [0; 2])
                .iter()
                .try_for_each(|unit| write!(out, "\\u{unit:04x}"))
                .ok();
        },
    )
}

fn spelled(text: &str, obeyed: impl Fn(char) -> bool, spell: impl Fn(char, &mut String)) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if obeyed(c) { spell(c, &mut out) } else { out.push(c) }
    }
    out
}

/// As `vosimctl` spells it.
fn spell(c: char, out: &mut String) {
    let written = match u32::from(c) {
        0x09 => write!(out, "    "),
        0x0a => write!(out, "\\n"),
        0x0d => write!(out, "\\r"),
        code @ 0..=0xff => write!(out, "\\x{code:02x}"),
        code => write!(out, "\\u{{{code:x}}}"),
    };
    // Writing to a string does not fail.
    written.ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_spelled_and_all_else_stays() {
        let text = "a\tä 👩\u{200d}🚀\nb\x1b[31m\r\u{9b}2J\u{202e}\u{7}";
        assert_eq!(plain(text), "a\tä 👩\u{200d}🚀\nb\\x1b[31m\\r\\x9b2J\\u{202e}\\x07");
        assert_eq!(plain_line("a\nb\tc"), "a\\nb    c");
        let json = "{\"a\":\"\u{9b}\u{202e}ä\"}\n";
        assert_eq!(plain_json(json), "{\"a\":\"\\u009b\\u202eä\"}\n");
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(read(&plain_json(json)), read(json));
    }
}
