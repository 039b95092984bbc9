//! Where a joiner is part of what is written: Persian, Hindi and emoji of several people need it.
//!
//! Anywhere else a joiner takes no room and changes nothing, so that two texts that differ would look
//! equal.

use std::borrow::Cow;

/// Keeps letters apart that would be drawn joined.
const NON_JOINER: char = '\u{200c}';
/// Joins letters or emoji.
const JOINER: char = '\u{200d}';

/// Whether this is a joiner that changes how its neighbours are drawn.
pub(crate) fn joins(before: Option<char>, c: char, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    match c {
        NON_JOINER => is_joining(before) && is_joining(after),
        JOINER => is_joining(before) && is_joining(after) || ends_emoji(before) && is_emoji(after),
        _ => false,
    }
}

/// The text with the emoji that are joined side by side, as a terminal that joins none shows them. Where each
/// cell has its place, both kinds of terminals must agree how many a text takes.
pub(crate) fn apart(text: &str) -> Cow<'_, str> {
    if !text.contains(JOINER) {
        return Cow::Borrowed(text);
    }
    let mut before = None;
    let mut rest = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(c) = rest.next() {
        let joined = c == JOINER
            && before.is_some_and(ends_emoji)
            && rest.peek().copied().is_some_and(is_emoji);
        if !joined {
            out.push(c);
        }
        before = Some(c);
    }
    Cow::Owned(out)
}

/// Letters and marks of scripts whose letters change their form beside each other.
fn is_joining(c: char) -> bool {
    matches!(c,
        // Arabic, Syriac, N'Ko and their kin, with the forms that older texts use.
        '\u{0620}'..='\u{065f}' | '\u{066e}'..='\u{06d3}' | '\u{06d5}'..='\u{06dc}' | '\u{06df}'..='\u{06e8}'
        | '\u{06ea}'..='\u{06ef}' | '\u{06fa}'..='\u{06ff}' | '\u{0710}'..='\u{088e}' | '\u{0898}'..='\u{08e1}'
        | '\u{08e3}'..='\u{08ff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        // The scripts of India, Tibet and Burma.
        | '\u{0900}'..='\u{0dff}' | '\u{0f00}'..='\u{109f}'
        // Khmer, Mongolian, Bali and its neighbours.
        | '\u{1780}'..='\u{17d3}' | '\u{1820}'..='\u{18aa}' | '\u{1b00}'..='\u{1bff}'
        | '\u{a800}'..='\u{a8ff}' | '\u{a930}'..='\u{a9df}' | '\u{aa00}'..='\u{aaf6}' | '\u{abc0}'..='\u{abff}'
        // Their older relatives.
        | '\u{10a00}'..='\u{10a5f}' | '\u{11000}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}')
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// An emoji, or what says of one that it is drawn in colour.
fn ends_emoji(c: char) -> bool {
    is_emoji(c) || c == '\u{fe0f}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emoji_stand_side_by_side_and_letters_stay_joined() {
        assert_eq!(
            apart("👨\u{200d}👩\u{200d}👧 می\u{200c}خواهم क्\u{200d}ष"),
            "👨👩👧 می\u{200c}خواهم क्\u{200d}ष"
        );
        assert_eq!(apart("❤\u{fe0f}\u{200d}🔥"), "❤\u{fe0f}🔥");
        assert_eq!(apart("plain"), "plain");
    }

    #[test]
    fn a_joiner_counts_between_what_it_joins_and_nowhere_else() {
        let at = |text: &str| {
            let chars: Vec<char> = text.chars().collect();
            let at = chars.iter().position(|c| matches!(*c, NON_JOINER | JOINER)).unwrap();
            let before = at.checked_sub(1).map(|at| chars[at]);
            joins(before, chars[at], chars.get(at + 1).copied())
        };
        for text in [
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "क्\u{200c}ष",
            "ශ්\u{200d}රී",
            "👩\u{200d}💻",
            "❤\u{fe0f}\u{200d}🔥",
            "👩🏽\u{200d}🚀",
            "🏳\u{fe0f}\u{200d}🌈",
        ] {
            assert!(at(text), "{text:?}");
        }
        for text in [
            "a\u{200d}b",
            "ab\u{200c}",
            "\u{200d}م",
            "م\u{200c} م",
            "1\u{200d}2",
            "👩\u{200c}💻",
            "م\u{200d}a",
            "م\u{200d}💻",
            "漢\u{200d}字",
            "م\u{200d}\u{200d}م",
        ] {
            assert!(!at(text), "{text:?}");
        }
    }
}
