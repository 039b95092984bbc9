//! Whether the candidate is there (001 5.3; DECISIONS 12).

use vosim_protocol::Time;
use vosim_protocol::v1::interview::{CandidateDisconnected, ReturnedBy};

use super::course::hush;
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
