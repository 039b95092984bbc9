//! `end`: the session ends, its log is written in the form of 000, the summary is shown.

use vosim_protocol::v1::drill::{Command, SessionEnded, View};
use vosim_protocol::v1::service::{self, Export, ExportForm, ExportParams, ViewParams};
use vosim_protocol::{Role, SessionId, Wire as _};

use crate::any_view::AnyView;
use crate::call::{command, payload};
use crate::cli;
use crate::client::Client;
use crate::commands::session::named;
use crate::commands::{Context, attempt, interview, task};
use crate::errors::{Exit, Failure};
use crate::render::drill as screens;

pub(crate) fn run(args: cli::End, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    match named(&mut client, context)? {
        AnyView::Drill(view) => of_drill(&mut client, view.session_id, context),
        AnyView::Interview(view) => interview::end(&mut client, &view, args.yes, context),
        AnyView::Attempt(_) => attempt::end(context),
        AnyView::Task(_) => task::end(context),
    }
}

fn of_drill(client: &mut Client, id: SessionId, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    let session = id.to_string();
    let accepted = command(client, Some(&session), &Command::End {}, Vec::new())?;
    accepted.events.iter().try_for_each(|record| output.json(record))?;
    // The session has ended, whatever becomes of its export.
    let form = Some(ExportForm::Jsonl);
    let log = client.call::<Export>(&ExportParams { session: Some(session), form });
    if let Err(failure) = &log {
        output.note(&format!("The log could not be written to a file: {failure}"));
    }
    let params = ViewParams { session: Some(id.to_string()), role: Role::Candidate };
    let result = client.call::<service::View>(&params)?;
    let view =
        View::from_json(result.view).map_err(|error| Failure::misread("session.view", &error))?;
    let mut ended = view.ended.clone();
    for record in &accepted.events {
        ended = payload::<SessionEnded>(record, "SESSION_ENDED")?.or(ended);
    }
    let ended = ended.ok_or_else(|| Failure::garbled("session.view", "the session has no end"))?;
    let log = log.as_ref().ok().map(|written| written.path.as_str());
    output.screen(|look| screens::summary(&view, &ended, log, look))?;
    Ok(Exit::Done)
}
