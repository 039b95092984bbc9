//! What leaves the daemon when a session has ended (001 2.2): the replay bundle for operations
//! and the evaluation bundle for those who judge an interview. docs/bundles.md explains each key.
//!
//! A replay bundle is whole in itself: with it and the program alone the hash chain can be
//! checked and every decision made again. An interviewer's notes are in neither.

mod code;
mod evaluation;
mod read;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::Blob;
use crate::ids::{EventId, Hash, Kind, SessionId};
use crate::record::{Actor, ChainBreak};
use crate::time::Time;
use crate::v1::attempt::AttemptV2;
use crate::v1::telling::{Entry, Telling};

pub use code::{CodeOrigin, CodeVersion, Verdict};
pub use evaluation::{
    Answer, Assistant, Assumption, Broken, EvaluationBundle, Followup, HintTold, NamedDimension,
    OwnTests, Pause, Query, SchemaName, SectionArtifact, SectionEvents, Submission, Told,
};
pub use read::{BUNDLE_MAX_BYTES, Unreadable};

/// Version of both formats.
pub const FORMAT: u32 = 1;

/// Which bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bundle {
    /// Sections, coverage and verdicts of an interview.
    Evaluation,
    /// Everything that is needed to play a session back and to check it.
    Replay,
}

impl Bundle {
    /// The word on the wire and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Evaluation => "evaluation",
            Self::Replay => "replay",
        }
    }
}

/// A session that verifies and plays back anywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayBundle {
    /// `replay`.
    pub bundle: Bundle,
    /// Version of the format: 1.
    pub format: u32,
    /// The session.
    pub session_id: SessionId,
    /// The rules.
    pub kind: Kind,
    /// Hash of the last record.
    pub head: Hash,
    /// True: not for somebody who is still to be asked about this problem.
    pub contains_hidden: bool,
    /// What is hidden from candidates and stands here, one sentence.
    pub notice: String,
    /// The records, each exactly as it is stored: their bytes are what the chain is made of.
    pub records: Vec<String>,
    /// The spec blob, exactly: JSON text.
    pub spec: String,
    /// The code that the records name, by its hash.
    pub code: BTreeMap<Hash, Blob>,
    /// Code that they name and that has been deleted.
    #[serde(default)]
    pub withheld: Vec<Hash>,
    /// Every event, for reading.
    pub timeline: Vec<TimelineEntry>,
    /// What people read on their terminals.
    pub transcript: Vec<Entry>,
    /// Each state of the code that the session took note of.
    pub code_history: Vec<CodeVersion>,
    /// Of an attempt: what its view has in the words of 003.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<AttemptV2>,
}

/// An event in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimelineEntry {
    /// The event.
    pub event_id: EventId,
    /// When it happened.
    pub at: Time,
    /// Milliseconds since the first event.
    pub offset_ms: u64,
    /// The type.
    pub event_type: String,
    /// Who did it.
    pub actor: Actor,
    /// What it says.
    pub telling: Telling,
}

/// What a check of a replay bundle found; printed by `verify FILE`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BundleReport {
    /// The session.
    pub session_id: SessionId,
    /// The rules.
    pub kind: Kind,
    /// Records checked.
    pub records: u64,
    /// Decisions computed anew from their inputs and compared.
    pub recomputed: u64,
    /// Pieces of code whose hash was compared.
    pub code: u64,
    /// Pieces of code that have been deleted.
    pub withheld: u64,
    /// The first thing that does not fit, by the event it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<ChainBreak>,
    /// Hash of the last record when all is whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<Hash>,
}
