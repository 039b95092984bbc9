//! What is done about a failure: its trace, cases of one's own, and a script to step through it.

use std::path::{Path, PathBuf};

use vosim_protocol::ErrorCode;
use vosim_protocol::v1::attempt::{Command, FailureTraced, View};
use vosim_protocol::v1::problem::{Language, Syntax};
use vosim_protocol::v1::service::{RuntimeFind, RuntimeParams};

use crate::call::problem_of;
use crate::case_syntax;
use crate::cli::Case;
use crate::client::Client;
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
            .hint(how_to_have_one(&view.allowed))
    })
}

/// The first failed test is traced without being asked for, which can take half a minute.
fn how_to_have_one(allowed: &[String]) -> &'static str {
    if allowed.iter().any(|command| command == "verify.trace") {
        "If it has only just failed, wait a moment; or name a test: vosimctl attempt trace N"
    } else {
        "See where it stands with: vosimctl status"
    }
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
    let program = program(&mut client, language)?;
    let place = script::place(&file, language);
    let text = |place: &Path| {
        let run = script::DebugRun { file: &file, place, program: &program, language };
        script::text(&card.interface, &trace.ops, run)
    };
    let place = match starter::write(&place, &text(&place), &data)? {
        Starter::Written(path) | Starter::Same(path) => path,
        // Never over a file that stands there already.
        Starter::Taken { free: Some(free), .. } => {
            match starter::write(&free, &text(&free), &data)? {
                Starter::Written(path) | Starter::Same(path) => path,
                Starter::Taken { path, .. } => return Err(taken(&path)),
            }
        }
        Starter::Taken { path, free: None } => return Err(taken(&path)),
    };
    context.output.screen(|look| screens::script(&place, &program, language, look))?;
    Ok(Exit::Done)
}

/// What the daemon runs a language with, where it has something; the terminal may find another one.
fn program(client: &mut Client, language: Language) -> Result<String, Failure> {
    match client.call::<RuntimeFind>(&RuntimeParams { language }) {
        Ok(found) => Ok(found.path),
        Err(failure) if failure.is(ErrorCode::NoRuntime) => Ok(match language.syntax() {
            Syntax::Python => "python3".to_owned(),
            Syntax::Javascript => "node".to_owned(),
        }),
        Err(failure) => Err(failure),
    }
}

fn taken(path: &Path) -> Failure {
    usage_error(format!("{} and all names beside it are taken", path.display()))
        .hint("Remove the scripts that you no longer need")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_sees_no_trace_is_told_how_to_have_one_where_that_is_possible() {
        let allowed =
            |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert!(how_to_have_one(&allowed(&["note", "verify.trace"])).contains("attempt trace N"));
        assert!(how_to_have_one(&allowed(&["submit"])).ends_with("vosimctl status"));
    }
}
