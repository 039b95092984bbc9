//! `review`: what to solve again, and when.

use vosim_protocol::v1::service::{Nothing, Review};

use crate::commands::Context;
use crate::errors::{Exit, Failure};
use crate::render::review as screens;

pub(crate) fn run(context: &Context) -> Result<Exit, Failure> {
    let result = context.client()?.call::<Review>(&Nothing {})?;
    result.problems.iter().try_for_each(|problem| context.output.json(problem))?;
    context.output.screen(|look| screens::review(&result, look))?;
    Ok(Exit::Done)
}
