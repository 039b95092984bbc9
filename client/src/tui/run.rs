//! Joins the state machine to the terminal and the daemon.
//!
//! One thread reads keys, one follows the session, one sends, one keeps drafts, one waits for signals;
//! they all put messages into one bounded channel. This thread alone draws.

use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{SigSet, Signal};
use nix::time::{ClockId, clock_gettime};
use ratatui::crossterm::terminal;
use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::service::ViewResult;
use vosim_protocol::{EventId, Role, SessionId};

use crate::client::Client;
use crate::drafts::Drafts;
use crate::errors::{Exit, Failure};
use crate::intent::request::Attached;
use crate::output::Output;
use crate::render::look::Tone;
use crate::render::page::Page;
use crate::tui::app::{Action, App, Dispatch, Msg, Opening, Snapshot};
use crate::tui::feed::{Feed, snapshot};
use crate::tui::hands::Hands;
use crate::tui::keeper::{Keep, Keeping};
use crate::tui::keyboard::Keyboard;
use crate::tui::panel::{Intent, KindPanel, View};
use crate::tui::screen::{Screen, ask_to_stop};
use crate::tui::send;

/// Messages that wait to be taken; whoever brings more waits.
const MESSAGES: usize = 256;
/// What waits to be sent: one thing that is answered, and what is told beside it.
const OUTBOX: usize = 4;
/// Between two pictures at most: the clock goes by seconds.
const TICK: Duration = Duration::from_millis(200);

/// What a screen begins with.
#[derive(Debug)]
pub(crate) struct Beginning {
    /// Follows the session.
    pub(crate) client: Client,
    /// Sends what is typed.
    pub(crate) sender: Client,
    pub(crate) session: SessionId,
    /// What the session shows.
    pub(crate) result: ViewResult,
    /// What came after this event is shown.
    pub(crate) after: EventId,
    pub(crate) role: Role,
}

/// Shows a session live until its user leaves; `report` asks then what a session that is over teaches.
pub(crate) fn run<P: KindPanel + 'static>(
    beginning: Beginning,
    report: &dyn Fn() -> Option<Report>,
    output: Output,
) -> Result<Exit, Failure> {
    let Beginning { mut client, sender, session, result, after, role } = beginning;
    let cursor = result.cursor;
    let feed = Feed { session, role };
    let Snapshot { view, now } = snapshot(&result)?;
    let panel = P::open(&mut client, session, view)?;
    let (drafts, trouble) = drafts::<P>(session, role);
    let kept = drafts.as_ref().map(Drafts::all).unwrap_or_default();
    let opening = Opening { role, panel, now, cursor, after, drafts: kept.clone() };
    let start = ticks()?;
    let signals = block_signals()?;
    let (out, messages) = sync_channel(MESSAGES);
    let (outbox, to_send) = sync_channel(OUTBOX);
    let mut screen = Screen::enter().map_err(closed)?;
    let size = screen.size().map_err(closed)?;
    let mut app = App::new(*output.look(), size, opening);
    if let Some(trouble) = trouble {
        app.update(Msg::Kept(trouble));
    }
    let hands = Arc::new(Hands::default());
    let eyes = Arc::clone(&hands);
    let keyboard = Keyboard::from_stdin().map_err(anyhow::Error::from)?;
    spawn("keys", &out, move |out| keyboard.read(&eyes, &out))?;
    let keeping = Keeping::start(drafts, kept, &out)?;
    spawn("signals", &out, move |out| wait_for_signals(&signals, &out))?;
    spawn("follow", &out, move |out| feed.follow(client, &out))?;
    let from = Attached { session, role };
    spawn("send", &out, move |out| send::serve::<P::Words>(sender, from, &to_send, &out))?;
    drop(out);
    let others = Others { outbox, keeping, hands, start };
    let shown = show(&mut screen, &mut app, &messages, &others);
    drop(screen);
    // Nobody reads messages any more, so that whoever has one left does not wait.
    drop(messages);
    others.keeping.finish(app.desk.rest(app.now));
    if let Err(Failure::Signalled(signal)) = shown {
        app.signalled.get_or_insert(signal);
    }
    let told = farewell(&app, session, report, output);
    // Where the terminal has gone there is nobody to be told anything.
    if let Some(signal) = app.signalled {
        return Ok(Exit::Signalled(signal));
    }
    told?;
    shown?;
    match app.broken.take() {
        Some(failure) => Err(failure),
        None => Ok(Exit::Done),
    }
}

/// Draws and does what is wanted until somebody leaves.
fn show<P: KindPanel>(
    screen: &mut Screen,
    app: &mut App<P>,
    messages: &Receiver<Msg<View<P>>>,
    others: &Others<Intent<P>>,
) -> Result<(), Failure> {
    loop {
        let (columns, rows) = screen.size().map_err(closed)?;
        app.update(Msg::Resize(columns, rows));
        screen.draw(app).map_err(closed)?;
        let mut next = match messages.recv_timeout(TICK) {
            Ok(msg) => Some(msg),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        if take(screen, app, others.tick()?, others)?.is_break() {
            return Ok(());
        }
        // What has come meanwhile is drawn at once, but never without end.
        let mut rest = MESSAGES;
        while let Some(msg) = next {
            if take(screen, app, msg, others)?.is_break() {
                return Ok(());
            }
            rest -= 1;
            next = if rest > 0 { messages.try_recv().ok() } else { None };
        }
    }
}

/// Takes one message and does what is wanted then; Break where that is to leave.
fn take<P: KindPanel>(
    screen: &mut Screen,
    app: &mut App<P>,
    msg: Msg<View<P>>,
    others: &Others<Intent<P>>,
) -> Result<ControlFlow<()>, Failure> {
    let mut actions = VecDeque::from(app.update(msg));
    while let Some(action) = actions.pop_front() {
        match action {
            Action::Leave => return Ok(ControlFlow::Break(())),
            Action::Redraw => screen.renew().map_err(closed)?,
            Action::Suspend => ask_to_stop().map_err(closed)?,
            Action::Stop => {
                screen.stop().map_err(closed)?;
                screen.renew().map_err(closed)?;
                actions.extend(app.update(others.tick()?));
            }
            Action::Send(dispatch) => match others.outbox.try_send(dispatch) {
                Ok(()) => {}
                Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {
                    actions.extend(app.update(Msg::Answered(Err(Failure::lost()))));
                }
            },
            // One that finds no room is told again soon.
            Action::Tell(intent) => drop(others.outbox.try_send(Dispatch::Tell(intent))),
            Action::Keep { form, text } => others.keeping.send(Keep::Write { form, text }),
            Action::Sent { form, text } => others.keeping.send(Keep::Sent { form, text }),
            Action::Edit { form, text } => {
                let edit = || others.hands.off(|| others.keeping.edited(form, text));
                let text = screen.lend(edit).map_err(closed)?;
                // What waits to be taken is as old as it says.
                actions.extend(app.update(others.tick()?));
                actions.extend(app.update(Msg::Edited { form, text }));
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// The threads that are told what to do, and when all of it began.
struct Others<I> {
    outbox: SyncSender<Dispatch<I>>,
    keeping: Keeping,
    hands: Arc<Hands>,
    start: Duration,
}

impl<I> Others<I> {
    /// The time by now.
    fn tick<V>(&self) -> Result<Msg<V>, Failure> {
        Ok(Msg::Tick(ticks()?.saturating_sub(self.start)))
    }
}

/// The drafts of who fills forms, or why there are none.
fn drafts<P: KindPanel>(session: SessionId, role: Role) -> (Option<Drafts>, Option<String>) {
    if P::PANELS.is_empty() || !role.is_candidate() {
        return (None, None);
    }
    match Drafts::of(session) {
        Ok(drafts) => (Some(drafts), None),
        Err(failure) => (None, Some(format!("What you type is not kept on disk: {failure}."))),
    }
}

/// A terminal that cannot be drawn on. One that was closed is seen here before the signal comes.
#[expect(clippy::needless_pass_by_value, reason = "handed to map_err")]
fn closed(error: io::Error) -> Failure {
    match error.raw_os_error() == Some(Errno::EIO as i32) {
        true => Failure::Signalled(Signal::SIGHUP),
        false => Failure::unprinted(&error),
    }
}

/// What stays on the terminal.
fn farewell<P: KindPanel>(
    app: &App<P>,
    session: SessionId,
    report: &dyn Fn() -> Option<Report>,
    output: Output,
) -> Result<(), Failure> {
    if app.panel.is_over() {
        let report = report();
        output.screen(|look| P::summary(app.panel.view(), report.as_ref(), look))?;
    } else if app.broken.is_none() {
        let (kind, role) = (P::KIND, app.role.name());
        let vosimctl = format!("vosimctl --session {}", session.short());
        let text = match app.ended {
            true => format!("The {kind} is over. See it with: {vosimctl} status"),
            false => format!("The {kind} continues. Come back with: {vosimctl} attach --as {role}"),
        };
        output.screen(|look| {
            let mut page = Page::new(look).whole_words();
            page.say(Tone::Plain, &text);
            page.finish()
        })?;
    }
    if app.desk.is_touched() {
        output.screen(|look| {
            let mut page = Page::new(look);
            let text = "What you have typed into forms and not sent is kept, and is there again when you \
                        come back.";
            page.say(Tone::Plain, text);
            page.finish()
        })?;
    }
    for line in app.unsent() {
        output.screen(|look| {
            let mut page = Page::new(look);
            page.say(Tone::Warn, "This was not sent:");
            page.verbatim("  ", Tone::Plain, line);
            page.finish()
        })?;
    }
    Ok(())
}

/// Time that goes on while the machine sleeps, which no setting of the clock moves.
fn ticks() -> Result<Duration, Failure> {
    let time = clock_gettime(ClockId::CLOCK_BOOTTIME).map_err(anyhow::Error::from)?;
    Ok(time.into())
}

/// A thread whose panic ends the screen instead of leaving it without eyes or ears.
fn spawn<V: Send + 'static>(
    name: &str,
    out: &SyncSender<Msg<V>>,
    work: impl FnOnce(SyncSender<Msg<V>>) + Send + 'static,
) -> Result<(), Failure> {
    let (mine, out) = (out.clone(), out.clone());
    let guarded = move || {
        if catch_unwind(AssertUnwindSafe(|| work(mine))).is_err() {
            let failure = anyhow::anyhow!("a part of the screen has failed");
            out.send(Msg::Broken(failure.into())).ok();
        }
    };
    // Nobody waits for them: a call to a daemon that hangs must not keep a user from leaving.
    thread::Builder::new().name(name.to_owned()).spawn(guarded).map_err(anyhow::Error::from)?;
    Ok(())
}

/// What would end the process and leave the terminal as it is, what stops it and lets it go on, and word of
/// another size. A program that ends itself by SIGABRT is told by its panic.
const SIGNALS: [Signal; 11] = [
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGQUIT,
    Signal::SIGABRT,
    Signal::SIGALRM,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
    Signal::SIGXCPU,
    Signal::SIGTSTP,
    Signal::SIGCONT,
    Signal::SIGWINCH,
];

/// In all threads, so it must come before they start.
fn block_signals() -> Result<SigSet, Failure> {
    let signals: SigSet = SIGNALS.into_iter().collect();
    signals.thread_block().map_err(anyhow::Error::from)?;
    Ok(signals)
}

fn wait_for_signals<V>(signals: &SigSet, out: &SyncSender<Msg<V>>) {
    while let Ok(signal) = signals.wait() {
        let msg = match signal {
            Signal::SIGTSTP => Msg::Stopped,
            Signal::SIGCONT => Msg::Resumed,
            // A terminal that has gone has no size; reading from it will tell.
            Signal::SIGWINCH => match terminal::size() {
                Ok((columns, rows)) => Msg::Resize(columns, rows),
                Err(_) => continue,
            },
            signal => Msg::Terminated(signal),
        };
        if out.send(msg).is_err() {
            return;
        }
    }
}
