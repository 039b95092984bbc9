//! `delete`: a session, or its code alone, is erased after a yes.

use std::path::Path;

use vosim_protocol::v1::service::{self, DeleteParams, DeleteWhat, LogParams};
use vosim_protocol::{EventId, Role, SessionId};

use crate::cli;
use crate::client::Client;
use crate::commands::export::saved_at;
use crate::commands::{Context, unconfirmed};
use crate::errors::{Exit, Failure, usage_error};
use crate::files::unwritable;

pub(crate) fn run(args: &cli::Delete, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    let (what, told) = match args.code {
        true => (DeleteWhat::Code, "the submitted code"),
        false => (DeleteWhat::Session, "the log, the submitted code and the export"),
    };
    if !args.yes && (output.is_json() || !output.terminal.can_ask) {
        return Err(unconfirmed("delete"));
    }
    let mut client = context.client()?;
    // Nobody is asked about a session that is not there.
    let id = whole_id(&mut client, named(args, context)?)?;
    if !args.yes && !output.agrees(&format!("Erase {told} of session {id} for good?")) {
        output.note("Nothing was erased.");
        return Ok(Exit::Done);
    }
    let saved = saved_at(&mut client, id)?;
    let params = DeleteParams { session: id.to_string(), what };
    let done = client.call::<service::Delete>(&params)?;
    if what == DeleteWhat::Session {
        remove(&saved)?;
    }
    output.data(&done, |_| format!("Erased {told} of session {id}.\n"))?;
    Ok(Exit::Done)
}

/// A session is erased only by its name, never because it is the current one.
fn named<'a>(args: &'a cli::Delete, context: &'a Context) -> Result<&'a str, Failure> {
    match (&args.id, &context.session) {
        (Some(id), None) | (None, Some(id)) => Ok(id),
        (Some(_), Some(_)) => Err(usage_error("the session was named twice")),
        (None, None) => Err(usage_error("name the session to erase")),
    }
}

/// What a prefix stands for, so that what is erased is what was looked up.
fn whole_id(client: &mut Client, named: &str) -> Result<SessionId, Failure> {
    let params = LogParams {
        session: Some(named.to_owned()),
        after: EventId(u64::MAX),
        role: Role::Candidate,
    };
    Ok(client.call::<service::Log>(&params)?.session_id)
}

/// The file that `end` wrote; most sessions have none.
fn remove(saved: &Path) -> Result<(), Failure> {
    match std::fs::remove_file(saved) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(unwritable(saved, &error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
