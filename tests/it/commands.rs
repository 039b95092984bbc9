//! Command ids: one intention is carried out once, however often it is sent.

use vosim_protocol::v1::service::{
    CommandGet, CommandGetParams, Create, CreateParams, List, ListParams,
};
use vosim_protocol::wire::Json;
use vosim_protocol::{ErrorCode, EventId, Kind, Role};
use vosim_tests::{CORRECT, TestDaemon, WRONG, command, new_session, submit_params};

#[test]
fn a_repeated_command_answers_with_its_first_events_even_after_a_restart() {
    let mut daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    let params = submit_params(session, command(), &WRONG.text());
    let first = wire.drill("submit", &params).unwrap();
    assert!(!first.replayed);
    wire.wait_for_event("AGENT_RESPONSE");
    let second = wire.drill("submit", &params).unwrap();
    assert!(second.replayed);
    assert_eq!(second.events, first.events);

    daemon.kill();
    daemon.start_again();
    let mut wire = daemon.wire();
    let third = wire.drill("submit", &params).unwrap();
    assert!(third.replayed);
    assert_eq!((third.events, third.cursor), (first.events.clone(), second.cursor));

    let session = Some(session.to_string());
    let known = CommandGetParams {
        session: session.clone(),
        command_id: params.command_id,
        role: Role::Candidate,
    };
    let known = wire.ask::<CommandGet>(&known).unwrap().accepted.unwrap();
    assert_eq!(known.events, first.events);
    let unknown = CommandGetParams { session, command_id: command(), role: Role::Candidate };
    assert_eq!(wire.ask::<CommandGet>(&unknown).unwrap().accepted, None);
}

#[test]
fn a_known_id_with_another_payload_is_an_error_after_a_restart_too() {
    let mut daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    let id = command();
    wire.drill("submit", &submit_params(session, id, &WRONG.text())).unwrap();
    let other = submit_params(session, id, &CORRECT.text());
    let refused = |daemon: &TestDaemon| daemon.wire().drill("submit", &other).unwrap_err().code;
    assert_eq!(refused(&daemon), ErrorCode::CommandIdReused);
    wire.wait_for_event("AGENT_RESPONSE");
    daemon.kill();
    daemon.start_again();
    assert_eq!(refused(&daemon), ErrorCode::CommandIdReused);
}

#[test]
fn a_refusal_is_not_remembered() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    let mut hint = submit_params(session, command(), "");
    (hint.args, hint.blobs) = (serde_json::json!({}), Vec::new());
    let refused = wire.drill("hint", &hint).unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidTransition);
    wire.submit(session, &WRONG.text());
    wire.wait_for_event("AGENT_RESPONSE");
    assert!(!wire.drill("hint", &hint).unwrap().replayed);
}

#[test]
fn a_cursor_that_is_behind_is_a_conflict_and_the_right_one_is_not() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    let mut params = submit_params(session, command(), &WRONG.text());
    params.if_cursor = Some(EventId(1));
    let refused = wire.drill("submit", &params).unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict);
    assert_eq!(serde_json::json!(refused.data), serde_json::json!({ "cursor": 2 }));
    params.if_cursor = Some(EventId(2));
    assert_eq!(wire.drill("submit", &params).unwrap().events[0].event_id, EventId(3));
}

#[test]
fn a_repeated_create_finds_the_session_it_has_made() {
    let mut daemon = TestDaemon::start();
    let session_id = new_session();
    let params = CreateParams { session_id, kind: Kind::Drill, beside: false, args: Json::Null };
    let first = daemon.wire().ask::<Create>(&params).unwrap();
    assert!(!first.replayed);
    daemon.kill();
    daemon.start_again();
    let second = daemon.wire().ask::<Create>(&params).unwrap();
    assert!(second.replayed);
    assert_eq!((second.events, second.head), (first.events, first.head));
    assert_eq!(daemon.wire().ask::<List>(&ListParams::default()).unwrap().sessions.len(), 1);
}

#[test]
fn of_two_terminals_that_submit_at_once_one_is_judged_and_one_is_told() {
    let daemon = TestDaemon::start();
    let mut one = daemon.wire();
    let session = one.start_drill();
    let mut two = daemon.wire();
    one.submit(session, &format!("import time\ntime.sleep(1)\n{}", WRONG.text()));
    let params = submit_params(session, command(), &CORRECT.text());
    let refused = two.drill("submit", &params).unwrap_err();
    assert_eq!(refused.code, ErrorCode::InvalidTransition);
    assert!(!refused.next.is_empty(), "{refused:?}");
    one.wait_for_event("AGENT_RESPONSE");
    two.drill("submit", &params).unwrap();
}
