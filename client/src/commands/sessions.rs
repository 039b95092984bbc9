//! `list` and `use`: the sessions there are, and which one is current.

use vosim_protocol::v1::service::{List, ListResult, Nothing, SessionParams, Use};

use crate::cli::Named;
use crate::commands::Context;
use crate::errors::{Exit, Failure};
use crate::render::sessions as screens;

pub(crate) fn list(context: &Context) -> Result<Exit, Failure> {
    let result = context.client()?.call::<List>(&Nothing {})?;
    result.sessions.iter().try_for_each(|head| context.output.json(head))?;
    context.output.screen(|look| screens::list(&result, look))?;
    Ok(Exit::Done)
}

pub(crate) fn make_current(args: &Named, context: &Context) -> Result<Exit, Failure> {
    let params = SessionParams { session: Some(args.session.clone()) };
    let head = context.client()?.call::<Use>(&params)?;
    let current = Some(head.session_id);
    let result = ListResult { sessions: vec![head], current };
    context.output.data(&result.sessions[0], |look| screens::list(&result, look))?;
    Ok(Exit::Done)
}
