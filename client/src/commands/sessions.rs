//! `list` and `use`: the sessions there are, and which one is current.

use std::collections::BTreeSet;

use vosim_protocol::v1::service::{List, ListParams, ListResult, SessionParams, Use};

use crate::cli::Named;
use crate::client::Client;
use crate::commands::Context;
use crate::errors::{Exit, Failure};
use crate::render::sessions as screens;

pub(crate) fn list(context: &Context) -> Result<Exit, Failure> {
    let result = pages(&mut context.client()?)?;
    result.sessions.iter().try_for_each(|head| context.output.json(head))?;
    context.output.screen(|look| screens::list(&result, look))?;
    Ok(Exit::Done)
}

/// Asks page by page until all are there. A session that begins meanwhile moves the pages on by
/// one, so what comes a second time is left out.
pub(crate) fn pages(client: &mut Client) -> Result<ListResult, Failure> {
    let mut all = ListResult { sessions: Vec::new(), current: None, total: 0 };
    let (mut seen, mut skip) = (BTreeSet::new(), 0);
    loop {
        let page = client.call::<List>(&ListParams { skip })?;
        skip += page.sessions.len() as u64;
        (all.current, all.total) = (page.current, page.total);
        let nothing_came = page.sessions.is_empty();
        all.sessions.extend(page.sessions.into_iter().filter(|head| seen.insert(head.session_id)));
        if nothing_came || skip >= page.total {
            return Ok(all);
        }
    }
}

pub(crate) fn make_current(args: &Named, context: &Context) -> Result<Exit, Failure> {
    let params = SessionParams { session: Some(args.session.clone()) };
    let head = context.client()?.call::<Use>(&params)?;
    let current = Some(head.session_id);
    let result = ListResult { sessions: vec![head], current, total: 1 };
    context.output.data(&result.sessions[0], |look| screens::list(&result, look))?;
    Ok(Exit::Done)
}
