//! `attach`: a session live, from any number of terminals, through restarts of the daemon.

use std::time::Duration;

use vosim_protocol::{EventId, Kind, Role, SessionId};

use crate::cli;
use crate::client::Client;
use crate::commands::Context;
use crate::commands::log::{kind_of, pages, show};
use crate::errors::{Exit, Failure};
use crate::follow::{Happening, Stream};
use crate::output::Output;

/// How often nothing happening is looked at; nothing depends on it.
const IDLE: Duration = Duration::from_secs(3600);

pub(crate) fn run(args: &cli::Attach, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    client.catch_interrupts()?;
    let session = context.session.clone();
    let kind = kind_of(&mut client, session.clone(), args.role)?;
    let each = |record: &_| show(kind, record, context.output);
    let (id, last) = pages(&mut client, session, args.after, args.role, each)?;
    follow(&mut client, id, last, args.role, kind, context.output)
}

/// Prints events as they come until the session ends or Ctrl-C.
pub(crate) fn follow(
    client: &mut Client,
    session: SessionId,
    after: EventId,
    role: Role,
    kind: Kind,
    output: Output,
) -> Result<Exit, Failure> {
    // Who only follows does not bring a daemon back that somebody has stopped.
    client.never_start();
    let mut stream = Stream::open(client, session, after, role)?;
    loop {
        match stream.next(IDLE) {
            Ok(Happening::Event(record)) => show(kind, &record, output)?,
            Ok(Happening::Reconnecting) => {
                let from = stream.cursor();
                output
                    .note(&format!("The connection was lost after event {from}; reconnecting ..."));
            }
            Ok(Happening::Reconnected) => output.note("Connected again."),
            Ok(Happening::OtherStore) => {
                output.note("vosimd runs on another store now; the session from its beginning:");
            }
            Ok(Happening::Progress(_) | Happening::Nothing) => {}
            Err(Failure::Interrupted) => return Ok(Exit::Done),
            Err(failure) => return Err(failure),
        }
    }
}
