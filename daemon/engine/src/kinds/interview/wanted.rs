//! What an interview asks of the world and has not been answered.

use vosim_protocol::EffectId;
use vosim_protocol::v1::effect::{Effect, Purpose};
use vosim_protocol::v1::problem::Language;

use super::conclude::own_text;
use super::section::What;
use super::{State, Watch};
use crate::parts::judging;

pub(super) fn wanted(state: &State) -> Vec<(EffectId, Effect)> {
    let mut wanted = Vec::new();
    for judging in &state.judging {
        let submission = &judging.submission;
        let effect = Effect::Evaluate {
            code: submission.code_hash,
            file_path: submission.file_path.clone(),
            language: submission.language,
        };
        wanted.push((judging.effect, effect));
    }
    if let Some(testing) = &state.testing {
        let started = &testing.started;
        let effect = Effect::Try {
            code: started.code_hash,
            file_path: started.file_path.clone(),
            language: started.language,
            cases: started.cases.clone(),
        };
        wanted.push((testing.effect, effect));
    }
    if let Some(wording) = state.open().and_then(|section| section.wording.as_ref()) {
        let purpose = match wording.what {
            What::Prompt => Purpose::Prompt,
            What::Followup(_) => Purpose::Followup,
        };
        let text = own_text(state, &wording.what);
        let context = kept(state);
        wanted.push((wording.effect, Effect::Word { text, purpose, context }));
    }
    if let Some(hint) = state.hints.last().filter(|hint| !hint.given) {
        let request = &hint.request;
        let text = judging::rung(&state.spec.problem, &request.issue, request.hint_level);
        let effect = Effect::Phrase { text, purpose: Purpose::Hint };
        wanted.push((EffectId(hint.requested), effect));
    }
    wanted.extend(state.watch.as_ref().and_then(|watch| of_file(state, watch)));
    if let Some(asked) = &state.asked {
        let effect = Effect::Assist {
            kind: asked.kind,
            question: asked.question.clone(),
            code: asked.code,
            language: language(state),
        };
        wanted.push((asked.effect, effect));
    }
    wanted
}

fn of_file(state: &State, watch: &Watch) -> Option<(EffectId, Effect)> {
    let file_path = watch.watched.file_path.clone();
    let known = watch.last.as_ref().map(|(_, saved)| saved.code_hash);
    match state.capture {
        Some(capture) => {
            Some((capture.effect, Effect::Capture { file_path, known, due: capture.due }))
        }
        None if state.saves.full() => None,
        None => Some((watch.effect, Effect::Watch { file_path, known })),
    }
}

/// The language the candidate works in, as far as it is known.
fn language(state: &State) -> Option<Language> {
    let watched = state.watch.as_ref().map(|watch| watch.watched.language);
    watched.or_else(|| state.submissions.last().map(|submission| submission.result.language))
}

/// What the interviewer remembers of the sections before (001 7.1: the section summaries).
fn kept(state: &State) -> Vec<String> {
    let sentences = state.sections.iter().flat_map(|section| section.summary.iter());
    sentences.map(|sentence| sentence.text.clone()).collect()
}
