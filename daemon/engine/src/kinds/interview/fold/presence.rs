//! Whether the candidate is there (001 5.3; DECISIONS 12).

use vosim_protocol::Time;
use vosim_protocol::v1::interview::{
    CandidateDisconnected, CandidateTyping, CandidateTypingEnded, ReturnedBy,
};

use super::course::{hush, open};
use crate::kind::Misfit;
use crate::kinds::interview::state::{Presence, State};

pub(super) fn arrive(state: &mut State) -> Result<(), Misfit> {
    let first = state.presence == Presence::Unattached;
    Misfit::unless(first, "the arrival of somebody who was there before")?;
    state.presence = Presence::Here;
    Ok(())
}

pub(super) fn leave(
    state: &mut State,
    gone: &CandidateDisconnected,
    at: Time,
) -> Result<(), Misfit> {
    let here = state.presence == Presence::Here;
    Misfit::unless(here, "the leaving of somebody who is not there")?;
    state.departures += 1;
    state.presence = Presence::Away { since: at, pauses_at: gone.pauses_at };
    // Nobody writes where no terminal is.
    release(state, at);
    Ok(())
}

pub(super) fn pause(state: &mut State) -> Result<(), Misfit> {
    let Presence::Away { since, .. } = state.presence else {
        return Err(Misfit("a pause for somebody who is not away"));
    };
    // 001 5.3: time runs on, so no deadline is touched.
    state.presence = Presence::Paused { since };
    Ok(())
}

pub(super) fn come_back(state: &mut State, by: ReturnedBy, at: Time) -> Result<(), Misfit> {
    let away = match state.presence {
        Presence::Away { .. } | Presence::Paused { .. } => true,
        Presence::Unattached | Presence::Here => false,
    };
    Misfit::unless(away, "the return of somebody who is not away")?;
    state.presence = match by {
        ReturnedBy::Terminal => Presence::Here,
        ReturnedBy::Command => Presence::Unattached,
    };
    hush(state, at);
    Ok(())
}

/// A line holds back questions, the wrap-up and the end of a covered section (DECISIONS 39).
pub(super) fn type_on(state: &mut State, typing: &CandidateTyping, at: Time) -> Result<(), Misfit> {
    let section = open(state, &typing.section_id)?;
    Misfit::unless(section.typing.is_none(), "a line while another one is being written")?;
    section.typing = Some(typing.until);
    state.began_typing = Some(at);
    Ok(())
}

pub(super) fn stop_typing(
    state: &mut State,
    ended: &CandidateTypingEnded,
    at: Time,
) -> Result<(), Misfit> {
    let section = open(state, &ended.section_id)?;
    Misfit::unless(section.typing.is_some(), "the end of a line that nobody writes")?;
    release(state, at);
    // Who has given a line up may begin another one.
    if ended.stopped {
        hush(state, at);
    }
    Ok(())
}

/// Nothing is held back any longer; what was due meanwhile is due now.
pub(super) fn release(state: &mut State, at: Time) {
    let Some(section) = state.open_mut() else { return };
    if section.typing.take().is_none() {
        return;
    }
    section.quiet_until = section.quiet_until.max(at);
    for time in section.ends_at.iter_mut().chain(&mut section.variation) {
        *time = (*time).max(at);
    }
}
