//! The commands of an interview: its own subcommands, and what the general ones mean in it.

mod ask;
mod end;
mod judge;
mod say;
mod sending;
mod start;

use crate::cli::Interview;
use crate::commands::Context;
use crate::errors::{Exit, Failure};

pub(crate) use ask::ask;
pub(crate) use end::end;
pub(crate) use judge::test;
pub(crate) use say::{done, say};
pub(crate) use sending::receipt;

pub(crate) fn run(command: &Interview, context: &Context) -> Result<Exit, Failure> {
    match command {
        Interview::Start(args) => start::start(args, context),
        Interview::Begin => start::begin(context),
        Interview::Watch(args) => start::watch(args, context),
        Interview::Unwatch => start::unwatch(context),
        Interview::Done => done(context),
        Interview::Say(args) => say(args, context),
        Interview::Ask(args) => ask(args, context),
    }
}
