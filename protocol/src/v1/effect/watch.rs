//! Waiting for a file to be saved.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::BlobRef;
use crate::ids::Hash;
use crate::time::Time;

/// Wait until a file holds other bytes than those known, can no longer be taken, or can be taken again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Watch {
    /// Where it stands.
    pub file_path: String,
    /// What it held last; absent when it has not been read yet.
    pub known: Option<Hash>,
    /// Why it could not be taken when that was told last; absent when it could.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Obstacle>,
}

/// What has become of a watched file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Noticed {
    /// It was saved.
    Saved(Saved),
    /// It cannot be taken as it stands.
    Lost(Obstacle),
}

/// A watched file was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Saved {
    /// The bytes, which come along.
    pub code: BlobRef,
    /// When it was changed, as its disk says.
    pub modified: Time,
}

/// Why a watched file cannot be taken as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Obstacle {
    /// There is none.
    Missing,
    /// A folder, a pipe or a device is in its place.
    NotAFile,
    /// It must not or cannot be read.
    Unreadable,
    /// It has more bytes than a submission may have.
    TooLarge,
}
