//! A model's hearing as evidence (001 6.2; DECISIONS 37): what it moves, when, and what is dropped.

use vosim_protocol::EventId;
use vosim_protocol::v1::effect::Effect;
use vosim_protocol::v1::interview::Spec;
use vosim_protocol::v1::talk::ModelUse;

use super::script::{SESSION, Script};
use crate::kind::Kind as _;
use crate::kinds::interview::Interview;
use crate::schema::spec;
use crate::session::AnySession as _;

fn heard_by_a_model() -> Spec {
    let name = "small".to_owned();
    let model = Some(ModelUse { name, wording: false, assistant: false, hearing: true });
    Spec { model, ..spec() }
}

fn play(script: &str) -> Script {
    let played = Script::play_with(&heard_by_a_model(), script);
    played.check();
    played
}

/// How far a dimension was covered at each step: the event's type and the level.
fn steps(played: &Script, dimension: &str) -> Vec<(String, String)> {
    let events = played.events();
    let changes = events.iter().flat_map(|event| {
        let changes = event.payload["coverage"].as_array().cloned().unwrap_or_default();
        changes.into_iter().map(|change| (event.event_type.clone(), change))
    });
    changes
        .filter(|(_, change)| change["dimension"] == dimension)
        .map(|(event, change)| (event, change["to"].as_str().unwrap().to_owned()))
        .collect()
}

fn count(played: &Script, event_type: &str) -> usize {
    played.events().iter().filter(|event| event.event_type == event_type).count()
}

/// How many messages a model is asked about.
fn asked(played: &Script) -> usize {
    let wanted = played.session.wanted_effects();
    wanted.iter().filter(|(_, effect)| matches!(effect, Effect::Hear(_))).count()
}

/// Hits one group of the dimension, so that it is partly heard.
const PARTLY: &str = "00:00 begin
    00:20 say The latency is what I would look at when it runs for the users.
";

#[test]
fn evidence_moves_a_dimension_by_one_level_and_says_who_heard_it() {
    let played =
        play(&format!("{PARTLY} 00:22 heard metrics covered The latency is what I would look at"));
    let step = |event: &str, level: &str| (event.to_owned(), level.to_owned());
    let expected =
        [step("CANDIDATE_MESSAGE", "partially_covered"), step("MESSAGE_HEARD", "covered")];
    assert_eq!(steps(&played, "metrics"), expected);
    let event = played.events().pop().unwrap();
    assert_eq!(
        (&event.payload["model"], event.payload["message"].as_u64()),
        (&"small".into(), Some(6))
    );
    let quote = &event.payload["testimonies"][0]["quote"];
    assert_eq!(quote, "The latency is what I would look at");
}

#[test]
fn what_a_model_heard_is_what_the_end_quotes() {
    let said = "For the users I would look at its latency under load, too.";
    let played = play(&format!(
        "{PARTLY} 00:22 say {said}\n 00:23 heard @7 metrics covered I would look at its latency
        50:00 tick"
    ));
    let levels: Vec<_> = steps(&played, "metrics").into_iter().map(|(event, _)| event).collect();
    assert_eq!(levels, ["CANDIDATE_MESSAGE", "MESSAGE_HEARD"]);
    let bundle = Interview::evaluation(SESSION, &played.spec, &played.lines).unwrap();
    let mut kept = bundle.sections[0].bounded_context_summary.iter();
    let metrics = kept.find(|kept| kept.dimension.as_deref() == Some("metrics")).unwrap();
    assert_eq!((metrics.event_id, metrics.text.as_str()), (EventId(7), said));
}

#[test]
fn the_follow_up_that_is_due_takes_what_was_heard_by_then_and_waits_for_nothing() {
    let silent = play(&format!("{PARTLY} 02:00 tick"));
    assert_eq!(
        count(&silent, "FOLLOWUP_SELECTED"),
        1,
        "a model that says nothing holds up nothing"
    );
    let late = play(&format!(
        "{PARTLY} 02:00 tick\n 02:01 heard metrics covered The latency is what I would look at"
    ));
    assert_eq!(steps(&late, "metrics").len(), 2, "what comes later counts from then on");
}

#[test]
fn with_the_last_dimension_that_is_heard_the_section_is_covered() {
    let played = play(&format!(
        "{PARTLY} 00:30 cover requirements constraints\n
        00:32 heard @6 metrics covered The latency is what I would look at"
    ));
    assert_eq!(count(&played, "COVERAGE_SATISFIED"), 1);
}

#[test]
fn what_comes_after_the_end_of_the_section_is_dropped() {
    let mut played = play(PARTLY);
    assert_eq!(asked(&played), 1);
    played.line("10:00 tick");
    assert_eq!(asked(&played), 0);
    assert_eq!(count(&played, "MESSAGE_HEARD"), 0);
    played.check();
}

#[test]
fn a_model_is_asked_about_the_newest_messages_alone() {
    let mut played = play(PARTLY);
    for second in 21..26 {
        played
            .line(&format!("00:{second} say And the latency again, as I have just said it here."));
    }
    assert_eq!(asked(&played), 3);
}

#[test]
fn what_is_held_back_is_not_even_asked_about() {
    let script = "00:00 begin
        00:20 say Is a missing key an error?
        00:30 say I don't know
        10:05 say @frame The latency, which I forgot to name before, is what counts for me.
    ";
    assert_eq!(asked(&play(script)), 0);
}

#[test]
fn a_failure_is_told_once_and_changes_nothing() {
    let played = play(&format!("{PARTLY} 00:22 heard !the model did not answer within 8 s"));
    let event = played.events().pop().unwrap();
    assert_eq!(event.payload["failed"], "the model did not answer within 8 s");
    assert_eq!((steps(&played, "metrics").len(), asked(&played)), (1, 0));
}

#[test]
fn inventions_are_kept_and_move_nothing() {
    for said in [
        "metrics covered I measure the hit rate and the tail of the latency",
        "requirements covered latency",
        "approach covered The latency is what I would look at",
        "nothing covered The latency is what I would look at",
    ] {
        let played = play(&format!("{PARTLY} 00:22 heard {said}"));
        let event = played.events().pop().unwrap();
        assert_eq!(event.event_type, "MESSAGE_HEARD");
        assert!(event.payload.get("coverage").is_none(), "{said}: {event:?}");
        assert_eq!(event.payload["testimonies"].as_array().unwrap().len(), 1, "{said}");
    }
}

#[test]
fn a_model_raises_a_dimension_once_in_a_section() {
    let twice = "00:00 begin
        00:20 say Well, let me see what there is to be told of this at all.
        00:22 heard metrics covered let me see what there is
        00:40 say Well, let me see what else there is to be told of this.
        00:42 heard metrics covered let me see what else there is
    ";
    let played = play(twice);
    assert_eq!(steps(&played, "metrics").len(), 1, "{:?}", steps(&played, "metrics"));
}

#[test]
fn without_a_model_nobody_is_asked() {
    let played = Script::play(PARTLY);
    assert_eq!(asked(&played), 0);
}
