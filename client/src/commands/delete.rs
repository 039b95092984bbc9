//! `delete`: a session, or its code alone, is erased after a yes.

use vosim_protocol::v1::service::{self, DeleteParams, DeleteWhat};

use crate::cli;
use crate::commands::Context;
use crate::errors::{Exit, Failure, Fault};

pub(crate) fn run(args: &cli::Delete, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    let (what, told) = match args.code {
        true => (DeleteWhat::Code, "the submitted code"),
        false => (DeleteWhat::Session, "the log, the submitted code and the export"),
    };
    if !args.yes {
        if output.is_json() || !output.terminal.can_ask {
            return Err(Fault::Unconfirmed { what: "delete", flag: "--yes" }.into());
        }
        let question = format!("Erase {told} of session {} for good?", args.id);
        if !output.agrees(&question) {
            output.note("Nothing was erased.");
            return Ok(Exit::Done);
        }
    }
    let params = DeleteParams { session: args.id.clone(), what };
    let done = context.client()?.call::<service::Delete>(&params)?;
    output.data(&done, |_| format!("Erased {told} of session {}.\n", args.id))?;
    Ok(Exit::Done)
}
