//! The rules of 002, as scripts and the logs they lead to.

mod script;

use insta::assert_snapshot;
use uuid::Uuid;
use vosim_protocol::SessionId;
use vosim_protocol::v1::agent::{AgentRole, Caps, Exam, ModelName, ModelSort, Sitting};
use vosim_protocol::v1::effect::{Effect, EffectOutcome, Failure, Remember};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::task::{Because, Circle, Spec, State as At};

use script::{PRICE, Script, log, spec, time};

/// Until the first code and its tests are written.
const CODED: &str = "
    00:01 ready
    00:02 recall
    00:05 plan write add, write double
    00:08 calls create_file main.py
    00:08 act new=main.py
    00:10 done
    00:12 calls create_file tests/test_main.py
    00:12 act new=tests/test_main.py
";

/// A run that fails, what is made of it, and a change that leads to the next run.
fn fails(error: &str) -> String {
    format!(
        "00:20 scan
        00:22 tests 1/2 {error}
        00:23 recall
        00:24 analysis {error}
        00:25 kept
        00:26 calls create_file main.py
        00:26 act changed=main.py
        00:27 done
        "
    )
}

const PASSES: &str = "
    00:30 scan
    00:32 tests 2/2
    00:33 kept
";

/// A task of the usual spec.
fn play(script: &str) -> Script {
    Script::play(&spec(), script)
}

#[test]
fn tests_that_pass_at_once_end_the_task_after_one_iteration() {
    let played = play(&format!("{CODED}{PASSES}"));
    assert_snapshot!(played.output());
    let view = played.view("01:00");
    assert_eq!((view.state, view.over, view.iteration), (At::Success, true, 1));
}

#[test]
fn a_task_fails_is_mended_and_passes_at_the_third_iteration() {
    let script = format!("{CODED}{}{}{PASSES}", fails("one"), fails("two"));
    let played = play(&script);
    assert_snapshot!(played.output());
    let rounds: Vec<_> =
        played.view("01:00").iterations.iter().map(|one| (one.passed, one.failed)).collect();
    assert_eq!(rounds, [(1, 1), (1, 1), (2, 0)]);
    assert_eq!(played.log(), play(&script).log(), "the same inputs give the same bytes");
}

/// Failures whose errors all differ.
fn failures(number: usize) -> String {
    (0..number).map(|nth| fails(&format!("error {}", "x".repeat(nth + 1)))).collect()
}

#[test]
fn a_warning_is_told_once_after_twelve_and_fifteen_end_in_failed() {
    let last = "00:20 scan\n00:22 tests 1/2 last\n00:23 recall\n00:24 analysis last\n00:25 kept\n\
                00:25 kept\n";
    let played = play(&format!("{CODED}{}{last}", failures(14)));
    assert_eq!(played.count("ITERATION_ENDED"), 15);
    assert_eq!(played.count("ITERATIONS_LOW"), 1);
    let low = played.output().lines().position(|line| line.contains("12 of 15")).unwrap();
    let ended = played.output().lines().filter(|line| line.contains("ITERATION_ENDED"));
    assert_eq!(ended.count(), 15);
    let before = played.output().lines().take(low);
    assert_eq!(before.filter(|line| line.contains("ITERATION_ENDED")).count(), 12);
    let view = played.view("01:00");
    assert_eq!((view.state, view.because), (At::Failed, Some(Because::Iterations)));
    assert!(!view.over, "it can be resumed");
}

#[test]
fn resume_grants_fifteen_more_says_so_and_keeps_the_count() {
    let last = "00:20 scan\n00:22 tests 1/2 last\n00:23 recall\n00:24 analysis last\n00:25 kept\n\
                00:25 kept\n";
    let first = format!("quiet\n{CODED}{}{last}", failures(14));
    let played = play(&format!("{first}\nloud\n00:40 resume look at the sign\n00:41 resume"));
    assert_snapshot!(played.output());
    let view = played.view("01:00");
    assert_eq!((view.iteration, view.until), (16, 30));
    let Effect::Propose(asked) = played.wanted() else { panic!("the coder is asked") };
    assert!(asked.notes.iter().any(|note| note.contains("look at the sign")), "{asked:?}");
    // Three grants: 60 iterations in all, and each of them is counted.
    let again = "00:26 calls create_file main.py\n00:26 act changed=main.py\n00:27 done\n";
    let round = format!("00:40 resume\n{again}{}{last}", failures(14));
    let played = play(&format!("quiet\n{first}\n{round}{round}{round}"));
    let view = played.view("50:00");
    assert_eq!((view.iteration, view.until, view.state), (60, 60, At::Failed));
    // The newest are told one by one, and those before them are in the sums.
    let (earlier, sums) = (view.earlier.unwrap(), view.sums());
    assert_eq!((view.iterations.len(), earlier.iterations, sums.iterations), (40, 20, 60));
    assert_eq!((sums.passed, sums.failed, sums.memory_asked), (60, 60, 61));
    let spent = view.spent;
    assert_eq!((sums.prompt, sums.completion), (spent.prompt, spent.completion));
}

#[test]
fn the_same_error_three_times_is_a_circle_and_the_task_fails_early() {
    let played = play(&format!(
        "{CODED}{}{}00:20 scan\n00:22 tests 1/2 at line 9\n00:23 recall\n00:24 analysis x\n00:25 kept",
        fails("at line 7"),
        fails("at line 8")
    ));
    let view = played.view("01:00");
    assert_eq!((view.state, view.because), (At::Failed, Some(Because::Stuck)));
    assert_eq!((view.circle, view.iteration), (Some(Circle::SameError), 3));
    assert_eq!(played.count("STUCK_FOUND"), 1);
    // What came before a resume does not end it again at once; the third time after it does.
    let again = "00:26 calls create_file main.py\n00:26 act changed=main.py\n00:27 done\n";
    let third = "00:20 scan\n00:22 tests 1/2 at line 9\n00:23 recall\n00:24 analysis x\n00:25 kept\n\
                 00:25 kept\n";
    let base = format!("{CODED}{}{}{third}", fails("at line 7"), fails("at line 8"));
    let resumed = play(&format!("{base}00:30 resume\n{again}{}", fails("at line 1")));
    assert_eq!(resumed.view("01:00").state, At::Testing);
    let twice = play(&format!(
        "{base}00:30 resume\n{again}{}{}{third}",
        fails("at line 1"),
        fails("at line 2")
    ));
    assert_eq!((twice.count("STUCK_FOUND"), twice.view("01:00").state), (2, At::Failed));
}

#[test]
fn what_a_failed_task_had_come_to_is_kept_where_some_tests_passed() {
    let ends = |score: &str| {
        let last = format!("00:20 scan\n00:22 tests {score} at line 9\n00:23 recall\n");
        let twice = format!("{}{}", fails("at line 7"), fails("at line 8"));
        play(&format!("{CODED}{twice}{last}00:24 analysis x\n00:25 kept\n"))
    };
    let failed = ends("1/2");
    let Effect::Remember(Remember::Unsolved { given, partial }) = failed.wanted() else {
        panic!("it is kept")
    };
    let partial = partial.unwrap();
    assert_eq!((given.len(), partial.passed, partial.total), (0, 1, 2));
    let files: Vec<_> = partial.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(
        (files, partial.notes.as_str()),
        (vec!["main.py", "tests/test_main.py"], "write add\nwrite double")
    );
    assert_eq!((failed.view("01:00").state, failed.count("TASK_FAILED")), (At::Failed, 0));
    // Where nothing passed there is nothing to be learned from.
    assert_eq!((ends("0/2").count("TASK_FAILED"), ends("0/2").count("LESSON_ASKED")), (1, 3));
}

#[test]
fn a_task_that_is_stuck_goes_on_with_the_other_model_where_one_is_named() {
    let fallback = Some(ModelName { sort: ModelSort::Openai, name: "two".to_owned() });
    let spec = Spec { fallback, ..spec() };
    let third = "00:20 scan\n00:22 tests 1/2 at 9\n00:23 recall\n00:24 analysis x\n00:25 kept\n";
    let played = Script::play(&spec, &format!("{CODED}{}{}{third}", fails("at 7"), fails("at 8")));
    let view = played.view("01:00");
    assert_eq!((view.state, view.model.name.as_str()), (At::Coding, "two"));
    assert_eq!(played.count("MODEL_SWITCHED"), 1);
}

#[test]
fn the_same_call_with_the_same_result_is_not_made_a_fifth_time() {
    let call = "00:08 calls list_files\n00:08 act same\n";
    let start = "00:01 ready\n00:02 recall\n00:05 plan a\n";
    let played = play(&format!("{start}{}", call.repeat(4)));
    assert_eq!(played.count("TOOL_CALLED"), 4);
    assert_eq!(played.count("STUCK_FOUND"), 1);
    let view = played.view("01:00");
    assert_eq!((view.state, view.circle), (At::Testing, Some(Circle::SameCall)));
    // One that fails is not made a fourth time.
    let failing = play(&format!("{start}{}", call.replace("same", "same bad").repeat(3)));
    assert_eq!((failing.count("TOOL_CALLED"), failing.count("STUCK_FOUND")), (3, 1));
}

// 001 7.2: memory is for tasks only.
#[test]
fn a_candidate_is_told_nothing_of_earlier_tasks_and_later_ones_learn_nothing() {
    let exam = Exam {
        session: SessionId(Uuid::nil()),
        sitting: Sitting::Interview,
        problem: "lru_cache".to_owned(),
        file: "solution.py".to_owned(),
        language: Language::Python,
        starter: String::new(),
    };
    let spec = Spec { exam: Some(exam), ..spec() };
    let fails = "00:01 ready\n00:05 plan a\n00:06 done\n00:07 scan\n00:08 tests 1/2 x\n";
    let passes = "00:09 analysis x\n00:10 done\n00:11 scan\n00:12 tests 2/2\n";
    let played = Script::play(&spec, &format!("{fails}{passes}"));
    assert_eq!(played.view("01:00").state, At::Success);
    assert_eq!((played.count("MEMORY_ASKED"), played.count("LESSON_ASKED")), (0, 0));
}

#[test]
fn a_resume_may_give_each_run_more_within_bounds_and_it_holds_from_then_on() {
    let failed = format!("{CODED}00:20 scan\n00:22 tests stopped\n");
    let paused = format!("{failed}00:23 pause now\n");
    let refused = play(&format!("{paused}00:24 more memory 100000\n"));
    assert!(refused.output().contains("128 to 8192 MiB of memory"), "{}", refused.output());
    let again = "00:25 recall\n00:26 analysis x\n00:27 kept\n00:28 done\n00:29 scan\n";
    for (more, mib) in [("00:24 resume\n", None), ("00:24 more memory 2048\n", Some(2_048))] {
        let played = play(&format!("{paused}{more}{again}"));
        let Effect::RunTests(tests) = played.wanted() else { panic!("the tests run") };
        assert_eq!((tests.run.memory_mib, played.view("01:00").run), (mib, tests.run));
        let told = "Each run of the tests may have 2,048 MiB of memory.";
        assert_eq!(played.output().contains(told), mib.is_some(), "{}", played.output());
    }
}

#[test]
fn tests_that_find_nothing_prove_nothing() {
    let played = play(&format!("{CODED}00:20 scan\n00:22 tests 0/0"));
    assert_eq!(played.view("01:00").state, At::Reflecting);
    for end in ["stopped", "outdated"] {
        let played = play(&format!("{CODED}00:20 scan\n00:22 tests {end}"));
        assert_eq!(played.view("01:00").state, At::Reflecting, "{end}");
    }
}

#[test]
fn a_person_pauses_after_the_step_or_at_once_and_the_model_is_told() {
    assert_snapshot!(log("
        00:01 ready
        00:02 recall
        00:05 plan write add
        quiet
        00:08 calls create_file main.py, create_file util.py
        loud
        00:09 pause
        00:09 pause
        00:10 act new=main.py
        00:11 pause
        00:20 resume
        00:21 pause now
        00:22 resume
    "));
}

const RESTS: &str = "00:01 ready\n00:02 recall\n00:05 plan a\n00:06 pause now\n";

#[test]
fn an_interrupted_step_is_told_to_the_model_and_each_call_has_one_result() {
    let start =
        "00:01 ready\n00:02 recall\n00:05 plan a\n00:08 calls create_file main.py, list_files\n";
    let paused = play(&format!("{start}00:09 pause now\n00:10 resume\n00:11 act\n"));
    let Effect::Propose(asked) = paused.wanted() else { panic!("the coder is asked again") };
    let told: Vec<_> = asked
        .turns
        .iter()
        .map(|turn| (turn.call.id.as_str(), turn.ok, turn.said.as_str()))
        .collect();
    let interrupted =
        "This call was interrupted. It may have been carried out or not: look at the file.";
    assert_eq!(told, [("call_1", false, interrupted), ("call_2", true, "")]);
    // A daemon that died in the middle looks the call up.
    let looked_up = play(&format!("{start}00:09 act new=main.py interrupted\n00:10 act\n"));
    let Effect::Propose(asked) = looked_up.wanted() else { panic!("the coder is asked again") };
    assert!(asked.notes[0].contains("interrupted during your call of create_file"), "{asked:?}");
    // What a model may have been paid for is counted, at no known cost.
    let lost = play("00:01 ready\n00:02 recall\n00:03 lost\n");
    let Effect::Propose(asked) = lost.wanted() else { panic!("the planner is asked again") };
    assert_eq!(asked.notes, ["You were asked this before, and your answer was lost."]);
    let spent = lost.view("01:00").spent;
    assert_eq!((spent.calls, spent.unpriced), (1, 1));
}

#[test]
fn once_always_and_no_are_for_what_was_asked_and_no_answer_is_a_no() {
    let asks = format!("{CODED}00:20 scan ask network requests\n");
    let waits = play(&asks);
    let pending = waits.view("01:00").approval.unwrap();
    assert_eq!((pending.finding.subject.as_str(), pending.places), ("requests", 1));
    assert_snapshot!(log(&format!(
        "quiet\n{asks}loud
        00:21 approve once
        00:22 tests 1/2 one
        quiet
        00:23 recall
        00:24 analysis one
        00:25 kept
        00:26 done
        loud
        00:27 scan ask network requests
        00:28 approve always
        00:29 tests 1/2 two
        quiet
        00:30 recall
        00:31 analysis two
        00:32 kept
        00:33 done
        loud
        00:34 scan ask network requests, ask process subprocess.run
        00:35 approve no eof
        00:36 approve once"
    )));
}

#[test]
fn what_is_denied_never_runs_and_what_was_refused_is_asked_again_after_a_resume() {
    let denied = play(&format!("{CODED}00:20 scan deny process ctypes\n"));
    assert_eq!((denied.count("APPROVAL_ASKED"), denied.count("TESTS_ASKED")), (0, 0));
    assert_eq!(denied.view("01:00").state, At::Reflecting);
    let refused = format!("{CODED}00:20 scan ask network requests\n00:21 approve no\n");
    let again =
        "00:23 recall\n00:24 analysis x\n00:25 kept\n00:26 done\n00:27 scan ask network requests\n";
    let held = play(&format!("{refused}{again}"));
    assert_eq!((held.count("APPROVAL_ASKED"), held.count("APPROVAL_HELD")), (1, 1));
    assert_eq!(held.count("RUN_BLOCKED"), 2);
    // 002 9.2, edge case 6: the agent is told, and finds another way.
    let Effect::Recall(recall) = held.wanted() else { panic!("it reflects") };
    assert_eq!(recall.error.unwrap().message, "network requests");
    let other_way = format!(
        "{refused}00:23 recall\n00:24 analysis x\n00:25 kept\n00:26 calls create_file main.py\n\
         00:26 act changed=main.py\n00:27 done\n{PASSES}"
    );
    assert_eq!(play(&other_way).view("01:00").state, At::Success);
    let resumed = play(&format!(
        "{refused}00:22 pause now\n00:23 resume\n00:24 recall\n00:25 analysis x\n00:26 kept\n00:27 done\n\
         00:28 scan ask network requests\n"
    ));
    assert_eq!(resumed.count("APPROVAL_ASKED"), 2);
}

#[test]
fn an_allowed_network_that_no_run_can_be_given_is_told_and_another_way_is_found() {
    let asks = format!("{CODED}00:20 scan ask network requests, never network\n");
    assert_eq!(play(&asks).count("APPROVAL_ASKED"), 1, "a person is asked all the same");
    for answer in ["once", "always"] {
        let allowed = format!("{asks}00:21 approve {answer}\n");
        let told = play(&allowed);
        assert_eq!((told.count("RUN_BLOCKED"), told.count("TESTS_ASKED")), (1, 0));
        assert_eq!(told.view("01:00").state, At::Reflecting);
        let again = format!(
            "{allowed}00:23 recall\n00:24 analysis x\n00:25 kept\n00:26 done\n\
             00:27 scan ask network requests, never network\n"
        );
        let again = play(&again);
        let counts = ["APPROVAL_ASKED", "APPROVAL_HELD", "RUN_BLOCKED", "TESTS_ASKED"];
        assert_eq!(counts.map(|event| again.count(event)), [1, 1, 2, 0]);
        let Effect::Recall(recall) = again.wanted() else { panic!("it reflects") };
        assert_eq!(recall.error.unwrap().error_type, "Unavailable");
        let other_way = format!(
            "{allowed}00:23 recall\n00:24 analysis x\n00:25 kept\n00:26 calls create_file main.py\n\
             00:26 act changed=main.py\n00:27 done\n{PASSES}"
        );
        assert_eq!(play(&other_way).view("01:00").state, At::Success);
    }
    let two = "00:20 scan ask network requests, ask network socket, never network\n";
    let two = play(&format!("{CODED}{two}00:21 approve once\n"));
    assert_eq!((two.count("APPROVAL_ASKED"), two.count("RUN_BLOCKED")), (1, 1));
    // A yes to something else is worth what it says.
    let other = format!("{CODED}00:20 scan ask process subprocess.run, never network\n");
    let other = play(&format!("{other}00:21 approve once\n"));
    assert_eq!((other.count("RUN_BLOCKED"), other.count("TESTS_ASKED")), (0, 1));
}

#[test]
fn time_stands_still_while_a_person_is_asked() {
    let caps = Caps { wall_secs: Some(60), ..Caps::default() };
    let spec = Spec { caps, ..spec() };
    let asks = format!("{CODED}00:20 scan ask network requests\n");
    let answered =
        Script::play(&spec, &format!("{asks}30:00 tick\n30:00 approve once\n30:10 tick\n"));
    assert_eq!((answered.count("TIME_RAN_OUT"), answered.view("30:10").spent.wall_ms), (0, 30_000));
    let over =
        Script::play(&spec, &format!("{asks}30:00 approve once\n31:00 tick\n32:00 resume\n"));
    assert_eq!(over.count("TIME_RAN_OUT"), 1);
    let view = over.view("33:00");
    assert_eq!((view.state, view.because), (At::Paused, Some(Because::Budget)));
    assert_eq!(view.spent.wall_ms, 60_000, "to the millisecond, whenever somebody looks");
    let more = Script::play(
        &spec,
        &format!("{asks}30:00 approve once\n31:00 tick\n32:00 more time 90\n32:01 tick\n"),
    );
    assert_eq!(more.view("32:01").state, At::Testing);
}

#[test]
fn a_call_that_would_cross_a_cap_is_not_made_and_a_larger_cap_lets_the_task_go_on() {
    for (caps, crossing) in [
        (Caps { calls: Some(1), ..Caps::default() }, "would have made 2"),
        (Caps { tokens: Some(4_000), ..Caps::default() }, "would have taken 5,"),
        (Caps { cost_micros: Some(4_000), ..Caps::default() }, "would have cost $0.005"),
    ] {
        let spec = Spec { caps, price: Some(PRICE), ..spec() };
        let start = "00:01 ready\n00:02 recall\n00:05 plan a\n";
        let played = Script::play(&spec, start);
        assert_eq!(played.count("MODEL_CALLED"), 1);
        assert_eq!(played.view("01:00").because, Some(Because::Budget));
        assert!(played.output().contains(crossing), "{}", played.output());
        let again = Script::play(&spec, &format!("{start}00:06 resume\n"));
        assert_eq!((again.count("MODEL_CALLED"), again.count("BUDGET_REACHED")), (1, 2));
    }
    let caps = Caps { calls: Some(1), ..Caps::default() };
    let spec = Spec { caps, ..spec() };
    let more = "00:01 ready\n00:02 recall\n00:05 plan a\n00:06 more calls 5\n";
    assert_eq!(Script::play(&spec, more).count("MODEL_CALLED"), 2);
    let day = play("00:01 ready\n00:02 recall\n00:03 withheld\n");
    assert_eq!(day.view("01:00").because, Some(Because::Budget), "the day has caps too");
}

#[test]
fn a_model_that_cannot_be_reached_pauses_the_task_or_the_other_one_goes_on() {
    let fault = "00:01 ready\n00:02 recall\n00:03 fault it is overloaded after=9000\n";
    let paused = play(fault);
    let view = paused.view("01:00");
    assert_eq!((view.state, view.because), (At::Paused, Some(Because::Model)));
    assert!(paused.output().contains("It may be asked again in 2 h 30 min"), "{}", paused.output());
    let fallback = Some(ModelName { sort: ModelSort::Openai, name: "two".to_owned() });
    let switched = Script::play(&Spec { fallback, ..spec() }, fault);
    let Effect::Propose(asked) = switched.wanted() else { panic!("the other is asked") };
    assert_eq!((asked.model.name.as_str(), asked.role), ("two", AgentRole::Planner));
    let none = play("00:01 ready\n00:02 recall\n00:03 failed no model is set\n");
    assert_eq!(none.view("01:00").because, Some(Because::Model));
}

#[test]
fn answers_that_cannot_be_used_end_a_task_as_failed_and_never_as_a_success() {
    let bad = "00:03 unusable no JSON\n".repeat(3);
    let played = play(&format!(
        "00:01 ready\n00:02 recall\n{bad}{bad}{bad}00:04 scan\n00:05 tests 0/0\n00:06 recall\n{bad}00:07 kept\n"
    ));
    let view = played.view("01:00");
    assert_eq!((view.state, view.because), (At::Failed, Some(Because::Unusable)));
    assert_eq!(played.count("MODEL_CALLED"), 12);
}

#[test]
fn a_fault_of_the_machine_pauses_and_the_same_is_done_again() {
    for (script, effect) in [
        ("00:01 failed the disk is full\n00:02 resume\n".to_owned(), "prepare"),
        (format!("{CODED}00:20 failed the disk is full\n00:21 resume\n"), "scan"),
        (format!("{CODED}00:20 scan\n00:21 failed no sandbox\n00:22 resume\n"), "scan"),
    ] {
        let played = play(&script);
        assert_eq!(played.wanted().name(), effect);
    }
    // A memory that fails holds nothing, and the task goes on (002 7.3).
    let forgetful = play("00:01 ready\n00:02 failed it took more than 5 s\n");
    assert_eq!(forgetful.wanted().name(), "propose");
}

#[test]
fn a_rewind_puts_the_agents_edits_back_and_gives_no_count_back() {
    let script = format!("{CODED}{}00:30 pause now\n", fails("one"));
    let before = play(&script);
    // The first event of the second iteration's code.
    let coding = before.output().lines().filter(|line| line.contains("-> CODING")).nth(1).unwrap();
    let to = coding.split(' ').next().unwrap();
    let asked = play(&format!("{script}00:40 rewind {to}\n"));
    let Effect::Restore(restore) = asked.wanted() else { panic!("files are put back") };
    let files: Vec<_> = restore.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(files, ["main.py"]);
    let spent = before.view("00:30").spent;
    let back = play(&format!("{script}00:40 rewind {to}\n00:41 restored\n"));
    let view = back.view("00:41");
    assert_eq!((view.state, view.iteration), (At::Coding, 2));
    assert_eq!((view.spent.calls, view.spent.prompt), (spent.calls, spent.prompt));
    let first = play(&format!("{script}00:40 rewind 5\n00:41 restored kept=main.py\n"));
    assert_eq!((first.view("00:41").state, first.view("00:41").plan), (At::Planning, None));
    assert!(first.output().contains("these, so they stay: main.py"), "{}", first.output());
    let refused = log(&format!(
        "quiet\n{RESTS}loud\n00:40 rewind 999\n00:40 rewind 2\n00:41 resume\n00:42 rewind 5\n"
    ));
    assert!(refused.contains("there is no event 999; the last one is "), "{refused}");
    assert!(refused.contains("nothing was planned or written before event 2"), "{refused}");
    assert!(refused.contains("cannot go back in current state: it is under way"), "{refused}");
}

#[test]
fn tests_that_were_changed_to_pass_are_shown_beside_the_success() {
    let edit = "00:20 scan\n00:22 tests 1/2 one\n00:23 recall\n00:24 analysis one\n00:25 kept\n\
                00:26 calls create_file tests/test_main.py\n00:26 act changed=tests/test_main.py\n00:27 done\n";
    let played = play(&format!("{CODED}{edit}{PASSES}"));
    let edits = played.view("01:00").test_edits;
    assert_eq!(edits.len(), 1);
    assert_eq!(edits[0].path, "tests/test_main.py");
    assert!(played.output().contains("tests that had failed were changed: tests/test_main.py"));
}

#[test]
fn a_success_of_a_script_is_never_shown_as_ability() {
    let model = ModelName { sort: ModelSort::Script, name: "pass".to_owned() };
    let played = Script::play(&Spec { model, ..spec() }, &format!("{CODED}{PASSES}"));
    assert!(played.output().contains("that shows no ability"), "{}", played.output());
    assert!(!play(&format!("{CODED}{PASSES}")).output().contains("ability"));
}

#[test]
fn who_explains_a_failure_reads_what_the_run_printed_and_nobody_else_does() {
    let failed = format!("{CODED}00:20 scan\n00:22 tests 1/2 one\n00:23 recall\n");
    let Effect::Propose(asked) = play(&failed).wanted() else { panic!("a model is asked") };
    assert_eq!((asked.role, asked.output.is_some()), (AgentRole::Reflector, true));
    let mending = format!("{failed}00:24 analysis one\n00:25 kept\n");
    let Effect::Propose(asked) = play(&mending).wanted() else { panic!("a model is asked") };
    assert_eq!((asked.role, asked.output), (AgentRole::Coder, None));
}

#[test]
fn how_a_run_came_to_its_error_is_looked_for_in_earlier_tasks_and_kept_with_it() {
    let failed = format!("{CODED}00:20 scan\n00:22 tests 1/2 one\n");
    let Effect::Recall(recall) = play(&failed).wanted() else { panic!("earlier tasks are asked") };
    let trace = recall.trace;
    assert!(trace.is_some() && recall.error.is_some(), "{recall:?}");
    let analysed = format!("{failed}00:23 recall\n00:24 analysis one\n");
    let Effect::Remember(Remember::Failure { trace: kept, .. }) = play(&analysed).wanted() else {
        panic!("the failure is kept")
    };
    assert_eq!(kept, trace);
    // What keeps code from running is no error of a run.
    let refused = format!("{analysed}00:25 kept\n00:26 done\n00:27 scan deny process ctypes\n");
    let Effect::Recall(recall) = play(&refused).wanted() else { panic!("earlier tasks are asked") };
    assert_eq!((recall.trace, recall.error.unwrap().error_type.as_str()), (None, "Blocked"));
}

#[test]
fn tests_are_written_once_those_of_the_last_answer_are_whatever_was_refused_before() {
    let coded = "
        00:01 ready
        00:02 recall
        00:05 plan write add
        00:08 calls create_file main.py
        00:08 act new=main.py
        00:10 done
        00:12 calls create_file ../test_main.py, create_file test_main.py
        00:12 act bad
        00:12 act new=test_main.py
    ";
    let Effect::Propose(asked) = play(coded).wanted() else { panic!("it is asked once more") };
    assert_eq!(asked.role, AgentRole::Tester);
    let again = format!("{coded}00:14 calls create_file test_main.py\n00:14 act same\n");
    assert!(matches!(play(&again).wanted(), Effect::Scan(_)), "the tests are there");
}

#[test]
fn a_question_that_turns_out_to_be_too_long_is_held_against_the_caps_of_the_task() {
    let caps = Caps { tokens: Some(9_000), ..spec().caps };
    let asked = Script::play(&Spec { caps, ..spec() }, "00:01 ready\n00:02 recall\n00:05 plan a\n");
    let Effect::Propose(propose) = asked.wanted() else { panic!("a model is asked") };
    assert_eq!((propose.caps, propose.spent.calls), (caps, 1));
    assert_eq!((propose.spent.prompt, propose.spent.completion), (100, 50));
}

#[test]
fn that_another_model_has_answered_is_shown_until_the_next_answer() {
    let other = "other-9b has answered";
    let mut script = format!("00:01 ready\n00:02 recall\n00:05 plan a warned {other}\n");
    assert_eq!(play(&script).view("00:06").warnings, [other]);
    script.push_str("00:08 calls create_file main.py\n");
    assert!(play(&script).view("00:09").warnings.is_empty());
}

#[test]
fn a_late_or_doubled_outcome_changes_nothing() {
    let mut played =
        play("00:01 ready\n00:02 recall\n00:05 plan a\n00:06 pause now\n00:07 resume\n");
    let before = played.log().len();
    for id in [8, 12] {
        let late = EffectOutcome::Propose(Err(Failure::new("late")));
        played.end(vosim_protocol::EffectId(vosim_protocol::EventId(id)), late, time("00:09"));
    }
    assert_eq!(played.log().len(), before);
}
