//! A session that is played back: its events as `attach --plain` tells them, each with its number
//! and its place in the session.

use std::time::Duration;

use vosim_protocol::v1::phrase::Span;
use vosim_protocol::v1::sentences::span;
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{EventId, Kind, Role, SessionId, Time};

use crate::render::look::{Look, Tone, Zone, minutes};
use crate::render::page::Page;
use crate::render::telling::sentence;
use crate::render::text::count;

/// Columns of an event's number and what stands behind it.
const NUMBER: usize = 6;

/// Tells one event after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Teller {
    /// The times are counted from the first event.
    look: Look,
}

impl Teller {
    pub(crate) fn new(start: Time, look: &Look) -> Self {
        Self { look: Look { zone: Zone::Since(start), ..*look } }
    }

    /// An event behind its number, as whoever watched would have read it.
    pub(crate) fn event(self, record: &ToldRecord) -> String {
        let look = Look { width: self.look.width.saturating_sub(NUMBER), ..self.look };
        numbered(record.event_id, &sentence(record, Role::Observer, &look))
    }

    /// That nothing happened for so long, and nobody is made to wait for it.
    pub(crate) fn later(self, distance: Duration) -> String {
        let millis = u64::try_from(distance.as_millis()).unwrap_or(u64::MAX);
        self.aside(&format!("… {} later", span(Span::ms(millis))))
    }

    /// That it goes on from an earlier place.
    pub(crate) fn back(self, to: Duration) -> String {
        self.aside(&format!("… back to {}", minutes(to.as_secs())))
    }

    fn aside(self, text: &str) -> String {
        let mut page = Page::new(&self.look);
        page.indented(NUMBER, Tone::Dim, text);
        page.finish()
    }
}

/// The number stands before the first line of an event.
fn numbered(event: EventId, told: &str) -> String {
    let mut lead = format!("{:>4}  ", event.0);
    let mut text = String::with_capacity(told.len() + 2 * NUMBER);
    for line in told.lines() {
        if !line.is_empty() {
            text.push_str(&lead);
            lead = " ".repeat(NUMBER);
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// What is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Played<'r> {
    pub(crate) session: SessionId,
    pub(crate) kind: Kind,
    pub(crate) records: &'r [ToldRecord],
}

/// What stands above it.
pub(crate) fn head(played: Played<'_>, start: Time, end: Duration, look: &Look) -> String {
    let Played { session, kind, records } = played;
    let (id, began) = (session.short(), look.moment(start));
    let (events, end) = (count(records.len() as u64, "event"), minutes(end.as_secs()));
    let kind = kind.with_article();
    let text =
        format!("Session {id}, {kind}, began {began}: {events} in {end}. Times count from there.");
    let mut page = Page::new(look);
    page.say(Tone::Strong, &text).blank();
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::interview::samples as interview;
    use crate::render::look::{Boxes, Charset};
    use crate::render::samples as drill;
    use crate::render::telling::speaks;

    const LINES: Look = Look { boxes: Boxes::None, ..Look::PLAIN };

    fn told(records: &[ToldRecord], look: &Look) -> String {
        let teller = Teller::new(records[0].timestamp, look);
        records.iter().map(|record| teller.event(record)).collect()
    }

    #[test]
    fn every_event_that_speaks_has_its_number_and_its_place() {
        let records = interview::records();
        insta::assert_snapshot!(told(&records, &LINES));
        let text = told(&records, &Look { width: 50, ..LINES });
        for record in records.iter().filter(|record| speaks(record)) {
            let number = format!("{:>4}  ", record.event_id.0);
            assert!(text.lines().any(|line| line.starts_with(&number)), "{number}{text}");
        }
        assert!(text.lines().all(|line| crate::render::text::columns(line) <= 50), "{text}");
    }

    #[test]
    fn what_lies_between_the_events_is_told_in_one_line() {
        let look = Look { charset: Charset::Ascii, ..LINES };
        let teller = |look| Teller::new(drill::at(0), look);
        let secs = Duration::from_secs;
        let played = Played {
            session: drill::session(),
            kind: Kind::Interview,
            records: &interview::records(),
        };
        let text = teller(&LINES).later(secs(192))
            + &teller(&LINES).later(secs(7))
            + &teller(&look).back(secs(425))
            + &head(played, drill::at(0), secs(1537), &LINES);
        insta::assert_snapshot!(text, @"
              … 3 min 12 s later
              … 7 s later
              ... back to 07:05
        Session 550e8400, an interview, began 2026-01-05 23:30:00: 55 events in 25:37.
        Times count from there.
        ");
    }
}
