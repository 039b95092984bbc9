//! What events say, on every screen: the words are the event's own; the time, who speaks and how it
//! looks are ours.

use std::borrow::Cow;

use vosim_protocol::Role;
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::telling::{Channel, Entry, Telling, ToldRecord, Tone as Told};

use crate::render::look::{Look, Tone};
use crate::render::markdown;
use crate::render::page::Page;
use crate::render::text::{clean, columns, cut};

/// True for an event that every screen shows; `log` shows the others too.
pub(crate) fn speaks(record: &ToldRecord) -> bool {
    entry(record).is_some()
}

/// What every screen shows of an event; None for one that only `log` shows.
pub(crate) fn entry(record: &ToldRecord) -> Option<Entry> {
    // Of a newer daemon: better its bare name than silence.
    let unknown = || {
        let name = format!("{}.", record.event_type);
        Telling::spoken(Channel::System, Phrase::said(name))
    };
    let telling = record.telling.clone().unwrap_or_else(unknown);
    Entry::of(record.event_id, record.timestamp, telling)
}

/// An event as it happens, in full sentences that read in order: line mode, screen readers, pipes.
/// Empty for one that only `log` shows.
pub(crate) fn sentence(record: &ToldRecord, role: Role, look: &Look) -> String {
    let Some(entry) = entry(record) else { return String::new() };
    let telling = &entry.telling;
    let mut page = Page::new(look);
    // The boundary of a section stands out (001 9).
    if telling.channel == Channel::Section {
        page.blank();
    }
    let lead = format!("{}  ", look.clock(entry.at));
    let text = spoken(telling, role, &words(telling.channel, entry.text(), look));
    page.hanging(&lead, &" ".repeat(lead.len()), tone(telling.tone), &text);
    page.finish()
}

/// A text behind who says it.
fn spoken(telling: &Telling, role: Role, text: &str) -> String {
    match who(telling.channel, role) {
        Some(who) if telling.late => format!("{who}, late: {text}"),
        Some(who) => format!("{who}: {text}"),
        None => text.to_owned(),
    }
}

/// Who speaks, to somebody in a role; None for what the system tells.
pub(crate) fn who(channel: Channel, role: Role) -> Option<&'static str> {
    let mine = match role {
        Role::Candidate | Role::Agent => true,
        Role::Observer | Role::Interviewer => false,
    };
    match channel {
        Channel::Interviewer => Some("Interviewer"),
        Channel::Candidate if mine => Some("You"),
        Channel::Candidate => Some("Candidate"),
        Channel::Ask if mine => Some("You to the assistant"),
        Channel::Ask => Some("Candidate to the assistant"),
        Channel::Assistant => Some("Assistant"),
        Channel::System | Channel::Section => None,
    }
}

fn tone(tone: Told) -> Tone {
    match tone {
        Told::Plain => Tone::Plain,
        Told::Good => Tone::Good,
        Told::Bad => Tone::Bad,
        Told::Notice => Tone::Strong,
        Told::Warning => Tone::Warn,
    }
}

/// An event in one line: its number, the time of day, its type and what is in it.
pub(crate) fn log_line(record: &ToldRecord, look: &Look) -> String {
    let time = look.clock(record.timestamp);
    let lead = format!("{:>4}  {time}  {}", record.event_id.0, clean(&record.event_type));
    let mut page = Page::new(look);
    let (below, room) = match look.width.saturating_sub(lead.len() + 2) {
        room @ ..16 => (true, look.width.saturating_sub(6).max(room)),
        room => (false, room),
    };
    let text = match &record.telling {
        Some(telling) => in_one_line(telling, look),
        None => record.payload.to_string(),
    };
    let text = cut(&look.spell(&clean(&text)), room, page.mark());
    // A long type on a narrow screen stands on a line of its own.
    let lead = match columns(&lead) > look.width {
        true => lead.replacen(&time, &format!("{time}\n    "), 1),
        false => lead,
    };
    let lead = look.paint(Tone::Dim, &lead);
    if below {
        page.raw(&lead).raw(&format!("      {text}"));
    } else {
        page.raw(&format!("{lead}  {text}"));
    }
    page.finish()
}

/// Whether a channel's texts are the content's or the assistant's, which are written in Markdown.
pub(crate) fn is_prose(channel: Channel) -> bool {
    match channel {
        Channel::Interviewer | Channel::Assistant => true,
        Channel::Candidate | Channel::Ask | Channel::System | Channel::Section => false,
    }
}

/// A text as it is read, without the marks of its writing.
fn words<'t>(channel: Channel, text: &'t str, look: &Look) -> Cow<'t, str> {
    match is_prose(channel) {
        true => Cow::Owned(markdown::words(text, look)),
        false => Cow::Borrowed(text),
    }
}

/// The line and what only `log` and `why` show, as far as an event has them.
pub(crate) fn parts(telling: &Telling, look: &Look) -> (Option<String>, Option<String>) {
    let line = telling.line.as_ref();
    let line = line.map(|line| words(telling.channel, &line.text, look).into_owned());
    (line, telling.gist.as_ref().map(|gist| gist.text.clone()))
}

/// All that an event says, as it is written; empty for one that cannot be read.
pub(crate) fn told(record: &ToldRecord) -> String {
    let Some(Telling { line, gist, .. }) = &record.telling else { return String::new() };
    match (line, gist) {
        (Some(line), Some(gist)) => format!("{} [{}]", line.text, gist.text),
        (Some(said), None) | (None, Some(said)) => said.text.clone(),
        (None, None) => String::new(),
    }
}

fn in_one_line(telling: &Telling, look: &Look) -> String {
    let text = match parts(telling, look) {
        (Some(line), Some(gist)) => format!("{line} [{gist}]"),
        (line, gist) => line.or(gist).unwrap_or_default(),
    };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match telling.channel {
        // Stands out from the events around it (001 9).
        Channel::Section => format!("---- {text}"),
        Channel::Interviewer
        | Channel::Candidate
        | Channel::Ask
        | Channel::Assistant
        | Channel::System => text,
    }
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::drill::Event as Drill;
    use vosim_protocol::v1::events::Events as _;
    use vosim_protocol::v1::interview::Event as Interview;
    use vosim_protocol::v1::session::SessionEvent;

    use super::*;
    use crate::render::interview::samples as interview;
    use crate::render::look::{Boxes, Charset};
    use crate::render::samples as drill;

    const LINES: Look = Look { boxes: Boxes::None, ..Look::PLAIN };

    fn told(records: &[ToldRecord], look: &Look) -> String {
        records.iter().map(|record| sentence(record, Role::Observer, look)).collect()
    }

    fn logged(records: &[ToldRecord], look: &Look) -> String {
        records.iter().map(|record| log_line(record, look)).collect()
    }

    #[test]
    fn an_interview_reads_in_order_in_full_sentences() {
        insta::assert_snapshot!(told(&interview::records(), &LINES));
        let narrow = Look { width: 60, charset: Charset::Ascii, ..LINES };
        insta::assert_snapshot!(told(&interview::records(), &narrow));
    }

    #[test]
    fn a_drill_reads_in_order_in_full_sentences() {
        insta::assert_snapshot!(told(&drill::records(), &LINES));
    }

    #[test]
    fn a_log_is_one_line_for_each_event() {
        insta::assert_snapshot!(logged(&drill::records(), &Look::PLAIN));
        insta::assert_snapshot!(logged(&interview::records(), &Look::PLAIN));
        let narrow = Look { width: 60, ..Look::PLAIN };
        insta::assert_snapshot!(logged(&interview::records(), &narrow));
    }

    #[test]
    fn a_pipe_gets_each_sentence_on_one_line() {
        let text = told(&interview::records(), &Look { width: usize::MAX, ..LINES });
        let warning = "2 min left in \"Frame the problem\".";
        assert!(text.lines().any(|line| line.ends_with(warning)), "{text}");
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        assert!(!text.contains(['│', '─', '╭']));
    }

    #[test]
    fn every_event_of_every_kind_is_among_the_samples() {
        let records = [drill::records(), interview::records()].concat();
        let told: Vec<_> = records.iter().map(|record| record.event_type.as_str()).collect();
        let tables = [SessionEvent::TABLE, Drill::TABLE, Interview::TABLE];
        for row in tables.into_iter().flatten() {
            assert!(told.contains(&row.event_type), "no sample of {}", row.event_type);
        }
    }
}
