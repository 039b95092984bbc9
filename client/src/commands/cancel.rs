//! `cancel`: what is being judged, tried or measured is called off.

use vosim_protocol::v1::service::{Cancel, SessionParams};

use crate::commands::Context;
use crate::errors::{Exit, Failure};

pub(crate) fn run(context: &Context) -> Result<Exit, Failure> {
    let params = SessionParams { session: context.session.clone() };
    let cancelled = context.client()?.call::<Cancel>(&params)?;
    context.output.data(&cancelled, |_| match cancelled.runs {
        0 => "Nothing is being judged.\n".to_owned(),
        _ => "Cancelled; it counts for nothing.\n".to_owned(),
    })?;
    Ok(Exit::Done)
}
