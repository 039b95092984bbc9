//! From a message to every terminal that is attached.

use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use serde_json::json;
use vosim_protocol::{EventId, Role, SessionId};
use vosim_tests::{TestDaemon, Wire, command, params};

use super::super::table::{Bar, Series, Table};

const TERMINALS: [usize; 3] = [1, 10, 100];
const MESSAGES: usize = 200;
const MESSAGE: &str = "CANDIDATE_MESSAGE";

pub(super) fn measure(table: &Table) {
    let daemon = TestDaemon::start();
    for n in table.numbers(TERMINALS) {
        let series = last_of(&daemon, n, table.turns(MESSAGES));
        for percent in [50, 99] {
            let name = format!("message to the last of {n} terminals, p{percent}");
            table.quantile(&name, &series, percent, Bar::Told);
        }
    }
}

/// How long each message takes until all terminals have it.
fn last_of(daemon: &TestDaemon, n: usize, messages: usize) -> Series {
    let mut candidate = daemon.wire();
    let session = candidate.start_interview();
    candidate.interview("begin", &params(session, command(), json!({}))).unwrap();
    candidate.wait_for_event("PROMPT_PRESENTED");
    let (seen, sightings) = channel();
    let mut series = Series::new("last terminal");
    std::thread::scope(|scope| {
        for _ in 0..n {
            let mut wire = daemon.wire();
            wire.attach(session, Role::Candidate);
            let seen = seen.clone();
            scope.spawn(move || look(&mut wire, messages, &seen));
        }
        for message in 0..messages {
            series.take(say(&mut candidate, session, message, || {
                sightings.iter().take(n).map(|(_, at)| at).max().unwrap()
            }));
        }
    });
    series
}

fn say(
    candidate: &mut Wire,
    session: SessionId,
    message: usize,
    last: impl FnOnce() -> Instant,
) -> Duration {
    let text = format!("I would look at case {message} next, and then at the one behind it.");
    let say = params(session, command(), json!({ "text": text }));
    let begin = Instant::now();
    candidate.interview("say", &say).unwrap();
    last() - begin
}

/// Tells when each message arrives.
fn look(wire: &mut Wire, messages: usize, seen: &Sender<(EventId, Instant)>) {
    for _ in 0..messages {
        let record = wire.wait_for_event(MESSAGE);
        seen.send((record.event_id, Instant::now())).unwrap();
        wire.received.clear();
    }
}
