//! Which input led to an event of an attempt, from the event and the state before it.

use vosim_protocol::v1::attempt::{
    ChallengeScored, Command, Event, FailureExplained, FailureTraced, OwnCasesRun, PatternChosen,
    Step, UnderstandingSubmitted,
};
use vosim_protocol::v1::effect::{
    CheckInvariant, Draw, Evaluate, Examine, Examined, ExaminedRun, Failure, Shrink, Try,
};
use vosim_protocol::{BlobRef, EffectId, EventId};

use super::failing::examined;
use super::state::{After, Stage, State};
use crate::kind::Cause;
use crate::parts::drawing;

/// The id of nothing: no effect was waited for.
const NONE: EffectId = EffectId(EventId(0));

pub(super) fn cause(state: &State, event: &Event) -> Cause<Command> {
    let effect = state.waited_for().unwrap_or(NONE);
    match event {
        Event::AttemptStarted(_) => Cause::Opening,
        Event::ModeSet(set) => Cause::Command(Command::Mode { mode: set.mode }),
        Event::UnderstandingSubmitted(fields) => Cause::Command(explanation(fields)),
        Event::FollowupAnswered(answered) => Cause::Command(Command::UnderstandFollowup {
            question: answered.question.clone(),
            answer: answered.answer.clone(),
        }),
        Event::UnderstandingAssessed(assessed) if matches!(state.stage, Stage::Assessing(_)) => {
            let (examples, not_run) = (assessed.examples.as_ref(), assessed.not_run.as_ref());
            Cause::ended::<Examine>(effect, outcome(examples, not_run))
        }
        Event::PlanAssessed(assessed) if matches!(state.stage, Stage::Checking(_)) => {
            let (checked, not_checked) = (assessed.checked.as_ref(), assessed.not_checked.as_ref());
            Cause::ended::<CheckInvariant>(effect, outcome(checked, not_checked))
        }
        Event::PatternsSuggested(suggested) => {
            Cause::Command(Command::PlanSuggest { explanation: suggested.explanation.clone() })
        }
        Event::DiscoveryAnswered(answered) => {
            Cause::Command(Command::PlanDiscover { answer: answered.answer })
        }
        Event::PatternChosen(chosen) => Cause::Command(choice(chosen)),
        Event::ApproachTaken(taken) => {
            Cause::Command(Command::Approach { text: taken.text.clone() })
        }
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
        Event::SuiteDrawn(drawn) => Cause::ended::<Draw>(effect, drawing::outcome(drawn)),
        Event::EvalResult(result) => {
            Cause::ended::<Evaluate>(effect, Ok(result.evaluation.clone()))
        }
        Event::EvalAborted(aborted) => {
            Cause::ended::<Evaluate>(effect, Err(Failure::new(aborted.reason.clone())))
        }
        Event::HintRequested(_) => Cause::Command(Command::Hint {}),
        Event::FailureExplained(explained) => Cause::Command(failure(explained)),
        Event::NotesKept(kept) => {
            Cause::Command(Command::Note { trace_notes: kept.trace_notes.clone() })
        }
        Event::TraceRequested(asked) => {
            Cause::Command(Command::VerifyTrace { test_index: asked.test_index })
        }
        Event::FailureTraced(FailureTraced { trace, not_traced, .. }) => {
            Cause::ended::<Shrink>(after(state), outcome(trace.as_ref(), not_traced.as_ref()))
        }
        Event::OwnCasesRun(OwnCasesRun { evaluation, not_run, .. }) => {
            Cause::ended::<Try>(after(state), outcome(evaluation.as_ref(), not_run.as_ref()))
        }
        Event::OwnCaseGiven(given) => Cause::Command(Command::CaseAdd { ops: given.ops.clone() }),
        Event::OwnCaseChecked(checked) => Cause::ended::<Examine>(given(state), examined(checked)),
        Event::OwnCaseRemoved(removed) => {
            Cause::Command(Command::CaseRemove { number: removed.number })
        }
        Event::StepTaken(taken) if taken.from == Step::Verify => Cause::Command(Command::Retry {}),
        Event::StepTaken(_) => Cause::Command(Command::Skip {}),
        Event::ChallengeTried(tried) => {
            Cause::Command(Command::Challenge { ops: tried.ops.clone() })
        }
        Event::ChallengeScored(scored) => Cause::ended::<Examine>(effect, challenged(scored)),
        Event::ReflectionSubmitted(reflection) => Cause::Command(Command::ReflectSubmit {
            cues_next_time: reflection.cues_next_time.clone(),
            invariant_summary: reflection.invariant_summary.clone(),
        }),
        Event::UnderstandingAssessed(_) | Event::PlanAssessed(_) | Event::HintGiven(_) => {
            Cause::Consequence
        }
        // Only whoever leaves ends an attempt without another event before it.
        Event::AttemptCompleted(_) => Cause::Command(Command::End {}),
    }
}

fn explanation(fields: &UnderstandingSubmitted) -> Command {
    Command::UnderstandSubmit {
        explanation: fields.explanation.clone(),
        input_output_description: fields.input_output_description.clone(),
        constraints_description: fields.constraints_description.clone(),
        example_walkthrough: fields.example_walkthrough.clone(),
        wrong_approach: fields.wrong_approach.clone(),
    }
}

fn choice(chosen: &PatternChosen) -> Command {
    Command::PlanChoose {
        pattern_id: chosen.pattern_id.clone(),
        confidence: chosen.confidence,
        invariant_text: chosen.invariant_text.clone(),
        invariant_builder: chosen.invariant_builder.clone(),
        complexity: chosen.complexity.clone(),
    }
}

fn failure(explained: &FailureExplained) -> Command {
    Command::VerifyExplainFailure {
        test_index: explained.test_index,
        test_input: explained.test_input.clone(),
        expected: explained.expected.clone(),
        actual: explained.actual.clone(),
        user_explanation: explained.user_explanation.clone(),
    }
}

fn outcome<T: Clone>(found: Option<&T>, not: Option<&String>) -> Result<T, Failure> {
    let failure = || Failure::new(not.cloned().unwrap_or_default());
    found.cloned().ok_or_else(failure)
}

/// What a score tells of the run, as far as the score depends on it.
fn challenged(scored: &ChallengeScored) -> Result<Examined, Failure> {
    if let Some(reason) = &scored.not_run {
        return Err(Failure::new(reason.clone()));
    }
    let run = ExaminedRun {
        holds: scored.holds,
        differs_at: None,
        catches: scored.caught,
        shown: false,
        outside: None,
        limit: None,
    };
    Ok(Examined { runs: vec![run], planted: scored.planted, caught: scored.caught })
}

/// What is waited for of a case that was given.
fn given(state: &State) -> EffectId {
    state.own.given.as_ref().map_or(NONE, |(effect, _)| *effect)
}

/// What is waited for beside the step.
fn after(state: &State) -> EffectId {
    match &state.after {
        After::RunningOwn(effect) | After::Tracing { effect, .. } => *effect,
        After::Nothing => NONE,
    }
}
