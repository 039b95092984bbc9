//! What a drill answers to each command: facts, or the reason why not.
//!
//! Nothing is changed here, and nobody is asked: what takes time is an effect of the facts.

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::drill::{CodeSubmitted, DrillOutcome, Event, SessionEnded};
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::hints::{HintGiven, HintRequested};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::talk::Words;
use vosim_protocol::{BlobRef, Time};

use super::state::{Draft, SOLUTION_LEVEL, Stage, State};
use super::texts;
use crate::parts::admission;
use crate::parts::hints::HintLevel;
use crate::parts::memory::JudgedSubmission;
use crate::rejection::Rejection;

pub(super) fn submit(
    draft: &mut Draft<'_>,
    file_path: &str,
    code: &BlobRef,
    language: Language,
    again: bool,
) -> Result<(), Rejection> {
    let state = draft.state();
    // 000, state transition rules: one submission is judged at a time.
    match &state.stage {
        Stage::Presented | Stage::Awaiting => {}
        Stage::Evaluating(_) => return Err(being_judged("submit")),
        Stage::Done { .. } => return Err(ended()),
    }
    admission::file(&state.spec.problem, file_path, code, language)?;
    // DECISIONS 15: an identical file counts for nothing and is judged again only when asked for.
    let earlier = admission::earlier(&state.submissions, code, again)?;
    let submitted = CodeSubmitted {
        // DECISIONS 15: the number of an aborted submission is used again.
        attempt_number: state.submissions.count() + 1,
        file_path: file_path.to_owned(),
        code_hash: code.hash,
        line_count: code.line_count,
        bytes: code.bytes,
        language,
        repeated: earlier.is_some(),
    };
    draft.push(Event::CodeSubmitted(submitted));
    Ok(())
}

fn ended() -> Rejection {
    Rejection::SessionEnded { next: after_the_end() }
}

/// What can be done when the drill is over.
pub(super) fn after_the_end() -> Vec<Next> {
    vec![Next::run("start a new session", Action::StartDrill)]
}

fn being_judged(command: &'static str) -> Rejection {
    Rejection::InvalidTransition {
        command,
        because: "a submission is being judged",
        next: vec![
            Next::wait_and_see("its verdict", Action::Status),
            Next::run("end the session", Action::End),
        ],
    }
}

/// Hints and giving up: the policy chooses the level (000, hint escalation policy; DECISIONS 18).
pub(super) fn hint(draft: &mut Draft<'_>, confirm: bool, give_up: bool) -> Result<(), Rejection> {
    let state = draft.state();
    let last = last_submission(state, if give_up { "give up" } else { "request hint" })?;
    // DECISIONS 18: after a pass there is nothing to hint at.
    let Some(issue) = &last.issue else {
        return Err(Rejection::AlreadyPassed { next: vec![Next::run("finish", Action::End)] });
    };
    if state.hints.pending().is_some() {
        return Err(Rejection::HintPending);
    }
    let context = state.hint_context(give_up);
    let HintLevel { level, reason } = context.level();
    let shown_before = context.last_hint.is_some_and(|(_, level)| level == SOLUTION_LEVEL);
    // 000, hint escalation policy, rule 5; DECISIONS 18: the solution is shown only on purpose.
    if level == SOLUTION_LEVEL && !confirm && !shown_before {
        return Err(Rejection::ConfirmationRequired);
    }
    let issue = issue.clone();
    draft.push(Event::HintRequested(HintRequested {
        attempt_number: last.result.attempt_number,
        give_up,
        hint_level: level,
        trigger_reason: reason,
        issue: issue.clone(),
    }));
    if level == SOLUTION_LEVEL {
        let given = HintGiven {
            hint_level: level,
            hint_text: texts::solution(draft.state()),
            trigger_reason: reason,
            issue,
            words: Words::Problem,
        };
        draft.push(Event::HintGiven(given));
    }
    Ok(())
}

/// The submission that a hint would speak of, in the one phase where hints are given (000, state
/// transition rules).
fn last_submission<'a>(
    state: &'a State,
    command: &'static str,
) -> Result<&'a JudgedSubmission, Rejection> {
    let nothing_submitted = Rejection::InvalidTransition {
        command,
        because: "nothing has been submitted yet",
        next: vec![Next::run("submit code first", Action::Submit)],
    };
    match &state.stage {
        Stage::Awaiting => state.submissions.last().ok_or(nothing_submitted),
        Stage::Presented => Err(nothing_submitted),
        Stage::Evaluating(_) => Err(being_judged(command)),
        Stage::Done { .. } => Err(ended()),
    }
}

/// 000: `end`; during an evaluation it cancels the run (DECISIONS 21).
pub(super) fn end(draft: &mut Draft<'_>) -> Result<(), Rejection> {
    let ended = summary(draft.state(), draft.at());
    draft.push(Event::SessionEnded(ended));
    Ok(())
}

fn summary(state: &State, at: Time) -> SessionEnded {
    // DECISIONS 21: the last judged submission is the final one, whatever came before it.
    let last = state.submissions.last().map(|submission| &submission.result);
    let (passed, failed) = last.map_or((0, 0), |last| (last.tests_passed, last.tests_failed));
    let outcome = match last {
        None => DrillOutcome::Abandoned,
        Some(last) if last.failure_type == FailureType::Pass => DrillOutcome::Success,
        Some(_) if passed > 0 && passed >= failed => DrillOutcome::PartialSuccess,
        Some(_) => DrillOutcome::Failure,
    };
    SessionEnded {
        outcome,
        total_attempts: state.submissions.count(),
        final_tests_passed: passed,
        final_tests_failed: failed,
        hints_used: state.hints.given_count(),
        duration_seconds: at.secs_since(state.started),
        best_tests_passed: state.submissions.best_passed().unwrap_or(0),
        assisted: outcome == DrillOutcome::Success && solved_after_solution(state),
    }
}

/// True when the reference solution was shown before the first submission that passed
/// (DECISIONS 21).
fn solved_after_solution(state: &State) -> bool {
    // It was given in the moment in which it was asked for.
    let mut given = state.hints.given();
    let shown = given.find(|hint| hint.request.hint_level == SOLUTION_LEVEL);
    let shown = shown.map(|hint| hint.requested);
    let solved = state.submissions.first_passed().map(|submission| submission.event);
    shown.zip(solved).is_some_and(|(shown, solved)| shown < solved)
}
