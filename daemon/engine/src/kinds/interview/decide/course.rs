//! The course of an interview: its plan, its begin, the end of a section and of the whole.
//!
//! The first `done` without the minimum content (001 6.4) is answered with a nudge, which is an
//! event; the next one ends the section, whatever was heard (DECISIONS 38). The schema says what counts
//! as content; in the coding section of the standard schema it is a judged submission that loads.

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::interview::{
    ContentRequested, Event, ExitReason, InterviewCreated, InterviewStarted, InterviewTerminated,
    PlannedSection, TerminationReason,
};

use super::bounds::{closing, open};
use crate::kinds::interview::conclude;
use crate::kinds::interview::sequence::{self, millis};
use crate::kinds::interview::state::{Draft, Stage, State};
use crate::rejection::Rejection;

/// The plan, with what was granted.
pub(in crate::kinds::interview) fn created(state: &State) -> InterviewCreated {
    let spec = &state.spec;
    let planned = spec.schema.sections.iter().map(|plan| PlannedSection {
        section_id: plan.id.clone(),
        title: plan.title.clone(),
        duration_ms: millis(state.granted_micros(plan.duration_seconds)),
        followup_cap: plan.followup_cap,
    });
    InterviewCreated {
        schema_id: spec.schema.id.clone(),
        schema_version: spec.schema.version,
        problem_id: spec.problem.id.clone(),
        candidate_id: spec.candidate.clone(),
        sections: planned.collect(),
        total_ms: millis(total_micros(state)),
        grace_seconds: spec.schema.grace_seconds,
        accommodation: spec.accommodation,
        python_version: spec.python_version.clone(),
        model: spec.model.clone(),
    }
}

fn total_micros(state: &State) -> i64 {
    let sections = state.spec.schema.sections.iter();
    sections.map(|plan| state.granted_micros(plan.duration_seconds)).sum()
}

pub(super) fn begin(draft: &mut Draft<'_>) -> Result<(), Rejection> {
    if !matches!(draft.state().stage, Stage::NotStarted) {
        return Err(Rejection::InvalidTransition {
            command: "begin",
            because: "the interview has begun already",
            next: vec![Next::run("see where it stands", Action::Status)],
        });
    }
    let ends_by = draft.at().plus_micros(total_micros(draft.state()));
    draft.push(Event::InterviewStarted(InterviewStarted { ends_by }));
    sequence::start_section(draft, 0);
    Ok(())
}

pub(super) fn done(draft: &mut Draft<'_>, meant: Option<&str>) -> Result<(), Rejection> {
    let state = draft.state();
    let section = open(state, "end the section")?;
    if meant.is_some_and(|meant| meant != section.plan(&state.spec.schema).id) {
        return Err(Rejection::InvalidTransition {
            command: "end the section",
            because: "the one that was meant is not open",
            next: vec![Next::run("see where you are", Action::Status)],
        });
    }
    if state.coding().is_some() && state.running() {
        return Err(Rejection::InvalidTransition {
            command: "end the section",
            because: "your code is still being run",
            next: vec![Next::wait_and_see("the verdict", Action::Status)],
        });
    }
    let loaded = state.submissions.all().iter().any(|submission| {
        use vosim_protocol::v1::evaluation::FailureType as Class;
        submission.result.failure_type != Class::ImportError
    });
    // 001 6.4; DECISIONS 38: the minimum is asked for once.
    let missing = section.missing(&state.spec.schema, loaded);
    if missing.is_empty() || section.nudged {
        sequence::end_section(draft, ExitReason::CandidateDone);
        return Ok(());
    }
    let requested = ContentRequested {
        section_id: section.plan(&state.spec.schema).id.clone(),
        text: state.spec.schema.nudge.clone(),
        missing,
    };
    draft.push(Event::ContentRequested(requested));
    Ok(())
}

pub(super) fn end(draft: &mut Draft<'_>) -> Result<(), Rejection> {
    let state = draft.state();
    if matches!(state.stage, Stage::Closing { .. }) {
        return Err(closing("leave the interview"));
    }
    // 001 3.2: what there is is sealed, what is under way is given up.
    let open = state.open().map(|section| section.plan(&state.spec.schema).id.clone());
    sequence::end_section(draft, ExitReason::SystemError);
    for place in 0..draft.state().ended.len() {
        sequence::seal(draft, place);
    }
    conclude::give_up(draft);
    let reason = TerminationReason::Abandoned;
    draft.push(Event::InterviewTerminated(InterviewTerminated { reason, section_id: open }));
    Ok(())
}
