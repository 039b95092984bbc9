//! What is asked about a changed problem once a drill is solved.

use insta::assert_snapshot;
use vosim_protocol::v1::drill::Spec;

use super::script::Script;
use crate::problem::{spec, variations};

const PASS: &str =
    "00:01 submit a.py #1\n00:02 verdict 12/12\n00:02 words\n00:03 growth 300 310 350\n";

fn play(script: &str) -> String {
    let spec = Spec { variations: variations(), ..spec() };
    Script::play_with(&spec, script).output().to_owned()
}

#[test]
fn after_the_first_pass_one_change_is_asked_about_and_with_its_answer_another() {
    assert_snapshot!(play(&format!(
        "{PASS}00:04 say Each entry keeps its end.\n00:05 say A lock around both.\n00:06 say And?\n\
         00:07 submit b.py #2\n00:08 verdict 12/12\n00:08 words\n00:09 end"
    )), @r#"
    3 CODE_SUBMITTED attempt 1 python a.py lines=1 bytes=2
    4 EVAL_RESULT attempt 1 12/12 PASS
    5 GROWTH_PROBE_STARTED attempt 1 python
    6 AGENT_RESPONSE attempt 1 PASS none Problem "All 12 tests pass."
    7 VARIATION_ASKED 1 "A time to live" "A time to live is wanted. What changes?"
    8 GROWTH_MEASURED attempt 1 Constant points=3
    9 VARIATION_ANSWERED 1 "Each entry keeps its end."
    10 VARIATION_ASKED 2 "Two threads" "Two threads is wanted. What changes?"
    11 VARIATION_ANSWERED 2 "A lock around both."
    ! invalid_transition: cannot say in current state: no question is open; a drill asks after the first pass | see where it stands (Status)
    12 CODE_SUBMITTED attempt 2 python b.py lines=1 bytes=2
    13 EVAL_RESULT attempt 2 12/12 PASS
    14 GROWTH_PROBE_STARTED attempt 2 python
    15 AGENT_RESPONSE attempt 2 PASS none Problem "All 12 tests pass."
    16 SESSION_ENDED success attempts=2 final=12/12 best=12 hints=0 duration=9
    "#);
}

#[test]
fn what_got_no_answer_is_asked_about_once_more_in_other_words() {
    let told = play(&format!(
        "{PASS}00:04 say Hmm, ok.\n00:05 say What do you mean?\n00:06 say A lock around both."
    ));
    let asked: Vec<_> = told.lines().filter(|line| line.contains("VARIATION_ASKED")).collect();
    let about = |number| format!("VARIATION_ASKED {number} ");
    assert_eq!(asked.len(), 3, "{told}");
    assert!(asked[1].contains(&about(1)) && asked[2].contains(&about(2)), "{told}");
    let reworded = "\"A time to live is wanted. Which part of your code ";
    assert!(asked[1].contains(reworded) && !asked[0].contains(reworded), "{told}");
    let declined = play(&format!("{PASS}00:04 say I don't know."));
    assert_eq!(declined.matches(&about(1)).count(), 1, "{declined}");
}

#[test]
fn nothing_waits_for_an_answer_and_a_failure_asks_nothing() {
    let failed = play("00:01 submit a.py #1\n00:02 verdict 5/12\n00:02 words\n00:03 say A lock.");
    assert!(!failed.contains("VARIATION"), "{failed}");
    assert!(failed.contains("no question is open"), "{failed}");
    let ended = play(&format!("{PASS}00:04 end\n00:05 say A lock."));
    assert!(ended.contains("SESSION_ENDED success"), "{ended}");
    assert!(!ended.contains("VARIATION_ANSWERED"), "{ended}");
    // It stays open while another file is judged, and is not asked again for a further pass.
    let later = play(&format!(
        "{PASS}00:04 submit b.py #2\n00:05 say A lock.\n00:06 verdict 12/12\n00:06 words"
    ));
    assert_eq!(later.matches("VARIATION_ASKED").count(), 2, "{later}");
    assert_eq!(later.matches("VARIATION_ANSWERED 1").count(), 1, "{later}");
    assert!(play(&format!("{PASS}00:04 say  ")).contains("the message is empty"));
}

#[test]
fn a_problem_without_variations_asks_nothing() {
    let played = Script::play_with(&spec(), PASS);
    assert!(!played.output().contains("VARIATION"), "{}", played.output());
}
