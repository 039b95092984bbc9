//! What is submitted at the end of the coding section, what is still waited for, and where both
//! stand in the evaluation bundle.

use vosim_protocol::v1::bundle::{CodeOrigin, EvaluationBundle, SectionArtifact};
use vosim_protocol::v1::effect::{Obstacle, Untaken};
use vosim_protocol::v1::interview::NotSubmitted;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::telling::Entry;
use vosim_protocol::{Actor, Json, Kind, Role, Wire};

use super::script::{SESSION, Script, time};
use crate::kind::Kind as _;
use crate::kinds;
use crate::kinds::interview::Interview;
use crate::schema::spec;

/// Into the coding section, which lasts from 25:00 to 40:00, with a file watched.
const WATCHED: &str = "
    00:00 watch /a.py
    00:00 begin
    25:00 tick
";

fn play(script: &str) -> Script {
    let played = Script::play(script);
    played.check();
    played
}

/// The payloads of the events of a type.
fn payloads(script: &Script, event_type: &str) -> Vec<Json> {
    let events = script.events().into_iter();
    events.filter(|event| event.event_type == event_type).map(|event| event.payload).collect()
}

/// Who submitted, each time.
fn submitters(script: &Script) -> Vec<Actor> {
    let events = script.events().into_iter();
    let submitted = events.filter(|event| event.event_type == "CANDIDATE_CODE_SUBMISSION");
    submitted.map(|event| event.actor).collect()
}

/// What every screen shows.
fn told(script: &Script) -> Vec<String> {
    let told = |record| kinds::told(Kind::Interview, Role::Candidate, record);
    let told = script.events().into_iter().filter_map(told);
    told.filter_map(|record| Some(record.telling?.line?.text)).collect()
}

fn bundle(script: &Script) -> EvaluationBundle {
    Interview::evaluation(SESSION, &script.spec, &script.lines).unwrap()
}

fn section<'b>(bundle: &'b EvaluationBundle, id: &str) -> &'b SectionArtifact {
    bundle.sections.iter().find(|section| section.section_id == id).unwrap()
}

#[test]
fn the_last_save_stands_in_for_a_file_that_does_not_count_and_it_is_told() {
    let story = |captured: &str| {
        let script = format!("{WATCHED} 30:00 saved #1\n 40:00 tick\n 40:01 captured {captured}");
        let script = play(&script);
        let submitted = payloads(&script, "CANDIDATE_CODE_SUBMISSION").remove(0);
        assert_eq!(submitters(&script), [Actor::System]);
        let said =
            told(&script).into_iter().rev().find(|text| text.contains("Submission")).unwrap();
        (submitted["untaken"].clone(), said)
    };
    for (untaken, said) in [
        (Untaken::Empty, "/a.py was empty at the deadline; its last save was submitted."),
        (Untaken::TooLarge, "/a.py was too large at the deadline; its last save was submitted."),
        (
            Untaken::Unreadable,
            "/a.py could not be read at the deadline; its last save was submitted.",
        ),
        (Untaken::Changed, "/a.py was changed after the deadline; its last save was submitted."),
    ] {
        let untaken = untaken.to_json();
        let captured = format!("- {}", untaken.as_str().unwrap());
        assert_eq!(story(&captured), (untaken, format!("Submission 1: {said}")));
    }
    let as_it_stood = "Submission 1: /a.py, as it stood at the deadline.".to_owned();
    assert_eq!(story("-"), (Json::Null, as_it_stood.clone()));
    assert_eq!(story("#2"), (Json::Null, as_it_stood));
}

#[test]
fn a_file_that_cannot_be_taken_is_told_at_once_and_again_at_the_deadline() {
    let script = play(&format!(
        "{WATCHED} 30:00 saved #1\n 31:00 missed too_large\n 32:00 missed missing\n 33:00 saved \
         #2\n 34:00 missed missing\n 40:00 tick\n 40:01 captured - unreadable"
    ));
    let lost = payloads(&script, "SOLUTION_LOST");
    assert_eq!(
        lost.iter().map(|lost| &lost["why"]).collect::<Vec<_>>(),
        ["too_large", "missing", "missing"]
    );
    let said = told(&script);
    let too_large = "The watched file has more than 512 KiB. It is not taken until it is smaller.";
    assert!(said.iter().any(|text| text == too_large), "{said:#?}");
    assert_eq!(payloads(&script, "CANDIDATE_CODE_SUBMISSION")[0]["untaken"], "unreadable");
    let unsubmitted = |before: &str| {
        let script = play(&format!("{WATCHED} {before} 40:00 tick\n 40:01 captured - too_large"));
        let said = told(&script).into_iter().rev();
        said.clone().find(|text| text.contains("no longer watched")).unwrap()
    };
    assert_eq!(
        unsubmitted(""),
        "The file is no longer watched: it was too large at the end, and nothing had been saved in it \
         before."
    );
}

#[test]
fn a_view_says_that_a_file_is_lost_until_it_is_saved_again() {
    let watched = |script: &str| play(&format!("{WATCHED} 30:00 saved #1\n{script}")).watched();
    assert_eq!(watched("").lost, None);
    let lost = watched("31:00 missed missing");
    assert_eq!((lost.lost, lost.saves), (Some(Obstacle::Missing), 1));
    assert_eq!(watched("31:00 missed missing\n 32:00 saved #1").lost, None);
}

#[test]
fn what_cannot_be_captured_at_all_leaves_the_last_save() {
    let captured = |saved: &str| {
        let mut script = Script::play(&format!("{WATCHED}{saved} 40:00 tick"));
        script.fail_capture("the disk is gone", time("40:01"));
        script.check();
        let submitted = payloads(&script, "CANDIDATE_CODE_SUBMISSION");
        let unwatched = payloads(&script, "SOLUTION_UNWATCHED").remove(0);
        (submitted.first().map(|s| s["untaken"].clone()), unwatched["reason"].clone())
    };
    assert_eq!(captured("30:00 saved #1\n"), (Some(Untaken::Unreadable.to_json()), Json::Null));
    assert_eq!(captured(""), (None, Json::from("the disk is gone")));
}

#[test]
fn what_comes_late_stands_in_the_section_that_it_answers() {
    let script = play(&format!(
        "{WATCHED}
        30:00 saved #1
        39:57 ask concept What is a heap?
        39:58 submit /a.py #1
        39:59 test /a.py #3
        40:00 tick
        40:01 captured #2
        40:05 verdict 5/12
        40:06 verdict 12/12
        40:07 tried 1/1
        40:08 answer A tree.
        40:20 say This belongs to the last section.
        50:00 tick
    "
    ));
    let bundle = bundle(&script);
    let build = section(&bundle, "build");
    let origins: Vec<_> = build.code_history.iter().map(|version| version.origin).collect();
    let expected =
        [CodeOrigin::Saved, CodeOrigin::Candidate, CodeOrigin::OwnTests, CodeOrigin::Deadline];
    assert_eq!(origins, expected);
    let captured = build.code_history.last().unwrap().verdict.as_ref().unwrap();
    assert_eq!((captured.tests_passed, captured.tests_failed), (12, 0));
    let texts = |id: &str| {
        let entries = section(&bundle, id).raw_transcript.iter();
        entries.map(Entry::text).collect::<Vec<_>>()
    };
    let late = [
        "Submission 2: /a.py, as it stood at the deadline.",
        "The file is no longer watched.",
        "Submission 1: WRONG_ANSWER, 5 of 12 tests passed. Failing: test_get_updates_recency, \
         test_capacity_one, test_capacity_large, test_repeated_operations, test_all_same_key, \
         test_alternating_access, test_deterministic_random.",
        "Submission 2 passed all 12 tests.",
        "Own cases: 1 of 1 came out as expected.",
        "A tree.",
    ];
    let (build_texts, close_texts) = (texts("build"), texts("close"));
    assert!(build_texts.ends_with(&late), "{build_texts:#?}");
    assert!(late.iter().all(|text| !close_texts.contains(text)), "{close_texts:#?}");
    assert!(close_texts.contains(&"This belongs to the last section."));
    let of_build = Some("build");
    assert!(
        build
            .raw_transcript
            .iter()
            .rev()
            .take(late.len())
            .all(|e| e.telling.section_id.as_deref() == of_build)
    );
}

/// The types of the events from the first of a type on.
fn from(script: &Script, event_type: &str) -> Vec<String> {
    let types = script.events().into_iter().map(|event| event.event_type);
    types.skip_while(|other| other != event_type).collect()
}

#[test]
fn done_submits_a_newer_save_and_the_artifact_waits_for_it() {
    let script = play(&format!(
        "{WATCHED}
        26:00 submit /a.py #1
        26:01 verdict 5/12
        27:00 saved #2
        28:00 done
        28:00.5 captured -
        28:02 verdict 12/12
    "
    ));
    let build = payloads(&script, "CANDIDATE_CODE_SUBMISSION").remove(1);
    assert_eq!((&build["origin"], &build["section_id"]), (&"section_end".into(), &"build".into()));
    assert_eq!(build["until_deadline_micros"], Json::from(12 * 60 * 1_000_000));
    assert_eq!(submitters(&script), [Actor::Candidate, Actor::System]);
    let types = script.events().into_iter().skip_while(|e| e.timestamp < time("28:00"));
    assert_eq!(
        types.map(|event| event.event_type).collect::<Vec<_>>(),
        [
            "SECTION_ENDED",
            "SECTION_STARTED",
            "PROMPT_PRESENTED",
            "CANDIDATE_CODE_SUBMISSION",
            "SOLUTION_UNWATCHED",
            "SECTION_SUMMARIZED",
            "EVAL_RESULT",
        ]
    );
    assert_eq!(payloads(&script, "SECTION_SUMMARIZED").pop().unwrap()["submissions"], 2);
    assert!(
        told(&script)
            .contains(&"Submission 2: /a.py, as it stood at the end of the section.".to_owned())
    );
}

#[test]
fn a_covered_section_submits_a_newer_save_too() {
    let script = play(
        "
        00:00 watch /a.py
        00:00 begin
        00:10 cover requirements constraints metrics
        00:40 tick
        00:50 cover approach complexity failure_modes tradeoffs
        01:20 tick
        02:00 submit /a.py #1
        02:01 verdict 12/12
        02:05 test /a.py #1
        02:06 tried 1/1
        02:10 say All 12 tests pass now.
        02:20 cover correctness
        02:30 saved #2
        03:30 tick
        03:31 captured -
    ",
    );
    assert_eq!(payloads(&script, "SECTION_ENDED").pop().unwrap()["reason"], "coverage_satisfied");
    assert_eq!(
        payloads(&script, "CANDIDATE_CODE_SUBMISSION").pop().unwrap()["origin"],
        "section_end"
    );
}

#[test]
fn an_artifact_is_not_sealed_before_the_file_of_its_deadline_is_read() {
    // The daemon was down from before the deadline until after the grace.
    let mut script = Script::play(&format!("{WATCHED} 30:00 saved #1\n 40:20 tick"));
    let sealed = |script: &Script| {
        let sealed = payloads(script, "SECTION_SUMMARIZED").into_iter();
        sealed.filter(|payload| payload["section_id"] == "build").collect::<Vec<_>>()
    };
    assert_eq!(sealed(&script), Vec::<Json>::new());
    script.line("40:21 captured #2 late");
    script.line("40:22 tick");
    assert_eq!(sealed(&script)[0]["submissions"], 1);
    script.check();
}

#[test]
fn an_interview_is_complete_only_when_nothing_is_under_way() {
    let last = |asked: &str, answered: &str| {
        let mut script = Script::play(&format!("00:00 begin\n 25:00 tick\n {asked}\n 46:00 tick"));
        assert_eq!(payloads(&script, "INTERVIEW_COMPLETED"), Vec::<Json>::new());
        script.line(answered);
        script.check();
        script.events().into_iter().rev().take(2).map(|e| e.event_type).collect::<Vec<_>>()
    };
    assert_eq!(
        last("44:59 ask concept What is a heap?", "46:01 answer A tree."),
        ["INTERVIEW_COMPLETED", "ASSISTANT_RESPONSE"]
    );
    assert_eq!(
        last("39:59 test /a.py #1", "46:01 tried 1/1"),
        ["INTERVIEW_COMPLETED", "OWN_TESTS_RESULT"]
    );
    assert_eq!(
        last("39:59 test /a.py #1", "46:01 tried - no Python was found"),
        ["INTERVIEW_COMPLETED", "OWN_TESTS_ABORTED"]
    );
}

#[test]
fn what_is_under_way_when_an_interview_is_left_is_told_to_have_ended() {
    let script = play(&format!(
        "{WATCHED}
        26:00 saved #1
        26:01 submit /a.py #1
        26:02 test /a.py #1
        26:03 ask concept What is a heap?
        26:04 end
    "
    ));
    assert_eq!(
        from(&script, "ASSISTANT_QUERY"),
        [
            "ASSISTANT_QUERY",
            "SECTION_ENDED",
            "SECTION_SUMMARIZED",
            "EVAL_ABORTED",
            "OWN_TESTS_ABORTED",
            "ASSISTANT_RESPONSE",
            "SOLUTION_UNWATCHED",
            "INTERVIEW_TERMINATED",
        ]
    );
    let early = play("00:00 watch /a.py\n 00:01 end");
    assert_eq!(from(&early, "SOLUTION_UNWATCHED"), ["SOLUTION_UNWATCHED", "INTERVIEW_TERMINATED"]);
}

/// With a starter of `#0`: what was submitted at the deadline, or why nothing was.
fn at_deadline(script: &str) -> (Vec<Json>, Json) {
    let mut spec = spec();
    spec.problem.starters.insert(Language::Python, "#0".to_owned());
    let script = Script::play_with(&spec, &format!("{WATCHED}{script}"));
    script.check();
    let submitted = payloads(&script, "CANDIDATE_CODE_SUBMISSION").into_iter();
    let submitted = submitted.filter(|payload| payload["origin"] == "deadline");
    let unwatched = payloads(&script, "SOLUTION_UNWATCHED").remove(0);
    (submitted.collect(), unwatched["not_submitted"].clone())
}

#[test]
fn a_file_that_holds_no_work_or_was_submitted_as_it_stands_is_not_submitted() {
    let why = |script: &str| {
        let (submitted, why) = at_deadline(script);
        assert_eq!(submitted, Vec::<Json>::new());
        NotSubmitted::from_json(why).unwrap()
    };
    assert_eq!(why("26:00 saved #0\n 40:00 tick\n 40:01 captured -"), NotSubmitted::Starter);
    assert_eq!(why("40:00 tick\n 40:01 captured #0"), NotSubmitted::Starter);
    let reverted = "26:00 saved #1\n 40:00 tick\n 40:01 captured #0";
    assert_eq!(why(reverted), NotSubmitted::Starter);
    let emptied = "26:00 saved #0\n 40:00 tick\n 40:01 captured - empty";
    assert_eq!(why(emptied), NotSubmitted::Starter);
    let submitted =
        "26:00 submit /a.py #0 again\n 26:01 verdict 0/12\n 40:00 tick\n 40:01 captured #0";
    assert_eq!(why(submitted), NotSubmitted::Unchanged);
    let back = "26:00 submit /a.py #1\n 26:01 verdict 5/12\n 27:00 saved #2\n 40:00 tick\n 40:01 captured #1";
    assert_eq!(why(back), NotSubmitted::Unchanged);
    assert_eq!(why("40:00 tick\n 40:01 captured -"), NotSubmitted::Nothing);
    assert_eq!(why("40:00 tick\n 40:01 captured - empty"), NotSubmitted::Nothing);
}

// 001 5.2
#[test]
fn a_submission_within_the_grace_is_taken_as_late_and_after_it_refused() {
    let script = play(
        "
        00:00 begin
        40:00.5 submit /a.py #1
        40:03 verdict 5/12
        40:15 submit /a.py #2
        40:15.1 verdict 12/12
        40:15.2 submit /a.py #3
        50:00 tick
    ",
    );
    let submitted = payloads(&script, "CANDIDATE_CODE_SUBMISSION");
    let receipts: Vec<_> = submitted
        .iter()
        .map(|s| (s["section_id"].clone(), s["late"].clone(), s["until_deadline_micros"].clone()))
        .collect();
    let late = |micros: i64| (Json::from("build"), Json::from(true), Json::from(micros));
    assert_eq!(receipts, [late(-500_000), late(-15_000_000)]);
    assert!(script.output.contains("! invalid_transition"), "{}", script.output);
    let bundle = bundle(&script);
    assert!(bundle.submissions.iter().all(|submission| submission.late));
    let entries = section(&bundle, "build").raw_transcript.iter();
    let late: Vec<_> = entries.filter(|entry| entry.telling.late).map(Entry::text).collect();
    let said = "/a.py, within the grace period.";
    assert_eq!(late, [format!("Submission 1: {said}"), format!("Submission 2: {said}")]);
}

#[test]
fn a_late_submission_waits_for_the_file_of_the_deadline() {
    let script = play(&format!(
        "{WATCHED}
        30:00 saved #1
        40:00.5 submit /a.py #2
        40:01 captured -
        40:02 view
        40:02 submit /a.py #2
        40:03 verdict 5/12
        40:04 view
        40:05 submit /a.py #2
        40:06 verdict 12/12
    "
    ));
    let refused = script.output.matches("! invalid_transition").count();
    let views: Vec<_> = script.output.lines().filter(|line| line.starts_with("view")).collect();
    let offered: Vec<_> = views.iter().map(|view| view.contains("submit")).collect();
    assert_eq!((refused, offered), (2, vec![false, true]), "{}", script.output);
    let submitted = payloads(&script, "CANDIDATE_CODE_SUBMISSION");
    let late: Vec<_> = submitted.iter().map(|s| s["late"] == true).collect();
    assert_eq!(late, [false, true]);
}
