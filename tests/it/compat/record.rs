//! Records the golden logs and frames that are missing, from real sessions.

use std::fs;

use vosim_protocol::v1::bundle::ReplayBundle;
use vosim_protocol::v1::service as api;
use vosim_protocol::wire::{Json, Wire as _};
use vosim_protocol::{Hash, Kind, Role};
use vosim_tests::{
    CORRECT, Program, TestClock, TestDaemon, WRONG, Wire, command, named, params, submit_params,
};

use super::fixtures;

/// With `VOSIM_FIXTURES=write`: records the kinds that have no log yet, and the description.
pub(super) fn missing() {
    if !std::env::var("VOSIM_FIXTURES").is_ok_and(|value| value == "write") {
        return;
    }
    let recorders: [fn(); 4] = [drill, interview, attempt, task];
    for (kind, record) in Kind::ALL.into_iter().zip(recorders) {
        if !fixtures().join(format!("logs/{kind}.jsonl")).exists() {
            record();
        }
    }
    write("protocol.json", &serde_json::to_vec_pretty(&api::describe()).unwrap());
}

fn write(name: &str, content: &[u8]) {
    let path = fixtures().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// What can be asked about any session; a refusal is a frame as good as any.
fn ask_about(wire: &mut Wire) {
    for (method, params) in [
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
    ] {
        wire.call(method, params).ok();
    }
}

/// Writes what was spoken and the log, with the spec blob that the log names.
fn keep(kind: Kind, daemon: &TestDaemon, wire: &Wire) {
    let home = daemon.home().path().display().to_string();
    let portable = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&home, "/home/ada");
    write(&format!("frames/{kind}.sent.jsonl"), portable(&wire.sent).as_bytes());
    write(&format!("frames/{kind}.received.jsonl"), portable(&wire.received).as_bytes());
    let export = daemon.ctl("export --format records");
    // The line that closes the file is no record.
    let (log, _) = export.ok().trim_end().rsplit_once('\n').unwrap();
    write(&format!("logs/{kind}.jsonl"), format!("{log}\n").as_bytes());
    daemon.ctl("export --bundle replay --output bundle.json").ok();
    let bundle = fs::read(daemon.home().work().join("bundle.json")).unwrap();
    let ReplayBundle { spec, .. } = ReplayBundle::from_bytes(&bundle).unwrap();
    let named = crate::support::log(daemon)[0].payload["spec"].clone();
    assert_eq!(Json::from(Hash::of(spec.as_bytes()).to_string()), named);
    write(&format!("logs/{kind}.spec.json"), spec.as_bytes());
}

/// Every event of a drill.
fn drill() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    for code in [WRONG.text(), Program("rejected/missing_methods.py").text()] {
        wire.submit(session, &code);
        wire.wait_for_event("AGENT_RESPONSE");
    }
    let plain = || params(session, command(), Json::Null);
    wire.drill("hint", &api::DoParams { follow: true, ..plain() }).unwrap();
    wire.settled();
    wire.submit(session, &CORRECT.text());
    wire.wait_for_event("GROWTH_MEASURED");
    ask_about(&mut wire);
    wire.drill("hint", &plain()).ok();
    wire.drill("end", &plain()).unwrap();
    wire.wait_for_event("SESSION_ENDED");
    keep(Kind::Drill, &daemon, &wire);
}

/// A script that is right at the third try, with a pause on the way.
fn task() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session_id = vosim_tests::new_session();
    let model = serde_json::json!({ "sort": "script", "name": "fixes" });
    let args = serde_json::json!({ "task": "Write total(numbers) in main.py", "model": model });
    let params = api::CreateParams { session_id, kind: Kind::Task, beside: true, args };
    wire.ask::<api::Create>(&params).unwrap();
    wire.subscribe(session_id, vosim_protocol::EventId::ZERO);
    wire.wait_for_event("ITERATION_ENDED");
    let ask = |wire: &mut Wire, name: &str, args: Json| {
        let asked = named(Kind::Task, name, &self::params(session_id, command(), args));
        wire.ask::<api::Do>(&api::DoParams { follow: true, ..asked }).unwrap();
    };
    ask(&mut wire, "pause", serde_json::json!({ "now": true }));
    ask_about(&mut wire);
    ask(&mut wire, "resume", serde_json::json!({ "hint": "Look at the empty list" }));
    wire.wait_for_event("TASK_SUCCEEDED");
    keep(Kind::Task, &daemon, &wire);
}

/// Nearly every event of an attempt.
fn attempt() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start(Kind::Attempt);
    let ask = |wire: &mut Wire, name: &str, args: Json| {
        let asked = named(Kind::Attempt, name, &params(session, command(), args));
        wire.ask::<api::Do>(&api::DoParams { follow: true, ..asked }).unwrap();
        wire.settled();
    };
    ask(&mut wire, "mode", serde_json::json!({ "mode": "BEGINNER" }));
    let runs = [
        "LRUCache(1) put(1,1) get(1)==2",
        "LRUCache(2) put(4,1) put(6,2) get(4)==1 put(9,3) get(6)==-1",
    ];
    for run in runs {
        let fields = serde_json::json!({
            "explanation": "Each call must keep the key that was used last.",
            "inputOutputDescription": "It takes numbers and returns a number.",
            "constraintsDescription": "At most 1000 keys; a capacity is never negative.",
            "exampleWalkthrough": run,
            "wrongApproach": "A list is too slow, because each call searches all of it.",
        });
        ask(&mut wire, "understand.submit", fields);
    }
    ask(&mut wire, "plan.suggest", serde_json::json!({}));
    let choose = |confidence: u8| {
        serde_json::json!({
            "patternId": "map_and_linked_list", "confidence": confidence, "complexity": "O(1)",
            "invariantText": "The map and the order hold the same keys after every call.",
        })
    };
    ask(&mut wire, "plan.choose", choose(1));
    ask(&mut wire, "plan.discover", serde_json::json!({ "answer": true }));
    ask(&mut wire, "plan.choose", choose(4));
    ask(&mut wire, "hint", Json::Null);
    for answer in [1, 2, -1] {
        let ops = serde_json::json!([["LRUCache", [1]], ["put", [1, 1]], ["get", [2], answer]]);
        ask(&mut wire, "case.add", serde_json::json!({ "ops": ops }));
    }
    let ops = serde_json::json!([["LRUCache", [1]], ["put", [7, 7]], ["get", [7], 7]]);
    ask(&mut wire, "case.add", serde_json::json!({ "ops": ops }));
    ask(&mut wire, "case.remove", serde_json::json!({ "number": 1 }));
    for code in [WRONG.text(), CORRECT.text()] {
        let submit = submit_params(session, command(), &code);
        wire.ask::<api::Do>(&named(Kind::Attempt, "submit", &submit)).unwrap();
        wire.wait_for_event("OWN_CASES_RUN");
        if code == WRONG.text() {
            wire.wait_for_event("FAILURE_TRACED");
            ask(&mut wire, "verify.trace", serde_json::json!({ "testIndex": 4 }));
            let why = serde_json::json!({ "testIndex": 4, "userExplanation": "The order." });
            ask(&mut wire, "verify.explain_failure", why);
            ask(&mut wire, "note", serde_json::json!({ "traceNotes": "Look at call 5." }));
            ask(&mut wire, "retry", Json::Null);
        }
    }
    ask_about(&mut wire);
    let ops =
        serde_json::json!([["LRUCache", [1]], ["put", [1, 1]], ["put", [2, 2]], ["get", [1]]]);
    ask(&mut wire, "reflect.challenge", serde_json::json!({ "ops": ops }));
    let reflection = serde_json::json!({
        "cuesNextTime": ["order of use"], "invariantSummary": "No more keys than room.",
    });
    ask(&mut wire, "reflect.submit", reflection);
    keep(Kind::Attempt, &daemon, &wire);
}

/// A whole interview with nearly every event that there is.
fn interview() {
    let (daemon, mut clock) = TestClock::start_daemon("2026-01-05T12:00:00Z");
    let mut wire = daemon.wire();
    let session = wire.start_interview();
    let do_it = |wire: &mut Wire, name: &str, args: Json| {
        wire.interview(name, &params(session, command(), args)).ok();
    };
    let say = |wire: &mut Wire, text: &str| {
        do_it(wire, "say", serde_json::json!({ "text": text }));
    };
    let none = || serde_json::json!({});
    let path = daemon.home().file("lru_cache.py", WRONG.text());
    let watch = serde_json::json!({ "file_path": path, "language": "python" });
    do_it(&mut wire, "watch", watch);
    wire.wait_for_event("SOLUTION_SAVED");
    do_it(&mut wire, "begin", none());
    wire.wait_for_event("PROMPT_PRESENTED");
    let mut terminal = daemon.wire();
    terminal.attach(session, Role::Candidate);
    wire.wait_for_event("CANDIDATE_CONNECTED");
    drop(terminal);
    wire.wait_for_event("CANDIDATE_DISCONNECTED");
    clock.advance(11);
    wire.wait_for_event("INTERVIEW_PAUSED");
    do_it(&mut wire, "done", none());
    say(
        &mut wire,
        "Keys and values are integers. What should get return when the key is not there?",
    );
    clock.advance(5);
    wire.wait_for_event("FOLLOWUP_PRESENTED");
    let question = serde_json::json!({ "kind": "concept", "question": "What is a linked list?" });
    do_it(&mut wire, "ask", question);
    wire.wait_for_event("ASSISTANT_RESPONSE");
    clock.advance(584);
    wire.wait_for_event("SECTION_STARTED");
    say(&mut wire, "This is late for the first section.");
    clock.advance(900);
    wire.wait_for_event("SECTION_STARTED");
    // Past the grace of the section before.
    clock.advance(16);
    wire.wait_for_event("SECTION_SUMMARIZED");
    for code in [WRONG.text(), CORRECT.text()] {
        wire.interview("submit", &submit_params(session, command(), &code)).unwrap();
        wire.wait_for_event("EVAL_RESULT");
        do_it(&mut wire, "hint", none());
    }
    let mut test = submit_params(session, command(), &CORRECT.text());
    if let Some(args) = test.args.as_object_mut() {
        args.remove("again");
        let case = serde_json::json!([[["LRUCache", [1]], ["put", [1, 1]], ["get", [1], 1]]]);
        args.insert("cases".to_owned(), case);
    }
    wire.interview("test", &test).unwrap();
    wire.wait_for_event("OWN_TESTS_RESULT");
    say(&mut wire, "All 12 tests pass now.");
    say(
        &mut wire,
        "The eviction is right because every get that finds its key and every put moves that key to the \
         back, and nothing else changes the order, so the front one has always waited longest.",
    );
    clock.advance(5);
    wire.wait_for_event("VARIATION_ASKED");
    say(&mut wire, "I would keep the time beside each key and look at it on a get.");
    // The second variation stays without an answer.
    clock.advance(200);
    wire.wait_for_event("SECTION_STARTED");
    say(&mut wire, "Next time I would change the order: the bug I missed cost 5 minutes in all.");
    ask_about(&mut wire);
    do_it(&mut wire, "done", none());
    wire.wait_for_event("INTERVIEW_COMPLETED");
    keep(Kind::Interview, &daemon, &wire);
}
