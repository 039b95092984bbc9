//! What is kept of a file that is written over: the way its lines end, and the mark at its beginning;
//! and what a text is looked at for before it is written.

/// How the lines of a text end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnds {
    Lf,
    CrLf,
}

/// The mark that some editors write at the beginning of a file.
const MARK: char = '\u{feff}';

impl LineEnds {
    /// How most lines end.
    pub(super) fn of(text: &str) -> Self {
        let crlf = text.matches("\r\n").count();
        let all = text.matches('\n').count();
        if crlf * 2 > all { Self::CrLf } else { Self::Lf }
    }

    /// The same text with these ends, where it has the plain ones.
    pub(super) fn given(self, text: &str) -> String {
        match self {
            Self::CrLf if !text.contains('\r') => text.replace('\n', "\r\n"),
            Self::CrLf | Self::Lf => text.to_owned(),
        }
    }
}

/// The text as it is written over another.
pub(super) fn in_the_manner_of(before: &str, text: &str) -> String {
    let text = LineEnds::of(before).given(text);
    if before.starts_with(MARK) && !text.starts_with(MARK) { format!("{MARK}{text}") } else { text }
}

/// Words by which a comment says that something was left out.
const LEFT_OUT: [&str; 8] =
    ["rest", "existing", "remaining", "unchanged", "previous", "omitted", "same as", "as before"];

/// The first line, from 1 on, that is a comment in the place of code.
pub(super) fn placeholder(text: &str) -> Option<usize> {
    let stands_for_code = |line: &str| {
        let line = line.trim();
        let comment = ["#", "//", "/*", "*", "<!--"].iter().any(|mark| line.starts_with(mark));
        let dots = line.contains("...") || line.contains('…');
        let line = line.to_lowercase();
        comment && dots && LEFT_OUT.iter().any(|word| line.contains(word))
    };
    text.lines().position(stands_for_code).map(|index| index + 1)
}

/// The text of bytes, if they are text.
pub(super) fn of_bytes(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// Where a passage begins in a text, as bytes; passages may overlap.
pub(super) fn places(text: &str, passage: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(passage) {
        found.push(from + at);
        from += at + text[from + at..].chars().next().map_or(1, char::len_utf8);
    }
    found
}
