//! The list of sessions, and how a session is named elsewhere.

use vosim_protocol::v1::service::ListResult;
use vosim_protocol::{Head, SessionId};

use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::review;
use crate::render::text::{clean, columns, count};

/// Below this width the time goes to the text, columns.
const NARROW: usize = 68;
/// Narrowest terminal in which a panel holds a whole id, columns.
const ID_FITS: usize = 52;

/// The whole id where it fits, else the beginning, which commands take as well.
pub(crate) fn session_id(id: SessionId, look: &Look) -> String {
    if look.width < ID_FITS { format!("{}...", id.short()) } else { id.to_string() }
}

/// One session a line, newest first; the current one has a mark and the word.
pub(crate) fn list(result: &ListResult, look: &Look) -> String {
    let mut page = Page::new(look);
    if result.sessions.is_empty() {
        page.say(Tone::Plain, "There are no sessions. Start one with: vosimctl start");
    }
    let phase = |ended: bool, phase: &str| {
        if ended { "ended".to_owned() } else { phase.replace('_', " ") }
    };
    let phases: Vec<_> =
        result.sessions.iter().map(|head| phase(head.ended, &clean(&head.phase))).collect();
    let width = phases.iter().map(|phase| columns(phase)).max().unwrap_or(0);
    for (head, phase) in result.sessions.iter().zip(&phases) {
        let current = result.current == Some(head.session_id);
        let pad = " ".repeat(width - columns(phase));
        let mark = if current { "*" } else { " " };
        let (id, started) = (head.session_id.short(), look.moment(head.started));
        let narrow = look.width < NARROW;
        let lead = match narrow {
            true => format!("{mark} {id}  {phase}{pad}  "),
            false => format!("{mark} {id}  {started}  {phase}{pad}  "),
        };
        let rest = " ".repeat(columns(&lead));
        let text = format!(
            "{}{}: {}{} ({}){}",
            if narrow { format!("{started} ") } else { String::new() },
            head.kind,
            head.title,
            stands(head),
            count(head.cursor.0, "event"),
            if current { ", current" } else { "" }
        );
        let tone = if current { Tone::Strong } else { Tone::Plain };
        page.hanging(&lead, &rest, tone, &text);
    }
    page.finish()
}

/// How it stands with a session's problem: `, 7/12 passed, 3 submissions, 1 hint`.
fn stands(head: &Head) -> String {
    let mut text = String::new();
    let outcome = head.finished.as_ref().map(|finished| finished.outcome);
    text.extend(outcome.map(|outcome| format!(", {}", review::outcome(outcome))));
    let Some(standing) = &head.standing else { return text };
    if let (Some(passed), Some(of)) = (standing.tests_passed, standing.tests) {
        text += &format!(", {passed}/{of} passed");
    }
    for (number, noun) in [(standing.submissions, "submission"), (standing.hints, "hint")] {
        if number > 0 {
            text += &format!(", {}", count(number, noun));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    #[test]
    fn the_current_session_is_marked_in_words() {
        insta::assert_snapshot!(list(&samples::sessions(), &Look::PLAIN), @r#"
        * 550e8400  2026-01-05 23:39:00  awaiting action  drill: LRU Cache, 7/12 passed,
                                                          3 submissions, 1 hint (9
                                                          events), current
          661f9511  2026-01-05 23:30:00  ended            drill: LRU Cache, solved with
                                                          hints, 12/12 passed, 3
                                                          submissions, 1 hint (9 events)
        "#);
    }

    #[test]
    fn without_sessions_the_next_step_is_told() {
        let none = ListResult { sessions: Vec::new(), current: None, total: 0 };
        insta::assert_snapshot!(list(&none, &Look::PLAIN), @"There are no sessions. Start one with: vosimctl start");
    }
}
