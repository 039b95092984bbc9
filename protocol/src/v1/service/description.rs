//! What `protocol.describe` answers: the JSON Schema of everything on the wire.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hello::VersionRange;
use crate::v1::commands::CommandSchema;
use crate::wire::Json;

/// What `protocol.describe` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Description {
    /// The versions spoken.
    pub protocol: VersionRange,
    /// Every method.
    pub methods: BTreeMap<String, MethodSchema>,
    /// Every notice.
    pub notices: BTreeMap<String, Json>,
    /// Every kind of session.
    pub kinds: BTreeMap<String, KindSchema>,
    /// A refusal.
    pub error: Json,
    /// The envelope of an event.
    pub record: Json,
    /// The files that `session.bundle` writes.
    #[serde(default)]
    pub bundles: BTreeMap<String, Json>,
    /// What events say, in English: each sentence by its key.
    pub sentences: BTreeMap<String, String>,
    /// What the schemas refer to, as `#/$defs/NAME`.
    #[serde(rename = "$defs")]
    pub definitions: BTreeMap<String, Json>,
}

/// The schemas of one method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodSchema {
    /// What it takes.
    pub params: Json,
    /// What it answers.
    pub result: Json,
}

/// The schemas of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KindSchema {
    /// `args` of `session.create`.
    pub start: Json,
    /// Its commands, by the name that `session.do` takes.
    pub commands: BTreeMap<String, CommandSchema>,
    /// Its events.
    pub event: Json,
    /// The view.
    pub view: Json,
}
