//! Entries that a view no longer holds, because it is full, read from the log anew.
//!
//! A view has the newest entries only. Where more have come than fit, between two views or before
//! the first one, the older ones are those of an earlier view.

use vosim_protocol::v1::talk::Entry;

use vosim_protocol::v1::interview::View;
use vosim_protocol::v1::service::{Replay, ReplayParams};
use vosim_protocol::{EventId, Role, SessionId, Wire as _};

use crate::client::{ANSWER_WITHIN, Client};
use crate::connection::CallError;
use crate::tui::app::ENTRIES_MAX;

/// Most views that are read for one gap; each holds some hundred entries.
const ROUNDS: u32 = 32;

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
    pub(crate) fn after(self, view: &View) -> Self {
        let last = view.transcript.last().map_or(self.last, |entry| entry.event_id);
        Self { last: last.max(self.last), total: total(view) }
    }

    /// True where entries are missing between what is known and a view.
    pub(crate) fn misses(self, view: &View) -> bool {
        view.transcript_omitted > self.total
    }
}

/// Entries that a view holds or leaves out.
pub(crate) fn total(view: &View) -> u32 {
    let shown = u32::try_from(view.transcript.len()).unwrap_or(u32::MAX);
    view.transcript_omitted.saturating_add(shown)
}

/// Puts the missing entries into a view, as far as they can be kept.
pub(crate) fn fill(
    client: &mut Client,
    session: SessionId,
    role: Role,
    known: Known,
    view: &mut View,
) -> Result<(), CallError> {
    fill_by(known, view, |until| {
        let params = ReplayParams {
            session: Some(session.to_string()),
            verify: false,
            until: Some(until),
            role,
        };
        let report = client.once::<Replay>(&params, ANSWER_WITHIN, |_| {})?;
        View::from_json(report.view).map_err(|error| CallError::Garbled(error.to_string()))
    })
}

/// The same with whatever knows an earlier view.
fn fill_by<E>(
    known: Known,
    view: &mut View,
    mut earlier: impl FnMut(EventId) -> Result<View, E>,
) -> Result<(), E> {
    for _ in 0..ROUNDS {
        let Some(first) = view.transcript.first().map(|entry| entry.event_id) else {
            return Ok(());
        };
        let enough = view.transcript.len() >= ENTRIES_MAX;
        if enough || !known.misses(view) || first <= known.last.next() {
            return Ok(());
        }
        let before = earlier(EventId(first.0 - 1))?;
        let fits = |entry: &Entry| entry.event_id > known.last && entry.event_id < first;
        let mut entries: Vec<_> = before.transcript.into_iter().filter(fits).collect();
        view.transcript_omitted = before.transcript_omitted;
        if entries.is_empty() {
            return Ok(());
        }
        entries.append(&mut view.transcript);
        view.transcript = entries;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use vosim_protocol::v1::talk::Channel;

    use super::*;
    use crate::render::interview::samples;
    use crate::render::samples::at;

    /// What a daemon shows after an event where every second event is an entry and a view holds
    /// three.
    fn view(until: EventId) -> View {
        let all: Vec<_> = (1..=until.0).filter(|id| id % 2 == 0).collect();
        let shown = all.len().min(3);
        let entry = |id: &u64| Entry {
            event_id: EventId(*id),
            at: at(2),
            channel: Channel::Candidate,
            section_id: None,
            text: format!("entry {id}"),
            late: false,
        };
        let transcript = all[all.len() - shown..].iter().map(entry).collect();
        let transcript_omitted = u32::try_from(all.len() - shown).unwrap();
        View { transcript, transcript_omitted, ..samples::view() }
    }

    fn filled(known: Known, until: u64) -> (Vec<u64>, u32) {
        let mut last = view(EventId(until));
        fill_by(known, &mut last, |until| Ok::<_, Infallible>(view(until))).unwrap();
        let ids = last.transcript.iter().map(|entry| entry.event_id.0).collect();
        (ids, last.transcript_omitted)
    }

    #[test]
    fn a_gap_between_two_views_is_filled_from_earlier_ones() {
        let known = Known { last: EventId::ZERO, total: 0 }.after(&view(EventId(6)));
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
