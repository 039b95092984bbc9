//! What a drill makes of the end of something it asked for.
//!
//! Texts and figures from outside are cut to their bounds here, so that every event fits a record.

use vosim_protocol::v1::drill::{
    AgentResponse, CodeSubmitted, EvalAborted, EvalResult, Event, GrowthMeasured,
    GrowthProbeStarted, HintGiven, ResponseMetadata, ResponseType, Words,
};
use vosim_protocol::v1::effect::EffectOutcome;
use vosim_protocol::v1::evaluation::{Evaluation, FailureType};

use super::{State, What, Wording};
use crate::parts::growth::growth;
use crate::parts::verdict::{self, Verdict};
use crate::parts::words::{self, MESSAGE_MAX_BYTES, TEXT_MAX_BYTES};

/// Most sizes at which the time per operation is measured.
const GROWTH_POINTS_MAX: usize = 32;

/// An evaluation has ended: the verdict, or nothing that counts (DECISIONS 15).
pub(super) fn judged(
    state: &State,
    submitted: &CodeSubmitted,
    outcome: &EffectOutcome,
) -> Vec<Event> {
    let reason = match outcome {
        EffectOutcome::Evaluated { evaluation } if of_this_problem(state, evaluation) => {
            return verdict_events(state, submitted, evaluation);
        }
        EffectOutcome::Evaluated { .. } => "the evaluator answered about other tests",
        EffectOutcome::Failed { reason } => reason,
        EffectOutcome::Probed { .. }
        | EffectOutcome::Phrased { .. }
        | EffectOutcome::Saved { .. }
        | EffectOutcome::Captured { .. }
        | EffectOutcome::Assisted { .. } => "the evaluator answered something else than a verdict",
    };
    vec![Event::EvalAborted(EvalAborted {
        attempt_number: submitted.attempt_number,
        reason: words::cut(reason.to_owned(), MESSAGE_MAX_BYTES),
    })]
}

/// A verdict speaks of all tests of the problem, in their order (DECISIONS 16).
fn of_this_problem(state: &State, evaluation: &Evaluation) -> bool {
    let names = state.spec.problem.cases.iter().map(|case| &case.name);
    evaluation.cases.iter().map(|case| &case.name).eq(names)
}

fn verdict_events(state: &State, submitted: &CodeSubmitted, evaluation: &Evaluation) -> Vec<Event> {
    let evaluation = verdict::bounded(evaluation.clone());
    let verdict = verdict::classify(&evaluation);
    let passed = verdict.failure_type == FailureType::Pass;
    let issue = if passed { None } else { Some(issue_of(state, &verdict)) };
    let mut events = vec![Event::EvalResult(EvalResult {
        attempt_number: submitted.attempt_number,
        passed,
        failure_type: verdict.failure_type,
        tests_passed: verdict.tests_passed,
        tests_failed: verdict.tests_failed,
        failing_tests: verdict.failing_tests,
        exception: verdict.exception,
        runtime_ms: evaluation.runtime_ms,
        detail: verdict.detail,
        limit: verdict.limit,
        not_run: verdict.not_run,
        issue,
        evaluation: Box::new(evaluation),
    })];
    if passed && state.spec.problem.growth.is_some() {
        events.push(Event::GrowthProbeStarted(GrowthProbeStarted {
            attempt_number: submitted.attempt_number,
            code_hash: submitted.code_hash,
            language: submitted.language,
        }));
    }
    events
}

/// The issue a failing verdict is put down to; a problem's last one fits always.
fn issue_of(state: &State, verdict: &Verdict) -> String {
    let issues = &state.spec.problem.issues;
    let issue = verdict::issue(issues, verdict).or(issues.last());
    issue.map_or_else(|| "general".to_owned(), |issue| issue.id.clone())
}

/// The figures are there, or the reason why there are none.
pub(super) fn measured(started: &GrowthProbeStarted, outcome: &EffectOutcome) -> GrowthMeasured {
    let (points, reason) = match outcome {
        EffectOutcome::Probed { points } => {
            (points.iter().take(GROWTH_POINTS_MAX).cloned().collect(), None)
        }
        EffectOutcome::Failed { reason } => (Vec::new(), Some(reason.as_str())),
        EffectOutcome::Evaluated { .. }
        | EffectOutcome::Phrased { .. }
        | EffectOutcome::Saved { .. }
        | EffectOutcome::Captured { .. }
        | EffectOutcome::Assisted { .. } => {
            (Vec::new(), Some("the evaluator answered something else than figures"))
        }
    };
    GrowthMeasured {
        attempt_number: started.attempt_number,
        growth: growth(&points),
        points,
        reason: reason.map(|reason| words::cut(reason.to_owned(), MESSAGE_MAX_BYTES)),
    }
}

/// A text is there. Where no model could word it, or its words are none or too many, the
/// problem's own text is used as it is (DECISIONS 35).
pub(super) fn worded(wording: &Wording, outcome: &EffectOutcome) -> Event {
    let own = (wording.text.clone(), Words::Problem);
    let (text, words) = match outcome {
        EffectOutcome::Phrased { text } if usable(text) && *text != wording.text => {
            (text.clone(), Words::Model)
        }
        EffectOutcome::Phrased { .. }
        | EffectOutcome::Failed { .. }
        | EffectOutcome::Evaluated { .. }
        | EffectOutcome::Probed { .. }
        | EffectOutcome::Saved { .. }
        | EffectOutcome::Captured { .. }
        | EffectOutcome::Assisted { .. } => own,
    };
    match &wording.what {
        What::Hint(requested) => Event::HintGiven(HintGiven {
            hint_level: requested.hint_level,
            hint_text: text,
            trigger_reason: requested.trigger_reason,
            issue: requested.issue.clone(),
            words,
        }),
        What::Feedback(metadata) => Event::AgentResponse(AgentResponse {
            response_type: ResponseType::Feedback,
            message: text,
            metadata: ResponseMetadata { words, ..metadata.clone() },
        }),
    }
}

fn usable(text: &str) -> bool {
    !text.trim().is_empty() && words::json_len(text) <= TEXT_MAX_BYTES
}
