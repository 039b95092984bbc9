//! A key, which is sent to its server and shown to nobody.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Longest key, bytes.
const KEY_MAX_BYTES: u64 = 4096;

/// What stands in the place of a key.
const HIDDEN: &str = "(the key)";

/// A key. Nothing that is printed, logged or recorded holds it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// Why a key cannot be had. The key is in none of these.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// There is no such variable.
    #[error("the variable {variable} of the environment holds no key")]
    NoVariable {
        /// Its name.
        variable: String,
    },
    /// The file cannot be read.
    #[error("the key cannot be read from {path}: {told}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        told: String,
    },
    /// Others may read the file.
    #[error(
        "others may read the key in {path}, whose mode is {mode:o}: `chmod 600 {path}` ends that"
    )]
    Open {
        /// The file.
        path: String,
        /// Its mode.
        mode: u32,
    },
    /// It is no key.
    #[error("what {from} holds is no key: a key is one line of visible characters")]
    NoKey {
        /// Where it was read.
        from: String,
    },
}

impl Secret {
    /// A key as it is.
    ///
    /// # Errors
    /// If it could not be sent: an empty one, or one of several lines. `from` says where it came from.
    pub fn new(text: &str, from: &str) -> Result<Self, SecretError> {
        let text = text.trim();
        let visible = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        if !visible {
            return Err(SecretError::NoKey { from: from.to_owned() });
        }
        Ok(Self(text.to_owned()))
    }

    /// Reads a key from a variable of the environment.
    ///
    /// # Errors
    /// If it holds none.
    pub fn from_variable(variable: &str) -> Result<Self, SecretError> {
        let missing = || SecretError::NoVariable { variable: variable.to_owned() };
        let text = std::env::var(variable).map_err(|_| missing())?;
        if text.trim().is_empty() {
            return Err(missing());
        }
        Self::new(&text, &format!("the variable {variable}"))
    }

    /// Reads a key from a file that is its owner's alone.
    ///
    /// # Errors
    /// If there is none, if it is no regular file, or if the group or others have any right to it.
    pub fn from_file(path: &Path) -> Result<Self, SecretError> {
        let name = path.display().to_string();
        let unreadable = |told: String| SecretError::Unreadable { path: name.clone(), told };
        let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
        // Of the open file, so that nothing changes in between.
        let found = file.metadata().map_err(|error| unreadable(error.to_string()))?;
        if !found.is_file() {
            return Err(unreadable("it is no regular file".to_owned()));
        }
        let mode = found.mode() & 0o7777;
        if mode & 0o077 != 0 {
            return Err(SecretError::Open { path: name, mode });
        }
        let mut text = String::new();
        let read = file.take(KEY_MAX_BYTES + 1).read_to_string(&mut text);
        read.map_err(|error| unreadable(error.to_string()))?;
        if text.len() as u64 > KEY_MAX_BYTES {
            return Err(SecretError::NoKey { from: name });
        }
        Self::new(&text, &name)
    }

    /// The key itself, for the header that carries it.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }

    /// A text without the key, whole or nearly whole: servers repeat it in their errors, some of them
    /// with the middle left out.
    pub(super) fn hide_in(&self, text: &str) -> String {
        let text = text.replace(&self.0, HIDDEN);
        // The two ends of a key say enough to be kept out as well.
        let end = self.0.len().saturating_sub(4);
        let starts = self.0.get(..8).into_iter();
        let ends = self.0.get(end..).filter(|_| self.0.len() >= 16).into_iter();
        text.split_inclusive(char::is_whitespace)
            .map(|word| {
                let bare = word.trim_end();
                let masked = bare.contains("**") || bare.contains("...") || bare.contains('…');
                let ours = starts.clone().any(|start| bare.contains(start))
                    || (masked && ends.clone().any(|end| bare.contains(end)));
                if ours { word.replace(bare, HIDDEN) } else { word.to_owned() }
            })
            .collect()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}
