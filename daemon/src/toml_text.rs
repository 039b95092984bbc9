//! Lines of a TOML text, and the reader's errors as one line.

/// Returns the line of a byte, counted from 1.
pub(crate) fn line_at(text: impl AsRef<[u8]>, byte: usize) -> usize {
    1 + text.as_ref().iter().take(byte).filter(|byte| **byte == b'\n').count()
}

/// Returns the line of an error and its reason.
pub(crate) fn fault(text: &str, error: &toml::de::Error) -> (usize, String) {
    let start = error.span().map_or(0, |span| span.start);
    let reason = match error.message() {
        "string values must be quoted, expected literal string" => {
            "what stands behind = is no number; a text stands in quotes: \"text\"".to_owned()
        }
        said => one_line(said),
    };
    (line_at(text, start), reason)
}

/// Returns a text without line ends and control characters: a reason may quote the file.
pub(crate) fn one_line(text: &str) -> String {
    text.replace('\n', " ").chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_quotes_is_told_with_what_it_needs() {
        let text = "[log]\nlevel = debug\n";
        let error = toml::de::DeTable::parse(text).unwrap_err();
        let (line, reason) = fault(text, &error);
        assert_eq!(line, 2);
        assert!(!reason.contains("literal"), "{reason}");
    }
}
