//! DECISIONS 39: somebody who writes is there, and is not cut off.

use super::only;
use super::script::{Script, log};

const TOLD: &[&str] = &["TYPING", "FOLLOWUP_SELECTED", "COVERAGE_SATISFIED", "SECTION_ENDED", "! "];

/// Each event of these types with its time, one a line.
fn times(log: &str) -> Vec<String> {
    let told = only(log, TOLD);
    let words = told.lines().map(|line| line.split(' ').skip(1).take(2).collect::<Vec<_>>());
    words.map(|words| words.join(" ")).collect()
}

#[test]
fn a_line_that_is_written_holds_back_the_follow_up_until_it_is_sent() {
    let told = times(&log("
        00:00 begin
        00:10 say I would begin with this one first.
        00:12 typing
        00:40 tick
        00:50 say Two operations, and nothing else.
        01:00 tick
    "));
    assert_eq!(told, ["00:12 CANDIDATE_TYPING", "00:54 FOLLOWUP_SELECTED"]);
}

#[test]
fn a_line_that_is_never_sent_holds_for_a_minute_and_one_that_is_given_up_no_longer() {
    let minute = times(&log("
        00:00 begin
        00:10 say I would begin with this one first.
        00:12 typing
        03:00 tick
    "));
    let over = "01:12 CANDIDATE_TYPING_ENDED";
    assert_eq!(minute, ["00:12 CANDIDATE_TYPING", over, "01:12 FOLLOWUP_SELECTED"]);
    let given_up = times(&log("
        00:00 begin
        00:10 say I would begin with this one first.
        00:12 typing
        00:20 typing stopped
        03:00 tick
    "));
    let stopped = "00:20 CANDIDATE_TYPING_ENDED";
    assert_eq!(given_up, ["00:12 CANDIDATE_TYPING", stopped, "00:24 FOLLOWUP_SELECTED"]);
}

#[test]
fn a_covered_section_does_not_end_in_the_middle_of_a_line() {
    let told = times(&log("
        00:00 begin
        00:10 cover requirements constraints metrics
        00:28 typing
        01:10 say One more thing about the values.
        02:00 tick
    "));
    assert_eq!(
        told[..3],
        ["00:10 COVERAGE_SATISFIED", "00:28 CANDIDATE_TYPING", "01:30 SECTION_ENDED"]
    );
    let never_sent = times(&log("
        00:00 begin
        00:10 cover requirements constraints metrics
        00:28 typing
        02:00 tick
    "));
    assert_eq!(never_sent[2..4], ["01:28 CANDIDATE_TYPING_ENDED", "01:28 SECTION_ENDED"]);
}

#[test]
fn the_deadline_of_a_section_waits_for_nobody() {
    let told = times(&log("
        00:00 begin
        09:58 typing
        10:10 tick
    "));
    assert_eq!(told, ["09:58 CANDIDATE_TYPING", "10:00 SECTION_ENDED"]);
}

#[test]
fn a_screen_that_tells_of_every_key_adds_one_event_for_each_message_or_minute() {
    let mut script = Script::play("00:00 begin\n 00:01 say I would begin with this one first.");
    let before = script.lines.len();
    for second in 2..182 {
        script.line(&format!("{:02}:{:02} typing", second / 60, second % 60));
        script.line(&format!("{:02}:{:02} typing stopped", second / 60, second % 60));
    }
    let events = script.events();
    let of = |name: &str| events[before..].iter().filter(|e| e.event_type == name).count();
    assert_eq!((of("CANDIDATE_TYPING"), of("CANDIDATE_TYPING_ENDED")), (3, 3));
    script.check();

    // Whoever sends a line may hold back with the next one at once.
    let told = times(&log("
        00:00 begin
        00:01 typing
        00:02 typing
        00:05 say I would begin with this one first.
        00:06 typing
        00:06 typing stopped
        00:07 typing
    "));
    let [first, second, stopped, refused] = &told[..] else { panic!("{told:?}") };
    assert_eq!([first, second], ["00:01 CANDIDATE_TYPING", "00:06 CANDIDATE_TYPING"]);
    assert_eq!(stopped, "00:06 CANDIDATE_TYPING_ENDED");
    assert!(refused.contains("cannot"), "{refused}");
}

#[test]
fn nobody_writes_where_no_section_is_open_or_no_terminal_is() {
    let before = log("00:00 typing\n 00:01 begin\n 00:02 typing stopped");
    assert!(before.starts_with("! "), "{before}");
    assert!(!before.contains("TYPING"), "{before}");
    let gone = times(&log("
        00:00 here
        00:00 begin
        00:05 say I would begin with this one first.
        00:06 typing
        00:08 gone
        00:09 here
        00:20 tick
    "));
    assert_eq!(gone, ["00:06 CANDIDATE_TYPING", "00:09 FOLLOWUP_SELECTED"]);
}

#[test]
fn a_clock_that_is_stepped_neither_shortens_nor_lengthens_what_a_line_holds_back() {
    let told = times(&log("
        00:00 begin
        00:10 say I would begin with this one first.
        00:12 typing
        00:20 step 3600
        01:11 tick
        01:13 tick
    "));
    assert_eq!(told[0], "00:12 CANDIDATE_TYPING");
    assert_eq!(told[1..], ["61:12 CANDIDATE_TYPING_ENDED", "61:12 FOLLOWUP_SELECTED"]);
}
