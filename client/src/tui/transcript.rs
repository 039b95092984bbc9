//! What was said, oldest first, and the place in it that is shown.

use std::collections::VecDeque;

use ratatui::style::Modifier;
use ratatui::text::Line;
use vosim_protocol::v1::telling::Entry;

use crate::render::text::{cut, thousands};
use crate::tui::entry::lines;
use crate::tui::viewing::Viewing;

/// Most entries that can be scrolled back to; what is older, `log` shows.
const ENTRIES_MAX: usize = 4000;

/// The entries of a session, as far as this terminal has them.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    pub(crate) entries: VecDeque<Entry>,
    /// Entries before those.
    omitted: u32,
    /// Lines below the screen; 0 shows the newest.
    pub(crate) scroll: usize,
    /// Entries that came while older ones were shown.
    pub(crate) unseen: usize,
}

impl Transcript {
    /// Takes what came after the other entries; what is no news is not counted where older entries
    /// are shown.
    pub(crate) fn add(&mut self, entry: Entry, viewing: &Viewing, is_news: bool) {
        if self.scroll > 0 {
            self.scroll = self.scroll.saturating_add(lines(&entry, viewing).len());
            self.unseen += usize::from(is_news);
        }
        self.entries.push_back(entry);
        if self.entries.len() > ENTRIES_MAX {
            self.entries.pop_front();
            self.leave_out();
        }
    }

    /// Counts an entry that is not shown.
    pub(crate) fn leave_out(&mut self) {
        self.omitted = self.omitted.saturating_add(1);
    }

    /// Forgets everything: what comes is another log.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
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
    /// Wrapping goes from the newest backwards, so a long transcript costs no more than what is
    /// shown.
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
