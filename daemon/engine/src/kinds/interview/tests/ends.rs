//! What is submitted at the end of the coding section, what is still waited for, and where both
//! stand in the evaluation bundle.

use vosim_protocol::v1::bundle::{CodeOrigin, EvaluationBundle, SectionArtifact};
use vosim_protocol::v1::interview::{Untaken, View};
use vosim_protocol::{Json, Role, Wire};

use super::super::evaluation;
use super::script::{SESSION, Script, time};
use crate::session::AnySession as _;

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

/// What people read last.
fn told(script: &Script) -> Vec<String> {
    let view = script.session.view(Role::Candidate, time("59:00"));
    let entries = View::from_json(view).unwrap().transcript;
    entries.into_iter().map(|entry| entry.text).collect()
}

fn bundle(script: &Script) -> EvaluationBundle {
    evaluation(SESSION, &script.spec, &script.lines).unwrap()
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
        (
            Untaken::Changed,
            "/a.py was changed after the deadline; its last save before was submitted.",
        ),
    ] {
        let untaken = untaken.to_json();
        let captured = format!("- {}", untaken.as_str().unwrap());
        assert_eq!(story(&captured), (untaken, format!("Submission 1: {said}")));
    }
    let as_it_stood = "Submission 1: /a.py submitted as it stood at the deadline.".to_owned();
    assert_eq!(story("-"), (Json::Null, as_it_stood.clone()));
    assert_eq!(story("#2"), (Json::Null, as_it_stood));
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
        entries.map(|entry| entry.text.as_str()).collect::<Vec<_>>()
    };
    let late = [
        "Submission 2: /a.py submitted as it stood at the deadline.",
        "The file is no longer watched.",
        "Submission 1: WRONG_ANSWER, 5 of 12 tests passed.",
        "Submission 2: PASS, 12 of 12 tests passed.",
        "Own tests: 1 of 1 gave what was expected.",
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
            .all(|e| e.section_id.as_deref() == of_build)
    );
}
