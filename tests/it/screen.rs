//! The live screen on real terminals: what is seen, what keys do, and how one leaves.

mod attempt;
mod drill;
mod keyboard;
mod leaving;
mod reconnect;
mod several;
mod sizes;
mod start;
mod whole;

use vosim_protocol::{EventRecord, SessionId};
use vosim_tests::{Terminal, TestClock, TestDaemon, Wire, command, params, text_of};

use crate::support::wait_for;

const START: &str = "2026-01-05T12:00:00Z";

/// What the empty input line says.
const READY: &str = "> Type and press Enter";

/// An interview that has just begun, with nothing watched, at a clock that stands.
fn begun() -> (TestDaemon, TestClock) {
    let (daemon, clock) = TestClock::start_daemon(START);
    daemon.ctl("interview start --no-watch").ok();
    wait_for(&daemon, "PROMPT_PRESENTED");
    (daemon, clock)
}

/// The candidate's terminal, ready to be typed on.
fn candidate(daemon: &TestDaemon) -> Terminal {
    let terminal = Terminal::start(daemon.home(), "attach --as candidate");
    terminal.shows(READY);
    terminal
}

/// Sends a line and waits for its receipt: one is sent at a time.
fn send(terminal: &mut Terminal, line: &str) {
    terminal.line(line);
    terminal.wait_for("a receipt and an empty line", |screen| {
        let text = text_of(screen);
        text.contains(" was received") && text.contains(READY)
    });
}

/// Somebody says something on another connection.
fn say(wire: &mut Wire, session: SessionId, text: &str) -> EventRecord {
    let args = serde_json::json!({ "text": text });
    let accepted = wire.interview("say", &params(session, command(), args)).unwrap();
    let mut events = accepted.events.into_iter().map(|told| told.record);
    let said = events.find(|record| record.event_type == "CANDIDATE_MESSAGE");
    said.expect("a message was said")
}

/// A line of the screen, from its top.
fn row(screen: &vt100::Screen, number: usize) -> String {
    text_of(screen).lines().nth(number).unwrap_or_default().to_owned()
}

/// Seconds left, as the header tells them.
fn left(screen: &vt100::Screen) -> Option<u64> {
    let header = row(screen, 0);
    let clock = header.trim_end().strip_suffix(" left")?.rsplit(' ').next()?;
    let (minutes, seconds) = clock.split_once(':')?;
    Some(minutes.parse::<u64>().ok()? * 60 + seconds.parse::<u64>().ok()?)
}
