//! What several stories ask of a daemon.

use vosim_protocol::wire::{Json, Wire as _};
use vosim_protocol::{EventId, EventRecord, SessionId};
use vosim_tests::{TestDaemon, Wire};

/// The records of the current session.
pub(crate) fn log(daemon: &TestDaemon) -> Vec<EventRecord> {
    let lines = daemon.ctl("log --json").json();
    lines.into_iter().map(|json| EventRecord::from_json(json).unwrap()).collect()
}

/// The types of the current session's events.
pub(crate) fn types(daemon: &TestDaemon) -> Vec<String> {
    log(daemon).into_iter().map(|record| record.event_type).collect()
}

/// The current session.
pub(crate) fn current(daemon: &TestDaemon) -> SessionId {
    log(daemon)[0].session_id
}

/// Waits until the current session has an event of this type; its last one before that is passed.
pub(crate) fn wait_for(daemon: &TestDaemon, event_type: &str) -> EventRecord {
    let session = current(daemon);
    let mut wire = daemon.wire();
    wire.subscribe(session, EventId::ZERO);
    wire.wait_for_event(event_type)
}

/// Every event of a session up to the first of this type.
pub(crate) fn until(wire: &mut Wire, event_type: &str) -> Vec<EventRecord> {
    let mut events = vec![wire.event()];
    while events[events.len() - 1].event_type != event_type {
        events.push(wire.event());
    }
    events
}

/// The last payload of this type.
#[track_caller]
pub(crate) fn last(records: &[EventRecord], event_type: &str) -> Json {
    let found = records.iter().rfind(|record| record.event_type == event_type);
    found.unwrap_or_else(|| panic!("no {event_type} in {records:#?}")).payload.clone()
}

/// How often a type occurs.
pub(crate) fn count(records: &[EventRecord], event_type: &str) -> usize {
    records.iter().filter(|record| record.event_type == event_type).count()
}

/// Event ids are 1, 2, 3 …: no gap, no repeat.
#[track_caller]
pub(crate) fn assert_gapless(records: &[EventRecord]) {
    for (index, record) in records.iter().enumerate() {
        assert_eq!(record.event_id.0, index as u64 + 1, "{records:#?}");
    }
}

/// A seeded choice of moments; the seed is told by a failure.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    /// One of so many.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        // xorshift64
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}
