//! What is wrong with the settings, in one sentence for the user.

use std::io;
use std::path::PathBuf;

/// Why the settings cannot be used; each is one sentence for the user.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is there but cannot be read.
    #[error("{} cannot be read: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The operating system's answer.
        cause: io::Error,
    },
    /// The file is not TOML.
    #[error("{}, line {line}: {reason}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A key that means nothing.
    #[error("{}, line {line}: there is no setting {key}; there are {accepted}", path.display())]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key, with dots.
        key: String,
        /// The keys that mean something there.
        accepted: String,
    },
    /// A value that is not accepted.
    #[error("{origin}: {key} takes {accepted}, not {found}")]
    Value {
        /// File and line, or the variable.
        origin: String,
        /// The key, with dots.
        key: &'static str,
        /// What is accepted.
        accepted: &'static str,
        /// What was found.
        found: String,
    },
}
