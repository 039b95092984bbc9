//! Who is attached to a session, in one sentence.

use vosim_protocol::v1::service::PresenceNotice;

use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::text::count;

pub(crate) fn presence(notice: &PresenceNotice, look: &Look) -> String {
    let PresenceNotice { candidates, observers, interviewers, agents, .. } = notice;
    let kinds = [
        (candidates, "candidate"),
        (observers, "observer"),
        (interviewers, "interviewer"),
        (agents, "agent"),
    ];
    let there: Vec<_> =
        kinds.into_iter().filter(|(n, _)| **n > 0).map(|(n, noun)| count(*n, noun)).collect();
    let text = match there.is_empty() {
        true => "Nobody is attached.".to_owned(),
        false => format!("Attached now: {}.", there.join(", ")),
    };
    let mut page = Page::new(look);
    page.say(Tone::Dim, &text);
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presence_is_one_sentence() {
        let notice = |candidates, observers, interviewers| {
            let subscription = 1;
            let notice =
                PresenceNotice { subscription, candidates, observers, interviewers, agents: 0 };
            presence(&notice, &Look::PLAIN)
        };
        insta::assert_snapshot!(notice(1, 2, 0) + &notice(0, 0, 1) + &notice(0, 0, 0), @"
        Attached now: 1 candidate, 2 observers.
        Attached now: 1 interviewer.
        Nobody is attached.
        ");
    }
}
