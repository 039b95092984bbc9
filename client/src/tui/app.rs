//! The live screen as a state machine: what it knows, and what each thing that comes in changes.
//!
//! Nothing here reads a clock, a terminal or a socket, or knows a kind. Time comes in as ticks
//! since the start.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use nix::sys::signal::Signal;
use ratatui::crossterm::event::KeyEvent;
use vosim_protocol::v1::service::{PresenceNotice, ProgressNotice};
use vosim_protocol::v1::telling::{Channel, ToldRecord, Tone};
use vosim_protocol::{ErrorCode, EventId, Role, Time};

use crate::client::Loss;
use crate::ends::is_end;
use crate::errors::{Failure, code, user_error};
use crate::form::Form;
use crate::intent::request::Answer;
use crate::intent::{ReceiptText, Wish, Words, may_note, parse};
use crate::render::look::{Colour, Look};
use crate::render::picture::Picture;
use crate::render::telling::entry;
use crate::render::text::{clean, clean_lines, sentence};
use crate::spelling::Spelling;
use crate::tui::banner::Banner;
use crate::tui::clock::Clock;
use crate::tui::desk::{COACH, Desk, FORMS, PANELS};
use crate::tui::editor::Editor;
use crate::tui::panel::{Intent, KindPanel, View};
use crate::tui::transcript::Transcript;
use crate::tui::typed::LineTold;
use crate::tui::viewing::Viewing;

/// What comes in.
#[derive(Debug)]
pub(crate) enum Msg<V> {
    Key(KeyEvent),
    Paste(String),
    /// Columns and rows.
    Resize(u16, u16),
    Event(Box<ToldRecord>),
    View(Box<Snapshot<V>>),
    Presence(PresenceNotice),
    Progress(ProgressNotice),
    Connection(Link),
    /// What is being sent waits for the connection; it is sent again by itself.
    Waiting,
    /// A draft was written by somebody else, or removed.
    Draft {
        form: String,
        text: Option<String>,
    },
    /// What keeps drafts has something to tell.
    Kept(String),
    /// What the editor has made of a form.
    Edited {
        form: &'static str,
        text: Result<String, Failure>,
    },
    /// What became of what was sent.
    Answered(Result<Answer, Failure>),
    /// Time since the start; it never goes back.
    Tick(Duration),
    /// The session can be followed no longer.
    Broken(Failure),
    /// The process shall stop.
    Stopped,
    /// The process was stopped and goes on.
    Resumed,
    /// Ctrl-C from outside: its user leaves.
    Interrupted,
    /// The process shall end by this signal; SIGHUP also where the terminal has gone.
    Terminated(Signal),
}

/// A view, and the daemon's time in it.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot<V> {
    pub(crate) view: V,
    pub(crate) now: Time,
}

/// How it stands with the stream of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    Up,
    Lost(Loss),
    /// The stream is up again, on another store: what is known counts no longer.
    OtherStore,
}

/// What goes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action<I> {
    /// One at a time; the next one only after its answer.
    Send(Dispatch<I>),
    /// Tell that a line is being written, or no longer is.
    Tell(I),
    /// Keep what stands in a form.
    Keep { form: &'static str, text: String },
    /// Keep a draft no longer: it was sent.
    Sent { form: &'static str, text: String },
    /// Let its user fill a form in the editor.
    Edit { form: &'static str, text: String },
    /// Draw every cell anew.
    Redraw,
    /// Ask for a stop of everything that runs with us, as a shell expects of Ctrl-Z.
    Suspend,
    /// Stop.
    Stop,
    /// Leave; the session goes on.
    Leave,
}

/// What a line asks of the daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dispatch<I> {
    Do(I),
    /// Takes a private note.
    Note(String),
    /// Tells something that nobody waits for an answer to.
    Tell(I),
    /// Asks for what is worth reading after the end.
    Discussion,
    /// Asks for what the session teaches.
    Report,
    /// Asks for the code of a submission.
    Code(Option<u32>),
}

/// What lies over the screen.
#[derive(Clone, Debug)]
pub(crate) struct Overlay {
    pub(crate) sheet: Sheet,
    /// Lines above the screen.
    pub(crate) scroll: usize,
}

/// What is on an overlay.
#[derive(Clone, Debug)]
pub(crate) enum Sheet {
    Help,
    Status,
    /// What the daemon has answered.
    Answer(Picture),
}

/// Something that wants a yes.
#[derive(Clone, Debug)]
pub(crate) struct Question<I> {
    /// What would be done.
    pub(crate) text: String,
    /// What a yes sends.
    pub(crate) intent: I,
}

/// Something on its way to the daemon.
#[derive(Clone, Debug)]
pub(crate) struct Pending<I> {
    /// What was typed; nothing where a key stood for it.
    pub(crate) line: String,
    pub(crate) dispatch: Dispatch<I>,
    /// The form that it was filled in, and what stood there.
    pub(crate) form: Option<(&'static str, String)>,
    /// In which part of the session it was begun.
    pub(crate) begun_in: Option<String>,
    /// The connection is not there.
    pub(crate) waiting: bool,
}

/// A line that was finished while another one was on its way.
#[derive(Clone, Debug)]
pub(crate) struct InLine<I> {
    pub(crate) line: String,
    begun_in: Option<String>,
    dispatch: Dispatch<I>,
}

/// What may follow the key that has answered a question: the rest of the word that it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trail {
    pub(crate) word: &'static str,
    /// How much of it has come.
    pub(crate) came: usize,
}

/// What brings a line back that was not taken.
const UP: &str = "Press Up to get the line back.";

/// Most lines that wait for the one before them.
const WAITING_MAX: usize = 64;

/// The line above the input: a receipt, or why something was not sent.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    pub(crate) text: String,
    pub(crate) bad: bool,
    /// Time since the start at which it goes; what went wrong stays until something else is said.
    until: Option<Duration>,
    /// The form in which something is missing; without it there is nothing to say.
    form: Option<&'static str>,
}

/// How long a receipt is shown.
const RECEIPT_SHOWN: Duration = Duration::from_secs(20);

/// What a screen begins with.
#[derive(Debug)]
pub(crate) struct Opening<P> {
    pub(crate) role: Role,
    pub(crate) panel: P,
    /// The daemon's time in that view.
    pub(crate) now: Time,
    /// The last event that the view knows.
    pub(crate) cursor: EventId,
    /// What came after this event is shown; 0 shows all.
    pub(crate) after: EventId,
    /// What was typed into forms and not sent, by their names.
    pub(crate) drafts: BTreeMap<String, String>,
}

/// One terminal's screen.
#[derive(Debug)]
pub(crate) struct App<P: KindPanel> {
    pub(crate) look: Look,
    pub(crate) role: Role,
    pub(crate) size: (u16, u16),
    pub(crate) now: Duration,
    pub(crate) clock: Clock,
    pub(crate) panel: P,
    pub(crate) transcript: Transcript,
    /// Events up to this one are counted, not shown.
    after: EventId,
    /// Events up to this one are no news.
    old: EventId,
    pub(crate) presence: Option<PresenceNotice>,
    pub(crate) progress: Option<ProgressNotice>,
    pub(crate) lost: Option<Loss>,
    pub(crate) banner: Option<Banner>,
    pub(crate) remark: Option<Remark>,
    pub(crate) overlay: Option<Overlay>,
    pub(crate) question: Option<Question<Intent<P>>>,
    /// A question was answered by a key, and the rest of a word may follow it.
    pub(crate) trail: Option<Trail>,
    pub(crate) editor: Editor,
    pub(crate) desk: Desk,
    /// The part of the session that was open when the line was begun.
    pub(crate) begun_in: Option<String>,
    /// What the session was told of a line that is being written.
    pub(crate) told: LineTold,
    pub(crate) pending: Option<Pending<Intent<P>>>,
    /// What is sent after that, one by one.
    pub(crate) waiting: VecDeque<InLine<Intent<P>>>,
    /// Somebody has asked to leave although a line is on its way.
    pub(crate) warned: bool,
    /// The last event has come, of which a view may not tell yet.
    pub(crate) ended: bool,
    /// Why there is nothing more to follow.
    pub(crate) broken: Option<Failure>,
    /// What ends the process.
    pub(crate) signalled: Option<Signal>,
}

impl<P: KindPanel> App<P> {
    pub(crate) fn new(look: Look, size: (u16, u16), opening: Opening<P>) -> Self {
        let Opening { role, panel, now: wall, cursor, after, drafts } = opening;
        let (now, learned) = (Duration::ZERO, Duration::ZERO);
        let clock = Clock { session: panel.time().unwrap_or(wall), wall, learned };
        let mut transcript = Transcript::default();
        if panel.begins_with_subject() {
            transcript.scroll = usize::MAX;
        }
        let forms = forms_of(&panel, role);
        let page = if forms.is_empty() { COACH } else { FORMS };
        let desk = Desk::new(forms, drafts, page);
        Self {
            look,
            role,
            size,
            now,
            clock,
            transcript,
            after,
            old: cursor,
            panel,
            presence: None,
            progress: None,
            lost: None,
            banner: None,
            remark: None,
            overlay: None,
            question: None,
            trail: None,
            editor: Editor::default(),
            desk,
            begun_in: None,
            told: LineTold::default(),
            pending: None,
            waiting: VecDeque::new(),
            warned: false,
            ended: false,
            broken: None,
            signalled: None,
        }
    }

    /// For whom, how wide and when everything is drawn.
    pub(crate) fn viewing(&self) -> Viewing {
        Viewing {
            look: Look { width: usize::from(self.size.0), ..self.look },
            role: self.role,
            clock: self.clock,
            now: self.now,
            progress: self.progress.clone(),
        }
    }

    /// Only who can send something has a line to type in.
    pub(crate) fn types(&self) -> bool {
        match self.role {
            Role::Candidate | Role::Interviewer | Role::Agent => true,
            Role::Observer => false,
        }
    }

    /// What was typed and has reached nobody, oldest first.
    pub(crate) fn unsent(&self) -> Vec<&str> {
        let pending = self.pending.as_ref().map(|pending| pending.line.as_str());
        let waiting = self.waiting.iter().map(|waiting| waiting.line.as_str());
        let typed = pending.into_iter().chain(waiting).filter(|line| !line.is_empty());
        typed.chain(self.editor.draft()).collect()
    }

    /// Whether keys go to a form: there is one, it is seen, and nobody writes a line.
    pub(crate) fn on_form(&self) -> bool {
        let width = usize::from(self.size.0);
        self.desk.wanted && self.desk.place().is_some() && self.desk.shows_forms(width)
    }

    /// Whether the transcript has the room of the panels.
    pub(crate) fn shows_transcript(&self) -> bool {
        P::PANELS.is_empty() || self.desk.page >= PANELS
    }

    pub(crate) fn say(&mut self, bad: bool, text: impl Into<String>) {
        let until = (!bad).then_some(self.now + RECEIPT_SHOWN);
        self.remark = Some(Remark { text: text.into(), bad, until, form: None });
    }

    pub(crate) fn paste(&mut self, text: &str) {
        if !self.types() {
            return;
        }
        self.overlay = None;
        // Terminals send a pasted line's end as a carriage return.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let taken = match self.on_form() {
            true => self.desk.paste(&text),
            false => self.editor.insert(&text),
        };
        if !taken {
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

    /// Leaves, the second time also with a line on its way.
    pub(crate) fn leave(&mut self) -> Vec<Action<Intent<P>>> {
        let unsent = self.pending.is_some() || !self.waiting.is_empty();
        if unsent && !std::mem::replace(&mut self.warned, true) {
            self.say(
                true,
                "Your last line has not been sent yet; do it again to leave without it.",
            );
            return Vec::new();
        }
        vec![Action::Leave]
    }

    /// Enter: the line is understood and sent, or stays with the reason above it.
    pub(crate) fn submit(&mut self) -> Vec<Action<Intent<P>>> {
        match self.understood(self.editor.text()) {
            Ok(None) => Vec::new(),
            Ok(Some(wish)) => {
                let line = self.editor.take();
                let begun_in = self.begun_in.take();
                self.fulfil(wish, line, begun_in)
            }
            Err(failure) => {
                self.refuse(&failure);
                Vec::new()
            }
        }
    }

    /// A line that is not understood. A command that is none leaves the line, so that nothing is typed
    /// behind it; a message stays to be mended.
    fn refuse(&mut self, failure: &Failure) {
        let mut text = reason(failure);
        if self.editor.text().trim_start().starts_with('/') {
            self.editor.take();
            text = and_then(text, UP);
        }
        self.say(true, text);
    }

    /// Sends the form with the cursor, or says what is missing in it.
    pub(crate) fn send_form(&mut self) -> Vec<Action<Intent<P>>> {
        let Some(filling) = self.desk.current() else { return Vec::new() };
        let (form, text) = (filling.form.name, filling.form.text());
        let asked = P::Words::filled(&filling.form, self.panel.view());
        let free = asked.and_then(|intent| match self.pending {
            None => Ok(intent),
            Some(_) => Err(user_error(code::USAGE, "what was sent before is still on its way")),
        });
        match free {
            Ok(intent) => {
                self.remark = None;
                let intent = P::Words::completed(intent, self.panel.view(), None);
                // The draft is what is sent, so that it is known as sent afterwards.
                let rest = self.desk.rest(self.now).into_iter();
                let keep = rest.map(|(form, text)| Action::Keep { form, text });
                let send = self.goes(String::new(), None, Dispatch::Do(intent));
                if let Some(pending) = &mut self.pending {
                    pending.form = Some((form, text));
                }
                keep.chain(send).collect()
            }
            Err(failure) => {
                self.say(true, reason(&failure));
                if let Some(remark) = &mut self.remark {
                    remark.form = Some(form);
                }
                Vec::new()
            }
        }
    }

    /// What was said to be missing in a form may be there now.
    pub(crate) fn forget_what_a_form_lacks(&mut self) {
        self.remark.take_if(|remark| remark.form.is_some());
    }

    /// Opens the form with the cursor in the editor.
    pub(crate) fn edit_form(&mut self) -> Vec<Action<Intent<P>>> {
        let Some(filling) = self.desk.current() else { return Vec::new() };
        vec![Action::Edit { form: filling.form.name, text: filling.form.text() }]
    }

    pub(crate) fn edited(&mut self, form: &'static str, text: Result<String, Failure>) {
        let taken = text.and_then(|text| self.desk.take_text(form, &text));
        if let Err(failure) = taken {
            self.say(true, reason(&failure));
        }
    }

    /// A key that stands for a line.
    pub(crate) fn obey(&mut self, line: &str) -> Vec<Action<Intent<P>>> {
        match self.understood(line) {
            Ok(None) => Vec::new(),
            Ok(Some(wish)) => self.fulfil(wish, String::new(), None),
            Err(failure) => {
                self.say(true, reason(&failure));
                Vec::new()
            }
        }
    }

    /// What a line means, where it may be sent now.
    fn understood(&self, line: &str) -> Result<Option<Wish<Intent<P>>>, Failure> {
        let wish = parse::<P::Words>(line)?;
        match &wish {
            None | Some(Wish::Help | Wish::Status | Wish::Quit) => return Ok(wish),
            Some(Wish::Do(intent)) => P::Words::may(self.role, intent)?,
            Some(Wish::Note(_)) => may_note(self.role)?,
            Some(Wish::Discussion | Wish::Report | Wish::Code(_)) => {}
        }
        match self.waiting.len() {
            ..WAITING_MAX => Ok(wish),
            _ => Err(user_error(
                code::USAGE,
                format!(
                    "{WAITING_MAX} lines have not been sent yet; this one waits here until they have"
                ),
            )),
        }
    }

    fn fulfil(
        &mut self,
        wish: Wish<Intent<P>>,
        line: String,
        begun_in: Option<String>,
    ) -> Vec<Action<Intent<P>>> {
        let dispatch = match wish {
            Wish::Help => return self.shows(Sheet::Help),
            Wish::Status => return self.shows(Sheet::Status),
            Wish::Quit => return self.leave(),
            Wish::Note(text) => Dispatch::Note(text),
            Wish::Discussion => Dispatch::Discussion,
            Wish::Report => Dispatch::Report,
            Wish::Code(number) => Dispatch::Code(number),
            Wish::Do(intent) => {
                Dispatch::Do(P::Words::completed(intent, self.panel.view(), begun_in.as_deref()))
            }
        };
        self.remark = None;
        self.transcript.return_to_newest();
        self.goes(line, begun_in, dispatch)
    }

    fn shows(&mut self, sheet: Sheet) -> Vec<Action<Intent<P>>> {
        self.overlay = Some(Overlay { sheet, scroll: 0 });
        Vec::new()
    }

    fn goes(
        &mut self,
        line: String,
        begun_in: Option<String>,
        dispatch: Dispatch<Intent<P>>,
    ) -> Vec<Action<Intent<P>>> {
        if self.pending.is_some() {
            self.waiting.push_back(InLine { line, begun_in, dispatch });
            return Vec::new();
        }
        let waiting = self.lost.is_some();
        let dispatched = dispatch.clone();
        self.pending = Some(Pending { line, dispatch: dispatched, form: None, begun_in, waiting });
        vec![Action::Send(dispatch)]
    }

    pub(crate) fn answered(&mut self, answer: Result<Answer, Failure>) -> Vec<Action<Intent<P>>> {
        let Some(pending) = self.pending.take() else { return Vec::new() };
        let Pending { line, dispatch, form, begun_in, waiting: _ } = pending;
        // Progress of a run that no session takes note of ends with its answer; that of a session's run
        // may be here before the view that shows it.
        self.progress.take_if(|progress| progress.subscription.is_none());
        let mut actions = Vec::new();
        if let (Ok(_), Some((form, text))) = (&answer, form) {
            self.desk.sent(form, &text);
            actions.push(Action::Sent { form, text });
        }
        match answer {
            Ok(Answer::Accepted { what, accepted }) => {
                // The frame wraps it.
                let look = Look { width: usize::MAX, colour: Colour::Off, ..self.look };
                match P::Words::receipt(what, &accepted, &look) {
                    Some(ReceiptText { text, warns }) => self.say(warns, text.trim_end()),
                    None if P::Words::ANSWERS_AT_ONCE => {}
                    None => self.say(false, format!("{what} was received.")),
                }
            }
            Ok(Answer::Noted(note)) => {
                let at = self.look.clock(note.at);
                self.say(false, format!("Note {} was taken at {at}.", note.number));
            }
            Ok(Answer::Done(text)) => self.say(false, text),
            Ok(Answer::Page(picture)) => {
                self.overlay = Some(Overlay { sheet: Sheet::Answer(picture), scroll: 0 });
            }
            Err(failure) => match yes::<P::Words>(&dispatch, &failure) {
                Some(intent) => {
                    let text = sentence(&clean(&failure.to_string()));
                    self.question = Some(Question { text, intent });
                }
                None => self.give_back(line, begun_in, &failure),
            },
        }
        if self.question.is_none() {
            actions.extend(self.next());
        }
        actions
    }

    /// Sends what has waited for the line before it.
    fn next(&mut self) -> Vec<Action<Intent<P>>> {
        match self.waiting.pop_front() {
            Some(InLine { line, begun_in, dispatch }) => self.goes(line, begun_in, dispatch),
            None => Vec::new(),
        }
    }

    /// Takes the answer to what wants a yes.
    pub(crate) fn decide(&mut self, agrees: bool) -> Vec<Action<Intent<P>>> {
        match self.question.take() {
            Some(Question { intent, .. }) if agrees => {
                self.goes(String::new(), None, Dispatch::Do(intent))
            }
            _ => {
                self.say(false, "Nothing was done.");
                self.next()
            }
        }
    }

    /// A line that was not taken stands in the input again, or one key away from it where
    /// something else has been typed meanwhile.
    fn give_back(&mut self, line: String, begun_in: Option<String>, failure: &Failure) {
        let reason = reason(failure);
        if line.is_empty() {
            self.say(true, reason);
        } else if self.editor.is_empty() && !line.starts_with('/') {
            self.say(true, format!("Not sent: {reason}"));
            self.editor.set(line);
            self.begun_in = begun_in;
        } else {
            self.editor.remember(&line);
            self.say(true, and_then(format!("Not sent: {reason}"), UP));
        }
    }

    pub(crate) fn link(&mut self, link: Link) {
        let (text, warns) = match link {
            Link::Lost(loss) => {
                self.lost = Some(loss);
                if loss == Loss::Stopped {
                    let text = "vosimd was stopped. Whatever is sent next starts it again.";
                    self.raise(Banner::new(text, true, false, self.now));
                }
                return;
            }
            Link::Up => ("Connected again.", false),
            Link::OtherStore => {
                self.transcript.forget();
                (self.after, self.old) = (EventId::ZERO, EventId::ZERO);
                self.ended = false;
                ("vosimd has another store now; this is the session in that store.", true)
            }
        };
        self.lost = None;
        self.raise(Banner::new(text, warns, false, self.now));
    }

    pub(crate) fn event(&mut self, record: &ToldRecord) {
        let is_news = record.event_id > self.old;
        if let Some(entry) = entry(record) {
            match entry.event_id > self.after {
                true => self.transcript.add(entry, &self.viewing(), is_news),
                false => self.transcript.leave_out(),
            }
        }
        if is_news && let Some(banner) = Banner::of(record, self.panel.larger_warnings(), self.now)
        {
            self.raise(banner);
        }
        let speaks = record.telling.as_ref().is_some_and(|said| match said.channel {
            Channel::Interviewer => true,
            Channel::System => said.tone != Tone::Plain,
            Channel::Section | Channel::Candidate | Channel::Ask | Channel::Assistant => false,
        });
        self.desk.unread |= is_news && speaks;
        self.ended |= is_end(P::KIND, record);
        // A run that has ended is not shown as going on.
        if P::ends_run(record) {
            self.progress = None;
        }
    }

    fn raise(&mut self, banner: Banner) {
        self.banner = Some(match self.banner.take() {
            Some(before) if before.is_new(self.now) => banner.after(&before),
            _ => banner,
        });
    }

    pub(crate) fn tick(&mut self, now: Duration) {
        self.now = self.now.max(now);
        if self.banner.as_ref().is_some_and(|banner| banner.until <= self.now) {
            self.banner = None;
        }
        let gone = |remark: &Remark| remark.until.is_some_and(|until| until <= self.now);
        if self.remark.as_ref().is_some_and(gone) {
            self.remark = None;
        }
    }

    pub(crate) fn take_view(&mut self, snapshot: Snapshot<View<P>>) {
        let Snapshot { view, now: wall } = snapshot;
        let was_running = self.panel.is_running();
        self.panel.take(view);
        self.desk.take(forms_of(&self.panel, self.role));
        let forms = &self.desk.forms;
        let is_there = |name: &&str| forms.iter().any(|filling| filling.form.name == *name);
        self.remark.take_if(|remark| remark.form.is_some_and(|name| !is_there(&name)));
        let session = self.panel.time().unwrap_or(wall);
        self.clock = Clock { session, wall, learned: self.now };
        // A view may be older than the progress of a run that has just begun.
        if was_running && !self.panel.is_running() {
            self.progress = None;
        }
    }
}

/// What whoever sits there can fill.
fn forms_of<P: KindPanel>(panel: &P, role: Role) -> Vec<Form> {
    match role.is_candidate() && !panel.is_over() {
        true => P::Words::forms(panel.view()),
        false => Vec::new(),
    }
}

/// A text with one more sentence behind it.
fn and_then(mut text: String, sentence: &str) -> String {
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    text + " " + sentence
}

/// What a yes would send after a refusal that asks for one.
fn yes<W: Words>(dispatch: &Dispatch<W::Intent>, failure: &Failure) -> Option<W::Intent> {
    match dispatch {
        Dispatch::Do(intent) if failure.is(ErrorCode::ConfirmationRequired) => W::confirmed(intent),
        Dispatch::Do(_)
        | Dispatch::Tell(_)
        | Dispatch::Note(_)
        | Dispatch::Discussion
        | Dispatch::Report
        | Dispatch::Code(_) => None,
    }
}

/// Why something was not done, and what to do, as one line.
pub(crate) fn reason(failure: &Failure) -> String {
    let Some(error) = failure.text(Spelling::Attached) else { return failure.to_string() };
    let mut text = sentence(&clean(&error.message));
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    // A question to begin with stands on a line of its own.
    for line in error.hint.iter().flat_map(|hint| clean_lines(hint)) {
        text = and_then(text, &sentence(&line));
    }
    text
}
