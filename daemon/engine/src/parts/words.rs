//! Keeps texts within their bounds, counted as JSON spells them.

/// Most bytes of a text that a candidate reads, as JSON spells it.
pub const TEXT_MAX_BYTES: usize = 16 * 1024;
/// Most bytes of a reference solution with its explanation, as JSON spells it.
pub const SOLUTION_MAX_BYTES: usize = 48 * 1024;
/// Most bytes of a message: an exception, a reason.
pub const MESSAGE_MAX_BYTES: usize = 2 * 1024;

/// Cuts a text so that it takes at most `max` bytes inside a record; a cut one ends in `…`.
///
/// What was cut once is not cut again, so a replay comes to the same text.
pub fn cut(mut text: String, max: usize) -> String {
    if json_len(&text) <= max {
        return text;
    }
    let room = max.saturating_sub('…'.len_utf8());
    let mut taken = 0;
    let end = text.char_indices().find(|(_, c)| {
        taken += escaped_len(*c);
        taken > room
    });
    text.truncate(end.map_or(text.len(), |(at, _)| at));
    text.push('…');
    text
}

/// The bytes a text takes between the quotes of JSON.
pub fn json_len(text: &str) -> usize {
    text.chars().map(escaped_len).sum()
}

fn escaped_len(c: char) -> usize {
    match c {
        '"' | '\\' | '\u{8}' | '\u{c}' | '\n' | '\r' | '\t' => 2,
        '\0'..='\u{1f}' => 6,
        c => c.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use vosim_protocol::{Json, Wire};

    use super::*;

    proptest! {
        #[test]
        fn a_cut_text_fits_and_is_not_cut_again(text in "(?s).{0,60}", max in 3_usize..80) {
            let written = Json::from(text.as_str()).to_line().len() - 2;
            prop_assert_eq!(json_len(&text), written);
            let short = cut(text.clone(), max);
            prop_assert!(json_len(&short) <= max);
            prop_assert_eq!(cut(short.clone(), max), short.clone());
            prop_assert!(short == text || text.starts_with(short.trim_end_matches('…')));
            prop_assert_eq!(short == text, written <= max);
        }
    }
}
