//! 001 13: the same transcript triggers the same follow-ups, byte for byte.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use proptest::prelude::*;
use vosim_protocol::v1::coverage::Coverage;
use vosim_protocol::v1::interview::Spec;
use vosim_protocol::{EventId, Json, Wire};

use super::script::{SESSION, Script};
use crate::kind::Kind as _;
use crate::kinds::interview::Interview;
use crate::parts::hearing::current;
use crate::schema::{answer, spec};

const DIMENSIONS: [&str; 9] = [
    "requirements",
    "constraints",
    "metrics",
    "approach",
    "complexity",
    "failure_modes",
    "tradeoffs",
    "correctness",
    "reflection",
];

/// Something a candidate may say: an answer, a part of one, words that mean nothing here.
fn text() -> impl Strategy<Value = String> {
    let answers = (0..DIMENSIONS.len(), 4..20_usize).prop_map(|(which, words)| {
        let words: Vec<_> = answer(DIMENSIONS[which]).split(' ').take(words).collect();
        words.join(" ")
    });
    prop_oneof![
        6 => answers,
        1 => Just("I don't know".to_owned()),
        1 => "[a-z]{1,9}( [a-z]{1,9}){0,12}",
        1 => Just("Is a missing key an error?".to_owned()),
    ]
}

fn transcript() -> impl Strategy<Value = String> {
    let one = (1..90_u32, text());
    prop::collection::vec(one, 1..14).prop_map(|said| {
        let mut script = "00:00 begin\n".to_owned();
        let mut at = 0;
        for (after, text) in said {
            at += after;
            writeln!(script, "{:02}:{:02} say {text}", at / 60, at % 60).unwrap();
        }
        script + "50:00 tick"
    })
}

#[test]
fn a_run_in_which_nothing_passes_is_nothing_to_ask_about() {
    let asked = |run: &str| {
        let played = Script::play(&format!("00:00 begin\n 25:00 tick\n {run}\n 27:00 tick"));
        played.check();
        let events = played.events();
        events.iter().filter(|event| event.event_type == "FOLLOWUP_SELECTED").count()
    };
    assert_eq!(asked("26:00 test /a.py #1\n 26:01 tried 0/1"), 0);
    assert_eq!(asked("26:00 test /a.py #1\n 26:01 tried 1/1"), 1);
    assert_eq!(asked("26:00 submit /a.py #1\n 26:01 verdict 0/12"), 0);
    assert_eq!(asked("26:00 submit /a.py #1\n 26:01 verdict 5/12"), 1);
}

#[test]
fn a_hedged_answer_to_a_question_is_an_answer() {
    let asked = "00:00 begin\n 00:10 say I would begin with this one first.\n 00:20 tick\n";
    for text in ["I guess a missing key is an error?", "Maybe keys are never negative?"] {
        let played = Script::play(&format!("{asked} 00:30 say {text}"));
        played.check();
        let events = played.events();
        let types: Vec<_> = events.iter().map(|event| event.event_type.as_str()).collect();
        assert!(types.contains(&"FOLLOWUP_PRESENTED"), "{types:?}");
        let said = events.iter().rfind(|event| event.event_type == "CANDIDATE_MESSAGE").unwrap();
        assert!(said.payload["guard"].is_null(), "{text}: {}", said.payload);
        assert!(!types.contains(&"INQUIRY_ANSWERED"), "{text}: {types:?}");
    }
}

proptest! {
    #[test]
    fn deterministic_followup_selection(script in transcript()) {
        let (one, other) = (Script::play(&script), Script::play(&script));
        prop_assert_eq!(&one.lines, &other.lines);
        let events = one.events();
        let chosen: Vec<_> =
            events.iter().filter(|event| event.event_type == "FOLLOWUP_SELECTED").collect();
        for followup in &chosen {
            let payload = &followup.payload;
            let section = payload["section_id"].as_str().unwrap();
            let (dimension, index) = (&payload["dimension"], payload["pool_index"].as_u64().unwrap());
            let question = format!("Question {} about {}?", index + 1, dimension.as_str().unwrap());
            // Only from the pool, never twice, never more than the cap, never what is covered.
            prop_assert_eq!(payload["question"].as_str().unwrap(), &question);
            let same = chosen.iter().filter(|other| other.payload["question"] == question.as_str());
            prop_assert_eq!(same.count(), 1);
            let in_section = chosen.iter().filter(|other| other.payload["section_id"] == section);
            let cap = [("frame", 3), ("design", 4), ("build", 2), ("close", 1)];
            let cap = cap.iter().find(|(id, _)| *id == section).unwrap().1;
            prop_assert!(in_section.count() <= cap);
            let before = &payload["coverage_before"][dimension.as_str().unwrap()];
            prop_assert_ne!(before, &"covered".to_owned().to_json());
        }
    }

    #[test]
    fn every_judgement_of_a_bundle_names_the_event_it_rests_on(script in transcript()) {
        let played = Script::play(&script);
        let bundle = Interview::evaluation(SESSION, &played.spec, &played.lines).unwrap();
        let events = played.events();
        let event = |id: &EventId| &events[usize::try_from(id.0).unwrap() - 1];
        for section in &bundle.sections {
            let of = &section.events;
            for (id, event_type) in [
                (&of.started, "SECTION_STARTED"),
                (&of.ended, "SECTION_ENDED"),
                (&of.summarized, "SECTION_SUMMARIZED"),
            ] {
                let record = event(id.as_ref().unwrap());
                prop_assert_eq!(&record.event_type, event_type);
                prop_assert_eq!(record.payload["section_id"].as_str().unwrap(), &section.section_id);
            }
            for (dimension, coverage) in &section.coverage_flags {
                let told = of.coverage.get(dimension).map(|id| event(id).payload.to_string());
                prop_assert_eq!(told.is_none(), *coverage == Coverage::NotCovered);
                let step = format!(r#""to":{}"#, coverage.to_json());
                let names = format!(r#""dimension":"{dimension}""#);
                prop_assert!(told.is_none_or(|told| told.contains(&step) && told.contains(&names)));
            }
            let declined: Vec<_> = of.declined.keys().collect();
            prop_assert_eq!(declined, section.declined.iter().collect::<Vec<_>>());
            for (dimension, id) in &of.declined {
                prop_assert_eq!(event(id).payload["declined"].as_str().unwrap(), dimension);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn what_a_followup_takes_up_was_heard_for_what_it_asks(script in transcript()) {
        let played = Script::play_with(&Spec { hearing: Some(current()), ..spec() }, &script);
        let events = played.events();
        let mut before = BTreeSet::new();
        for (at, followup) in events.iter().enumerate() {
            let payload = &followup.payload;
            let Some(quoted) = payload["quoted"].as_str() else { continue };
            let raises = |said: &Json| {
                let changes = said["coverage"].as_array();
                let about = |change: &Json| change["dimension"] == payload["dimension"];
                changes.is_some_and(|all| all.iter().any(about))
            };
            let heard = events[..at].iter().map(|event| &event.payload).any(|said| {
                said["text"].as_str().is_some_and(|text| text.contains(quoted)) && raises(said)
            });
            prop_assert!(heard, "{quoted}");
            // FOLLOWUP_PRESENTED has no quotation of its own.
            let section = payload["section_id"].as_str().unwrap();
            prop_assert!(before.insert((section, quoted)), "{quoted} is said back twice");
        }
    }
}
