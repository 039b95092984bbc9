//! When a command has settled, and what its result is: a pure function of the log.
//!
//! ```text
//! command ---> its events ---> an effect that they want ---> events of its end ---> ... ---> settled
//! ```
//! A command has settled when no effect is wanted any more that one of its events asked for, or one
//! of those that its effects ended in. Which events these are is derived from the records alone, by
//! [`Kind::cause`], so it works again after a restart. An effect that only waits, such as a file that
//! is watched, keeps no command from settling. One that is answered by what was told before has no
//! events, and has settled at once.

use std::fmt;

use vosim_protocol::v1::commands::Commands;
use vosim_protocol::v1::events::{Events as _, seen_by};
use vosim_protocol::v1::service::{Awaited, Receipt};
use vosim_protocol::{EventId, EventRecord, Json, Role};

use crate::failure::LoadError;
use crate::kind::{Cause, Kind, Recorded};
use crate::wanted::Wanted;

/// A command that was accepted, on its way to its result.
pub trait Settling: Send + fmt::Debug {
    /// Takes the record behind the last one that it has seen; one that comes after the command
    /// has settled changes nothing.
    fn take(&mut self, record: &EventRecord, line: &[u8]) -> Result<(), LoadError>;

    /// What its sender can rely on, in a kind that counts time.
    fn receipt(&self) -> Option<Receipt>;

    /// The first effect that must end before the command has settled; none once it has.
    fn awaits(&self) -> Option<Awaited>;

    /// The result as a role may see it; none while there is none, and none for good where the session
    /// ended before.
    fn result(&self, role: Role) -> Option<Json>;
}

/// A command of one kind, with what it has led to so far.
#[derive(Debug)]
pub(crate) struct Unsettled<K: Kind> {
    command: K::Command,
    /// The command's own events, and those that its effects ended in.
    led_to: Vec<EventRecord>,
}

impl<K: Kind> Unsettled<K> {
    /// A command with the events it caused.
    pub(crate) fn new(command: K::Command, caused: Vec<EventRecord>) -> Self {
        Self { command, led_to: caused }
    }

    /// Takes a record, given the state before it and the event before it.
    pub(crate) fn take(&mut self, state: &K::State, before: EventId, record: &EventRecord) {
        // What another command asked for is its own, whatever it looks like.
        let Some(event) = recorded::<K>(record).filter(|_| record.command_id.is_none()) else {
            return;
        };
        let is_led_to = match K::cause(state, &event) {
            Cause::Outcome(effect, _) => self.is_led_to(effect.0),
            Cause::Consequence => self.is_led_to(before),
            Cause::Opening | Cause::Command(_) | Cause::Presence(_) | Cause::Deadline => false,
        };
        if is_led_to {
            self.led_to.push(record.clone());
        }
    }

    fn is_led_to(&self, event: EventId) -> bool {
        self.led_to.iter().any(|record| record.event_id == event)
    }

    /// The first of the wanted effects that must end; in the middle of a step, what is wanted next.
    pub(crate) fn awaits(
        &self,
        state: &K::State,
        cursor: EventId,
        wanted: &[Wanted<K::State, K::Event>],
    ) -> Option<Awaited> {
        if K::goes_on(state) && self.is_led_to(cursor) {
            return Some(Awaited { event_id: cursor, effect: String::new() });
        }
        let works = wanted.iter().filter(|wanted| wanted.effect.is_work());
        let first = works.map(|wanted| (wanted.id.0, wanted.effect.name()));
        let first = first.filter(|(asked, _)| self.is_led_to(*asked)).min();
        first.map(|(event_id, effect)| Awaited { event_id, effect: effect.to_owned() })
    }

    /// The result as a role may see it, once nothing is awaited.
    pub(crate) fn result(&self, state: &K::State, role: Role) -> Option<Json> {
        let seen = self.led_to.iter().cloned();
        let seen = seen.filter_map(|record| seen_by::<K::Event>(role, record));
        let seen: Vec<_> = seen.filter_map(|record| recorded::<K>(&record)).collect();
        let result = if self.led_to.is_empty() {
            K::recalled(state, &self.command)
        } else {
            K::settled(state, &self.command, &seen)
        };
        result.map(<K::Command as Commands>::Settled::into)
    }

    /// What the sender can rely on, given the state right after the command's own events.
    pub(crate) fn receipt(&self, state: &K::State) -> Option<Receipt> {
        let caused: Vec<_> = self.led_to.iter().filter_map(recorded::<K>).collect();
        K::receipt(state, &caused)
    }
}

/// A record as an event of the kind; none for one that every session has.
fn recorded<K: Kind>(record: &EventRecord) -> Option<Recorded<K::Event>> {
    let event = K::Event::read(&record.event_type, record.payload.clone()).ok()?;
    Some(Recorded { id: record.event_id, at: record.timestamp, event })
}
