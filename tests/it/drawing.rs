//! Hidden inputs are drawn once for each session, named by an event, and read by nobody.

use vosim_protocol::v1::bundle::ReplayBundle;
use vosim_protocol::{ErrorCode, EventRecord, Json, Wire as _};
use vosim_tests::{CORRECT, TestDaemon, WRONG};

use crate::support::{count, log, types};

fn drawn(daemon: &TestDaemon) -> EventRecord {
    log(daemon).into_iter().find(|record| record.event_type == "SUITE_DRAWN").unwrap()
}

#[test]
fn a_session_draws_at_its_first_submission_and_judges_all_by_that() {
    let daemon = TestDaemon::start();
    daemon.home().file("a.py", WRONG.text());
    daemon.home().file("b.py", CORRECT.text());
    let mut suites = Vec::new();
    for start in ["start --no-file", "start --new --no-file"] {
        daemon.ctl(start).ok();
        assert_eq!(count(&log(&daemon), "SUITE_DRAWN"), 0, "a start waits for no draw");
        daemon.ctl("submit a.py").ok();
        daemon.ctl("submit b.py").ok();
        let seen = types(&daemon);
        let place = seen.iter().position(|one| *one == "SUITE_DRAWN").unwrap();
        assert_eq!(seen[place - 1], "CODE_SUBMITTED", "{seen:?}");
        assert_eq!(seen.iter().filter(|one| **one == "SUITE_DRAWN").count(), 1, "{seen:?}");
        let event = drawn(&daemon);
        assert_eq!(event.payload.as_object().unwrap().len(), 1, "neither seed nor reason");
        let why = daemon.ctl(&format!("why {}", event.event_id));
        assert!(why.ok().contains("drawn for each session"), "{why}");
        suites.push(event.payload["suite"].clone());
    }
    assert_ne!(suites[0], suites[1], "each session has its own");

    // What the bundle holds decides everything anew.
    daemon.ctl("end").ok();
    daemon.ctl("export --bundle replay --output r.json").ok();
    let bundle = std::fs::read(daemon.home().work().join("r.json")).unwrap();
    let spec: Json =
        serde_json::from_str(&ReplayBundle::from_bytes(&bundle).unwrap().spec).unwrap();
    assert!(spec["draw"]["seed"].is_u64(), "the seed goes along");
    daemon.ctl("verify r.json").ok();
}

#[test]
fn no_role_reads_what_was_drawn() {
    let daemon = TestDaemon::start();
    daemon.home().file("a.py", WRONG.text());
    daemon.ctl("start --no-file").ok();
    daemon.ctl("submit a.py").ok();
    let suite = drawn(&daemon).payload["suite"].clone();
    let mut wire = daemon.wire();
    for role in ["candidate", "observer", "interviewer", "agent"] {
        let answer = wire.call("blob.get", serde_json::json!({ "hash": suite, "role": role }));
        assert_eq!(answer.unwrap_err().code, ErrorCode::BlobMissing, "{role}");
    }
}
