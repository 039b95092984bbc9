//! What a drill makes of the end of something it asked for.
//!
//! Texts and figures from outside are cut to their bounds here, so that every event fits a record.

use vosim_protocol::v1::drill::{
    AgentResponse, CodeSubmitted, Event, GrowthMeasured, GrowthProbeStarted, ResponseMetadata,
    ResponseType,
};
use vosim_protocol::v1::effect::EffectOutcome;

use super::{State, What, Wording};
use crate::parts::growth::growth;
use crate::parts::judging;
use crate::parts::wording;
use crate::parts::words::{self, MESSAGE_MAX_BYTES};

/// Most sizes at which the time per operation is measured.
const GROWTH_POINTS_MAX: usize = 32;

/// An evaluation has ended: the verdict, or nothing that counts (DECISIONS 15). A pass is measured.
pub(super) fn judged(
    state: &State,
    submitted: &CodeSubmitted,
    outcome: &EffectOutcome,
) -> Vec<Event> {
    let problem = &state.spec.problem;
    let result = match judging::judge(problem, submitted.attempt_number, outcome) {
        Ok(result) => result,
        Err(aborted) => return vec![Event::EvalAborted(aborted)],
    };
    let measured = result.passed && problem.growth.is_some();
    let mut events = vec![Event::EvalResult(result)];
    if measured {
        events.push(Event::GrowthProbeStarted(GrowthProbeStarted {
            attempt_number: submitted.attempt_number,
            code_hash: submitted.code_hash,
            language: submitted.language,
        }));
    }
    events
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

/// A text is there, in a model's words or the problem's own.
pub(super) fn worded(wording: &Wording, outcome: &EffectOutcome) -> Event {
    let own = wording.text.clone();
    match &wording.what {
        What::Hint(requested) => Event::HintGiven(wording::hint(requested, own, outcome)),
        What::Feedback(metadata) => {
            let (message, words) = wording::worded(own, wording::wording(outcome));
            Event::AgentResponse(AgentResponse {
                response_type: ResponseType::Feedback,
                message,
                metadata: ResponseMetadata { words, ..metadata.clone() },
            })
        }
    }
}
