//! What several stories ask of a daemon.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use vosim_protocol::wire::{Json, Wire as _};
use vosim_protocol::{EventId, EventRecord, Hash, SessionId};
use vosim_tests::{Home, TestDaemon, WRONG, Wire};

/// A daemon that has been used and stopped, with something of each kind in its store.
pub(crate) fn stopped() -> TestDaemon {
    let mut daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", WRONG.text());
    daemon.ctl("submit a.py").ok();
    daemon.ctl("end").ok();
    daemon.ctl("export --bundle replay --output r.json").ok();
    daemon.stop();
    let kinds = ["store.json", "db-1", "blobs", "exports"];
    let stored = stored(daemon.home());
    for kind in kinds {
        assert!(stored.keys().any(|path| path.starts_with(kind)), "no {kind} in {stored:?}");
    }
    daemon
}

/// What the store of a home consists of: each file by its bytes.
pub(crate) fn stored(home: &Home) -> BTreeMap<PathBuf, Hash> {
    fn gather(top: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, Hash>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                gather(top, &path, files);
            } else {
                let name = path.strip_prefix(top).unwrap().to_owned();
                files.insert(name, Hash::of(&fs::read(&path).unwrap()));
            }
        }
    }
    let (data, mut files) = (home.paths().data, BTreeMap::new());
    gather(&data, &data, &mut files);
    // Who holds the lock is no part of it, nor is what a test has put there.
    files.retain(|path, _| path.extension().is_none_or(|it| it != "lock" && it != "filler"));
    files
}

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
