//! Those who read along do not act, and what is asked for an event's reason stays inside its log.

use vosim_protocol::v1::service::{Log, LogParams, Why, WhyParams};
use vosim_protocol::{CommandId, ErrorCode, EventId, Role};
use vosim_tests::{TestDaemon, WRONG, Wire, command, submit_params};

fn events(wire: &mut Wire, session: &str, role: Role) -> usize {
    let session = Some(session.to_owned());
    wire.ask::<Log>(&LogParams { session, role, ..LogParams::default() }).unwrap().records.len()
}

#[test]
fn only_the_candidate_acts() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    let id: CommandId = command();
    for (role, word) in [(Role::Observer, "observer"), (Role::Interviewer, "interviewer")] {
        let mut params = submit_params(session, id, &WRONG.text());
        params.role = role;
        let refused = wire.drill("submit", &params).unwrap_err();
        assert_eq!(refused.code, ErrorCode::RoleForbidden);
        assert!(refused.message.contains(word) && !refused.next.is_empty(), "{refused}");
        assert_eq!(events(&mut wire, &session.to_string(), role), 2, "nothing happened");
    }
    // A refusal is not remembered (DECISIONS 29).
    let accepted = wire.drill("submit", &submit_params(session, id, &WRONG.text())).unwrap();
    assert!(!accepted.replayed && !accepted.events.is_empty());
}

#[test]
fn a_reason_is_given_to_every_role_that_may_see_the_event_and_none_for_what_is_not_there() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = Some(wire.start_drill().to_string());
    for role in [Role::Candidate, Role::Observer, Role::Interviewer] {
        let why = |event_id| WhyParams { session: session.clone(), event_id, role };
        assert_eq!(wire.ask::<Why>(&why(EventId(2))).unwrap().event_id, EventId(2));
        for missing in [EventId::ZERO, EventId(3), EventId(u64::MAX)] {
            let refused = wire.ask::<Why>(&why(missing)).unwrap_err();
            assert_eq!(refused.code, ErrorCode::UnknownEvent, "{missing}");
        }
    }
}
