//! The integration scenarios of 000 under their names, on the real binaries.

use vosim_protocol::v1::service::{Replay, ReplayParams, View, ViewParams};
use vosim_tests::{CORRECT, Program, TestDaemon, WRONG};

use crate::support::{assert_gapless, count, last, log, types, wait_for};

fn submit(daemon: &TestDaemon, code: &str) -> String {
    daemon.home().file("lru_cache.py", code);
    daemon.ctl("submit lru_cache.py").ok().to_owned()
}

// 000: Start → Submit (pass) → End; the session log is complete.
#[test]
fn test_full_interview_success() {
    let daemon = TestDaemon::start();
    let mut screens = daemon.ctl("start").to_string();
    daemon.home().file("lru_cache.py", CORRECT.text());
    let submitted = daemon.ctl("submit --file lru_cache.py");
    assert!(submitted.ok().contains("12/12"), "{submitted}");
    wait_for(&daemon, "GROWTH_MEASURED");
    let ended = daemon.ctl("end");
    assert!(ended.ok().contains("Success"), "{ended}");

    let records = log(&daemon);
    assert_gapless(&records);
    let mut seen = types(&daemon);
    // Words and figures are asked for at the same moment and come as they come.
    seen[5..9].sort();
    assert_eq!(
        seen,
        [
            "SESSION_CREATED",
            "SESSION_STARTED",
            "CODE_SUBMITTED",
            "SUITE_DRAWN",
            "EVAL_RESULT",
            "AGENT_RESPONSE",
            "GROWTH_MEASURED",
            "GROWTH_PROBE_STARTED",
            "VARIATION_ASKED",
            "SESSION_ENDED",
        ]
    );
    let end = last(&records, "SESSION_ENDED");
    assert_eq!(end["outcome"], "success");
    assert_eq!(end["total_attempts"], 1);
    assert_eq!((&end["final_tests_passed"], &end["final_tests_failed"]), (&12.into(), &0.into()));
    screens += &daemon.ctl("status").to_string();
    screens += &daemon.ctl("verify").to_string();
    insta::assert_snapshot!("full_interview_success", screens);
}

// 000: Start → Fail → Hint → Pass → End; hint escalation is correct.
#[test]
fn test_full_interview_with_hints() {
    let daemon = TestDaemon::start();
    daemon.ctl("start").ok();
    let failed = submit(&daemon, &WRONG.text());
    assert!(failed.contains("Failed") && failed.contains("5/12"), "{failed}");
    let first = daemon.ctl("hint");
    assert!(first.ok().contains("Hint (Level 1)"), "{first}");
    let events = log(&daemon).len();
    let again = daemon.ctl("hint");
    assert_eq!(again.ok(), first.ok(), "no new submission: the hint is shown again");
    assert_eq!(log(&daemon).len(), events, "and nothing has happened");
    submit(&daemon, &WRONG.variant(1));
    let second = daemon.ctl("hint");
    assert!(second.ok().contains("Hint (Level 2)"), "{second}");
    assert!(submit(&daemon, &CORRECT.text()).contains("12/12"));
    assert!(daemon.ctl("hint").refused().contains("All tests pass already"));
    daemon.ctl("end").ok();

    let records = log(&daemon);
    let hints: Vec<_> = records
        .iter()
        .filter(|record| record.event_type == "HINT_GIVEN")
        .map(|record| {
            (record.payload["hint_level"].clone(), record.payload["trigger_reason"].clone())
        })
        .collect();
    let expected =
        [(1.into(), "first_hint_request".into()), (2.into(), "same_failure_repeated".into())];
    assert_eq!(hints, expected);
    let end = last(&records, "SESSION_ENDED");
    assert_eq!((&end["outcome"], &end["hints_used"]), (&"success".into(), &2.into()));
    // DECISIONS 45: after the end everything may be read.
    let third = daemon.ctl("hint --level 3");
    assert!(third.ok().contains("Hint (Level 3)"), "{third}");
    let second = daemon.ctl("hint --level 2");
    assert!(
        second.ok().contains("Hint (Level 2)") && !second.stdout.contains("Level 3"),
        "{second}"
    );
    assert!(daemon.ctl("give-up").ok().contains("class LRUCache"));
    assert_eq!(log(&daemon).len(), records.len());
}

// 000: five failed submissions trigger the policy; seven offer the reference, which needs confirmation.
#[test]
fn test_multiple_submissions() {
    let daemon = TestDaemon::start();
    daemon.ctl("start").ok();
    // Each fails in another way than the one before, so only the number of submissions counts.
    let programs = [
        "wrong_answer/wrong_eviction.py",
        "wrong_answer/first_in_first_out.py",
        "run_time_error/runtime_exception.py",
        "rejected/missing_methods.py",
        "wrong_answer/one_too_many.py",
        "rejected/import_error.py",
        "wrong_answer/update_evicts.py",
    ];
    let mut levels = Vec::new();
    for program in programs {
        submit(&daemon, &Program(program).text());
        daemon.ctl("hint").ok();
        levels.push(last(&log(&daemon), "HINT_GIVEN")["hint_level"].as_u64().unwrap());
    }
    assert_eq!(levels, [1, 1, 2, 2, 3, 3, 3]);
    assert!(daemon.ctl("result").ok().contains("the reference solution, or to try again?"));
    assert!(daemon.ctl("hint --level 4").refused().contains("--yes"));
    let reference = daemon.ctl("hint --yes");
    assert!(reference.ok().contains("class LRUCache"), "{reference}");
    let last_hint = last(&log(&daemon), "HINT_GIVEN");
    assert_eq!(last_hint["trigger_reason"], "attempts_level_4");
    assert_eq!(count(&log(&daemon), "EVAL_RESULT"), 7);

    submit(&daemon, &CORRECT.text());
    daemon.ctl("end").ok();
    let end = last(&log(&daemon), "SESSION_ENDED");
    assert_eq!((&end["outcome"], &end["assisted"]), (&"success".into(), &true.into()));
}

// 000: create a session → replay it from its log; the state is reconstructed exactly.
#[test]
fn test_session_replay() {
    let mut daemon = TestDaemon::start();
    daemon.ctl("start").ok();
    submit(&daemon, &WRONG.text());
    daemon.ctl("hint").ok();
    submit(&daemon, &CORRECT.text());
    wait_for(&daemon, "GROWTH_MEASURED");
    daemon.ctl("end").ok();
    let live = daemon.wire().ask::<View>(&ViewParams::default()).unwrap().view;

    daemon.kill();
    daemon.start_again();
    let woken = daemon.wire().ask::<View>(&ViewParams::default()).unwrap().view;
    assert_eq!(woken, live, "a daemon that was killed knows the same");
    let params = ReplayParams { verify: true, ..ReplayParams::default() };
    let report = daemon.wire().ask::<Replay>(&params).unwrap();
    assert_eq!(report.view, live);
    assert_eq!(report.phase, "done");
    assert_eq!((report.differs, report.chain, report.code_withheld), (None, None, 0));
    assert!(report.recomputed > 0);
    assert_eq!(report.events, log(&daemon).len() as u64);
    daemon.ctl("replay --verify").ok();
}

// 000: an infinite loop is classified as EXCEPTION, and the submission itself has succeeded.
#[test]
fn test_timeout_handling() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let screen = submit(&daemon, &Program("time_limit_exceeded/infinite_loop.py").text());
    let result = last(&log(&daemon), "EVAL_RESULT");
    assert_eq!(result["failure_type"], "EXCEPTION");
    assert_eq!(result["detail"], result["limit"]["detail"], "{result}");
    // Where others take so much of the machine that 10 s of computing last longer than 30 s, the
    // clock's own limit comes first; it may only come then.
    let starved = result["detail"] == "wall";
    let computed = result["evaluation"]["cpu_ms"].as_u64().unwrap();
    assert!(!starved || computed < 10_000, "{result}");
    assert!(starved || computed >= 8_000, "by the kernel's count or by ours: {result}");
    let (words, class) = if starved {
        ("timed out (30 s on the clock in all)", "EXCEPTION (wall)")
    } else {
        ("timed out (10 s of computing in all)", "EXCEPTION (time)")
    };
    assert!(screen.contains(words) && screen.contains(class), "{screen}");
    assert_eq!(result["tests_passed"], 2, "the tests before it keep their results");
    assert_eq!(result["tests_failed"], 10);
    daemon.ctl("hint").ok();
}

// 000: the six fixtures, each with its class.
#[test]
fn the_programs_of_the_specification_get_their_classes() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let expected = [
        ("accepted/linked_list.py", "PASS", "null", 12),
        ("accepted/ordered_dict.py", "PASS", "null", 12),
        ("wrong_answer/wrong_eviction.py", "WRONG_ANSWER", "\"value\"", 5),
        ("wrong_answer/get_keeps_order.py", "PARTIAL_PASS", "\"value\"", 7),
        ("rejected/missing_methods.py", "WRONG_SIGNATURE", "\"signature\"", 0),
        ("run_time_error/runtime_exception.py", "EXCEPTION", "\"exception\"", 2),
        ("rejected/import_error.py", "IMPORT_ERROR", "\"exception\"", 0),
    ];
    for (program, class, detail, passed) in expected {
        submit(&daemon, &Program(program).text());
        let result = last(&log(&daemon), "EVAL_RESULT");
        let got = (
            result["failure_type"].as_str().unwrap(),
            result["detail"].to_string(),
            result["tests_passed"].as_u64().unwrap(),
        );
        assert_eq!(got, (class, detail.to_owned(), passed), "{program}");
        let total = passed + result["tests_failed"].as_u64().unwrap();
        assert_eq!(total, 12, "{program}: always the number of tests");
        let failing = result["failing_tests"].as_array().unwrap().len() as u64;
        assert_eq!(failing, 12 - passed, "{program}: all of them are listed");
    }
}

#[test]
fn what_a_failing_submission_shows() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let mut screens = String::new();
    for program in [
        "wrong_answer/first_in_first_out.py",
        "rejected/missing_methods.py",
        "run_time_error/runtime_exception.py",
        "rejected/syntax_error.py",
    ] {
        daemon.home().file("lru_cache.py", Program(program).text());
        screens += &format!("# {program}\n{}\n", daemon.ctl("submit lru_cache.py"));
    }
    screens += &daemon.ctl("hint").to_string();
    screens += &daemon.ctl("status").to_string();
    screens += &daemon.ctl("end").to_string();
    insta::assert_snapshot!("failing_submissions", screens);
}
