//! `progress`: sessions over time, as text, as data, or as a page for a browser.

use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::service::{self, SessionParams};

use crate::cli;
use crate::client::Client;
use crate::commands::report::put;
use crate::commands::sessions::pages;
use crate::commands::{Context, data_folder};
use crate::errors::{Exit, Failure};
use crate::render::over_time as screens;

/// Most sessions that are looked at: the newest.
const SESSIONS_MAX: usize = 200;

pub(crate) fn run(args: &cli::PageFile, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    if let Some(path) = args.html.as_deref() {
        let data = data_folder(&mut client)?;
        put(path, args.force, (&data, context), || {
            let (reports, omitted) = reports(&mut client, context)?;
            Ok(screens::html::page(&reports, omitted, context.output.look()))
        })?;
        return Ok(Exit::Done);
    }
    let (reports, omitted) = reports(&mut client, context)?;
    reports.iter().try_for_each(|report| context.output.json(report))?;
    context.output.screen(|look| screens::over_time(&reports, omitted, look))?;
    Ok(Exit::Done)
}

/// What each session teaches, oldest first, and how many older ones there are.
fn reports(client: &mut Client, context: &Context) -> Result<(Vec<Report>, usize), Failure> {
    let heads = pages(client)?.sessions;
    let ended: Vec<_> = heads.into_iter().filter(|head| head.finished.is_some()).collect();
    let omitted = ended.len().saturating_sub(SESSIONS_MAX);
    let mut reports = Vec::new();
    let shown = ended.len() - omitted;
    for (number, head) in (1..).zip(ended.iter().take(SESSIONS_MAX).rev()) {
        context.output.progress(&format!("{number}/{shown} sessions"));
        let params = SessionParams { session: Some(head.session_id.to_string()) };
        let report = client.call::<service::Report>(&params);
        if report.is_err() {
            context.output.progress_done();
        }
        reports.push(report?);
    }
    context.output.progress_done();
    Ok((reports, omitted))
}
