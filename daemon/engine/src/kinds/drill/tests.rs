//! The rules of 000 and DECISIONS 15 to 21, as scripts and the logs they lead to.

mod script;
mod variations;
mod verify;
mod why;

use insta::assert_snapshot;
use vosim_protocol::v1::problem::Language;

use crate::problem::spec;
use script::{Script, log};

#[test]
fn a_whole_interview_with_a_hint_and_a_solution() {
    assert_snapshot!(log("
        00:00 start
        00:05 submit a.py #1
        00:06 verdict 5/12
        00:06 words
        00:07 hint
        00:07 words
        00:10 submit a.py #2
        00:12 verdict 12/12
        00:12 words
        00:13 growth 300 310 350
        00:14 view
        00:15 end
        00:20 view
    "), @r#"
    1 SESSION_CREATED
    2 SESSION_STARTED lru_cache 3.11.5
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_RESULT attempt 1 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    5 AGENT_RESPONSE attempt 1 WRONG_ANSWER capacity_one Problem "capacity_one: 5 of 12 tests pass."
    6 HINT_REQUESTED attempt 1 level 1 first_hint_request issue=capacity_one
    7 HINT_GIVEN level 1 first_hint_request issue=capacity_one Problem "capacity_one, level 1"
    8 CODE_SUBMITTED attempt 2 python a.py lines=1 bytes=2
    9 EVAL_RESULT attempt 2 12/12 PASS
    10 GROWTH_PROBE_STARTED attempt 2 python
    11 AGENT_RESPONSE attempt 2 PASS none Problem "All 12 tests pass."
    12 GROWTH_MEASURED attempt 2 Constant points=3
    view awaiting_action 14 s, attempts 2 (2), evaluating None, last Some("12/PASS"), best Some(12), hints [1], growth Some(Constant), ended None, allowed submit end
    13 SESSION_ENDED success attempts=2 final=12/12 best=12 hints=1 duration=15
    view done 15 s, attempts 2 (2), evaluating None, last Some("12/PASS"), best Some(12), hints [1], growth Some(Constant), ended Some(Success), allowed
    "#);
}

#[test]
fn how_it_came_out_stands_in_the_head_from_its_end_on() {
    use vosim_protocol::Outcome::{Abandoned, Failed, Hinted, Level4, Unaided};
    let fails = "00:01 submit a.py #1\n00:02 verdict 5/12\n00:02 words\n";
    let passes =
        "00:05 submit a.py #2\n00:06 verdict 12/12\n00:06 words\n00:07 growth 300 310 350\n";
    for (course, expected) in [
        (String::new(), Abandoned),
        (fails.to_owned(), Failed),
        (format!("{fails}00:03 hint\n00:03 words\n"), Failed),
        (passes.to_owned(), Unaided),
        (format!("{fails}{passes}"), Unaided),
        (format!("{fails}00:03 hint\n00:03 words\n{passes}"), Hinted),
        (format!("{fails}00:03 give-up confirm\n{passes}"), Level4),
    ] {
        assert_eq!(Script::play(&course).came_out(), None, "{course}");
        let ended = Script::play(&format!("{course}00:09 end"));
        assert_eq!(ended.came_out(), Some(expected), "{course}");
    }
}

#[test]
fn what_each_phase_refuses_and_what_to_do_instead() {
    assert_snapshot!(log("
        00:01 view
        00:01 hint
        00:01 give-up confirm
        00:02 submit a.py #1
        00:02 view
        00:03 submit b.py #2
        00:03 hint
        00:03 give-up
        00:04 verdict 5/12
        00:04 words
        00:04 view
        00:05 end
        00:06 submit a.py #2
        00:06 hint
        00:06 give-up confirm
        00:06 end
        00:06 view
        00:06 wanted
    "), @r#"
    view problem_presented 1 s, attempts 0 (0), evaluating None, last None, best None, hints [], growth None, ended None, allowed submit end
    ! invalid_transition: cannot request hint in current state: nothing has been submitted yet | submit code first (Submit) | consider "Which key goes when the cache is full?"
    ! invalid_transition: cannot give up in current state: nothing has been submitted yet | submit code first (Submit)
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    view evaluating 2 s, attempts 0 (0), evaluating Some(1), last None, best None, hints [], growth None, ended None, allowed end
    ! invalid_transition: cannot submit in current state: a submission is being judged | wait for its verdict (Status) | end the session (End)
    ! invalid_transition: cannot request hint in current state: a submission is being judged | wait for its verdict (Status) | end the session (End)
    ! invalid_transition: cannot give up in current state: a submission is being judged | wait for its verdict (Status) | end the session (End)
    4 EVAL_RESULT attempt 1 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    5 AGENT_RESPONSE attempt 1 WRONG_ANSWER capacity_one Problem "capacity_one: 5 of 12 tests pass."
    view awaiting_action 4 s, attempts 1 (1), evaluating None, last Some("5/WRONG_ANSWER"), best Some(5), hints [], growth None, ended None, allowed submit hint give_up end
    6 SESSION_ENDED failure attempts=1 final=5/12 best=5 hints=0 duration=5
    ! session_ended: this session has ended | start a new session (StartDrill)
    told level 1 "capacity_one, level 1"
    told level 4 "solution, python"
    ! session_ended: this session has ended | start a new session (StartDrill)
    view done 5 s, attempts 1 (1), evaluating None, last Some("5/WRONG_ANSWER"), best Some(5), hints [], growth None, ended Some(Failure), allowed
    "#);
}

#[test]
fn the_six_classes_with_their_details_and_issues() {
    assert_snapshot!(log("
        00:01 submit a.py #1
        00:01 verdict import=SyntaxError: invalid syntax (a.py, line 3)
        00:01 words
        00:02 submit a.py #2
        00:02 verdict signature=found Get, needed get(key)
        00:02 words
        00:03 submit a.py #3
        00:03 verdict 11/12 raised=KeyError: 1 (a.py, line 7, in get)
        00:03 words
        00:04 submit a.py #4
        00:04 verdict 3/12 limit=time
        00:04 words
        00:05 submit a.py #5
        00:05 verdict 11/12 failing=test_capacity_one
        00:05 words
        00:06 submit a.py #6
        00:06 verdict 5/12 failing=test_eviction_order_simple,test_eviction_order_complex,test_get_updates_recency,test_capacity_one,test_capacity_large,test_repeated_operations,test_all_same_key
        00:06 words
        00:07 submit a.py #7
        00:07 verdict 6/12
        00:07 words
        00:08 submit a.py #8
        00:08 verdict crashed=left with status 0
        00:08 words
        00:09 submit a.py #9
        00:09 verdict 12/12
        00:09 words
    "), @r#"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_RESULT attempt 1 0/12 IMPORT_ERROR detail="syntax" issue="import" exception="SyntaxError: invalid syntax (a.py, line 3)" not_run=12
    5 AGENT_RESPONSE attempt 1 IMPORT_ERROR import Problem "import: None of the 12 tests ran."
    6 CODE_SUBMITTED attempt 2 python a.py lines=1 bytes=2
    7 EVAL_RESULT attempt 2 0/12 WRONG_SIGNATURE detail="signature" issue="signature" exception="found Get, needed get(key)" not_run=12
    8 AGENT_RESPONSE attempt 2 WRONG_SIGNATURE signature Problem "signature: None of the 12 tests ran."
    9 CODE_SUBMITTED attempt 3 python a.py lines=1 bytes=2
    10 EVAL_RESULT attempt 3 11/12 EXCEPTION detail="exception" issue="crash" exception="KeyError: 1 (a.py, line 7, in get)"
    11 AGENT_RESPONSE attempt 3 EXCEPTION crash Problem "crash: `test_deterministic_random` raised KeyError: 1 (a.py, line 7, in get). 11 of 12 tests pass."
    12 CODE_SUBMITTED attempt 4 python a.py lines=1 bytes=2
    13 EVAL_RESULT attempt 4 3/12 EXCEPTION detail="time" issue="timeout" exception="timed out (10 s limit)" not_run=8
    14 AGENT_RESPONSE attempt 4 EXCEPTION timeout Problem "timeout: `test_eviction_order_simple` used up the 10 s of computing time that all tests have together, and was stopped. 3 of 12 tests pass. 8 tests had no turn any more."
    15 CODE_SUBMITTED attempt 5 python a.py lines=1 bytes=2
    16 EVAL_RESULT attempt 5 11/12 PARTIAL_PASS detail="value" issue="capacity_one"
    17 AGENT_RESPONSE attempt 5 PARTIAL_PASS capacity_one Problem "capacity_one: 11 of 12 tests pass.\n\nWould you like pseudocode as a hint, or to try again?"
    18 CODE_SUBMITTED attempt 6 python a.py lines=1 bytes=2
    19 EVAL_RESULT attempt 6 5/12 WRONG_ANSWER detail="value" issue="eviction"
    20 AGENT_RESPONSE attempt 6 WRONG_ANSWER eviction Problem "eviction: 5 of 12 tests pass.\n\nWould you like pseudocode as a hint, or to try again?"
    21 CODE_SUBMITTED attempt 7 python a.py lines=1 bytes=2
    22 EVAL_RESULT attempt 7 6/12 PARTIAL_PASS detail="value" issue="capacity_one"
    23 AGENT_RESPONSE attempt 7 PARTIAL_PASS capacity_one Problem "capacity_one: 6 of 12 tests pass.\n\nWould you like pseudocode as a hint, the reference solution, or to try again?"
    24 CODE_SUBMITTED attempt 8 python a.py lines=1 bytes=2
    25 EVAL_RESULT attempt 8 0/12 EXCEPTION detail="exit" issue="crash" exception="left with status 0" not_run=12
    26 AGENT_RESPONSE attempt 8 EXCEPTION crash Problem "crash: The program left with status 0, so none of the 12 tests ran.\n\nWould you like pseudocode as a hint, the reference solution, or to try again?"
    27 CODE_SUBMITTED attempt 9 python a.py lines=1 bytes=2
    28 EVAL_RESULT attempt 9 12/12 PASS
    29 GROWTH_PROBE_STARTED attempt 9 python
    30 AGENT_RESPONSE attempt 9 PASS none Problem "All 12 tests pass."
    "#);
}

#[test]
fn a_failure_of_the_machinery_counts_for_nothing_and_its_number_is_used_again() {
    assert_snapshot!(log("
        00:01 submit a.py #1
        00:02 abort no interpreter was found
        00:02 view
        00:02 hint
        00:03 submit a.py #1
        00:04 verdict 5/12
        00:04 words
        00:05 submit a.py #2
        00:06 abort the sandbox could not start
        00:06 view
        00:07 submit a.py #2
        00:07 verdict 6/12
        00:08 words
        00:09 end
    "), @r#"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_ABORTED attempt 1 "no interpreter was found"
    view problem_presented 2 s, attempts 0 (0), evaluating None, last None, best None, hints [], growth None, ended None, allowed submit end
    ! invalid_transition: cannot request hint in current state: nothing has been submitted yet | submit code first (Submit) | consider "Which key goes when the cache is full?"
    5 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    6 EVAL_RESULT attempt 1 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    7 AGENT_RESPONSE attempt 1 WRONG_ANSWER capacity_one Problem "capacity_one: 5 of 12 tests pass."
    8 CODE_SUBMITTED attempt 2 python a.py lines=1 bytes=2
    9 EVAL_ABORTED attempt 2 "the sandbox could not start"
    view awaiting_action 6 s, attempts 1 (1), evaluating None, last Some("5/WRONG_ANSWER"), best Some(5), hints [], growth None, ended None, allowed submit hint give_up end
    10 CODE_SUBMITTED attempt 2 python a.py lines=1 bytes=2
    11 EVAL_RESULT attempt 2 6/12 PARTIAL_PASS detail="value" issue="capacity_one"
    12 AGENT_RESPONSE attempt 2 PARTIAL_PASS capacity_one Problem "capacity_one: 6 of 12 tests pass."
    13 SESSION_ENDED partial_success attempts=2 final=6/12 best=6 hints=0 duration=9
    "#);
}

#[test]
fn an_identical_file_is_judged_again_only_on_request_and_pushes_no_level() {
    assert_snapshot!(log("
        00:01 submit a.py #1
        00:01 verdict 5/12
        00:01 words
        00:02 hint
        00:02 words
        00:03 submit a.py #1
        00:03 submit renamed.py #1
        00:04 submit a.py #1 again
        00:04 verdict 5/12
        00:04 words
        00:05 hint
        00:05 hint 1
        00:05 hint 2
        00:06 submit a.py #2 again
        00:06 verdict 5/12
        00:06 words
        00:07 hint
        00:07 words
        00:08 end
    "), @r#"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_RESULT attempt 1 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    5 AGENT_RESPONSE attempt 1 WRONG_ANSWER capacity_one Problem "capacity_one: 5 of 12 tests pass."
    6 HINT_REQUESTED attempt 1 level 1 first_hint_request issue=capacity_one
    7 HINT_GIVEN level 1 first_hint_request issue=capacity_one Problem "capacity_one, level 1"
    ! identical_submission: this is the same file as submission 1: 5/12 tests passed | change the file | have it judged again (Again)
    ! identical_submission: this is the same file as submission 1: 5/12 tests passed | change the file | have it judged again (Again)
    8 CODE_SUBMITTED attempt 2 python a.py lines=1 bytes=2 repeated=true
    9 EVAL_RESULT attempt 2 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    10 AGENT_RESPONSE attempt 2 WRONG_ANSWER capacity_one Problem "capacity_one: 5 of 12 tests pass."
    told level 1 "capacity_one, level 1"
    told level 1 "capacity_one, level 1"
    ! invalid_input: level 2 is not open on this issue; the open one is level 1 | leave the level out
    11 CODE_SUBMITTED attempt 3 python a.py lines=1 bytes=2
    12 EVAL_RESULT attempt 3 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    13 AGENT_RESPONSE attempt 3 WRONG_ANSWER capacity_one Problem "capacity_one: 5 of 12 tests pass."
    14 HINT_REQUESTED attempt 3 level 2 same_failure_repeated issue=capacity_one
    15 HINT_GIVEN level 2 same_failure_repeated issue=capacity_one Problem "capacity_one, level 2"
    16 SESSION_ENDED failure attempts=3 final=5/12 best=5 hints=2 duration=8
    "#);
}

#[test]
fn hint_levels_climb_by_the_policy_and_the_solution_needs_a_yes() {
    assert_snapshot!(log("
        00:01 submit a.py #1
        00:01 verdict 5/12
        00:01 hint
        00:01 words hint
        00:02 submit a.py #2
        00:02 verdict 5/12
        00:02 hint
        00:02 words hint
        00:03 submit a.py #3
        00:03 verdict 3/12 limit=time
        00:03 hint
        00:03 words hint
        00:04 submit a.py #4
        00:04 verdict 5/12
        00:04 hint
        00:05 submit a.py #5
        00:05 verdict 3/12 limit=time
        00:05 hint
        00:05 words hint
        00:06 submit a.py #6
        00:06 verdict 3/12 limit=time
        00:06 hint
        00:06 hint 2
        00:06 hint 1
        00:06 hint 4
        00:06 hint confirm
        00:07 submit a.js #7 js
        00:07 verdict 5/12
        00:08 hint
        00:08 words hint
        00:08 hint 4
        00:08 give-up
        00:08 view
        00:08 hint confirm
        00:09 hint confirm
        00:09 give-up
        00:09 hint 4
        00:09 hint
        00:10 submit a.py #8
        00:10 verdict 12/12
        00:11 hint
        00:11 give-up confirm
        00:12 end
        00:13 hint
        00:13 hint 1
        00:13 hint 4
        00:13 hint 5
    "), @r#"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_RESULT attempt 1 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    5 HINT_REQUESTED attempt 1 level 1 first_hint_request issue=capacity_one
    6 HINT_GIVEN level 1 first_hint_request issue=capacity_one Problem "capacity_one, level 1"
    7 CODE_SUBMITTED attempt 2 python a.py lines=1 bytes=2
    8 EVAL_RESULT attempt 2 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    9 HINT_REQUESTED attempt 2 level 2 same_failure_repeated issue=capacity_one
    10 HINT_GIVEN level 2 same_failure_repeated issue=capacity_one Problem "capacity_one, level 2"
    11 CODE_SUBMITTED attempt 3 python a.py lines=1 bytes=2
    12 EVAL_RESULT attempt 3 3/12 EXCEPTION detail="time" issue="timeout" exception="timed out (10 s limit)" not_run=8
    13 HINT_REQUESTED attempt 3 level 2 attempts_min_2 issue=timeout
    14 HINT_GIVEN level 2 attempts_min_2 issue=timeout Problem "timeout, level 2"
    15 CODE_SUBMITTED attempt 4 python a.py lines=1 bytes=2
    16 EVAL_RESULT attempt 4 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    told level 2 "capacity_one, level 2"
    17 CODE_SUBMITTED attempt 5 python a.py lines=1 bytes=2
    18 EVAL_RESULT attempt 5 3/12 EXCEPTION detail="time" issue="timeout" exception="timed out (10 s limit)" not_run=8
    19 HINT_REQUESTED attempt 5 level 3 attempts_min_3 issue=timeout
    20 HINT_GIVEN level 3 attempts_min_3 issue=timeout Problem "timeout, level 3"
    21 CODE_SUBMITTED attempt 6 python a.py lines=1 bytes=2
    22 EVAL_RESULT attempt 6 3/12 EXCEPTION detail="time" issue="timeout" exception="timed out (10 s limit)" not_run=8
    told level 3 "timeout, level 3"
    told level 2 "timeout, level 2"
    ! invalid_input: level 1 is not open on this issue; the open one is level 3 | leave the level out
    ! invalid_input: level 4 is not open on this issue; the open one is level 3 | leave the level out
    told level 3 "timeout, level 3"
    23 CODE_SUBMITTED attempt 7 javascript a.js lines=1 bytes=2
    24 EVAL_RESULT attempt 7 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    25 HINT_REQUESTED attempt 7 level 3 attempts_min_3 issue=capacity_one
    26 HINT_GIVEN level 3 attempts_min_3 issue=capacity_one Problem "capacity_one, level 3"
    ! confirmation_required: this would show the reference solution; it needs your explicit confirmation | say yes (Confirm) | keep trying (Submit)
    ! confirmation_required: this would show the reference solution; it needs your explicit confirmation | say yes (Confirm) | keep trying (Submit)
    view awaiting_action 8 s, attempts 7 (7), evaluating None, last Some("5/WRONG_ANSWER"), best Some(5), hints [1, 2, 2, 3, 3], growth None, ended None, allowed submit hint give_up end
    27 HINT_REQUESTED attempt 7 level 4 attempts_level_4 issue=capacity_one
    28 HINT_GIVEN level 4 attempts_level_4 issue=capacity_one Problem "solution, javascript"
    told level 4 "solution, javascript"
    told level 4 "solution, javascript"
    told level 4 "solution, javascript"
    told level 3 "capacity_one, level 3"
    29 CODE_SUBMITTED attempt 8 python a.py lines=1 bytes=2
    30 EVAL_RESULT attempt 8 12/12 PASS
    31 GROWTH_PROBE_STARTED attempt 8 python
    ! already_passed: all tests pass already; there is nothing to hint at | finish (End)
    ! already_passed: all tests pass already; there is nothing to hint at | finish (End)
    32 SESSION_ENDED success attempts=8 final=12/12 best=12 hints=6 duration=12 assisted=true
    told level 3 "capacity_one, level 3"
    told level 1 "capacity_one, level 1"
    told level 4 "solution, javascript"
    ! session_ended: this session has ended | start a new session (StartDrill)
    "#);
}

#[test]
fn five_submissions_make_feedback_offer_pseudocode() {
    assert_snapshot!(log("
        00:01 submit a.py #1
        00:01 verdict 5/12
        00:01 words
        00:02 submit a.py #2
        00:02 verdict 3/12 limit=time
        00:02 words
        00:03 submit a.py #3
        00:03 verdict 5/12
        00:03 words
        00:04 submit a.py #4
        00:04 verdict 3/12 limit=time
        00:04 words
        00:05 submit a.py #5
        00:05 verdict 5/12
        00:05 words
        00:06 hint
        00:06 words
        00:07 submit a.py #6
        00:07 verdict 3/12 limit=time
        00:07 words
    "), @r#"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_RESULT attempt 1 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    5 AGENT_RESPONSE attempt 1 WRONG_ANSWER capacity_one Problem "capacity_one: 5 of 12 tests pass."
    6 CODE_SUBMITTED attempt 2 python a.py lines=1 bytes=2
    7 EVAL_RESULT attempt 2 3/12 EXCEPTION detail="time" issue="timeout" exception="timed out (10 s limit)" not_run=8
    8 AGENT_RESPONSE attempt 2 EXCEPTION timeout Problem "timeout: `test_eviction_order_simple` used up the 10 s of computing time that all tests have together, and was stopped. 3 of 12 tests pass. 8 tests had no turn any more."
    9 CODE_SUBMITTED attempt 3 python a.py lines=1 bytes=2
    10 EVAL_RESULT attempt 3 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    11 AGENT_RESPONSE attempt 3 WRONG_ANSWER capacity_one Problem "capacity_one: 5 of 12 tests pass."
    12 CODE_SUBMITTED attempt 4 python a.py lines=1 bytes=2
    13 EVAL_RESULT attempt 4 3/12 EXCEPTION detail="time" issue="timeout" exception="timed out (10 s limit)" not_run=8
    14 AGENT_RESPONSE attempt 4 EXCEPTION timeout Problem "timeout: `test_eviction_order_simple` used up the 10 s of computing time that all tests have together, and was stopped. 3 of 12 tests pass. 8 tests had no turn any more."
    15 CODE_SUBMITTED attempt 5 python a.py lines=1 bytes=2
    16 EVAL_RESULT attempt 5 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    17 AGENT_RESPONSE attempt 5 WRONG_ANSWER capacity_one Problem "capacity_one: 5 of 12 tests pass.\n\nWould you like pseudocode as a hint, or to try again?"
    18 HINT_REQUESTED attempt 5 level 3 attempts_min_3 issue=capacity_one
    19 HINT_GIVEN level 3 attempts_min_3 issue=capacity_one Problem "capacity_one, level 3"
    20 CODE_SUBMITTED attempt 6 python a.py lines=1 bytes=2
    21 EVAL_RESULT attempt 6 3/12 EXCEPTION detail="time" issue="timeout" exception="timed out (10 s limit)" not_run=8
    22 AGENT_RESPONSE attempt 6 EXCEPTION timeout Problem "timeout: `test_eviction_order_simple` used up the 10 s of computing time that all tests have together, and was stopped. 3 of 12 tests pass. 8 tests had no turn any more.\n\nWould you like pseudocode as a hint, or to try again?"
    "#);
}

#[test]
fn giving_up_shows_the_solution_in_the_language_of_the_last_submission() {
    assert_snapshot!(log("
        00:01 submit a.py #1
        00:01 verdict 5/12
        00:02 submit a.js #2 js
        00:02 verdict 5/12
        00:03 give-up
        00:03 give-up confirm
        00:03 wanted
        00:04 give-up
        00:05 submit a.py #3
        00:05 verdict 5/12
        00:06 hint
        00:07 submit a.py #4
        00:07 verdict 12/12
        00:08 end
    "), @r#"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_RESULT attempt 1 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    5 CODE_SUBMITTED attempt 2 javascript a.js lines=1 bytes=2
    6 EVAL_RESULT attempt 2 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    ! confirmation_required: this would show the reference solution; it needs your explicit confirmation | say yes (Confirm) | keep trying (Submit)
    7 HINT_REQUESTED attempt 2 level 4 give_up issue=capacity_one give_up=true
    8 HINT_GIVEN level 4 give_up issue=capacity_one Problem "solution, javascript"
    wanted 4: word Feedback "capacity_one: 5 of 12 tests pass."
    wanted 6: word Feedback "capacity_one: 5 of 12 tests pass."
    told level 4 "solution, javascript"
    9 CODE_SUBMITTED attempt 3 python a.py lines=1 bytes=2
    10 EVAL_RESULT attempt 3 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    11 HINT_REQUESTED attempt 3 level 2 attempts_min_2 issue=capacity_one
    12 CODE_SUBMITTED attempt 4 python a.py lines=1 bytes=2
    13 EVAL_RESULT attempt 4 12/12 PASS
    14 GROWTH_PROBE_STARTED attempt 4 python
    15 SESSION_ENDED success attempts=4 final=12/12 best=12 hints=1 duration=8 assisted=true
    "#);
}

#[test]
fn one_hint_at_a_time_and_only_given_ones_count() {
    assert_snapshot!(log("
        00:01 submit a.py #1
        00:01 verdict 5/12
        00:02 hint
        00:02 hint
        00:02 give-up confirm
        00:02 view
        00:03 submit a.py #2
        00:03 verdict 4/12
        00:03 wanted
        00:04 end
    "), @r#"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_RESULT attempt 1 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    5 HINT_REQUESTED attempt 1 level 1 first_hint_request issue=capacity_one
    ! hint_pending: the last hint is still being written | wait for it (Log)
    ! hint_pending: the last hint is still being written | wait for it (Log)
    view awaiting_action 2 s, attempts 1 (1), evaluating None, last Some("5/WRONG_ANSWER"), best Some(5), hints [], growth None, ended None, allowed submit end
    6 CODE_SUBMITTED attempt 2 python a.py lines=1 bytes=2
    7 EVAL_RESULT attempt 2 4/12 WRONG_ANSWER detail="value" issue="capacity_one"
    wanted 4: word Feedback "capacity_one: 5 of 12 tests pass."
    wanted 7: word Feedback "capacity_one: 4 of 12 tests pass."
    wanted 5: word Hint "capacity_one, level 1"
    8 SESSION_ENDED failure attempts=2 final=4/12 best=5 hints=0 duration=4
    "#);
}

#[test]
fn a_model_words_a_text_and_the_problems_own_is_used_where_it_cannot() {
    assert_snapshot!(log("
        00:01 submit a.py #1
        00:01 verdict 5/12
        00:01 words feedback With capacity_one, 5 of all 12 tests pass.
        00:02 hint
        00:02 words hint eviction, level 1
        00:03 submit a.py #2
        00:03 verdict 5/12
        00:03 words
        00:04 hint
        00:04 words hint Mind capacity_one, at level 2.
    "), @r#"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_RESULT attempt 1 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    5 AGENT_RESPONSE attempt 1 WRONG_ANSWER capacity_one Model "With capacity_one, 5 of all 12 tests pass."
    6 HINT_REQUESTED attempt 1 level 1 first_hint_request issue=capacity_one
    7 HINT_GIVEN level 1 first_hint_request issue=capacity_one Model "eviction, level 1"
    8 CODE_SUBMITTED attempt 2 python a.py lines=1 bytes=2
    9 EVAL_RESULT attempt 2 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    10 AGENT_RESPONSE attempt 2 WRONG_ANSWER capacity_one Problem "capacity_one: 5 of 12 tests pass."
    11 HINT_REQUESTED attempt 2 level 2 same_failure_repeated issue=capacity_one
    12 HINT_GIVEN level 2 same_failure_repeated issue=capacity_one Model "Mind capacity_one, at level 2."
    "#);
    let long = "x".repeat(20_000);
    assert_snapshot!(log(&format!("
        00:01 submit a.py #1
        00:01 verdict 5/12
        00:01 words feedback {long}
        00:02 words feedback !no answer within 20 s
    ")), @r#"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_RESULT attempt 1 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    5 WORDING_FAILED of 4 "the model's wording is too long"
    6 WORDING_FAILED of 4 "no answer within 20 s"
    7 AGENT_RESPONSE attempt 1 WRONG_ANSWER capacity_one Problem "capacity_one: 5 of 12 tests pass."
    "#);
}

#[test]
fn feedback_that_arrives_out_of_order_answers_its_own_submission() {
    assert_snapshot!(log("
        00:01 submit a.py #1
        00:01 verdict 5/12
        00:02 submit a.py #2
        00:02 verdict 3/12 limit=time
        00:03 wanted
        00:03 words @6 timeout: `test_eviction_order_simple` used up the 10 s of computing time of all tests and was stopped. 3 of 12 tests pass, and 8 tests had no turn.
        00:03 words @4 Of 12 tests 5 pass: capacity_one.
        00:03 words @4 Said twice.
    "), @r#"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_RESULT attempt 1 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    5 CODE_SUBMITTED attempt 2 python a.py lines=1 bytes=2
    6 EVAL_RESULT attempt 2 3/12 EXCEPTION detail="time" issue="timeout" exception="timed out (10 s limit)" not_run=8
    wanted 4: word Feedback "capacity_one: 5 of 12 tests pass."
    wanted 6: word Feedback "timeout: `test_eviction_order_simple` used up the 10 s of computing time that all tests have together, and was stopped. 3 of 12 tests pass. 8 tests had no turn any more."
    7 AGENT_RESPONSE attempt 2 EXCEPTION timeout Model "timeout: `test_eviction_order_simple` used up the 10 s of computing time of all tests and was stopped. 3 of 12 tests pass, and 8 tests had no turn."
    8 AGENT_RESPONSE attempt 1 WRONG_ANSWER capacity_one Model "Of 12 tests 5 pass: capacity_one."
    nothing
    "#);
}

#[test]
fn an_end_during_a_run_cancels_it_and_its_late_verdict_changes_nothing() {
    assert_snapshot!(log("
        00:01 submit a.py #1
        00:02 end
        00:02 wanted
        00:03 view
    "), @r"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 SESSION_ENDED abandoned attempts=0 final=0/0 best=0 hints=0 duration=2
    view done 2 s, attempts 0 (0), evaluating None, last None, best None, hints [], growth None, ended Some(Abandoned), allowed
    ");
    assert_snapshot!(log("
        00:01 submit a.py #1
        00:01 verdict 7/12
        00:02 submit a.py #2
        00:02 verdict 5/12
        00:02 late
        00:03 end
        00:04 late
        00:04 submit a.py #3
    "), @r#"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_RESULT attempt 1 7/12 PARTIAL_PASS detail="value" issue="general"
    5 CODE_SUBMITTED attempt 2 python a.py lines=1 bytes=2
    6 EVAL_RESULT attempt 2 5/12 WRONG_ANSWER detail="value" issue="capacity_one"
    nothing
    7 SESSION_ENDED failure attempts=2 final=5/12 best=7 hints=0 duration=3
    nothing
    ! session_ended: this session has ended | start a new session (StartDrill)
    "#);
}

#[test]
fn every_outcome_of_a_session() {
    let of = |script: &str| {
        let log = log(script);
        log.lines().last().unwrap().to_owned()
    };
    assert_snapshot!(of("00:09 end"), @"3 SESSION_ENDED abandoned attempts=0 final=0/0 best=0 hints=0 duration=9");
    assert_snapshot!(of("
        00:01 submit a.py #1
        00:02 abort no interpreter was found
        01:01 end
    "), @"5 SESSION_ENDED abandoned attempts=0 final=0/0 best=0 hints=0 duration=61");
    assert_snapshot!(of("
        00:01 submit a.py #1
        00:01 verdict 12/12
        00:02 end
    "), @"6 SESSION_ENDED success attempts=1 final=12/12 best=12 hints=0 duration=2");
    assert_snapshot!(of("
        00:01 submit a.py #1
        00:01 verdict 6/12
        00:02 end
    "), @"5 SESSION_ENDED partial_success attempts=1 final=6/12 best=6 hints=0 duration=2");
    assert_snapshot!(of("
        00:01 submit a.py #1
        00:01 verdict 9/12
        00:02 submit a.py #2
        00:02 verdict 5/12
        00:03 end
    "), @"7 SESSION_ENDED failure attempts=2 final=5/12 best=9 hints=0 duration=3");
    assert_snapshot!(of("
        00:01 submit a.py #1
        00:01 verdict import=SyntaxError: invalid syntax
        00:02 end
    "), @"5 SESSION_ENDED failure attempts=1 final=0/12 best=0 hints=0 duration=2");
    assert_snapshot!(of("
        00:01 submit a.py #1
        00:01 verdict 12/12
        00:02 submit a.py #2
        00:02 verdict 5/12
        00:03 give-up confirm
        00:04 submit a.py #3
        00:04 verdict 12/12
        00:05 end
    "), @"13 SESSION_ENDED success attempts=3 final=12/12 best=12 hints=1 duration=5");
}

#[test]
fn each_pass_is_measured_and_nothing_is_claimed_without_figures() {
    assert_snapshot!(log("
        00:01 submit a.py #1
        00:01 verdict 12/12
        00:01 words
        00:02 submit a.js #2 js
        00:02 verdict 12/12
        00:02 words
        00:03 wanted
        00:03 growth @9 300 310 350
        00:04 growth - the run was stopped
        00:04 view
        00:05 end
    "), @r#"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_RESULT attempt 1 12/12 PASS
    5 GROWTH_PROBE_STARTED attempt 1 python
    6 AGENT_RESPONSE attempt 1 PASS none Problem "All 12 tests pass."
    7 CODE_SUBMITTED attempt 2 javascript a.js lines=1 bytes=2
    8 EVAL_RESULT attempt 2 12/12 PASS
    9 GROWTH_PROBE_STARTED attempt 2 javascript
    10 AGENT_RESPONSE attempt 2 PASS none Problem "All 12 tests pass."
    wanted 5: probe a.py python
    wanted 9: probe a.js javascript
    11 GROWTH_MEASURED attempt 2 Constant points=3
    12 GROWTH_MEASURED attempt 1 Unclear points=0 reason="the run was stopped"
    view awaiting_action 4 s, attempts 2 (2), evaluating None, last Some("12/PASS"), best Some(12), hints [], growth Some(Constant), ended None, allowed submit end
    13 SESSION_ENDED success attempts=2 final=12/12 best=12 hints=0 duration=5
    "#);
    let mut spec = spec();
    spec.problem.growth = None;
    let script = "
        00:00 start
        00:01 submit a.py #1
        00:01 verdict 12/12
    ";
    assert_snapshot!(Script::play_with(&spec, script).output(), @r"
    1 SESSION_CREATED
    2 SESSION_STARTED lru_cache 3.11.5
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_RESULT attempt 1 12/12 PASS
    ");
}

#[test]
fn a_submission_outside_its_bounds_is_refused() {
    assert_snapshot!(log("
        00:01 submit a.py # bytes=524289
        00:01 submit a.py #1 path=4097
        00:01 submit a.py #1 forgotten
        00:01 submit a.py # bytes=524288
        00:02 verdict 0/12
    "), @r#"
    ! too_large: the file has 524289 bytes, more than 524288 | make it smaller, then try again
    ! too_large: the file's path has 4097 bytes, more than 4096 | make it smaller, then try again
    ! blob_missing: the bytes the command names did not come with it | send the bytes along
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=524288
    4 EVAL_RESULT attempt 1 0/12 WRONG_ANSWER detail="value" issue="eviction"
    "#);
    assert_snapshot!(log("
        00:01 submit a.py #1 path=4096
    "), @"3 CODE_SUBMITTED attempt 1 python xxxxxxxxxxxxxxxxxxxx lines=1 bytes=2");
    let mut spec = spec();
    spec.problem.starters.remove(&Language::Javascript);
    assert_snapshot!(Script::play_with(&spec, "00:01 submit a.js #1 js").output(), @"! language_not_offered: this problem cannot be solved in javascript | choose a language that it offers: python, typescript");
}

#[test]
fn a_verdict_on_other_tests_is_none() {
    assert_snapshot!(log("
        00:01 submit a.py #1
        00:02 verdict other=test_of_another_problem
    "), @r#"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_ABORTED attempt 1 "the evaluator answered about other tests"
    "#);
}
