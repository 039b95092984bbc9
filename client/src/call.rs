//! Commands of a session, and what their answers hold.

use vosim_protocol::v1::commands::Commands;
use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::service::{
    self, Accepted, BlobGet, BlobGetParams, Do, DoParams, ProblemCard, ProblemShow,
    ProblemShowParams, SessionParams,
};
use vosim_protocol::{Blob, EventRecord, Hash, Json, Kind, Role, SessionId};

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

/// What a command sends that takes no arguments, or the same ones in every kind that has it; in a
/// session of a kind that is not named the daemon says whether it has the command.
pub(crate) fn named(session: Option<&str>, kind: Option<Kind>, command: &str) -> DoParams {
    DoParams {
        session: session.map(str::to_owned),
        kind,
        command: command.to_owned(),
        command_id: new_command(),
        role: Role::Candidate,
        args: Json::Null,
        blobs: Vec::new(),
        if_cursor: None,
        follow: false,
    }
}

/// The bytes of a session that are named by their hash, in as many parts as they need.
pub(crate) fn blob(client: &mut Client, session: &str, hash: Hash) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    loop {
        let part = client.call::<BlobGet>(&BlobGetParams {
            session: Some(session.to_owned()),
            hash,
            offset: bytes.len() as u64,
            role: Role::Candidate,
        })?;
        let came = part.part.0.len();
        bytes.extend(part.part.0);
        if bytes.len() as u64 >= part.bytes || came == 0 {
            return Ok(bytes);
        }
    }
}

/// The same as a text.
pub(crate) fn blob_text(client: &mut Client, session: &str, hash: Hash) -> Result<String, Failure> {
    Ok(String::from_utf8_lossy(&blob(client, session, hash)?).into_owned())
}

/// What an ended session teaches; None where it cannot be had, and the screen does without.
pub(crate) fn report(client: &mut Client, session: SessionId) -> Option<Report> {
    let params = SessionParams { session: Some(session.to_string()) };
    client.call::<service::Report>(&params).ok()
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
        .map_err(|error| Failure::misread("session.log", &error))
}

/// The problem of a session.
pub(crate) fn problem_of(client: &mut Client, session: SessionId) -> Result<ProblemCard, Failure> {
    problem(client, Some(session.to_string()))
}

/// The problem of a session; without a name, of the current one.
pub(crate) fn problem(
    client: &mut Client,
    session: Option<String>,
) -> Result<ProblemCard, Failure> {
    client.call::<ProblemShow>(&ProblemShowParams { problem: None, session })
}
