//! `attach`: a session live, from any number of terminals, through restarts of the daemon.
//!
//! It ends with the session: nothing comes after that.

use std::time::Duration;

use vosim_protocol::{EventId, Kind, Role};

use crate::cli;
use crate::client::Client;
use crate::commands::Context;
use crate::commands::log::{is_end, kind_of, pages, show};
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
    let what = Followed { session, after: args.after, role: args.role, kind };
    follow(&mut client, what, context.output)
}

/// What is followed.
#[derive(Debug)]
pub(crate) struct Followed {
    pub(crate) session: Option<String>,
    pub(crate) after: EventId,
    pub(crate) role: Role,
    pub(crate) kind: Kind,
}

/// Prints the events there are and those that come, until the session ends or Ctrl-C.
pub(crate) fn follow(client: &mut Client, what: Followed, output: Output) -> Result<Exit, Failure> {
    let Followed { session, after, role, kind } = what;
    let mut over = false;
    let (session, after) = pages(client, session, after, role, |record| {
        over |= is_end(kind, record);
        show(kind, record, output)
    })?;
    if over {
        return Ok(Exit::Done);
    }
    // Who only follows does not bring a daemon back that somebody has stopped.
    client.never_start();
    let mut stream = Stream::open(client, session, after, role)?;
    loop {
        match stream.next(IDLE) {
            Ok(Happening::Event(record)) => {
                show(kind, &record, output)?;
                if is_end(kind, &record) {
                    return Ok(Exit::Done);
                }
            }
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
