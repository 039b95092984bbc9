//! A line that is being written (DECISIONS 39): what it holds back, and what ends that.
//!
//! At most one event begins a hold for each message or minute, so a screen that tells of every key fills no
//! log. Whatever says the same again is answered from the state.

use vosim_protocol::next::Next;
use vosim_protocol::v1::interview::{CandidateTyping, CandidateTypingEnded, Event, Typed};

use super::bounds::open;
use crate::kinds::interview::state::{Draft, State};
use crate::rejection::Rejection;

/// How long a line that is not sent holds back questions and the end of a covered section, seconds.
pub(in crate::kinds::interview) const HELD_SECONDS: i64 = 60;

pub(super) fn typing(draft: &mut Draft<'_>, stopped: bool) -> Result<(), Rejection> {
    let state = draft.state();
    let section = open(state, "write")?;
    let section_id = section.plan(&state.spec.schema).id.clone();
    if stopped {
        draft.push(Event::CandidateTypingEnded(CandidateTypingEnded { section_id, stopped }));
        return Ok(());
    }
    let again = state.began_typing.map(|began| began.plus_secs(HELD_SECONDS));
    if again.is_some_and(|again| draft.at() < again) {
        return Err(Rejection::InvalidTransition {
            command: "hold back questions",
            because: "it was asked for within the last minute, and nothing was sent since",
            next: vec![Next::wait("the minute to be over")],
        });
    }
    let until = draft.at().plus_secs(HELD_SECONDS);
    draft.push(Event::CandidateTyping(CandidateTyping { section_id, until }));
    Ok(())
}

/// What a screen is told that says again what is known; none where something is to be decided.
pub(in crate::kinds::interview) fn recalled_typing(state: &State, stopped: bool) -> Option<Typed> {
    let until = state.open()?.typing;
    match (stopped, until) {
        (false, Some(_)) | (true, None) => Some(Typed { until }),
        (false, None) | (true, Some(_)) => None,
    }
}
