//! What a drill asks of the world, and what it makes of the end.
//!
//! Texts and figures from outside are cut to their bounds here, so that every event fits a record.

use vosim_protocol::v1::drill::{AgentResponse, Event, ResponseMetadata, ResponseType, Spec};
use vosim_protocol::v1::effect::{Draw, Evaluate, Failure, Purpose, Word};
use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::hints::SOLUTION_LEVEL;
use vosim_protocol::v1::judging::CodeSubmitted;
use vosim_protocol::{EffectId, Hash};

use super::state::{Draft, Feedback, Stage, State, Submission};
use crate::parts::drawing;
use crate::parts::judging;
use crate::parts::probing::{self, Probing};
use crate::parts::rewording::Original;
use crate::parts::wording::{self, Voiced, Worded, Wording};
use crate::wanted::Wanted;

pub(super) fn wanted(state: &State) -> Vec<Wanted<State, Event>> {
    let mut wanted = Vec::new();
    if let Stage::Evaluating(Submission { effect, submitted, .. }) = &state.stage {
        let Spec { suite, draw, .. } = &*state.spec;
        wanted.push(match state.suites.current(*suite, draw.as_ref()) {
            Some(suite) => verdict(*effect, submitted.clone(), suite),
            None => inputs(*effect, *suite),
        });
    }
    wanted.extend(state.probes.pending().iter().map(figures));
    wanted.extend(state.feedback.iter().map(|one| feedback(state, one)));
    wanted.extend(hint(state));
    wanted
}

fn inputs(id: EffectId, embedded: Hash) -> Wanted<State, Event> {
    Wanted::new(id, Draw {}, move |draft: &mut Draft<'_>, outcome| {
        draft.push(Event::SuiteDrawn(drawing::drawn(embedded, outcome)));
    })
}

fn verdict(id: EffectId, submitted: CodeSubmitted, suite: Hash) -> Wanted<State, Event> {
    let effect = Evaluate {
        suite,
        code: submitted.code_hash,
        file_path: submitted.file_path.clone(),
        language: submitted.language,
    };
    Wanted::new(id, effect, move |draft, outcome| {
        judged(draft, &submitted, outcome.map(Box::as_ref));
    })
}

fn figures(probing: &Probing) -> Wanted<State, Event> {
    let probing = probing.clone();
    Wanted::new(probing.effect, probing.probe(), move |draft: &mut Draft<'_>, outcome| {
        let measured = probing.measured(&draft.state().spec.problem, outcome);
        draft.push(Event::GrowthMeasured(measured));
    })
}

fn feedback(state: &State, feedback: &Feedback) -> Wanted<State, Event> {
    let Feedback { wording, text, metadata } = feedback.clone();
    let word = word(state, &text, Purpose::Feedback);
    Wanted::new(wording.effect, word, move |draft: &mut Draft<'_>, outcome| {
        let said = said(draft, &wording, (&text, Purpose::Feedback), outcome);
        let Some(Voiced { text: message, words, model }) = said else { return };
        draft.push(Event::AgentResponse(AgentResponse {
            response_type: ResponseType::Feedback,
            message,
            metadata: ResponseMetadata { words, model, ..metadata.clone() },
        }));
    })
}

fn original<'a>(state: &'a State, text: &'a str, purpose: Purpose) -> Original<'a> {
    Original { text, purpose, problem: &state.spec.problem, about: None }
}

fn word(state: &State, own: &str, purpose: Purpose) -> Word {
    Wording::word(&original(state, own, purpose), Vec::new(), state.spec.model.as_ref())
}

/// What a try to put a text into words came to; a failure is told.
fn said(
    draft: &mut Draft<'_>,
    wording: &Wording,
    (own, purpose): (&str, Purpose),
    outcome: Result<&String, &Failure>,
) -> Option<Voiced> {
    let state = draft.state();
    let own = original(state, own, purpose);
    let Worded { failed, said } = wording.conclude(&own, outcome, state.spec.model.as_ref());
    draft.extend(failed.map(Event::WordingFailed));
    said
}

fn hint(state: &State) -> Option<Wanted<State, Event>> {
    // DECISIONS 18: the solution is never handed to a model, so there are no words to wait for.
    let pending = state.hints.pending();
    let (request, wording) = pending.filter(|(request, _)| request.hint_level < SOLUTION_LEVEL)?;
    let (request, wording) = (request.clone(), wording.clone());
    let own = judging::rung(&state.spec.problem, &request.issue, request.hint_level);
    let word = word(state, &own, Purpose::Hint);
    Some(Wanted::new(wording.effect, word, move |draft, outcome| {
        let said = said(draft, &wording, (&own, Purpose::Hint), outcome);
        draft.extend(said.map(|said| Event::HintGiven(wording::hint(&request, said))));
    }))
}

/// An evaluation has ended: the verdict, or nothing that counts (DECISIONS 15). A pass is measured.
fn judged(
    draft: &mut Draft<'_>,
    submitted: &CodeSubmitted,
    outcome: Result<&Evaluation, &Failure>,
) {
    let problem = &draft.state().spec.problem;
    match judging::judge(problem, submitted.attempt_number, outcome) {
        Err(aborted) => drop(draft.push(Event::EvalAborted(aborted))),
        Ok(result) => {
            let code = (submitted.code_hash, submitted.language);
            let probe = probing::begins(problem, &result, code);
            draft.push(Event::EvalResult(result));
            draft.extend(probe.map(Event::GrowthProbeStarted));
        }
    }
}
