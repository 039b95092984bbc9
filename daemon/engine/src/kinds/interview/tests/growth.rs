//! The time per operation of what has passed: measured beside the interview, told at its end.

use vosim_protocol::v1::guide::Discussion;
use vosim_protocol::{Kind, Role};

use super::only;
use super::script::{SESSION, Script};
use crate::kinds;
use crate::schema::measured;

/// Into the coding section, which lasts from 25:00 to 40:00; all is over at 45:15.
fn play(script: &str) -> Script {
    let played = Script::play_with(&measured(), &format!("00:00 begin\n25:00 tick\n{script}"));
    played.check();
    played
}

/// Number, time and type of each event about it, and of the end.
fn course(played: &Script) -> Vec<String> {
    let log = only(&played.output, &["GROWTH", "INTERVIEW_COMPLETED", "INTERVIEW_TERMINATED"]);
    let short = |line: &str| line.split(' ').take(3).collect::<Vec<_>>().join(" ");
    log.lines().map(short).collect()
}

fn growth_in_report(played: &Script) -> String {
    let none = Discussion::default();
    let report =
        kinds::report(Kind::Interview, SESSION, &played.spec, &played.lines, &none).unwrap();
    let grown = report.growth.map(|grown| (grown.event_id, grown.measured.growth));
    format!("{grown:?}")
}

#[test]
fn each_pass_is_measured_and_the_report_tells_the_last() {
    let played = play(
        "26:00 submit a.py #1
        26:01 verdict 3/12
        27:00 submit a.py #2
        27:01 verdict 12/12
        28:00 submit a.py #3
        28:01 verdict 12/12
        28:02 growth 1900 7600 31000
        28:03 growth 300 310 350
        45:16 tick",
    );
    assert_eq!(
        course(&played),
        [
            "23 27:01 GROWTH_PROBE_STARTED",
            "28 28:01 GROWTH_PROBE_STARTED",
            "29 28:02 GROWTH_MEASURED",
            "30 28:03 GROWTH_MEASURED",
            "40 45:15.000001 INTERVIEW_COMPLETED",
        ]
    );
    assert_eq!(growth_in_report(&played), "Some((EventId(30), Constant))");
    // While it runs the candidate is to name the growth.
    for record in played.events() {
        let silent = record.event_type.starts_with("GROWTH");
        let told = kinds::told(Kind::Interview, Role::Candidate, record).unwrap();
        assert!(!silent || told.telling.unwrap().line.is_none(), "{:?}", told.record);
    }
}

#[test]
fn the_end_waits_for_a_measurement_and_one_that_fails_is_told_with_its_reason() {
    let played = play(
        "39:58 submit a.py #1
        39:59 verdict 12/12
        45:16 tick
        45:20 growth - the run was stopped",
    );
    assert_eq!(
        course(&played),
        [
            "21 39:59 GROWTH_PROBE_STARTED",
            "29 45:20 GROWTH_MEASURED",
            "30 45:20 INTERVIEW_COMPLETED",
        ]
    );
    assert!(played.output.contains("reason=\"the run was stopped\""), "{}", played.output);
    assert_eq!(growth_in_report(&played), "Some((EventId(29), Unclear))");
}

#[test]
fn who_leaves_leaves_nothing_behind_that_is_being_measured() {
    let played = play("26:00 submit a.py #1\n26:01 verdict 12/12\n26:02 end");
    assert_eq!(
        course(&played),
        [
            "19 26:01 GROWTH_PROBE_STARTED",
            "22 26:02 GROWTH_MEASURED",
            "23 26:02 INTERVIEW_TERMINATED",
        ]
    );
    assert!(played.output.contains("reason=\"the interview was left\""), "{}", played.output);
}
