//! Texts cut between characters.

/// As many bytes of the beginning of a text as make whole characters, at most `bytes_max`.
pub fn start(text: &str, bytes_max: usize) -> &str {
    let within = 0..=bytes_max.min(text.len());
    let end = within.rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

/// As many bytes of the end of a text as make whole characters, at most `bytes_max`.
pub fn end(text: &str, bytes_max: usize) -> &str {
    let mut within = text.len().saturating_sub(bytes_max)..=text.len();
    let start = within.find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_is_cut() {
        let text = "aé€z";
        let starts = [0, 1, 2, 3, 5, 6, 7, 99].map(|bytes| start(text, bytes));
        assert_eq!(starts, ["", "a", "a", "aé", "aé", "aé€", text, text]);
        let ends = [0, 1, 2, 3, 4, 5, 6, 7, 99].map(|bytes| end(text, bytes));
        assert_eq!(ends, ["", "z", "z", "z", "€z", "€z", "é€z", text, text]);
    }
}
