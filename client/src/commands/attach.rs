//! `attach`: a session live, from any number of terminals, through restarts of the daemon.
//!
//! It ends with the session: nothing comes after that.

use std::time::Duration;

use vosim_protocol::{EventId, Role};

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
    let what = Followed { session: context.session.clone(), after: args.after, role: args.role };
    follow(&mut client, what, context.output)
}

/// What is followed.
#[derive(Debug)]
pub(crate) struct Followed {
    pub(crate) session: Option<String>,
    pub(crate) after: EventId,
    pub(crate) role: Role,
}

/// Prints the events there are and those that come, until the session ends or Ctrl-C, which is
/// how one leaves.
pub(crate) fn follow(client: &mut Client, what: Followed, output: Output) -> Result<Exit, Failure> {
    match to_the_end(client, what, output) {
        Ok(()) | Err(Failure::Interrupted) => Ok(Exit::Done),
        Err(failure) => Err(failure),
    }
}

fn to_the_end(client: &mut Client, what: Followed, output: Output) -> Result<(), Failure> {
    let Followed { session, after, role } = what;
    let kind = kind_of(client, session.clone(), role)?;
    let mut over = false;
    let (session, after) = pages(client, session, after, role, |record| {
        over |= is_end(kind, record);
        show(kind, record, output)
    })?;
    // Who only follows does not bring a daemon back that somebody has stopped.
    client.never_start();
    let mut stream = Stream::open(client, session, after, role)?;
    while !over {
        match stream.next(IDLE)? {
            Happening::Event(record) => {
                show(kind, &record, output)?;
                over = is_end(kind, &record);
            }
            Happening::Reconnecting => {
                let from = stream.cursor();
                output
                    .note(&format!("The connection was lost after event {from}; reconnecting ..."));
            }
            Happening::Reconnected => output.note("Connected again."),
            Happening::OtherStore => {
                output.note("vosimd runs on another store now; the session from its beginning:");
            }
            Happening::Progress(_) | Happening::Nothing => {}
        }
    }
    Ok(())
}
