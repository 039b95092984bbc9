//! What an interview makes of the end of something it asked for.
//!
//! Texts and figures from outside are cut to their bounds here, so that every event fits a record.

use vosim_protocol::v1::effect::EffectOutcome;
use vosim_protocol::v1::effect::Untaken;
use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::hints::HintRequested;
use vosim_protocol::v1::interview::{
    AssistantResponse, CandidateCodeSubmission, Event, ExitReason, FollowupPresented, NotSubmitted,
    Origin, OwnTestsAborted, OwnTestsResult, PromptPresented, SolutionSaved, SolutionUnwatched,
    WordingFailed,
};
use vosim_protocol::{Blob, BlobRef, EffectId, Hash, Time};

use super::decide::next_submission;
use super::draft::Draft;
use super::section::{What, Wording};
use super::{Judging, State, Testing};
use crate::parts::assistant::{self, Reference};
use crate::parts::judging;
use crate::parts::verdict;
use crate::parts::wording;
use crate::parts::words::{self, MESSAGE_MAX_BYTES, TEXT_MAX_BYTES};

/// Failures after which the pool's text is used as it is: one retry (001 10.2; DECISIONS 35).
const WORDING_FAILURES_MAX: u32 = 2;
/// Longest name of a file that a question names, bytes.
const FILE_NAME_MAX_BYTES: usize = 64;

pub(super) fn conclude(
    state: &State,
    effect: EffectId,
    outcome: &EffectOutcome,
    at: Time,
) -> Vec<Event> {
    let mut draft = Draft::new(state, at);
    if let Some(judging) = state.judging.iter().find(|judging| judging.effect == effect) {
        draft.push(judged(state, judging, outcome));
    } else if let Some(testing) = state.testing.as_ref().filter(|t| t.effect == effect) {
        let event = tested(&draft, testing, outcome);
        draft.push(event);
    } else if let Some(wording) = wording(state, effect) {
        worded(&mut draft, &wording, outcome);
    } else if let Some(hint) = state.hints.last().filter(|h| EffectId(h.requested) == effect) {
        let event = hinted(state, &hint.request, outcome);
        draft.push(event);
    } else if state.capture.is_some_and(|capture| capture.effect == effect) {
        captured(&mut draft, outcome);
    } else if state.watch.as_ref().is_some_and(|watch| watch.effect == effect) {
        draft.push(saved(outcome));
    } else if state.asked.as_ref().is_some_and(|asked| asked.effect == effect) {
        let event = answered(state, effect, outcome);
        draft.push(event);
    }
    draft.finish()
}

fn judged(state: &State, judging: &Judging, outcome: &EffectOutcome) -> Event {
    let submission = judging.submission.attempt_number;
    match judging::judge(&state.spec.problem, submission, outcome) {
        Ok(result) => Event::EvalResult(result),
        Err(aborted) => Event::EvalAborted(aborted),
    }
}

fn tested(draft: &Draft, testing: &Testing, outcome: &EffectOutcome) -> Event {
    let request = testing.effect.0;
    let reason = match outcome {
        EffectOutcome::Evaluated { evaluation }
            if evaluation.cases.len() == testing.started.cases.len() =>
        {
            return tests_result(draft, testing, evaluation);
        }
        EffectOutcome::Failed { reason } => reason,
        EffectOutcome::Evaluated { .. }
        | EffectOutcome::Probed { .. }
        | EffectOutcome::Phrased { .. }
        | EffectOutcome::Saved { .. }
        | EffectOutcome::Captured { .. }
        | EffectOutcome::Assisted { .. } => "the evaluator answered about other cases",
    };
    let reason = words::cut(reason.to_owned(), MESSAGE_MAX_BYTES);
    Event::OwnTestsAborted(OwnTestsAborted { request, reason })
}

fn tests_result(draft: &Draft, testing: &Testing, evaluation: &Evaluation) -> Event {
    let evaluation = verdict::bounded(evaluation.clone());
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let passed = evaluation.cases.iter().filter(|case| case.outcome.passed()).count();
    let failed = evaluation.cases.len() - passed;
    let section = draft.state.section(&testing.started.section_id);
    let open = section.filter(|section| section.ended.is_none());
    Event::OwnTestsResult(OwnTestsResult {
        request: testing.effect.0,
        passed: count(passed),
        failed: count(failed),
        coverage: open
            .filter(|_| testing.started.expects())
            .and_then(|section| section.coverage.tests_run()),
        evaluation: Box::new(evaluation),
    })
}

fn wording(state: &State, effect: EffectId) -> Option<Wording> {
    let section = state.open()?;
    section.wording.clone().filter(|wording| wording.effect == effect)
}

/// The interviewer's words are there; a model that fails is asked once more, then the text of the
/// schema is used as it is (DECISIONS 35).
fn worded(draft: &mut Draft, wording: &Wording, outcome: &EffectOutcome) {
    let own = own_text(&draft.state, &wording.what);
    let usable = usable(outcome, &own);
    if let Err(reason) = usable {
        let reason = words::cut(reason.to_owned(), MESSAGE_MAX_BYTES);
        draft.push(Event::WordingFailed(WordingFailed { request: wording.request, reason }));
        if wording.failures + 1 < WORDING_FAILURES_MAX {
            return;
        }
    }
    let (text, words) = wording::worded(own, usable);
    let Some(section) = draft.state.open() else { return };
    let presented = match &wording.what {
        What::Prompt => Event::PromptPresented(PromptPresented {
            section_id: section.plan(&draft.state.spec.schema).id.clone(),
            text,
            words,
        }),
        What::Followup(selected) => Event::FollowupPresented(FollowupPresented {
            section_id: selected.section_id.clone(),
            dimension: selected.dimension.clone(),
            pool_index: selected.pool_index,
            text,
            words,
            coverage_before: selected.coverage_before.clone(),
            rule: selected.rule,
            budget_remaining: section.budget,
        }),
    };
    draft.push(presented);
}

/// The text of the schema, which is right as it stands.
pub(super) fn own_text(state: &State, what: &What) -> String {
    match what {
        What::Followup(selected) => selected.question.clone(),
        What::Prompt => {
            let prompt = state.open().map(|section| &section.plan(&state.spec.schema).prompt);
            prompt.map(|prompt| prompt.replace("{file}", &file(state))).unwrap_or_default()
        }
    }
}

/// The file that the candidate works in: the watched one, else one of the usual names.
fn file(state: &State) -> String {
    let watched = state.watch.as_ref().map(|watch| watch.watched.file_path.as_str());
    let Some(path) = watched else { return state.spec.problem.file_names() };
    let name = path.rsplit('/').next().unwrap_or_default();
    // Nothing that could be read as more than a name gets into the interviewer's words.
    let plain = |c: char| c.is_alphanumeric() || "._- ".contains(c);
    match !name.is_empty() && name.len() <= FILE_NAME_MAX_BYTES && name.chars().all(plain) {
        true => format!("`{name}`"),
        false => "the file that is watched".to_owned(),
    }
}

/// A model may put a question into other words; it may not turn it into several, or into none.
fn usable<'a>(outcome: &'a EffectOutcome, own: &str) -> Result<&'a str, &'a str> {
    let text = wording::wording(outcome)?;
    let questions = |text: &str| text.matches('?').count();
    if questions(text) == questions(own) {
        Ok(text)
    } else {
        Err("the model's wording asks another number of questions")
    }
}

fn hinted(state: &State, request: &HintRequested, outcome: &EffectOutcome) -> Event {
    let own = judging::rung(&state.spec.problem, &request.issue, request.hint_level);
    Event::HintGiven(wording::hint(request, own, outcome))
}

fn saved(outcome: &EffectOutcome) -> Event {
    let reason = match outcome {
        EffectOutcome::Saved { code, modified } => {
            return Event::SolutionSaved(SolutionSaved {
                code_hash: code.hash,
                line_count: code.line_count,
                bytes: code.bytes,
                modified: *modified,
            });
        }
        EffectOutcome::Failed { reason } => reason,
        EffectOutcome::Evaluated { .. }
        | EffectOutcome::Probed { .. }
        | EffectOutcome::Phrased { .. }
        | EffectOutcome::Captured { .. }
        | EffectOutcome::Assisted { .. } => "it could not be watched",
    };
    let reason = Some(words::cut(reason.to_owned(), MESSAGE_MAX_BYTES));
    Event::SolutionUnwatched(SolutionUnwatched { reason, not_submitted: None })
}

/// The interview is left: what is under way ends with it, an event each (invariant 4).
pub(super) fn give_up(draft: &mut Draft) {
    let left = EffectOutcome::Failed { reason: "the interview was left".to_owned() };
    let state = draft.state.clone();
    draft.extend(state.judging.iter().map(|judging| judged(&state, judging, &left)));
    let testing = state.testing.as_ref().map(|testing| tested(draft, testing, &left));
    draft.extend(testing);
    let hint = state.hints.last().filter(|hint| !hint.given);
    draft.extend(hint.map(|hint| hinted(&state, &hint.request, &left)));
    draft.extend(state.asked.as_ref().map(|asked| answered(&state, asked.effect, &left)));
    if state.watch.is_some() {
        let not_submitted = Some(NotSubmitted::Left);
        draft.push(Event::SolutionUnwatched(SolutionUnwatched { reason: None, not_submitted }));
    }
}

/// A file as it was found at the end of its section.
struct Captured {
    /// Its bytes; absent when the last save has them, or stands in for them.
    code: Option<BlobRef>,
    late: bool,
    untaken: Option<Untaken>,
}

/// The watched file as it stood when the coding section ended is submitted, unless it was the last
/// submission anyway or holds no work (DECISIONS 11). Where its bytes do not count the last save
/// stands in for them.
fn captured(draft: &mut Draft, outcome: &EffectOutcome) {
    let (captured, reason) = match outcome {
        EffectOutcome::Captured { code, late, untaken } => {
            (Captured { code: *code, late: *late, untaken: *untaken }, None)
        }
        EffectOutcome::Failed { reason } => (Captured::unread(), Some(reason.as_str())),
        EffectOutcome::Evaluated { .. }
        | EffectOutcome::Probed { .. }
        | EffectOutcome::Phrased { .. }
        | EffectOutcome::Saved { .. }
        | EffectOutcome::Assisted { .. } => (Captured::unread(), Some("it could not be read")),
    };
    let submission = at_end(&draft.state, &captured);
    let not_submitted = submission.as_ref().err().copied();
    // A submission tells by itself that the file could not be read.
    let reason = reason.filter(|_| submission.is_err());
    draft.extend(submission.map(Event::CandidateCodeSubmission));
    let reason = reason.map(|reason| words::cut(reason.to_owned(), MESSAGE_MAX_BYTES));
    draft.push(Event::SolutionUnwatched(SolutionUnwatched { reason, not_submitted }));
    draft.seal_captured();
}

impl Captured {
    fn unread() -> Self {
        Self { code: None, late: false, untaken: Some(Untaken::Unreadable) }
    }
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
    if last_submitted(state) == Some(code.hash) {
        return Err(NotSubmitted::Unchanged);
    }
    if starter(state).is_some_and(|starter| starter.hash == code.hash) {
        return Err(NotSubmitted::Starter);
    }
    let coding = |section: &&super::SectionState| section.plan(&state.spec.schema).coding;
    let section = state.sections.iter().find(coding).ok_or(NotSubmitted::Nothing)?;
    let (origin, until_deadline_micros) = match section.ended.map(|ended| ended.reason) {
        Some(ExitReason::CoverageSatisfied | ExitReason::CandidateDone) => {
            let due = state.capture.map_or(section.deadline, |capture| capture.due);
            (Origin::SectionEnd, section.deadline.micros_since(due))
        }
        Some(ExitReason::TimeExpired | ExitReason::SystemError) | None => (Origin::Deadline, 0),
    };
    Ok(CandidateCodeSubmission {
        section_id: section.plan(&state.spec.schema).id.clone(),
        attempt_number: next_submission(state),
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

/// What the candidate has submitted last, as far as it was or will be judged.
pub(super) fn last_submitted(state: &State) -> Option<Hash> {
    let judging = state.judging.last().map(|judging| judging.submission.code_hash);
    judging.or_else(|| state.submissions.last().map(|submission| submission.result.code_hash))
}

/// What a watched file holds before anybody has worked on it.
pub(super) fn starter(state: &State) -> Option<BlobRef> {
    let language = state.watch.as_ref()?.watched.language;
    let text = state.spec.problem.starters.get(&language)?;
    Some(Blob(text.clone().into_bytes()).reference())
}

/// The assistant's answer, as far as the rules let it through (001 8.2).
fn answered(state: &State, request: EffectId, outcome: &EffectOutcome) -> Event {
    let answer = match outcome {
        EffectOutcome::Assisted { text } => text.as_deref(),
        EffectOutcome::Failed { .. }
        | EffectOutcome::Evaluated { .. }
        | EffectOutcome::Probed { .. }
        | EffectOutcome::Phrased { .. }
        | EffectOutcome::Saved { .. }
        | EffectOutcome::Captured { .. } => None,
    };
    let problem = &state.spec.problem;
    let public = problem.starters.values().map(String::as_str).chain([problem.statement.as_str()]);
    let reference = Reference::new(problem.solutions.values().map(String::as_str), public);
    let reply = assistant::check(answer, &reference, state.assistant.released_tokens);
    Event::AssistantResponse(AssistantResponse {
        request: request.0,
        text: words::cut(reply.text, TEXT_MAX_BYTES),
        violations: reply.violations,
        withheld: reply.withheld.map(|text| words::cut(text, TEXT_MAX_BYTES)),
        unanswered: reply.unanswered,
        released_tokens: reply.released_tokens,
    })
}
