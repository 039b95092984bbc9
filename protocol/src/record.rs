//! [`EventRecord`]: one envelope, the same on disk, on the wire and in exports (DECISIONS 1).

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{CommandId, EventId, Hash, Kind, ProblemId, SessionId};
use crate::misfit;
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
    /// How it came out; absent until it has ended, and in a kind that is about no problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished: Option<Finished>,
    /// How it stands with its problem; absent in a kind that judges nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
}

/// How it stands with the problem of a session, for lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// The problem.
    pub problem: ProblemId,
    /// Submissions that were judged.
    pub submissions: u32,
    /// Tests that the last of them passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests_passed: Option<u32>,
    /// Tests there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<u32>,
    /// Hints that were given.
    pub hints: u32,
}

/// How an ended session about a problem came out. `review` is made of these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finished {
    /// The problem.
    pub problem: ProblemId,
    /// Whether it was solved, and with how much help.
    pub outcome: Outcome,
}

/// Whether a problem was solved, and with how much help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Solved without any help.
    Unaided,
    /// Solved with hints of levels 1 to 3.
    Hinted,
    /// Solved, and the assistant had answered.
    Assisted,
    /// Solved after the reference solution was shown.
    #[serde(rename = "level_4")]
    Level4,
    /// Tried and not solved.
    Failed,
    /// Left before there was anything to judge.
    Abandoned,
}

impl Outcome {
    /// Every one, the best first.
    pub const ALL: [Self; 6] =
        [Self::Unaided, Self::Hinted, Self::Assisted, Self::Level4, Self::Failed, Self::Abandoned];
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

/// Checks order, session and hash chain of the records of one session, line by line.
#[derive(Debug)]
struct Chain {
    session: Option<SessionId>,
    last: EventId,
    head: LineHash,
    /// True when the last record does not name the one before it. Which of the two was changed is
    /// told by what follows: it names the last record by its hash.
    is_loose: bool,
}

impl Default for Chain {
    fn default() -> Self {
        Self { session: None, last: EventId::ZERO, head: Hash::NONE, is_loose: false }
    }
}

impl Chain {
    fn add(&mut self, record: &EventRecord, line: &[u8]) -> Result<(), ChainBreak> {
        self.linked(Some(record.prev_hash))?;
        let broken = |reason: String| ChainBreak { event_id: self.last.next(), reason };
        if record.event_id != self.last.next() {
            return Err(broken(format!("found event {} in its place", record.event_id)));
        }
        self.is_loose = record.prev_hash != self.head;
        if self.is_loose && self.last == EventId::ZERO {
            return Err(broken(NAMES_ANOTHER.to_owned()));
        }
        let session = *self.session.get_or_insert(record.session_id);
        if !self.is_loose && session != record.session_id {
            return Err(broken("belongs to another session".to_owned()));
        }
        self.last = record.event_id;
        self.head = Hash::of(line);
        Ok(())
    }

    /// That the last two records fit together; `named` is what follows, or the end of the records,
    /// says that the last of them is.
    fn linked(&self, named: Option<LineHash>) -> Result<(), ChainBreak> {
        if !self.is_loose {
            return Ok(());
        }
        let before = EventId(self.last.0.saturating_sub(1));
        let (event_id, reason) = match named {
            Some(named) if named == self.head => (before, NOT_NAMED.to_owned()),
            Some(_) => (self.last, NAMES_ANOTHER.to_owned()),
            None => (before, format!("it does not fit to event {}, which names it", self.last)),
        };
        Err(ChainBreak { event_id, reason })
    }

    fn no_record(&self, why: &str) -> ChainBreak {
        let here =
            ChainBreak { event_id: self.last.next(), reason: format!("not a record: {why}") };
        self.linked(None).err().unwrap_or(here)
    }
}

const NOT_NAMED: &str = "it is not the record that the next one names";
const NAMES_ANOTHER: &str = "it does not name the record before it";

fn chain_of<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Result<Chain, ChainBreak> {
    let mut chain = Chain::default();
    for line in lines {
        let record =
            misfit::read_bytes::<EventRecord>(line).map_err(|why| chain.no_record(&why))?;
        chain.add(&record, line)?;
    }
    Ok(chain)
}

/// Checks order, session and hash chain of the records of a session.
///
/// Returns the hash of the last line.
pub fn check_chain<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Result<LineHash, ChainBreak> {
    let chain = chain_of(lines)?;
    chain.linked(None)?;
    Ok(chain.head)
}

/// Checks the same up to a last record whose hash is known from elsewhere.
pub fn check_chain_to<'a>(
    lines: impl Iterator<Item = &'a [u8]>,
    head: LineHash,
) -> Result<(), ChainBreak> {
    let chain = chain_of(lines)?;
    chain.linked(Some(head))?;
    if chain.last == EventId::ZERO {
        let reason = "there are no records".to_owned();
        return Err(ChainBreak { event_id: chain.last.next(), reason });
    }
    if chain.head != head {
        let reason = "it is not the last record that the bundle names".to_owned();
        return Err(ChainBreak { event_id: chain.last, reason });
    }
    Ok(())
}

/// The last line of a file of records. A file that does not end with it has been cut off, and one
/// that does not agree with it has been changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Closing {
    /// The session to which all the records belong.
    pub session_id: SessionId,
    /// How many there are.
    pub records: u64,
    /// The hash of the last of them.
    pub head: LineHash,
}

/// Checks a file of records line by line, as `export --format records` writes it: the records of one
/// session, and a [`Closing`].
#[derive(Debug, Default)]
pub struct FileCheck {
    chain: Chain,
    closing: Option<Closing>,
}

impl FileCheck {
    /// Checks the next line, which is given with its end, and returns the record in it unless it is
    /// the one that closes the file.
    pub fn line<'a>(&mut self, line: &'a [u8]) -> Result<Option<&'a [u8]>, ChainBreak> {
        let here = self.chain.last.next();
        let broken = |event_id, reason: &str| ChainBreak { event_id, reason: reason.to_owned() };
        let Some(line) = line.strip_suffix(b"\n") else {
            self.chain.linked(None)?;
            return Err(broken(here, "the file is cut off in the middle of a line"));
        };
        if self.closing.is_some() {
            return Err(broken(here, "the file goes on behind the line that closes it"));
        }
        match misfit::read_bytes::<EventRecord>(line) {
            Ok(record) => self.chain.add(&record, line).map(|()| Some(line)),
            Err(why) => match Closing::from_bytes(line) {
                Ok(closing) => self.close(closing).map(|()| None),
                Err(_) => Err(self.chain.no_record(&why)),
            },
        }
    }

    fn close(&mut self, closing: Closing) -> Result<(), ChainBreak> {
        let (Closing { session_id, records, head }, chain) = (closing, &self.chain);
        let broken = |event_id, reason: String| Err(ChainBreak { event_id, reason });
        chain.linked(Some(head))?;
        if records > chain.last.0 {
            let reason = format!("records are missing here: the file was closed after {records}");
            return broken(chain.last.next(), reason);
        }
        if records < chain.last.0 {
            let reason = format!("records were added here: the file was closed after {records}");
            return broken(EventId(records).next(), reason);
        }
        if chain.session.is_some_and(|session| session != session_id) {
            return broken(chain.last, "the file was closed for another session".to_owned());
        }
        if chain.head != head {
            return broken(
                chain.last,
                "it is not the record after which the file was closed".into(),
            );
        }
        self.closing = Some(closing);
        Ok(())
    }

    /// Ends the check and returns what closes the file; it holds one record at least.
    pub fn end(self) -> Result<Closing, ChainBreak> {
        self.chain.linked(self.closing.map(|closing| closing.head))?;
        let here = self.chain.last.next();
        let broken = |reason: &str| ChainBreak { event_id: here, reason: reason.to_owned() };
        match self.closing {
            Some(closing) if closing.records > 0 => Ok(closing),
            Some(_) => Err(broken("there are no records")),
            None => Err(broken("the file is cut off here: the line that closes it is missing")),
        }
    }
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

        let edited = |place: usize, from: &str, to: &str| {
            let mut lines = good.clone();
            let text = String::from_utf8(lines[place].clone()).unwrap();
            assert!(text.contains(from), "{text}");
            lines[place] = text.replacen(from, to, 1).into_bytes();
            lines
        };
        let told = |lines: &[Vec<u8>]| check(lines).unwrap_err().to_string();
        for (place, id) in [(0, 1), (1, 2)] {
            for (from, to) in [("\"z\":1", "\"z\":2"), ("\"v\":1", "\"v\":2"), ("system", "agent")]
            {
                let told = told(&edited(place, from, to));
                assert_eq!(told, format!("event {id}: {NOT_NAMED}"));
            }
        }
        let other = uuid::Uuid::from_u128(8).to_string();
        let own = uuid::Uuid::from_u128(7).to_string();
        for place in 0..3 {
            let found = check(&edited(place, &own, &other)).unwrap_err();
            assert_eq!(found.event_id, EventId(place as u64 + 1), "{found}");
        }
        for (place, line) in good.iter().enumerate().take(3) {
            let hash = EventRecord::from_bytes(line).unwrap().prev_hash.to_string();
            let other = Hash::of(b"another").to_string();
            let told = told(&edited(place, &hash, &other));
            assert_eq!(told, format!("event {}: {NAMES_ANOTHER}", place + 1));
        }
        // Nothing behind the last one says which of the last two was changed.
        let told = told(&edited(2, "\"z\":1", "\"z\":2"));
        assert_eq!(told, "event 3: it does not fit to event 4, which names it");

        let mut missing = good.clone();
        missing.remove(1);
        assert_eq!(check(&missing).unwrap_err().event_id, EventId(2));

        let mut swapped = good;
        swapped.swap(2, 3);
        assert_eq!(check(&swapped).unwrap_err().event_id, EventId(3));
    }

    /// What a check of a file finds.
    fn found(text: &[u8]) -> Result<Closing, ChainBreak> {
        let mut check = FileCheck::default();
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            check.line(line)?;
        }
        check.end()
    }

    fn file(lines: &[Vec<u8>], closing: &Closing) -> Vec<u8> {
        [lines, &[closing.to_line(), Vec::new()]].concat().join(&b'\n')
    }

    #[test]
    fn what_is_no_record_is_named_with_its_number_and_what_does_not_fit() {
        let lines = chain(3);
        let closing = Closing {
            session_id: SessionId(uuid::Uuid::from_u128(7)),
            records: 3,
            head: Hash::of(&lines[2]),
        };
        let edits = [
            (
                "\"system\"",
                "\"system \"",
                "`actor`: expected one of `system`, `interviewer_ai`, `assistant_ai`, `candidate`, \
                 `interviewer`, `agent`, given `system `",
            ),
            (
                "\"v\":1",
                "\"v\":\"1\"",
                "`v`: expected a whole number from 0 to 4294967295, given the text \"1\"",
            ),
            ("\"v\":1,", "", "missing field `v`"),
            ("{\"session_id\"", "\"session_id\"", "it is no valid JSON, from its byte 13 on"),
        ];
        for (from, to, why) in edits {
            let mut edited = lines.clone();
            let text = String::from_utf8(edited[2].clone()).unwrap();
            assert!(text.contains(from), "{text}");
            edited[2] = text.replacen(from, to, 1).into_bytes();
            let told = format!("event 3: not a record: {why}");
            assert_eq!(found(&file(&edited, &closing)).unwrap_err().to_string(), told);
            let checked = check_chain(edited.iter().map(Vec::as_slice));
            assert_eq!(checked.unwrap_err().to_string(), told);
        }
    }

    #[test]
    fn a_file_is_whole_only_as_it_was_closed() {
        let lines = chain(4);
        let closing = Closing {
            session_id: SessionId(uuid::Uuid::from_u128(7)),
            records: 4,
            head: Hash::of(&lines[3]),
        };
        let whole = file(&lines, &closing);
        assert_eq!(found(&whole), Ok(closing));
        // Wherever it is cut, and whatever it goes on with.
        for cut in 0..whole.len() {
            let broken = found(&whole[..cut]).unwrap_err();
            assert!(broken.reason.contains("cut off"), "{cut}: {broken}");
        }
        let more = chain(5);
        for added in [&b"\n"[..], b"x", &whole, &file(&more[4..], &closing)] {
            let broken = found(&[&whole, added].concat()).unwrap_err().to_string();
            assert!(broken.starts_with("event 5: the file "), "{broken}");
        }
        let tell =
            |lines: &[Vec<u8>], closing| found(&file(lines, &closing)).unwrap_err().to_string();
        // A changed record is named itself, wherever it stands.
        for place in 0..4 {
            let mut edited = lines.clone();
            let at = edited[place].iter().position(|&b| b == b'X').unwrap();
            edited[place][at] = b'Y';
            let id = format!("event {}: it is not the record ", place + 1);
            assert!(tell(&edited, closing).starts_with(&id), "{id}");
        }
        let at = |records, line: &Vec<u8>| Closing { records, head: Hash::of(line), ..closing };
        let told = [
            tell(&lines[..3], closing),
            tell(&more, closing),
            tell(&lines, at(4, &lines[2])),
            tell(&lines, Closing { session_id: SessionId(uuid::Uuid::from_u128(8)), ..closing }),
            tell(&[], Closing { records: 0, head: Hash::NONE, ..closing }),
        ];
        assert_eq!(
            told,
            [
                "event 4: records are missing here: the file was closed after 4",
                "event 5: records were added here: the file was closed after 4",
                "event 4: it is not the record after which the file was closed",
                "event 4: the file was closed for another session",
                "event 1: there are no records",
            ]
        );
    }
}
