//! `delete`: a session, or its code alone, is erased after a yes.

use vosim_protocol::v1::service::{self, DeleteParams, DeleteWhat, LogParams};
use vosim_protocol::{EventId, Role, SessionId};

use crate::cli;
use crate::client::Client;
use crate::commands::{Context, unconfirmed};
use crate::errors::{Exit, Failure, code, usage_error, user_error};

pub(crate) fn run(args: &cli::Delete, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    let (what, told) = match args.code {
        true => (DeleteWhat::Code, "the submitted code"),
        false => (DeleteWhat::Session, "the log, the submitted code and the export"),
    };
    let named = named(args, context)?;
    if !args.yes && (output.is_json() || !output.terminal.can_ask) {
        return Err(unconfirmed("deleting"));
    }
    if named.len() < PREFIX_MIN {
        let message =
            format!("to erase a session, name at least {PREFIX_MIN} characters of its id");
        return Err(user_error(code::USAGE, message).hint("See the ids with: vosimctl list"));
    }
    let mut client = context.client()?;
    // Nobody is asked about a session that is not there.
    let id = whole_id(&mut client, named)?;
    if !args.yes && !output.agrees(&format!("Erase {told} of session {id} for good?")) {
        output.note("Nothing was erased.");
        return Ok(Exit::Done);
    }
    let params = DeleteParams { session: id.to_string(), what };
    let done = client.call::<service::Delete>(&params)?;
    output.data(&done, |look| {
        let clock = look.clock(done.gone_by);
        let mut text = format!("Erased {told} of session {id}. ");
        text += &format!("The bytes will have left the disk by {clock}.\n");
        for number in &done.aside {
            text += &format!(
                "A copy may be in the store that was put aside as number {number}; erase it with: \
                 vosimctl quarantine erase {number}\n"
            );
        }
        text
    })?;
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

/// Fewest characters of an id that are enough to erase what it names: a slip at the keyboard must
/// not name a session.
const PREFIX_MIN: usize = 4;

/// What a prefix stands for, so that what is erased is what was looked up.
fn whole_id(client: &mut Client, named: &str) -> Result<SessionId, Failure> {
    let params = LogParams {
        session: Some(named.to_owned()),
        after: EventId(u64::MAX),
        role: Role::Candidate,
    };
    Ok(client.call::<service::Log>(&params)?.session_id)
}
