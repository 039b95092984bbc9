//! The rules of 003 and DECISIONS 49: every row of its table of states under its name, then what holds
//! between them.

mod play;

use vosim_protocol::v1::attempt::{Command, InvariantBuilder, Mode, View};
use vosim_protocol::v1::problem::Op;
use vosim_protocol::{Json, Role, Wire as _};

use crate::replay;
use crate::session::AnySession as _;
use play::{EXAMPLE, GOOD, INVARIANT, Play, WRONG, choose, understand};

#[test]
fn understand_submit_explanation_needs_work_stays() {
    let mut play = Play::new(Mode::Beginner);
    let happened = play.give(&understand("It is nice.", "", ""));
    assert_eq!(happened, "UNDERSTANDING_SUBMITTED UNDERSTANDING_ASSESSED");
    let view = play.view();
    let assessment = &view["understandPayload"]["aiAssessment"];
    assert_eq!(
        (play.phase().as_str(), assessment["status"].as_str()),
        ("understand", Some("NEEDS_WORK"))
    );
    assert_eq!(assessment["followupQuestions"].as_array().unwrap().len(), 2, "{assessment}");
}

#[test]
fn understand_submit_explanation_pass_leads_to_plan() {
    let mut play = Play::new(Mode::Beginner);
    play.give(&understand(GOOD, EXAMPLE, WRONG));
    play.examined(true, 0);
    assert_eq!((play.phase().as_str(), play.view()["v2Step"].as_str()), ("plan", Some("PLAN")));
}

#[test]
fn understand_skip_is_for_experts_only() {
    let mut expert = Play::new(Mode::Expert);
    assert_eq!(expert.give(&Command::Skip {}), "STEP_TAKEN");
    assert_eq!(expert.phase(), "plan");
    let mut beginner = Play::new(Mode::Beginner);
    let refused = beginner.give(&Command::Skip {});
    assert!(refused.contains("a beginner explains the problem"), "{refused}");
    assert_eq!(beginner.phase(), "understand");
}

#[test]
fn plan_suggest_patterns_stays() {
    let mut play = Play::new(Mode::Beginner);
    play.explained();
    let mut suggested = |explanation: &str| {
        let asked = Command::PlanSuggest { explanation: explanation.to_owned() };
        assert_eq!(play.give(&asked), "PATTERNS_SUGGESTED");
        assert_eq!(play.phase(), "plan");
        play.view()["planPayload"]["suggestedPatterns"].as_array().unwrap().clone()
    };
    assert_eq!(suggested("I look through a list.")[0]["patternId"], "list");
    let suggested = suggested("");
    assert_eq!(suggested.len(), 3);
    assert_ne!(suggested[0]["patternId"], "list", "a list was said to be what would not do");
    assert!(suggested.iter().any(|one| one["patternId"] == "map"), "a good one is among them");
}

#[test]
fn plan_choose_pattern_with_low_confidence_leads_a_beginner_to_discovery() {
    let mut play = Play::new(Mode::Beginner);
    play.explained();
    play.give(&choose("map", 2, Some(INVARIANT)));
    assert_eq!(play.phase(), "plan");
    let view = play.view();
    assert_eq!(view["planPayload"]["discoveryTriggered"], true);
    assert_eq!(view["discovery_question"], "Is it found by its key?");
    let both = "| answer the question about the pattern | choose a pattern (ChoosePattern)";
    for early in [Command::Retry {}, Command::Skip {}] {
        let refused = play.give(&early);
        assert!(refused.ends_with(both), "{refused}");
    }
    assert_eq!(play.give(&Command::PlanDiscover { answer: false }), "DISCOVERY_ANSWERED");
    assert!(play.give(&Command::PlanDiscover { answer: true }).starts_with("! invalid_transition"));
    // Doubt holds nobody twice.
    play.give(&choose("map", 2, Some(INVARIANT)));
    assert_eq!(play.phase(), "implement");
    let mut expert = Play::new(Mode::Expert);
    expert.explained().give(&choose("map", 1, None));
    assert_eq!(expert.phase(), "implement");
}

#[test]
fn how_a_pattern_fits_is_told_after_the_questions() {
    for pattern in ["map", "heap"] {
        let mut play = Play::new(Mode::Beginner);
        play.explained().give(&choose(pattern, 1, Some(INVARIANT)));
        assert_eq!(play.plan("match"), "MAYBE", "{pattern}");
    }
    let mut play = Play::new(Mode::Beginner);
    play.explained().give(&choose("map", 3, Some(INVARIANT)));
    assert_eq!(play.plan("match"), "GOOD");
}

#[test]
fn plan_choose_pattern_validated_leads_to_implement() {
    let mut play = Play::new(Mode::Beginner);
    play.explained();
    assert_eq!(play.give(&choose("map", 4, Some(INVARIANT))), "PATTERN_CHOSEN PLAN_ASSESSED");
    assert_eq!(play.phase(), "implement");
}

#[test]
fn plan_skip_is_for_experts_only() {
    let mut expert = Play::new(Mode::Expert);
    expert.give(&Command::Skip {});
    expert.give(&Command::Skip {});
    assert_eq!(expert.phase(), "implement");
    let mut beginner = Play::new(Mode::Beginner);
    let refused = beginner.explained().give(&Command::Skip {});
    assert!(refused.contains("a beginner makes a plan"), "{refused}");
}

#[test]
fn implement_submit_code_leads_to_verify() {
    let mut play = Play::new(Mode::Beginner);
    play.explained().planned();
    assert_eq!(play.submit("one"), "CODE_SUBMITTED");
    assert_eq!(play.phase(), "verify");
}

fn may_hint(play: &Play) -> bool {
    View::from_json(play.seen_by(Role::Candidate)).unwrap().allowed.iter().any(|one| one == "hint")
}

#[test]
fn implement_request_hint_stays_while_hints_remain() {
    let mut play = Play::new(Mode::Beginner);
    play.explained().planned();
    for level in 1..=3 {
        assert_eq!(play.give(&Command::Hint {}), "HINT_REQUESTED HINT_GIVEN", "{level}");
        assert_eq!(play.view()["hintsUsedCount"], level);
        play.wait(60);
    }
    assert_eq!((play.phase().as_str(), play.view()["hintBudget"].as_u64()), ("implement", Some(4)));
    let highest = play.give(&Command::Hint {});
    assert!(highest.contains("the last hint about this was the highest"), "{highest}");
    assert!(!may_hint(&play), "what would be refused is not offered");
    // Another failure has hints of its own, and the budget counts them all.
    play.tested("one", 5).give(&Command::Retry {});
    assert!(may_hint(&play));
    assert_eq!(play.give(&Command::Hint {}), "HINT_REQUESTED HINT_GIVEN");
    assert!(!may_hint(&play));
    let spent = play.wait(60).give(&Command::Hint {});
    assert!(spent.contains("the budget of hints is spent"), "{spent}");
}

#[test]
fn three_requests_in_five_seconds_give_one_hint() {
    let mut play = Play::new(Mode::Beginner);
    play.explained().planned();
    assert_eq!(play.give(&Command::Hint {}), "HINT_REQUESTED HINT_GIVEN");
    for _ in 0..2 {
        let refused = play.wait(2).give(&Command::Hint {});
        assert!(
            refused.ends_with("the last hint has only just been given | read it first"),
            "{refused}"
        );
    }
    assert_eq!(play.view()["hintsUsedCount"], 1);
}

#[test]
fn verify_tests_failed_stays_and_explains() {
    let mut play = Play::new(Mode::Beginner);
    play.explained().planned().tested("one", 5);
    assert_eq!(play.phase(), "verify");
    let explain = |test_index| Command::VerifyExplainFailure {
        test_index,
        test_input: String::new(),
        expected: String::new(),
        actual: String::new(),
        user_explanation: "The order is wrong.".to_owned(),
    };
    assert_eq!(play.give(&explain(5)), "FAILURE_EXPLAINED");
    let refused = play.give(&explain(0));
    assert!(refused.contains("test 0 did not fail in the last run"), "{refused}");
    assert_eq!(play.phase(), "verify");
    let view = play.view();
    let verify = &view["verifyPayload"];
    assert_eq!(verify["testResults"].as_array().unwrap().len(), 12);
    assert_eq!(verify["failureExplanations"][0]["userExplanation"], "The order is wrong.");
    // What was said is heard, and is not what the runs point to.
    let guidance = verify["failureExplanations"][0]["aiGuidance"].as_str().unwrap();
    assert!(
        guidance.starts_with("What the runs point to is not heard in your explanation"),
        "{guidance}"
    );
    assert_eq!(
        play.give(&Command::Note { trace_notes: " ".to_owned() }),
        "! invalid_input: the notes are empty | write down what the run shows"
    );
    assert_eq!(
        play.give(&Command::Note { trace_notes: "see call 3".to_owned() }),
        "TRACE_NOTES_KEPT"
    );
    assert_eq!(play.view()["verifyPayload"]["traceNotes"], "see call 3");
    // What was said of the failure counts as a hint does.
    play.give(&Command::Retry {});
    play.tested("two", 12);
    assert_eq!(play.outcome(), None);
    play.give(&Command::Skip {});
    assert_eq!(play.outcome(), Some(vosim_protocol::Outcome::Hinted));
    assert_eq!(play.view()["ended"]["outcome"], "hinted");
    let told = play.told("ATTEMPT_COMPLETED").concat();
    assert!(told.contains("with help at a failed one"), "{told}");
}

#[test]
fn verify_tests_pass_leads_to_reflect() {
    let mut play = Play::new(Mode::Beginner);
    play.explained().planned().tested("one", 12);
    assert_eq!(play.phase(), "reflect");
    assert_eq!(play.view()["reflectPayload"]["microLessonId"], "map");
}

#[test]
fn verify_retry_leads_to_implement_any_number_of_times() {
    let mut play = Play::new(Mode::Beginner);
    play.explained().planned();
    for text in ["one", "two", "three", "four"] {
        play.tested(text, 5);
        play.traced(true);
        assert_eq!(play.give(&Command::Retry {}), "STEP_TAKEN");
        assert_eq!(play.phase(), "implement");
    }
}

#[test]
fn reflect_submit_reflection_leads_to_complete() {
    let mut play = Play::new(Mode::Beginner);
    play.explained().planned().tested("one", 12);
    let reflect = Command::ReflectSubmit {
        cues_next_time: vec!["room for so many".to_owned()],
        invariant_summary: "It never holds more.".to_owned(),
    };
    assert_eq!(play.give(&reflect), "REFLECTION_SUBMITTED ATTEMPT_COMPLETED");
    let view = play.view();
    assert_eq!((play.phase().as_str(), view["v2Step"].as_str()), ("complete", Some("COMPLETE")));
    assert_eq!(view["ended"]["outcome"], "unaided");
    assert!(play.give(&Command::End {}).starts_with("! session_ended"));
}

#[test]
fn reflect_skip_leads_to_complete_in_both_modes() {
    for mode in [Mode::Beginner, Mode::Expert] {
        let mut play = Play::new(mode);
        play.explained().planned().tested("one", 12);
        assert_eq!(play.give(&Command::Skip {}), "STEP_TAKEN ATTEMPT_COMPLETED");
        assert_eq!(play.phase(), "complete");
    }
}

#[test]
fn the_mode_may_be_set_before_the_first_submission_of_understand() {
    let mut play = Play::new(Mode::Beginner);
    assert_eq!(play.give(&Command::Mode { mode: Mode::Expert }), "MODE_SET");
    assert_eq!(play.view()["mode"], "EXPERT");
    play.give(&understand("It is nice.", "", ""));
    let refused = play.give(&Command::Mode { mode: Mode::Beginner });
    assert!(refused.contains("the problem has been explained already"), "{refused}");
}

#[test]
fn what_belongs_to_another_step_is_refused_with_the_next_one() {
    let mut play = Play::new(Mode::Beginner);
    let code = play.submit("one");
    assert_eq!(
        code,
        "! invalid_transition: cannot submit code in current state: the problem is not explained yet | \
         explain it (Understand)"
    );
    let retry = play.explained().give(&Command::Retry {});
    assert!(retry.ends_with("there is no plan yet | choose a pattern (ChoosePattern)"), "{retry}");
    let explain = play.give(&understand(GOOD, "", WRONG));
    assert!(explain.contains("it has been explained already | choose a pattern"), "{explain}");
    let explain = play.planned().give(&understand(GOOD, "", WRONG));
    assert!(explain.ends_with("the code comes next | submit it (Submit)"), "{explain}");
    let again = play.tested("one", 5).submit("two");
    assert!(again.contains("the last submission failed | go back to the code (Retry)"), "{again}");
}

#[test]
fn a_failure_is_traced_beside_the_step_and_forgotten_when_something_else_is_tried() {
    let mut play = Play::new(Mode::Beginner);
    play.explained().planned().tested("one", 5);
    assert_eq!((play.phase().as_str(), play.wants()), ("verify", vec!["shrink".to_owned()]));
    let twice = play.give(&Command::VerifyTrace { test_index: 6 });
    assert!(twice.contains("the last failure is being traced"), "{twice}");
    assert_eq!(play.traced(true), "FAILURE_TRACED");
    let view = play.view();
    assert_eq!(view["trace"]["trace"]["calls"][0]["differs"], true, "{view}");
    assert_eq!(view["trace"]["case"], crate::problem::TESTS[5]);
    play.give(&Command::VerifyExplainFailure {
        test_index: 5,
        test_input: String::new(),
        expected: String::new(),
        actual: String::new(),
        user_explanation: "It is gone.".to_owned(),
    });
    let explained = &play.view()["verifyPayload"]["failureExplanations"][0];
    let guidance = explained["aiGuidance"].as_str().unwrap();
    assert!(guidance.contains("The shortest run that was found to fail is get(1)."), "{guidance}");
    assert!(guidance.contains("Go through that run"), "{guidance}");
    let passed = play.give(&Command::VerifyTrace { test_index: 4 });
    let refused = "! invalid_input: test 4 did not fail in the last run | name one that failed: test 5, test 6,";
    assert!(passed.starts_with(refused), "{passed}");
    assert_eq!(play.give(&Command::VerifyTrace { test_index: 6 }), "TRACE_REQUESTED");
    assert_eq!(play.traced(false), "FAILURE_TRACED");
    assert_eq!(play.view()["trace"]["not_traced"], "no run fails");
    // A step that is taken meanwhile leaves nothing behind.
    play.give(&Command::VerifyTrace { test_index: 7 });
    assert_eq!(play.give(&Command::Retry {}), "STEP_TAKEN FAILURE_TRACED");
    assert!(play.wants().is_empty());
    play.tested("two", 12);
    assert_eq!(play.view()["trace"], Json::Null);
    assert!(play.wants().is_empty(), "nothing has failed");
}

#[test]
fn a_case_of_one_s_own_is_kept_where_the_reference_agrees_and_never_counts() {
    let ops = |count: usize| {
        let op = |_| Op { call: "LRUCache".to_owned(), args: Vec::new(), expect: None };
        Command::CaseAdd { ops: (0..count).map(op).collect() }
    };
    let mut play = Play::new(Mode::Beginner);
    assert_eq!(play.give(&ops(1)), "OWN_CASE_GIVEN");
    let twice = play.give(&ops(2));
    assert!(twice.contains("another case is being run with the reference"), "{twice}");
    assert_eq!(play.examined(true, 0), "OWN_CASE_CHECKED");
    play.give(&ops(2));
    play.examined(false, 0);
    assert_eq!(play.view()["own_cases"].as_array().unwrap().len(), 1, "a wrong one is not kept");
    let known = play.give(&ops(1));
    assert!(known.contains("this case is kept already"), "{known}");
    let long = play.give(&ops(201));
    assert!(long.starts_with("! too_large"), "{long}");
    play.give(&ops(3));
    play.examined(true, 0);
    play.explained().planned().tested("one", 12);
    assert_eq!((play.phase().as_str(), play.wants()), ("reflect", vec!["try".to_owned()]));
    assert_eq!(play.own_cases_run(2), "OWN_CASES_RUN");
    let view = play.view();
    let passed: Vec<_> = (0..2).map(|at| view["own_cases"][at]["passed"].clone()).collect();
    assert_eq!(passed, [true, false], "{view}");
    assert_eq!((play.phase().as_str(), play.wants()), ("reflect", vec!["shrink".to_owned()]));
    play.traced(true);
    let none = play.give(&Command::CaseRemove { number: 3 });
    assert!(none.contains("there is no own case 3; they are numbered from 1 to 2"), "{none}");
    assert_eq!(play.give(&Command::CaseRemove { number: 1 }), "OWN_CASE_REMOVED");
    assert_eq!(play.view()["own_cases"][0]["passed"], false);
    made_again(&play);
}

/// What is said to be missing.
fn gaps(play: &Play) -> String {
    let view = play.view();
    let gaps = view["understandPayload"]["aiAssessment"]["gaps"].as_array().unwrap().iter();
    gaps.map(|gap| gap.as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_case_is_kept_by_what_it_is() {
    let op = |expect: Option<i64>| Op {
        call: "LRUCache".to_owned(),
        args: Vec::new(),
        expect: expect.map(Json::from),
    };
    let mut play = Play::new(Mode::Beginner);
    for ops in [vec![op(None)], vec![op(None), op(Some(1))]] {
        play.give(&Command::CaseAdd { ops });
        play.examined(true, 0);
    }
    let said = play.told("OWN_CASE_CHECKED");
    assert!(said[0].contains("compared with the reference"), "{said:?}");
    assert!(said[1].contains("never counts"), "{said:?}");
    let no_beginning = Op { call: "get".to_owned(), args: vec![1.into()], expect: None };
    let of_two = Op { args: vec![1.into(), 2.into()], ..no_beginning.clone() };
    let refused = play.give(&Command::CaseAdd { ops: vec![no_beginning.clone()] });
    assert!(refused.contains("a run begins with LRUCache(...)"), "{refused}");
    let refused = play.give(&Command::CaseAdd { ops: vec![op(None), of_two] });
    assert!(refused.contains("get takes 1 value, not 2"), "{refused}");
    play.give(&Command::CaseAdd { ops: vec![op(None), no_beginning] });
    play.discounted(false, Some(2));
    let said = play.told("OWN_CASE_CHECKED").remove(2);
    assert!(said.starts_with("Call 2 of it goes beyond what the statement allows"), "{said}");
    assert_eq!(play.view()["own_cases"].as_array().unwrap().len(), 2);
    play.explained().planned().tested("one", 12);
    play.own_cases_run(2);
    let said = play.told("OWN_CASES_RUN").remove(0);
    assert!(said.starts_with("Of 2 own cases, 1 passed."), "{said}");
    made_again(&play);
}

#[test]
fn a_view_names_the_commands_that_its_role_may_give() {
    let mut play = Play::new(Mode::Beginner);
    let view = |play: &Play, role| {
        let view = View::from_json(play.seen_by(role)).unwrap();
        (view.allowed.join(" "), view.waits)
    };
    let ask = "mode understand.submit end".to_owned();
    for role in [Role::Candidate, Role::Agent] {
        assert_eq!(view(&play, role), (ask.clone(), false), "{role:?}");
    }
    assert_eq!(view(&play, Role::Observer), (String::new(), false));
    play.give(&understand(GOOD, EXAMPLE, WRONG));
    assert_eq!(view(&play, Role::Candidate), ("end".to_owned(), true));
    assert_eq!(view(&play, Role::Interviewer), (String::new(), true));
}

#[test]
fn an_approach_is_the_candidate_s_alone() {
    let play = Play::of(Mode::Beginner, false);
    let allowed = |role| play.seen_by(role)["allowed"].clone();
    assert_eq!(allowed(Role::Candidate), Json::from(vec!["approach", "end"]));
    assert_eq!(allowed(Role::Agent), Json::from(vec!["end"]));
}

#[test]
fn what_was_left_or_skipped_is_not_told_as_done() {
    let mut left = Play::new(Mode::Beginner);
    left.explained().planned().tested("one", 5);
    left.give(&Command::End {});
    let view = left.view();
    assert_eq!((left.phase().as_str(), view["v2Step"].as_str()), ("left", Some("VERIFY")));
    assert_eq!(view["ended"]["outcome"], "left");
    assert_eq!(view.get("skipped"), None);
    for last in [Command::Skip {}, Command::End {}] {
        let mut expert = Play::new(Mode::Expert);
        for command in [Command::Skip {}, Command::Skip {}] {
            expert.give(&command);
        }
        expert.tested("one", 12).give(&last);
        let view = expert.view();
        assert_eq!(
            (expert.phase().as_str(), view["v2Step"].as_str()),
            ("complete", Some("COMPLETE"))
        );
        assert_eq!(view["skipped"], Json::from(vec!["UNDERSTAND", "PLAN", "REFLECT"]));
    }
}

#[test]
fn exports_and_bundles_hold_the_attempt_as_its_view_has_it() {
    let mut play = Play::new(Mode::Beginner);
    play.explained().planned().tested("one", 12);
    let exported = |play: &Play| {
        let id = play.session.head().session_id;
        let kind = vosim_protocol::Kind::Attempt;
        let text = crate::kinds::plain(kind, id, &play.spec, &play.lines).unwrap().unwrap();
        let last = text.split(|byte| *byte == b'\n').rev().nth(1).unwrap();
        let attempt = Json::from_bytes(last).unwrap();
        let view = play.view();
        for (field, value) in attempt.as_object().unwrap() {
            assert_eq!(value, &view[field], "{field}");
        }
        assert_eq!(attempt.as_object().unwrap().len(), 8);
        attempt
    };
    exported(&play);
    play.give(&Command::Skip {});
    let id = play.session.head().session_id;
    let code = std::collections::BTreeMap::new();
    let bundle =
        crate::bundle::replay_bundle::<super::Attempt>(id, &play.spec, &play.lines, code).unwrap();
    assert_eq!(bundle.attempt.unwrap().to_json(), exported(&play));
}

#[test]
fn words_alone_hold_nobody_more_than_twice_in_a_row() {
    let mut beginner = Play::new(Mode::Beginner);
    let mut expert = Play::new(Mode::Expert);
    for held in [true, true, false] {
        beginner.give(&understand("It is very nice.", EXAMPLE, "That would not do."));
        beginner.examined(true, 0);
        expert.give(&understand("It is nice.", "", ""));
        let step = if held { "understand" } else { "plan" };
        assert_eq!((beginner.phase().as_str(), expert.phase().as_str()), (step, step));
    }
    assert!(gaps(&beginner).contains("explanation: this is not said yet."), "{}", gaps(&beginner));
}

#[test]
fn a_beginner_fills_each_field_and_gives_an_example_that_holds() {
    let mut play = Play::new(Mode::Beginner);
    for _ in 0..4 {
        play.give(&understand(GOOD, EXAMPLE, ""));
        play.examined(true, 3);
        assert_eq!(play.phase(), "understand", "a field is empty");
    }
    assert_eq!(gaps(&play), "wrongApproach: this is empty still.");
    for _ in 0..4 {
        play.give(&understand(GOOD, "", WRONG));
        assert_eq!(play.phase(), "understand", "there is no example");
    }
    assert!(gaps(&play).starts_with("One example of your own that holds is needed"));
    play.give(&understand(GOOD, "LRUCache() get(1)", WRONG));
    play.examined(true, 3);
    assert_eq!(play.phase(), "understand", "an example without an answer says nothing");
    assert!(gaps(&play).starts_with("Example 1 says no answers."), "{}", gaps(&play));
    play.explained();
}

#[test]
fn what_the_statement_shows_or_does_not_allow_is_no_example_of_one_s_own() {
    let mut play = Play::new(Mode::Beginner);
    for (shown, outside, told) in [
        (true, None, "Example 1 stands in the statement or in a visible test already."),
        (false, Some(2), "Example 1 goes beyond what the statement allows, at call 2."),
    ] {
        play.give(&understand(GOOD, EXAMPLE, WRONG));
        play.discounted(shown, outside);
        assert_eq!(play.phase(), "understand");
        assert!(gaps(&play).starts_with(told), "{}", gaps(&play));
    }
    play.give(&understand(GOOD, EXAMPLE, WRONG));
    play.beyond(false, Some(1), Some("`room` is between 1 and 1,000."));
    let told = "at call 1 (\"`room` is between 1 and 1,000\"). It does not count.";
    assert!(gaps(&play).contains(told), "{}", gaps(&play));
}

#[test]
fn a_form_about_something_else_is_told_so_however_clear_it_is() {
    let other = "The dog has to wait for the bus when it rains, because its owner is late and has no \
        umbrella, then both of them walk through the town to a market with apples and pears.";
    for mode in [Mode::Beginner, Mode::Expert] {
        let mut play = Play::new(mode);
        play.give(&understand(other, EXAMPLE, &format!("{other} A full list of keys is slow.")));
        play.examined(true, 3);
        assert_eq!(play.phase(), "understand", "{mode:?}");
        assert!(gaps(&play).starts_with("This does not speak of LRU Cache"));
        let strengths = play.view()["understandPayload"]["aiAssessment"]["strengths"].to_string();
        assert!(!strengths.contains("clear"), "{strengths}");
    }
}

#[test]
fn the_statement_s_own_words_are_told_as_such() {
    let mut play = Play::new(Mode::Beginner);
    let copied = "An LRU cache keeps values by key while there is room.";
    play.give(&understand(copied, EXAMPLE, WRONG));
    play.examined(true, 0);
    assert_eq!(play.phase(), "understand");
    assert!(gaps(&play).contains("explanation: these are the statement's own words."));
}

#[test]
fn examples_that_hold_and_catch_a_wrong_program_outweigh_words() {
    let mut play = Play::new(Mode::Beginner);
    let vague = "It is a cache for some keys.";
    assert_eq!(
        play.give(&understand(vague, EXAMPLE, "That is no good.")),
        "UNDERSTANDING_SUBMITTED"
    );
    assert_eq!((play.phase().as_str(), play.wants()), ("understand", vec!["examine".to_owned()]));
    assert_eq!(play.examined(true, 3), "UNDERSTANDING_ASSESSED");
    assert_eq!((play.phase().as_str(), gaps(&play).as_str()), ("plan", ""));
}

#[test]
fn a_wrong_example_holds_until_it_is_mended_and_its_answer_is_not_told() {
    let mut play = Play::new(Mode::Beginner);
    for _ in 0..4 {
        play.give(&understand(GOOD, "LRUCache() get(1)==7", WRONG));
        play.examined(false, 3);
        assert_eq!(play.phase(), "understand");
    }
    assert_eq!(
        gaps(&play),
        "Example 1: the reference disagrees at call 2. Go through it again by the statement."
    );
    play.give(&understand(GOOD, EXAMPLE, WRONG));
    play.examined(true, 0);
    assert_eq!(play.phase(), "plan", "{}", play.view());
    assert!(gaps(&play).contains("Example 1 shows little"), "{}", gaps(&play));
}

#[test]
fn examples_that_cannot_be_run_leave_it_to_the_words() {
    let mut play = Play::new(Mode::Beginner);
    play.give(&understand(GOOD, EXAMPLE, WRONG));
    play.failed();
    assert_eq!(play.phase(), "plan");
}

#[test]
fn an_answer_to_a_question_is_assessed_with_the_explanation() {
    let mut play = Play::new(Mode::Beginner);
    let answer = |question: &str| Command::UnderstandFollowup {
        question: question.to_owned(),
        answer: format!("{GOOD} It has to, because nothing else can go."),
    };
    let early = play.give(&answer("What?"));
    assert!(early.contains("explain it"), "{early}");
    play.give(&understand("It is nice.", "", ""));
    let refused = play.give(&answer("What?"));
    assert!(refused.starts_with("! invalid_input: this question was not asked"), "{refused}");
    let happened = play.give(&answer("What of the explanation?"));
    assert_eq!(happened, "UNDERSTANDING_ANSWERED UNDERSTANDING_ASSESSED");
    let view = play.view();
    assert_eq!(view["understandPayload"]["followups"].as_array().unwrap().len(), 1);
    let strengths = view["understandPayload"]["aiAssessment"]["strengths"].to_string();
    assert!(strengths.contains("explanation: clear"), "{strengths}");
}

#[test]
fn a_pattern_that_misleads_is_not_taken_once() {
    let mut play = Play::new(Mode::Beginner);
    play.explained().give(&choose("heap", 5, Some(INVARIANT)));
    assert_eq!(play.phase(), "plan");
    play.give(&choose("heap", 5, Some(INVARIANT)));
    assert_eq!(play.phase(), "implement");
    let mut other = Play::new(Mode::Beginner);
    let unknown = other.explained().give(&choose("magic", 5, None));
    assert!(unknown.contains("choose one of heap, list, map, tree"), "{unknown}");
}

#[test]
fn an_invariant_is_checked_on_runs_of_the_reference() {
    let built = |choices: &[(&str, usize)]| Command::PlanChoose {
        pattern_id: "map".to_owned(),
        confidence: 5,
        invariant_text: None,
        invariant_builder: Some(InvariantBuilder {
            template_id: "bound".to_owned(),
            choices: choices.iter().map(|(gap, at)| ((*gap).to_owned(), *at)).collect(),
        }),
        complexity: None,
    };
    let mut play = Play::new(Mode::Beginner);
    play.explained();
    let refused = play.give(&built(&[("bound", 2)]));
    assert!(refused.contains("needs a choice from 0 to 1 | 0: more; 1: at most"), "{refused}");
    let refused = play.give(&built(&[("bound", 1), ("other", 0)]));
    assert!(refused.contains("the template bound has no gap \"other\" | fill bound"), "{refused}");
    assert_eq!(play.give(&built(&[("bound", 0)])), "PATTERN_CHOSEN");
    assert_eq!(play.wants(), ["check_invariant"]);
    play.checked(Some("test_capacity_one"), 0);
    assert_eq!(play.phase(), "plan");
    // Written out, the same sentence is run as well.
    play.give(&choose("map", 5, Some("it holds  more keys than the capacity")));
    assert_eq!(play.wants(), ["check_invariant"]);
    play.checked(Some("test_capacity_one"), 0);
    assert!(play.plan("invariantFeedback").contains("test_capacity_one"));
    assert_eq!(play.phase(), "plan");
    play.give(&built(&[("bound", 1)]));
    play.checked(None, 3);
    assert_eq!(play.phase(), "implement");
    let invariant = &play.view()["planPayload"]["invariant"];
    assert_eq!(invariant["text"], "It holds at most keys than the capacity.");
    assert_eq!(
        (&invariant["builderUsed"], &invariant["templateId"]),
        (&true.into(), &"bound".into())
    );
}

#[test]
fn an_invariant_that_speaks_of_nothing_is_told_so_and_holds_a_beginner_at_most_twice() {
    let nothing = "asdf qwer zxcv tyui ghjk bnmm";
    let mut play = Play::new(Mode::Beginner);
    play.explained();
    for step in ["plan", "plan", "implement"] {
        play.give(&choose("map", 4, Some(nothing)));
        assert_eq!(play.phase(), step);
        let feedback = play.plan("invariantFeedback");
        assert!(feedback.starts_with("No word of this is heard"), "{feedback}");
    }
    for sentence in [
        "The index to the left is never greater than the one to the right.",
        "There are at most as many keys as there is room.",
    ] {
        let mut play = Play::new(Mode::Beginner);
        play.explained().give(&choose("map", 4, Some(sentence)));
        assert_eq!(play.phase(), "implement", "{sentence}");
    }
    let mut expert = Play::new(Mode::Expert);
    expert.explained().give(&choose("map", 4, Some(nothing)));
    assert_eq!(expert.phase(), "implement");
}

#[test]
fn what_doubt_or_a_misleading_pattern_holds_back_is_no_fault_of_the_invariant() {
    let short = |pattern: &str, confidence| choose(pattern, confidence, Some("It fits."));
    let mut play = Play::new(Mode::Beginner);
    play.explained();
    // Twice refused, once for each reason, with an invariant that is enough.
    play.give(&choose("map", 2, Some(INVARIANT)));
    play.give(&choose("heap", 5, Some(INVARIANT)));
    assert_eq!(play.phase(), "plan");
    // So the invariant alone may hold the plan back twice more.
    for _ in 0..2 {
        play.give(&short("map", 5));
        assert_eq!(play.phase(), "plan");
    }
    play.give(&short("map", 5));
    assert_eq!(play.phase(), "implement");
}

#[test]
fn an_input_that_catches_a_wrong_program_wins_the_challenge() {
    let mut play = Play::new(Mode::Beginner);
    play.explained().planned().tested("one", 12);
    let ops = vec![vosim_protocol::v1::problem::Op {
        call: "LRUCache".to_owned(),
        args: Vec::new(),
        expect: None,
    }];
    assert_eq!(play.give(&Command::Challenge { ops }), "CHALLENGE_TRIED");
    assert_eq!(play.examined(true, 2), "CHALLENGE_SCORED");
    assert_eq!(play.view()["reflectPayload"]["adversaryChallengeCompleted"], true);
    assert_eq!(play.phase(), "reflect");
}

#[test]
fn an_evaluation_that_fails_counts_for_nothing() {
    let mut play = Play::new(Mode::Beginner);
    play.explained().planned().submit("one");
    play.drawn();
    assert_eq!(play.failed(), "EVAL_ABORTED");
    assert_eq!(play.phase(), "implement");
    play.tested("one", 12);
    assert_eq!(play.view()["ended"], Json::Null);
    assert_eq!(play.phase(), "reflect");
}

#[test]
fn the_legacy_flow_is_approach_code_test_without_a_step() {
    let mut play = Play::of(Mode::Beginner, false);
    assert_eq!((play.phase().as_str(), &play.view()["v2Step"]), ("approach", &Json::Null));
    let early = play.submit("one");
    assert!(early.contains("the approach comes first | write it down (Approach)"), "{early}");
    let five = play.give(&understand(GOOD, "", WRONG));
    assert!(five.contains("this attempt has the steps approach, code and test"), "{five}");
    assert_eq!(play.give(&Command::Approach { text: "A map.".to_owned() }), "APPROACH_TAKEN");
    assert_eq!(play.phase(), "code");
    play.tested("one", 5);
    assert_eq!(play.phase(), "test");
    assert_eq!(play.give(&Command::Hint {}), "HINT_REQUESTED HINT_GIVEN");
    let input = play.give(&Command::Challenge { ops: Vec::new() });
    assert!(input.contains("submit code (Submit)"), "{input}");
    play.submit("two");
    assert_eq!(play.judged(12), "EVAL_RESULT ATTEMPT_COMPLETED");
    assert_eq!(play.phase(), "complete");
}

/// Decided again from the log, event by event.
#[test]
fn a_whole_attempt_replays() {
    let mut play = Play::new(Mode::Beginner);
    play.give(&understand("It is nice.", EXAMPLE, ""));
    play.examined(true, 0);
    play.explained();
    play.give(&choose("map", 1, None));
    play.give(&Command::PlanDiscover { answer: true });
    play.planned();
    play.give(&Command::Hint {});
    play.tested("one", 5);
    play.give(&Command::Retry {});
    play.tested("two", 12);
    play.give(&Command::End {});
    made_again(&play);
}

/// Every decision is made again from the log.
fn made_again(play: &Play) {
    let id = vosim_protocol::SessionId(uuid::Uuid::from_u128(7));
    let report = replay::replay::<super::Attempt>(id, &play.spec, &play.lines, None, true).unwrap();
    assert!(report.differs.is_none(), "{report:?}");
}
