//! How a drill's facts become its state; refuses nothing and chooses nothing.
//!
//! A log that was tampered with is folded as far as it makes sense, so that a replay can say
//! which event does not belong there.

use vosim_protocol::v1::drill::{
    CodeSubmitted, Event, GrowthMeasured, GrowthProbeStarted, ResponseMetadata,
};

use vosim_protocol::v1::judging::{EvalResult, ResultLine};

use vosim_protocol::v1::hints::HintRequested;

use vosim_protocol::v1::talk::Words;
use vosim_protocol::{EffectId, EventId};

use super::{Hint, Probing, SOLUTION_LEVEL, Said, Stage, State, Submission, What, texts};
use crate::kind::Recorded;
use crate::parts::memory::JudgedSubmission;
use crate::parts::wording::Wording;

pub(super) fn evolve(state: &mut State, event: &Recorded<Event>) {
    let effect = EffectId(event.id);
    match &event.event {
        Event::SessionStarted(_) => state.started = event.at,
        Event::CodeSubmitted(submitted) => {
            let submitted = submitted.clone();
            state.stage = Stage::Evaluating(Submission { effect, submitted });
        }
        Event::EvalResult(result) => take_result(state, result, event),
        Event::EvalAborted(_) => {
            let judged = state.submissions.count() > 0;
            state.stage = if judged { Stage::Awaiting } else { Stage::Presented };
        }
        Event::HintRequested(requested) => take_request(state, requested, event.id),
        Event::HintGiven(_) => {
            if let Some(hint) = state.hints.last_mut() {
                hint.given = Some(event.id);
            }
            state.wording.retain(|said| !matches!(said.what, What::Hint(_)));
        }
        Event::AgentResponse(response) => {
            let submission = response.metadata.attempt_number;
            state.wording.retain(|said| !said.is_feedback_on(submission));
        }
        Event::WordingFailed(failed) => {
            let of = |said: &&mut Said| said.wording.request == failed.request;
            if let Some(said) = state.wording.iter_mut().find(of) {
                said.wording.fail(event.id);
            }
        }
        Event::GrowthProbeStarted(started) => start_probe(state, started, effect),
        Event::GrowthMeasured(measured) => take_growth(state, measured),
        // What was wanted until now is no longer: the session sees to that.
        Event::SessionEnded(ended) => {
            state.stage = Stage::Done { at: event.at, ended: ended.clone() };
        }
    }
}

impl Said {
    /// True for the feedback on a submission.
    pub(super) fn is_feedback_on(&self, submission: u32) -> bool {
        match &self.what {
            What::Feedback(metadata) => metadata.attempt_number == submission,
            What::Hint(_) => false,
        }
    }
}

fn take_result(state: &mut State, result: &EvalResult, event: &Recorded<Event>) {
    let Stage::Evaluating(Submission { submitted, .. }) = &state.stage else { return };
    let result_line = result_line(result, submitted.clone(), event);
    state.stage = Stage::Awaiting;
    state.submissions.insert(JudgedSubmission {
        event: event.id,
        result: result_line,
        issue: result.issue.clone(),
    });
    let metadata = ResponseMetadata {
        failure_type: result.failure_type,
        primary_issue: result.issue.clone().unwrap_or_else(|| "none".to_owned()),
        attempt_number: result.attempt_number,
        words: Words::Problem,
    };
    state.wording.push(Said {
        wording: Wording::new(event.id),
        text: texts::feedback(state, result),
        what: What::Feedback(metadata),
    });
}

fn result_line(
    result: &EvalResult,
    submitted: CodeSubmitted,
    event: &Recorded<Event>,
) -> ResultLine {
    ResultLine {
        attempt_number: result.attempt_number,
        failure_type: result.failure_type,
        detail: result.detail,
        tests_passed: result.tests_passed,
        tests_failed: result.tests_failed,
        file_path: submitted.file_path,
        code_hash: submitted.code_hash,
        language: submitted.language,
        at: event.at,
        repeated: submitted.repeated,
    }
}

fn take_request(state: &mut State, requested: &HintRequested, id: EventId) {
    state.hints.push(Hint { requested: id, request: requested.clone(), given: None });
    if requested.hint_level < SOLUTION_LEVEL {
        state.wording.push(Said {
            wording: Wording::new(id),
            text: texts::hint(state, requested),
            what: What::Hint(requested.clone()),
        });
    }
}

fn start_probe(state: &mut State, started: &GrowthProbeStarted, effect: EffectId) {
    let submission = state.submissions.of_code(started.code_hash);
    let file_path =
        submission.map_or_else(String::new, |submission| submission.result.file_path.clone());
    state.probes.push(Probing { effect, started: started.clone(), file_path });
}

/// The figures of the latest submission are kept, in whatever order they come.
fn take_growth(state: &mut State, measured: &GrowthMeasured) {
    state.probes.retain(|probe| probe.started.attempt_number != measured.attempt_number);
    let latest = state.growth.as_ref().map_or(0, |growth| growth.attempt_number);
    if measured.attempt_number >= latest {
        state.growth = Some(measured.clone());
    }
}
