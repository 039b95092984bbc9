//! Newtypes for everything that is named by a number or a hash, and the small closed sets.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// Names one session (000: a UUID version 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(pub Uuid);

/// Names one user intention; made once by the client and kept across reconnects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CommandId(pub Uuid);

/// Identity of a store: cursors of another store mean nothing in it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct StoreId(pub Uuid);

macro_rules! uuid_id {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "format": "uuid" })
            }
        }
    };
}

uuid_id!(SessionId);
uuid_id!(CommandId);
uuid_id!(StoreId);

impl SessionId {
    /// The first eight characters: what screens show and what a prefix usually needs.
    pub fn short(&self) -> String {
        self.0.simple().to_string()[..8].to_owned()
    }
}

/// The place of an event in its session: 1, 2, 3 …; 0 stands before the first.
///
/// A cursor is the id of the last event seen, so the same type serves for both.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(transparent)]
pub struct EventId(pub u64);

impl EventId {
    /// The cursor of a session without events.
    pub const ZERO: Self = Self(0);

    /// The id that follows.
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Names something asked of the outside: the id of the event that asks for it.
///
/// So it needs no counter of its own and is the same after every replay.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct EffectId(pub EventId);

impl fmt::Display for EffectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A SHA-256, written `sha256:` and 64 hexadecimal digits (000 uses this form for code).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// What stands before the first record of a session.
    pub const NONE: Self = Self([0; 32]);

    /// Hashes bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The 64 digits without the prefix: a file name.
    pub fn hex(&self) -> String {
        use fmt::Write as _;
        self.0.iter().fold(String::with_capacity(64), |mut text, byte| {
            write!(text, "{byte:02x}").expect("writing to a string does not fail");
            text
        })
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.hex())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({}…)", &self.hex()[..12])
    }
}

/// Why a text is not a [`struct@Hash`].
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a hash is written sha256: and 64 hexadecimal digits")]
pub struct HashError;

impl FromStr for Hash {
    type Err = HashError;

    fn from_str(text: &str) -> Result<Self, HashError> {
        let digits = text.strip_prefix("sha256:").ok_or(HashError)?.as_bytes();
        let mut bytes = [0; 32];
        if digits.len() != 64 {
            return Err(HashError);
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| HashError)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| HashError)?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Hash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Hash {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Hash".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^sha256:[0-9a-f]{64}$" })
    }
}

/// Hands the list of kinds to another macro: a row for each, with its name, its name behind its
/// article, its module in `v1`, and the feature that it is behind where only tests host it. This is the
/// one place of this crate that lists them.
macro_rules! kinds {
    ($to:ident) => {
        $to! {
            /// 000: one problem, submissions, hints, a summary.
            Drill = "drill", "a drill", in drill;
            /// 001: timed sections, follow-ups, an assistant, a coding section.
            Interview = "interview", "an interview", in interview;
            /// 003: understand, plan, implement, verify, reflect.
            Attempt = "attempt", "an attempt", in attempt;
            /// 002: an agent plans, codes, tests and reflects until the tests pass.
            Task = "task", "a task", in task;
            /// An agent's job in a folder, which somebody has checked.
            Errand = "errand", "an errand", in errand, behind "errand";
        }
    };
}
pub(crate) use kinds;

macro_rules! declare {
    ($($(#[doc = $doc:literal])* $Kind:ident = $name:literal, $with_article:literal, in $module:ident
        $(, behind $feature:literal)?;)*) => {
        /// The rules a session follows.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(rename_all = "snake_case")]
        pub enum Kind {
            $($(#[doc = $doc])* $(#[cfg(feature = $feature)])? $Kind,)*
        }

        impl Kind {
            /// The name on the wire and on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$Kind => $name,)*
                }
            }

            /// The name behind its article, for sentences.
            pub fn with_article(self) -> &'static str {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$Kind => $with_article,)*
                }
            }
        }
    };
}
kinds!(declare);

impl Kind {
    /// Every kind that is shipped, in the order of the specifications.
    pub const ALL: [Self; 4] = [Self::Drill, Self::Interview, Self::Attempt, Self::Task];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// As whom a terminal looks at a session.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Works on the problem.
    #[default]
    Candidate,
    /// Reads along; sees no more than the candidate.
    Observer,
    /// Reads along and keeps private notes.
    Interviewer,
    /// Works on its own in the candidate's place (002).
    Agent,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 4] = [Self::Candidate, Self::Observer, Self::Interviewer, Self::Agent];

    /// True for the candidate, whom requests mean that name no role.
    pub fn is_candidate(&self) -> bool {
        *self == Self::Candidate
    }

    /// The word on the wire and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Observer => "observer",
            Self::Interviewer => "interviewer",
            Self::Agent => "agent",
        }
    }
}

/// Names a problem package, for example `lru_cache`: 1 to 64 of `a-z`, `0-9`, `_` and `-`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct ProblemId(String);

/// Why a text is not a [`ProblemId`].
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a problem id is 1 to 64 of a-z, 0-9, _ and -, beginning with a letter or digit")]
pub struct ProblemIdError;

impl ProblemId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ProblemId {
    type Err = ProblemIdError;

    fn from_str(text: &str) -> Result<Self, ProblemIdError> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let first = text.bytes().next().is_some_and(plain);
        let rest = text.bytes().all(|b| plain(b) || b == b'_' || b == b'-');
        if first && rest && text.len() <= 64 {
            Ok(Self(text.to_owned()))
        } else {
            Err(ProblemIdError)
        }
    }
}

impl<'de> Deserialize<'de> for ProblemId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for ProblemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_reads_back_what_it_writes() {
        let hash = Hash::of(b"abc");
        assert_eq!(
            hash.to_string(),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(hash.to_string().parse(), Ok(hash));
        assert_eq!("sha256:12".parse::<Hash>(), Err(HashError));
        assert_eq!(format!("sha256:{}é", "0".repeat(62)).parse::<Hash>(), Err(HashError));
    }

    #[test]
    fn a_problem_id_is_a_plain_file_name() {
        assert!("lru_cache".parse::<ProblemId>().is_ok());
        for bad in ["", "../x", "LRU", "_x", "a b", &"a".repeat(65)] {
            assert_eq!(bad.parse::<ProblemId>(), Err(ProblemIdError), "{bad:?}");
        }
    }
}
