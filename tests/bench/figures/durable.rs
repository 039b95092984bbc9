//! A durable command on an open connection against one synced append, and many clients at once.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use vosim_protocol::SessionId;
use vosim_tests::{TestDaemon, Wire, command, params};

use super::table::{Bar, Series, Table};

const TURNS: usize = 300;
/// What a record of this command takes on the disk, about.
const RECORD_BYTES: usize = 700;
const CLIENTS: usize = 64;
const LASTING: Duration = Duration::from_secs(4);

pub(crate) fn measure(table: &Table) {
    let daemon = TestDaemon::start();
    one_client(&daemon, table);
    many_clients(&daemon, table);
}

/// A session in which something may be said: each message is a durable command of one record.
fn ready(daemon: &TestDaemon) -> (Wire, SessionId) {
    let mut wire = daemon.wire();
    let session = wire.start_interview();
    wire.interview("begin", &params(session, command(), serde_json::json!({}))).unwrap();
    wire.wait_for_event("PROMPT_PRESENTED");
    (wire, session)
}

fn say(wire: &mut Wire, session: SessionId) {
    let words = serde_json::json!({ "text": "Let me think." });
    wire.interview("say", &params(session, command(), words)).unwrap();
}

fn one_client(daemon: &TestDaemon, table: &Table) {
    let (mut wire, session) = ready(daemon);
    // On the same disk as the store.
    let path = daemon.home().paths().data.join("bench.append");
    let mut file = OpenOptions::new().create(true).append(true).open(&path).unwrap();
    let record = vec![b'x'; RECORD_BYTES];
    let mut ours = Series::new("command");
    let mut floor = Series::new("append + fdatasync");
    for _ in 0..table.turns(TURNS) {
        ours.time(|| say(&mut wire, session));
        wire.wait_for_event("CANDIDATE_MESSAGE");
        floor.time(|| {
            file.write_all(&record).unwrap();
            file.sync_data().unwrap();
        });
    }
    std::fs::remove_file(path).unwrap();
    table.ratio("durable command, one client", &ours, &floor, Bar::AtMost(4.0, ""));
}

/// Commands of sessions: a message is one record.
fn many_clients(daemon: &TestDaemon, table: &Table) {
    let rate = rate_of(daemon, table, |wire, session| {
        say(wire, session);
        wire.wait_for_event("CANDIDATE_MESSAGE");
    });
    let bar = Bar::AtLeast(10_000.0, "");
    table.figure("durable messages a second, 64 clients", rate, "", bar);
    let rate = rate_of(daemon, table, |wire, session| {
        wire.call("session.use", serde_json::json!({ "session": session })).unwrap();
    });
    table.figure("durable requests a second, 64 clients", rate, "", bar);
}

/// How often a second all clients together do something.
fn rate_of(daemon: &TestDaemon, table: &Table, once: impl Fn(&mut Wire, SessionId) + Sync) -> f64 {
    let [clients] = table.numbers([CLIENTS]);
    let lasting = table.lasting(LASTING);
    let ready_all: Vec<_> = (0..clients).map(|_| ready(daemon)).collect();
    let together = Barrier::new(clients);
    let work = |(mut wire, session): (Wire, SessionId)| {
        together.wait();
        let begin = Instant::now();
        let mut done = 0u64;
        while begin.elapsed() < lasting {
            once(&mut wire, session);
            wire.received.clear();
            wire.sent.clear();
            done += 1;
        }
        done
    };
    let done: u64 = std::thread::scope(|scope| {
        let all = ready_all.into_iter();
        let threads: Vec<_> = all.map(|ready| scope.spawn(|| work(ready))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let rate = done as f64 / lasting.as_secs_f64();
    rate
}
