//! `log`: a session's events, one a line.

use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{EventId, Role};

use crate::cli;
use crate::client::Client;
use crate::commands::Context;
use crate::commands::following::{Followed, OTHER_STORE, Told, follow, telling};
use crate::errors::{Exit, Failure};
use crate::log::pages;

pub(crate) fn run(args: &cli::Log, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let session = context.session.clone();
    let role = args.role;
    if args.follow {
        client.catch_interrupts()?;
        let what = Followed { session, after: args.after, role, attached: false };
        return follow(&mut client, what, context.output);
    }
    past(&mut client, session, args.after, role, telling(context.output))?;
    Ok(Exit::Done)
}

/// Tells what has happened so far.
pub(crate) fn past(
    client: &mut Client,
    mut session: Option<String>,
    mut after: EventId,
    role: Role,
    mut tell: impl FnMut(Told<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    loop {
        let tell_event = |record: &ToldRecord| tell(Told::Event(record));
        let pages = pages(client, session, after, role, tell_event)?;
        if pages.whole {
            return Ok(());
        }
        tell(Told::Note(OTHER_STORE))?;
        (session, after) = (Some(pages.session.to_string()), EventId::ZERO);
    }
}
