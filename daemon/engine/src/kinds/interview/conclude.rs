//! What an interview makes of the end of something it asked for.
//!
//! Texts and figures from outside are cut to their bounds here, so that every event fits a record.
//!
//! The watched file is submitted at the end of its section:
//!
//! - A file that holds no work is not submitted: the starter as it was written, a file in which
//!   nothing was saved, or what was submitted before. `SOLUTION_UNWATCHED` says which.
//! - Where the file itself does not count (missing, too large, empty, changed after the end), its
//!   last save stands in for it, and the submission says so. Editors empty a file for a moment, so
//!   an empty one counts only where the watch has seen it stay empty.

use vosim_protocol::v1::effect::{Assisted, Captured, Failure, Noticed, Saved, Untaken};
use vosim_protocol::v1::evaluation::{Evaluation, GrowthPoint};
use vosim_protocol::v1::interview::{
    AssistantResponse, CandidateCodeSubmission, Event, ExitReason, NotSubmitted, Origin,
    OwnTestsAborted, OwnTestsResult, SolutionLost, SolutionSaved, SolutionUnwatched,
};
use vosim_protocol::{BlobRef, EffectId};

use super::sequence;
use super::state::{Draft, Judging, State, Testing};
use super::voicing;
use crate::parts::assistant::{self, Reference};
use crate::parts::judging;
use crate::parts::probing::Probing;
use crate::parts::verdict;
use crate::parts::wording::{self, Voiced};
use crate::parts::words::{self, MESSAGE_MAX_BYTES, TEXT_MAX_BYTES};

pub(super) fn judged(
    draft: &mut Draft<'_>,
    judging: &Judging,
    outcome: Result<&Evaluation, &Failure>,
) {
    let submission = &judging.submission;
    let problem = &draft.state().spec.problem;
    let judged = judging::judge(problem, submission.attempt_number, outcome);
    draft.push(judged.map_or_else(Event::EvalAborted, Event::EvalResult));
}

pub(super) fn measured(
    draft: &mut Draft<'_>,
    probing: &Probing,
    outcome: Result<&Vec<GrowthPoint>, &Failure>,
) {
    let measured = probing.measured(&draft.state().spec.problem, outcome);
    draft.push(Event::GrowthMeasured(measured));
}

pub(super) fn tested(
    draft: &mut Draft<'_>,
    testing: &Testing,
    outcome: Result<&Evaluation, &Failure>,
) {
    let request = testing.effect.0;
    let cases = testing.started.cases.len();
    let reason = match outcome {
        Ok(evaluation) if evaluation.cases.len() == cases => {
            let result = tests_result(draft.state(), testing, evaluation);
            draft.push(Event::OwnTestsResult(result));
            return;
        }
        Ok(_) => "the evaluator answered about other cases",
        Err(failure) => &failure.reason,
    };
    let reason = words::cut(reason.to_owned(), MESSAGE_MAX_BYTES);
    draft.push(Event::OwnTestsAborted(OwnTestsAborted { request, reason }));
}

fn tests_result(state: &State, testing: &Testing, evaluation: &Evaluation) -> OwnTestsResult {
    let evaluation = verdict::bounded(evaluation.clone());
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let passed = evaluation.cases.iter().filter(|case| case.outcome.passed()).count();
    let failed = evaluation.cases.len() - passed;
    let open = state.open_as(&testing.started.section_id);
    let counts = open.filter(|_| testing.started.expects());
    OwnTestsResult {
        request: testing.effect.0,
        passed: count(passed),
        failed: count(failed),
        coverage: counts.and_then(|section| section.contents.coverage.tests_run()),
        evaluation: Box::new(evaluation),
    }
}

pub(super) fn noticed(draft: &mut Draft<'_>, outcome: Result<&Noticed, &Failure>) {
    draft.push(match outcome {
        Ok(Noticed::Lost(why)) => Event::SolutionLost(SolutionLost { why: *why }),
        Ok(Noticed::Saved(Saved { code, modified })) => Event::SolutionSaved(SolutionSaved {
            code_hash: code.hash,
            line_count: code.line_count,
            bytes: code.bytes,
            modified: *modified,
        }),
        Err(failure) => {
            let reason = Some(words::cut(failure.reason.clone(), MESSAGE_MAX_BYTES));
            let (not_submitted, untaken) = (None, None);
            Event::SolutionUnwatched(SolutionUnwatched { reason, not_submitted, untaken })
        }
    });
}

/// The interview is left: what is under way ends with it, an event each (invariant 4).
pub(super) fn give_up(draft: &mut Draft<'_>) {
    let left = Failure::new("the interview was left");
    let state = draft.state().clone();
    for judging in &state.judging {
        judged(draft, judging, Err(&left));
    }
    for probing in state.probes.pending() {
        measured(draft, probing, Err(&left));
    }
    if let Some(testing) = &state.testing {
        tested(draft, testing, Err(&left));
    }
    if let Some((request, _)) = state.hints.pending() {
        let own = Voiced::own(voicing::rung(&state, request));
        draft.push(Event::HintGiven(wording::hint(request, own)));
    }
    if let Some(asked) = &state.asked {
        answered(draft, asked.effect, Err(&left));
    }
    if state.watch.is_some() {
        let not_submitted = Some(NotSubmitted::Left);
        let (reason, untaken) = (None, None);
        draft.push(Event::SolutionUnwatched(SolutionUnwatched { reason, not_submitted, untaken }));
    }
}

/// The watched file as it stood when the coding section ended is submitted, unless it was the last
/// submission anyway or holds no work (DECISIONS 11). Where its bytes do not count the last save
/// stands in for them.
pub(super) fn captured(draft: &mut Draft<'_>, outcome: Result<&Captured, &Failure>) {
    let unread = Captured { code: None, late: false, untaken: Some(Untaken::Unreadable) };
    let submission = at_end(draft.state(), outcome.unwrap_or(&unread));
    let not_submitted = submission.as_ref().err().copied();
    // A submission tells by itself that the file could not be read.
    let reason = outcome.err().filter(|_| submission.is_err());
    draft.extend(submission.map(Event::CandidateCodeSubmission));
    let reason = reason.map(|failure| words::cut(failure.reason.clone(), MESSAGE_MAX_BYTES));
    let untaken = outcome.ok().and_then(|captured| captured.untaken);
    let untaken = untaken.filter(|_| not_submitted.is_some());
    draft.push(Event::SolutionUnwatched(SolutionUnwatched { reason, not_submitted, untaken }));
    sequence::seal_captured(draft);
}

fn at_end(state: &State, captured: &Captured) -> Result<CandidateCodeSubmission, NotSubmitted> {
    let watch = state.watch.as_ref().ok_or(NotSubmitted::Nothing)?;
    let last = watch.last.as_ref().map(|(_, saved)| BlobRef {
        hash: saved.code_hash,
        bytes: saved.bytes,
        line_count: saved.line_count,
    });
    let (code, captured_late, untaken) = match captured.code {
        Some(code) => (code, captured.late, None),
        None => (last.ok_or(NotSubmitted::Nothing)?, false, captured.untaken),
    };
    if state.last_submitted() == Some(code.hash) {
        return Err(NotSubmitted::Unchanged);
    }
    if state.starter().is_some_and(|starter| starter.hash == code.hash) {
        return Err(NotSubmitted::Starter);
    }
    let ended = state.coding_ended().ok_or(NotSubmitted::Nothing)?;
    let section = ended.pending().ok_or(NotSubmitted::Nothing)?;
    let (origin, until_deadline_micros) = match ended.reason {
        ExitReason::CoverageSatisfied | ExitReason::CandidateDone => {
            let due = state.capture().map_or(section.deadline, |(_, due)| due);
            (Origin::SectionEnd, section.deadline.micros_since(due))
        }
        ExitReason::TimeExpired | ExitReason::SystemError => (Origin::Deadline, 0),
    };
    Ok(CandidateCodeSubmission {
        section_id: section.plan(&state.spec.schema).id.clone(),
        attempt_number: state.next_submission(),
        file_path: watch.watched.file_path.clone(),
        code_hash: code.hash,
        line_count: code.line_count,
        bytes: code.bytes,
        language: watch.watched.language,
        origin,
        captured_late,
        untaken,
        repeated: state.submissions.of_code(code.hash).is_some(),
        late: false,
        until_deadline_micros,
    })
}

/// The assistant's answer, as far as the rules let it through (001 8.2).
pub(super) fn answered(
    draft: &mut Draft<'_>,
    request: EffectId,
    outcome: Result<&Assisted, &Failure>,
) {
    let state = draft.state();
    let said = outcome.cloned().unwrap_or_default();
    let answer = said.text.as_deref();
    let problem = &state.spec.problem;
    let public = problem.starters.values().map(String::as_str).chain([problem.statement.as_str()]);
    let reference = Reference::new(problem.solutions.values().map(String::as_str), public);
    let reply = assistant::check(answer, &reference, state.assistant.released_tokens);
    draft.push(Event::AssistantResponse(AssistantResponse {
        request: request.0,
        text: words::cut(reply.text, TEXT_MAX_BYTES),
        violations: reply.violations,
        withheld: reply.withheld.map(|text| words::cut(text, TEXT_MAX_BYTES)),
        unanswered: reply.unanswered,
        model: said.model.map(|name| words::cut(name, MESSAGE_MAX_BYTES)),
        released_tokens: reply.released_tokens,
    }));
}
