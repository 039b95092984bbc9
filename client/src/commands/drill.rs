//! The drill's commands as methods of the wire, and what several subcommands ask about it.

use serde::Serialize;
use vosim_protocol::v1::drill::Command;
use vosim_protocol::v1::service::{
    Accepted, CommandParams, Method, ProblemCard, ProblemShow, ProblemShowParams,
};
use vosim_protocol::{Blob, EventId, EventRecord, Json, Role, SessionId};

use crate::client::{Client, new_command};
use crate::errors::{Failure, Fault};

/// Judges a file.
#[derive(Debug)]
pub(crate) enum Submit {}
/// Asks for a hint.
#[derive(Debug)]
pub(crate) enum Hint {}
/// Asks for the reference solution.
#[derive(Debug)]
pub(crate) enum GiveUp {}
/// Ends the session.
#[derive(Debug)]
pub(crate) enum End {}

macro_rules! commands {
    ($($name:ident = $word:literal;)*) => {
        $(impl Method for $name {
            const NAME: &'static str = $word;
            type Params = CommandParams;
            type Result = Accepted;
        })*
    };
}

commands! {
    Submit = "drill.submit";
    Hint = "drill.hint";
    GiveUp = "drill.give_up";
    End = "drill.end";
}

/// Sends a command under one new id, which is kept however often it must be sent.
pub(crate) fn command<M>(
    client: &mut Client,
    session: Option<&str>,
    command: &Command,
    blobs: Vec<Blob>,
) -> Result<Accepted, Failure>
where
    M: Method<Params = CommandParams, Result = Accepted>,
{
    let params = CommandParams {
        session: session.map(str::to_owned),
        command_id: new_command(),
        role: Role::Candidate,
        if_cursor: None,
        blobs,
        args: arguments(command),
    };
    client.call::<M>(&params)
}

/// A command's own arguments, as `args` carries them.
fn arguments(command: &impl Serialize) -> Json {
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
    let garbled = |error: serde_json::Error| Fault::Garbled {
        method: "session.log",
        reason: error.to_string(),
    };
    Ok(Some(serde_json::from_value(record.payload.clone()).map_err(garbled)?))
}

/// The problem of a session.
pub(crate) fn problem_of(client: &mut Client, session: SessionId) -> Result<ProblemCard, Failure> {
    let session = Some(session.to_string());
    client.call::<ProblemShow>(&ProblemShowParams { problem: None, session })
}

#[cfg(test)]
mod tests {
    use vosim_protocol::Wire as _;

    use super::*;

    #[test]
    fn methods_are_named_as_the_commands_are_spelled() {
        let named = |command: &Command| command.to_json()["command"].as_str().unwrap().to_owned();
        assert_eq!(GiveUp::NAME, format!("drill.{}", named(&Command::GiveUp { confirm: true })));
        assert_eq!(Hint::NAME, format!("drill.{}", named(&Command::Hint { confirm: true })));
        assert_eq!(End::NAME, format!("drill.{}", named(&Command::End {})));
        let args = arguments(&Command::GiveUp { confirm: true });
        assert_eq!(args, serde_json::json!({ "confirm": true }));
    }
}
