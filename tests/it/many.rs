//! Many interviews in one daemon: who is woken when, and what reaches all of them.

use serde_json::json;
use vosim_protocol::v1::service::{Nothing, Status, StatusResult};
use vosim_protocol::{EventId, Hash, Role, SessionId};
use vosim_tests::{TestClock, TestDaemon, Wire, command, params};

const WARNING: &str = "SECTION_TIME_WARNING";
/// More than are told at once.
const MANY: usize = 80;

/// Interviews that have begun, each waiting for the first warning of its first section.
fn begun(daemon: &TestDaemon, count: usize) -> Vec<SessionId> {
    let begin = |_| {
        let mut wire = daemon.wire();
        let session = wire.start_interview();
        wire.interview("begin", &params(session, command(), json!({}))).unwrap();
        wire.wait_for_event("PROMPT_PRESENTED");
        session
    };
    (0..count).map(begin).collect()
}

/// A client that reads an interview from its beginning.
fn reader(daemon: &TestDaemon, session: SessionId) -> Wire {
    let mut wire = daemon.wire();
    wire.subscribe(session, EventId::ZERO);
    wire
}

fn status(daemon: &TestDaemon) -> StatusResult {
    daemon.wire().ask::<Status>(&Nothing {}).unwrap()
}

#[test]
fn a_start_wakes_nobody_and_every_deadline_fires_at_its_time() {
    let (mut daemon, mut clock) = TestClock::start_daemon("2026-03-01T12:00:00Z");
    let sessions = begun(&daemon, 20);
    daemon.kill();
    daemon.start_again();
    let found = status(&daemon);
    assert_eq!((found.sessions, found.awake), (20, 0));
    clock.advance(8 * 60);
    for session in sessions {
        let warned = reader(&daemon, session).wait_for_event(WARNING);
        assert_eq!(warned.timestamp.to_string(), "2026-03-01T12:08:00.000000Z");
    }
    assert_eq!(status(&daemon).awake, 20);
}

#[test]
fn after_a_restart_every_candidate_who_was_there_is_missed_and_no_other() {
    let (mut daemon, _clock) = TestClock::start_daemon("2026-03-01T12:00:00Z");
    let sessions = begun(&daemon, 20);
    let (there, alone) = sessions.split_at(12);
    let attach = |session: &SessionId| {
        let mut terminal = daemon.wire();
        terminal.attach(*session, Role::Candidate);
        reader(&daemon, *session).wait_for_event("CANDIDATE_CONNECTED");
        terminal
    };
    let terminals: Vec<_> = there.iter().map(attach).collect();
    daemon.kill();
    drop(terminals);
    daemon.start_again();
    for session in there {
        reader(&daemon, *session).wait_for_event("CANDIDATE_DISCONNECTED");
    }
    assert_eq!(status(&daemon).awake, there.len() as u64, "{alone:?} sleep on");
}

#[test]
fn after_a_restart_every_watched_file_is_looked_at_again_and_no_other_session_wakes() {
    let (mut daemon, _clock) = TestClock::start_daemon("2026-03-01T12:00:00Z");
    let sessions = begun(&daemon, 20);
    let (watching, others) = sessions.split_at(12);
    let name = |index: usize| format!("solution_{index}.py");
    for (index, session) in watching.iter().enumerate() {
        let path = daemon.home().file(&name(index), "# a first draft\n");
        let watch = json!({ "file_path": path, "language": "python" });
        daemon.wire().interview("watch", &params(*session, command(), watch)).unwrap();
    }
    for session in watching {
        reader(&daemon, *session).wait_for_event("SOLUTION_SAVED");
    }
    daemon.kill();
    daemon.start_again();
    // A stream wakes nobody: it is read from the log.
    let mut readers: Vec<_> = watching.iter().map(|id| reader(&daemon, *id)).collect();
    let draft = |index: usize| format!("# draft {index}\n");
    for (index, reader) in readers.iter_mut().enumerate() {
        reader.wait_for_event("SOLUTION_SAVED");
        daemon.home().file(&name(index), draft(index));
    }
    for (index, reader) in readers.iter_mut().enumerate() {
        let saved = reader.wait_for_event("SOLUTION_SAVED");
        assert_eq!(saved.payload["code_hash"], Hash::of(draft(index).as_bytes()).to_string());
    }
    assert_eq!(status(&daemon).awake, watching.len() as u64, "{others:?} sleep on");
}

#[test]
fn a_step_of_the_clock_reaches_all_interviews_before_any_of_their_deadlines() {
    let (daemon, mut clock) = TestClock::start_daemon("2026-03-01T12:00:00Z");
    let sessions = begun(&daemon, MANY);
    clock.step(3_600);
    let mut readers: Vec<_> = sessions.iter().map(|id| reader(&daemon, *id)).collect();
    for reader in &mut readers {
        let stepped = reader.wait_for_event("CLOCK_ADJUSTED");
        assert_eq!(stepped.payload["step_micros"], 3_600_000_000_i64);
    }
    clock.advance(8 * 60);
    for reader in &mut readers {
        let warned = reader.event();
        assert_eq!(warned.event_type, WARNING);
        assert_eq!(warned.timestamp.to_string(), "2026-03-01T13:08:00.000000Z");
    }
}
