//! What a command's sender can rely on: when it was received, where it counts, how far from the
//! deadline.

use vosim_protocol::v1::interview::{CandidateCodeSubmission, CandidateMessage, View};
use vosim_protocol::v1::phrase::Span;
use vosim_protocol::v1::sentences::span;
use vosim_protocol::v1::service::Accepted;
use vosim_protocol::{EventRecord, Time, Wire as _};

use crate::render::look::{Look, Tone};
use crate::render::page::Page;

/// What the daemon wrote down of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Receipt {
    /// What was received: `Your message`.
    pub(crate) what: String,
    /// By the daemon's clock.
    pub(crate) at: Time,
    /// The section's name; absent outside of one.
    pub(crate) section: Option<String>,
    /// Microseconds to the section's deadline, negative after it.
    pub(crate) until_deadline: Option<i64>,
    /// It came in the grace.
    pub(crate) late: bool,
}

impl Receipt {
    /// The receipt of an accepted command, `before` being what was shown before it; None where it
    /// caused nothing that bears a time.
    pub(crate) fn of(what: &str, accepted: &Accepted, before: &View) -> Option<Self> {
        let first = accepted.events.first()?;
        let title = |id: &str| {
            let known = before.sections.iter().find(|line| line.section_id == id);
            known.map_or_else(|| id.to_owned(), |line| line.title.clone())
        };
        let receipt = |at, section, until_deadline, late| Self {
            what: what.to_owned(),
            at,
            section,
            until_deadline,
            late,
        };
        for record in &accepted.events {
            let Some((section, micros, late)) = timed(record) else { continue };
            return Some(receipt(record.timestamp, Some(title(&section)), Some(micros), late));
        }
        // A section whose time was up when the command came is not the one it was given in.
        let now = before.current_section.as_ref().filter(|now| now.deadline > first.timestamp);
        let until = now.map(|now| now.deadline.micros_since(first.timestamp));
        Some(receipt(first.timestamp, now.map(|now| now.title.clone()), until, false))
    }
}

/// The section that an event counts for, its distance to the deadline, and whether it is late.
fn timed(record: &EventRecord) -> Option<(String, i64, bool)> {
    match record.event_type.as_str() {
        "CANDIDATE_MESSAGE" => {
            let said = CandidateMessage::from_json(record.payload.clone()).ok()?;
            Some((said.section_id, said.until_deadline_micros, said.late))
        }
        "CANDIDATE_CODE_SUBMISSION" => {
            let code = CandidateCodeSubmission::from_json(record.payload.clone()).ok()?;
            Some((code.section_id, code.until_deadline_micros, code.late))
        }
        _ => None,
    }
}

/// One sentence.
pub(crate) fn received(receipt: &Receipt, look: &Look) -> String {
    let Receipt { what, at, section, until_deadline, late } = receipt;
    let at = look.clock(*at);
    let section = section.as_ref().map_or(String::new(), |title| format!(" for '{title}'"));
    let until = until_deadline.map(|micros| {
        let side = if micros < 0 { "after" } else { "before" };
        format!("{} {side} the deadline", span(Span::ms(micros.unsigned_abs() / 1_000)))
    });
    let (tone, text) = match (late, until) {
        (true, Some(until)) => (
            Tone::Warn,
            format!("{what} was received at {at}, {until}: it counts as late{section}."),
        ),
        (true, None) => {
            (Tone::Warn, format!("{what} was received at {at}: it counts as late{section}."))
        }
        (false, Some(until)) => {
            (Tone::Plain, format!("{what} was received at {at}{section}, {until}."))
        }
        (false, None) => (Tone::Plain, format!("{what} was received at {at}{section}.")),
    };
    let mut page = Page::new(look);
    page.say(tone, &text);
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::interview::samples as interview;
    use crate::render::samples;

    fn told(section: Option<&str>, until_deadline: Option<i64>, late: bool) -> String {
        let at = samples::at(33);
        let look = Look { width: 200, ..Look::PLAIN };
        let section = section.map(str::to_owned);
        let what = "Your message".to_owned();
        received(&Receipt { what, at, section, until_deadline, late }, &look)
    }

    fn of(name: &str) -> Receipt {
        let records = interview::records();
        let events = records.into_iter().filter(|r| r.event_type == name).rev().take(1).collect();
        Receipt::of("It", &samples::accepted(events), &interview::view()).unwrap()
    }

    #[test]
    fn a_receipt_is_read_from_the_events_of_the_command() {
        let late = of("CANDIDATE_MESSAGE");
        assert_eq!(late.section.as_deref(), Some("Frame the problem"));
        assert_eq!((late.late, late.until_deadline), (true, Some(-14_900_000)));
        let code = of("CANDIDATE_CODE_SUBMISSION");
        assert_eq!(code.section.as_deref(), Some("Build and verify"));
        assert_eq!(code.until_deadline, Some(60_000_000));
        // At minute 19 of a section that lasts until minute 26.
        let watched = of("SOLUTION_WATCHED");
        assert_eq!(watched.section.as_deref(), Some("Build and verify"));
        assert_eq!(watched.until_deadline, Some(8 * 60_000_000));
        // At minute 28 that section is over.
        assert_eq!(of("ASSISTANT_QUERY").section, None);
        let nothing = samples::accepted(vec![]);
        assert_eq!(Receipt::of("It", &nothing, &interview::view()), None);
    }

    #[test]
    fn a_receipt_tells_time_section_lateness_and_distance() {
        let design = Some("Design the approach");
        let all = [
            told(design, Some(123_000_000), false),
            told(design, Some(40_000), false),
            told(design, Some(-14_900_000), true),
            told(design, None, false),
            told(None, None, false),
        ];
        insta::assert_snapshot!(all.concat(), @"
        Your message was received at 00:03:00 for 'Design the approach', 2 min 3 s before the deadline.
        Your message was received at 00:03:00 for 'Design the approach', 40 ms before the deadline.
        Your message was received at 00:03:00, 14.9 s after the deadline: it counts as late for 'Design the approach'.
        Your message was received at 00:03:00 for 'Design the approach'.
        Your message was received at 00:03:00.
        ");
    }

    #[test]
    fn a_section_s_name_is_foreign_text() {
        assert!(!told(Some("a\u{1b}[2J"), None, false).contains('\u{1b}'));
    }
}
