//! Commands of sessions, whatever their kind: given, followed to their result, asked about later.

use std::sync::Arc;

use vosim_engine::{Settling, kinds};
use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::service::{Accepted, CommandGetParams, CommandGetResult, DoParams};
use vosim_protocol::{ErrorCode, ErrorObject, EventId, EventRecord, Head, Kind, Role, SessionId};

use crate::actors::registry::read_log;
use crate::actors::session::{Ask, Caused, CausedBy, input};
use crate::daemon::store_error;
use crate::server::client::Client;
use crate::server::reports::record;
use crate::server::service::{Service, told_to};
use crate::server::streams::{Stream, make_room};
use crate::server::subscription::Until;

/// Gives a command, and follows it to its result where that is asked for.
pub(crate) async fn give(
    service: &Service,
    params: DoParams,
    client: &mut Client,
) -> Result<Accepted, ErrorObject> {
    let head = service.locate(params.session.as_deref())?;
    if let Some(kind) = params.kind.filter(|kind| *kind != head.kind) {
        return Err(wrong_kind(&head, kind));
    }
    if params.follow {
        make_room(client)?;
    }
    // Whatever is published from here on is in the window; what lies before is in the log.
    let live = params.follow.then(|| client.daemon.hub.borrow_mut().follow(head.session_id));
    let params = Arc::new(params);
    let Caused { cursor, replayed, records, settling } =
        service.ask(head.session_id, || Ask(Arc::clone(&params))).await?;
    let after = records.last().map_or(cursor, |record| record.event_id);
    let settling = match settling {
        Some(settling) => settling,
        None => from_log(service, &head, &params, after).await?,
    };
    let mut accepted = Accepted {
        receipt: settling.receipt(),
        awaits: settling.awaits(),
        ..accepted(&head, params.role, (cursor, replayed, records))
    };
    match live {
        Some(live) => {
            let until = Some(Until { command: params.command_id, settling });
            let stream = Stream { role: params.role, after, attached: None, until };
            accepted.subscription = Some(stream.begin(&head, live, client));
        }
        None => accepted.result = settling.result(params.role),
    }
    Ok(accepted)
}

/// What an intention has caused, if it was carried out.
pub(crate) async fn caused_by(
    service: &Service,
    params: CommandGetParams,
) -> Result<CommandGetResult, ErrorObject> {
    let head = service.locate(params.session.as_deref())?;
    let caused = service.ask(head.session_id, || CausedBy(params.command_id)).await?;
    let accepted = caused.map(|Caused { cursor, replayed, records, .. }| {
        accepted(&head, params.role, (cursor, replayed, records))
    });
    Ok(CommandGetResult { accepted })
}

/// A command that had been carried out before, whose last event is `last`: as it stood then for
/// whoever follows it from there, else as far as it has come.
async fn from_log(
    service: &Service,
    head: &Head,
    params: &Arc<DoParams>,
    last: EventId,
) -> Result<Box<dyn Settling>, ErrorObject> {
    let (id, kind, spec) = (head.session_id, head.kind, head.spec);
    let params = Arc::clone(params);
    service
        .daemon
        .reading(move |store| {
            let lines = read_log(store, id)?;
            let spec = store.blob(spec).map_err(|error| store_error(&error))?;
            let (before, behind) = lines.split_at(lines.len().min(place(last)));
            let folded = kinds::load(kind, id, &spec, before.iter().map(Vec::as_slice));
            let session = folded.map_err(|error| unread(id, &error))?;
            let records = before.iter().map(|line| record(line)).collect::<Result<Vec<_>, _>>()?;
            let caused = |record: &EventRecord| record.command_id == Some(params.command_id);
            let caused = records.into_iter().filter(caused).collect();
            let mut settling = session.settling(&input(&params), caused)?;
            for line in behind.iter().filter(|_| !params.follow) {
                let taken = settling.take(&record(line)?, line);
                taken.map_err(|error| unread(id, &error))?;
            }
            Ok(settling)
        })
        .await
}

fn place(event: EventId) -> usize {
    usize::try_from(event.0).unwrap_or(usize::MAX)
}

fn unread(id: SessionId, error: &dyn std::fmt::Display) -> ErrorObject {
    tracing::error!(session = %id, %error, "a command's result cannot be read");
    ErrorObject::new(ErrorCode::StoreDamaged, error.to_string())
        .next(Next::run("see where the log was changed", Action::Verify))
}

fn wrong_kind(head: &Head, kind: Kind) -> ErrorObject {
    let (is, not) = (head.kind.with_article(), kind.with_article());
    let message = format!("session {} is {is}, not {not}", head.session_id.short());
    ErrorObject::new(ErrorCode::WrongKind, message)
        .next(Next::run("see the sessions there are", Action::List))
}

/// What a command has caused at once, for a role.
fn accepted(
    head: &Head,
    role: Role,
    (cursor, replayed, records): (EventId, bool, Vec<EventRecord>),
) -> Accepted {
    Accepted {
        session_id: head.session_id,
        kind: head.kind,
        cursor,
        replayed,
        events: told_to(head.kind, role, records),
        receipt: None,
        awaits: None,
        result: None,
        subscription: None,
    }
}
