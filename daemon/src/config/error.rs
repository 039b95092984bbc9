//! Errors of the settings, each one sentence for the user.

use std::path::PathBuf;

use vosim_protocol::trouble::Trouble;

use crate::runtime_dir::Distrust;

/// The reason why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file exists but cannot be read.
    #[error("{} cannot be read: {trouble}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What keeps it from being read.
        trouble: Trouble,
    },
    /// The file is not ours alone to change: whoever can write it could have programs started.
    #[error("{} is not obeyed: {why}", path.display())]
    Untrusted {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: Distrust,
    },
    /// The file is not TOML.
    #[error("{}, line {line}: {reason}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The reason.
        reason: String,
    },
    /// The file has a key that is no setting.
    #[error("{}, line {line}: there is no setting {key}; {advice}", path.display())]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key, with dots.
        key: String,
        /// Where it belongs, else the known keys.
        advice: String,
    },
    /// A value that is not accepted.
    #[error("{origin}: {key} takes {accepted}, not {found}")]
    Value {
        /// File and line, or the variable.
        origin: String,
        /// The key, with dots.
        key: &'static str,
        /// The accepted values.
        accepted: &'static str,
        /// The value that was found.
        found: String,
    },
}
