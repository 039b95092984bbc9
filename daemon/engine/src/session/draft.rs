//! [`Draft`]: the events that one input leads to, each recorded before the next is chosen.
//!
//! So a consequence is decided on the state it follows from, by the rules that a replay follows
//! too. A draft numbers, chains and folds; it chooses nothing.

use std::fmt;

use vosim_protocol::{EventId, Time};

use super::{Bearer, Happened, Sealed, Session};
use crate::kind::Kind;

/// What one input leads to, so far.
pub struct Draft<'s, K: Kind> {
    session: &'s mut Session<K>,
    records: &'s mut Vec<Sealed>,
    at: Time,
    bearer: Bearer,
}

impl<K: Kind> fmt::Debug for Draft<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Draft").field("at", &self.at).field("session", &self.session).finish()
    }
}

impl<'s, K: Kind> Draft<'s, K> {
    pub(super) fn new(
        session: &'s mut Session<K>,
        records: &'s mut Vec<Sealed>,
        at: Time,
        bearer: Bearer,
    ) -> Self {
        Self { session, records, at, bearer }
    }

    /// The state after the events so far.
    pub fn state(&self) -> &K::State {
        &self.session.state
    }

    /// The time that was given with the input; for a deadline the instant at which it was due.
    pub fn at(&self) -> Time {
        self.at
    }

    /// Records one more fact; what it asks of the outside bears its id.
    pub fn push(&mut self, event: K::Event) -> EventId {
        let sealed = self.session.append(Happened::Kind(event), self.at, self.bearer);
        let id = sealed.record.event_id;
        self.records.push(sealed);
        id
    }

    /// Records some more facts.
    pub fn extend(&mut self, events: impl IntoIterator<Item = K::Event>) {
        for event in events {
            self.push(event);
        }
    }
}
