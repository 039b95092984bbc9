//! Files of control groups: how they are written, and how a failure names them.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;

/// Writes to a file of the kernel's, which is never made.
pub(super) fn put(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes())
}

/// A reason with the path that it is about.
pub(super) fn about(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}
