//! Wordings that are used, and those that break each of the rules.

use super::*;
use crate::parts::hearing;
use crate::{problem, schema};

const COST: &str = "What does each call cost in time, and why?";

/// A problem with a program worth hiding.
fn hidden() -> Problem {
    let mut problem = problem::spec().problem;
    problem.statement = "Implement an LRU cache with `get(key)` and `put(key, value)`.".to_owned();
    let program = "class LRUCache:\n    def put(self, key, value):\n        self.order.move_to_end(key)\n        self.order[key] = value\n        if len(self.order) > self.capacity:\n            self.order.popitem(last=False)\n";
    problem.solutions.insert(vosim_protocol::v1::problem::Language::Python, program.to_owned());
    problem
}

fn held(text: &str, purpose: Purpose, wording: &str) -> Result<(), Unfaithful> {
    Original { text, purpose, problem: &hidden(), about: None }.check(wording)
}

/// A wording of a follow-up on what calls cost.
fn followup(text: &str, wording: &str) -> Result<(), Unfaithful> {
    let (problem, sections) = (hidden(), schema::spec().schema.sections);
    let listener = Listener::new(Some(hearing::current()), &problem.interface, &problem.statement);
    let about = Some(AskedAbout {
        dimension: "complexity",
        dimensions: &sections[1].dimensions,
        listener: listener.as_ref(),
    });
    Original { text, purpose: Purpose::Followup, problem: &problem, about }.check(wording)
}

#[test]
fn a_wording_that_asks_the_same_is_used() {
    for wording in [
        "How much time does each call cost, and what is the reason?",
        "And each call, what does it cost in time, and why is that?",
        "Could you say what each single call costs in time, and why?",
    ] {
        assert_eq!(followup(COST, wording), Ok(()), "{wording}");
    }
}

#[test]
fn a_followup_asks_as_often_as_before_and_ends_with_its_question() {
    for wording in [
        "Tell me what each call costs in time, and why.",
        "What does each call cost in time? And why?",
        "",
    ] {
        assert_eq!(followup(COST, wording), Err(Unfaithful::Questions), "{wording}");
    }
    let goes_on = "What does each call cost in time, and why? Take the time that you need.";
    assert_eq!(followup(COST, goes_on), Err(Unfaithful::GoesOn));
}

#[test]
fn a_wording_has_about_the_length_of_its_text() {
    let long = format!("What does each call cost in time, {}and why?", "and in time, ".repeat(30));
    assert_eq!(followup(COST, &long), Err(Unfaithful::Longer));
    let hint = "Look at the order in which the keys are used, and at what a read changes in it.";
    assert_eq!(held(hint, Purpose::Hint, "Look at the keys."), Err(Unfaithful::Shorter));
}

#[test]
fn what_is_quoted_marked_or_counted_stays() {
    let text = "You said “the list is kept in order”. With 3 keys in `cache.py`, which one goes?";
    let asked = |wording: &str| followup(text, wording);
    let kept = "With 3 keys in `cache.py`, and as “the list is kept in order”, which one goes?";
    assert_eq!(asked(kept), Ok(()));
    let lost = |what| Err(Unfaithful::LeavesOut { what });
    let wording = "You said the list has an order. With 3 keys in `cache.py`, which one goes?";
    assert_eq!(asked(wording), lost("what the candidate has said"));
    let wording = "You said “the list is kept in order”. With 3 keys in the file, which one goes?";
    assert_eq!(asked(wording), lost("a name or a program"));
    let wording = "You said “the list is kept in order”. With keys in `cache.py`, which one goes?";
    assert_eq!(asked(wording), lost("a number"));
    let block = "Look at this:\n```\nmove to end\n```\nWhat is missing?";
    let wording = "See this:\n```\nmove to front\n```\nWhat is missing?";
    assert_eq!(held(block, Purpose::Hint, wording), lost("a name or a program"));
}

#[test]
fn a_wording_brings_in_no_number_no_name_and_no_quotation() {
    let brings = |what| Err(Unfaithful::BringsIn { what });
    for (wording, what) in [
        ("What does each of the 2 calls cost in time, and why?", "a number"),
        ("What does each call of `popitem` cost in time, and why?", "a name of code"),
        ("What does each call cost in time with an OrderedDict, and why?", "a name of code"),
        ("What does each call cost in time with move_to_end, and why?", "a name of code"),
        ("What does each call, say heappush(x), cost in time, and why?", "a name of code"),
        ("What does each call cost in time with collections.deque, and why?", "a name of code"),
        ("You said “it is cheap”: what does each call cost in time, and why?", "a quotation"),
    ] {
        assert_eq!(followup(COST, wording), brings(what), "{wording}");
    }
    let known = "Could you say what each call of `get(key)` costs in time, and why?";
    assert_eq!(followup(COST, known), Ok(()), "the statement names it");
}

#[test]
fn no_wording_tells_of_a_program_or_of_a_way_to_one() {
    let hint =
        "Look at the order in which keys are used, and at what has to change in it with each read.";
    let row =
        "Look at the order of keys: def put self key value self order then changes with a read.";
    assert_eq!(held(hint, Purpose::Hint, row), Err(Unfaithful::Tells));
    let plan = "First create a map of the keys. Then add a list in their order. Then change it with each read used.";
    assert_eq!(held(hint, Purpose::Hint, plan), Err(Unfaithful::Tells));
}

#[test]
fn an_interviewer_neither_judges_nor_speaks_of_itself() {
    let judged = "Great! What does each call cost in time, and why?";
    assert_eq!(followup(COST, judged), Err(Unfaithful::Judges));
    let judged = "You passed, so what does each call cost in time, and why?";
    assert_eq!(followup(COST, judged), Err(Unfaithful::Judges));
    let judged = "Your last answer passed every call, so what does each cost in time, and why?";
    assert_eq!(followup(COST, judged), Err(Unfaithful::Judges));
    for wording in [
        "Sure: what does each call cost in time, and why?",
        "Here is the question: what does each call cost in time, and why?",
        "As an AI I ask: what does each call cost in time, and why?",
        "What does each call cost the candidate in time, and why?",
    ] {
        assert_eq!(followup(COST, wording), Err(Unfaithful::Aside), "{wording}");
    }
    let own = "Great: all tests pass, and each call is cheap.";
    assert_eq!(held(own, Purpose::Feedback, "Great, the tests all pass with cheap calls."), Ok(()));
}

#[test]
fn a_wording_stays_with_what_the_text_is_about() {
    for wording in [
        "Which colour do bananas have in the morning?",
        "Was kostet jeder Aufruf an Zeit, und warum?",
        "Which failure would an empty input lead to, and why?",
        "The section ends now. What does each call cost in time, and why?",
        "Your program is accepted! What does each call cost in time, and why?",
        "Your work is over; what does each call cost in time, and why?",
        "Your work is over: what does each call cost in time, and why?",
        "I have stopped the clock for you. What does each call cost in time, and why?",
    ] {
        assert_eq!(followup(COST, wording), Err(Unfaithful::Elsewhere), "{wording}");
    }
    let quoting = "You said: “a dict and a list” What does each call cost in time, and why?";
    let beside = "You said: “a dict and a list” We are done here. What does each call cost in time, and why?";
    assert_eq!(held(quoting, Purpose::Followup, beside), Err(Unfaithful::Elsewhere));
    let told = "You said: “a dict and a list”. Now, what does each call cost in time, and why?";
    assert_eq!(held(quoting, Purpose::Followup, told), Ok(()));
    let little = "Please tell me this. What does each call cost in time, and why?";
    assert_eq!(held(COST, Purpose::Followup, little), Ok(()), "it says nothing of another thing");
}

#[test]
fn a_wording_hints_at_no_technique_that_its_text_does_not_name() {
    let brings = Err(Unfaithful::BringsIn { what: "a technique" });
    for hinted in [
        "What does each call cost in time, and why, or would a heap be better?",
        "What does each call cost in time, and why, or would a hash set be better?",
        "What does each call cost in time, and why, and what would Dijkstra do?",
    ] {
        assert_eq!(held(COST, Purpose::Followup, hinted), brings, "{hinted}");
    }
    let text = "What does each call cost with a heap, and why?";
    let named = "With a heap, what does each call cost, and why?";
    assert_eq!(held(text, Purpose::Followup, named), Ok(()));
}

#[test]
fn a_question_does_not_hold_its_answer() {
    let wording = "Each call runs in constant time on average because the hash map finds the key at once \
        and the list only moves a node, so no call costs more time, why?";
    assert_eq!(followup(COST, wording), Err(Unfaithful::Answers));
}

#[test]
fn the_text_itself_is_always_faithful() {
    let all = schema::spec().schema;
    let questions = all.sections.iter().flat_map(|section| {
        let asked = section.dimensions.iter().flat_map(|known| known.questions.iter());
        asked.chain([&section.prompt])
    });
    for text in questions.map(String::as_str).chain([COST, "", "`"]) {
        assert_eq!(followup(text, text), Ok(()), "{text}");
    }
}
