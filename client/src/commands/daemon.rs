//! `daemon start`, `stop`, `status` and `socket-path`.

use std::time::{Duration, Instant};

use vosim_protocol::paths::Holder;
use vosim_protocol::trouble::cause;
use vosim_protocol::v1::service::{Nothing, Shutdown, Status};

use crate::client::{AutoStart, Client};
use crate::commands::Context;
use crate::connection::CallError;
use crate::errors::{Exit, Failure, code, user_error};
use crate::holder::{Held, Process, ask_to_stop, held, stopped};
use crate::launch::by_somebody;
use crate::places::Places;
use crate::render::text::clean;
use crate::render::upkeep as screens;

/// How long a daemon may take until what is under way is durable and it has ended.
const STOP: Duration = Duration::from_secs(10);

pub(crate) fn start(context: &Context) -> Result<Exit, Failure> {
    show(context.client_with(Places::from_env()?, AutoStart::Yes), context)
}

pub(crate) fn status(context: &Context) -> Result<Exit, Failure> {
    show(context.client_with(Places::from_env()?, AutoStart::No), context)
}

fn show(mut client: Client, context: &Context) -> Result<Exit, Failure> {
    let status = client.call::<Status>(&Nothing {})?;
    let socket = client.socket().display().to_string();
    context.output.data(&status, |look| screens::daemon(&status, &socket, look))?;
    Ok(Exit::Done)
}

/// Stopping what does not run is done already. A daemon that cannot be asked by its socket, or that was
/// stopped by a signal, gets the signal that means the same.
pub(crate) fn stop(context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client_with(Places::from_env()?, AutoStart::No);
    let running = held(client.places());
    let process = Process::holding(&running, client.places());
    if stopped(client.places()).is_some() {
        stop_by_signal(&running, client.places())?;
        return ended(&running, process.as_ref(), &client, context);
    }
    let asked = match client.connect() {
        Ok(()) => client.once::<Shutdown>(&Nothing {}, STOP, |_| {}).map(drop),
        Err(failure) if failure.is(code::DAEMON_NOT_RUNNING) => {
            context.output.data(&Nothing {}, |_| "vosimd is not running.\n".to_owned())?;
            return Ok(Exit::Done);
        }
        Err(failure) if failure.is(code::DAEMON_UNREACHED) => Err(CallError::TimedOut),
        Err(failure) => return Err(failure),
    };
    // Where the data was thrown away, no lock tells of the daemon any more.
    let process = process.or_else(|| client.process().and_then(Process::of));
    match asked {
        Ok(()) | Err(CallError::Lost) => {
            client.closed(STOP).map_err(|error| error.into_failure::<Shutdown>(STOP))?;
        }
        Err(CallError::TimedOut) => stop_by_signal(&running, client.places())?,
        Err(error) => return Err(error.into_failure::<Shutdown>(STOP)),
    }
    ended(&running, process.as_ref(), &client, context)
}

/// Says that the daemon has ended, as soon as it has.
fn ended(
    running: &Held,
    process: Option<&Process>,
    client: &Client,
    context: &Context,
) -> Result<Exit, Failure> {
    gone(running, process, client)?;
    context.output.data(&Nothing {}, |_| "vosimd has stopped.\n".to_owned())?;
    Ok(Exit::Done)
}

/// Sends the holder of the data the signal to stop.
fn stop_by_signal(running: &Held, places: &Places) -> Result<(), Failure> {
    let sent = match running {
        Held::Free => return Ok(()),
        Held::By(holder) => ask_to_stop(holder, places).map_err(|error| {
            let pid = holder.pid;
            user_error(
                code::DAEMON_UNREACHED,
                format!("process {pid} could not be told: {}", cause(&error)),
            )
        })?,
        Held::Unsigned => false,
    };
    if sent || held(places) != *running {
        return Ok(());
    }
    Err(by_somebody(places))
}

/// Waits until the daemon that was told to stop holds the data no more, since only then another one can
/// start, and until its process has ended.
fn gone(running: &Held, process: Option<&Process>, client: &Client) -> Result<(), Failure> {
    let until = Instant::now() + STOP;
    let holds = || *running != Held::Free && held(client.places()) == *running;
    while holds() || process.is_some_and(|process| !process.has_ended()) {
        if Instant::now() >= until {
            let secs = STOP.as_secs();
            let message = format!("vosimd was told to stop and has not ended within {secs} s");
            let failure = user_error(code::DAEMON_UNREACHED, message);
            let pid = match (running, process) {
                (Held::By(Holder { pid, .. }), _) | (_, Some(Process { pid, .. })) => pid,
                (Held::Free | Held::Unsigned, None) => return Err(failure),
            };
            let hint = format!("What it has acknowledged is safe. End it with: kill -9 {pid}");
            return Err(failure.hint(hint));
        }
        client.pause(Duration::from_millis(5))?;
    }
    Ok(())
}

pub(crate) fn socket_path(context: &Context) -> Result<Exit, Failure> {
    let socket = Places::from_env()?.socket.display().to_string();
    let json = serde_json::json!({ "path": socket });
    context.output.data(&json, |_| format!("{}\n", clean(&socket)))?;
    Ok(Exit::Done)
}
