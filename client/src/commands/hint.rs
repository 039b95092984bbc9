//! `hint` and `give-up`: the next hint; the reference solution only after a yes.

use std::time::Duration;

use vosim_protocol::v1::drill::Command;

use vosim_protocol::v1::hints::HintGiven;
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{ErrorCode, Role, SessionId};

use crate::any_view::AnyView;
use crate::cli::Confirm;
use crate::client::Client;
use crate::commands::call::{self, last_event, payload};
use crate::commands::session::named;
use crate::commands::{Context, interview, session};
use crate::errors::{Exit, Failure};
use crate::follow::{Happening, Stream, overdue, unjudged};
use crate::output::Output;
use crate::render::drill as screens;
use crate::render::text::sentence;

/// How long a hint's words may take.
const WORDS: Duration = Duration::from_secs(60);

pub(crate) fn hint(args: Confirm, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    match named(&mut client, context)? {
        AnyView::Drill(view) => {
            let command = |confirm| Command::Hint { confirm };
            ask(&mut client, view.session_id, command, args, context)
        }
        AnyView::Interview(view) => interview::hint(&mut client, &view, context),
    }
}

pub(crate) fn give_up(args: Confirm, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let view = session::drill(&mut client, context, "give-up")?;
    let command = |confirm| Command::GiveUp { confirm };
    ask(&mut client, view.session_id, command, args, context)
}

fn ask(
    client: &mut Client,
    session: SessionId,
    command: fn(bool) -> Command,
    args: Confirm,
    context: &Context,
) -> Result<Exit, Failure> {
    let output = context.output;
    let session = session.to_string();
    let send = |client: &mut Client, confirm| {
        call::command(client, Some(&session), &command(confirm), Vec::new())
    };
    let accepted = match send(client, args.confirm) {
        Err(failure) if failure.is(ErrorCode::ConfirmationRequired) => {
            if output.is_json() || !output.terminal.can_ask {
                return Err(failure);
            }
            output.note(&sentence(&failure.to_string()));
            if !output.agrees("Show the reference solution?") {
                output.note("Nothing was shown.");
                return Ok(Exit::Done);
            }
            send(client, true)?
        }
        answer => answer?,
    };
    for record in &accepted.events {
        if show(record, output)? {
            return Ok(Exit::Done);
        }
    }
    let after = last_event(&accepted);
    let stream = Stream::open(client, accepted.session_id, after, Role::Candidate)?;
    wait_for_hint(stream, output)
}

fn wait_for_hint(mut stream: Stream<'_>, output: Output) -> Result<Exit, Failure> {
    loop {
        match stream.next(WORDS)? {
            Happening::Event(record) if show(&record, output)? => return Ok(Exit::Done),
            Happening::Event(record) if record.event_type == "SESSION_ENDED" => {
                return Err(unjudged("the session was ended from another terminal"));
            }
            Happening::Nothing => return Err(overdue("the hint", WORDS)),
            Happening::Reconnecting => {
                output.note("The connection to vosimd was lost; reconnecting ...");
            }
            Happening::Event(_)
            | Happening::Progress(_)
            | Happening::Presence(_)
            | Happening::Typed
            | Happening::Reconnected
            | Happening::OtherStore => {}
        }
    }
}

/// Prints an event; true when it is the hint.
fn show(record: &ToldRecord, output: Output) -> Result<bool, Failure> {
    output.json(record)?;
    match payload::<HintGiven>(record, "HINT_GIVEN")? {
        Some(given) => output.screen(|look| screens::hint(&given, look)).map(|()| true),
        None => Ok(false),
    }
}
