//! Whole tasks by scripts on the real programs: each comes out as it should, twice with the same log.

use serde_json::json;
use vosim_protocol::v1::service::{Create, CreateParams, Do};
use vosim_protocol::{EventId, EventRecord, Json, Kind, SessionId};
use vosim_tests::{TestDaemon, Wire, command, named, new_session, params};

use crate::support::{assert_gapless, count, last, until};

/// What differs between two runs of the same: places, times, and what tells of them.
const DIFFERS: [&str; 8] =
    ["workspace", "duration_ms", "wall_ms", "output", "survivors", "coverage", "spec", "boot_id"];

/// A task of a script, followed from its beginning.
fn begin(daemon: &TestDaemon, script: &str) -> (Wire, SessionId) {
    let mut wire = daemon.wire();
    let session_id = new_session();
    let model = json!({ "sort": "script", "name": script });
    let args = json!({ "task": "Write total(numbers) in main.py", "model": model });
    let create = CreateParams { session_id, kind: Kind::Task, beside: true, args };
    wire.ask::<Create>(&create).unwrap();
    wire.subscribe(session_id, EventId::ZERO);
    (wire, session_id)
}

/// All events of a task up to this one; whoever is asked for an approval says no.
fn run(script: &str, end: &str) -> (SessionId, Vec<EventRecord>) {
    let daemon = TestDaemon::start();
    let (mut wire, session) = begin(&daemon, script);
    let mut records = Vec::new();
    if script == "network" {
        records = until(&mut wire, "APPROVAL_ASKED");
        let approval = records[records.len() - 1].event_id;
        let args = json!({ "approval": approval, "answer": "no" });
        let answer = named(Kind::Task, "approve", &params(session, command(), args));
        wire.ask::<Do>(&answer).unwrap();
    }
    records.extend(until(&mut wire, end));
    assert_gapless(&records);
    daemon.ctl(&format!("replay {session} --verify")).ok();
    (session, records)
}

fn without(value: &mut Json) {
    match value {
        Json::Object(fields) => {
            DIFFERS.iter().for_each(|name| drop(fields.remove(*name)));
            fields.values_mut().for_each(without);
        }
        Json::Array(items) => items.iter_mut().for_each(without),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}

fn line(session: SessionId, record: &EventRecord) -> String {
    let mut payload = record.payload.clone();
    without(&mut payload);
    let payload = payload.to_string().replace(&session.to_string(), "ID");
    format!("{} {} {payload}", record.event_id, record.event_type)
}

/// Two runs on two machines that know nothing of each other; the events of the first.
fn twice(script: &str, end: &str) -> Vec<EventRecord> {
    let runs = std::thread::scope(|scope| {
        let runs = [(); 2].map(|()| scope.spawn(move || run(script, end)));
        runs.map(|run| run.join().unwrap())
    });
    let frame = |(session, records): &(SessionId, Vec<EventRecord>)| -> Vec<String> {
        records.iter().map(|record| line(*session, record)).collect()
    };
    assert_eq!(frame(&runs[0]), frame(&runs[1]), "{script}");
    let [(_, records), _] = runs;
    records
}

#[test]
fn a_task_passes_at_once_or_is_mended_and_passes_at_the_third_iteration() {
    if !vosim_needs::pytest() {
        return;
    }
    for (script, iterations) in [("passes", 1), ("fixes", 3)] {
        let records = twice(script, "TASK_SUCCEEDED");
        let succeeded = last(&records, "TASK_SUCCEEDED");
        assert_eq!(succeeded["iterations"], iterations, "{script}");
        assert_eq!(
            (&succeeded["self_tested"], &succeeded["shows_ability"]),
            (&true.into(), &false.into())
        );
        assert_eq!(count(&records, "MEMORY_ASKED"), iterations, "{script}");
    }
}

#[test]
fn the_time_of_a_run_of_tests_is_time_at_work_of_the_day() {
    if !vosim_needs::pytest() {
        return;
    }
    let (_, records) = run("fixes", "TASK_SUCCEEDED");
    let at = |event: &str| records.iter().position(|record| record.event_type == event).unwrap();
    let (asked, ended) = (at("TESTS_ASKED"), at("TESTS_ENDED"));
    let of_day = |record: &EventRecord| {
        let today = &record.payload["outcome"]["today"];
        (record.event_type == "MODEL_ANSWERED").then(|| today["wall_ms"].as_i64().unwrap())
    };
    let before = records[..asked].iter().rev().find_map(of_day).unwrap();
    let after = records[ended..].iter().find_map(of_day).unwrap();
    let ran = records[ended].timestamp.micros_since(records[asked].timestamp) / 1_000;
    // The event of its end comes a little later; a script is asked within no time.
    assert!((after - before) * 2 >= ran, "{before} ms, then {after} ms after a run of {ran} ms");
}

#[test]
fn the_same_error_ends_a_task_at_the_third_time() {
    if !vosim_needs::pytest() {
        return;
    }
    let records = twice("stuck", "TASK_FAILED");
    let found = last(&records, "STUCK_FOUND");
    assert_eq!((&found["circle"], &found["times"]), (&"same_error".into(), &3.into()));
    assert_eq!(last(&records, "TASK_FAILED")["because"], "stuck");
}

#[test]
fn a_warning_comes_at_twelve_and_fifteen_iterations_end_a_task() {
    if !vosim_needs::pytest() {
        return;
    }
    let records = twice("never", "TASK_FAILED");
    let low = last(&records, "ITERATIONS_LOW");
    assert_eq!((&low["used"], count(&records, "ITERATIONS_LOW")), (&12.into(), 1));
    let failed = last(&records, "TASK_FAILED");
    assert_eq!((&failed["because"], &failed["iterations"]), (&"iterations".into(), &15.into()));
    assert_eq!(count(&records, "TESTS_ENDED"), 15);
}

#[test]
fn a_network_that_is_denied_leads_to_another_way() {
    if !vosim_needs::pytest() {
        return;
    }
    let records = twice("network", "TASK_SUCCEEDED");
    assert_eq!(last(&records, "APPROVAL_GIVEN")["answer"], "no");
    assert_eq!(last(&records, "RUN_BLOCKED")["refused"], true);
    assert_eq!(count(&records, "TESTS_ASKED"), 1, "what was refused never ran");
}

#[test]
fn a_daemon_that_is_killed_while_tests_run_goes_on_to_the_same_end() {
    if !vosim_needs::pytest() {
        return;
    }
    let mut daemon = TestDaemon::start();
    let (mut wire, session) = begin(&daemon, "fixes");
    let asked = until(&mut wire, "TESTS_ASKED");
    let asked = asked[asked.len() - 1].event_id;
    // What says that they have been begun.
    let tasks = daemon.home().paths().data.join("tasks");
    let mark = tasks.join(session.to_string()).join(format!("step-{asked}"));
    let since = std::time::Instant::now();
    while !mark.exists() {
        assert!(since.elapsed().as_secs() < 10, "{mark:?}");
        std::thread::yield_now();
    }
    daemon.kill();
    daemon.start_again();
    let mut wire = daemon.wire();
    wire.subscribe(session, EventId::ZERO);
    let records = until(&mut wire, "TASK_SUCCEEDED");
    assert_gapless(&records);
    assert_eq!(last(&records, "TASK_SUCCEEDED")["iterations"], 3);
    let runs = records.iter().filter(|record| record.event_type == "TESTS_ENDED");
    let again: Vec<_> = runs.map(|run| run.payload["outcome"]["interrupted"] == true).collect();
    assert_eq!(again, [true, false, false], "it is told that the tests ran once more");
    daemon.ctl(&format!("replay {session} --verify")).ok();
}
