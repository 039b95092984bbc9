//! What is submitted at the end of the coding section.

use vosim_protocol::v1::interview::{Untaken, View};
use vosim_protocol::{Json, Role, Wire};

use super::script::{Script, time};
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
