//! `task history`, `show` and `stats` (002 10.2).

use vosim_protocol::Kind;
use vosim_protocol::v1::task::View;

use super::named::task;
use crate::client::Client;
use crate::commands::Context;
use crate::commands::sessions::pages;
use crate::errors::{Exit, Failure};
use crate::render::task as screens;
use crate::render::task::stats::Stats;

/// Every task as it stands, the newest first.
pub(super) fn tasks(client: &mut Client) -> Result<Vec<View>, Failure> {
    let heads = pages(client)?.sessions.into_iter().filter(|head| head.kind == Kind::Task);
    heads.map(|head| task(client, Some(head.session_id.to_string()))).collect()
}

pub(super) fn history(context: &Context) -> Result<Exit, Failure> {
    let tasks = tasks(&mut context.client()?)?;
    tasks.iter().try_for_each(|view| context.output.json(view))?;
    context.output.screen(|look| screens::history(&tasks, look))?;
    Ok(Exit::Done)
}

pub(super) fn show(context: &Context) -> Result<Exit, Failure> {
    let view = task(&mut context.client()?, context.session.clone())?;
    context.output.data(&view, |look| screens::standing(&view, look))?;
    Ok(Exit::Done)
}

pub(super) fn stats(context: &Context) -> Result<Exit, Failure> {
    let tasks = tasks(&mut context.client()?)?;
    let stats = Stats::of(&tasks);
    context.output.data(&stats, |look| screens::stats::screen(&stats, look))?;
    Ok(Exit::Done)
}
