//! `daemon start`, `stop`, `status` and `socket-path`.

use std::time::{Duration, Instant};

use vosim_protocol::v1::service::{Nothing, Shutdown, Status};

use crate::client::{AutoStart, Client};
use crate::commands::Context;
use crate::connection::CallError;
use crate::errors::{Exit, Failure, code};
use crate::places::Places;
use crate::render::text::clean;
use crate::render::upkeep as screens;

/// How long a daemon may take until what is under way is durable.
const STOP: Duration = Duration::from_secs(10);

/// How long its socket may be there after it has hung up.
const SOCKET_GONE: Duration = Duration::from_secs(1);

pub(crate) fn start(context: &Context) -> Result<Exit, Failure> {
    show(context.client_with(Places::from_env()?, AutoStart::Yes), context)
}

pub(crate) fn status(context: &Context) -> Result<Exit, Failure> {
    show(context.client_with(Places::from_env()?, AutoStart::No), context)
}

fn show(mut client: Client, context: &Context) -> Result<Exit, Failure> {
    let status = client.call::<Status>(&Nothing {})?;
    let socket = client.places().socket.display().to_string();
    context.output.data(&status, |look| screens::daemon(&status, &socket, look))?;
    Ok(Exit::Done)
}

/// Stopping what does not run is done already.
pub(crate) fn stop(context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client_with(Places::from_env()?, AutoStart::No);
    match client.connect() {
        Ok(()) => {}
        Err(failure) if failure.is(code::DAEMON_NOT_RUNNING) => {
            context.output.data(&Nothing {}, |_| "vosimd is not running.\n".to_owned())?;
            return Ok(Exit::Done);
        }
        Err(failure) => return Err(failure),
    }
    match client.once::<Shutdown>(&Nothing {}, STOP, |_| {}) {
        Ok(_) | Err(CallError::Lost) => {}
        Err(error) => return Err(error.into_failure::<Shutdown>(STOP)),
    }
    client.closed(STOP).map_err(|error| error.into_failure::<Shutdown>(STOP))?;
    // It hangs up first and takes its socket away after that; one of systemd's stays.
    let until = Instant::now() + SOCKET_GONE;
    while client.places().socket.exists() && Instant::now() < until {
        client.pause(Duration::from_millis(5))?;
    }
    context.output.data(&Nothing {}, |_| "vosimd has stopped.\n".to_owned())?;
    Ok(Exit::Done)
}

pub(crate) fn socket_path(context: &Context) -> Result<Exit, Failure> {
    let socket = Places::from_env()?.socket.display().to_string();
    let json = serde_json::json!({ "path": socket });
    context.output.data(&json, |_| format!("{}\n", clean(&socket)))?;
    Ok(Exit::Done)
}
