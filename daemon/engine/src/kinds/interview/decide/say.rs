//! A message to the interviewer: where it belongs, what it covers, which cards answer it.

use vosim_protocol::v1::coverage::{Dimension, Guard};
use vosim_protocol::v1::interview::{CandidateMessage, Clarification, ClarificationGiven, Event};

use super::bounds::{room, room_in, text_of};
use crate::kinds::interview::belonging::{Addressed, addressed};
use crate::kinds::interview::listening::listen;
use crate::kinds::interview::section::OpenSection;
use crate::kinds::interview::state::{Draft, State};
use crate::parts::coverage::{hear, tells_verdict};
use crate::rejection::Rejection;

/// Most cards that one message is answered with.
const CARDS_MAX: usize = 3;

pub(super) fn say(draft: &mut Draft<'_>, text: &str, named: Option<&str>) -> Result<(), Rejection> {
    let state = draft.state();
    let addressed = addressed(state, named, text, draft.at())?;
    let (section, late) = (addressed.contents(), matches!(addressed, Addressed::Late { .. }));
    text_of("the message", text)?;
    room(state)?;
    room_in(section, text)?;
    let plan = section.plan(&state.spec.schema);
    let heard = match addressed.open() {
        Some(section) => listen(state, &section.contents, text).heard,
        None => hear(text, &plan.dimensions, &[]),
    };
    let guard = if late { Some(Guard::Late) } else { heard.guard };
    let told_verdict = !late && plan.coding && tells_latest(state, text);
    let mut coverage = if late { Vec::new() } else { section.coverage.changes(&heard) };
    if told_verdict && let Some(change) = section.coverage.verdict_told() {
        coverage.retain(|other| other.dimension != change.dimension);
        coverage.push(change);
    }
    let followup = addressed.open().and_then(OpenSection::followup);
    let declined = followup.filter(|_| guard == Some(Guard::Declined)).map(str::to_owned);
    let section_id = plan.id.clone();
    draft.push(Event::CandidateMessage(CandidateMessage {
        section_id: section_id.clone(),
        text: text.to_owned(),
        late,
        until_deadline_micros: section.deadline.micros_since(draft.at()),
        named: named.map(str::to_owned),
        word_count: heard.word_count,
        signals: heard.signals,
        specific: heard.specific,
        tells_verdict: told_verdict,
        guard,
        declined,
        coverage,
    }));
    if !late {
        clarify(draft, &section_id, text);
    }
    Ok(())
}

/// True when a text tells the latest verdict as it is.
fn tells_latest(state: &State, text: &str) -> bool {
    state.judging.is_empty()
        && state.submissions.last().is_some_and(|submission| {
            let result = &submission.result;
            let total = result.tests_passed + result.tests_failed;
            tells_verdict(text, result.tests_passed, total)
        })
}

/// Answers each clarifying question from its card, once in an interview.
fn clarify(draft: &mut Draft<'_>, section_id: &str, text: &str) {
    let spec = std::sync::Arc::clone(&draft.state().spec);
    let asked: Vec<_> = questions(text).collect();
    let cards = spec.clarifications.iter().filter(|card| {
        !draft.state().cards.contains(&card.id)
            && asked.iter().any(|question| asks_for(question, card))
    });
    let given: Vec<_> = cards.take(CARDS_MAX).collect();
    for card in given {
        let Some(section) = draft.state().open_as(section_id) else { return };
        let given = ClarificationGiven {
            section_id: section_id.to_owned(),
            card: card.id.clone(),
            text: card.answer.clone(),
            coverage: section.contents.coverage.touched(&card.dimension),
        };
        draft.push(Event::ClarificationGiven(given));
    }
}

/// The sentences of a text that ask: what is told beside a question asks for nothing.
fn questions(text: &str) -> impl Iterator<Item = &str> {
    let mut before = ' ';
    let ends = move |character: char| {
        // A point inside a number or a name ends nothing.
        let ended = matches!(before, '.' | '!' | ';' | '?') && character.is_whitespace();
        before = character;
        ended || character == '\n'
    };
    text.split(ends).filter(|sentence| sentence.contains('?'))
}

/// True when a text hits every group of a card.
fn asks_for(text: &str, card: &Clarification) -> bool {
    let groups = Dimension {
        id: card.id.clone(),
        title: String::new(),
        required: false,
        signals: card.asks.clone(),
        evidence: None,
        questions: Vec::new(),
    };
    let heard = hear(text, std::slice::from_ref(&groups), &[]);
    heard.signals.get(&card.id).is_some_and(|hit| hit.len() == card.asks.len())
}
