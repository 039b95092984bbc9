//! `attach`: a session live, from any number of terminals, through restarts of the daemon.
//!
//! It ends with the session: nothing comes after that.

mod act;
mod lines;

use std::io::IsTerminal as _;

use vosim_protocol::v1::service::{View, ViewParams};
use vosim_protocol::{EventId, Role};

use crate::call;
use crate::cli;
use crate::commands::Context;
use crate::commands::following::{Followed, follow};
use crate::errors::{Exit, Failure};
use crate::kinds::with_kind;
use crate::tui::{self, Beginning};

/// The live screen of the context's session, for its candidate.
pub(crate) fn as_candidate(context: &Context) -> Result<Exit, Failure> {
    let after = EventId::ZERO;
    run(&cli::Attach { role: Role::Candidate, plain: false, after }, context)
}

pub(crate) fn run(args: &cli::Attach, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    client.catch_interrupts()?;
    let session = context.session.clone();
    let what = Followed { session, after: args.after, role: args.role, attached: true };
    if context.output.is_json() {
        return follow(&mut client, what, context.output);
    }
    let plain = args.plain || context.output.terminal.plain;
    if !plain && std::io::stdin().is_terminal() {
        let params = ViewParams { session: what.session.clone(), role: what.role };
        let result = client.call::<View>(&params)?;
        let sender = context.client()?.telling_waits(false);
        let client = client.telling_waits(false);
        let (session, kind) = (result.session_id, result.kind);
        let Followed { after, role, .. } = what;
        let beginning = Beginning { client, sender, session, result, after, role };
        // Nothing is kept open for a question that comes once, at the end.
        let report = || call::report(&mut context.client().ok()?.telling_waits(false), session);
        return with_kind!(kind, P => tui::run::<P>(beginning, &report, context.output));
    }
    lines::attach(&mut client, what, plain, context.output)
}
