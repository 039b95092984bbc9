//! `why` and `verify`: what the daemon says about a log.

use std::time::Duration;

use vosim_protocol::v1::service::{SessionParams, Verify, Why, WhyParams};
use vosim_protocol::v1::session::Explanation;
use vosim_protocol::{EventId, Role};

use crate::cli;
use crate::client::Client;
use crate::commands::Context;
use crate::errors::{Exit, Failure, code, user_error};
use crate::files::Input;
use crate::launch::Offline;
use crate::log::whole;
use crate::render::reports as screens;

/// Long logs take a while to be computed anew.
pub(super) const REPLAY: Duration = Duration::from_secs(300);

pub(crate) fn why(args: &cli::Why, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let explanation = match args.event {
        Some(event) => explained(&mut client, context.session.clone(), event, args.role)?,
        None => last_decision(&mut client, context.session.clone(), args.role)?,
    };
    context.output.data(&explanation, |look| screens::why(&explanation, look))?;
    if args.event.is_none() {
        context.output.screen(|_| OTHERS.to_owned())?;
    }
    Ok(Exit::Done)
}

/// Where the numbers of other events are.
const OTHERS: &str = "\nOther events have their numbers in: vosimctl log\n";

/// Most events among which the last decision is looked for.
const LOOKED_AT_MAX: usize = 30;

fn explained(
    client: &mut Client,
    session: Option<String>,
    event_id: EventId,
    role: Role,
) -> Result<Explanation, Failure> {
    client.call::<Why>(&WhyParams { session, event_id, role })
}

/// The last event at which there was something to choose, else the last one.
fn last_decision(
    client: &mut Client,
    session: Option<String>,
    role: Role,
) -> Result<Explanation, Failure> {
    let (session, records) = whole(client, session, role)?;
    let mut last = None;
    for record in records.iter().rev().take(LOOKED_AT_MAX) {
        let why = explained(client, Some(session.to_string()), record.event_id, role)?;
        if !why.not_taken.is_empty() {
            return Ok(why);
        }
        last.get_or_insert(why);
    }
    last.ok_or_else(|| user_error(code::USAGE, "nothing has happened in the session yet"))
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
