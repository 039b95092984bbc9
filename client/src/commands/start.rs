//! `start`: a new session, its problem on the screen, a file to start from beside it.

use std::path::Path;

use uuid::Uuid;
use vosim_protocol::v1::drill;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::{CreateParams, ProblemCard, RuntimeFind, RuntimeParams};
use vosim_protocol::{ErrorCode, Kind, SessionId, Wire as _};

use crate::call::problem_of;
use crate::cli;
use crate::client::Client;
use crate::commands::{Context, data_folder, package};
use crate::errors::{Exit, Failure, usage_error};
use crate::files::{not_in_the_store, unreadable};
use crate::render::drill as screens;
use crate::starter::{Starter, usual_name, write};

pub(crate) fn run(args: &cli::Start, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    if !args.no_file {
        check_folder(&args.dir)?;
    }
    let mut client = context.client()?;
    let data = data_folder(&mut client)?;
    if !args.no_file {
        not_in_the_store(&args.dir, &data)
            .map_err(|failure| failure.hint("Name another folder with --dir, or use --no-file"))?;
    }
    let problem = package::named(args.problem.as_deref())?;
    let params = CreateParams {
        session_id: SessionId(Uuid::new_v4()),
        kind: Kind::Drill,
        beside: args.new,
        args: drill::Start { problem: problem.clone() }.to_json(),
    };
    let created = package::create(&mut client, &params, problem.as_deref(), output)?;
    output.json(&created)?;
    let session = created.head.session_id;
    let card = problem_of(&mut client, session)?;
    output.screen(|look| screens::started(session, &card, args.language, look))?;
    let starter = match args.no_file {
        true => None,
        false => write_starter(&card, (&args.dir, args.language), &data, context),
    };
    runs(&mut client, args.language, context)?;
    output.screen(|look| screens::file_note(starter.as_ref(), look))?;
    Ok(Exit::Done)
}

/// The session has begun, so a file that cannot be written is told and ends nothing.
pub(super) fn write_starter(
    card: &ProblemCard,
    (dir, language): (&Path, Language),
    data: &Path,
    context: &Context,
) -> Option<Starter> {
    let Some(text) = card.starters.get(&language) else {
        context.output.note(&format!("{} has no file to start from in {language}.", card.title));
        return None;
    };
    let name = usual_name(&card.id, language);
    let path = if dir == Path::new(".") { name.into() } else { dir.join(name) };
    match write(&path, text, data) {
        Ok(starter) => Some(starter),
        Err(failure) => {
            context.output.note(&format!("No file to start from: {failure}"));
            None
        }
    }
}

/// Says before anything is written in a language that nothing here runs it.
pub(super) fn runs(
    client: &mut Client,
    language: Language,
    context: &Context,
) -> Result<(), Failure> {
    match client.call::<RuntimeFind>(&RuntimeParams { language }) {
        Err(failure) if failure.is(ErrorCode::NoRuntime) => {
            context
                .output
                .note(&format!("Nothing in {language} can be judged here yet: {failure}"));
            Ok(())
        }
        found => found.map(drop),
    }
}

pub(super) fn check_folder(dir: &Path) -> Result<(), Failure> {
    let meta = dir.metadata().map_err(|error| unreadable(dir, &error))?;
    match meta.is_dir() {
        true => Ok(()),
        false => Err(usage_error(format!("this is not a directory: {}", dir.display()))),
    }
}
