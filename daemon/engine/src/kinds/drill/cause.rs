//! From which input a recorded event of a drill comes, so that a replay can decide it anew.

use vosim_protocol::v1::drill::{Command, Event};

use vosim_protocol::v1::effect::{Draw, Evaluate, Failure, Probe, Word};
use vosim_protocol::v1::hints::SOLUTION_LEVEL;
use vosim_protocol::{BlobRef, EffectId, EventId};

use super::state::{Feedback, Stage, State};
use crate::kind::Cause;
use crate::parts::admission;
use crate::parts::drawing;
use crate::parts::probing;
use crate::parts::wording::Wording;

/// An effect that is never wanted: an outcome of it leads to nothing.
const NONE: EffectId = EffectId(EventId::ZERO);

pub(super) fn cause(state: &State, event: &Event) -> Cause<Command> {
    match event {
        Event::SessionStarted(_) => Cause::Opening,
        Event::CodeSubmitted(submitted) => Cause::Command(Command::Submit {
            file_path: submitted.file_path.clone(),
            code: BlobRef {
                hash: submitted.code_hash,
                bytes: submitted.bytes,
                line_count: submitted.line_count,
            },
            language: submitted.language,
            again: submitted.repeated
                || admission::is_starter(&state.spec.problem, submitted.code_hash),
        }),
        Event::SuiteDrawn(drawn) => {
            Cause::ended::<Draw>(evaluating(state), drawing::outcome(drawn))
        }
        Event::EvalResult(result) => {
            let evaluation = result.evaluation.clone();
            Cause::ended::<Evaluate>(evaluating(state), Ok(evaluation))
        }
        Event::EvalAborted(aborted) => {
            let failure = Failure::new(aborted.reason.clone());
            Cause::ended::<Evaluate>(evaluating(state), Err(failure))
        }
        // That it was confirmed is not recorded: without it there would be no event.
        Event::HintRequested(requested) if requested.give_up => {
            Cause::Command(Command::GiveUp { confirm: true })
        }
        Event::HintRequested(requested) => {
            let confirm = requested.hint_level >= SOLUTION_LEVEL;
            Cause::Command(Command::Hint { confirm, level: None })
        }
        Event::HintGiven(given) if given.hint_level >= SOLUTION_LEVEL => Cause::Consequence,
        Event::HintGiven(given) => {
            worded(state.hints.pending().map(|(_, wording)| wording), Ok(&given.hint_text))
        }
        Event::AgentResponse(response) => {
            let on = response.metadata.attempt_number;
            let of = |feedback: &&Feedback| feedback.metadata.attempt_number == on;
            let feedback = state.feedback.iter().find(of);
            worded(feedback.map(|feedback| &feedback.wording), Ok(&response.message))
        }
        Event::WordingFailed(failed) => {
            let feedback = state.feedback.iter().map(|feedback| &feedback.wording);
            let hint = state.hints.pending().map(|(_, wording)| wording);
            let wording = feedback.chain(hint).find(|wording| wording.request == failed.request);
            worded(wording, Err(&failed.reason))
        }
        Event::VariationAsked(_) | Event::GrowthProbeStarted(_) => Cause::Consequence,
        Event::VariationAnswered(answered) => {
            Cause::Command(Command::Say { text: answered.text.clone() })
        }
        Event::GrowthMeasured(measured) => {
            let effect = state.probes.effect(measured).unwrap_or(NONE);
            Cause::ended::<Probe>(effect, probing::outcome(measured))
        }
        Event::SessionEnded(_) => Cause::Command(Command::End {}),
    }
}

fn evaluating(state: &State) -> EffectId {
    match &state.stage {
        Stage::Evaluating(submission) => submission.effect,
        Stage::Presented | Stage::Awaiting | Stage::Done { .. } => NONE,
    }
}

/// A model that says the problem's own text again has said it: the words are the problem's.
fn worded(wording: Option<&Wording>, outcome: Result<&str, &str>) -> Cause<Command> {
    let effect = wording.map_or(NONE, |wording| wording.effect);
    Cause::ended::<Word>(effect, outcome.map(str::to_owned).map_err(Failure::new))
}
