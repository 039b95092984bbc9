//! Sections begin, warn, end and are sealed, and the interview with them.

use std::collections::{BTreeMap, BTreeSet};

use vosim_protocol::v1::interview::{
    ContentRequested, CoverageSatisfied, Event, ExitReason, SectionEnded, SectionStarted,
    SectionSummarized, SectionTimeWarning,
};
use vosim_protocol::{EffectId, Time};

use crate::kind::{Misfit, Recorded};
use crate::kinds::interview::section::{Artifact, Asking, Contents, EndedSection, OpenSection};
use crate::kinds::interview::state::{Awaits, Stage, State};
use crate::parts::coverage::Ledger;
use crate::parts::wording::Wording;

pub(super) fn not_begun(state: &State) -> Result<(), Misfit> {
    let waits = matches!(state.stage, Stage::NotStarted);
    Misfit::unless(waits, "the beginning of an interview that has begun")
}

/// The open section, which an event names.
pub(super) fn open<'s>(state: &'s mut State, id: &str) -> Result<&'s mut OpenSection, Misfit> {
    let named = state.open_as(id).is_some();
    let open = state.open_mut().filter(|_| named);
    open.ok_or(Misfit("something in a section that is not open"))
}

/// The contents of a section in its grace, which a late message names.
pub(super) fn late<'s>(state: &'s mut State, id: &str) -> Result<&'s mut Contents, Misfit> {
    let State { spec, ended, .. } = state;
    let named = ended.iter_mut().zip(&spec.schema.sections).find(|(_, plan)| plan.id == id);
    match named.map(|(section, _)| &mut section.artifact) {
        Some(Artifact::Pending { contents, grace_until: Some(_) }) => Ok(contents),
        Some(Artifact::Pending { grace_until: None, .. } | Artifact::Sealed { .. }) | None => {
            Err(Misfit("a late message to a section that has no grace"))
        }
    }
}

/// No question right after this: somebody reads, or comes back.
pub(super) fn hush(state: &mut State, at: Time) {
    let quiet = state.spec.schema.message_quiet_seconds;
    if let Some(section) = state.open_mut() {
        section.quiet_until = section.quiet_until.max(at.plus_secs(quiet.into()));
    }
}

pub(super) fn start_section(
    state: &mut State,
    started: &SectionStarted,
    effect: EffectId,
    at: Time,
) -> Result<(), Misfit> {
    let Stage::Between { started: begun } = state.stage else {
        return Err(Misfit("a section that begins while another one is open"));
    };
    // 001 11: the order of the schema.
    let place = state.ended.len();
    let plan = state.spec.schema.sections.get(place).filter(|plan| plan.id == started.section_id);
    let plan = plan.ok_or(Misfit("a section that is not the next one of the schema"))?;
    let duration = started.deadline.micros_since(at);
    // 001 5.1: warnings, longer before the end where that was granted.
    let mut warnings: Vec<_> =
        plan.warnings.iter().map(|seconds| state.granted_micros(*seconds)).collect();
    if state.spec.accommodation.larger_warnings {
        warnings.extend(warnings.first().map(|first| first * 2));
    }
    warnings.retain(|before| *before < duration);
    warnings.sort_unstable_by(|a, b| b.cmp(a));
    let contents = Contents {
        place,
        deadline: started.deadline,
        coverage: Ledger::new(&plan.dimensions),
        declined: BTreeSet::new(),
        asked: 0,
        messages: Vec::new(),
        told: Vec::new(),
        question: None,
        raised: BTreeSet::new(),
    };
    let section = OpenSection {
        contents,
        started: at,
        warnings,
        used: BTreeMap::new(),
        quoted: BTreeSet::new(),
        budget: started.followup_budget,
        step: Asking::Intro(Wording::new(effect.0)),
        armed: false,
        quiet_until: at,
        nudged: false,
        ends_at: None,
        typing: None,
        variation: None,
        changed: None,
        missed: false,
        questions_over: false,
        unheard: Vec::new(),
    };
    state.stage = Stage::Open { started: begun, section: Box::new(section) };
    Ok(())
}

pub(super) fn warn(state: &mut State, warning: &SectionTimeWarning) -> Result<(), Misfit> {
    let section = open(state, &warning.section_id)?;
    Misfit::unless(!section.warnings.is_empty(), "a warning that the section does not have")?;
    section.warnings.remove(0);
    Ok(())
}

pub(super) fn nudge(state: &mut State, requested: &ContentRequested) -> Result<(), Misfit> {
    let section = open(state, &requested.section_id)?;
    // 001 6.4: the engine prompts once.
    Misfit::unless(!section.nudged, "a second request for the minimum")?;
    section.nudged = true;
    section.contents.told.push(requested.text.as_str().into());
    Ok(())
}

pub(super) fn wrap_up(state: &mut State, covered: &CoverageSatisfied) -> Result<(), Misfit> {
    let section = open(state, &covered.section_id)?;
    (section.ends_at, section.variation) = (Some(covered.ends_at), None);
    Ok(())
}

pub(super) fn end_section(
    state: &mut State,
    ended: &SectionEnded,
    event: &Recorded<Event>,
) -> Result<(), Misfit> {
    let contents = Box::new(open(state, &ended.section_id)?.contents.clone());
    let started = state.started().unwrap_or(event.at);
    let coding = contents.plan(&state.spec.schema).coding;
    let last = contents.place + 1 == state.spec.schema.sections.len();
    let artifact = Artifact::Pending { contents, grace_until: ended.grace_until };
    state.ended.push(EndedSection { reason: ended.reason, artifact });
    state.stage = if last { Stage::Closing { started } } else { Stage::Between { started } };
    // DECISIONS 11: the watched file counts as it stood now, unless the interview was left.
    if coding
        && ended.reason != ExitReason::SystemError
        && let Some(watch) = &mut state.watch
    {
        watch.awaits = Awaits::Capture { effect: EffectId(event.id), due: event.at };
    }
    Ok(())
}

pub(super) fn seal(state: &mut State, sealed: &SectionSummarized) -> Result<(), Misfit> {
    let State { spec, ended, .. } = state;
    let mut pending = ended.iter_mut().zip(&spec.schema.sections);
    let section =
        pending.find(|(one, plan)| plan.id == sealed.section_id && one.pending().is_some());
    let (section, _) = section.ok_or(Misfit("the artifact of a section that waits for none"))?;
    section.artifact =
        Artifact::Sealed { summary: sealed.bounded_context_summary.as_slice().into() };
    Ok(())
}

// What was wanted until the end is no longer: the session sees to that.
pub(super) fn complete(state: &mut State, at: Time) -> Result<(), Misfit> {
    let Stage::Closing { started } = state.stage else {
        return Err(Misfit("the end of an interview whose sections have not ended"));
    };
    state.stage = Stage::Completed { started, at };
    Ok(())
}

pub(super) fn terminate(state: &mut State, at: Time) -> Result<(), Misfit> {
    Misfit::unless(state.open().is_none(), "the end of an interview with an open section")?;
    state.stage = Stage::Terminated { started: state.started(), at };
    Ok(())
}
