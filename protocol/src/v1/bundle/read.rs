//! Reads a replay bundle and says what is wrong with one; whoever has the bytes can do it.

use super::{Bundle, FORMAT, ReplayBundle};
use crate::ids::EventId;
use crate::misfit;
use crate::record::{ChainBreak, check_chain_to};
use crate::wire::{Json, Wire as _};

/// Largest bundle that is read, bytes.
pub const BUNDLE_MAX_BYTES: u64 = 1024 * 1024 * 1024;

/// Why bytes are no replay bundle that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The file is larger than any bundle.
    #[error("it is too large for a bundle, which has at most 1 GiB")]
    TooLarge,
    /// The file ends in the middle.
    #[error("it breaks off before its end")]
    BreaksOff,
    /// The file is an evaluation bundle, which holds no records.
    #[error("it is an evaluation bundle, which holds no records")]
    Evaluation,
    /// The file is of a later format than this program knows.
    #[error("it was written by a newer vosim: it has format {format}, known is {FORMAT}")]
    Newer {
        /// The format.
        format: u64,
    },
    /// The file is a bundle, but one of its records has been changed.
    #[error("it has been changed at {0}")]
    Record(ChainBreak),
    /// The file is something else.
    #[error("it is not a replay bundle: {reason}")]
    Other {
        /// What was met instead.
        reason: String,
    },
}

impl ReplayBundle {
    /// Reads the whole text of a bundle; what it says is not checked yet.
    pub fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        if bytes.len() as u64 > BUNDLE_MAX_BYTES {
            return Err(Unreadable::TooLarge);
        }
        let bundle = Self::from_bytes(bytes).map_err(|error| explain(bytes, &error))?;
        match (bundle.bundle, bundle.format) {
            (Bundle::Evaluation, _) => Err(Unreadable::Evaluation),
            (Bundle::Replay, FORMAT) => Ok(bundle),
            (Bundle::Replay, format) => Err(other_format(format.into())),
        }
    }

    /// Checks the hash chain up to the head, and names the record that was changed.
    pub fn check_chain(&self) -> Result<(), ChainBreak> {
        check_chain_to(self.records.iter().map(String::as_bytes), self.head)
    }
}

fn other_format(format: u64) -> Unreadable {
    if format > u64::from(FORMAT) {
        return Unreadable::Newer { format };
    }
    Unreadable::Other { reason: format!("there is no format {format}") }
}

fn explain(bytes: &[u8], error: &serde_json::Error) -> Unreadable {
    if let Ok(json) = Json::from_bytes(bytes) {
        if json["bundle"] == Bundle::Evaluation.name() {
            return Unreadable::Evaluation;
        }
        if let Some(format) = json["format"].as_u64().filter(|format| *format > u64::from(FORMAT)) {
            return Unreadable::Newer { format };
        }
    }
    if error.is_eof() && bytes.trim_ascii_start().starts_with(b"{") {
        return Unreadable::BreaksOff;
    }
    if bytes.trim_ascii().is_empty() {
        return Unreadable::Other { reason: "it is empty".to_owned() };
    }
    match event_at(bytes, error.line()) {
        Some(event_id) => Unreadable::Record(ChainBreak {
            event_id,
            reason: "its record cannot be read".to_owned(),
        }),
        None => Unreadable::Other { reason: misfit::words(error) },
    }
}

/// The record that stands in a line of the file, counted from 1: each has its own.
fn event_at(bytes: &[u8], line: usize) -> Option<EventId> {
    let mut lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    let before = lines.position(|text| text.starts_with(b"\"records\": ["))? + 1;
    let place = line.checked_sub(before).filter(|place| *place > 0)?;
    let end = lines.position(|text| text.starts_with(b"]"))?;
    (place <= end).then_some(EventId(place as u64))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::ids::{Hash, Kind, SessionId};
    use crate::record::{Actor, EventRecord};
    use crate::time::Time;

    /// Records that nobody has decided, but chained as they must be.
    fn bundle() -> ReplayBundle {
        let (mut records, mut head) = (Vec::new(), Hash::NONE);
        for id in 1..=4 {
            let record = EventRecord {
                session_id: SessionId(uuid::Uuid::from_u128(7)),
                event_id: EventId(id),
                timestamp: Time::from_micros(id.cast_signed()),
                actor: Actor::System,
                event_type: "X".to_owned(),
                payload: serde_json::json!({ "said": "a" }),
                v: 1,
                command_id: None,
                command_hash: None,
                prev_hash: head,
            };
            let (line, hash) = record.seal();
            head = hash;
            records.push(String::from_utf8(line).unwrap());
        }
        ReplayBundle {
            bundle: Bundle::Replay,
            format: FORMAT,
            session_id: SessionId(uuid::Uuid::from_u128(7)),
            kind: Kind::Drill,
            head,
            contains_hidden: true,
            notice: String::new(),
            records,
            spec: "{}".to_owned(),
            code: BTreeMap::new(),
            withheld: Vec::new(),
            timeline: Vec::new(),
            transcript: Vec::new(),
            code_history: Vec::new(),
            attempt: None,
        }
    }

    fn text() -> String {
        serde_json::to_string_pretty(&bundle()).unwrap()
    }

    fn read(text: &str) -> String {
        match ReplayBundle::read(text.as_bytes()) {
            Ok(read) => read.check_chain().map_or_else(|b| b.to_string(), |()| "whole".to_owned()),
            Err(unreadable) => unreadable.to_string(),
        }
    }

    #[test]
    fn a_changed_record_is_named_itself_and_not_the_one_behind_it() {
        let edited = |place: usize, from: &str, to: &str| {
            let mut bundle = bundle();
            bundle.records[place] = bundle.records[place].replacen(from, to, 1);
            bundle.check_chain().unwrap_err().to_string()
        };
        assert_eq!(bundle().check_chain(), Ok(()));
        let changed = "it is not the record that the next one names";
        let said = |place| edited(place, "\"said\":\"a\"", "\"said\":\"b\"");
        assert_eq!(said(0), format!("event 1: {changed}"));
        assert_eq!(said(1), format!("event 2: {changed}"));
        assert_eq!(said(2), format!("event 3: {changed}"));
        assert_eq!(said(3), "event 4: it is not the last record that the bundle names");
        let link = "sha256:";
        for place in [1, 2, 3] {
            let bundle = bundle();
            let hash = bundle.records[place].split(link).nth(1).unwrap();
            let to = if hash.starts_with('0') { "1" } else { "0" };
            let told = edited(place, &format!("{link}{}", &hash[..1]), &format!("{link}{to}"));
            let id = place + 1;
            assert_eq!(told, format!("event {id}: it does not name the record before it"));
        }
        let mut none = bundle();
        none.records.clear();
        assert_eq!(none.check_chain().unwrap_err().to_string(), "event 1: there are no records");
        let mut missing = bundle();
        missing.records.remove(1);
        assert_eq!(missing.check_chain().unwrap_err().event_id, EventId(2));
    }

    #[test]
    fn a_bundle_that_breaks_off_anywhere_is_told_as_such() {
        let text = text();
        assert_eq!(read(&text), "whole");
        for end in 1..text.len() {
            assert_eq!(read(&text[..end]), "it breaks off before its end", "{}", &text[..end]);
        }
    }

    #[test]
    fn what_is_no_replay_bundle_is_told_in_one_line() {
        let text = text();
        let edited = |from: &str, to: &str| {
            let edited = text.replacen(from, to, 1);
            assert_ne!(edited, text);
            read(&edited)
        };
        let other = "\"bundle\": \"replay\"";
        assert_eq!(
            edited(other, "\"bundle\": \"evaluation\""),
            "it is an evaluation bundle, which holds no records"
        );
        assert_eq!(
            edited("\"format\": 1", "\"format\": 2"),
            "it was written by a newer vosim: it has format 2, known is 1"
        );
        assert_eq!(
            edited("\"format\": 1", "\"format\": 0"),
            "it is not a replay bundle: there is no format 0"
        );
        assert_eq!(
            edited("\"said\\\":\\\"a\\\"", "\"said\\\":\"a\\\""),
            "it has been changed at event 1: its record cannot be read"
        );
        for none in ["", "\0", "[]", "{}", "# Bundles", "{\"event_id\":1}\n{\"event_id\":2}\n"] {
            let told = read(none);
            assert!(told.starts_with("it is not a replay bundle: "), "{none:?}: {told}");
            assert_eq!(told.lines().count(), 1);
        }
    }
}
