//! Writing to files of control groups, and the words for a failure.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;

/// Writes to a file of the kernel, which is never created.
pub(super) fn put(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes())
}

/// Returns a reason with the path that it is about.
pub(super) fn about(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}
