//! What is said about a log, within what a role may see of it (DECISIONS 3).
//!
//! Until a session has ended nothing leaves the daemon that its filter holds back: not as an
//! explanation, not as a decision that is made again, not as a file.

use vosim_engine::kinds;
use vosim_protocol::misfit;
use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::service::{ReplayParams, WhyParams};
use vosim_protocol::v1::session::{Divergence, Explanation, ReplayReport};
use vosim_protocol::{ErrorCode, ErrorObject, EventId, EventRecord, Head, Json, Role, SessionId};
use vosim_store::Store;

use crate::actors::registry::read_log;
use crate::daemon::store_error;

/// How much a role may see of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sight {
    All,
    Part,
    Nothing,
}

fn sight(head: &Head, role: Role, record: &EventRecord) -> Sight {
    match kinds::redact(head.kind, role, record.clone()) {
        Some(seen) if seen == *record => Sight::All,
        Some(_) => Sight::Part,
        None => Sight::Nothing,
    }
}

/// The event of a log that a role asks about.
fn sight_of(
    head: &Head,
    role: Role,
    lines: &[Vec<u8>],
    event: EventId,
) -> Result<Sight, ErrorObject> {
    let place = event.0.checked_sub(1).and_then(|place| usize::try_from(place).ok());
    let line = place.and_then(|place| lines.get(place));
    let line = line.ok_or_else(|| unknown_event(event, head.cursor))?;
    Ok(sight(head, role, &record(line)?))
}

/// Why an event is as it is; blocks.
///
/// An event that the role may not see is as unknown to it as one that does not exist.
pub(crate) fn why(
    store: &Store,
    head: &Head,
    params: &WhyParams,
) -> Result<Explanation, ErrorObject> {
    let (id, event) = (head.session_id, params.event_id);
    let lines = read_log(store, id)?;
    let unknown = || unknown_event(event, head.cursor);
    match sight_of(head, params.role, &lines, event)? {
        Sight::All => {}
        Sight::Nothing => return Err(unknown()),
        Sight::Part if head.ended => {}
        Sight::Part => {
            let role = params.role.name();
            let message =
                format!("the explanation of event {event} would tell the {role} too much");
            return Err(ErrorObject::new(ErrorCode::RoleForbidden, message)
                .next(Next::edit("ask as the interviewer"))
                .next(Next::wait("the end of the session")));
        }
    }
    let spec = store.blob(head.spec).map_err(|error| store_error(&error))?;
    let explained = kinds::why(head.kind, id, &spec, &lines, event);
    explained.map_err(|error| damaged(id, &error))?.ok_or_else(unknown)
}

/// Folds a log anew; blocks.
pub(crate) fn replay(
    store: &Store,
    head: &Head,
    params: &ReplayParams,
) -> Result<ReplayReport, ErrorObject> {
    let id = head.session_id;
    if params.until == Some(EventId::ZERO) {
        return Err(unknown_event(EventId::ZERO, head.cursor));
    }
    let lines = read_log(store, id)?;
    let spec = store.blob(head.spec).map_err(|error| store_error(&error))?;
    let replayed = kinds::replay(head.kind, id, &spec, &lines, params.until, params.verify);
    let mut report = replayed.map_err(|error| damaged(id, &error))?;
    if let Some(differs) = report.differs.take() {
        let sight = sight_of(head, params.role, &lines, differs.event_id)?;
        report.differs =
            Some(if sight == Sight::All || head.ended { differs } else { withheld(differs) });
    }
    let code = kinds::code(head.kind, &lines);
    let withheld = code.iter().filter(|hash| !store.has_blob(**hash).unwrap_or(true)).count();
    report.code_withheld = withheld as u64;
    Ok(report)
}

/// That an event differs may be known, but not in what.
fn withheld(differs: Divergence) -> Divergence {
    let found = Json::from("withheld until the session has ended");
    Divergence { found, computed: None, ..differs }
}

/// Whether a session's records may leave the daemon whole; blocks.
///
/// Their chain holds only if none of them is changed, so either all of them may or none.
pub(crate) fn may_leave(store: &Store, head: &Head) -> Result<(), ErrorObject> {
    if head.ended {
        return Ok(());
    }
    for line in read_log(store, head.session_id)? {
        if sight(head, Role::Candidate, &record(&line)?) != Sight::All {
            let message = "its records hold what the candidate may not see before the session ends";
            return Err(ErrorObject::new(ErrorCode::RoleForbidden, message)
                .next(Next::wait_and_see("the end of the session", Action::Log)));
        }
    }
    Ok(())
}

/// A record from its line.
pub(crate) fn record(line: &[u8]) -> Result<EventRecord, ErrorObject> {
    misfit::read_bytes(line).map_err(|why| {
        ErrorObject::new(ErrorCode::StoreDamaged, format!("a record cannot be read: {why}"))
    })
}

/// The error for an event that is not there, or not for this role.
pub(crate) fn unknown_event(event: EventId, cursor: EventId) -> ErrorObject {
    ErrorObject::new(ErrorCode::UnknownEvent, format!("no event {event}"))
        .next(Next::run(format!("see the events 1 to {cursor}"), Action::Log))
}

/// The error for a log that cannot be folded.
pub(crate) fn damaged(id: SessionId, error: &vosim_engine::LoadError) -> ErrorObject {
    ErrorObject::new(ErrorCode::StoreDamaged, format!("session {id} cannot be read: {error}"))
        .next(Next::run("see where the log was changed", Action::Verify))
}
