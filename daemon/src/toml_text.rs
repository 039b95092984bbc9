//! Lines of a TOML text, and the reader's errors as one line.

/// Returns the line of a byte, counted from 1.
pub(crate) fn line_at(text: impl AsRef<[u8]>, byte: usize) -> usize {
    1 + text.as_ref().iter().take(byte).filter(|byte| **byte == b'\n').count()
}

/// Returns the line of an error and its reason.
pub(crate) fn fault(text: &str, error: &toml::de::Error) -> (usize, String) {
    let start = error.span().map_or(0, |span| span.start);
    (line_at(text, start), one_line(error.message()))
}

/// Returns a text without line ends and control characters: a reason may quote the file.
pub(crate) fn one_line(text: &str) -> String {
    text.replace('\n', " ").chars().filter(|c| !c.is_control()).collect()
}
