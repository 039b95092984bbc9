//! What is done with code: submissions, own cases, hints, a watched file.

use vosim_protocol::v1::effect::Obstacle;
use vosim_protocol::v1::hints::HintRequested;
use vosim_protocol::v1::interview::{
    CandidateCodeSubmission, Event, OwnTestsResult, OwnTestsStarted, SolutionSaved, SolutionWatched,
};
use vosim_protocol::v1::judging::{EvalResult, ResultLine, SuiteDrawn};
use vosim_protocol::{EffectId, EventId, Time};

use super::course::{hush, open};
use crate::kind::{Misfit, Recorded};
use crate::kinds::interview::state::{Awaits, Judging, State, Testing, Watch};
use crate::parts::memory::JudgedSubmission;

pub(super) fn take_submission(
    state: &mut State,
    submission: &CandidateCodeSubmission,
    effect: EffectId,
    at: Time,
) -> Result<(), Misfit> {
    let begun = state.begun();
    let sections = state.spec.schema.sections.iter().take(begun);
    let known = sections.into_iter().any(|plan| plan.id == submission.section_id && plan.coding);
    Misfit::unless(known, "a submission outside the section in which code is written")?;
    let judging = Judging { event: effect.0, effect, submission: submission.clone() };
    state.judging.push(judging);
    active(state, at);
    Ok(())
}

/// The first submission has waited for it, and is judged next.
pub(super) fn take_suite(
    state: &mut State,
    drawn: &SuiteDrawn,
    effect: EffectId,
) -> Result<(), Misfit> {
    let first = state.judging.first_mut();
    first.ok_or(Misfit("hidden inputs that nothing waits for"))?.effect = effect;
    state.suites.take(drawn).ok_or(Misfit("hidden inputs that were drawn before"))
}

/// Takes a submission from those that are being judged.
pub(super) fn judged(
    state: &mut State,
    attempt_number: u32,
) -> Result<CandidateCodeSubmission, Misfit> {
    let of = |judging: &Judging| judging.submission.attempt_number == attempt_number;
    let place = state.judging.iter().position(of);
    let place = place.ok_or(Misfit("a verdict on a submission that is not being judged"))?;
    Ok(state.judging.remove(place).submission)
}

pub(super) fn take_result(
    state: &mut State,
    result: &EvalResult,
    event: &Recorded<Event>,
) -> Result<(), Misfit> {
    let submission = judged(state, result.attempt_number)?;
    let code = (submission.code_hash, submission.language);
    state.probes.judged(&state.spec.problem, result, code);
    let submission = JudgedSubmission {
        event: event.id,
        result: ResultLine {
            attempt_number: result.attempt_number,
            failure_type: result.failure_type,
            detail: result.detail,
            tests_passed: result.tests_passed,
            tests_failed: result.tests_failed,
            file_path: submission.file_path,
            code_hash: submission.code_hash,
            language: submission.language,
            at: event.at,
            repeated: submission.repeated,
        },
        issue: result.issue.clone(),
    };
    state.submissions.insert(submission);
    showed(state, result.tests_passed, event.at);
    // A later submission that fails takes back what an earlier pass had covered (001 6.4).
    let satisfied = state.open().is_some_and(|section| state.satisfied(section));
    if let Some(section) = state.open_mut() {
        section.contents.coverage.take_verdict();
        section.ends_at = section.ends_at.filter(|_| satisfied);
    }
    Ok(())
}

pub(super) fn start_tests(
    state: &mut State,
    started: &OwnTestsStarted,
    effect: EffectId,
    at: Time,
) -> Result<(), Misfit> {
    Misfit::unless(state.testing.is_none(), "own cases while others are being run")?;
    open(state, &started.section_id)?;
    state.testing = Some(Testing { effect, started: started.clone() });
    active(state, at);
    Ok(())
}

/// Takes the own cases that were being run.
pub(super) fn tested(state: &mut State, request: EventId) -> Result<OwnTestsStarted, Misfit> {
    let testing = state.testing.take_if(|testing| testing.effect == EffectId(request));
    Ok(testing.ok_or(Misfit("a result of own cases that are not being run"))?.started)
}

pub(super) fn take_tests(
    state: &mut State,
    result: &OwnTestsResult,
    at: Time,
) -> Result<(), Misfit> {
    let started = tested(state, result.request)?;
    state.own_tests = Some(result.clone());
    // Cases that expect nothing show nothing, and a section that has ended is covered no further.
    if started.expects()
        && let Ok(section) = open(state, &started.section_id)
    {
        section.contents.coverage.take_tests_run(result.coverage.as_ref());
    }
    showed(state, result.passed, at);
    Ok(())
}

pub(super) fn take_request(
    state: &mut State,
    request: &HintRequested,
    id: EventId,
) -> Result<(), Misfit> {
    Misfit::unless(state.hints.pending().is_none(), "a hint while another one is on its way")?;
    let judged = state.submissions.last().is_some();
    Misfit::unless(judged, "a hint without a verdict that it is about")?;
    state.hints.ask(id, request.clone());
    Ok(())
}

/// A run has shown what passes. Where nothing does nobody is asked why a part of it is right.
fn showed(state: &mut State, passed: u32, at: Time) {
    match passed {
        0 => active(state, at),
        _ => ran(state, at),
    }
}

/// A run has ended: there is something new to ask about.
pub(super) fn ran(state: &mut State, at: Time) {
    if let Some(section) = state.coding_mut() {
        section.armed = true;
    }
    active(state, at);
}

/// The candidate works: no question right now, and a covered section stays open (DECISIONS 13).
fn active(state: &mut State, at: Time) {
    let covered = state.spec.schema.covered_seconds;
    let Some(section) = state.coding_mut() else { return };
    if let Some(ends_at) = &mut section.ends_at {
        *ends_at = at.plus_secs(covered.into());
    }
    if let Some(until) = &mut section.variation {
        *until = (*until).max(at.plus_secs(covered.into()));
    }
    hush(state, at);
}

pub(super) fn watch(
    state: &mut State,
    watched: &SolutionWatched,
    effect: EffectId,
) -> Result<(), Misfit> {
    Misfit::unless(state.capture().is_none(), "another file while the watched one is being read")?;
    let (watched, awaits) = (watched.clone(), Awaits::Save(effect));
    state.watch = Some(Watch { watched, saves: 0, last: None, lost: None, awaits });
    Ok(())
}

pub(super) fn take_save(
    state: &mut State,
    saved: &SolutionSaved,
    effect: EffectId,
    at: Time,
) -> Result<(), Misfit> {
    let Some(Watch { saves, last, lost, awaits: Awaits::Save(next), .. }) = &mut state.watch else {
        return Err(Misfit("a save of a file that nobody watches"));
    };
    (*next, *lost) = (effect, None);
    *saves += 1;
    *last = Some((at, saved.clone()));
    state.saves.count += 1;
    state.saves.bytes = state.saves.bytes.saturating_add(saved.bytes);
    active(state, at);
    let quiet = state.spec.schema.save_quiet_seconds;
    if let Some(section) = state.coding_mut() {
        section.quiet_until = section.quiet_until.max(at.plus_secs(quiet.into()));
    }
    Ok(())
}

/// It is counted among the saves, so that a file that comes and goes fills no log.
pub(super) fn take_loss(state: &mut State, why: Obstacle, effect: EffectId) -> Result<(), Misfit> {
    let Some(Watch { lost, awaits: Awaits::Save(next), .. }) = &mut state.watch else {
        return Err(Misfit("the loss of a file that nobody watches"));
    };
    (*next, *lost) = (effect, Some(why));
    state.saves.count += 1;
    Ok(())
}
