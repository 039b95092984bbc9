//! `problem show`, `problem discussion`, `problems` and `problems check`.

use std::path::Path;

use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::{
    Nothing, ProblemDiscuss, ProblemList, ProblemShow, ProblemShowParams, SessionParams,
};

use crate::commands::{Context, data_folder};
use crate::errors::{Exit, Failure, usage_error};
use crate::launch::Offline;
use crate::render::drill::file_note;
use crate::render::problem as screens;
use crate::starter::write;

pub(crate) fn show(
    problem: Option<&str>,
    starter: Option<&Path>,
    language: Language,
    context: &Context,
) -> Result<Exit, Failure> {
    let output = context.output;
    let params =
        ProblemShowParams { problem: problem.map(str::to_owned), session: context.session.clone() };
    let mut client = context.client()?;
    let card = client.call::<ProblemShow>(&params)?;
    let Some(path) = starter else {
        output.data(&card, |look| screens::card(&card, language, look))?;
        return Ok(Exit::Done);
    };
    let text = card.starters.get(&language).ok_or_else(|| {
        usage_error(format!("{} has no file to start from in {language}", card.title))
    })?;
    let starter = write(path, text, &data_folder(&mut client)?)?;
    output.screen(|look| file_note(Some(&starter), look))?;
    Ok(match starter {
        crate::starter::Starter::Taken { .. } => Exit::Fixable,
        crate::starter::Starter::Written(_) | crate::starter::Starter::Same(_) => Exit::Done,
    })
}

/// What is worth reading when the session is over.
pub(crate) fn discussion(context: &Context) -> Result<Exit, Failure> {
    let params = SessionParams { session: context.session.clone() };
    let read = context.client()?.call::<ProblemDiscuss>(&params)?;
    context.output.data(&read, |look| screens::discussion(&read, look))?;
    Ok(Exit::Done)
}

pub(crate) fn list(context: &Context) -> Result<Exit, Failure> {
    let result = context.client()?.call::<ProblemList>(&Nothing {})?;
    result.problems.iter().try_for_each(|problem| context.output.json(problem))?;
    context.output.screen(|look| screens::list(&result, look))?;
    Ok(Exit::Done)
}

/// An author's package is proved without a daemon.
pub(crate) fn check(dir: &Path, seeds: Option<u64>, context: &Context) -> Result<Exit, Failure> {
    let work = Offline::new(&["problems", "check"])?.path(dir)?.option("--seeds", seeds);
    work.flag("--json", context.output.is_json()).run()
}
