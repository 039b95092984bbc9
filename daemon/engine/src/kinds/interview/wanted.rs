//! What an interview asks of the world and has not been answered.

use vosim_protocol::EffectId;
use vosim_protocol::v1::effect::{Assist, Capture, Evaluate, Purpose, Try, Watch, Word};
use vosim_protocol::v1::interview::Event;
use vosim_protocol::v1::problem::Language;

use super::conclude::{self, own_text};
use super::section::{Saying, What};
use super::{Asked, Hint, Judging, State, Testing, Watch as Watched};
use crate::parts::wording::Wording;
use crate::wanted::Wanted;

pub(super) fn wanted(state: &State) -> Vec<Wanted<State, Event>> {
    let mut wanted: Vec<_> = state.judging.iter().map(verdict).collect();
    wanted.extend(state.testing.as_ref().map(own_tests));
    wanted.extend(state.open().and_then(|open| open.saying.as_ref()).map(|of| words(state, of)));
    wanted.extend(state.hints.last().and_then(|hint| hint_words(state, hint)));
    wanted.extend(state.watch.as_ref().and_then(|watch| file(state, watch)));
    wanted.extend(state.asked.as_ref().map(|asked| answer(state, asked)));
    wanted
}

fn verdict(judging: &Judging) -> Wanted<State, Event> {
    let (judging, submission) = (judging.clone(), &judging.submission);
    let evaluate = Evaluate {
        code: submission.code_hash,
        file_path: submission.file_path.clone(),
        language: submission.language,
    };
    Wanted::new(judging.effect, evaluate, move |draft, outcome| {
        conclude::judged(draft, &judging, outcome.map(Box::as_ref));
    })
}

fn own_tests(testing: &Testing) -> Wanted<State, Event> {
    let (testing, started) = (testing.clone(), &testing.started);
    let trial = Try {
        code: started.code_hash,
        file_path: started.file_path.clone(),
        language: started.language,
        cases: started.cases.clone(),
    };
    Wanted::new(testing.effect, trial, move |draft, outcome| {
        conclude::tested(draft, &testing, outcome.map(Box::as_ref));
    })
}

fn words(state: &State, saying: &Saying) -> Wanted<State, Event> {
    let purpose = match saying.what {
        What::Prompt => Purpose::Prompt,
        What::Followup(_) => Purpose::Followup,
    };
    let (saying, own) = (saying.clone(), own_text(state, &saying.what));
    let word = Wording::word(own.clone(), purpose, kept(state));
    Wanted::new(saying.wording.effect, word, move |draft, outcome| {
        conclude::said(draft, &saying, &own, outcome);
    })
}

fn hint_words(state: &State, hint: &Hint) -> Option<Wanted<State, Event>> {
    let (request, wording) = (hint.request.clone(), hint.wording.clone()?);
    let word: Word = Wording::word(conclude::rung(state, &request), Purpose::Hint, Vec::new());
    Some(Wanted::new(wording.effect, word, move |draft, outcome| {
        conclude::hinted(draft, &request, &wording, outcome);
    }))
}

/// The watched file: its next save, or how it stood at the end of its section.
fn file(state: &State, watch: &Watched) -> Option<Wanted<State, Event>> {
    let file_path = watch.watched.file_path.clone();
    let known = watch.last.as_ref().map(|(_, saved)| saved.code_hash);
    match state.capture {
        Some(capture) => {
            let effect = Capture { file_path, known, due: capture.due };
            Some(Wanted::new(capture.effect, effect, conclude::captured))
        }
        None if state.saves.full() => None,
        None => {
            let effect = Watch { file_path, known };
            Some(Wanted::new(watch.effect, effect, conclude::saved))
        }
    }
}

fn answer(state: &State, asked: &Asked) -> Wanted<State, Event> {
    let id: EffectId = asked.effect;
    let assist = Assist {
        kind: asked.kind,
        question: asked.question.clone(),
        code: asked.code,
        language: language(state),
    };
    Wanted::new(id, assist, move |draft, outcome| conclude::answered(draft, id, outcome))
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
