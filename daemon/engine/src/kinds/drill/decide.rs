//! What a drill answers to each command: facts, or the reason why not.
//!
//! Nothing is changed here, and nobody is asked: what takes time is an effect of the facts.

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::drill::{DrillOutcome, Event, SessionEnded};
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::hints::{HintGiven, HintRequested, SOLUTION_LEVEL, TriggerReason};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::talk::{VariationAnswered, Words};
use vosim_protocol::{BlobRef, Time};

use super::state::{Draft, Stage, State};
use super::texts;
use crate::parts::admission;
use crate::parts::hints::HintLevel;
use crate::parts::wording::Voiced;
use crate::parts::words::TEXT_MAX_BYTES;
use crate::parts::{judging, wording};
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
    let (problem, submissions) = (&state.spec.problem, &state.submissions);
    let submitted = admission::submission(problem, submissions, file_path, code, language, again)?;
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

/// What is asked, as a verb.
const HINT: &str = "request hint";

/// A hint: the policy chooses the level (000, hint escalation policy; DECISIONS 18 and 45). A yes asks
/// for the reference solution, where that is offered.
pub(super) fn hint(
    draft: &mut Draft<'_>,
    confirm: bool,
    wanted: Option<u8>,
) -> Result<(), Rejection> {
    let state = draft.state();
    let (number, issue) = failed(state, HINT)?;
    let context = state.hint_context(&issue);
    let (level, reason) = match (wants_solution(confirm, wanted), context.level()) {
        (true, _) if context.offers_solution() && !confirm => {
            return Err(Rejection::ConfirmationRequired);
        }
        (true, _) if context.offers_solution() => {
            (SOLUTION_LEVEL, TriggerReason::SubmissionsLevel4)
        }
        (_, HintLevel::New(level, reason)) if wanted.is_none_or(|wanted| wanted == level) => {
            (level, reason)
        }
        (_, HintLevel::New(open, _)) => return Err(level_not_open(wanted, open)),
        (_, HintLevel::Again(open)) if wanted.is_some() => {
            return Err(level_not_open(wanted, open));
        }
        (_, HintLevel::Again(_)) => return Err(told_before()),
    };
    request(
        draft,
        HintRequested {
            attempt_number: number,
            give_up: false,
            hint_level: level,
            trigger_reason: reason,
            issue,
        },
    );
    Ok(())
}

/// 000, hint escalation policy, rule 5: the solution is shown to whoever gives up, on purpose only
/// (DECISIONS 18).
pub(super) fn give_up(draft: &mut Draft<'_>, confirm: bool) -> Result<(), Rejection> {
    let (number, issue) = failed(draft.state(), "give up")?;
    if !confirm {
        return Err(Rejection::ConfirmationRequired);
    }
    request(
        draft,
        HintRequested {
            attempt_number: number,
            give_up: true,
            hint_level: SOLUTION_LEVEL,
            trigger_reason: TriggerReason::GiveUp,
            issue,
        },
    );
    Ok(())
}

fn wants_solution(confirm: bool, wanted: Option<u8>) -> bool {
    wanted.map_or(confirm, |level| level == SOLUTION_LEVEL)
}

fn request(draft: &mut Draft<'_>, requested: HintRequested) {
    draft.push(Event::HintRequested(requested.clone()));
    if requested.hint_level == SOLUTION_LEVEL {
        let solution = Voiced::own(texts::solution(draft.state()));
        draft.push(Event::HintGiven(wording::hint(&requested, solution)));
    }
}

/// What a request for a hint is answered with although nothing happens: what was told before, and
/// after the end whatever there is to read (DECISIONS 45).
pub(super) fn recalled_hint(state: &State, confirm: bool, wanted: Option<u8>) -> Option<HintGiven> {
    if let Stage::Done { .. } = &state.stage {
        return after_end(state, wanted);
    }
    let (_, issue) = failed(state, HINT).ok()?;
    let context = state.hint_context(&issue);
    match (wanted, context.level()) {
        (Some(SOLUTION_LEVEL), _) => told_solution(state),
        (None, _) if confirm && context.offers_solution() => told_solution(state),
        (Some(level), _) | (None, HintLevel::Again(level)) => {
            state.hints.told(&issue, level).cloned()
        }
        (None, HintLevel::New(..)) => None,
    }
}

/// The reference solution, where it was shown before or may be read by everybody.
pub(super) fn recalled_solution(state: &State) -> Option<HintGiven> {
    match &state.stage {
        Stage::Done { .. } => after_end(state, Some(SOLUTION_LEVEL)),
        Stage::Awaiting => told_solution(state),
        Stage::Presented | Stage::Evaluating(_) => None,
    }
}

/// The reference solution as it was shown, unless the language has changed since.
fn told_solution(state: &State) -> Option<HintGiven> {
    failed(state, "give up").ok()?;
    let text = texts::solution(state);
    let mut told = state.hints.given().filter_map(|hint| hint.given.as_ref());
    told.find(|given| given.hint_level == SOLUTION_LEVEL && given.hint_text == text).cloned()
}

/// A level of the last issue; without a number the highest that was told, or the first.
fn after_end(state: &State, wanted: Option<u8>) -> Option<HintGiven> {
    // Who has submitted nothing that failed reads the general ones.
    let general = || state.spec.problem.issues.last().map(|issue| issue.id.as_str());
    let issue = state.last_issue().or_else(general);
    let told = issue.and_then(|issue| state.hints.last_on(issue));
    let level = wanted.or(told.map(|hint| hint.request.hint_level)).unwrap_or(1);
    if let Some(given) = issue.and_then(|issue| state.hints.told(issue, level)) {
        return Some(given.clone());
    }
    let hint_text = match (issue, level) {
        (_, SOLUTION_LEVEL) => texts::solution(state),
        (Some(issue), 1..SOLUTION_LEVEL) => judging::rung(&state.spec.problem, issue, level),
        (None | Some(_), _) => return None,
    };
    Some(HintGiven {
        hint_level: level,
        hint_text,
        trigger_reason: TriggerReason::AfterEnd,
        issue: issue.unwrap_or("none").to_owned(),
        words: Words::Problem,
        model: None,
    })
}

/// Nothing happens when a hint is told again, so nothing may be recorded of it.
fn told_before() -> Rejection {
    Rejection::InvalidTransition {
        command: HINT,
        because: "this hint has been given",
        next: vec![Next::run("see what has happened", Action::Log)],
    }
}

fn level_not_open(wanted: Option<u8>, open: u8) -> Rejection {
    let wanted = wanted.unwrap_or(SOLUTION_LEVEL);
    let message = format!("level {wanted} is not open on this issue; the open one is level {open}");
    Rejection::InvalidInput { message, next: vec![Next::edit("leave the level out")] }
}

/// The number and the issue of the submission that a hint would speak of, in the one phase where
/// hints are given (000, state transition rules).
fn failed(state: &State, command: &'static str) -> Result<(u32, String), Rejection> {
    let nothing_submitted = || match command {
        HINT => {
            let question = state.spec.problem.question.clone();
            Rejection::NothingSubmitted { command, question }
        }
        command => Rejection::InvalidTransition {
            command,
            because: "nothing has been submitted yet",
            next: vec![Next::run("submit code first", Action::Submit)],
        },
    };
    let last = match &state.stage {
        Stage::Awaiting => state.submissions.last().ok_or_else(nothing_submitted)?,
        Stage::Presented => return Err(nothing_submitted()),
        Stage::Evaluating(_) => return Err(being_judged(command)),
        Stage::Done { .. } => return Err(ended()),
    };
    // DECISIONS 18: after a pass there is nothing to hint at.
    let Some(issue) = &last.issue else {
        return Err(Rejection::AlreadyPassed { next: vec![Next::run("finish", Action::End)] });
    };
    if state.hints.pending().is_some() {
        return Err(Rejection::HintPending);
    }
    Ok((last.result.attempt_number, issue.clone()))
}

/// An answer to what was asked about a change of the problem; the next change is asked about with it.
pub(super) fn say(draft: &mut Draft<'_>, text: &str) -> Result<(), Rejection> {
    let state = draft.state();
    if let Stage::Done { .. } = &state.stage {
        return Err(ended());
    }
    let Some((_, asked)) = &state.variation else {
        return Err(Rejection::InvalidTransition {
            command: "say",
            because: "no question is open; a drill asks after the first pass",
            next: vec![Next::run("see where it stands", Action::Status)],
        });
    };
    let number = asked.number;
    admission::bound("the message", text.len() as u64, TEXT_MAX_BYTES)?;
    if text.trim().is_empty() {
        let next = vec![Next::edit("write it down, then try again")];
        return Err(Rejection::InvalidInput { message: "the message is empty".to_owned(), next });
    }
    let text = text.to_owned();
    draft.push(Event::VariationAnswered(VariationAnswered { number, text }));
    Ok(())
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
