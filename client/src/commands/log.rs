//! `log`: a session's events, one a line.

use vosim_protocol::v1::service::{self, LogParams, ViewParams};
use vosim_protocol::{EventId, EventRecord, Kind, Role, SessionId};

use crate::cli;
use crate::client::Client;
use crate::commands::Context;
use crate::commands::attach::{Followed, follow};
use crate::commands::interview;
use crate::errors::{Exit, Failure};
use crate::output::Output;
use crate::render::kind::event_line;

pub(crate) fn run(args: &cli::Log, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let session = context.session.clone();
    let role = Role::Candidate;
    if args.follow {
        client.catch_interrupts()?;
        let what = Followed { session, after: args.after, role, attached: false };
        return follow(&mut client, what, context.output);
    }
    let kind = kind_of(&mut client, session.clone(), role)?;
    pages(&mut client, session, args.after, role, |record| show(kind, record, context.output))?;
    Ok(Exit::Done)
}

/// True for the event after which nothing comes.
pub(crate) fn is_end(kind: Kind, record: &EventRecord) -> bool {
    match kind {
        Kind::Drill => record.event_type == "SESSION_ENDED",
        Kind::Interview => interview::is_end(record),
    }
}

/// An event as data or as a line.
pub(crate) fn show(kind: Kind, record: &EventRecord, output: Output) -> Result<(), Failure> {
    output.data(record, |look| event_line(kind, record, look))
}

/// The rules of a session.
pub(crate) fn kind_of(
    client: &mut Client,
    session: Option<String>,
    role: Role,
) -> Result<Kind, Failure> {
    Ok(client.call::<service::View>(&ViewParams { session, role })?.kind)
}

/// All records of a session.
pub(crate) fn whole(
    client: &mut Client,
    session: Option<String>,
    role: Role,
) -> Result<(SessionId, Vec<EventRecord>), Failure> {
    let mut records = Vec::new();
    let (id, _) = pages(client, session, EventId::ZERO, role, |record| {
        records.push(record.clone());
        Ok(())
    })?;
    Ok((id, records))
}

/// Reads a log frame by frame; answers the session and the last event that was seen.
pub(crate) fn pages(
    client: &mut Client,
    session: Option<String>,
    mut after: EventId,
    role: Role,
    mut each: impl FnMut(&EventRecord) -> Result<(), Failure>,
) -> Result<(SessionId, EventId), Failure> {
    let mut params = LogParams { session, after, role };
    loop {
        let page = client.call::<service::Log>(&params)?;
        page.records.iter().try_for_each(&mut each)?;
        let last = page.records.last().map(|record| record.event_id);
        after = last.unwrap_or(after);
        // A role may be shown nothing at the end of a log, so an empty page ends it too.
        if last.is_none() || after >= page.cursor {
            return Ok((page.session_id, after));
        }
        // The current session may change between two pages.
        params.session = Some(page.session_id.to_string());
        params.after = after;
    }
}
