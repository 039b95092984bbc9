//! The name of a file of a workspace: a path from the folder on, in one spelling. The kernel confines
//! what it leads to; here is only said early what could never be meant.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::refusal::FileRefusal;

/// Longest path, bytes.
const PATH_MAX_BYTES: usize = 1024;
/// Longest part of a path, bytes, as on every Linux file system.
const PART_MAX_BYTES: usize = 255;
/// Most parts of a path.
pub(super) const DEPTH_MAX: usize = 32;

/// What the writing of a file is called until it is whole; never a file of anybody's.
pub(super) const UNFINISHED: &str = ".vosim-unfinished";

/// A path below the workspace, without `.`, `..` and doubled slashes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FileName(String);

impl FileName {
    /// Reads a path as a model gives it.
    ///
    /// # Errors
    /// If it is absolute or steps out of the workspace, belongs to git, or cannot name a file.
    pub fn parse(text: &str) -> Result<Self, FileRefusal> {
        let bad = |why: &str| Err(FileRefusal::BadPath { why: why.to_owned() });
        if text.len() > PATH_MAX_BYTES {
            return bad("it is longer than 1024 bytes");
        }
        if text.chars().any(char::is_control) {
            return bad("it holds a control character");
        }
        if text.starts_with('/') {
            return Err(FileRefusal::Outside);
        }
        let parts: Vec<&str> = text.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        if parts.contains(&"..") {
            return Err(FileRefusal::Outside);
        }
        if parts.is_empty() || text.ends_with('/') {
            return bad("it names a folder");
        }
        if parts.len() > DEPTH_MAX || parts.iter().any(|part| part.len() > PART_MAX_BYTES) {
            return bad("it is too deep, or a part of it is too long");
        }
        if parts.iter().any(|part| part.eq_ignore_ascii_case(".git")) {
            return Err(FileRefusal::Protected { path: text.to_owned() });
        }
        if parts.contains(&UNFINISHED) {
            return bad("this name is used while a file is written");
        }
        Ok(Self(parts.join("/")))
    }

    /// The whole path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folders above it, outermost first.
    pub(super) fn folders(&self) -> impl Iterator<Item = &str> {
        self.0.rsplit_once('/').into_iter().flat_map(|(above, _)| above.split('/'))
    }

    /// Its last part.
    pub(super) fn last(&self) -> &str {
        self.0.rsplit_once('/').map_or(self.0.as_str(), |(_, last)| last)
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for FileName {
    type Error = FileRefusal;

    fn try_from(text: String) -> Result<Self, FileRefusal> {
        Self::parse(&text)
    }
}

impl From<FileName> for String {
    fn from(name: FileName) -> Self {
        name.0
    }
}
