//! From which input a recorded event of a drill comes, so that a replay can decide it anew.

use vosim_protocol::v1::drill::{Command, Event};

use vosim_protocol::v1::effect::EffectOutcome;
use vosim_protocol::v1::talk::Words;
use vosim_protocol::{BlobRef, EffectId, EventId};

use super::{SOLUTION_LEVEL, Stage, State, What, Wording};
use crate::kind::Cause;

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
            again: submitted.repeated,
        }),
        Event::EvalResult(result) => {
            let evaluation = result.evaluation.clone();
            Cause::Outcome(evaluating(state), EffectOutcome::Evaluated { evaluation })
        }
        Event::EvalAborted(aborted) => {
            Cause::Outcome(evaluating(state), failed(aborted.reason.clone()))
        }
        // That it was confirmed is not recorded: without it there would be no event.
        Event::HintRequested(requested) if requested.give_up => {
            Cause::Command(Command::GiveUp { confirm: true })
        }
        Event::HintRequested(_) => Cause::Command(Command::Hint { confirm: true }),
        Event::HintGiven(given) if given.hint_level >= SOLUTION_LEVEL => Cause::Consequence,
        Event::HintGiven(given) => {
            let hint = |wording: &&Wording| matches!(wording.what, What::Hint(_));
            let wording = state.wording.iter().find(hint);
            Cause::Outcome(effect(wording), phrased(given.words, &given.hint_text))
        }
        Event::AgentResponse(response) => {
            let submission = response.metadata.attempt_number;
            let wording = state.wording.iter().find(|wording| wording.is_feedback_on(submission));
            let outcome = phrased(response.metadata.words, &response.message);
            Cause::Outcome(effect(wording), outcome)
        }
        Event::GrowthProbeStarted(_) => Cause::Consequence,
        Event::GrowthMeasured(measured) => {
            let of = |submission| submission == measured.attempt_number;
            let probe = state.probes.iter().find(|probe| of(probe.started.attempt_number));
            let outcome = match &measured.reason {
                Some(reason) => failed(reason.clone()),
                None => EffectOutcome::Probed { points: measured.points.clone() },
            };
            Cause::Outcome(probe.map_or(NONE, |probe| probe.effect), outcome)
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

fn effect(wording: Option<&Wording>) -> EffectId {
    wording.map_or(NONE, |wording| wording.effect)
}

fn failed(reason: String) -> EffectOutcome {
    EffectOutcome::Failed { reason }
}

fn phrased(words: Words, text: &str) -> EffectOutcome {
    match words {
        Words::Model => EffectOutcome::Phrased { text: text.to_owned() },
        Words::Problem => failed(String::new()),
    }
}
