//! The scenarios of 001 section 13 on the real programs, under a clock that is moved by hand.

use vosim_protocol::blob::SUBMISSION_MAX_BYTES;
use vosim_protocol::v1::service::{Do, Method as _};
use vosim_protocol::wire::{Json, Wire as _};
use vosim_protocol::{EventId, EventRecord, Kind, Role, Time};
use vosim_tests::{CORRECT, Home, TestClock, TestDaemon, WRONG, command, named, params};

use crate::report;
use crate::support::{assert_gapless, count, current, last, log, until, wait_for};

const START: &str = "2026-01-05T12:00:00Z";

const REQUIREMENTS: &str =
    "say The input is one key, and each operation gives the caller exactly 1 value back, or -1.";
const CONSTRAINTS: &str =
    "say The capacity is at most 1000 keys, so the memory is about 64 mb at the very most.";
const METRICS: &str =
    "say I would watch the latency per call, and constant time, O(1), is the goal for every get.";

/// An interview that has just begun, with nothing watched.
fn begun() -> (TestDaemon, TestClock) {
    let (daemon, clock) = TestClock::start_daemon(START);
    daemon.ctl("interview start --no-watch").ok();
    wait_for(&daemon, "PROMPT_PRESENTED");
    (daemon, clock)
}

/// Minutes and seconds from the start to an event.
fn clock_of(record: &EventRecord) -> String {
    let micros = record.timestamp.micros_since(START.parse().unwrap());
    let (seconds, rest) = (micros / 1_000_000, micros % 1_000_000);
    let rest = if rest == 0 { String::new() } else { format!(".{rest:06}") };
    format!("{:02}:{:02}{rest}", seconds / 60, seconds % 60)
}

/// When events of a type happened, each with one field of its payload.
fn times(records: &[EventRecord], event_type: &str, field: &str) -> Vec<String> {
    let of_type = records.iter().filter(|record| record.event_type == event_type);
    let told = of_type.map(|record| {
        let value = &record.payload[field];
        format!("{} {}", clock_of(record), value.as_str().map_or(value.to_string(), str::to_owned))
    });
    told.collect()
}

/// What holds for every log.
fn whole(daemon: &TestDaemon) -> Vec<EventRecord> {
    daemon.ctl("replay --verify").ok();
    daemon.ctl("verify").ok();
    let records = log(daemon);
    assert_gapless(&records);
    records
}

/// Ends the open section, so that so many have ended: the second `done` is never refused.
fn leave(daemon: &TestDaemon, ended: usize) {
    daemon.ctl("done").ok();
    if count(&whole(daemon), "SECTION_ENDED") < ended {
        daemon.ctl("done").ok();
    }
    assert_eq!(count(&whole(daemon), "SECTION_ENDED"), ended);
}

#[test]
fn normal_flow_completes_all_sections() {
    let (daemon, _clock) = begun();
    for answer in [REQUIREMENTS, CONSTRAINTS, METRICS] {
        daemon.ctl(answer).ok();
    }
    leave(&daemon, 1);
    for answer in [
        "say I would use a hash map to find the node in 1 step, and a linked list so that the order stays right.",
        "say Every call is O(1) in the worst case, since each step moves 1 node; memory grows by 1000 nodes.",
        "say An empty cache and a capacity of 0 must not crash, so I check and reject a negative one.",
        "say The naive alternative scans, which is simpler but slower, so I choose the list: 1000 steps saved.",
    ] {
        daemon.ctl(answer).ok();
    }
    leave(&daemon, 2);
    daemon.home().file("lru_cache.py", WRONG.text());
    let failed = daemon.command(["submit", "lru_cache.py"]).run();
    assert!(failed.stdout.contains("5/12"), "{failed}");
    daemon.ctl("hint").ok();
    daemon.home().file("lru_cache.py", CORRECT.text());
    daemon.command(["test", "lru_cache.py", "--case", "LRUCache(1) put(1,1) get(1)==1"]).run().ok();
    assert!(daemon.ctl("submit lru_cache.py").ok().contains("12/12"));
    daemon
        .ctl("say All 12 tests pass now, and my own test for capacity one gave 1 as expected.")
        .ok();
    daemon
        .ctl("say The invariant always holds because `put` moves the node to line 1 of the list.")
        .ok();
    leave(&daemon, 3);
    daemon
        .ctl("say Next time I would change the order: the bug I missed cost 5 minutes, a pattern to practise.")
        .ok();
    leave(&daemon, 4);
    wait_for(&daemon, "INTERVIEW_COMPLETED");
    let records = whole(&daemon);
    assert_eq!(times(&records, "SECTION_ENDED", "reason"), ["00:00 candidate_done"; 4]);
    let end = last(&records, "INTERVIEW_COMPLETED");
    assert_eq!(end["tests_passed"], serde_json::json!([12, 12]));
    assert_eq!(end["hints_used"], 1);
    // A summary holds the candidate's own words and nothing else.
    let said: Vec<_> = records
        .iter()
        .filter(|record| record.event_type == "CANDIDATE_MESSAGE")
        .map(|record| record.payload["text"].as_str().unwrap())
        .collect();
    let summaries = records.iter().filter(|record| record.event_type == "SECTION_SUMMARIZED");
    let mut sentences = 0;
    for sentence in summaries.flat_map(|s| s.payload["bounded_context_summary"].as_array().unwrap())
    {
        let text = sentence["text"].as_str().unwrap();
        assert!(said.iter().any(|said| said.contains(text)), "{text}");
        sentences += 1;
    }
    assert!(sentences >= 4, "{sentences}");
    report::teaches(&daemon);
}

#[test]
fn candidate_never_responds_and_every_section_times_out() {
    let (daemon, mut clock) = begun();
    for seconds in [600, 900, 900, 300, 16] {
        clock.advance(seconds);
        daemon.ctl("status").ok();
    }
    wait_for(&daemon, "INTERVIEW_COMPLETED");
    let records = whole(&daemon);
    assert_eq!(
        times(&records, "SECTION_ENDED", "reason"),
        ["10:00 time_expired", "25:00 time_expired", "40:00 time_expired", "45:00 time_expired"]
    );
    assert_eq!(times(&records, "INTERVIEW_COMPLETED", "hints_used"), ["45:15.000001 0"]);
}

#[test]
fn daemon_down_across_two_section_ends() {
    let (mut daemon, mut clock) = begun();
    daemon.ctl(REQUIREMENTS).ok();
    daemon.kill();
    clock.advance(26 * 60);
    daemon.start_again();
    let status = daemon.command(["status"]).run();
    assert!(status.stdout.contains("Build and verify"), "{status}");
    let records = whole(&daemon);
    assert_eq!(times(&records, "SECTION_ENDED", "section_id"), ["10:00 frame", "25:00 design"]);
    assert_eq!(
        times(&records, "SECTION_STARTED", "section_id"),
        ["00:00 frame", "10:00 design", "25:00 build"]
    );
    // Each warning once, at its own time.
    assert_eq!(
        times(&records, "SECTION_TIME_WARNING", "left_ms"),
        ["08:00 120000", "09:30 30000", "23:00 120000", "24:30 30000"]
    );
}

#[test]
fn late_within_and_after_the_grace() {
    let (daemon, mut clock) = begun();
    clock.advance(600);
    clock.advance_micros(14_900_000);
    let late = daemon.ctl("say One more limit: the keys are whole numbers.");
    assert!(late.ok().contains("late"), "{late}");
    clock.advance_micros(200_000);
    let early = daemon.ctl("say This is about the design.");
    assert!(!early.ok().contains("late"), "{early}");
    let records = whole(&daemon);
    assert_eq!(
        times(&records, "CANDIDATE_MESSAGE", "section_id"),
        ["10:14.900000 frame", "10:15.100000 design"]
    );
    let late: Vec<_> = times(&records, "CANDIDATE_MESSAGE", "late");
    assert_eq!(late, ["10:14.900000 true", "10:15.100000 false"]);
}

#[test]
fn candidate_disconnects_mid_section_and_comes_back() {
    let (mut daemon, mut clock) = begun();
    let session = crate::support::current(&daemon);
    let mut watching = daemon.wire();
    watching.subscribe(session, EventId::ZERO);
    let mut terminals: Vec<_> = (0..2).map(|_| daemon.wire()).collect();
    for terminal in &mut terminals {
        terminal.attach(session, Role::Candidate);
    }
    watching.wait_for_event("CANDIDATE_CONNECTED");
    // One of two goes: nobody is missed.
    terminals.pop();
    clock.advance(30);
    // The last one is killed: after ten seconds the interview pauses, and its time runs on.
    terminals.pop();
    let gone = watching.wait_for_event("CANDIDATE_DISCONNECTED");
    assert_eq!(clock_of(&gone), "00:30");
    clock.advance(9);
    assert!(daemon.ctl("status").ok().contains("in progress"));
    clock.advance(1);
    assert_eq!(clock_of(&watching.wait_for_event("INTERVIEW_PAUSED")), "00:40");
    clock.advance(80);
    let paused = daemon.ctl("status");
    assert!(paused.ok().contains("paused") && paused.ok().contains("8:00"), "{paused}");
    let mut back = daemon.wire();
    back.attach(session, Role::Candidate);
    assert_eq!(clock_of(&watching.wait_for_event("CANDIDATE_RECONNECTED")), "02:00");
    // A daemon that comes back knows of no terminal; the same ten seconds apply.
    daemon.kill();
    daemon.start_again();
    let mut watching = daemon.wire();
    watching.subscribe(session, EventId::ZERO);
    for _ in 0..2 {
        watching.wait_for_event("CANDIDATE_DISCONNECTED");
    }
    clock.advance(10);
    watching.wait_for_event("INTERVIEW_PAUSED");
    assert_eq!(times(&whole(&daemon), "INTERVIEW_PAUSED", "none").len(), 2);
}

#[test]
fn candidate_tries_to_skip_and_is_asked_once() {
    let (daemon, _clock) = begun();
    let asked = daemon.ctl("done");
    assert!(asked.ok().contains("25 words"), "{asked}");
    assert_eq!(count(&whole(&daemon), "SECTION_ENDED"), 0);
    daemon.ctl("done").ok();
    let records = whole(&daemon);
    assert_eq!(count(&records, "CONTENT_REQUESTED"), 1);
    assert_eq!(count(&records, "SECTION_ENDED"), 1);
}

#[test]
fn followup_budget_exhausted_leaves_the_section_open() {
    let (daemon, mut clock) = begun();
    for round in 0..5 {
        daemon.ctl(&format!("say Well, that is my {round}th word on all of it so far.")).ok();
        clock.advance(10);
        daemon.ctl("status").ok();
    }
    let records = whole(&daemon);
    assert_eq!(count(&records, "FOLLOWUP_SELECTED"), 3);
    assert_eq!(count(&records, "SECTION_ENDED"), 0);
}

#[test]
fn interviewer_model_fails_and_the_interview_goes_on() {
    let mut home = Home::new();
    // The prompt's words fail twice, those of the first follow-up once.
    home.set("VOSIM_TEST_MODEL_FAILURES", "3");
    let (daemon, mut clock) = TestClock::start_daemon_in(home, START);
    daemon.ctl("interview start --no-watch").ok();
    wait_for(&daemon, "PROMPT_PRESENTED");
    daemon.ctl("say Well, that is my first word on all of it so far.").ok();
    clock.advance(5);
    wait_for(&daemon, "FOLLOWUP_SELECTED");
    let failed = |records: &[EventRecord]| count(records, "WORDING_FAILED");
    let presented = last(&log(&daemon), "PROMPT_PRESENTED");
    assert_eq!(presented["words"], "problem");
    // The model's own words ask nothing, which makes them unusable: the pool's text again.
    let followup = wait_for(&daemon, "FOLLOWUP_PRESENTED");
    assert_eq!(followup.payload["words"], "problem");
    let records = whole(&daemon);
    assert_eq!(failed(&records), 4);
    assert_eq!(count(&records, "INTERVIEW_TERMINATED"), 0);
}

#[test]
fn clock_set_back_and_forward_by_an_hour_takes_and_gives_no_time() {
    let (daemon, mut clock) = begun();
    clock.advance(60);
    clock.step(3_600);
    let left = daemon.ctl("status");
    assert!(left.ok().contains("9:00") || left.ok().contains("8:59"), "{left}");
    clock.step(-7_200);
    clock.advance(539);
    let open = daemon.ctl("status");
    assert!(open.ok().contains("now, 10 min"), "{open}");
    clock.advance(1);
    wait_for(&daemon, "SECTION_ENDED");
    let records = whole(&daemon);
    assert_eq!(count(&records, "CLOCK_ADJUSTED"), 2);
}

#[test]
fn the_same_message_id_sent_twice_is_one_message_through_a_restart() {
    let (mut daemon, _clock) = begun();
    let session = crate::support::current(&daemon);
    let say = params(session, command(), serde_json::json!({ "text": "The same thing." }));
    let first = daemon.wire().interview("say", &say).unwrap();
    let second = daemon.wire().interview("say", &say).unwrap();
    daemon.kill();
    daemon.start_again();
    let third = daemon.wire().interview("say", &say).unwrap();
    assert_eq!((first.replayed, second.replayed, third.replayed), (false, true, true));
    assert_eq!((&second.events, &third.events), (&first.events, &first.events));
    assert_eq!(count(&whole(&daemon), "CANDIDATE_MESSAGE"), 1);
}

#[test]
fn two_terminals_answering_at_once_are_both_heard() {
    let (daemon, _clock) = begun();
    let session = crate::support::current(&daemon);
    let mut wires: Vec<_> = (0..2).map(|_| daemon.wire()).collect();
    let mut asked = Vec::new();
    for round in 0..20 {
        for (which, wire) in wires.iter_mut().enumerate() {
            let text = format!("Terminal {which} says its thing number {round}.");
            let say = params(session, command(), serde_json::json!({ "text": text }));
            asked.push((which, wire.send(Do::NAME, named(Kind::Interview, "say", &say).to_json())));
        }
    }
    let mut places = Vec::new();
    for (which, id) in asked {
        let answer = wires[which].answer(id).unwrap();
        places.push(answer["events"][0]["event_id"].as_u64().unwrap());
    }
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 40);
    assert_eq!(count(&whole(&daemon), "CANDIDATE_MESSAGE"), 40);
}

#[test]
fn a_coding_section_with_failing_tests_does_not_end_as_covered() {
    let (daemon, mut clock) = begun();
    clock.advance(25 * 60 + 16);
    daemon.home().file("a.py", WRONG.text());
    assert!(daemon.command(["submit", "a.py"]).run().stdout.contains("5/12"));
    daemon.command(["test", "a.py", "--case", "LRUCache(1) put(1,1) get(1)==1"]).run();
    daemon.ctl("say Only 5 of 12 tests pass, so my own test for capacity one is next.").ok();
    daemon
        .ctl("say The invariant always holds because `put` moves the node to line 1 of the list.")
        .ok();
    clock.advance(120);
    daemon.ctl("status").ok();
    let records = whole(&daemon);
    assert_eq!(count(&records, "COVERAGE_SATISFIED"), 0);
    assert_eq!(times(&records, "SECTION_ENDED", "section_id"), ["10:00 frame", "25:00 design"]);
}

#[test]
fn a_declined_question_never_returns() {
    let (daemon, mut clock) = begun();
    daemon.ctl("say I would begin with this one first.").ok();
    for _ in 0..4 {
        clock.advance(5);
        daemon.ctl("status").ok();
        daemon.ctl("say I don't know").ok();
    }
    let records = whole(&daemon);
    let mut asked = times(&records, "FOLLOWUP_SELECTED", "dimension");
    let all = asked.len();
    asked.iter_mut().for_each(|line| *line = line.split(' ').nth(1).unwrap().to_owned());
    asked.sort();
    asked.dedup();
    assert_eq!((asked.len(), all), (3, 3));
}

#[test]
fn the_watched_file_is_submitted_at_the_deadline() {
    let (daemon, mut clock) = TestClock::start_daemon(START);
    daemon.home().file("lru_cache.py", CORRECT.text());
    daemon.ctl("interview start --file lru_cache.py").ok();
    wait_for(&daemon, "SOLUTION_SAVED");
    clock.advance(40 * 60);
    let submitted = wait_for(&daemon, "CANDIDATE_CODE_SUBMISSION").payload;
    assert_eq!(
        (&submitted["origin"], &submitted["section_id"]),
        (&Json::from("deadline"), &Json::from("build"))
    );
    let result = wait_for(&daemon, "EVAL_RESULT").payload;
    assert_eq!(result["tests_passed"], 12);
    whole(&daemon);
}

#[test]
fn done_submits_a_save_that_is_newer_than_the_last_submission() {
    let (daemon, mut clock) = TestClock::start_daemon(START);
    daemon.home().file("lru_cache.py", WRONG.text());
    daemon.ctl("interview start --file lru_cache.py").ok();
    let mut wire = daemon.wire();
    wire.subscribe(current(&daemon), EventId::ZERO);
    until(&mut wire, "SOLUTION_SAVED");
    clock.advance(26 * 60);
    let failed = daemon.command(["submit", "lru_cache.py"]).run();
    assert!(failed.stdout.contains("5/12"), "{failed}");
    daemon.home().file("lru_cache.py", CORRECT.text());
    until(&mut wire, "SOLUTION_SAVED");
    daemon.ctl("done").ok();
    until(&mut wire, "EVAL_RESULT");
    let records = whole(&daemon);
    assert_eq!(last(&records, "CANDIDATE_CODE_SUBMISSION")["origin"], "section_end");
    assert_eq!(last(&records, "EVAL_RESULT")["tests_passed"], 12);
    assert_eq!(last(&records, "SECTION_SUMMARIZED")["submissions"], 2);
    assert_eq!(count(&records, "SOLUTION_UNWATCHED"), 1);
}

#[test]
fn a_daemon_down_until_after_the_grace_submits_before_it_seals() {
    let (mut daemon, mut clock) = TestClock::start_daemon(START);
    daemon.home().file("lru_cache.py", CORRECT.text());
    daemon.ctl("interview start --file lru_cache.py").ok();
    wait_for(&daemon, "SOLUTION_SAVED");
    daemon.kill();
    clock.advance(41 * 60);
    daemon.start_again();
    wait_for(&daemon, "EVAL_RESULT");
    let records = whole(&daemon);
    let sealed: Vec<_> = records
        .iter()
        .filter(|record| record.event_type == "SECTION_SUMMARIZED")
        .map(|record| (record.payload["section_id"].clone(), record.payload["submissions"].clone()))
        .collect();
    assert_eq!(sealed[2], (Json::from("build"), Json::from(1)));
}

#[test]
fn an_untouched_starter_is_no_submission_nor_is_a_file_that_has_grown_too_large() {
    let (daemon, mut clock) = TestClock::start_daemon(START);
    daemon.ctl("interview start").ok();
    wait_for(&daemon, "SOLUTION_SAVED");
    let grown = daemon.home().file("lru_cache.py", vec![b'#'; SUBMISSION_MAX_BYTES + 1]);
    let before = std::time::SystemTime::from(START.parse::<Time>().unwrap().utc());
    std::fs::File::options().write(true).open(grown).unwrap().set_modified(before).unwrap();
    // Told at the save, and again at the deadline.
    assert_eq!(wait_for(&daemon, "SOLUTION_LOST").payload["why"], "too_large");
    clock.advance(40 * 60);
    let unwatched = wait_for(&daemon, "SOLUTION_UNWATCHED").payload;
    assert_eq!(unwatched["not_submitted"], "starter");
    assert_eq!(unwatched["untaken"], "too_large");
    assert_eq!(count(&whole(&daemon), "CANDIDATE_CODE_SUBMISSION"), 0);
}

#[test]
fn a_submission_a_second_after_the_deadline_is_late_and_judged() {
    let (daemon, mut clock) = begun();
    daemon.home().file("lru_cache.py", CORRECT.text());
    clock.advance(40 * 60 + 1);
    let late = daemon.command(["submit", "lru_cache.py"]).run();
    assert!(late.ok().contains("late"), "it is judged, and told to be late");
    let records = whole(&daemon);
    assert_eq!(last(&records, "CANDIDATE_CODE_SUBMISSION")["section_id"], "build");
    assert_eq!(last(&records, "EVAL_RESULT")["tests_passed"], 12);
    clock.advance(15);
    daemon.home().file("lru_cache.py", WRONG.text());
    let refused = daemon.command(["submit", "lru_cache.py"]).run();
    assert!(refused.stderr.contains("has ended"), "{refused}");
}

/// What a scripted candidate is asked, each question with all that is told of its choice.
fn followups(script: &[&str]) -> Vec<String> {
    let (daemon, mut clock) = begun();
    for line in script {
        daemon.ctl(line).ok();
        clock.advance(25);
        daemon.ctl("status").ok();
    }
    clock.advance(45 * 60 + 16);
    daemon.ctl("status").ok();
    let records = whole(&daemon);
    let asked = records.iter().filter(|record| record.event_type.starts_with("FOLLOWUP_"));
    asked
        .map(|record| format!("{} {} {}", clock_of(record), record.event_type, record.payload))
        .collect()
}

#[test]
fn deterministic_followup_selection() {
    let script = [
        REQUIREMENTS,
        "say I don't know.",
        "say Let me think about the memory and the capacity for a while.",
        METRICS,
        "done",
        "say A hash map and a doubly linked list, so that both calls are constant time.",
        "say It could fail when the capacity is one.",
    ];
    let asked = followups(&script);
    assert!(asked.len() >= 4, "{asked:#?}");
    assert_eq!(followups(&script), asked);
}

#[test]
fn a_session_of_second_long_sections_runs_on_the_real_clock() {
    let daemon = TestDaemon::start();
    let standard = daemon.ctl("schema show").ok().to_owned();
    let mut schema = standard
        .replace("total_seconds = 2700", "total_seconds = 4")
        .replace("grace_seconds = 15", "grace_seconds = 1");
    for duration in ["600", "900", "900", "300"] {
        let long = format!("duration_seconds = {duration}");
        schema = schema.replacen(&long, "duration_seconds = 1", 1);
    }
    let schema = schema.replace("warnings = [120, 30]", "warnings = []");
    daemon.home().file("short.toml", schema);
    daemon.ctl("schema check short.toml").ok();
    daemon.ctl("interview start --no-watch --schema short.toml").ok();
    wait_for(&daemon, "INTERVIEW_COMPLETED");
    let records = whole(&daemon);
    assert_eq!(count(&records, "SECTION_ENDED"), 4);
    let session = records[0].session_id;
    let mut wire = daemon.wire();
    wire.subscribe(session, EventId::ZERO);
    assert_eq!(wire.wait_for_event("INTERVIEW_COMPLETED"), records[records.len() - 1]);
}
