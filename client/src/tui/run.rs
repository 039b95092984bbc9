//! Joins the state machine to the terminal and the daemon.
//!
//! One thread reads keys, one follows the session, one sends, one waits for signals; they all put
//! messages into one bounded channel. This thread alone draws.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{SigSet, Signal};
use nix::time::{ClockId, clock_gettime};
use ratatui::crossterm::event::{Event, poll, read};
use vosim_protocol::v1::interview;
use vosim_protocol::v1::service::{View, ViewParams, ViewResult};
use vosim_protocol::{EventId, Role, SessionId, Wire as _};

use crate::client::{ANSWER_WITHIN, Client};
use crate::commands::attach::Followed;
use crate::connection::CallError;
use crate::errors::{Exit, Failure};
use crate::follow::{Happening, Stream};
use crate::intent::Intent;
use crate::output::Output;
use crate::render::interview::summary;
use crate::render::look::Tone;
use crate::render::page::Page;
use crate::tui::app::{Action, App, Link, Msg, Snapshot};
use crate::tui::gap::{self, Known};
use crate::tui::screen::{Screen, ask_to_stop};
use crate::tui::send;

/// Messages that wait to be taken; whoever brings more waits.
const MESSAGES: usize = 256;
/// Between two pictures at most: the clock goes by seconds.
const TICK: Duration = Duration::from_millis(200);
/// Between two views at least.
const VIEW_EVERY: Duration = Duration::from_millis(200);
/// Without any event a view is asked for after this time, so that a clock that was set is seen.
const VIEW_AT_LAST: Duration = Duration::from_secs(15);

/// Shows an interview live until its user leaves.
///
/// `client` follows, `sender` sends; `result` is the view of the beginning, of which what came
/// after the named event is shown.
pub(crate) fn run(
    mut client: Client,
    sender: Client,
    result: &ViewResult,
    what: &Followed,
    output: Output,
) -> Result<Exit, Failure> {
    let role = what.role;
    let mut snapshot = snapshot(result)?;
    let session = snapshot.view.session_id;
    let nothing = Known { last: what.after, total: 0 };
    // What could not be read is told as left out.
    gap::fill(&mut client, session, role, nothing, &mut snapshot.view).ok();
    let known = nothing.after(&snapshot.view);
    let start = now()?;
    let signals = block_signals()?;
    let (out, messages) = sync_channel(MESSAGES);
    let (intents, to_send) = sync_channel(1);
    let mut screen = Screen::enter().map_err(closed)?;
    let size = screen.size().map_err(closed)?;
    let mut app = App::new(*output.look(), role, size, snapshot, what.after);
    let follower = Follower { session, role, after: result.cursor, known };
    spawn("keys", &out, |out| keys(&out))?;
    spawn("signals", &out, move |out| wait_for_signals(&signals, &out))?;
    spawn("follow", &out, move |out| follow(client, follower, &out))?;
    spawn("send", &out, move |out| send::serve(sender, session, &to_send, &out))?;
    drop(out);
    let shown = show(&mut screen, &mut app, &messages, &intents, start);
    drop(screen);
    if let Err(Failure::Signalled(signal)) = shown {
        app.signalled.get_or_insert(signal);
    }
    let told = farewell(&app, session, output);
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
fn show(
    screen: &mut Screen,
    app: &mut App,
    messages: &Receiver<Msg>,
    intents: &SyncSender<Intent>,
    start: Duration,
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
        app.update(Msg::Tick(now()?.saturating_sub(start)));
        // What has come meanwhile is drawn at once, but never without end.
        let mut rest = MESSAGES;
        while let Some(msg) = next {
            for action in app.update(msg) {
                match action {
                    Action::Leave => return Ok(()),
                    Action::Redraw => screen.renew().map_err(closed)?,
                    Action::Suspend => ask_to_stop().map_err(closed)?,
                    Action::Stop => {
                        screen.stop().map_err(closed)?;
                        screen.renew().map_err(closed)?;
                    }
                    Action::Send(intent) => match intents.try_send(intent) {
                        Ok(()) => {}
                        Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {
                            app.update(Msg::Answered(Err(Failure::lost())));
                        }
                    },
                }
            }
            rest -= 1;
            next = if rest > 0 { messages.try_recv().ok() } else { None };
        }
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
fn farewell(app: &App, session: SessionId, output: Output) -> Result<(), Failure> {
    if app.is_over() {
        output.screen(|look| summary(&app.view, look))?;
    } else if app.broken.is_none() {
        let role = match app.role {
            Role::Candidate => "candidate",
            Role::Observer => "observer",
            Role::Interviewer => "interviewer",
        };
        let vosimctl = format!("vosimctl --session {}", session.short());
        let text = match app.ended {
            true => format!("The interview is over. See it with: {vosimctl} status"),
            false => {
                format!("The interview goes on. Come back with: {vosimctl} attach --as {role}")
            }
        };
        output.screen(|look| {
            let mut page = Page::new(look).whole_words();
            page.say(Tone::Plain, &text);
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
fn now() -> Result<Duration, Failure> {
    let time = clock_gettime(ClockId::CLOCK_BOOTTIME).map_err(anyhow::Error::from)?;
    Ok(time.into())
}

fn snapshot(result: &ViewResult) -> Result<Snapshot, Failure> {
    let view = interview::View::from_json(result.view.clone())
        .map_err(|error| Failure::garbled("session.view", error))?;
    Ok(Snapshot { view, now: result.now })
}

/// A thread whose panic ends the screen instead of leaving it without eyes or ears.
fn spawn(
    name: &str,
    out: &SyncSender<Msg>,
    work: impl FnOnce(SyncSender<Msg>) + Send + 'static,
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

fn keys(out: &SyncSender<Msg>) {
    loop {
        let event = match poll(TICK) {
            Ok(false) => continue,
            Ok(true) => read(),
            Err(error) => Err(error),
        };
        let msg = match event {
            Ok(Event::Key(key)) => Msg::Key(key),
            Ok(Event::Paste(text)) => Msg::Paste(text),
            Ok(Event::Resize(columns, rows)) => Msg::Resize(columns, rows),
            Ok(Event::FocusGained | Event::FocusLost | Event::Mouse(_)) => continue,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // The terminal has gone, and its user with it.
            Err(_) => Msg::Terminated(Signal::SIGHUP),
        };
        let ends = matches!(msg, Msg::Terminated(_));
        if out.send(msg).is_err() || ends {
            return;
        }
    }
}

/// In all threads, so it must come before they start.
fn block_signals() -> Result<SigSet, Failure> {
    let mut signals = SigSet::empty();
    for signal in [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGTSTP, Signal::SIGCONT] {
        signals.add(signal);
    }
    signals.thread_block().map_err(anyhow::Error::from)?;
    Ok(signals)
}

fn wait_for_signals(signals: &SigSet, out: &SyncSender<Msg>) {
    while let Ok(signal) = signals.wait() {
        let msg = match signal {
            Signal::SIGTSTP => Msg::Stopped,
            Signal::SIGCONT => Msg::Resumed,
            signal => Msg::Terminated(signal),
        };
        if out.send(msg).is_err() {
            return;
        }
    }
}

/// What is followed, and what of it is known.
#[derive(Clone, Copy, Debug)]
struct Follower {
    session: SessionId,
    role: Role,
    /// Events after this one are new.
    after: EventId,
    known: Known,
}

/// Follows the session; after events it asks for the view they led to.
fn follow(mut client: Client, what: Follower, out: &SyncSender<Msg>) {
    let ended = match followed(&mut client, what, out) {
        // The screen is gone.
        Ok(()) => return,
        Err(Failure::Interrupted) => Msg::Interrupted,
        Err(failure) => Msg::Broken(failure),
    };
    out.send(ended).ok();
}

fn followed(client: &mut Client, what: Follower, out: &SyncSender<Msg>) -> Result<(), Failure> {
    let Follower { session, role, after, mut known } = what;
    let params = ViewParams { session: Some(session.to_string()), role };
    let mut stream = Stream::attach(client.store_id(), client, session, after, role)?;
    let (mut outdated, mut connected) = (true, true);
    let mut asked: Option<Instant> = None;
    loop {
        let due = match asked {
            // Nobody can be asked; what comes next is the connection.
            _ if !connected => VIEW_AT_LAST,
            None => Duration::ZERO,
            Some(asked) => {
                let pause = if outdated { VIEW_EVERY } else { VIEW_AT_LAST };
                pause.saturating_sub(asked.elapsed())
            }
        };
        let msg = match stream.next(due)? {
            Happening::Event(record) => {
                outdated = true;
                Some(Msg::Event(record))
            }
            Happening::Progress(progress) => Some(Msg::Progress(progress)),
            Happening::Presence(presence) => {
                outdated = true;
                Some(Msg::Presence(presence))
            }
            Happening::Reconnecting => {
                connected = false;
                Some(Msg::Connection(Link::Lost))
            }
            Happening::Reconnected => {
                (outdated, connected) = (true, true);
                Some(Msg::Connection(Link::Up))
            }
            Happening::OtherStore => {
                (outdated, connected) = (true, true);
                known = Known { last: EventId::ZERO, total: 0 };
                Some(Msg::Connection(Link::OtherStore))
            }
            Happening::Typed | Happening::Nothing => None,
        };
        if let Some(msg) = msg
            && out.send(msg).is_err()
        {
            return Ok(());
        }
        let pause = if outdated { VIEW_EVERY } else { VIEW_AT_LAST };
        if !connected || asked.is_some_and(|asked| asked.elapsed() < pause) {
            continue;
        }
        asked = Some(Instant::now());
        // A connection that is lost meanwhile is the stream's to find and to mend.
        let result = match stream.client().once::<View>(&params, ANSWER_WITHIN, |_| {}) {
            Ok(result) => result,
            Err(CallError::Interrupted) => return Err(Failure::Interrupted),
            Err(_) => continue,
        };
        let mut snapshot = snapshot(&result)?;
        match gap::fill(stream.client(), session, role, known, &mut snapshot.view) {
            Err(CallError::Interrupted) => return Err(Failure::Interrupted),
            Err(error) if error.is_lost() => continue,
            // What cannot be read is told as left out.
            Ok(()) | Err(_) => {}
        }
        known = known.after(&snapshot.view);
        outdated = false;
        if out.send(Msg::View(Box::new(snapshot))).is_err() {
            return Ok(());
        }
    }
}
