//! What an ended interview teaches (001 7): each section with what was heard in it, and what was tried.

use vosim_protocol::v1::bundle::SectionArtifact;
use vosim_protocol::v1::coverage::{Coverage, Dimension};
use vosim_protocol::v1::guide::Discussion;
use vosim_protocol::v1::interview::Event;
use vosim_protocol::v1::report::{
    Asked, DimensionReport, Late, LateThing, Quoted, Report, SectionReport,
};
use vosim_protocol::{EventId, Hash};

use super::bundle;
use super::state::State;
use crate::kind::Recorded;
use crate::parts::words::cut;
use crate::report::Work;

/// Longest question and answer of a report, bytes: it must fit into a frame with all its sections.
const QUESTION_MAX_BYTES: usize = 800;
const SAMPLE_MAX_BYTES: usize = 2_000;

/// Puts in what an interview has to tell.
pub(super) fn report(
    state: &State,
    events: &[Recorded<Event>],
    discussion: &Discussion,
    report: &mut Report,
) {
    let mut work = Work::default();
    for event in events {
        take(&mut work, event);
    }
    work.into_report(report);
    report.candidate_id = Some(state.spec.candidate.clone());
    report.started = state.started().unwrap_or(report.started);
    // The bundle's sections have everything; no head is told of it here.
    let sections = bundle::evaluation(state.id, Hash::NONE, &state.spec, events).sections;
    report.sections = sections.iter().map(|one| section(state, one, discussion)).collect();
}

fn take(work: &mut Work, recorded: &Recorded<Event>) {
    let id = recorded.id;
    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is in the bundle's sections")]
    match &recorded.event {
        Event::CandidateMessage(message) if message.late => {
            let until = message.until_deadline_micros;
            work.late.push(late(id, LateThing::Message, &message.section_id, until));
        }
        Event::CandidateCodeSubmission(code) => {
            work.submit(recorded, code.attempt_number, code.code_hash);
            let until = code.until_deadline_micros;
            let late = late(id, LateThing::Submission, &code.section_id, until);
            work.late.extend(code.late.then_some(late));
        }
        Event::EvalResult(result) => work.judge(id, result),
        Event::EvalAborted(aborted) => work.abort(id, aborted),
        Event::GrowthMeasured(measured) => work.grow(id, measured),
        Event::OwnTestsStarted(_) => work.own_runs.push(id),
        Event::HintGiven(given) => work.hint(recorded, given),
        Event::AssistantQuery(query) => work.assistant.push(Asked {
            event_id: id,
            at: recorded.at,
            kind: query.kind,
            answer: None,
            withheld: false,
        }),
        Event::AssistantResponse(response) => {
            let mut asked = work.assistant.iter_mut().rev();
            if let Some(asked) = asked.find(|one| one.event_id == response.request) {
                asked.answer = (!response.unanswered).then_some(id);
                asked.withheld = !response.violations.is_empty();
            }
        }
        _ => {}
    }
}

fn late(event_id: EventId, what: LateThing, section: &str, until_micros: i64) -> Late {
    let by_ms = until_micros.min(0).unsigned_abs() / 1_000;
    Late { event_id, what, section_id: section.to_owned(), by_ms }
}

fn section(state: &State, section: &SectionArtifact, discussion: &Discussion) -> SectionReport {
    let plan = state.spec.schema.sections.iter().find(|plan| plan.id == section.section_id);
    let dimensions = plan.map_or(&[][..], |plan| plan.dimensions.as_slice());
    let of = |one: &Dimension| dimension(section, one, discussion);
    SectionReport {
        section_id: section.section_id.clone(),
        title: section.title.clone(),
        started: section.events.started.unwrap_or(EventId::ZERO),
        ended: section.events.ended,
        at: section.started,
        exit_reason: section.exit_reason,
        given_ms: section.given_ms,
        used_ms: section.used_ms,
        dimensions: dimensions.iter().map(of).filter(is_told).collect(),
    }
}

/// What nobody asks for and nobody spoke of is not missing.
fn is_told(dimension: &DimensionReport) -> bool {
    dimension.required || dimension.coverage > Coverage::NotCovered
}

fn dimension(
    section: &SectionArtifact,
    dimension: &Dimension,
    discussion: &Discussion,
) -> DimensionReport {
    let id = &dimension.id;
    let coverage = section.coverage_flags.get(id).copied().unwrap_or_default();
    let mut kept = section.bounded_context_summary.iter();
    let said = kept.find(|sentence| sentence.dimension.as_ref() == Some(id));
    let asked = section.followups.iter().rev().find(|followup| followup.dimension == *id);
    let sample = discussion.samples.iter().find(|sample| sample.dimension == *id);
    let sample = sample.filter(|_| coverage < Coverage::Covered);
    DimensionReport {
        dimension: id.clone(),
        title: dimension.title.clone(),
        required: dimension.required,
        coverage,
        heard: section.events.coverage.get(id).copied(),
        said: said.map(|said| Quoted { text: said.text.clone(), event_id: said.event_id }),
        declined: section.events.declined.get(id).copied(),
        question: asked.map(|asked| Quoted {
            text: cut(asked.question.clone(), QUESTION_MAX_BYTES),
            event_id: asked.presented,
        }),
        sample: sample.map(|sample| cut(sample.text.clone(), SAMPLE_MAX_BYTES)),
    }
}
