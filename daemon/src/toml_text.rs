//! Where something stands in a text of TOML, and what its reader says about it, in one line.

/// The line of a byte, from 1.
pub(crate) fn line_at(text: impl AsRef<[u8]>, byte: usize) -> usize {
    1 + text.as_ref().iter().take(byte).filter(|byte| **byte == b'\n').count()
}

/// The line of an error and its reason.
pub(crate) fn fault(text: &str, error: &toml::de::Error) -> (usize, String) {
    let start = error.span().map_or(0, |span| span.start);
    (line_at(text, start), one_line(error.message()))
}

/// Without line ends and whatever else a terminal obeys: a reason may quote the text.
pub(crate) fn one_line(text: &str) -> String {
    text.replace('\n', " ").chars().filter(|c| !c.is_control()).collect()
}
