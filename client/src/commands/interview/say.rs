//! `say` and `done`: the candidate's side of the conversation.

use vosim_protocol::v1::interview::Command;

use crate::cli;
use crate::commands::Context;
use crate::commands::interview::sending::{consequences, give, receipt, text_of};
use crate::commands::interview::start::show_section;
use crate::errors::{Exit, Failure};

pub(crate) fn say(args: &cli::Say, context: &Context) -> Result<Exit, Failure> {
    let say = Command::Say { text: text_of(&args.text)?, section: args.section.clone() };
    moves_on("Your message", &say, context)
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
