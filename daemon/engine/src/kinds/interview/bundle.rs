//! The evaluation bundle of an interview (001 2.2), and the states of its code.

mod gather;
mod kept;

use std::collections::BTreeMap;

use vosim_protocol::v1::bundle::{
    Bundle, CodeOrigin, CodeVersion, EvaluationBundle, FORMAT, NamedDimension, SchemaName,
};
use vosim_protocol::v1::coverage::Dimension;
use vosim_protocol::v1::interview::{Event, Origin, Spec};
use vosim_protocol::{Hash, SessionId, Time};

use super::sequence::millis;
use crate::bundle::verdict;
use crate::kind::Recorded;

use gather::Gathered;

/// What the judgements in the bundle are worth: rules found them, nobody has calibrated them.
const LABEL: &str = "rule-based, not calibrated";

/// What the bundle says of itself.
const NOTICE: &str = "This bundle holds what is hidden from candidates: coverage and how questions were \
    chosen, hints, names of hidden tests that failed, and withheld answers.";

/// The evaluation bundle of an ended interview.
pub(super) fn evaluation(
    session_id: SessionId,
    head: Hash,
    spec: &Spec,
    events: &[Recorded<Event>],
) -> EvaluationBundle {
    let coding = spec.schema.sections.iter().find(|section| section.coding);
    let coding = coding.map_or("", |section| section.id.as_str());
    let mut gathered = Gathered::of(coding);
    for event in events {
        gathered.take(event);
    }
    let mut sections = gathered.sections;
    if let Some(section) = sections.iter_mut().find(|section| section.section_id == coding) {
        let mut versions = code_history(events);
        versions.retain(|version| gathered.of_coding.contains(&version.event_id));
        section.code_history = versions;
    }
    for section in &mut sections {
        let plan = spec.schema.sections.iter().find(|plan| plan.id == section.section_id);
        let dimensions = plan.into_iter().flat_map(|plan| &plan.dimensions);
        let named = |one: &Dimension| NamedDimension {
            id: one.id.clone(),
            title: one.title.clone(),
            required: one.required,
        };
        section.dimensions = dimensions.map(named).collect();
    }
    kept::keep(&mut sections, spec, events);
    let ended = events.last().map_or(Time::from_micros(0), |event| event.at);
    let whole = gathered.started.map_or(0, |started| ended.micros_since(started));
    EvaluationBundle {
        bundle: Bundle::Evaluation,
        format: FORMAT,
        session_id,
        head,
        contains_hidden: true,
        notice: NOTICE.to_owned(),
        label: LABEL.to_owned(),
        schema: SchemaName { id: spec.schema.id.clone(), version: spec.schema.version },
        problem_id: spec.problem.id.clone(),
        candidate_id: spec.candidate.clone(),
        accommodation: spec.accommodation,
        started: gathered.started,
        ended,
        duration_ms: millis(whole),
        exits: sections.iter().filter_map(|section| section.exit_reason).collect(),
        terminated: gathered.terminated.map(|(_, reason)| reason),
        terminated_event: gathered.terminated.map(|(event_id, _)| event_id),
        sections,
        submissions: gathered.submissions,
        own_tests: gathered.own_tests,
        hints: gathered.hints,
        assistant: gathered.assistant,
        pauses: gathered.pauses,
        // Whoever keeps the bytes puts them in.
        code: BTreeMap::new(),
        withheld: Vec::new(),
    }
}

/// Every state of the code: submissions, saves, runs of own cases, questions to the assistant.
pub(super) fn code_history(events: &[Recorded<Event>]) -> Vec<CodeVersion> {
    let mut versions: Vec<CodeVersion> = Vec::new();
    let mut watched = None;
    for recorded in events {
        #[expect(clippy::wildcard_enum_match_arm, reason = "Interview::code names them all")]
        match &recorded.event {
            Event::SolutionWatched(file) => watched = Some(file.file_path.clone()),
            Event::EvalResult(result) => {
                let number = Some(result.attempt_number);
                if let Some(of) = versions.iter_mut().rev().find(|one| one.submission == number) {
                    of.verdict = Some(verdict(recorded.id, result));
                }
            }
            _ => versions.extend(version(recorded, watched.as_ref())),
        }
    }
    versions
}

/// The state of the code that an event tells of.
fn version(recorded: &Recorded<Event>, watched: Option<&String>) -> Option<CodeVersion> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "Interview::code names them all")]
    let (submission, origin, file_path, code_hash, bytes) = match &recorded.event {
        Event::CandidateCodeSubmission(code) => {
            let origin = match code.origin {
                Origin::Candidate => CodeOrigin::Candidate,
                Origin::Deadline => CodeOrigin::Deadline,
                Origin::SectionEnd => CodeOrigin::SectionEnd,
            };
            let number = Some(code.attempt_number);
            (number, origin, Some(code.file_path.clone()), code.code_hash, code.bytes)
        }
        Event::SolutionSaved(saved) => {
            (None, CodeOrigin::Saved, watched.cloned(), saved.code_hash, saved.bytes)
        }
        Event::OwnTestsStarted(run) => {
            let path = Some(run.file_path.clone());
            (None, CodeOrigin::OwnTests, path, run.code_hash, run.bytes)
        }
        Event::AssistantQuery(query) => {
            (None, CodeOrigin::Asked, None, query.code_hash?, query.bytes.unwrap_or_default())
        }
        _ => return None,
    };
    let (event_id, at) = (recorded.id, recorded.at);
    let verdict = None;
    Some(CodeVersion { event_id, at, submission, origin, file_path, code_hash, bytes, verdict })
}
