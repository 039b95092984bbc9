//! `task run`: what is to be done is asked for where it was not named, shown, confirmed, and followed.

use std::io::{BufRead as _, stdin};
use std::path::Path;

use uuid::Uuid;
use vosim_protocol::v1::agent::{ModelName, ModelSort, TaskLanguage};
use vosim_protocol::v1::service::{ConfigShow, Create, CreateParams, Nothing};
use vosim_protocol::v1::task::{Start, TASK_CHARS};
use vosim_protocol::{EventId, Kind, SessionId, Wire as _};

use super::named::{caps, run_caps};
use super::{reports, watch};
use crate::cli::{TaskRun, task_language};
use crate::client::Client;
use crate::commands::{Context, absolute, unconfirmed};
use crate::errors::{Exit, Failure, code, usage_error, user_error};
use crate::output::to_stderr;
use crate::render::task as screens;

pub(super) fn run(args: &TaskRun, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    let asks = output.terminal.can_ask && !output.is_json();
    let start = asked_for(args, asks)?;
    if !args.yes && !asks {
        return Err(unconfirmed("starting a task"));
    }
    let mut client = context.client()?;
    if !args.yes {
        let past = reports::tasks(&mut client)?;
        let settings = client.call::<ConfigShow>(&Nothing {})?.settings;
        output.screen(|look| screens::offer(&start, &settings, &past, look))?;
        if !output.agrees("Proceed?") {
            output.note("No task was started.");
            return Ok(Exit::Done);
        }
    }
    let session = create(&mut client, &start, context)?;
    if args.detach {
        return Ok(Exit::Done);
    }
    watch::follow(&mut client, session, EventId::ZERO, context)
}

/// The task as it was named, or as it is typed now (002 8.1).
fn asked_for(args: &TaskRun, asks: bool) -> Result<Start, Failure> {
    let interactive = args.task.is_none() && args.problem.is_none();
    if interactive && !asks {
        return Err(usage_error("say what is to be done with --task"));
    }
    let task = match &args.task {
        Some(task) => task.clone(),
        None if interactive => typed("Enter your coding task:\n> ")?,
        None => String::new(),
    };
    let task = task.trim().to_owned();
    let length = task.chars().count();
    if args.problem.is_none() && !TASK_CHARS.contains(&length) {
        let (least, most) = (TASK_CHARS.start(), TASK_CHARS.end());
        let message = format!("a task has {least} to {most} characters; this has {length}");
        let hint = "Say what is to be built, and how one sees that it works";
        return Err(user_error(code::USAGE, message).hint(hint));
    }
    let language = match args.language {
        Some(language) => language,
        None if interactive => {
            let word = typed("Select language (python/node): ")?;
            let word = word.trim();
            let chosen = task_language(if word.is_empty() { "python" } else { word });
            chosen.map_err(|why| user_error(code::USAGE, format!("no language {word}: {why}")))?
        }
        None => TaskLanguage::default(),
    };
    let workspace = args.workspace.as_deref().map(absolute).transpose()?;
    let problem = args.problem.clone();
    let (model, fallback) = (named(args.model.as_ref())?, named(args.fallback.as_ref())?);
    let (sitting, caps, run) = (args.sitting(), caps(args.caps), run_caps(args.run));
    Ok(Start { task, problem, sitting, language, model, fallback, workspace, caps, run })
}

/// A recording is meant from here on; the daemon works in another folder.
fn named(model: Option<&ModelName>) -> Result<Option<ModelName>, Failure> {
    let Some(model) = model else { return Ok(None) };
    let mut model = model.clone();
    if model.sort == ModelSort::Replay {
        model.name = absolute(Path::new(&model.name))?;
    }
    Ok(Some(model))
}

/// A line from the terminal.
fn typed(question: &str) -> Result<String, Failure> {
    to_stderr(question);
    let mut line = String::new();
    match stdin().lock().read_line(&mut line) {
        Ok(1..) => Ok(line),
        Ok(0) | Err(_) => Err(user_error(code::EMPTY_TEXT, "nothing was typed")),
    }
}

fn create(client: &mut Client, start: &Start, context: &Context) -> Result<SessionId, Failure> {
    let params = CreateParams {
        session_id: SessionId(Uuid::new_v4()),
        kind: Kind::Task,
        // Tasks run side by side, and beside whatever a person does.
        beside: true,
        args: start.to_json(),
    };
    let created = client.call::<Create>(&params)?;
    context.output.json(&created)?;
    let session = created.head.session_id;
    context.output.screen(|look| screens::started(session, look))?;
    Ok(session)
}
