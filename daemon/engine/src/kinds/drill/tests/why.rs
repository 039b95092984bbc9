//! Every event can be explained: the rule, what it looked at, and the rules not taken.

use std::fmt::Write as _;

use insta::assert_snapshot;
use vosim_protocol::v1::session::Explanation;
use vosim_protocol::{EventId, Hash, Kind};

use super::script::{SESSION, Script};
use super::verify::HONEST;
use crate::kinds;

fn why(script: &str, id: u64) -> String {
    let script = Script::play(script);
    let explanation = kinds::why(Kind::Drill, SESSION, &script.spec, &script.lines, EventId(id))
        .unwrap()
        .unwrap();
    assert_eq!(explanation.event_id, EventId(id));
    // The hash of the spec changes with every field that problems gain.
    told(&explanation).replace(&Hash::of(&script.spec).to_string(), "SPEC")
}

fn told(explanation: &Explanation) -> String {
    let Explanation { event_type, decision, rule, inputs, not_taken, .. } = explanation;
    let mut text = format!("{event_type}: {decision}\n{rule}\n");
    for input in inputs {
        let from = input.event_id.map(|id| format!(" (event {id})")).unwrap_or_default();
        writeln!(text, "  {} = {}{from}", input.name, input.value).unwrap();
    }
    for rule in not_taken {
        writeln!(text, "  not {} | {}", rule.rule, rule.reason).unwrap();
    }
    text
}

#[test]
fn every_type_of_event_is_explained() {
    assert_snapshot!(why(HONEST, 1), @r#"
    SESSION_CREATED: the session began
    a log explains itself: it names the hash of everything its rules depend on
      spec = "SPEC"
    "#);
    assert_snapshot!(why(HONEST, 2), @r"
    SESSION_STARTED: the problem lru_cache was presented
    000 state machine: IDLE, start, PROBLEM_PRESENTED
    ");
    assert_snapshot!(why(HONEST, 3), @r#"
    CODE_SUBMITTED: the file was taken as attempt 1
    000 state machine: submit, EVALUATING
      code_hash = "sha256:0b0fa0b2280a09639e2059e56c8fa9328f4d76ab48e081dfdc80da7f0984f94e"
      not an identical file is refused | no attempt judged these bytes
    "#);
    assert_snapshot!(why(HONEST, 4), @r#"
    EVAL_ABORTED: the attempt counts for nothing
    a failure of the machinery is not the candidate's
      reason = "no interpreter was found"
    "#);
    assert_snapshot!(why(HONEST, 5), @r#"
    CODE_SUBMITTED: the file was taken as attempt 1
    000 state machine: submit, EVALUATING
      code_hash = "sha256:0b0fa0b2280a09639e2059e56c8fa9328f4d76ab48e081dfdc80da7f0984f94e"
      not an identical file is refused | no attempt judged these bytes
    "#);
    assert_snapshot!(why(HONEST, 6), @r#"
    EVAL_RESULT: the verdict is WRONG_ANSWER
    000 classification rules, rule 6, WRONG_ANSWER: fewer than half passed
      tests_passed = 5
      tests_failed = 7
      exception = null
      detail = "value"
      code_hash = "sha256:0b0fa0b2280a09639e2059e56c8fa9328f4d76ab48e081dfdc80da7f0984f94e" (event 5)
      not rule 1, IMPORT_ERROR: the file cannot be loaded | the file was loaded
      not rule 2, WRONG_SIGNATURE: a method is missing | all methods are there
      not rule 3, EXCEPTION: an exception, crash or limit in a test | no test raised, crashed or reached a limit
      not rule 4, PASS: all tests passed | 7 of 12 tests did not pass
      not rule 5, PARTIAL_PASS: at least half of the tests passed | 5 of 12 tests passed
    "#);
    assert_snapshot!(why(HONEST, 7), @r#"
    HINT_REQUESTED: the hint has level 1
    000 hint escalation, rule 1: the first request gives level 1
      attempts that count = 1
      last hint's level = null
      issue = "capacity_one"
      failure = "WRONG_ANSWER" (event 6)
      not rule 2: the same failure again gives one more | it speaks of hints after the first
      not rule 3: three attempts give at least level 2 | only 1 attempt counts
      not rule 4: five attempts give at least level 3 | only 1 attempt counts
      not rule 5: seven attempts give level 4 | only 1 attempt counts
      not rule 5: giving up gives level 4 | the candidate did not give up
    "#);
    assert_snapshot!(why(HONEST, 8), @r#"
    HINT_GIVEN: the hint has level 1
    000 hint escalation, rule 1: the first request gives level 1
      attempts that count = 1
      last hint's level = null
      issue = "capacity_one"
      failure = "WRONG_ANSWER" (event 6)
      request = 7 (event 7)
      words = "a model's wording of the problem's text"
      not rule 2: the same failure again gives one more | it speaks of hints after the first
      not rule 3: three attempts give at least level 2 | only 1 attempt counts
      not rule 4: five attempts give at least level 3 | only 1 attempt counts
      not rule 5: seven attempts give level 4 | only 1 attempt counts
      not rule 5: giving up gives level 4 | the candidate did not give up
    "#);
    assert_snapshot!(why(HONEST, 9), @r#"
    CODE_SUBMITTED: the file was taken as attempt 2
    000 state machine: submit, EVALUATING
      code_hash = "sha256:b6b52c0e41dd6e18a31636deb586175bfedea1f482fa94cc4c8ec46999ae8864"
      not an identical file is refused | no attempt judged these bytes
    "#);
    assert_snapshot!(why(HONEST, 10), @r#"
    EVAL_RESULT: the verdict is EXCEPTION
    000 classification rules, rule 3, EXCEPTION: an exception, crash or limit in a test
      tests_passed = 3
      tests_failed = 9
      exception = "timed out (10 s limit)"
      detail = "time"
      code_hash = "sha256:b6b52c0e41dd6e18a31636deb586175bfedea1f482fa94cc4c8ec46999ae8864" (event 9)
      not rule 1, IMPORT_ERROR: the file cannot be loaded | the file was loaded
      not rule 2, WRONG_SIGNATURE: a method is missing | all methods are there
      not rule 4, PASS: all tests passed | an earlier rule decided
      not rule 5, PARTIAL_PASS: at least half of the tests passed | an earlier rule decided
      not rule 6, WRONG_ANSWER: fewer than half passed | an earlier rule decided
    "#);
    assert_snapshot!(why(HONEST, 11), @r#"
    AGENT_RESPONSE: feedback on attempt 2
    the first issue of the problem that fits the verdict
      failure_type = "EXCEPTION" (event 10)
      primary_issue = "timeout"
      words = "a model's wording of the problem's text"
      not issue import | it does not fit the verdict
      not issue signature | it does not fit the verdict
    "#);
    assert_snapshot!(why(HONEST, 16), @r#"
    HINT_REQUESTED: the hint has level 2
    000 hint escalation, rule 3: three attempts give at least level 2
      attempts that count = 3
      last hint's level = 1 (event 7)
      issue = "capacity_one"
      failure = "WRONG_ANSWER" (event 6)
      failure = "EXCEPTION" (event 10)
      failure = "PARTIAL_PASS" (event 14)
      not rule 1: the first request gives level 1 | there was a hint before
      not rule 2: the same failure again gives one more | no new attempt since the last hint failed like the one before it
      not rule 4: five attempts give at least level 3 | only 3 attempts count
      not rule 5: seven attempts give level 4 | only 3 attempts count
      not rule 5: giving up gives level 4 | the candidate did not give up
    "#);
    assert_snapshot!(why(HONEST, 18), @r#"
    HINT_REQUESTED: the hint has level 4
    000 hint escalation, rule 5: giving up gives level 4
      attempts that count = 3
      last hint's level = 2 (event 16)
      issue = "capacity_one"
      failure = "WRONG_ANSWER" (event 6)
      failure = "EXCEPTION" (event 10)
      failure = "PARTIAL_PASS" (event 14)
      not rule 1: the first request gives level 1 | there was a hint before
      not rule 2: the same failure again gives one more | no new attempt since the last hint failed like the one before it
      not rule 3: three attempts give at least level 2 | the level is as high without it
      not rule 4: five attempts give at least level 3 | only 3 attempts count
      not rule 5: seven attempts give level 4 | only 3 attempts count
    "#);
    assert_snapshot!(why(HONEST, 19), @r#"
    HINT_GIVEN: the hint has level 4
    000 hint escalation, rule 5: giving up gives level 4
      attempts that count = 3
      last hint's level = 2 (event 16)
      issue = "capacity_one"
      failure = "WRONG_ANSWER" (event 6)
      failure = "EXCEPTION" (event 10)
      failure = "PARTIAL_PASS" (event 14)
      request = 18 (event 18)
      words = "the problem's own text"
      not rule 1: the first request gives level 1 | there was a hint before
      not rule 2: the same failure again gives one more | no new attempt since the last hint failed like the one before it
      not rule 3: three attempts give at least level 2 | the level is as high without it
      not rule 4: five attempts give at least level 3 | only 3 attempts count
      not rule 5: seven attempts give level 4 | only 3 attempts count
    "#);
    assert_snapshot!(why(HONEST, 21), @r#"
    EVAL_RESULT: the verdict is PASS
    000 classification rules, rule 4, PASS: all tests passed
      tests_passed = 12
      tests_failed = 0
      exception = null
      detail = null
      code_hash = "sha256:7e3cfd9c828a75671a34898112caa743bd0dce59ed95a41ff549da466c1c0011" (event 20)
      not rule 1, IMPORT_ERROR: the file cannot be loaded | the file was loaded
      not rule 2, WRONG_SIGNATURE: a method is missing | all methods are there
      not rule 3, EXCEPTION: an exception, crash or limit in a test | no test raised, crashed or reached a limit
      not rule 5, PARTIAL_PASS: at least half of the tests passed | an earlier rule decided
      not rule 6, WRONG_ANSWER: fewer than half passed | an earlier rule decided
    "#);
    assert_snapshot!(why(HONEST, 22), @r"
    GROWTH_PROBE_STARTED: the time per operation is measured because all tests passed
    the summary claims nothing that was not measured
    ");
    assert_snapshot!(why(HONEST, 23), @r#"
    AGENT_RESPONSE: feedback on attempt 4
    a pass gets the problem's praise
      failure_type = "PASS" (event 21)
      primary_issue = "none"
      words = "the problem's own text"
    "#);
    assert_snapshot!(why(HONEST, 24), @r"
    GROWTH_MEASURED: growth is constant
    time ~ size^e between smallest and largest: e >= 1/2 grows, e <= 1/3 is constant
      nanoseconds at 1000 = 300
      nanoseconds at 4000 = 310
      nanoseconds at 16000 = 350
    ");
    assert_snapshot!(why(HONEST, 25), @r"
    SESSION_ENDED: the outcome is success
    the last judged attempt decides: all passed is success, half is partial success
      final_tests_passed = 12
      final_tests_failed = 0
      best_tests_passed = 12
      assisted = true
      last judged attempt = 4 (event 21)
    ");
}

/// Submissions judged between a request and its words were not looked at.
#[test]
fn a_hint_is_explained_by_what_was_known_when_it_was_asked_for() {
    let script = "
        00:01 submit a.py #1
        00:01 verdict 5/12
        00:02 hint
        00:03 submit a.py #2
        00:04 verdict 5/12
        00:05 words hint
    ";
    let told = |id| {
        let text = why(script, id);
        text.lines().filter(|line| line.starts_with("  attempts")).collect::<String>()
    };
    assert_eq!(told(8), told(5));
}

#[test]
fn each_rule_for_a_hint_level_says_why_the_others_did_not_decide() {
    let failures = |n: usize| {
        let verdicts = ["5/12", "3/12 limit=time"];
        (1..=n).fold(String::new(), |mut script, n| {
            writeln!(script, "00:0{n} submit a.py #{n}\n00:0{n} verdict {}", verdicts[n % 2])
                .unwrap();
            script
        })
    };
    let hint_after = |script: &str| {
        let lines = Script::play(script).lines.len() as u64;
        why(&format!("{script}00:10 hint confirm"), lines + 1)
    };
    assert_snapshot!(hint_after(&failures(3)), @r#"
    HINT_REQUESTED: the hint has level 2
    000 hint escalation, rule 3: three attempts give at least level 2
      attempts that count = 3
      last hint's level = null
      issue = "timeout"
      failure = "EXCEPTION" (event 4)
      failure = "WRONG_ANSWER" (event 6)
      failure = "EXCEPTION" (event 8)
      not rule 1: the first request gives level 1 | another rule raised the level
      not rule 2: the same failure again gives one more | it speaks of hints after the first
      not rule 4: five attempts give at least level 3 | only 3 attempts count
      not rule 5: seven attempts give level 4 | only 3 attempts count
      not rule 5: giving up gives level 4 | the candidate did not give up
    "#);
    assert_snapshot!(hint_after(&failures(5)), @r#"
    HINT_REQUESTED: the hint has level 3
    000 hint escalation, rule 4: five attempts give at least level 3
      attempts that count = 5
      last hint's level = null
      issue = "timeout"
      failure = "EXCEPTION" (event 4)
      failure = "WRONG_ANSWER" (event 6)
      failure = "EXCEPTION" (event 8)
      failure = "WRONG_ANSWER" (event 10)
      failure = "EXCEPTION" (event 12)
      not rule 1: the first request gives level 1 | another rule raised the level
      not rule 2: the same failure again gives one more | it speaks of hints after the first
      not rule 3: three attempts give at least level 2 | the level is as high without it
      not rule 5: seven attempts give level 4 | only 5 attempts count
      not rule 5: giving up gives level 4 | the candidate did not give up
    "#);
    assert_snapshot!(hint_after(&failures(7)), @r#"
    HINT_REQUESTED: the hint has level 4
    000 hint escalation, rule 5: seven attempts give level 4
      attempts that count = 7
      last hint's level = null
      issue = "timeout"
      failure = "EXCEPTION" (event 4)
      failure = "WRONG_ANSWER" (event 6)
      failure = "EXCEPTION" (event 8)
      failure = "WRONG_ANSWER" (event 10)
      failure = "EXCEPTION" (event 12)
      failure = "WRONG_ANSWER" (event 14)
      failure = "EXCEPTION" (event 16)
      not rule 1: the first request gives level 1 | another rule raised the level
      not rule 2: the same failure again gives one more | it speaks of hints after the first
      not rule 3: three attempts give at least level 2 | the level is as high without it
      not rule 4: five attempts give at least level 3 | the level is as high without it
      not rule 5: giving up gives level 4 | the candidate did not give up
    "#);
    let after_hint = format!("{}00:09 hint\n00:09 words hint\n", failures(5));
    assert_snapshot!(hint_after(&after_hint), @r#"
    HINT_REQUESTED: the hint has level 3
    000 hint escalation, no rule raises it: the level stays
      attempts that count = 5
      last hint's level = 3 (event 13)
      issue = "timeout"
      failure = "EXCEPTION" (event 4)
      failure = "WRONG_ANSWER" (event 6)
      failure = "EXCEPTION" (event 8)
      failure = "WRONG_ANSWER" (event 10)
      failure = "EXCEPTION" (event 12)
      not rule 1: the first request gives level 1 | there was a hint before
      not rule 2: the same failure again gives one more | rules 1 to 4 stop at level 3
      not rule 3: three attempts give at least level 2 | the level is as high without it
      not rule 4: five attempts give at least level 3 | the level is as high without it
      not rule 5: seven attempts give level 4 | only 5 attempts count
      not rule 5: giving up gives level 4 | the candidate did not give up
    "#);
    let given_up = format!("{}00:09 give-up confirm\n", failures(1));
    assert_snapshot!(hint_after(&given_up), @r#"
    HINT_REQUESTED: the hint has level 4
    000 hint escalation, no rule raises it: the level stays
      attempts that count = 1
      last hint's level = 4 (event 5)
      issue = "timeout"
      failure = "EXCEPTION" (event 4)
      not rule 1: the first request gives level 1 | there was a hint before
      not rule 2: the same failure again gives one more | rules 1 to 4 stop at level 3
      not rule 3: three attempts give at least level 2 | the reference solution was shown before
      not rule 4: five attempts give at least level 3 | the reference solution was shown before
      not rule 5: seven attempts give level 4 | the reference solution was shown before
      not rule 5: giving up gives level 4 | the candidate did not give up
    "#);
    let repeated = "
        00:01 submit a.py #1
        00:01 verdict 5/12
        00:02 hint
        00:02 words hint
        00:03 submit a.py #2
        00:03 verdict 5/12
    ";
    assert_snapshot!(hint_after(repeated), @r#"
    HINT_REQUESTED: the hint has level 2
    000 hint escalation, rule 2: the same failure again gives one more
      attempts that count = 2
      last hint's level = 1 (event 5)
      issue = "capacity_one"
      failure = "WRONG_ANSWER" (event 4)
      failure = "WRONG_ANSWER" (event 8)
      not rule 1: the first request gives level 1 | there was a hint before
      not rule 3: three attempts give at least level 2 | only 2 attempts count
      not rule 4: five attempts give at least level 3 | only 2 attempts count
      not rule 5: seven attempts give level 4 | only 2 attempts count
      not rule 5: giving up gives level 4 | the candidate did not give up
    "#);
}

#[test]
fn an_event_that_is_not_there_has_no_explanation() {
    let script = Script::play("00:01 end");
    for id in [0, 4, u64::MAX] {
        let why = kinds::why(Kind::Drill, SESSION, &script.spec, &script.lines, EventId(id));
        assert_eq!(why.unwrap(), None);
    }
}
