//! `kill -9` at the worst moments: nothing acknowledged is lost, nothing is done twice.

use std::collections::BTreeMap;

use vosim_protocol::v1::service::{
    Accepted, Do, DoParams, Log, LogParams, Method as _, Replay, ReplayParams, SessionParams,
    Verify,
};
use vosim_protocol::wire::Wire as _;
use vosim_protocol::{EventId, EventRecord, Kind, Role, SessionId};
use vosim_tests::{CORRECT, TestDaemon, WRONG, command, named, submit_params};

use crate::support::{Chance, assert_gapless, count, until};

/// Loading takes a second, so that the kill finds the run under way.
const SLOW: &str = "import time\ntime.sleep(1)\n";

#[test]
fn a_verdict_that_a_crash_interrupted_arrives_once_after_the_restart() {
    let mut daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    let accepted = wire.submit(session, &format!("{SLOW}{}", WRONG.text()));
    daemon.kill();
    daemon.start_again();

    let mut wire = daemon.wire();
    wire.subscribe(session, EventId::ZERO);
    let records = until(&mut wire, "AGENT_RESPONSE");
    assert_gapless(&records);
    assert_eq!(records[2], accepted.events[0].record, "what was acknowledged is still there");
    for event_type in ["CODE_SUBMITTED", "EVAL_RESULT", "AGENT_RESPONSE"] {
        assert_eq!(count(&records, event_type), 1, "{event_type}");
    }
    let result = crate::support::last(&records, "EVAL_RESULT");
    assert_eq!(result["tests_passed"], 5);
}

#[test]
fn a_client_that_waits_for_a_verdict_gets_it_through_a_crash() {
    let mut daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.home().file("slow.py", format!("{SLOW}{}", CORRECT.text()));
    let submit = daemon.command(["submit", "slow.py"]).spawn();
    crate::support::wait_for(&daemon, "CODE_SUBMITTED");
    daemon.kill();
    daemon.start_again();
    let ran = submit.end();
    assert!(ran.ok().contains("12/12"), "{ran}");
}

/// One intention of the scripted interview.
struct Intention {
    name: &'static str,
    params: DoParams,
    /// What its consequences end with.
    settled_by: &'static str,
}

fn script(session: SessionId) -> Vec<Intention> {
    let submit = |code: &str| submit_params(session, command(), code);
    let plain = || DoParams { args: serde_json::json!({}), blobs: Vec::new(), ..submit("") };
    let intention = |name, params, settled_by| Intention { name, params, settled_by };
    vec![
        intention("submit", submit(&WRONG.text()), "AGENT_RESPONSE"),
        intention("hint", plain(), "HINT_GIVEN"),
        intention("submit", submit(&WRONG.variant(1)), "AGENT_RESPONSE"),
        intention("hint", plain(), "HINT_GIVEN"),
        intention("submit", submit(&CORRECT.text()), "GROWTH_MEASURED"),
        intention("end", plain(), "SESSION_ENDED"),
    ]
}

/// An interview that is killed at random moments and goes on with the same command ids.
fn killed_interview(seed: u64) {
    println!("SEED={seed}");
    let mut chance = Chance(seed);
    let mut daemon = TestDaemon::start();
    let session = daemon.wire().start_drill();
    let mut acknowledged: BTreeMap<u64, EventRecord> = BTreeMap::new();
    let mut cursor = EventId::ZERO;
    for Intention { name, params, settled_by } in script(session) {
        let restart = |daemon: &mut TestDaemon| {
            daemon.kill();
            daemon.start_again();
        };
        let mut accepted: Option<Accepted> = None;
        // Sent and killed before or after the answer, up to three times.
        for _ in 0..chance.below(3) {
            let mut wire = daemon.wire();
            let id = wire.send(Do::NAME, named(Kind::Drill, name, &params).to_json());
            if chance.below(2) == 0 {
                let answer = Accepted::from_json(wire.answer(id).unwrap()).unwrap();
                if let Some(before) = &accepted {
                    assert_eq!(answer.events, before.events, "the same answer to the same id");
                    assert!(answer.replayed);
                }
                accepted = Some(answer);
            }
            restart(&mut daemon);
        }
        let mut wire = daemon.wire();
        let answer = wire.drill(name, &params).unwrap();
        assert!(answer.replayed || accepted.is_none(), "what was accepted is not done again");
        for record in answer.events.iter().chain(accepted.iter().flat_map(|a| &a.events)) {
            let known = acknowledged.insert(record.event_id.0, record.record.clone());
            assert!(
                known.is_none_or(|known| known == record.record),
                "{record:#?} was another event"
            );
        }
        if chance.below(2) == 0 {
            // While its consequences are under way.
            drop(wire);
            restart(&mut daemon);
        }
        let mut wire = daemon.wire();
        wire.subscribe(session, cursor);
        cursor = until(&mut wire, settled_by).last().unwrap().event_id;
    }

    let mut wire = daemon.wire();
    let name = Some(session.to_string());
    let params = LogParams { session: name.clone(), after: EventId::ZERO, role: Role::Candidate };
    let records = wire.ask::<Log>(&params).unwrap().records.into_iter();
    let records: Vec<_> = records.map(|told| told.record).collect();
    assert_gapless(&records);
    for (id, record) in &acknowledged {
        let index = usize::try_from(*id - 1).unwrap();
        assert_eq!(records.get(index), Some(record), "event {id} was acknowledged");
    }
    for (event_type, times) in [
        ("CODE_SUBMITTED", 3),
        ("EVAL_RESULT", 3),
        ("AGENT_RESPONSE", 3),
        ("HINT_REQUESTED", 2),
        ("HINT_GIVEN", 2),
        ("GROWTH_MEASURED", 1),
        ("SESSION_ENDED", 1),
    ] {
        assert_eq!(count(&records, event_type), times, "{event_type} in {records:#?}");
    }
    let replay = ReplayParams { session: name.clone(), verify: true, ..ReplayParams::default() };
    let report = wire.ask::<Replay>(&replay).unwrap();
    assert_eq!((report.differs, report.chain), (None, None));
    let verified = wire.ask::<Verify>(&SessionParams { session: name }).unwrap();
    assert_eq!(verified.broken, None);
}

#[test]
fn an_interview_killed_at_random_moments_loses_and_doubles_nothing() {
    let given = std::env::var("SEED").ok().map(|seed| seed.parse().unwrap());
    let seeds = given.map_or_else(|| vec![7, 1 << 33, 987_654_321], |seed| vec![seed]);
    seeds.into_iter().for_each(killed_interview);
}
