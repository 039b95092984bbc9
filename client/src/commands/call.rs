//! Commands of a session as methods of the wire, and what their answers hold.

use serde::Serialize;
use vosim_protocol::v1::service::{
    Accepted, CommandParams, Method, ProblemCard, ProblemShow, ProblemShowParams,
};
use vosim_protocol::{Blob, EventId, EventRecord, Json, SessionId};

use crate::client::{Client, new_command};
use crate::errors::Failure;

/// Types that name the commands of a kind as methods.
macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident = $word:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub(crate) enum $name {}

            impl vosim_protocol::v1::service::Method for $name {
                const NAME: &'static str = $word;
                type Params = vosim_protocol::v1::service::CommandParams;
                type Result = vosim_protocol::v1::service::Accepted;
            }
        )*
    };
}
pub(crate) use commands;

/// Sends a command under one new id, which is kept however often it must be sent.
pub(crate) fn command<M>(
    client: &mut Client,
    session: Option<&str>,
    command: &impl Serialize,
    blobs: Vec<Blob>,
) -> Result<Accepted, Failure>
where
    M: Method<Params = CommandParams, Result = Accepted>,
{
    client.call::<M>(&params(session, command, blobs))
}

/// What a command sends: one new id, for as long as these are kept.
pub(crate) fn params(
    session: Option<&str>,
    command: &impl Serialize,
    blobs: Vec<Blob>,
) -> CommandParams {
    CommandParams {
        session: session.map(str::to_owned),
        command_id: new_command(),
        role: vosim_protocol::Role::Candidate,
        if_cursor: None,
        blobs,
        args: arguments(command),
    }
}

/// A command's own arguments, as `args` carries them.
pub(crate) fn arguments(command: &impl Serialize) -> Json {
    let mut json = serde_json::to_value(command).unwrap_or_default();
    json.get_mut("args").map(Json::take).unwrap_or_default()
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
