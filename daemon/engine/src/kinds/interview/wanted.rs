//! What an interview asks of the world and has not been answered.

use vosim_protocol::v1::effect::{Assist, Capture, Draw, Evaluate, Purpose, Try, Watch, Word};
use vosim_protocol::v1::interview::Event;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::talk::ModelUse;
use vosim_protocol::{EffectId, Hash};

use super::conclude;
use super::section::{Asking, EndedSection, OpenSection};
use super::state::{Asked, Awaits, Draft, Judging, State, Testing, Watch as Watched};
use super::testifying;
use super::voicing;
use crate::parts::assistant::is_aside;
use crate::parts::drawing;
use crate::parts::probing::Probing;
use crate::parts::wording::Wording;
use crate::wanted::Wanted;

pub(super) fn wanted(state: &State) -> Vec<Wanted<State, Event>> {
    let mut wanted = judging(state);
    wanted.extend(state.probes.pending().iter().map(figures));
    wanted.extend(state.testing.as_ref().map(own_tests));
    wanted.extend(state.open().and_then(|section| words(state, section)));
    wanted.extend(state.open().into_iter().flat_map(|section| testifying::wanted(state, section)));
    wanted.extend(hint_words(state));
    wanted.extend(state.watch.as_ref().and_then(|watch| file(state, watch)));
    wanted.extend(state.asked.as_ref().map(|asked| answer(state, asked)));
    wanted
}

/// The verdicts; before them, once, the inputs that hidden cases need.
fn judging(state: &State) -> Vec<Wanted<State, Event>> {
    let embedded = state.spec.suite;
    match state.suites.current(embedded, state.spec.draw.as_ref()) {
        Some(suite) => state.judging.iter().map(|judging| verdict(judging, suite)).collect(),
        None => state.judging.iter().take(1).map(|first| inputs(first.effect, embedded)).collect(),
    }
}

fn inputs(id: EffectId, embedded: Hash) -> Wanted<State, Event> {
    Wanted::new(id, Draw {}, move |draft: &mut Draft<'_>, outcome| {
        draft.push(Event::SuiteDrawn(drawing::drawn(embedded, outcome)));
    })
}

fn verdict(judging: &Judging, suite: Hash) -> Wanted<State, Event> {
    let (judging, submission) = (judging.clone(), &judging.submission);
    let evaluate = Evaluate {
        suite,
        code: submission.code_hash,
        file_path: submission.file_path.clone(),
        language: submission.language,
    };
    Wanted::new(judging.effect, evaluate, move |draft, outcome| {
        conclude::judged(draft, &judging, outcome.map(Box::as_ref));
    })
}

fn figures(probing: &Probing) -> Wanted<State, Event> {
    let probing = probing.clone();
    Wanted::new(probing.effect, probing.probe(), move |draft, outcome| {
        conclude::measured(draft, &probing, outcome);
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

fn words(state: &State, section: &OpenSection) -> Option<Wanted<State, Event>> {
    match &section.step {
        Asking::Intro(wording) => {
            let (wording, own) = (wording.clone(), voicing::prompt(state, section));
            let word = word(state, &own, Purpose::Prompt, kept(state));
            Some(Wanted::new(wording.effect, word, move |draft, outcome| {
                voicing::prompted(draft, &wording, &own, outcome);
            }))
        }
        Asking::Asked { next } => {
            let next = next.clone()?;
            let own = voicing::question(&next.selected);
            let word = word(state, &own, Purpose::Followup, kept(state));
            Some(Wanted::new(next.wording.effect, word, move |draft, outcome| {
                voicing::followed_up(draft, &next, outcome);
            }))
        }
    }
}

fn hint_words(state: &State) -> Option<Wanted<State, Event>> {
    let (request, wording) = state.hints.pending()?;
    let (request, wording) = (request.clone(), wording.clone());
    let word = word(state, &voicing::rung(state, &request), Purpose::Hint, Vec::new());
    Some(Wanted::new(wording.effect, word, move |draft, outcome| {
        voicing::hinted(draft, &request, &wording, outcome);
    }))
}

fn word(state: &State, own: &str, purpose: Purpose, kept: Vec<String>) -> Word {
    let own = voicing::original(state, own, purpose);
    Wording::word(&own, kept, state.spec.model.as_ref())
}

/// The watched file: its next save, or how it stood at the end of its section.
fn file(state: &State, watch: &Watched) -> Option<Wanted<State, Event>> {
    let file_path = watch.watched.file_path.clone();
    let known = watch.last.as_ref().map(|(_, saved)| saved.code_hash);
    match watch.awaits {
        Awaits::Capture { effect, due } => {
            let capture = Capture { file_path, known, due };
            Some(Wanted::new(effect, capture, conclude::captured))
        }
        Awaits::Save(_) if state.saves.full() => None,
        Awaits::Save(effect) => {
            let watch = Watch { file_path, known, told: watch.lost };
            Some(Wanted::new(effect, watch, conclude::noticed))
        }
    }
}

fn answer(state: &State, asked: &Asked) -> Wanted<State, Event> {
    let id: EffectId = asked.effect;
    let model = ModelUse::assistant(state.spec.model.as_ref());
    let model = model.filter(|_| is_aside(&asked.question, &state.spec.problem));
    let assist = Assist {
        kind: asked.kind,
        question: asked.question.clone(),
        code: asked.code,
        language: language(state),
        model: model.map(str::to_owned),
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
    let sentences = state.ended.iter().flat_map(EndedSection::summary);
    sentences.map(|sentence| sentence.text.clone()).collect()
}
