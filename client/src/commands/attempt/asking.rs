//! Giving a command of an attempt and telling what it leads to.

use std::time::Duration;

use vosim_protocol::v1::attempt::{Command, View};
use vosim_protocol::v1::telling::{Channel, ToldRecord};
use vosim_protocol::{Json, Role};

use crate::any_view::AnyView;
use crate::call::params;
use crate::commands::settle::{Awaited, give};
use crate::commands::{Context, session};
use crate::errors::{Exit, Failure, usage_error};
use crate::render::attempt as screens;
use crate::render::telling::sentence;

/// How long nothing at all may be heard: some steps are answered by runs of many programs.
const ANSWER: Awaited = Awaited { what: "the answer", patience: Duration::from_secs(120) };

/// Gives a command and tells what it leads to.
pub(super) fn ask(command: &Command, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    let mut client = context.client()?;
    let given = give(&mut client, params(context.session.as_deref(), command, Vec::new()))?;
    client.catch_interrupts()?;
    given.accepted.events.iter().try_for_each(|record| output.json(record))?;
    let tell = |record: &ToldRecord| match is_own(record) {
        true => Ok(()),
        false => output.screen(|look| sentence(record, Role::Candidate, look)),
    };
    given.accepted.events.iter().try_for_each(tell)?;
    if let Command::Note { .. } = command {
        output.screen(screens::notes_kept)?;
    }
    let session = given.accepted.session_id;
    let seen = given.accepted.cursor;
    let settled: Option<Json> = given.settled(&mut client, ANSWER, output, |record| {
        if record.event_id > seen { tell(record) } else { Ok(()) }
    })?;
    let refused = settled.as_ref().is_some_and(|result| is_refused(command, result));
    if settled.is_some() {
        let view = view(context, Some(session.to_string()))?;
        output.screen(|look| screens::next_step(&view, look))?;
    }
    Ok(if refused { Exit::Fixable } else { Exit::Done })
}

/// Whether a run of calls was not taken: the reference disagrees with it, or it could not be run.
fn is_refused(command: &Command, result: &Json) -> bool {
    if let Command::CaseAdd { .. } = command {
        result.get("number").is_none()
    } else if let Command::Challenge { .. } = command {
        result.get("not_run").is_some() || result["holds"] == false
    } else {
        false
    }
}

/// What somebody has just written need not be told.
fn is_own(record: &ToldRecord) -> bool {
    record.telling.as_ref().is_some_and(|telling| telling.channel == Channel::Candidate)
}

/// The attempt that is meant, as it is now.
pub(super) fn view(context: &Context, session: Option<String>) -> Result<Box<View>, Failure> {
    let mut client = context.client()?;
    match session::find(&mut client, session, Role::Candidate)? {
        AnyView::Attempt(view) => Ok(view),
        AnyView::Drill(_) | AnyView::Interview(_) | AnyView::Task(_) => {
            Err(usage_error("the session is no attempt".to_owned())
                .hint("Start one with: vosimctl attempt start"))
        }
    }
}
