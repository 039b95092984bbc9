//! What is asked once code has passed, and that the interviewer says when nothing is left to ask.

use vosim_protocol::v1::guide::Variation;
use vosim_protocol::v1::interview::Spec;

use super::only;
use super::script::Script;
use crate::schema::spec;

fn varied() -> Spec {
    let variation = |title: &str| Variation {
        title: title.to_owned(),
        text: format!("{title}. What changes?"),
    };
    let variations = ["A while", "Two threads", "Fewest uses"].map(variation).to_vec();
    Spec { variations, ..spec() }
}

fn log_with(spec: &Spec, script: &str) -> String {
    let played = Script::play_with(spec, script);
    played.check();
    let told = [
        "VARIATION_ASKED",
        "QUESTIONS_OVER",
        "FOLLOWUP_SELECTED",
        "COVERAGE_SATISFIED",
        "SECTION_ENDED",
    ];
    only(&played.output, &told)
}

/// What happened in `build`, each event with its time and what it is about.
fn build(script: &str) -> Vec<String> {
    let told = log_with(
        &varied(),
        &format!(
            "
        00:00 begin
        00:10 cover requirements constraints metrics
        00:40 tick
        00:50 cover approach complexity failure_modes tradeoffs
        01:20 tick
        {script}"
        ),
    );
    let lines = told.lines().skip(4).map(|line| {
        let mut words = line.split(' ').skip(1);
        let (at, what) = (words.next().unwrap(), words.next().unwrap());
        let number = line.split_once("number=").map(|(_, rest)| &rest[..1]);
        let dimension =
            line.split_once("dimension=\"").map(|(_, rest)| rest.split('"').next().unwrap());
        [Some(at), Some(what), number, dimension]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    });
    lines.collect()
}

const PASSES: &str = "
        02:00 cover correctness
        02:10 test a.py #1
        02:11 tried 1/1
        02:20 submit a.py #1
        02:21 verdict 12/12
        02:30 say All 12 tests pass now.";

#[test]
fn after_a_pass_two_variations_are_asked_about_and_never_again() {
    let told = build(&format!(
        "{PASSES}
        02:40 tick
        03:00 say I keep the time beside each key and look at it on a get.
        03:10 tick
        03:30 say I put a lock around each call.
        03:35 submit a.py #2
        03:36 verdict 3/12
        03:40 submit a.py #3
        03:41 verdict 12/12
        03:45 say All 12 tests pass again.
        06:00 tick"
    ));
    let asked: Vec<_> = told.iter().filter(|line| line.contains("VARIATION")).collect();
    assert_eq!(asked, ["02:25 VARIATION_ASKED 1", "03:04 VARIATION_ASKED 2"]);
    assert!(told.contains(&"03:30 COVERAGE_SATISFIED".to_owned()), "{told:?}");
}

#[test]
fn a_variation_without_an_answer_is_asked_about_once_more_in_other_words() {
    let asked = |said: &str| {
        let told = build(&format!("{PASSES}\n {said}\n 06:00 tick"));
        let asked = told.into_iter().filter(|line| line.contains("VARIATION"));
        asked.collect::<Vec<_>>()
    };
    let (first, second) = ("02:25 VARIATION_ASKED 1", "02:54 VARIATION_ASKED 1");
    let after = |at: &str| format!("{at} VARIATION_ASKED 2");
    let nothing = "02:50 say Well, ok.\n 02:55 tick\n 03:10 say Good.\n 03:15 tick";
    assert_eq!(asked(nothing), [first, second, after("03:14").as_str()]);
    // Who goes on within a moment has answered, and who declines is asked something else.
    let goes_on = "02:50 say Well, ok.\n 02:52 say A lock around each call.\n 03:00 tick";
    assert_eq!(asked(goes_on), [first, after("02:56").as_str()]);
    assert_eq!(asked("02:50 say I don't know.\n 02:55 tick"), [first, after("02:54").as_str()]);
}

#[test]
fn a_variation_that_is_not_understood_is_put_in_other_words_and_then_not_once_more() {
    let said = "02:50 say What do you mean?\n 03:00 say Good.\n 03:05 tick";
    let told = build(&format!("{PASSES}\n {said}"));
    let asked: Vec<_> = told.iter().filter(|line| line.contains("VARIATION")).collect();
    assert_eq!(asked, ["02:25 VARIATION_ASKED 1", "03:04 VARIATION_ASKED 2"]);
}

#[test]
fn a_covered_section_waits_a_while_for_an_answer_and_then_ends() {
    let told = build(&format!("{PASSES}\n 06:00 tick"));
    let wrapped: Vec<_> = told.iter().skip_while(|line| !line.contains("VARIATION")).collect();
    // To tell the verdict is no answer.
    let expected = ["02:25 VARIATION_ASKED 1", "04:00 COVERAGE_SATISFIED", "04:20 SECTION_ENDED"];
    assert_eq!(wrapped, expected);
    let after = |more: &str| {
        let told = build(&format!("{PASSES}\n {more}\n 06:00 tick"));
        told.into_iter().skip_while(|line| !line.contains("COVERAGE")).collect::<Vec<_>>()
    };
    assert_eq!(after("03:50 typing"), ["04:50 COVERAGE_SATISFIED", "05:10 SECTION_ENDED"]);
    // Who asks back owes the answer still.
    assert_eq!(after("02:50 say In seconds?")[0], "04:20 COVERAGE_SATISFIED");
}

#[test]
fn what_is_required_is_asked_first() {
    let told = build(
        "
        02:20 submit a.py #1
        02:21 verdict 12/12
        02:40 tick
        02:50 say I do not know what to say to that.
        03:00 tick
        03:10 say It is what I said, and nothing else.
        03:20 tick
        03:30 say I keep the time beside each key.
        04:00 tick",
    );
    let (followups, variations): (Vec<_>, Vec<_>) = told
        .iter()
        .filter(|line| line.contains("ASKED") || line.contains("FOLLOWUP"))
        .partition(|line| line.contains("FOLLOWUP"));
    assert_eq!(followups.len(), 2, "{told:?}");
    assert_eq!(variations.first().map(|line| &line[..5]), Some("03:14"), "{told:?}");
}

#[test]
fn nothing_beyond_the_task_is_asked_before_a_pass_or_shortly_before_the_end() {
    let failed = build("02:20 submit a.py #1\n 02:21 verdict 11/12\n 03:00 tick");
    assert!(!failed.iter().any(|line| line.contains("VARIATION")), "{failed:?}");
    let short = build(
        "
        14:00 cover correctness
        14:31 submit a.py #1
        14:32 verdict 12/12
        15:00 tick",
    );
    assert!(!short.iter().any(|line| line.contains("VARIATION")), "{short:?}");
}

#[test]
fn a_problem_without_variations_has_nothing_more_to_ask() {
    let told = log_with(
        &spec(),
        &format!(
            "
        00:00 begin
        00:10 cover requirements constraints metrics
        00:40 tick
        00:50 cover approach complexity failure_modes tradeoffs
        01:20 tick{PASSES}
        03:00 tick"
        ),
    );
    assert!(!told.contains("VARIATION"), "{told}");
}

#[test]
fn the_interviewer_says_once_when_nothing_is_left_to_ask() {
    let declined = "
        00:00 begin
        00:10 cover requirements metrics
        00:20 tick
        00:30 say I don't know
        00:40 tick
        00:50 say It is what I said, and nothing else.
        01:00 tick";
    let told = log_with(&spec(), declined);
    assert_eq!(told.matches("QUESTIONS_OVER").count(), 1, "{told}");
    assert!(told.contains("00:34 QUESTIONS_OVER"), "{told}");
}
