//! What "what do you mean?" gets: the open question in other words, each time others, until there are none.

use vosim_protocol::EventRecord;

use super::script::{SESSION, Script};
use crate::kind::Kind as _;
use crate::kinds::interview::Interview;

fn events(script: &str) -> Vec<EventRecord> {
    let played = Script::play(script);
    played.check();
    played.events()
}

/// What was answered to questions that no card answers.
fn answers(events: &[EventRecord]) -> Vec<&str> {
    let answered = events.iter().filter(|event| event.event_type == "INQUIRY_ANSWERED");
    answered.map(|event| event.payload["text"].as_str().unwrap()).collect()
}

#[test]
fn an_opening_question_is_told_by_its_goal_then_by_its_parts_and_then_there_is_nothing_more() {
    let events = events(
        "00:00 begin
         00:10 say What do you mean?
         00:20 say Could you rephrase that?
         00:30 say I don't understand.
         00:40 say Could you please repeat the question?",
    );
    assert_eq!(
        answers(&events),
        [
            "In other words: Goal of frame.",
            "Take it in parts: requirements, constraints, metrics. A sentence or two on each is \
             enough; begin with any of them.",
            "I have no other words for it. Once more: What about the frame? Say what you can of it; \
             a part is enough.",
            "Once more: What about the frame?",
        ]
    );
    let said = events.iter().filter(|event| event.event_type == "CANDIDATE_MESSAGE");
    for message in said {
        assert_eq!(message.payload["guard"], "question", "{}", message.payload);
    }
}

#[test]
fn a_follow_up_gives_way_to_the_next_question_of_its_pool_and_costs_nothing() {
    let events = events(
        "00:00 begin
         00:10 say I would begin with this one first.
         00:20 tick
         00:30 say What do you mean?
         00:40 say Come again?
         00:50 say Huh?
         01:00 say It is what I said, and nothing else.
         01:10 tick",
    );
    assert_eq!(
        answers(&events),
        [
            "I ask about “requirements”. From another side: Question 2 about requirements?",
            "I ask about “requirements”. From another side: Question 3 about requirements?",
            "I have no other words for it. Once more: Question 3 about requirements? Say what you \
             can of it; a part is enough.",
        ]
    );
    let chosen = events.iter().filter(|event| event.event_type == "FOLLOWUP_SELECTED");
    let of = |event: &EventRecord| {
        let payload = &event.payload;
        (payload["dimension"].as_str().unwrap().to_owned(), payload["budget_before"].as_u64())
    };
    // The candidate has asked for the words: they are none of the questions that may be asked, and none of them
    // is asked again.
    let expected = [("requirements".to_owned(), Some(3)), ("constraints".to_owned(), Some(2))];
    assert_eq!(chosen.map(of).collect::<Vec<_>>(), expected);
}

#[test]
fn a_bundle_tells_a_follow_up_as_it_was_put_last() {
    let played = Script::play(
        "00:00 begin
         00:10 say I would begin with this one first.
         00:20 tick
         00:30 say What do you mean?
         50:00 tick",
    );
    let bundle = Interview::evaluation(SESSION, &played.spec, &played.lines).unwrap();
    let asked = &bundle.sections[0].followups[0];
    assert_eq!((asked.question.as_str(), asked.pool_index), ("Question 2 about requirements?", 1));
    let events = played.events();
    let presented = &events[usize::try_from(asked.presented.0).unwrap() - 1];
    assert_eq!(presented.event_type, "INQUIRY_ANSWERED");
    let selected = &events[usize::try_from(asked.selected.0).unwrap() - 1];
    assert_eq!(selected.event_type, "FOLLOWUP_SELECTED");
}

#[test]
fn after_other_words_nothing_is_asked_before_an_answer() {
    let events = events(
        "00:00 begin
         00:10 say I would begin with this one first.
         00:12 say What do you mean?
         01:00 tick",
    );
    assert_eq!(answers(&events).len(), 1);
    let asked = events.iter().filter(|event| event.event_type == "FOLLOWUP_SELECTED").count();
    assert_eq!(asked, 0);
}

#[test]
fn whether_to_go_on_is_answered_with_what_the_section_is_for() {
    let first = events("00:00 begin\n 00:10 say Should I start coding now?");
    let told = "That is up to you. This section is for this: Goal of frame. `done` ends it; \
                “The design” comes next.";
    assert_eq!(answers(&first), [told]);
    // To a follow-up "next" declines it, and the next question is the reply.
    let declined = events(
        "00:00 begin
         00:10 say I would begin with this one first.
         00:20 tick
         00:30 say next
         00:40 tick",
    );
    assert!(answers(&declined).is_empty());
    let asked = declined.iter().rfind(|event| event.event_type == "FOLLOWUP_SELECTED").unwrap();
    assert_eq!(asked.payload["dimension"], "constraints");
    let last = events("00:00 begin\n 41:00 tick\n 41:10 say What comes next?");
    let told = "That is up to you. This section is for this: Goal of close. `done` ends it, \
                and it is the last.";
    assert_eq!(answers(&last), [told]);
}
