//! Every event can be explained: the rule, what it looked at, and the rules not taken.

use std::fmt::Write as _;

use insta::assert_snapshot;
use vosim_protocol::{EventId, Hash, Kind};

use super::script::{SESSION, Script};
use super::verify::HONEST;
use crate::because::tests::told;
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

#[test]
fn every_type_of_event_is_explained() {
    let ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 18, 19, 21, 22, 23, 24, 25];
    let all: Vec<_> = ids.into_iter().map(|id| why(HONEST, id)).collect();
    assert_snapshot!(all.join("\n"));
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
        text.lines().find(|line| line.contains("had been judged")).unwrap().to_owned()
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
    let scripts = [
        failures(3),
        failures(5),
        failures(7),
        format!("{}00:09 hint\n00:09 words hint\n", failures(7)),
        format!("{}00:09 give-up confirm\n", failures(1)),
        // The same failure again.
        "
        00:01 submit a.py #1
        00:01 verdict 5/12
        00:02 hint
        00:02 words hint
        00:03 submit a.py #2
        00:03 verdict 5/12
        "
        .to_owned(),
    ];
    assert_snapshot!(scripts.map(|script| hint_after(&script)).join("\n"));
}

#[test]
fn an_event_that_is_not_there_has_no_explanation() {
    let script = Script::play("00:01 end");
    for id in [0, 4, u64::MAX] {
        let why = kinds::why(Kind::Drill, SESSION, &script.spec, &script.lines, EventId(id));
        assert_eq!(why.unwrap(), None);
    }
}
