//! The handshake: a range of versions and capabilities (frozen forever).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::StoreId;
use crate::time::Time;

/// What a daemon can do beyond the version of the protocol.
///
/// A client names what it cannot do without in [`HelloParams::need`], so that an older daemon says
/// what is missing instead of misreading what it is asked. A name never changes its meaning.
pub mod capability {
    /// Rows read `NAME = "word";`.
    macro_rules! capabilities {
        ($($(#[doc = $doc:literal])* $NAME:ident = $word:literal;)*) => {
            $($(#[doc = $doc])* pub const $NAME: &str = $word;)*

            /// What this build can do.
            pub const ALL: [&str; [$($word),*].len()] = [$($word),*];

            /// What each word means, by word.
            pub(crate) fn docs() -> impl Iterator<Item = (String, String)> {
                [$(($word, concat!($($doc),*))),*]
                    .into_iter()
                    .map(|(word, doc)| (word.to_owned(), doc.trim().to_owned()))
            }
        };
    }

    capabilities! {
        /// Sessions of the kind `drill`.
        DRILL = "drill";
        /// Sessions of the kind `interview`.
        INTERVIEW = "interview";
        /// Attempts.
        ATTEMPT = "attempt";
        /// `problem.test`: cases are run beside any session.
        PROBLEM_TEST = "problem_test";
        /// Streams that count as a terminal of their role while they last.
        ATTACH = "attach";
        /// An interviewer's notes on a session.
        NOTES = "notes";
        /// Replay and evaluation bundles.
        BUNDLES = "bundles";
        /// `review`: what to solve again.
        REVIEW = "review";
        /// Tasks of the autonomous candidate (002).
        TASK = "task";
    }
}

/// Versions this build speaks, first and last.
pub const VERSIONS: VersionRange = VersionRange(1, 1);

/// First and last version somebody speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VersionRange(pub u32, pub u32);

impl VersionRange {
    /// The highest version both speak.
    pub fn agree(self, other: Self) -> Option<u32> {
        let highest = self.1.min(other.1);
        (highest >= self.0.max(other.0)).then_some(highest)
    }
}

/// What a client says first; it may send requests behind it without waiting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HelloParams {
    /// The versions it speaks.
    pub protocol: VersionRange,
    /// Which program it is, for the log.
    pub client: Software,
    /// Capabilities it cannot do without.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub need: Vec<String>,
}

/// What the daemon answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HelloResult {
    /// The version this connection speaks from now on.
    pub protocol: u32,
    /// The daemon.
    pub daemon: Software,
    /// The process.
    pub pid: u32,
    /// When it started.
    pub started: Time,
    /// Identity of its store: cursors of another store mean nothing here.
    pub store_id: StoreId,
    /// The folder of its data. A client that has found this daemon and looks for other data can say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// Why its log cannot be written; absent while it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_fault: Option<String>,
    /// What it can do beyond the version.
    pub capabilities: Vec<String>,
    /// Largest frame it reads, bytes.
    pub frame_max_bytes: u64,
    /// Methods that will go, and what replaces them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deprecated: Vec<String>,
}

/// A program and its version; information only, nothing is decided by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Software {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
}

/// `data` of the error `protocol_mismatch`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mismatch {
    /// What the daemon speaks.
    pub daemon: VersionRange,
    /// What the client offered.
    pub client: VersionRange,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_common_version_is_taken() {
        let agree = |a, b, c, d| VersionRange(a, b).agree(VersionRange(c, d));
        assert_eq!(agree(1, 3, 2, 5), Some(3));
        assert_eq!(agree(2, 2, 2, 2), Some(2));
        assert_eq!(agree(1, 1, 2, 3), None);
        assert_eq!(agree(4, 5, 1, 3), None);
    }
}
