//! What an ended interview teaches: quoted is what was heard and held, missing is what was not.

use vosim_protocol::v1::coverage::Coverage;
use vosim_protocol::v1::guide::{Discussion, SampleAnswer, Variation};
use vosim_protocol::v1::report::{AdviceRule, DimensionReport, Report};
use vosim_protocol::{EventId, Kind, Outcome};

use super::script::{SESSION, Script};
use crate::failure::BundleError;
use crate::kinds;

fn discussion() -> Discussion {
    let sample = |dimension: &str| SampleAnswer {
        dimension: dimension.to_owned(),
        text: format!("A good answer about {dimension}."),
    };
    Discussion {
        discussion: "The idea.".to_owned(),
        variations: vec![Variation { title: "Time to live".to_owned(), text: "What then?".into() }],
        samples: ["requirements", "constraints", "metrics"].map(sample).into(),
    }
}

fn report(script: &str) -> Report {
    let played = Script::play(script);
    played.check();
    kinds::report(Kind::Interview, SESSION, &played.spec, &played.lines, &discussion()).unwrap()
}

fn dimension<'r>(report: &'r Report, id: &str) -> &'r DimensionReport {
    let mut all = report.sections.iter().flat_map(|section| &section.dimensions);
    all.find(|one| one.dimension == id).unwrap()
}

fn said(report: &Report, id: &str) -> Option<String> {
    dimension(report, id).said.as_ref().map(|said| said.text.clone())
}

fn rules(report: &Report) -> Vec<AdviceRule> {
    report.next.iter().map(|advice| advice.rule).collect()
}

/// The events that a report names, with what must stand there.
fn events(report: &Report) -> Vec<EventId> {
    let sections = report.sections.iter();
    let of_sections = sections.clone().flat_map(|one| [Some(one.started), one.ended]).flatten();
    let dimensions = sections.flat_map(|section| &section.dimensions).flat_map(|one| {
        let quoted = [&one.said, &one.question].into_iter().flatten().map(|quoted| quoted.event_id);
        quoted.chain(one.heard).chain(one.declined).collect::<Vec<_>>()
    });
    let advice = report.next.iter().flat_map(|advice| advice.events.clone());
    of_sections.chain(dimensions).chain(advice).collect()
}

#[test]
fn each_dimension_is_told_as_heard_touched_or_not_spoken_of() {
    let report = report(
        "
        00:00 begin
        00:30 cover requirements
        01:00 say The capacity matters to me.
        01:10 tick
        01:30 say I do not know.
        02:00 done
        02:10 done
        02:20 end
    ",
    );
    assert_eq!(report.outcome, Some(Outcome::Abandoned));
    let frame = &report.sections[0];
    assert_eq!((frame.given_ms, frame.used_ms), (600_000, 130_000));
    let heard = dimension(&report, "requirements");
    assert_eq!((heard.coverage, heard.sample.as_deref()), (Coverage::Covered, None));
    assert!(heard.said.as_ref().unwrap().text.starts_with("The input is one key"));
    let touched = dimension(&report, "constraints");
    assert_eq!(touched.coverage, Coverage::PartiallyCovered);
    assert_eq!(touched.said.as_ref().unwrap().text, "The capacity matters to me.");
    assert_eq!(touched.sample.as_deref(), Some("A good answer about constraints."));
    let missing = dimension(&report, "metrics");
    assert_eq!((missing.coverage, &missing.said), (Coverage::NotCovered, &None));
    assert_eq!(missing.question.as_ref().unwrap().text, "Question 1 about metrics?");
    assert!(missing.sample.is_some());
    use AdviceRule::{NotSpokenOf, NothingJudged};
    assert_eq!(rules(&report), [NothingJudged, NotSpokenOf, NotSpokenOf]);
    let known = |event: &EventId| (1..=report_length(&report)).contains(&event.0);
    assert!(events(&report).iter().all(known), "{:?}", events(&report));
}

fn report_length(report: &Report) -> u64 {
    report.sections.iter().filter_map(|one| one.ended).map(|event| event.0).max().unwrap() + 10
}

#[test]
fn what_was_stuffed_taken_back_or_late_is_not_quoted() {
    let report = report(
        "
        00:00 begin
        00:30 say Latency o( throughput priority latency throughput.
        00:40 say The input is 1 key, and the output of each operation is nothing.
        00:50 say I was wrong: the output of each operation is 1 value or -1, and the input 1 key.
        10:00 tick
        10:05 say The capacity is at most 1000, and the memory 64 mb.
        50:00 tick
    ",
    );
    assert_eq!(said(&report, "metrics"), None, "a heap of words");
    assert_eq!(dimension(&report, "constraints").said, None, "it came late");
    let kept = said(&report, "requirements").unwrap();
    assert!(kept.starts_with("I was wrong"), "{kept}");
    assert_eq!(report.late.len(), 1);
    assert_eq!(report.late[0].by_ms, 5_000);
}

#[test]
fn a_verdict_that_was_told_and_overtaken_is_not_quoted() {
    let report = report(
        "
        00:00 begin
        25:00 tick
        26:00 submit /a.py #1
        26:02 verdict 5/12
        26:10 say Only 5 of 12 tests pass, the rest fail.
        27:00 submit /a.py #2
        27:02 verdict 12/12
        27:05 say All 12 tests pass, as my cases expect.
        40:00 tick
        50:00 tick
    ",
    );
    let kept = said(&report, "verification").unwrap();
    assert!(kept.starts_with("All 12"), "{kept}");
    assert_eq!(report.submissions.len(), 2);
    assert_eq!(report.submissions[0].issue(), Some("capacity_one"));
    assert!(report.submissions[1].passed());
}

#[test]
fn what_nothing_is_known_of_is_no_cause() {
    let report = report(
        "
        00:00 begin
        25:00 tick
        26:00 submit /a.py #1
        26:02 verdict 7/12
        40:00 tick
        50:00 tick
    ",
    );
    assert!(!report.submissions[0].passed());
    assert_eq!(report.submissions[0].issue(), None);
    assert_eq!(report.next[0].rule, AdviceRule::LastFailed);
    assert_eq!(report.next[0].what.key.as_deref(), Some("advice.again_plain"));
}

#[test]
fn three_things_are_left_to_do_after_the_best_interview_too() {
    let report = report(
        "
        00:00 begin
        00:30 cover requirements constraints metrics
        01:10 tick
        02:00 cover approach complexity failure_modes tradeoffs
        02:40 tick
        03:00 test /a.py #1
        03:01 tried 1/1
        04:00 submit /a.py #1
        04:01 verdict 12/12
        04:10 say All 12 tests pass now, as my case expects.
        04:20 cover correctness
        05:00 tick
        05:30 cover reflection
        06:10 tick
    ",
    );
    assert_eq!(report.outcome, Some(Outcome::Unaided));
    let all = report.sections.iter().flat_map(|section| &section.dimensions);
    assert!(all.clone().all(|one| one.coverage == Coverage::Covered && one.said.is_some()));
    use AdviceRule::{ComeBack, ReadUp, Variation};
    assert_eq!(rules(&report), [Variation, ComeBack, ReadUp]);
}

#[test]
fn a_session_that_goes_on_has_no_report() {
    let played = Script::play("00:00 begin");
    let none = Discussion::default();
    let told = kinds::report(Kind::Interview, SESSION, &played.spec, &played.lines, &none);
    assert!(matches!(told, Err(BundleError::NotEnded)));
}
