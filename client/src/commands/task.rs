//! The commands of a task (002 8, 10).

mod answer;
mod diff;
mod more;
mod named;
mod recording;
mod reports;
mod run;
mod watch;
mod workspace;

use vosim_protocol::EventId;
use vosim_protocol::v1::task::{Command, TaskClosed};

use crate::call::command;
use crate::cli::{Task, TaskResume};
use crate::commands::Context;
use crate::errors::{Exit, Failure};
use crate::render::task as screens;

use named::{before, caps, run_caps, task};

pub(crate) use answer::approvals;

pub(crate) fn run(task: &Task, context: &Context) -> Result<Exit, Failure> {
    match task {
        Task::Run(args) => run::run(args, context),
        Task::Resume(args) => resume(args, context),
        Task::Pause { now } => pause(*now, context),
        Task::History => reports::history(context),
        Task::Show => reports::show(context),
        Task::Stats => reports::stats(context),
        Task::Diff => diff::run(context),
        Task::Recording => recording::run(context),
        Task::Approve { always } => answer::approve(*always, context),
        Task::Deny => answer::deny(context),
        Task::Rewind { event } => rewind(*event, context),
        Task::End => end(context),
    }
}

/// 002 8.4.
fn resume(args: &TaskResume, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let view = task(&mut client, context.session.clone())?;
    let session = view.session_id.to_string();
    let (caps, run) = (caps(args.caps), run_caps(args.run));
    let resume = Command::Resume { hint: args.hint.clone(), caps, run };
    let accepted = command(&mut client, Some(&session), &resume, Vec::new())?;
    context.output.json(&accepted)?;
    let after = before(&accepted);
    if args.detach {
        context.output.screen(|look| screens::resumed(&view, look))?;
        return Ok(Exit::Done);
    }
    watch::follow(&mut client, view.session_id, after, context)
}

fn pause(now: bool, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let view = task(&mut client, context.session.clone())?;
    let session = view.session_id.to_string();
    let accepted = command(&mut client, Some(&session), &Command::Pause { now }, Vec::new())?;
    context.output.data(&accepted, |look| screens::pausing(&view, now, look))?;
    Ok(Exit::Done)
}

fn rewind(event: u64, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let view = task(&mut client, context.session.clone())?;
    let session = view.session_id.to_string();
    let rewind = Command::Rewind { to: EventId(event) };
    let accepted = command(&mut client, Some(&session), &rewind, Vec::new())?;
    context.output.json(&accepted)?;
    let after = before(&accepted);
    watch::follow(&mut client, view.session_id, after, context)
}

/// Gives a task up.
pub(crate) fn end(context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let view = task(&mut client, context.session.clone())?;
    let session = view.session_id.to_string();
    command(&mut client, Some(&session), &Command::End {}, Vec::new())?;
    let closed = TaskClosed { iterations: screens::rounds(&view) };
    context.output.data(&closed, |look| screens::closed(&view, look))?;
    Ok(Exit::Done)
}
