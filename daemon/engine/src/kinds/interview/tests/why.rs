//! `why` of an interview's events, as people read it.

use insta::assert_snapshot;
use vosim_protocol::v1::session::Explanation;
use vosim_protocol::{EventId, Kind, Wire};

use super::script::{SESSION, Script};
use crate::because::tests::told;
use crate::kinds;

/// Most types of event.
pub(super) const FLOW: &str = "
    00:00 here
    00:00 begin
    00:20 say What does a missing key give?
    00:30 cover constraints
    00:40 tick
    01:00 cover metrics
    01:10 tick
    07:00 say I cannot say more, let us go on.
    10:14 say The input is one key, and each operation gives exactly 1 value back.
    11:00 gone
    12:00 here
    13:00 cover approach complexity failure_modes tradeoffs
    13:30 watch /home/me/my_lru.py
    13:40 tick
    14:00 saved #1
    14:10 submit /home/me/my_lru.py #1
    14:12 verdict 5/12
    14:13 hint
    14:20 test /home/me/my_lru.py #1
    14:21 tried 1/1
    14:30 ask concept What is a linked list?
    14:31 answer A list of nodes.
    15:00 done
    16:00 end
";

/// What is told of the first event of a type, or of the one that comes so many later.
fn why(played: &Script, event_type: &str, nth: usize) -> String {
    let of_type = |record: &&vosim_protocol::EventRecord| record.event_type == event_type;
    let events = played.events();
    let record = events.iter().filter(of_type).nth(nth).unwrap();
    told(&explained(played, record.event_id))
}

fn explained(played: &Script, id: EventId) -> Explanation {
    kinds::why(Kind::Interview, SESSION, &played.spec, &played.lines, id).unwrap().unwrap()
}

#[test]
fn a_follow_up_names_its_dimension_place_coverage_rule_and_the_alternatives() {
    let played = Script::play(FLOW);
    assert_snapshot!(why(&played, "FOLLOWUP_SELECTED", 0));
    assert_snapshot!(why(&played, "FOLLOWUP_PRESENTED", 0));
}

#[test]
fn everything_else_says_what_it_looked_at_with_times_and_titles() {
    let played = Script::play(FLOW);
    let types = [
        "INTERVIEW_CREATED",
        "INTERVIEW_STARTED",
        "SECTION_STARTED",
        "CANDIDATE_MESSAGE",
        "CLARIFICATION_GIVEN",
        "SECTION_TIME_WARNING",
        "SECTION_ENDED",
        "CANDIDATE_DISCONNECTED",
        "CANDIDATE_RECONNECTED",
        "CANDIDATE_CODE_SUBMISSION",
        "EVAL_RESULT",
        "HINT_REQUESTED",
        "SOLUTION_SAVED",
        "OWN_TESTS_RESULT",
        "ASSISTANT_RESPONSE",
        "COVERAGE_SATISFIED",
    ];
    let all: Vec<_> = types.into_iter().map(|event_type| why(&played, event_type, 0)).collect();
    assert_snapshot!(all.join("\n"));
    let late = played.events().iter().filter(|r| r.event_type == "CANDIDATE_MESSAGE").count();
    let late = (0..late).map(|nth| why(&played, "CANDIDATE_MESSAGE", nth));
    assert_snapshot!(late.filter(|told| told.contains("late")).collect::<String>());
}

#[test]
fn no_explanation_shows_data_as_programs_spell_it() {
    let played = Script::play(FLOW);
    for record in played.events() {
        let told = told(&explained(&played, record.event_id));
        let told = told.split_once('\n').unwrap().1;
        assert!(!told.contains(['{', '}']) && !told.contains("_micros"), "{told}");
    }
}

/// What the candidate may ask about while the interview runs tells no question that was not asked.
#[test]
fn no_explanation_quotes_a_pool() {
    let played = Script::play(FLOW);
    let asked: Vec<_> = played.events().iter().map(|record| record.payload.to_string()).collect();
    for record in played.events() {
        let json = explained(&played, record.event_id).to_json().to_string();
        for (_, rest) in json.match_indices("Question ").map(|(at, _)| json.split_at(at)) {
            let question = &rest[..rest.find('?').unwrap()];
            assert!(asked.iter().any(|payload| payload.contains(question)), "{json}");
        }
    }
}

#[test]
fn the_prompt_of_the_coding_section_names_the_file_that_is_watched() {
    use crate::schema::spec;
    let mut spec = spec();
    spec.schema.sections[2].prompt = "Please write it in {file}.".to_owned();
    let prompt = |watch: &str| {
        let script = format!("00:00 begin\n{watch}\n10:00 tick\n25:00 tick",);
        let played = Script::play_with(&spec, &script);
        played.check();
        let presented = |r: &&vosim_protocol::EventRecord| {
            r.event_type == "PROMPT_PRESENTED" && r.payload["section_id"] == "build"
        };
        let text = played.events().iter().find(presented).unwrap().payload["text"].clone();
        text.as_str().unwrap().to_owned()
    };
    assert_eq!(prompt(""), "Please write it in `lru_cache.py` or `lru_cache.js`.");
    assert_eq!(prompt("00:01 watch /home/me/my_lru.py"), "Please write it in `my_lru.py`.");
    assert_eq!(
        prompt("00:01 watch /home/me/`ignore` all of it.py"),
        "Please write it in the file that is watched."
    );
}
