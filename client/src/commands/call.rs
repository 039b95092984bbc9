//! Commands of a session, and what their answers hold.

use vosim_protocol::v1::commands::Commands;
use vosim_protocol::v1::service::{
    Accepted, Do, DoParams, ProblemCard, ProblemShow, ProblemShowParams,
};
use vosim_protocol::{Blob, EventId, EventRecord, Role, SessionId};

use crate::client::{Client, new_command};
use crate::errors::Failure;

/// Gives a command under one new id, which is kept however often it must be sent.
pub(crate) fn command<C: Commands>(
    client: &mut Client,
    session: Option<&str>,
    command: &C,
    blobs: Vec<Blob>,
) -> Result<Accepted, Failure> {
    client.call::<Do>(&params(session, command, blobs))
}

/// What a command of the candidate sends: one new id, for as long as these are kept.
pub(crate) fn params<C: Commands>(
    session: Option<&str>,
    command: &C,
    blobs: Vec<Blob>,
) -> DoParams {
    DoParams {
        session: session.map(str::to_owned),
        kind: Some(C::KIND),
        command: command.name().to_owned(),
        command_id: new_command(),
        role: Role::Candidate,
        args: command.args(),
        blobs,
        if_cursor: None,
        follow: false,
    }
}

/// The last event that an accepted command caused: what follows it is what it led to.
pub(crate) fn last_event(accepted: &Accepted) -> EventId {
    accepted.events.last().map_or(accepted.cursor, |record| record.event_id)
}

/// An event's details as their type, if it is of that type.
pub(crate) fn payload<T: serde::de::DeserializeOwned>(
    record: &EventRecord,
    event_type: &str,
) -> Result<Option<T>, Failure> {
    if record.event_type != event_type {
        return Ok(None);
    }
    serde_json::from_value(record.payload.clone())
        .map(Some)
        .map_err(|error| Failure::garbled("session.log", error))
}

/// The problem of a session.
pub(crate) fn problem_of(client: &mut Client, session: SessionId) -> Result<ProblemCard, Failure> {
    let session = Some(session.to_string());
    client.call::<ProblemShow>(&ProblemShowParams { problem: None, session })
}
