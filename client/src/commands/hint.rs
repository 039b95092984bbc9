//! `hint` and `give-up`: the next hint; the reference solution only after a yes.

use std::time::Duration;

use serde_json::json;
use vosim_protocol::v1::hints::HintAnswer;
use vosim_protocol::v1::service::DoParams;
use vosim_protocol::{ErrorCode, Json, Kind};

use crate::call::named;
use crate::cli::{Confirm, Hint};
use crate::client::Client;
use crate::commands::Context;
use crate::commands::interview::receipt;
use crate::commands::settle::{Awaited, Given, ended_before, give};
use crate::errors::{Exit, Failure, user_error};
use crate::render::drill as screens;
use crate::render::text::sentence;

const HINT: Awaited = Awaited { what: "the hint", patience: Duration::from_secs(60) };

/// In a session of any kind that gives hints.
pub(crate) fn hint(args: Hint, context: &Context) -> Result<Exit, Failure> {
    let Hint { yes, level } = args;
    let asked = match (yes, level) {
        (false, None) => Json::Null,
        (_, None) => json!({ "confirm": yes }),
        (_, Some(level)) => json!({ "confirm": yes, "level": level }),
    };
    let chosen = !asked.is_null();
    let params = named(context.session.as_deref(), None, "hint");
    let shown = ask(DoParams { args: asked, ..params }, Confirm { yes }, context);
    // Only a drill's hints take arguments.
    shown.map_err(|failure| match chosen && failure.is(ErrorCode::InvalidParams) {
        true => user_error(
            ErrorCode::InvalidInput,
            "only a drill has levels to choose and a reference solution to agree to",
        )
        .hint("Ask for the next hint with: vosimctl hint"),
        false => failure,
    })
}

pub(crate) fn give_up(args: Confirm, context: &Context) -> Result<Exit, Failure> {
    ask(named(context.session.as_deref(), Some(Kind::Drill), "give_up"), args, context)
}

fn ask(params: DoParams, args: Confirm, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    let mut client = context.client()?;
    let Some(given) = agreed(&mut client, &params, args, context)? else { return Ok(Exit::Done) };
    client.catch_interrupts()?;
    receipt("Your hint request", &given.accepted, output)?;
    let hint: Option<HintAnswer> = given.settled(&mut client, HINT, output, |_| Ok(()))?;
    let hint = hint.ok_or_else(|| ended_before(HINT.what))?;
    output.screen(|look| screens::hint(&hint.given, hint.above.as_ref(), look))?;
    Ok(Exit::Done)
}

/// Gives the command, with the yes that it may need; none where nobody says yes.
fn agreed(
    client: &mut Client,
    params: &DoParams,
    args: Confirm,
    context: &Context,
) -> Result<Option<Given>, Failure> {
    let output = context.output;
    let failure = match give(client, params.clone()) {
        Err(failure) if failure.is(ErrorCode::ConfirmationRequired) => failure,
        answer => return answer.map(Some),
    };
    if !args.yes {
        if output.is_json() || !output.terminal.can_ask {
            return Err(failure);
        }
        output.note(&sentence(&failure.to_string()));
        if !output.agrees("Show the reference solution?") {
            output.note("Nothing was shown.");
            return Ok(None);
        }
    }
    let mut args = params.args.clone();
    match args.as_object_mut() {
        Some(fields) => drop(fields.insert("confirm".to_owned(), Json::from(true))),
        None => args = json!({ "confirm": true }),
    }
    give(client, DoParams { args, ..params.clone() }).map(Some)
}
