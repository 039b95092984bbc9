//! What is done about a failure: its trace, cases of one's own, and a script to step through it.

use std::path::{Path, PathBuf};

use vosim_protocol::v1::attempt::{Command, FailureTraced, View};

use crate::call::problem_of;
use crate::case_syntax;
use crate::cli::Case;
use crate::code_file::{language_of, unknown_language};
use crate::commands::{Context, data_folder};
use crate::errors::{Exit, Failure, usage_error};
use crate::files::regular_file;
use crate::render::attempt::failing as screens;
use crate::starter::{self, Starter};

use super::asking::{ask, view};
use super::script;

/// Largest file whose name a script is made for; it is not read.
const FILE_MAX_BYTES: u64 = 1;

/// Shows the last failure call by call, or has another test traced.
pub(super) fn trace(
    test: Option<u32>,
    own: Option<u32>,
    context: &Context,
) -> Result<Exit, Failure> {
    let view = view(context, context.session.clone())?;
    let tests = view.attempt.verify_payload.as_ref().map_or(0, |it| it.test_results.len());
    let behind = u32::try_from(tests).unwrap_or(u32::MAX);
    let own = own.map(|number| behind.saturating_add(number.saturating_sub(1)));
    if let Some(test_index) = test.or(own) {
        return ask(&Command::VerifyTrace { test_index }, context);
    }
    let traced = last(&view)?;
    context.output.data(&traced, |look| screens::traced(&traced, look))?;
    Ok(Exit::Done)
}

fn last(view: &View) -> Result<FailureTraced, Failure> {
    view.trace.clone().ok_or_else(|| {
        usage_error("no failure has been traced since the last submission".to_owned())
            .hint("Submit a file with: vosimctl submit FILE")
    })
}

pub(super) fn case(command: &Case, context: &Context) -> Result<Exit, Failure> {
    match command {
        Case::Add { case } => {
            let ops = case_syntax::parse("your case", case)?.ops;
            ask(&Command::CaseAdd { ops }, context)
        }
        Case::List => {
            let view = view(context, context.session.clone())?;
            view.own_cases.iter().try_for_each(|case| context.output.json(case))?;
            context.output.screen(|look| screens::own_cases(&view, look))?;
            Ok(Exit::Done)
        }
        Case::Remove { number } => ask(&Command::CaseRemove { number: *number }, context),
    }
}

/// Writes a script with the last failure beside the candidate's file, over nothing.
pub(super) fn debug(file: Option<&Path>, context: &Context) -> Result<Exit, Failure> {
    let view = view(context, context.session.clone())?;
    let traced = last(&view)?;
    let Some(trace) = traced.trace.filter(|trace| !trace.ops.is_empty()) else {
        let why = "the last failure has no run that is short enough for a script";
        return Err(usage_error(why.to_owned()));
    };
    let submitted = || view.history.last().map(|last| PathBuf::from(&last.file_path));
    let file = file.map(Path::to_owned).or_else(submitted);
    let file = file.ok_or_else(|| usage_error("name the file with your code".to_owned()))?;
    regular_file(&file, FILE_MAX_BYTES)?;
    let language = language_of(&file).ok_or_else(|| unknown_language(&file))?;
    let mut client = context.client()?;
    let card = problem_of(&mut client, view.session_id)?;
    let data = data_folder(&mut client)?;
    let place = script::place(&file, language);
    let text = script::text(&card.interface, &trace.ops, &file, &place, language);
    let place = match starter::write(&place, &text, &data)? {
        Starter::Written(path) | Starter::Same(path) => path,
        // Never over a file that stands there already.
        Starter::Taken { free: Some(free), .. } => {
            let text = script::text(&card.interface, &trace.ops, &file, &free, language);
            match starter::write(&free, &text, &data)? {
                Starter::Written(path) | Starter::Same(path) => path,
                Starter::Taken { path, .. } => return Err(taken(&path)),
            }
        }
        Starter::Taken { path, free: None } => return Err(taken(&path)),
    };
    context.output.screen(|look| screens::script(&place, language, look))?;
    Ok(Exit::Done)
}

fn taken(path: &Path) -> Failure {
    usage_error(format!("{} and all names beside it are taken", path.display()))
        .hint("Remove the scripts that you no longer need")
}
