//! `log`: a session's events, one a line.

use vosim_protocol::{EventId, EventRecord, Role};

use crate::cli;
use crate::client::Client;
use crate::commands::Context;
use crate::commands::following::{Followed, OTHER_STORE, Telling, follow, telling};
use crate::errors::{Exit, Failure};
use crate::log::{kind_of, pages};

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
    mut tell: impl FnMut(Telling<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let kind = kind_of(client, session.clone(), role)?;
    loop {
        let tell_event = |record: &EventRecord| tell(Telling::Event(kind, record));
        let pages = pages(client, session, after, role, tell_event)?;
        if pages.whole {
            return Ok(());
        }
        tell(Telling::Note(OTHER_STORE))?;
        (session, after) = (Some(pages.session.to_string()), EventId::ZERO);
    }
}
