//! `why` and `verify`: what the daemon says about a log.

use std::time::Duration;

use vosim_protocol::v1::service::{SessionParams, Verify, Why, WhyParams};

use crate::cli;
use crate::commands::Context;
use crate::errors::{Exit, Failure};
use crate::files::Input;
use crate::launch::Offline;
use crate::render::reports as screens;

/// Long logs take a while to be computed anew.
pub(super) const REPLAY: Duration = Duration::from_secs(300);

pub(crate) fn why(args: &cli::Why, context: &Context) -> Result<Exit, Failure> {
    let params =
        WhyParams { session: context.session.clone(), event_id: args.event, role: args.role };
    let explanation = context.client()?.call::<Why>(&params)?;
    context.output.data(&explanation, |look| screens::why(&explanation, look))?;
    Ok(Exit::Done)
}

/// A file is checked without a daemon, by the program that knows how.
pub(crate) fn verify(args: &cli::Verify, context: &Context) -> Result<Exit, Failure> {
    if let Some(file) = &args.file {
        let file = Input::named(file)?;
        let work = Offline::new(&["verify"])?.path(file.path())?;
        return work.flag("--json", context.output.is_json()).run();
    }
    let params = SessionParams { session: context.session.clone() };
    let result = context.client()?.call_for::<Verify>(&params, REPLAY, |_| {})?;
    context.output.data(&result, |look| screens::verify(&result, look))?;
    Ok(if result.broken.is_none() { Exit::Done } else { Exit::Fixable })
}
