//! The interviewer's notes.

use vosim_protocol::v1::service::{Note, NoteAdded};

use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::text::{clean_lines, columns};

/// What is said of a note that has been taken.
pub(crate) fn kept(added: &NoteAdded, look: &Look) -> String {
    let mut page = Page::new(look);
    let (number, session) = (added.note.number, added.session_id.short());
    page.say(Tone::Good, &format!("Note {number} of session {session} is kept."));
    page.finish()
}

/// The notes in order, each with its time and the event it speaks of.
pub(crate) fn list(notes: &[Note], look: &Look) -> String {
    let mut page = Page::new(look);
    if notes.is_empty() {
        page.say(Tone::Plain, "There are no notes. Take one with: vosimctl note TEXT");
    }
    for Note { number, at, text, event_id, .. } in notes {
        let lead = format!("{number:>3}  {}  ", look.moment(*at));
        let rest = " ".repeat(columns(&lead));
        let about = event_id.map_or(String::new(), |id| format!("(event {id}) "));
        let mut lines = clean_lines(text).into_iter();
        let first = lines.next().unwrap_or_default();
        page.hanging(&lead, &rest, Tone::Plain, &format!("{about}{first}"));
        for line in lines {
            page.hanging(&rest, &rest, Tone::Plain, &line);
        }
    }
    page.finish()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;
    use vosim_protocol::{CommandId, EventId, SessionId};

    use super::*;
    use crate::render::samples;

    fn note(number: u64, text: &str, event_id: Option<EventId>) -> Note {
        let command_id = CommandId(Uuid::from_u128(1));
        let at = samples::sessions().sessions[0].started;
        Note { number, at, text: text.to_owned(), command_id, event_id }
    }

    #[test]
    fn notes_are_numbered_wrapped_and_harmless() {
        let notes = [
            note(1, "Asks before coding.", None),
            note(
                2,
                "Two lines:\n\u{1b}[2Jthe second one is rather long, so that it must be wrapped",
                Some(EventId(7)),
            ),
        ];
        insta::assert_snapshot!(list(&notes, &Look::PLAIN), @r"
        1  2026-01-05 23:39:00  Asks before coding.
        2  2026-01-05 23:39:00  (event 7) Two lines:
                                \x1b[2Jthe second one is rather long, so that it must
                                be wrapped
        ");
        insta::assert_snapshot!(list(&[], &Look::PLAIN), @"There are no notes. Take one with: vosimctl note TEXT");
        let added = NoteAdded {
            session_id: SessionId(Uuid::from_u128(0x550e_8400 << 96)),
            note: note(3, "x", None),
            replayed: false,
        };
        insta::assert_snapshot!(kept(&added, &Look::PLAIN), @"Note 3 of session 550e8400 is kept.");
    }
}
