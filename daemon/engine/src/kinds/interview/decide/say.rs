//! A message to the interviewer: where it belongs, and what it covers.

use vosim_protocol::v1::coverage::Guard;
use vosim_protocol::v1::interview::{CandidateMessage, Event};

use super::bounds::{room, room_in, text_of};
use super::inquire::{self, answer};
use crate::kinds::interview::belonging::{Addressed, addressed};
use crate::kinds::interview::listening::listen;
use crate::kinds::interview::section::OpenSection;
use crate::kinds::interview::state::{Draft, State};
use crate::parts::coverage::{hear, tells_verdict};
use crate::rejection::Rejection;

pub(super) fn say(draft: &mut Draft<'_>, text: &str, named: Option<&str>) -> Result<(), Rejection> {
    let state = draft.state();
    let addressed = addressed(state, named, text, draft.at())?;
    let (section, late) = (addressed.contents(), matches!(addressed, Addressed::Late { .. }));
    text_of("the message", text)?;
    room(state)?;
    room_in(section, text)?;
    let plan = section.plan(&state.spec.schema);
    let mut heard = match addressed.open() {
        Some(section) => listen(state, &section.contents, text).heard,
        None => hear(text, &plan.dimensions, &[]),
    };
    let questions = if late { Vec::new() } else { inquire::asked(state, text, &mut heard) };
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
    answer(draft, &section_id, &questions);
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
