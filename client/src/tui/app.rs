//! The live screen as a state machine: what comes in changes it, what it wants goes out.
//!
//! Nothing here reads a clock, a terminal or a socket. Time comes in as ticks since the start.

use std::collections::VecDeque;
use std::time::Duration;

use nix::sys::signal::Signal;
use ratatui::crossterm::event::KeyEvent;
use vosim_protocol::v1::interview::{Phase, View};
use vosim_protocol::v1::service::{Accepted, Note, PresenceNotice, ProgressNotice};
use vosim_protocol::v1::talk::Entry;
use vosim_protocol::{EventId, EventRecord, Role, Time};

use crate::commands::interview::act::may;
use crate::errors::Failure;
use crate::intent::{Intent, parse};
use crate::render::interview::{Receipt, received};
use crate::render::look::Look;
use crate::render::text::{clean, sentence};
use crate::spelling::Spelling;
use crate::tui::banner::Banner;
use crate::tui::clock::Clock;
use crate::tui::editor::Editor;
use crate::tui::gap::{self, Known};
use crate::tui::keys;

/// Most entries that can be scrolled back to; what is older, `log` shows.
pub(crate) const ENTRIES_MAX: usize = 4000;

/// What comes in.
#[derive(Debug)]
pub(crate) enum Msg {
    Key(KeyEvent),
    Paste(String),
    /// Columns and rows.
    Resize(u16, u16),
    Event(Box<EventRecord>),
    View(Box<Snapshot>),
    Presence(PresenceNotice),
    Progress(ProgressNotice),
    Connection(Link),
    /// What is being sent waits for the connection; it is sent again by itself.
    Waiting,
    /// What became of what was sent.
    Answered(Result<Answer, Failure>),
    /// Time since the start; it never goes back.
    Tick(Duration),
    /// The session can be followed no longer.
    Broken(Failure),
    /// The process shall stop.
    Stopped,
    /// It was stopped and goes on.
    Resumed,
    /// Ctrl-C from outside: its user leaves.
    Interrupted,
    /// The process shall end by this signal; SIGHUP also where the terminal has gone.
    Terminated(Signal),
}

/// A view and the daemon's time in it.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) view: View,
    pub(crate) now: Time,
}

/// How it stands with the stream of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    Up,
    Lost,
    /// It is up again, on another store: what is known counts no longer.
    OtherStore,
}

/// What the daemon said to something that was sent.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Accepted { what: &'static str, accepted: Accepted },
    Noted(Note),
}

/// What goes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// One at a time; the next one only after its answer. A name of a file that is missing is
    /// that of the file which is watched.
    Send(Intent),
    /// Draw every cell anew.
    Redraw,
    /// Ask for a stop of everything that runs with us, as a shell expects of Ctrl-Z.
    Suspend,
    /// Stop.
    Stop,
    /// Leave; the session goes on.
    Leave,
}

/// What lies over the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overlay {
    Help,
    Status,
}

/// A line on its way to the daemon.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) line: String,
    /// In which section it was begun.
    pub(crate) begun_in: Option<String>,
    /// The connection is not there.
    pub(crate) waiting: bool,
}

/// The line above the input: a receipt, or why something was not sent.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub(crate) text: String,
    pub(crate) bad: bool,
    /// Time since the start at which it goes; what went wrong stays until something else is said.
    until: Option<Duration>,
}

/// How long a receipt is shown.
const RECEIPT_SHOWN: Duration = Duration::from_secs(20);

/// One terminal's screen.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) look: Look,
    pub(crate) role: Role,
    pub(crate) size: (u16, u16),
    pub(crate) now: Duration,
    pub(crate) view: View,
    pub(crate) clock: Clock,
    pub(crate) entries: VecDeque<Entry>,
    known: Known,
    /// Entries before those.
    pub(crate) omitted: u32,
    /// Lines of the transcript below the screen; 0 shows the newest.
    pub(crate) scroll: usize,
    /// Entries that came while older ones were shown.
    pub(crate) unseen: usize,
    pub(crate) presence: Option<PresenceNotice>,
    pub(crate) progress: Option<ProgressNotice>,
    pub(crate) connected: bool,
    pub(crate) banner: Option<Banner>,
    pub(crate) notice: Option<Notice>,
    pub(crate) overlay: Option<Overlay>,
    pub(crate) editor: Editor,
    /// The section that was open when the line was begun. What is sent names it: an answer that
    /// crosses the boundary belongs to the question it was begun under, and one that was begun
    /// after it is not late (001 5.2).
    pub(crate) begun_in: Option<String>,
    pub(crate) pending: Option<Pending>,
    /// Somebody has asked to leave although a line is on its way.
    pub(crate) warned: bool,
    /// The last event has come, of which a view may not tell yet.
    pub(crate) ended: bool,
    /// Why there is nothing more to follow.
    pub(crate) broken: Option<Failure>,
    /// What ends the process.
    pub(crate) signalled: Option<Signal>,
}

impl App {
    /// Shows what came after an event; 0 shows all.
    pub(crate) fn new(
        look: Look,
        role: Role,
        size: (u16, u16),
        snapshot: Snapshot,
        after: EventId,
    ) -> Self {
        let Snapshot { view, now } = snapshot;
        let clock = Clock { session: view.at, wall: now, learned: Duration::ZERO };
        let mut app = Self {
            look,
            role,
            size,
            now: Duration::ZERO,
            clock,
            entries: VecDeque::new(),
            known: Known { last: after, total: gap::total(&view) },
            omitted: 0,
            view,
            scroll: 0,
            unseen: 0,
            presence: None,
            progress: None,
            connected: true,
            banner: None,
            notice: None,
            overlay: None,
            editor: Editor::default(),
            begun_in: None,
            pending: None,
            warned: false,
            ended: false,
            broken: None,
            signalled: None,
        };
        app.merge();
        app
    }

    /// Takes what comes in and says what shall be done.
    pub(crate) fn update(&mut self, msg: Msg) -> Vec<Action> {
        let empty = self.editor.is_empty();
        let actions = self.take_in(msg);
        if empty && !self.editor.is_empty() && self.begun_in.is_none() {
            self.begun_in = self.view.current_section.as_ref().map(|now| now.section_id.clone());
        } else if self.editor.is_empty() {
            self.begun_in = None;
        }
        actions
    }

    fn take_in(&mut self, msg: Msg) -> Vec<Action> {
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
            Msg::Answered(answer) => self.answered(answer),
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

    /// Only who can send something has a line to type in.
    pub(crate) fn types(&self) -> bool {
        match self.role {
            Role::Candidate | Role::Interviewer => true,
            Role::Observer => false,
        }
    }

    /// Nothing can happen any more.
    pub(crate) fn is_over(&self) -> bool {
        match self.view.phase {
            Phase::Completed | Phase::Terminated => true,
            Phase::NotStarted | Phase::InProgress | Phase::Paused | Phase::Closing => false,
        }
    }

    /// What was typed and has reached nobody, oldest first.
    pub(crate) fn unsent(&self) -> Vec<&str> {
        let pending = self.pending.as_ref().map(|pending| pending.line.as_str());
        pending.into_iter().chain(self.editor.draft()).collect()
    }

    /// Milliseconds until a deadline.
    pub(crate) fn left(&self, deadline: Time) -> u64 {
        self.clock.left(deadline, self.now)
    }

    pub(crate) fn say(&mut self, bad: bool, text: impl Into<String>) {
        let until = (!bad).then_some(self.now + RECEIPT_SHOWN);
        self.notice = Some(Notice { text: text.into(), bad, until });
    }

    pub(crate) fn paste(&mut self, text: &str) {
        if !self.types() {
            return;
        }
        self.overlay = None;
        // Terminals send a pasted line's end as a carriage return.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        if !self.editor.insert(&text) {
            self.too_long(text.len());
        }
    }

    pub(crate) fn too_long(&mut self, bytes: usize) {
        let text = match bytes {
            0..=4 => "The line is full: a message has at most 32 KiB.".to_owned(),
            _ => format!(
                "Nothing of the {bytes} pasted bytes was taken: a message has at most 32 KiB."
            ),
        };
        self.say(true, text);
    }

    /// Enter: the line is understood and sent, or stays with the reason above it.
    pub(crate) fn submit(&mut self) -> Vec<Action> {
        if self.editor.text().trim().is_empty() {
            return Vec::new();
        }
        let intent = match parse(self.editor.text()) {
            Ok(Some(intent)) => intent,
            Ok(None) => return Vec::new(),
            Err(failure) => {
                self.say(true, reason(&failure));
                return Vec::new();
            }
        };
        match intent {
            Intent::Help => self.shows(Overlay::Help),
            Intent::Status => self.shows(Overlay::Status),
            Intent::Quit => {
                self.editor.take();
                keys::leave(self)
            }
            intent @ (Intent::Begin
            | Intent::Say { .. }
            | Intent::Ask { .. }
            | Intent::Done { .. }
            | Intent::Submit(_)
            | Intent::Hint
            | Intent::Note(_)) => self.send(intent),
        }
    }

    fn shows(&mut self, overlay: Overlay) -> Vec<Action> {
        self.editor.take();
        self.overlay = Some(overlay);
        Vec::new()
    }

    fn send(&mut self, intent: Intent) -> Vec<Action> {
        if self.pending.is_some() {
            self.say(true, "The line before is not sent yet; this one stays here until then.");
            return Vec::new();
        }
        if let Err(failure) = may(self.role, matches!(intent, Intent::Note(_))) {
            self.say(true, reason(&failure));
            return Vec::new();
        }
        let intent = match intent {
            Intent::Submit(None) => {
                Intent::Submit(self.view.watched.as_ref().map(|w| w.file_path.clone().into()))
            }
            Intent::Say { text, section: _ } => {
                Intent::Say { text, section: self.begun_in.clone() }
            }
            Intent::Done { section: _ } => Intent::Done { section: self.begun_in.clone() },
            other => other,
        };
        self.notice = None;
        (self.scroll, self.unseen) = (0, 0);
        self.pending = Some(Pending {
            line: self.editor.take(),
            begun_in: self.begun_in.take(),
            waiting: !self.connected,
        });
        vec![Action::Send(intent)]
    }

    fn answered(&mut self, answer: Result<Answer, Failure>) {
        let Some(Pending { line, begun_in, waiting: _ }) = self.pending.take() else { return };
        match answer {
            Ok(Answer::Accepted { what, accepted }) => {
                let text = Receipt::of(what, &accepted, &self.view);
                let look = Look {
                    width: usize::MAX,
                    colour: crate::render::look::Colour::Off,
                    ..self.look
                };
                match text {
                    Some(receipt) => {
                        let bad = receipt.late;
                        self.say(bad, received(&receipt, &look).trim_end().to_owned());
                    }
                    None => self.say(false, format!("{what} was received.")),
                }
            }
            Ok(Answer::Noted(note)) => {
                let at = self.look.clock(note.at);
                self.say(false, format!("Note {} was taken at {at}.", note.number));
            }
            Err(failure) => self.give_back(line, begun_in, &failure),
        }
    }

    /// A line that was not taken stands in the input again, or one key away from it where
    /// something else has been typed meanwhile.
    fn give_back(&mut self, line: String, begun_in: Option<String>, failure: &Failure) {
        let reason = reason(failure);
        if self.editor.is_empty() {
            self.say(true, format!("Not sent: {reason}"));
            self.editor.set(line);
            self.begun_in = begun_in;
        } else {
            self.editor.remember(&line);
            self.say(true, format!("Not sent: {reason} The line is back with the key Up."));
        }
    }

    fn link(&mut self, link: Link) {
        match link {
            Link::Lost => self.connected = false,
            Link::Up => {
                self.connected = true;
                self.raise(Banner::new("Connected again.", false, false, self.now));
            }
            Link::OtherStore => {
                self.connected = true;
                self.entries.clear();
                self.ended = false;
                self.known = Known { last: EventId::ZERO, total: u32::MAX };
                (self.scroll, self.unseen) = (0, 0);
                let text =
                    "vosimd runs on another store now; this is the session as it stands there.";
                self.raise(Banner::new(text, true, false, self.now));
            }
        }
    }

    fn event(&mut self, record: &EventRecord) {
        if let Some(banner) = Banner::of(record, &self.view, self.now) {
            self.raise(banner);
        }
        self.ended |= crate::commands::interview::is_end(record);
        // A run that has ended is not shown as going on.
        if matches!(record.event_type.as_str(), "EVAL_RESULT" | "EVAL_ABORTED" | "OWN_TESTS_RESULT")
        {
            self.progress = None;
        }
    }

    fn raise(&mut self, banner: Banner) {
        self.banner = Some(match self.banner.take() {
            Some(before) if before.until > self.now => banner.after(&before),
            _ => banner,
        });
    }

    fn tick(&mut self, now: Duration) {
        self.now = self.now.max(now);
        if self.banner.as_ref().is_some_and(|banner| banner.until <= self.now) {
            self.banner = None;
        }
        let gone = |notice: &Notice| notice.until.is_some_and(|until| until <= self.now);
        if self.notice.as_ref().is_some_and(gone) {
            self.notice = None;
        }
    }

    fn take_view(&mut self, snapshot: Snapshot) {
        let Snapshot { view, now } = snapshot;
        self.clock = Clock { session: view.at, wall: now, learned: self.now };
        if view.evaluating.is_none() && !view.testing {
            self.progress = None;
        }
        self.view = view;
        self.merge();
    }

    /// Entries that a view leaves out because it is full stay where they can be scrolled to. Where
    /// some are missing between them and the view, they go and are counted, so that nobody reads on
    /// over a gap.
    fn merge(&mut self) {
        if self.known.misses(&self.view) {
            self.entries.clear();
        }
        let (old, fresh): (Vec<_>, Vec<_>) =
            self.view.transcript.iter().partition(|entry| entry.event_id <= self.known.last);
        if self.entries.is_empty() {
            let old = u32::try_from(old.len()).unwrap_or(u32::MAX);
            self.omitted = self.view.transcript_omitted.saturating_add(old);
        }
        let fresh: Vec<_> = fresh.into_iter().cloned().collect();
        self.known = self.known.after(&self.view);
        if self.scroll > 0 {
            let width = usize::from(self.size.0);
            let lines = fresh.iter().map(|e| super::transcript::lines(e, self, width).len());
            self.scroll = self.scroll.saturating_add(lines.sum());
            self.unseen += fresh.len();
        }
        self.entries.extend(fresh);
        while self.entries.len() > ENTRIES_MAX {
            self.entries.pop_front();
            self.omitted = self.omitted.saturating_add(1);
        }
    }
}

/// Why something was not done, and what to do, as one line.
pub(crate) fn reason(failure: &Failure) -> String {
    let Some(error) = failure.text(Spelling::Attached) else { return failure.to_string() };
    let mut text = sentence(&clean(&error.message));
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    if let Some(hint) = &error.hint {
        text.push(' ');
        text.push_str(&sentence(&clean(hint)));
    }
    text
}
