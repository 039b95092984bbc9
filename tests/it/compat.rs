//! What a released version has written or spoken must load forever.
//!
//! `VOSIM_FIXTURES=write` records the fixtures anew from a real interview; then read the diff.

use std::fs;
use std::path::{Path, PathBuf};

use vosim_engine::kinds;
use vosim_protocol::message::{FromDaemon, Request, Response};
use vosim_protocol::record::check_chain;
use vosim_protocol::v1::service::{self as api, Method};
use vosim_protocol::wire::{Json, Wire as _};
use vosim_protocol::{EventId, EventRecord, Hash, Kind};
use vosim_tests::{CORRECT, Program, TestDaemon, WRONG};

use crate::schema::additive;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn fixture(name: &str) -> String {
    fs::read_to_string(fixtures().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn writing() -> bool {
    std::env::var("VOSIM_FIXTURES").is_ok_and(|value| value == "write")
}

fn write(name: &str, content: &[u8]) {
    let path = fixtures().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// Records an interview that has every event of a drill.
fn record() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    for code in [WRONG.text(), Program("rejected/missing_methods.py").text()] {
        wire.submit(session, &code);
        wire.wait_for_event("AGENT_RESPONSE");
    }
    let hint = serde_json::json!({ "command_id": vosim_tests::command() });
    wire.call("drill.hint", hint).unwrap();
    wire.wait_for_event("HINT_GIVEN");
    wire.submit(session, &CORRECT.text());
    wire.wait_for_event("GROWTH_MEASURED");
    let asked = [
        ("status", Json::Null),
        ("session.list", Json::Null),
        ("session.view", Json::Null),
        ("session.log", serde_json::json!({ "after": 10 })),
        ("session.verify", Json::Null),
        ("session.replay", serde_json::json!({ "verify": true })),
        ("session.why", serde_json::json!({ "event_id": 4 })),
        ("problem.list", Json::Null),
        ("problem.show", Json::Null),
        ("store.stats", Json::Null),
        ("drill.hint", serde_json::json!({ "command_id": vosim_tests::command() })),
        ("drill.end", serde_json::json!({ "command_id": vosim_tests::command() })),
    ];
    for (method, params) in asked {
        // A refusal is a frame as good as any.
        wire.call(method, params).ok();
    }
    wire.wait_for_event("SESSION_ENDED");
    let home = daemon.home().path().display().to_string();
    let portable = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&home, "/home/ada");
    write("frames/drill.sent.jsonl", portable(&wire.sent).as_bytes());
    write("frames/drill.received.jsonl", portable(&wire.received).as_bytes());
    write("logs/drill.jsonl", daemon.ctl("export --format records").ok().as_bytes());
    let spec: Hash =
        serde_json::from_value(crate::support::log(&daemon)[0].payload["spec"].clone()).unwrap();
    let package = vosimd::content::find("lru_cache").unwrap();
    let started = crate::support::log(&daemon)[1].payload.clone();
    let spec_blob = vosim_protocol::v1::drill::Spec {
        problem: package.problem.clone(),
        suite: Hash::of(&package.suite_blob),
        python_version: started["python_version"].as_str().unwrap().to_owned(),
    };
    assert_eq!(Hash::of(&spec_blob.to_line()), spec);
    write("logs/drill.spec.json", &spec_blob.to_line());
    write("protocol.json", &serde_json::to_vec_pretty(&api::describe()).unwrap());
}

#[test]
fn logs_of_every_release_load_and_every_decision_is_made_again() {
    if writing() {
        record();
    }
    for kind in Kind::ALL {
        let text = fixture(&format!("logs/{kind}.jsonl"));
        let lines: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
        check_chain(lines.iter().map(Vec::as_slice)).unwrap();
        for line in &lines {
            let record = EventRecord::from_bytes(line).unwrap();
            assert_eq!(record.to_line(), *line, "a record reads back byte for byte");
        }
        let spec = fixture(&format!("logs/{kind}.spec.json"));
        let session = EventRecord::from_bytes(&lines[0]).unwrap().session_id;
        let report = kinds::replay(kind, session, spec.as_bytes(), &lines, None, true).unwrap();
        assert_eq!(report.events, lines.len() as u64);
        assert_eq!(report.differs, None);
        assert!(report.recomputed > 0);
        assert_eq!(report.phase, "done");
        for id in 1..=report.events {
            let why = kinds::why(kind, session, spec.as_bytes(), &lines, EventId(id)).unwrap();
            assert!(why.is_some(), "event {id} is not explained");
        }
    }
}

/// A request's parameters and its answer, read as their types.
fn read_as<M: Method>(params: &Json, response: Option<&Response>) {
    let object = if params.is_null() { serde_json::json!({}) } else { params.clone() };
    M::Params::from_json(object).unwrap_or_else(|error| panic!("{}: {error}", M::NAME));
    if let Some(Response { result: Some(result), .. }) = response {
        M::Result::from_json(result.clone()).unwrap_or_else(|error| panic!("{}: {error}", M::NAME));
    }
}

fn read_pair(request: &Request, response: Option<&Response>) {
    let Request { method, params, .. } = request;
    macro_rules! one_of {
        ($($method:ident),* $(,)?) => {
            match method.as_str() {
                $(api::$method::NAME => read_as::<api::$method>(params, response),)*
                command if command.starts_with("drill.") => read_command(params, response),
                other => panic!("{other} was spoken and is known no more"),
            }
        };
    }
    one_of!(
        Hello,
        Status,
        Create,
        List,
        View,
        Log,
        Subscribe,
        Why,
        Replay,
        Verify,
        ProblemList,
        ProblemShow,
        StoreStatsGet,
    );
}

fn read_command(params: &Json, response: Option<&Response>) {
    api::CommandParams::from_json(params.clone()).unwrap();
    if let Some(Response { result: Some(result), .. }) = response {
        api::Accepted::from_json(result.clone()).unwrap();
    }
}

#[test]
fn frames_of_every_release_load_in_both_directions() {
    let received: Vec<FromDaemon> = fixture("frames/drill.received.jsonl")
        .lines()
        .map(|line| FromDaemon::from_bytes(line.as_bytes()).unwrap())
        .collect();
    let answer = |id: u64| {
        received.iter().find_map(|frame| match frame {
            FromDaemon::Response(response) if response.id == Some(id) => Some(response),
            FromDaemon::Response(_) | FromDaemon::Notice(_) => None,
        })
    };
    let mut requests = 0;
    for line in fixture("frames/drill.sent.jsonl").lines() {
        let request = Request::from_bytes(line.as_bytes()).unwrap();
        read_pair(&request, answer(request.id));
        requests += 1;
    }
    let mut notices = 0;
    for frame in &received {
        let FromDaemon::Notice(notice) = frame else { continue };
        let params = notice.params.clone();
        match notice.method.as_str() {
            api::EVENT => drop(api::EventNotice::from_json(params).unwrap()),
            api::PROGRESS => drop(api::ProgressNotice::from_json(params).unwrap()),
            api::MARK => drop(api::MarkNotice::from_json(params).unwrap()),
            api::END => drop(api::EndNotice::from_json(params).unwrap()),
            other => panic!("{other} was spoken and is known no more"),
        }
        notices += 1;
    }
    assert!(requests > 10 && notices > 10, "{requests} requests, {notices} notices");
}

#[test]
fn the_protocol_has_only_gained_since_its_last_release() {
    let old: Json = serde_json::from_str(&fixture("protocol.json")).unwrap();
    let new = serde_json::to_value(api::describe()).unwrap();
    let lost = additive(&old, &new);
    assert!(lost.is_empty(), "{lost:#?}");
}
