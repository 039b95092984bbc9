//! `say` and `done`: the candidate's side of the conversation. In a drill, too, something is asked after a pass.

use vosim_protocol::Kind;
use vosim_protocol::v1::commands::Commands as _;
use vosim_protocol::v1::interview::Command;
use vosim_protocol::v1::service::DoParams;

use crate::call::named;
use crate::cli;
use crate::commands::Context;
use crate::commands::interview::sending::{consequences, give, receipt, text_of, without_session};
use crate::commands::interview::start::show_section;
use crate::commands::settle;
use crate::errors::{Exit, Failure};
use crate::render::drill;

pub(crate) fn say(args: &cli::Say, context: &Context) -> Result<Exit, Failure> {
    let say = Command::Say { text: text_of(&args.text)?, section: args.section.clone() };
    let output = context.output;
    let mut client = context.client()?;
    // A message has the same argument in every kind that takes one.
    let params = named(context.session.as_deref(), None, say.name());
    let given = settle::give(&mut client, DoParams { args: say.args(), ..params });
    let given = given.map_err(without_session)?;
    receipt("Your message", &given.accepted, output)?;
    consequences(&given.accepted, output)?;
    if given.accepted.kind == Kind::Drill {
        let asked = given.accepted.events.iter().any(|it| it.event_type == "VARIATION_ASKED");
        return output.screen(|look| drill::answered(asked, look)).map(|()| Exit::Done);
    }
    show_section(&mut client, &given, output)?;
    Ok(Exit::Done)
}

pub(crate) fn done(context: &Context) -> Result<Exit, Failure> {
    moves_on("Your 'done'", &Command::Done { section: None }, context)
}

fn moves_on(what: &str, command: &Command, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    let mut client = context.client()?;
    let given = give(&mut client, command, Vec::new(), context)?;
    receipt(what, &given.accepted, output)?;
    consequences(&given.accepted, output)?;
    show_section(&mut client, &given, output)?;
    Ok(Exit::Done)
}
