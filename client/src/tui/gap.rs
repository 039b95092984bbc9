//! What a view holds of a transcript, and the entries that it no longer holds, because it is full,
//! read from the log anew.
//!
//! A view has the newest entries only. Where more have come than fit, between two views or before
//! the first one, the older ones are those of an earlier view.

use serde::Deserialize;
use vosim_protocol::v1::service::{Replay, ReplayParams};
use vosim_protocol::v1::telling::Entry;
use vosim_protocol::{EventId, Json, Role, SessionId};

use crate::client::{ANSWER_WITHIN, Client};
use crate::connection::CallError;

/// Most entries that can be scrolled back to; what is older, `log` shows.
pub(crate) const ENTRIES_MAX: usize = 4000;

/// Most views that are read for one gap; each holds some hundred entries.
const ROUNDS: u32 = 32;

/// What a view of any kind holds of a transcript; nothing where the kind has none.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Talk {
    /// The newest entries, as many as fit.
    #[serde(default)]
    pub(crate) transcript: Vec<Entry>,
    /// Entries before those.
    #[serde(default)]
    pub(crate) transcript_omitted: u32,
}

impl Talk {
    pub(crate) fn of(view: &Json) -> Result<Self, serde_json::Error> {
        Self::deserialize(view)
    }

    /// Entries that the view holds or leaves out.
    pub(crate) fn total(&self) -> u32 {
        let shown = u32::try_from(self.transcript.len()).unwrap_or(u32::MAX);
        self.transcript_omitted.saturating_add(shown)
    }
}

/// What a screen has of a transcript.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Its newest entry.
    pub(crate) last: EventId,
    /// Entries up to there.
    pub(crate) total: u32,
}

impl Known {
    /// What is known after a view.
    pub(crate) fn after(self, talk: &Talk) -> Self {
        let last = talk.transcript.last().map_or(self.last, |entry| entry.event_id);
        Self { last: last.max(self.last), total: talk.total() }
    }

    /// Whether entries are missing between what is known and a view.
    pub(crate) fn misses(self, talk: &Talk) -> bool {
        talk.transcript_omitted > self.total
    }
}

/// Puts the missing entries into what a view holds, as far as they can be kept.
pub(crate) fn fill(
    client: &mut Client,
    session: SessionId,
    role: Role,
    known: Known,
    talk: &mut Talk,
) -> Result<(), CallError> {
    fill_by(known, talk, |until| {
        let params = ReplayParams {
            session: Some(session.to_string()),
            verify: false,
            until: Some(until),
            role,
        };
        let report = client.once::<Replay>(&params, ANSWER_WITHIN, |_| {})?;
        Talk::of(&report.view).map_err(|error| CallError::Garbled(error.to_string()))
    })
}

/// The same with whatever knows an earlier view.
fn fill_by<E>(
    known: Known,
    talk: &mut Talk,
    mut earlier: impl FnMut(EventId) -> Result<Talk, E>,
) -> Result<(), E> {
    for _ in 0..ROUNDS {
        let Some(first) = talk.transcript.first().map(|entry| entry.event_id) else {
            return Ok(());
        };
        let enough = talk.transcript.len() >= ENTRIES_MAX;
        if enough || !known.misses(talk) || first <= known.last.next() {
            return Ok(());
        }
        let before = earlier(EventId(first.0 - 1))?;
        let fits = |entry: &Entry| entry.event_id > known.last && entry.event_id < first;
        let mut entries: Vec<_> = before.transcript.into_iter().filter(fits).collect();
        talk.transcript_omitted = before.transcript_omitted;
        if entries.is_empty() {
            return Ok(());
        }
        entries.append(&mut talk.transcript);
        talk.transcript = entries;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use vosim_protocol::v1::phrase::Phrase;
    use vosim_protocol::v1::telling::{Channel, Telling};

    use super::*;
    use crate::render::samples::at;

    /// What a daemon shows after an event where every second event is an entry and a view holds
    /// three.
    fn talk(until: EventId) -> Talk {
        let all: Vec<_> = (1..=until.0).filter(|id| id % 2 == 0).collect();
        let shown = all.len().min(3);
        let entry = |id: &u64| {
            let said = Telling::spoken(Channel::Candidate, Phrase::said(format!("entry {id}")));
            Entry::of(EventId(*id), at(2), said)
        };
        let transcript = all[all.len() - shown..].iter().filter_map(entry).collect();
        let transcript_omitted = u32::try_from(all.len() - shown).unwrap();
        Talk { transcript, transcript_omitted }
    }

    fn filled(known: Known, until: u64) -> (Vec<u64>, u32) {
        let mut last = talk(EventId(until));
        fill_by(known, &mut last, |until| Ok::<_, Infallible>(talk(until))).unwrap();
        let ids = last.transcript.iter().map(|entry| entry.event_id.0).collect();
        (ids, last.transcript_omitted)
    }

    #[test]
    fn a_gap_between_two_views_is_filled_from_earlier_ones() {
        let known = Known { last: EventId::ZERO, total: 0 }.after(&talk(EventId(6)));
        assert_eq!((known.last, known.total), (EventId(6), 3));
        assert_eq!(filled(known, 12).0, [8, 10, 12], "nothing is missing");
        assert_eq!(filled(known, 13).0, [8, 10, 12]);
        assert_eq!(filled(known, 30), ((8..=30).step_by(2).collect(), 3));
    }

    #[test]
    fn at_the_beginning_everything_after_the_named_event_is_wanted() {
        let all = Known { last: EventId::ZERO, total: 0 };
        assert_eq!(filled(all, 30), ((2..=30).step_by(2).collect(), 0));
        let after = Known { last: EventId(17), total: 0 };
        assert_eq!(filled(after, 30).0, (18..=30).step_by(2).collect::<Vec<_>>());
        assert_eq!(filled(Known { last: EventId(27), total: 0 }, 30).0, [26, 28, 30]);
    }

    #[test]
    fn a_gap_that_is_too_long_ends_where_it_must() {
        let all = Known { last: EventId::ZERO, total: 0 };
        let (ids, omitted) = filled(all, 1000);
        assert_eq!(ids.len(), 3 * (ROUNDS as usize + 1));
        assert_eq!(omitted as usize + ids.len(), 500, "what is left out is counted");
    }
}
