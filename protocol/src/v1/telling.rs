//! What an event says to people: who speaks, in which tone, in which words.
//!
//! The kind whose event it is makes its telling, from the event alone and as the reader's role may
//! see it. Whoever shows one adds the time, a label and colours, never words. A telling travels
//! beside a record and is no part of it: the chain holds what happened, not how it is told.

use std::ops::Deref;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::EventId;
use crate::record::EventRecord;
use crate::time::Time;
use crate::v1::phrase::Phrase;
use crate::v1::sentences::all;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// The boundary of a section, or the end of the session.
    Section,
    /// The interviewer: questions, answers, hints, feedback.
    Interviewer,
    /// The candidate.
    Candidate,
    /// The candidate to the assistant.
    Ask,
    /// The assistant.
    Assistant,
    /// The system: warnings, verdicts, presence.
    System,
}

/// How much an event matters, and in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// One among many.
    #[default]
    Plain,
    /// Something succeeded.
    Good,
    /// Something failed.
    Bad,
    /// To be noticed at once.
    Notice,
    /// To be noticed at once, and perhaps acted upon.
    Warning,
}

impl Tone {
    /// True for what need not be said on the wire.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    fn is_plain(&self) -> bool {
        *self == Self::Plain
    }
}

/// What an event says to people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Telling {
    /// Who speaks.
    pub channel: Channel,
    /// How much it matters.
    #[serde(default, skip_serializing_if = "Tone::is_plain")]
    pub tone: Tone,
    /// The section it belongs to, where the event names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section_id: Option<String>,
    /// True for what came in the grace period after its section.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
    /// What every screen shows; absent for an event that only `log` shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<Phrase>,
    /// What `log` alone shows, behind the line where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gist: Option<Phrase>,
}

impl Telling {
    /// An event that every screen shows.
    pub fn spoken(channel: Channel, line: Phrase) -> Self {
        Self {
            channel,
            tone: Tone::Plain,
            section_id: None,
            late: false,
            line: Some(line),
            gist: None,
        }
    }

    /// An event that only `log` shows.
    pub fn silent(gist: Phrase) -> Self {
        let (channel, tone) = (Channel::System, Tone::Plain);
        Self { channel, tone, section_id: None, late: false, line: None, gist: Some(gist) }
    }

    /// The same in another tone.
    #[must_use]
    pub fn in_tone(self, tone: Tone) -> Self {
        Self { tone, ..self }
    }

    /// The same as part of a section.
    #[must_use]
    pub fn of_section(self, section_id: &str) -> Self {
        Self { section_id: Some(section_id.to_owned()), ..self }
    }

    /// The same with what `log` adds; nothing where there are no clauses.
    #[must_use]
    pub fn adding(self, gist: Vec<Phrase>) -> Self {
        Self { gist: all(gist), ..self }
    }

    /// The same with one more clause, if there is one, that `log` alone shows.
    #[must_use]
    pub fn also(self, clause: Option<Phrase>) -> Self {
        Self { gist: all(self.gist.into_iter().chain(clause).collect()), ..self }
    }
}

/// A record as a role may see it, with what it says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToldRecord {
    /// The record.
    #[serde(flatten)]
    pub record: EventRecord,
    /// What it says; absent for an event that the daemon cannot read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub telling: Option<Telling>,
}

/// Whoever only reads the record reads this as one.
impl Deref for ToldRecord {
    type Target = EventRecord;

    fn deref(&self) -> &EventRecord {
        &self.record
    }
}

/// One entry of a transcript: an event that every screen shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// The event.
    pub event_id: EventId,
    /// When it happened.
    pub at: Time,
    /// What it says, without what only `log` shows.
    #[serde(flatten)]
    pub telling: Telling,
}

impl Entry {
    /// The entry of an event; None for one that only `log` shows.
    pub fn of(event_id: EventId, at: Time, telling: Telling) -> Option<Self> {
        telling.line.as_ref()?;
        Some(Self { event_id, at, telling: Telling { gist: None, ..telling } })
    }

    /// What is read.
    pub fn text(&self) -> &str {
        self.telling.line.as_ref().map_or("", |line| &line.text)
    }
}
