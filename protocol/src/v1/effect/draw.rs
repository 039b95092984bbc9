//! Drawing the hidden inputs of a session.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::Hash;

/// Draw hidden inputs as the session's spec says, with the answers of the reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Draw {}

/// Case data with drawn inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Drawn {
    /// The blob.
    pub suite: Hash,
}
