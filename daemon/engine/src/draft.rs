//! [`Draft`]: the events that one input leads to, each recorded before the next is chosen.
//!
//! So a consequence is decided on the state it follows from, by the rules that a replay follows
//! too. A draft chooses nothing and knows no session: whoever gives it out numbers, chains and folds.

use std::fmt;

use vosim_protocol::{EventId, Time};

/// Where the facts of a draft go.
pub(crate) trait Record<S, E> {
    /// The state after the facts so far.
    fn state(&self) -> &S;

    /// The last fact so far.
    fn cursor(&self) -> EventId;

    /// Records one more fact under the time of the draft.
    fn record(&mut self, event: E, at: Time) -> EventId;
}

/// What one input leads to, so far.
pub struct Draft<'s, S, E> {
    record: &'s mut dyn Record<S, E>,
    at: Time,
}

impl<S: fmt::Debug, E> fmt::Debug for Draft<'_, S, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Draft").field("at", &self.at).field("state", self.state()).finish()
    }
}

impl<'s, S, E> Draft<'s, S, E> {
    pub(crate) fn new(record: &'s mut dyn Record<S, E>, at: Time) -> Self {
        Self { record, at }
    }

    /// The state after the events so far.
    pub fn state(&self) -> &S {
        self.record.state()
    }

    /// The last event so far.
    pub fn cursor(&self) -> EventId {
        self.record.cursor()
    }

    /// The time that was given with the input; for a deadline the instant at which it was due.
    pub fn at(&self) -> Time {
        self.at
    }

    /// Records one more fact; what it asks of the outside bears its id.
    pub fn push(&mut self, event: E) -> EventId {
        self.record.record(event, self.at)
    }

    /// Records some more facts.
    pub fn extend(&mut self, events: impl IntoIterator<Item = E>) {
        for event in events {
            self.push(event);
        }
    }
}
