//! DECISIONS 40: in a section's first seconds a message belongs where it is an answer.

use vosim_protocol::{EventId, Json};

use super::script::Script;
use crate::kinds::interview::Interview;
use crate::replay::why;
use crate::schema::answer;

use super::script::SESSION;

/// The section of the last message of a script, whether it was late, and the rule that decided.
fn belongs(script: &str) -> (String, bool, String) {
    let played = Script::play(script);
    played.check();
    let events = played.events();
    let place = events.iter().rposition(|e| e.event_type == "CANDIDATE_MESSAGE").unwrap();
    let payload = &events[place].payload;
    let id = EventId(place as u64 + 1);
    let why = why::<Interview>(SESSION, &played.spec, &played.lines, id).unwrap().unwrap();
    let section = payload["section_id"].as_str().unwrap().to_owned();
    (section, payload["late"] == Json::Bool(true), why.rule.key.unwrap())
}

fn check(script: &str, section: &str, late: bool, rule: &str) {
    let (in_section, is_late, by) = belongs(script);
    assert_eq!((&*in_section, is_late, &*by), (section, late, rule), "{script}");
}

#[test]
fn an_answer_to_the_new_question_is_not_late() {
    let approach = answer("approach");
    let script = format!("00:00 begin\n 10:00 tick\n 10:03 say {approach}");
    check(&script, "design", false, "rule.message.new");
}

#[test]
fn an_answer_to_what_was_asked_before_is_late() {
    let requirements = answer("requirements");
    let script = format!("00:00 begin\n 10:00 tick\n 10:03 say {requirements}");
    check(&script, "frame", true, "rule.message.late");
    // The last question was about one thing alone.
    let constraints = answer("constraints");
    let asked =
        "00:00 begin\n 09:00 say I would begin with this one first.\n 09:10 tick\n 10:00 tick";
    check(&format!("{asked}\n 10:03 say {requirements}"), "frame", true, "rule.message.late");
    check(&format!("{asked}\n 10:03 say {constraints}"), "design", false, "rule.message.new");
}

#[test]
fn what_answers_neither_and_what_comes_before_the_new_question_has_words() {
    check("00:00 begin\n 10:00 tick\n 10:03 say Thank you.", "design", false, "rule.message.new");
    let approach = answer("approach");
    let wordless = format!("00:00 begin\n 00:01 manual\n 10:01 say {approach}");
    check(&wordless, "frame", true, "rule.message.late");
}

#[test]
fn who_says_so_and_the_last_section_need_no_hearing() {
    let approach = answer("approach");
    let named = format!("00:00 begin\n 10:00 tick\n 10:03 say @frame {approach}");
    check(&named, "frame", true, "rule.message.named");
    let named = format!("00:00 begin\n 10:00 tick\n 10:03 say @design {}", answer("requirements"));
    check(&named, "design", false, "rule.message.named");
    check("00:00 begin\n 45:03 say Thank you.", "close", true, "rule.message.late_last");
    let after = format!("00:00 begin\n 10:16 say {}", answer("requirements"));
    check(&after, "design", false, "rule.message.open");
}

#[test]
fn what_was_said_before_makes_no_answer_of_a_word() {
    let requirements = answer("requirements");
    let script = format!(
        "00:00 begin\n 09:57 say {requirements}\n 10:00 tick\n 10:03 say Well, so much for that."
    );
    check(&script, "design", false, "rule.message.new");
}
