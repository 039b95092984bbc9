//! What a log is good for: exports, explanations, proofs, comparisons, copies, erasure.

use vosim_protocol::EventRecord;
use vosim_protocol::wire::{Json, Wire as _};
use vosim_tests::{CORRECT, Program, TestDaemon, WRONG};

use crate::support::{count, log, wait_for};

/// A session with two failures, a hint, a pass and an end.
fn finished() -> TestDaemon {
    let daemon = TestDaemon::start();
    daemon.ctl("start").ok();
    for program in [WRONG, Program("wrong_answer/first_in_first_out.py")] {
        daemon.home().file("lru_cache.py", program.text());
        daemon.ctl("submit lru_cache.py").ok();
    }
    daemon.ctl("hint").ok();
    daemon.home().file("lru_cache.py", CORRECT.text());
    daemon.ctl("submit lru_cache.py").ok();
    wait_for(&daemon, "GROWTH_MEASURED");
    daemon
}

fn keys(json: &Json) -> Vec<&str> {
    json.as_object().unwrap().keys().map(String::as_str).collect()
}

// 000: the event schema, its seven types, four keys and payload fields.
#[test]
fn an_export_has_exactly_the_form_of_the_specification() {
    let expected: [(&str, &[&str]); 7] = [
        ("SESSION_STARTED", &["problem_id", "python_version"]),
        ("CODE_SUBMITTED", &["attempt_number", "file_path", "code_hash", "line_count"]),
        (
            "EVAL_RESULT",
            &[
                "attempt_number",
                "passed",
                "failure_type",
                "tests_passed",
                "tests_failed",
                "failing_tests",
                "exception",
                "runtime_ms",
            ],
        ),
        ("HINT_REQUESTED", &["attempt_number"]),
        ("HINT_GIVEN", &["hint_level", "hint_text", "trigger_reason"]),
        ("AGENT_RESPONSE", &["response_type", "message", "metadata"]),
        (
            "SESSION_ENDED",
            &[
                "outcome",
                "total_attempts",
                "final_tests_passed",
                "final_tests_failed",
                "hints_used",
                "duration_seconds",
            ],
        ),
    ];
    let daemon = finished();
    let ended = daemon.ctl("end");
    // `end` prints where it has written the same.
    let printed: String =
        ended.ok().split_whitespace().filter(|word| word.contains(".jsonl")).collect();
    let saved = std::fs::read_to_string(printed.trim_matches('│')).unwrap();
    let exported = daemon.ctl("export --format jsonl");
    assert_eq!(exported.ok(), saved);
    daemon.ctl("export --format jsonl --output out.jsonl").ok();
    assert_eq!(std::fs::read_to_string(daemon.home().work().join("out.jsonl")).unwrap(), saved);

    let lines = exported.json();
    for line in &lines {
        assert_eq!(keys(line), ["session_id", "timestamp", "event_type", "payload"]);
        let event_type = line["event_type"].as_str().unwrap();
        let (_, fields) = expected.iter().find(|(name, _)| *name == event_type).unwrap();
        assert_eq!(keys(&line["payload"]), *fields, "{event_type}");
        assert!(line["timestamp"].as_str().unwrap().ends_with('Z'));
    }
    for (event_type, _) in expected {
        assert!(lines.iter().any(|line| line["event_type"] == event_type), "{event_type}");
    }
    let feedback = lines.iter().find(|line| line["event_type"] == "AGENT_RESPONSE").unwrap();
    assert_eq!(keys(&feedback["payload"]["metadata"]), ["failure_type", "primary_issue"]);
}

#[test]
fn a_kind_without_the_plain_form_is_refused_it_and_exports_its_records_by_itself() {
    let daemon = TestDaemon::start();
    daemon.ctl("interview start --no-watch").ok();
    let ran = daemon.ctl("export --format jsonl --json");
    let refused = ran.refused();
    assert!(refused.contains("wrong_kind") && refused.contains("which has no form jsonl"));
    assert!(refused.contains("vosimctl export --format records"), "{refused}");
    daemon.ctl("end --yes").ok();
    assert_eq!(daemon.ctl("export").ok(), daemon.ctl("export --format records").ok());
}

#[test]
fn an_edited_export_is_found_with_the_place_and_a_whole_one_is_confirmed() {
    let daemon = finished();
    daemon.ctl("end").ok();
    daemon.ctl("export --format records --output log.jsonl").ok();
    let file = daemon.home().work().join("log.jsonl");
    let whole = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let records = log(&daemon).len();
    assert_eq!(lines.len(), records + 1);
    let closing: Json = serde_json::from_str(lines[records]).unwrap();
    assert_eq!(keys(&closing), ["session_id", "records", "head"]);
    assert_eq!(closing["records"], records);
    daemon.ctl("verify").ok();
    assert!(daemon.ctl("verify log.jsonl").ok().contains(closing["head"].as_str().unwrap()));

    let edited = whole.replacen("\"tests_passed\":5", "\"tests_passed\":9", 1);
    let in_the_last = lines[records - 1].replacen("SESSION", "SECTION", 1);
    let joined = |parts: &[&[&str]]| parts.concat().concat();
    let cut = "the file is cut off";
    let changed = [
        (edited, "it is not the record that the next one names"),
        (joined(&[&lines[..3], &lines[4..]]), "found event 5 in its place"),
        (joined(&[&lines[..records - 2], &lines[records..]]), "records are missing here"),
        (joined(&[&lines[..records - 1], &[&in_the_last, lines[records]]]), "not the record after"),
        (joined(&[&lines[..records]]), cut),
        (joined(&[&lines[..5]]), cut),
        (whole[..whole.len() / 2].to_owned(), cut),
        (whole[..whole.len() - 9].to_owned(), cut),
        (whole.clone() + lines[records - 1], "the file goes on behind the line that closes it"),
        (whole.clone() + "\n", "the file goes on behind the line that closes it"),
    ];
    for (text, told) in changed {
        assert_ne!(text, whole, "{told}");
        std::fs::write(&file, text).unwrap();
        let ran = daemon.ctl("verify log.jsonl");
        assert_eq!(ran.status, 1, "{told}: {ran}");
        let words = ran.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("has been changed at event") && words.contains(told),
            "{told}: {ran}"
        );
        let ran = daemon.ctl("verify log.jsonl --json");
        let json: Json = serde_json::from_str(&ran.stdout).unwrap();
        assert!(json["broken"]["event_id"].is_u64(), "{told}: {ran}");
        if told.contains("the next one names") {
            let edited = lines.iter().position(|line| line.contains("\"tests_passed\":5"));
            assert_eq!(json["broken"]["event_id"], edited.unwrap() + 1, "{ran}");
        }
    }
    for (name, text) in [("empty.jsonl", ""), ("garbage.jsonl", "\u{0}\n")] {
        daemon.home().file(name, text);
        let ran = daemon.ctl(&format!("verify {name}"));
        assert_eq!(ran.status, 1, "{ran}");
    }
    assert_eq!(daemon.ctl("verify no_such.jsonl").status, 1);
}

#[test]
fn every_decision_explains_itself_with_inputs_and_the_rules_not_taken() {
    let daemon = finished();
    daemon.ctl("end").ok();
    let decisions =
        ["EVAL_RESULT", "HINT_REQUESTED", "HINT_GIVEN", "AGENT_RESPONSE", "SESSION_ENDED"];
    for EventRecord { event_id, event_type, .. } in log(&daemon) {
        let ran = daemon.ctl(&format!("why {event_id} --json"));
        let why = &ran.json()[0];
        assert_eq!(
            (&why["event_id"], &why["event_type"]),
            (&event_id.0.into(), &event_type.as_str().into())
        );
        assert!(why["telling"].is_object(), "{ran}");
        if decisions.contains(&event_type.as_str()) {
            assert!(why["rule"]["key"].is_string(), "{event_type}: {ran}");
            assert!(!why["inputs"].as_array().unwrap().is_empty(), "{event_type}: {ran}");
        }
        if event_type == "HINT_REQUESTED" {
            assert!(why["not_taken"].as_array().unwrap().len() >= 3, "{ran}");
        }
        daemon.ctl(&format!("why {event_id}")).ok();
    }
}

#[test]
fn two_submissions_are_compared_line_by_line() {
    let daemon = finished();
    let last_two = daemon.ctl("diff");
    assert!(last_two.ok().contains("submission 2") && last_two.stdout.contains("submission 3"));
    let named = daemon.ctl("diff 1 3");
    assert!(named.ok().lines().any(|line| line.starts_with('+')), "{named}");
    assert!(named.stdout.contains("submission 1 ("), "{named}");
    daemon.ctl("diff 1 9").refused();
}

#[test]
fn deleted_code_is_withheld_and_a_deleted_session_is_gone() {
    let daemon = finished();
    daemon.ctl("end").ok();
    let id = crate::support::current(&daemon);
    let refused = daemon.ctl(&format!("delete {id}"));
    assert!(refused.refused().contains("--yes"), "{refused}");

    daemon.ctl(&format!("delete {id} --code --yes")).ok();
    let replay = daemon.ctl("replay --json").json();
    assert_eq!(replay[0]["code_withheld"], 3);
    assert!(daemon.ctl("diff").refused().contains("ode withheld"));
    daemon.ctl("replay --verify").ok();

    let saved = daemon.home().paths().data.join(format!("sessions/{id}.jsonl"));
    assert!(saved.exists());
    daemon.ctl("delete ffffffff --yes").refused();
    daemon.ctl("delete --yes").refused();
    let short = daemon.ctl(&format!("delete {} --yes", &id.to_string()[..3]));
    assert!(short.refused().contains("at least 4 characters"), "{short}");
    daemon.ctl(&format!("delete --session {id} --yes")).ok();
    assert!(daemon.ctl("list --json").json().is_empty());
    let gone = daemon.ctl(&format!("log --session {id}"));
    assert_eq!(gone.status, 1, "{gone}");
    assert!(!saved.exists(), "its saved log goes with it");
    daemon.ctl("start --no-file").ok();
}

#[test]
fn a_backup_brings_back_what_was_and_keeps_what_it_replaces() {
    let mut daemon = finished();
    daemon.ctl("end").ok();
    let before = daemon.ctl("log --json").stdout;
    daemon.ctl("backup copy.vosim").ok();
    daemon.ctl("backup copy.vosim").ok();
    daemon.home().file("lru_cache.py", "precious");
    for taken in ["backup lru_cache.py", "export -o lru_cache.py", "export -o copy.vosim"] {
        assert!(daemon.ctl(taken).refused().contains("left as it is"), "{taken}");
    }
    let data = daemon.home().paths().data;
    for own in ["vosim.lock", "store.json", "db-1/db", "exports/new", "new"] {
        let path = data.join(own).display().to_string();
        for command in ["backup", "export --force -o"] {
            let refused = daemon.ctl(&format!("{command} {path}"));
            assert!(refused.refused().contains("the store's own folder"), "{refused}");
        }
    }
    let long = "x".repeat(300);
    for other in [
        "backup .",
        "backup new/",
        "export -o .",
        "backup /dev/null",
        "backup /dev/null/x",
        "backup lru_cache.py/x",
        "export -o lru_cache.py/x",
        "export -o no/such/folder/x",
        "backup /proc/x",
        "export -o /proc/x",
        &format!("backup {long}"),
    ] {
        let refused = daemon.ctl(other);
        assert!(refused.refused().contains("Name a"), "{other}: {refused}");
    }
    daemon.ctl("start --no-file").ok();
    let running = daemon.ctl("restore copy.vosim");
    assert_eq!(running.status, 1, "a store in use is not exchanged: {running}");
    assert!(daemon.stop().success());
    for sound in ["restore copy.vosim", "restore --from-exports"] {
        let sound = daemon.ctl(sound);
        assert!(sound.refused().contains("needs confirmation"), "{sound}");
    }
    daemon.home().file("garbage.vosim", "not a backup");
    let copy = std::fs::read(daemon.home().work().join("copy.vosim")).unwrap();
    std::fs::write(daemon.home().work().join("cut.vosim"), &copy[..copy.len() - 9]).unwrap();
    std::fs::write(daemon.home().work().join("longer.vosim"), [&copy[..], b"\n"].concat()).unwrap();
    for unusable in ["garbage", "cut", "longer"] {
        // Nobody is asked to agree to what cannot be done.
        let ran = daemon.ctl(&format!("restore {unusable}.vosim"));
        assert!(ran.refused().contains("is not a usable backup"), "{ran}");
    }
    let restored = daemon.ctl("restore copy.vosim --yes");
    let said = restored.ok().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("`vosimctl quarantine put-back 1` puts it back."), "{said}");
    assert!(daemon.ctl("quarantine").stdout.contains("quarantine-1"));
    daemon.ctl("quarantine put-back 1").ok();
    daemon.start_again();
    assert_eq!(daemon.ctl("list --json").json().len(), 2, "what was there before is back");
    assert!(daemon.stop().success());
    daemon.ctl("quarantine put-back 2").ok();
    daemon.ctl("quarantine erase 3").refused();
    daemon.ctl("quarantine erase 3 --yes").ok();
    assert!(daemon.ctl("quarantine").stdout.contains("Nothing has been put aside"));
    daemon.start_again();
    assert_eq!(daemon.ctl("list --json").json().len(), 1);
    assert_eq!(daemon.ctl("log --json").stdout, before);
    daemon.ctl("replay --verify").ok();
    daemon.ctl("verify").ok();

    assert!(daemon.stop().success());
    let ran = daemon.ctl("restore garbage.vosim --yes");
    assert_eq!(ran.status, 1, "{ran}");
    assert!(ran.stderr.contains("is not a usable backup"), "{ran}");
    daemon.start_again();
    assert_eq!(daemon.ctl("log --json").stdout, before);
}

#[test]
fn an_identical_file_is_judged_again_only_on_request_and_pushes_nothing() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", WRONG.text());
    daemon.ctl("submit a.py").ok();
    daemon.ctl("hint").ok();
    let refused = daemon.ctl("submit a.py");
    assert!(
        refused.refused().contains("same file as submission 1: 5/12 tests passed"),
        "{refused}"
    );
    assert!(refused.stderr.contains("--again"), "{refused}");
    daemon.ctl("submit a.py --again").ok();
    let records = log(&daemon);
    assert_eq!(count(&records, "EVAL_RESULT"), 2);
    let repeated = crate::support::last(&records, "CODE_SUBMITTED");
    assert_eq!(repeated["repeated"], true);
    assert!(daemon.ctl("hint").ok().contains("Hint (Level 1)"));
    assert_eq!(count(&log(&daemon), "HINT_GIVEN"), 1, "it is told again, and no event tells it");
}

#[test]
fn a_log_read_from_a_cursor_is_the_rest_of_it() {
    let daemon = finished();
    let all = daemon.ctl("log --json").json();
    let rest = daemon.ctl("log --json --after 4").json();
    assert_eq!(rest, all[4..]);
    for json in &all {
        EventRecord::from_json(json.clone()).unwrap();
    }
}

#[test]
fn a_compacted_store_tells_the_same_and_takes_less_room() {
    let mut daemon = finished();
    daemon.ctl("end").ok();
    let before = daemon.ctl("log --json").stdout;
    daemon.ctl("store stats").ok();
    daemon.ctl("store compact").ok();
    assert_eq!(daemon.ctl("log --json").stdout, before);
    daemon.ctl("replay --verify").ok();
    daemon.kill();
    daemon.start_again();
    assert_eq!(daemon.ctl("log --json").stdout, before);
    daemon.ctl("start --no-file").ok();
}
