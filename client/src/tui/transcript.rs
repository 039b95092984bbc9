//! What was said, oldest first, and the place in it that is shown.

use std::collections::VecDeque;

use ratatui::style::Modifier;
use ratatui::text::Line;
use vosim_protocol::EventId;
use vosim_protocol::v1::telling::Entry;

use crate::render::text::{cut, thousands};
use crate::tui::entry::lines;
use crate::tui::gap::{ENTRIES_MAX, Known, Talk};
use crate::tui::viewing::Viewing;

/// The entries of a session, as far as this terminal has them.
#[derive(Debug)]
pub(crate) struct Transcript {
    pub(crate) entries: VecDeque<Entry>,
    known: Known,
    /// Entries before those.
    omitted: u32,
    /// Lines below the screen; 0 shows the newest.
    pub(crate) scroll: usize,
    /// Entries that came while older ones were shown.
    pub(crate) unseen: usize,
}

impl Transcript {
    /// What came after an event; 0 begins with the first.
    pub(crate) fn after(event: EventId, talk: &Talk, viewing: &Viewing) -> Self {
        let known = Known { last: event, total: talk.total() };
        let entries = VecDeque::new();
        let mut transcript = Self { entries, known, omitted: 0, scroll: 0, unseen: 0 };
        transcript.merge(talk, viewing);
        transcript
    }

    /// Takes what a newer view holds. Entries that it leaves out because it is full stay where they
    /// can be scrolled to. Where some are missing between them and the view, they go and are
    /// counted, so that nobody reads on over a gap.
    pub(crate) fn merge(&mut self, talk: &Talk, viewing: &Viewing) {
        if self.known.misses(talk) {
            self.entries.clear();
        }
        let (old, fresh): (Vec<_>, Vec<_>) =
            talk.transcript.iter().partition(|entry| entry.event_id <= self.known.last);
        if self.entries.is_empty() {
            let old = u32::try_from(old.len()).unwrap_or(u32::MAX);
            self.omitted = talk.transcript_omitted.saturating_add(old);
        }
        self.known = self.known.after(talk);
        self.add(fresh.into_iter().cloned().collect(), viewing, true);
    }

    /// Takes what came after the other entries; what is no news is not counted where older entries
    /// are shown.
    pub(crate) fn add(&mut self, fresh: Vec<Entry>, viewing: &Viewing, is_news: bool) {
        if self.scroll > 0 {
            let lines = fresh.iter().map(|entry| lines(entry, viewing).len());
            self.scroll = self.scroll.saturating_add(lines.sum());
            self.unseen += if is_news { fresh.len() } else { 0 };
        }
        self.entries.extend(fresh);
        while self.entries.len() > ENTRIES_MAX {
            self.entries.pop_front();
            self.omitted = self.omitted.saturating_add(1);
        }
    }

    /// Forgets everything: what comes is another log.
    pub(crate) fn forget(&mut self) {
        self.entries.clear();
        self.known = Known { last: EventId::ZERO, total: u32::MAX };
        self.return_to_newest();
    }

    pub(crate) fn return_to_newest(&mut self) {
        (self.scroll, self.unseen) = (0, 0);
    }

    /// How many lines are really below a screen of this height; `before` lines stand above the
    /// first entry.
    pub(crate) fn scrolled(&self, viewing: &Viewing, height: usize, before: usize) -> usize {
        match self.scroll {
            0 => 0,
            scroll => scroll.min(self.scroll_max(viewing, height, before)),
        }
    }

    fn scroll_max(&self, viewing: &Viewing, height: usize, before: usize) -> usize {
        let note = usize::from(self.omitted > 0);
        let all: usize = self.entries.iter().map(|entry| lines(entry, viewing).len()).sum();
        (before + note + all).saturating_sub(height)
    }

    /// Shows older entries.
    pub(crate) fn older(&mut self, by: usize, viewing: &Viewing, height: usize, before: usize) {
        let most = self.scroll_max(viewing, height, before);
        self.scroll = self.scroll.saturating_add(by).min(most);
    }

    /// Shows newer entries.
    pub(crate) fn newer(&mut self, by: usize, viewing: &Viewing, height: usize, before: usize) {
        self.scroll = self.scrolled(viewing, height, before).saturating_sub(by);
        if self.scroll == 0 {
            self.unseen = 0;
        }
    }

    /// The lines that fit, newest last, with the newer ones below them that are scrolled away.
    ///
    /// It wraps from the newest backwards, so a long transcript costs no more than what is shown.
    pub(crate) fn visible(
        &self,
        viewing: &Viewing,
        height: usize,
        before: &[Line<'static>],
    ) -> Vec<Line<'static>> {
        let needed = self.scroll.saturating_add(height);
        let mut backwards: Vec<Line<'static>> = Vec::new();
        for entry in self.entries.iter().rev() {
            if backwards.len() >= needed {
                break;
            }
            backwards.extend(lines(entry, viewing).into_iter().rev());
        }
        if backwards.len() < needed && self.omitted > 0 {
            let entries = if self.omitted == 1 { "entry" } else { "entries" };
            let text =
                format!("{} earlier {entries}: vosimctl log", thousands(self.omitted.into()));
            backwards.push(Line::styled(cut(&text, viewing.look.width, ""), Modifier::DIM));
        }
        if backwards.len() < needed {
            backwards.extend(before.iter().rev().cloned());
        }
        // Scrolled further than there is: the oldest are shown.
        let scroll = self.scroll.min(backwards.len().saturating_sub(height));
        let mut out: Vec<_> = backwards.into_iter().skip(scroll).take(height).collect();
        out.reverse();
        out
    }
}
