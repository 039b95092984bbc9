//! What comes in, one thing after another, and what shall be done about it.

use crate::intent::Words as _;
use crate::tui::app::{Action, App, Msg};
use crate::tui::keys;
use crate::tui::panel::{Intent, KindPanel, View};

impl<P: KindPanel> App<P> {
    /// Takes what comes in and says what shall be done.
    pub(crate) fn update(&mut self, msg: Msg<View<P>>) -> Vec<Action<Intent<P>>> {
        let (empty, before) = (self.editor.is_empty(), self.editor.text().len());
        let mut actions = self.take_in(msg);
        let unread = !self.desk.shows_said(usize::from(self.size.0));
        self.desk.unread &= unread;
        let due = self.desk.due(self.now).into_iter();
        actions.extend(due.map(|(form, text)| Action::Keep { form, text }));
        if empty && !self.editor.is_empty() && self.begun_in.is_none() {
            self.begun_in = self.panel.place().map(str::to_owned);
        } else if self.editor.is_empty() {
            self.begun_in = None;
        }
        let changed = self.editor.text().len() != before;
        actions.extend(self.tells_of_line(changed).map(Action::Tell));
        actions
    }

    /// What the session is told of the line, where somebody could be interrupted.
    fn tells_of_line(&mut self, changed: bool) -> Option<Intent<P>> {
        if let Some(pending) = &self.pending {
            self.told.sends(&pending.line, changed);
            return None;
        }
        let open = self.role.is_candidate() && self.lost.is_none() && self.panel.place().is_some();
        let stopped = open.then(|| self.told.tells(self.editor.text(), changed, self.now))??;
        P::Words::typing(stopped)
    }

    fn take_in(&mut self, msg: Msg<View<P>>) -> Vec<Action<Intent<P>>> {
        match msg {
            Msg::Key(key) => return keys::press(self, key),
            Msg::Paste(text) => self.paste(&text),
            Msg::Resize(columns, rows) => self.size = (columns, rows),
            Msg::Event(record) => self.event(&record),
            Msg::View(snapshot) => self.take_view(*snapshot),
            Msg::Presence(presence) => self.presence = Some(presence),
            Msg::Progress(progress) => self.progress = Some(progress),
            Msg::Connection(link) => self.link(link),
            Msg::Waiting => {
                if let Some(pending) = &mut self.pending {
                    pending.waiting = true;
                }
            }
            Msg::Draft { form, text } => self.desk.follow(&form, text.as_deref()),
            Msg::Kept(trouble) => self.say(true, trouble),
            Msg::Edited { form, text } => self.edited(form, text),
            Msg::Answered(answer) => return self.answered(answer),
            Msg::Tick(now) => self.tick(now),
            Msg::Broken(failure) => {
                self.broken = Some(failure);
                return vec![Action::Leave];
            }
            Msg::Stopped => return vec![Action::Stop],
            Msg::Resumed => return vec![Action::Redraw],
            Msg::Interrupted => return vec![Action::Leave],
            Msg::Terminated(signal) => {
                self.signalled = Some(signal);
                return vec![Action::Leave];
            }
        }
        Vec::new()
    }
}
