//! `result`: what `submit` and `hint` have shown, a second time, from the session's log.
//!
//! It judges nothing and asks for no hint.

use vosim_protocol::Role;
use vosim_protocol::v1::hints::HintGiven;
use vosim_protocol::v1::telling::ToldRecord;

use crate::call::{payload, problem_of};
use crate::cli;
use crate::commands::Context;
use crate::errors::{Exit, Failure};
use crate::judged::Judged;
use crate::log::whole;
use crate::output::Output;
use crate::render::drill as screens;

pub(crate) fn run(args: cli::Shown, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let (session, records) = whole(&mut client, context.session.clone(), Role::Candidate)?;
    if args.hints {
        return hints(&records, context.output);
    }
    let judged = Judged::find(&records, args.submission)?;
    let card = problem_of(&mut client, session)?;
    judged.records.iter().try_for_each(|record| context.output.json(record))?;
    let screen = judged.screen(card);
    context.output.screen(|look| screen.draw(look))?;
    Ok(Exit::Done)
}

fn hints(records: &[ToldRecord], output: Output) -> Result<Exit, Failure> {
    let mut given = Vec::new();
    for record in records {
        if let Some(hint) = payload::<HintGiven>(record, "HINT_GIVEN")? {
            output.json(record)?;
            given.push(hint);
        }
    }
    output.screen(|look| match given.is_empty() {
        true => "No hint has been given.\n".to_owned(),
        false => {
            given.iter().map(|hint| screens::hint(hint, None, look)).collect::<Vec<_>>().join("\n")
        }
    })?;
    Ok(Exit::Done)
}
