//! How long others wait while a session is deleted from a full store, with all that belongs to it,
//! and while the store is compacted or backed up.

use std::sync::mpsc::{TryRecvError, channel};

use vosim_protocol::{Blob, SessionId};
use vosim_tests::{Home, TestDaemon, Wire, new_session};

use super::interviews::mould::{Mould, fill};
use super::interviews::now;
use super::table::{Bar, Series, Table};

/// How many other sessions there are.
const SESSIONS: usize = 10_000;
/// The events and the blobs of each session that is deleted, and how many are, one after another.
const EVENTS: usize = 2_000;
const BLOBS: usize = 200;
const DELETED: usize = 5;
/// The sizes of the blobs, by turns: one has a row and one a file.
const BLOB_BYTES: [usize; 2] = [2 * 1024, 100 * 1024];
/// Nothing is due meanwhile.
const FAR_MICROS: i64 = 3_600_000_000;

pub(crate) fn measure(table: &Table) {
    let home = Home::new();
    let [sessions, deleted] = table.numbers([SESSIONS, DELETED]);
    let [events, blobs] = table.numbers([EVENTS, BLOBS]);
    let (small, large) = (Mould::of_events(1), Mould::of_events(events));
    let deadline = now().plus_micros(FAR_MICROS);
    let doomed: Vec<_> = (0..deleted).map(|_| new_session()).collect();
    let others: Vec<_> = (0..sessions).map(|_| new_session()).collect();
    let others_cast = others.iter().map(|id| small.cast(*id, deadline));
    let doomed_cast = doomed.iter().map(|id| {
        let mut cast = large.cast(*id, deadline);
        cast.blobs.extend((0..blobs).map(|at| blob(*id, at)));
        cast
    });
    fill(&home, others_cast.chain(doomed_cast));
    let daemon = TestDaemon::start_in(home);
    let bar = || Bar::AtMost(50.0, " ms");
    let mut deletions = Series::new("deletion");
    let beside = writer_beside(&daemon, others[0], |wire| {
        for id in &doomed {
            let what = serde_json::json!({ "session": id, "what": "session" });
            deletions.time(|| wire.call("session.delete", what).unwrap());
        }
    });
    table.quantile(&format!("deletion among {sessions} sessions"), &deletions, 50, Bar::Told);
    table.quantile("a durable write beside deletions", &beside, 100, bar());
    let beside = writer_beside(&daemon, others[0], |wire| {
        wire.call("store.compact", serde_json::json!({})).unwrap();
    });
    table.quantile("a durable write beside the compaction that follows", &beside, 100, bar());
    let beside = writer_beside(&daemon, others[0], |wire| {
        let path = daemon.home().path().join("backup");
        wire.call("store.backup", serde_json::json!({ "path": path })).unwrap();
    });
    table.quantile("a durable write beside a backup", &beside, 100, bar());
}

/// Bytes that no other blob has.
fn blob(of: SessionId, at: usize) -> Blob {
    let mut bytes = format!("{of} {at} ").into_bytes();
    bytes.resize(BLOB_BYTES[at % BLOB_BYTES.len()], b'x');
    Blob(bytes)
}

/// How long each durable request of one client takes while another does something.
fn writer_beside(daemon: &TestDaemon, of: SessionId, work: impl FnOnce(&mut Wire)) -> Series {
    let (mut worker, mut writer) = (daemon.wire(), daemon.wire());
    let (done, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        let writer = scope.spawn(move || {
            let mut series = Series::new("write");
            while is_done.try_recv() == Err(TryRecvError::Empty) {
                let to = serde_json::json!({ "session": of });
                series.time(|| writer.call("session.use", to).unwrap());
                writer.received.clear();
                writer.sent.clear();
            }
            series
        });
        work(&mut worker);
        drop(done);
        writer.join().unwrap()
    })
}
