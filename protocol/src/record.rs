//! [`EventRecord`]: one envelope, the same on disk, on the wire and in exports (DECISIONS 1).

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{CommandId, EventId, Hash, Kind, SessionId};
use crate::time::Time;
use crate::wire::{Json, Wire};

/// Largest record in bytes; what is larger belongs into a blob.
pub const RECORD_MAX_BYTES: usize = 64 * 1024;

/// The one who did what an event tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The daemon: clocks, verdicts.
    System,
    /// The voice that asks, gives hints and feedback.
    InterviewerAi,
    /// The candidate's own helper (001 section 8).
    AssistantAi,
    /// The person at work.
    Candidate,
    /// A person who watches and keeps notes.
    Interviewer,
    /// The autonomous coding agent (002).
    Agent,
}

/// A fact, durable and never rewritten.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventRecord {
    /// The session it belongs to.
    pub session_id: SessionId,
    /// The place there: 1, 2, 3 …
    pub event_id: EventId,
    /// When it happened; never before the event in front of it.
    pub timestamp: Time,
    /// The one who did it.
    pub actor: Actor,
    /// What happened, in upper case; unique over all kinds (DECISIONS 2).
    pub event_type: String,
    /// The details, of one type for each `event_type`.
    pub payload: Json,
    /// Version of the payload's type.
    pub v: u32,
    /// The user intention that caused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_id: Option<CommandId>,
    /// Hash of that intention's payload, on the first event it caused: a known id with another
    /// payload is an error, after a restart too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_hash: Option<Hash>,
    /// SHA-256 of the exact bytes of the record before; zeros for the first.
    pub prev_hash: Hash,
}

/// The SHA-256 of a record's exact bytes: what the next record is chained to.
pub type LineHash = Hash;

impl EventRecord {
    /// The record's bytes and their hash.
    pub fn seal(&self) -> (Vec<u8>, LineHash) {
        let line = self.to_line();
        let hash = Hash::of(&line);
        (line, hash)
    }
}

/// What the daemon knows of a session without reading its log; rebuildable from it (DECISIONS 5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Head {
    /// The session.
    pub session_id: SessionId,
    /// The rules.
    pub kind: Kind,
    /// Where it stands in them, as the kind spells it.
    pub phase: String,
    /// True once nothing more can happen in it.
    pub ended: bool,
    /// The last event.
    pub cursor: EventId,
    /// When its next deadline is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_deadline: Option<Time>,
    /// True while it must be awake although nobody asks for it: something is under way in the
    /// world, a file is watched, or its candidate is to be missed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wants_waking: bool,
    /// What a list shows: the problem's title.
    pub title: String,
    /// Time of its first event.
    pub started: Time,
    /// Time of its last event.
    pub last: Time,
    /// The spec blob, which is never pruned before its session.
    pub spec: Hash,
}

/// Where a chain of records is broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChainBreak {
    /// The first record that does not fit.
    pub event_id: EventId,
    /// What does not fit.
    pub reason: String,
}

impl fmt::Display for ChainBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {}: {}", self.event_id, self.reason)
    }
}

/// Checks order, session and hash chain of whole lines, as `export --format records` writes them.
///
/// Returns the hash of the last line.
pub fn check_chain<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Result<LineHash, ChainBreak> {
    let mut prev = Hash::NONE;
    let mut id = EventId::ZERO;
    let mut session = None;
    for line in lines {
        let broken = |reason: String| ChainBreak { event_id: id.next(), reason };
        let record = EventRecord::from_bytes(line)
            .map_err(|error| broken(format!("not a record: {error}")))?;
        if record.event_id != id.next() {
            return Err(broken(format!("found event {} in its place", record.event_id)));
        }
        if *session.get_or_insert(record.session_id) != record.session_id {
            return Err(broken("belongs to another session".to_owned()));
        }
        if record.prev_hash != prev {
            return Err(broken("the record before it has been changed".to_owned()));
        }
        id = record.event_id;
        prev = Hash::of(line);
    }
    Ok(prev)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(n: u64) -> Vec<Vec<u8>> {
        let mut prev_hash = Hash::NONE;
        (1..=n)
            .map(|id| {
                let record = EventRecord {
                    session_id: SessionId(uuid::Uuid::from_u128(7)),
                    event_id: EventId(id),
                    timestamp: Time::from_micros(id.cast_signed()),
                    actor: Actor::System,
                    event_type: "X".to_owned(),
                    payload: serde_json::json!({ "z": 1, "a": 0.1 }),
                    v: 1,
                    command_id: None,
                    command_hash: None,
                    prev_hash,
                };
                let (line, hash) = record.seal();
                prev_hash = hash;
                line
            })
            .collect()
    }

    #[test]
    fn a_record_reads_back_byte_for_byte() {
        let line = chain(1).remove(0);
        assert_eq!(EventRecord::from_bytes(&line).unwrap().to_line(), line);
    }

    #[test]
    fn an_edited_missing_or_swapped_record_breaks_the_chain() {
        let check = |lines: &[Vec<u8>]| check_chain(lines.iter().map(Vec::as_slice));
        let good = chain(4);
        assert!(check(&good).is_ok());

        let mut edited = good.clone();
        let at = edited[1].iter().position(|&b| b == b'X').unwrap();
        edited[1][at] = b'Y';
        assert_eq!(check(&edited).unwrap_err().event_id, EventId(3));

        let mut missing = good.clone();
        missing.remove(1);
        assert_eq!(check(&missing).unwrap_err().event_id, EventId(2));

        let mut swapped = good;
        swapped.swap(2, 3);
        assert_eq!(check(&swapped).unwrap_err().event_id, EventId(3));
    }
}
