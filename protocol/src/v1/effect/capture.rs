//! Reading a file as it stood at a deadline.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::BlobRef;
use crate::ids::Hash;
use crate::time::Time;

/// Read a file as it stood at a deadline that has passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Capture {
    /// Where it stands.
    pub file_path: String,
    /// What it held last; absent when it has not been read yet.
    pub known: Option<Hash>,
    /// Changes after this do not count.
    pub due: Time,
}

/// A file was read as it stood at a deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Captured {
    /// The bytes, which come along; absent when they are those known, or do not count.
    pub code: Option<BlobRef>,
    /// True when it was read long after the deadline.
    pub late: bool,
    /// Why its bytes do not count; absent when they are those known, or come along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untaken: Option<Untaken>,
}

/// Why the bytes of a watched file were not taken at the end of its section (DECISIONS 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Untaken {
    /// The file was missing, or could not be read.
    Unreadable,
    /// The file had more bytes than a submission may have.
    TooLarge,
    /// The file was empty, as most editors leave a file for a moment.
    Empty,
    /// The file was changed after the end.
    Changed,
}
