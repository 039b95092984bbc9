//! What a command's sender can rely on: when it was received, where it counts, how far from the
//! deadline.

use vosim_protocol::v1::phrase::Span;
use vosim_protocol::v1::sentences::span;
use vosim_protocol::v1::service::Receipt;

use crate::render::look::{Look, Tone};
use crate::render::page::Page;

/// One sentence.
pub(crate) fn received(what: &str, receipt: &Receipt, look: &Look) -> String {
    let Receipt { at, part, until_deadline_micros, late } = receipt;
    let at = look.clock(*at);
    let section = part.as_ref().map_or(String::new(), |title| format!(" for '{title}'"));
    let until = until_deadline_micros.map(|micros| {
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
    use crate::render::samples;

    fn told(section: Option<&str>, until_deadline_micros: Option<i64>, late: bool) -> String {
        let (at, part) = (samples::at(33), section.map(str::to_owned));
        let look = Look { width: 200, ..Look::PLAIN };
        received("Your message", &Receipt { at, part, until_deadline_micros, late }, &look)
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
