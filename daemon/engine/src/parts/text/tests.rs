//! Words and sentences, in tables and as laws.

use proptest::prelude::*;

use super::*;

#[test]
fn words_are_letters_digits_and_underscores_in_lower_case() {
    for (text, expected) in [
        ("Get the Key, then PUT it.", "get|the|key|then|put|it"),
        ("move_to_end() isn't it’s", "move_to_end|isn't|it's"),
        ("O(1), O( n  log n ) and O(log(n))", "o(1)|o(n log n)|and|o(log(n))"),
        ("O(n!) Θ(n^2) o() foo(n) o(a;b)", "o(n!)|θ(n^2)|o|foo|n|o|a|b"),
        ("Größe ÉTÉ cafe\u{301} naïve", "größe|été|cafe\u{301}|naïve"),
        ("ha\u{200b}sh\u{ad} map", "hash|map"),
        ("\u{1b}[31mred\u{1b}[0m \u{1b}[?25hx \u{1b}[oops \u{7}bell\0nul", "red|x|ops|bell|nul"),
        ("a\tb\r\nc-d 'quoted' 10/12", "a|b|c|d|quoted|10|12"),
        ("'' ' ()!? \u{1b}", ""),
    ] {
        assert_eq!(words(text).join("|"), expected, "{text:?}");
    }
}

#[test]
fn sentences_end_where_a_reader_ends_them() {
    for (text, expected) in [
        ("One. Two! Three? Four", "One.|Two!|Three?|Four"),
        ("Use d.pop(key, None). Then 3.5 MB.", "Use d.pop(key, None).|Then 3.5 MB."),
        ("He said \"no.\" (Really.) Yes", "He said \"no.\"|(Really.)|Yes"),
        ("Edge values, e.g. zero, i.e. none. Done", "Edge values, e.g. zero, i.e. none.|Done"),
        ("1. first\n2. second\r\n\n  - third  ", "1. first|2. second|- third"),
        ("Wait... what?! Ok", "Wait...|what?!|Ok"),
        ("  \n \t ", ""),
    ] {
        assert_eq!(sentences(text).join("|"), expected, "{text:?}");
    }
}

proptest! {
    #[test]
    fn sentences_hold_every_word_in_order(text in TEXT) {
        let found = sentences(&text);
        let split: Vec<_> = found.iter().copied().flat_map(words).collect();
        prop_assert_eq!(split, words(&text));
        let mut rest = text.as_str();
        for sentence in found {
            prop_assert_eq!(sentence, sentence.trim());
            let at = rest.find(sentence);
            prop_assert!(at.is_some());
            rest = &rest[at.unwrap_or(0) + sentence.len()..];
        }
    }

    #[test]
    fn words_are_never_empty_and_their_words_are_themselves(text in TEXT) {
        for word in words(&text) {
            prop_assert_eq!(words(&word), vec![word.clone()]);
        }
    }
}

/// Anything, with what the rules look at more often than chance has it.
const TEXT: &str = "(?s)([a-c ]|[oO]\\(|[.!?'’)(\n]|e\\.g\\.|\u{1b}|\u{1b}\\[|[?;0-9]|.){0,40}";
