//! `problem show`, `problem discussion`, and `problems` with what is done with packages of people's own.

use std::path::Path;

use serde_json::json;
use vosim_protocol::ProblemId;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::{
    Nothing, PackageParams, ProblemAdd, ProblemDiscuss, ProblemList, ProblemRemove, ProblemShow,
    ProblemShowParams, RemoveParams, SessionParams,
};

use crate::cli::PackageForm;
use crate::commands::{Context, absolute, data_folder, package, unconfirmed};
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
        ProblemShowParams { problem: package::named(problem)?, session: context.session.clone() };
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
pub(crate) fn discussion(hints: bool, tests: bool, context: &Context) -> Result<Exit, Failure> {
    let params = SessionParams { session: context.session.clone() };
    let read = context.client()?.call::<ProblemDiscuss>(&params)?;
    context.output.data(&read, |look| match (hints, tests) {
        (true, _) => screens::hints(&read, look),
        (false, true) => screens::tests(&read, look),
        (false, false) => screens::discussion(&read, look),
    })?;
    Ok(Exit::Done)
}

pub(crate) fn list(context: &Context) -> Result<Exit, Failure> {
    let result = context.client()?.call::<ProblemList>(&Nothing {})?;
    result.problems.iter().try_for_each(|problem| context.output.json(problem))?;
    context.output.screen(|look| screens::list(&result, look))?;
    Ok(Exit::Done)
}

/// A package to begin with is written by the program that knows the format.
pub(crate) fn new(dir: &Path, form: PackageForm, context: &Context) -> Result<Exit, Failure> {
    let work = Offline::new(&["problems", "new"])?.option("--form", Some(form));
    let id = work.file(dir).said()?;
    let written = json!({ "id": id, "folder": dir.display().to_string() });
    context.output.data(&written, |_| screens::written(dir))?;
    Ok(Exit::Done)
}

/// Keeps a proved package among the problems.
pub(crate) fn add(dir: &Path, context: &Context) -> Result<Exit, Failure> {
    let package = absolute(dir)?;
    let mut client = context.client()?;
    package::prove(&mut client, &package, context.output)?;
    let added = client.call::<ProblemAdd>(&PackageParams { package })?;
    context.output.data(&added, |_| screens::added(&added))?;
    Ok(Exit::Done)
}

/// Takes a package away after a yes.
pub(crate) fn remove(id: &ProblemId, yes: bool, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    if !yes && (output.is_json() || !output.terminal.can_ask) {
        return Err(unconfirmed("removing a problem"));
    }
    if !yes && !output.agrees(&format!("Remove your problem '{id}'? Sessions about it go on.")) {
        output.note("Nothing was removed.");
        return Ok(Exit::Done);
    }
    let removed = context.client()?.call::<ProblemRemove>(&RemoveParams { id: id.clone() })?;
    output.data(&removed, |_| format!("Removed the problem {id}. Sessions about it go on.\n"))?;
    Ok(Exit::Done)
}

/// An author's package is proved without a daemon.
pub(crate) fn check(dir: &Path, seeds: Option<u64>, context: &Context) -> Result<Exit, Failure> {
    let work = Offline::new(&["problems", "check"])?.path(dir)?.option("--seeds", seeds);
    work.flag("--json", context.output.is_json()).run()
}

/// A problem is measured by programs that are nearly right, without a daemon.
pub(crate) fn harden(
    problem: &str,
    (seeds, most, language): (Option<u64>, Option<u64>, Option<Language>),
    context: &Context,
) -> Result<Exit, Failure> {
    let problem = package::named(Some(problem))?.unwrap_or_default();
    let work = Offline::new(&["problems", "harden"])?;
    let work = work.option("--seeds", seeds).option("--most", most);
    let work = work.option("--language", language).file(Path::new(&problem));
    work.flag("--json", context.output.is_json()).run()
}
