//! What `protocol.describe` answers: the JSON Schema of everything on the wire.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hello::VersionRange;
use crate::message::ErrorSchema;
use crate::v1::commands::CommandSchema;
use crate::v1::events::EventSchema;
use crate::v1::service::limits::Limit;
use crate::wire::Json;

/// What `protocol.describe` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Description {
    /// The versions spoken.
    pub protocol: VersionRange,
    /// Every method.
    pub methods: BTreeMap<String, MethodSchema>,
    /// Every notice, with the type of its parameters.
    pub notices: BTreeMap<String, Json>,
    /// Every kind of session.
    pub kinds: BTreeMap<String, KindSchema>,
    /// The events that a session of any kind has, beside those of its kind.
    #[serde(default)]
    pub session_event: Json,
    /// Who did them and who may see them, by type.
    #[serde(default)]
    pub session_events: BTreeMap<String, EventSchema>,
    /// A request: what a client sends.
    #[serde(default)]
    pub request: Json,
    /// Its answer.
    #[serde(default)]
    pub response: Json,
    /// A refusal.
    pub error: Json,
    /// Every `code` of one, in words.
    #[serde(default)]
    pub errors: BTreeMap<String, ErrorSchema>,
    /// Every limit that a client can run into.
    #[serde(default)]
    pub limits: BTreeMap<String, Limit>,
    /// What the words in `capabilities` of the answer to hello mean.
    #[serde(default)]
    pub capabilities: BTreeMap<String, String>,
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

/// When a request is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Answering {
    /// Before the next request of the connection is looked at.
    #[default]
    InTurn,
    /// When it is done; requests behind it are answered meanwhile.
    WhenDone,
}

/// What comes of a request that is made again as it was, because its answer was lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Repeated {
    /// It changes nothing.
    Reads,
    /// It bears an id made once for what is wanted, and is carried out once.
    ById,
    /// It leads to what it has led to before.
    Same,
    /// It is refused where it has been carried out.
    #[default]
    Refused,
}

/// The schemas of one method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodSchema {
    /// What it is for.
    #[serde(default)]
    pub doc: String,
    /// When its answer comes.
    #[serde(default)]
    pub answered: Answering,
    /// What comes of asking again, after an answer that was lost.
    #[serde(default)]
    pub repeated: Repeated,
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
    /// Who did them and who may see them, by type.
    #[serde(default)]
    pub events: BTreeMap<String, EventSchema>,
    /// The view.
    pub view: Json,
}
