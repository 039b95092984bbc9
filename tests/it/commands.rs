//! Command ids: one intention is carried out once, however often it is sent.

use vosim_protocol::message::{FromDaemon, Notice};
use vosim_protocol::v1::drill;
use vosim_protocol::v1::judging::Judged;
use vosim_protocol::v1::service::{
    Accepted, CommandGet, CommandGetParams, Create, CreateParams, Do, DoParams, EVENT, EventNotice,
    List, ListParams, Method as _, SETTLED, SettledNotice,
};
use vosim_protocol::wire::{Json, Wire as _};
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

#[test]
fn a_command_says_which_effect_answers_it_and_then_its_result() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    let params = submit_params(session, command(), &WRONG.text());
    let accepted = wire.drill("submit", &params).unwrap();
    let awaits = accepted.awaits.expect("the judge draws the hidden inputs first");
    assert_eq!((awaits.event_id, awaits.effect.as_str()), (EventId(3), "draw"));
    assert_eq!((accepted.result, accepted.subscription), (None, None));
    wire.wait_for_event("AGENT_RESPONSE");

    let again = wire.drill("submit", &params).unwrap();
    assert_eq!((again.replayed, again.awaits), (true, None));
    let result = drill::Submitted::from_json(again.result.unwrap()).unwrap();
    assert!(matches!(result.judged, Judged::Verdict(verdict) if !verdict.passed));
    assert!(result.feedback.is_some() && result.growth.is_none());
    let end = wire.drill("end", &vosim_tests::params(session, command(), Json::Null)).unwrap();
    assert_eq!(end.result.unwrap()["outcome"], "failure");
}

#[test]
fn a_command_that_is_followed_settles_once_also_for_a_client_that_says_no_more() {
    let daemon = TestDaemon::start();
    let session = daemon.wire().start_drill();
    let mut wire = daemon.wire();
    let submit = submit_params(session, command(), &CORRECT.text());
    let submit = DoParams { follow: true, ..submit };
    let id = wire.send(Do::NAME, submit.to_json());
    wire.say_no_more();
    let accepted = Accepted::from_json(wire.answer(id).unwrap()).unwrap();
    assert_eq!((accepted.events.len(), accepted.result), (1, None));
    let (mut told, mut settled) = (Vec::new(), Vec::new());
    while let Some(frame) = wire.frame() {
        let FromDaemon::Notice(Notice { method, params, .. }) = frame else { panic!("{frame:?}") };
        match method.as_str() {
            EVENT => {
                let notice = EventNotice::from_json(params).unwrap();
                assert_eq!(Some(notice.subscription), accepted.subscription);
                assert!(settled.is_empty(), "nothing is told behind it");
                told.push(notice.record.record.event_type);
            }
            SETTLED => settled.push(SettledNotice::from_json(params).unwrap()),
            other => assert_eq!(other, "progress"),
        }
    }
    told.sort_unstable();
    assert_eq!(
        told,
        [
            "AGENT_RESPONSE",
            "EVAL_RESULT",
            "GROWTH_MEASURED",
            "GROWTH_PROBE_STARTED",
            "SUITE_DRAWN",
            "VARIATION_ASKED",
        ]
    );
    let [settled] = settled.as_slice() else { panic!("{settled:?}") };
    assert_eq!(settled.command_id, submit.command_id);
    let result = drill::Submitted::from_json(settled.result.clone().unwrap()).unwrap();
    assert!(matches!(result.judged, Judged::Verdict(verdict) if verdict.passed));
    assert!(result.feedback.is_some() && result.growth.is_some());
}

#[test]
fn a_command_that_was_followed_is_followed_to_the_same_result_after_a_restart() {
    let mut daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    let submit = submit_params(session, command(), &WRONG.text());
    let submit = DoParams { follow: true, ..submit };
    wire.drill("submit", &submit).unwrap();
    daemon.kill();
    daemon.start_again();
    let mut wire = daemon.wire();
    let again = wire.drill("submit", &submit).unwrap();
    assert!(again.replayed);
    let settled = wire.settled();
    let result = drill::Submitted::from_json(settled.result.clone().unwrap()).unwrap();
    assert!(result.feedback.is_some());
    // Once more, when all of it is in the log.
    wire.drill("submit", &submit).unwrap();
    assert_eq!(wire.settled().result, settled.result);
}

#[test]
fn a_session_that_ends_first_leaves_a_command_without_a_result() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    let slow = format!("import time\ntime.sleep(5)\n{}", WRONG.text());
    let submit = submit_params(session, command(), &slow);
    wire.drill("submit", &DoParams { follow: true, ..submit }).unwrap();
    let end = vosim_tests::params(session, command(), Json::Null);
    daemon.wire().drill("end", &end).unwrap();
    assert_eq!(wire.settled().result, None);
}

#[test]
fn a_command_of_another_kind_is_refused_as_such_and_an_unknown_one_with_those_there_are() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    let say = vosim_tests::params(session, command(), serde_json::json!({ "text": "hello" }));
    let refused = wire.interview("say", &say).unwrap_err();
    assert_eq!(refused.code, ErrorCode::WrongKind);
    let refused = wire.drill("shout", &say).unwrap_err();
    assert_eq!(refused.code, ErrorCode::UnknownCommand);
    assert!(
        refused.message.ends_with("its commands are submit, hint, give_up, say, end"),
        "{refused}"
    );
    let observer = DoParams { role: Role::Observer, args: Json::Null, ..say };
    assert_eq!(wire.drill("end", &observer).unwrap_err().code, ErrorCode::RoleForbidden);
}
