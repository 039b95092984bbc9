//! Who is attached to a session is told to everybody who is.

use nix::sys::signal::Signal;
use vosim_protocol::v1::service::{PRESENCE, Unsubscribe, UnsubscribeParams};
use vosim_protocol::{EventId, Role};
use vosim_tests::{TestDaemon, WRONG};

#[test]
fn terminals_are_told_who_else_is_there_however_each_of_them_leaves() {
    let mut daemon = TestDaemon::start();
    let mut candidate = daemon.wire();
    let session = candidate.start_drill();
    let stream = candidate.attach(session, Role::Candidate).subscription;
    assert_eq!(candidate.presence(), [1, 0, 0]);
    let mut observer = daemon.wire();
    observer.attach(session, Role::Observer);
    let mut interviewer = daemon.wire();
    interviewer.attach(session, Role::Interviewer);
    for wire in [&mut candidate, &mut observer, &mut interviewer] {
        wire.wait_for_presence([1, 1, 1]);
    }
    // Who only reads is no terminal.
    let mut reader = daemon.wire();
    reader.subscribe(session, EventId::ZERO);
    let mut second = daemon.wire();
    second.attach(session, Role::Candidate);
    assert_eq!(candidate.presence(), [2, 1, 1]);
    drop(second);
    assert_eq!(candidate.presence(), [1, 1, 1]);
    drop(interviewer);
    assert_eq!(candidate.presence(), [1, 1, 0]);
    observer.wait_for_presence([1, 1, 0]);
    candidate.ask::<Unsubscribe>(&UnsubscribeParams { subscription: stream }).unwrap();
    assert_eq!(observer.presence(), [0, 1, 0]);
    // After a restart nobody is there.
    daemon.kill();
    daemon.start_again();
    let mut candidate = daemon.wire();
    candidate.attach(session, Role::Candidate);
    assert_eq!(candidate.presence(), [1, 0, 0]);

    daemon.stop();
    while let Some(vosim_protocol::message::FromDaemon::Notice(notice)) = reader.frame() {
        assert_ne!(notice.method, PRESENCE);
    }
}

#[test]
fn a_terminal_that_is_stopped_is_there_and_holds_up_no_other() {
    const SUBMISSIONS: u64 = 100;
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    wire.submit(session, &WRONG.text());
    wire.wait_for_event("AGENT_RESPONSE");
    // It never reads what it is sent, like a terminal under SIGSTOP.
    let mut stalled = daemon.wire();
    stalled.attach(session, Role::Candidate);
    // A real one beside it.
    let mut stopped = daemon.command(["attach", "--json"]).spawn();
    stopped.stdout.wait_for(|line| line.contains("AGENT_RESPONSE"));
    let mut quick = daemon.wire();
    quick.attach(session, Role::Observer);
    quick.wait_for_presence([1, 2, 0]);
    stopped.signal(Signal::SIGSTOP);
    for number in 0..SUBMISSIONS {
        wire.submit(session, &format!("no program {number}"));
        quick.wait_for_event("AGENT_RESPONSE");
    }
    // Nobody who is stalled has been missed by then, and those who come are told at once.
    let mut other = daemon.wire();
    other.attach(session, Role::Observer);
    assert_eq!(other.presence()[1], 3);
    stopped.signal(Signal::SIGCONT);
    // The one that listens again has lost nothing.
    let last = wire.wait_for_event("AGENT_RESPONSE");
    let mut seen = stalled.event();
    let first = seen.event_id;
    while seen.event_id < last.event_id {
        let next = stalled.event();
        assert_eq!(next.event_id, seen.event_id.next());
        seen = next;
    }
    assert!(first < last.event_id);
}
