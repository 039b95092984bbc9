//! `interview start`, `begin`, `watch` and `unwatch`: the plan, the file, the first section.

use std::path::{Path, PathBuf};
use std::time::Duration;

use uuid::Uuid;
use vosim_protocol::v1::interview::{
    Accommodation, Command, SHIPPED_SCHEMAS, SolutionWatched, Start, Turn, View,
};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::{Accepted, CreateParams, ProblemCard};
use vosim_protocol::{ErrorCode, Kind, SessionId, Wire as _};
use vosim_watch::is_plain;

use crate::call::{self, params, problem_of};
use crate::cli;
use crate::client::Client;
use crate::code_file::{language_of, unknown_language};
use crate::commands::interview::sending::{again, closing, give, receipt};
use crate::commands::settle::{self, Awaited, Given};
use crate::commands::{Context, absolute, attach, data_folder, package};
use crate::errors::{Exit, Failure, code, usage_error, user_error};
use crate::files::{is_directory, not_a_file, not_in_the_store, text_file};
use crate::output::Output;
use crate::render::interview::{self as screens, Watching};
use crate::starter::{Starter, usual_name, write};

/// Largest schema that is read, bytes; the standard one has a tenth of it.
const SCHEMA_MAX_BYTES: u64 = 256 * 1024;

/// How long the words of a question may take before the section is shown without them.
const PROMPT: Awaited = Awaited { what: "the first question", patience: Duration::from_secs(10) };

pub(crate) fn start(args: &cli::InterviewStart, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    let wish = wish(args)?;
    let named = args.file.as_deref().map(|file| to_write(file, args.language)).transpose()?;
    let mut client = context.client()?;
    let data = data_folder(&mut client)?;
    not_in_the_store(named.as_ref().map_or(Path::new("."), |(path, _)| path), &data)?;
    let asked = CreateParams {
        session_id: SessionId(Uuid::new_v4()),
        kind: Kind::Interview,
        beside: args.new,
        args: wish.to_json(),
    };
    let created = package::create(&mut client, &asked, wish.problem.as_deref(), output)?;
    let id = created.head.session_id;
    let view = again(&mut client, id)?;
    let card = problem_of(&mut client, id)?;
    let (path, language) = match named {
        Some(named) => named,
        None => {
            let language = args.language.unwrap_or(Language::Python);
            (usual_name(&card.id, language).into(), language)
        }
    };
    let asks = asks(args, output);
    if asks {
        output.screen(|look| screens::started(&view, &card, language, look))?;
        if !output.goes_on(READY) {
            return leave(&mut client, id, output);
        }
    }
    let starter = write_starter(&card, &path, language, (&data, output));
    let watched =
        (starter.is_some() && !args.no_watch).then(|| watch_file(&mut client, id, &path, language));
    // Nothing is shown before all is done: whoever reads no further has an interview that runs.
    let begin = params(Some(&id.to_string()), &Command::Begin {}, Vec::new());
    let begun = (!args.hold).then(|| settle::give(&mut client, begin));
    output.json(&created)?;
    if !asks {
        output.screen(|look| screens::started(&view, &card, language, look))?;
    }
    output.screen(|look| screens::file_note(starter.as_ref(), look))?;
    show_watched(watched, &path, output)?;
    let Some(given) = begun.transpose()? else {
        let flag = context.session_flag();
        output.screen(|look| screens::held(&flag, look))?;
        return Ok(Exit::Done);
    };
    if asks && !output.terminal.plain {
        drop(client);
        let context = Context { session: Some(id.to_string()), ..context.clone() };
        return attach::as_candidate(&context);
    }
    given.accepted.events.iter().try_for_each(|record| output.json(record))?;
    show_section(&mut client, &given, output)?;
    go_on(context)?;
    Ok(Exit::Done)
}

/// What a reader of the statement is asked.
const READY: &str = "Press Enter to start the clock, or q and Enter to leave without beginning.";

/// Whether somebody sits there who can say when to begin: not a script.
fn asks(args: &cli::InterviewStart, output: Output) -> bool {
    let sits_there = output.terminal.can_ask && output.terminal.watched && !output.is_json();
    sits_there && !args.now && !args.hold
}

/// The interview goes away unbegun: nothing of it counts.
fn leave(client: &mut Client, session: SessionId, output: Output) -> Result<Exit, Failure> {
    call::command(client, Some(&session.to_string()), &Command::End {}, Vec::new())?;
    output.note("Nothing has begun, and nothing counts.");
    Ok(Exit::Done)
}

/// A file that cannot be watched is told and ends nothing.
fn show_watched(
    watched: Option<Result<Accepted, Failure>>,
    path: &Path,
    output: Output,
) -> Result<(), Failure> {
    match watched {
        Some(Ok(accepted)) => {
            accepted.events.iter().try_for_each(|record| output.json(record))?;
            output.screen(|look| screens::watching(&Watching::of(path), look))
        }
        Some(Err(failure)) => tell(failure, "The file is not watched", output),
        None => Ok(()),
    }
}

pub(crate) fn begin(context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let given = give(&mut client, &Command::Begin {}, Vec::new(), context)?;
    given.accepted.events.iter().try_for_each(|record| context.output.json(record))?;
    show_section(&mut client, &given, context.output)?;
    go_on(context)?;
    Ok(Exit::Done)
}

fn go_on(context: &Context) -> Result<(), Failure> {
    let flag = context.session_flag();
    context.output.screen(|look| screens::onwards(&flag, look))
}

pub(crate) fn watch(args: &cli::Watch, context: &Context) -> Result<Exit, Failure> {
    let (path, language) = solution(&args.file, args.language)?;
    let mut client = context.client()?;
    let watch = Command::Watch { file_path: absolute(&path)?, language };
    let given = give(&mut client, &watch, Vec::new(), context)?;
    receipt("Your 'watch'", &given.accepted, context.output)?;
    let watched: Option<SolutionWatched> =
        given.settled(&mut client, PROMPT, context.output, |_| Ok(()))?;
    let instead_of = watched.and_then(|watched| watched.instead_of);
    let watching = Watching { instead_of: instead_of.as_deref(), ..Watching::of(&path) };
    context.output.screen(|look| screens::watching(&watching, look))?;
    Ok(Exit::Done)
}

pub(crate) fn unwatch(context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let given = give(&mut client, &Command::Unwatch {}, Vec::new(), context)?;
    receipt("Your 'unwatch'", &given.accepted, context.output)?;
    Ok(Exit::Done)
}

/// Shows the section that a command has opened, with its question as soon as that has words, or
/// the summary where no section follows.
pub(crate) fn show_section(
    client: &mut Client,
    given: &Given,
    output: Output,
) -> Result<(), Failure> {
    let session = given.accepted.session_id;
    let turn = match given.settled(client, PROMPT, output, |_| Ok(())) {
        Ok(turn) => turn,
        // The section is shown all the same: its clock runs.
        Err(failure) if failure.is(code::NO_ANSWER) => Some(standing(&*again(client, session)?)),
        Err(failure) => return Err(failure),
    };
    match turn {
        Some(Turn { over: true, .. }) => closing(client, session, output),
        Some(turn) => output.screen(|look| screens::begun(&turn, look).unwrap_or_default()),
        None => Ok(()),
    }
}

/// What a command has led to so far, from what the interview shows.
fn standing(view: &View) -> Turn {
    Turn {
        opened: view.current_section.clone(),
        sections: u32::try_from(view.sections.len()).unwrap_or(u32::MAX),
        allowed_actions: view.allowed_actions.clone(),
        over: view.ended.is_some(),
    }
}

fn watch_file(
    client: &mut Client,
    session: SessionId,
    path: &Path,
    language: Language,
) -> Result<Accepted, Failure> {
    let watch = Command::Watch { file_path: absolute(path)?, language };
    call::command(client, Some(&session.to_string()), &watch, Vec::new())
}

/// Tells what went wrong; what ends a command all the same is handed on.
fn tell(failure: Failure, what: &str, output: Output) -> Result<(), Failure> {
    match failure {
        Failure::Told(error) => {
            output.note(&format!("{what}: {error}"));
            Ok(())
        }
        other @ (Failure::BrokenPipe | Failure::Interrupted | Failure::Signalled(_)) => Err(other),
    }
}

/// What is asked for, checked as far as it can be here.
fn wish(args: &cli::InterviewStart) -> Result<Start, Failure> {
    let granted = Accommodation { time_percent: args.time, larger_warnings: args.larger_warnings };
    let candidate = args.candidate.as_deref().map(|name| {
        let name = name.trim();
        match name.is_empty() {
            true => Err(usage_error("the candidate's name is empty")),
            false => Ok(name.to_owned()),
        }
    });
    Ok(Start {
        problem: package::named(args.problem.as_deref())?,
        schema: args.schema.as_deref().map(schema).transpose()?,
        candidate: candidate.transpose()?,
        accommodation: (granted != Accommodation::default()).then_some(granted),
    })
}

/// The name of a schema that comes with vosim, or a schema file as it is; whether that is a good one is
/// the daemon's to say.
fn schema(path: &Path) -> Result<String, Failure> {
    if let Some(name) = SHIPPED_SCHEMAS.into_iter().find(|name| path == Path::new(name)) {
        return Ok(name.to_owned());
    }
    text_file(path, "a schema", SCHEMA_MAX_BYTES).map_err(|failure| {
        if failure.is(ErrorCode::TooLarge) {
            failure.hint("Start from the standard one: vosimctl schema show > mine.toml")
        } else if failure.is(code::FILE_NOT_FOUND) {
            let known = SHIPPED_SCHEMAS.join(" and ");
            failure.hint(format!("Name a schema file, or one that comes with vosim: {known}"))
        } else {
            failure
        }
    })
}

/// The file to work in, which need not exist yet, and its language.
fn solution(path: &Path, language: Option<Language>) -> Result<(PathBuf, Language), Failure> {
    match path.metadata() {
        Ok(meta) if meta.is_dir() => return Err(is_directory(path)),
        Ok(meta) if !is_plain(path, &meta) => return Err(not_a_file(path)),
        Ok(_) | Err(_) => {}
    }
    let language = language.or_else(|| language_of(path));
    let language = language.ok_or_else(|| unknown_language(path))?;
    Ok((path.to_owned(), language))
}

/// The same for a file that may be written: a name that tells another language than the one that
/// is asked for would get a text that no interpreter of its own reads.
fn to_write(path: &Path, language: Option<Language>) -> Result<(PathBuf, Language), Failure> {
    match (language, language_of(path)) {
        (Some(said), Some(named)) if said != named => {
            let path = path.display();
            let message = format!(
                "{path} is a file of {named} by its name, and the language asked for is {said}"
            );
            Err(user_error(code::UNKNOWN_LANGUAGE, message)
                .hint("Name another file, or leave out --language"))
        }
        _ => solution(path, language),
    }
}

/// None where there is no file to work in.
fn write_starter(
    card: &ProblemCard,
    path: &Path,
    language: Language,
    (data, output): (&Path, Output),
) -> Option<Starter> {
    let Some(text) = card.starters.get(&language) else {
        output.note(&format!("{} has no file to start from in {language}.", card.title));
        return path.is_file().then(|| Starter::Same(path.to_owned()));
    };
    match write(path, text, data) {
        Ok(starter) => Some(starter),
        Err(failure) => {
            output.note(&format!("No file to start from: {failure}"));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_file_is_read_with_a_bound() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("my schema.toml");
        let told = |content: &[u8]| {
            std::fs::write(&path, content).unwrap();
            schema(&path).map_err(|failure| failure.to_string())
        };
        assert_eq!(told(b"format = 1"), Ok("format = 1".to_owned()));
        let limit = usize::try_from(SCHEMA_MAX_BYTES).unwrap();
        assert!(told(&vec![b'#'; limit]).is_ok());
        assert!(told(&vec![b'#'; limit + 1]).unwrap_err().starts_with("a schema has at most"));
        assert!(told(b"a\xff").unwrap_err().starts_with("this is not UTF-8 text, its byte 1"));
        let refused = |path: &Path| schema(path).unwrap_err().to_string();
        assert!(refused(dir.path()).starts_with("this is a directory, not a file"));
        assert!(refused(&dir.path().join("no.toml")).starts_with("File not found"));
        assert_eq!(schema(Path::new("short")).unwrap(), "short");
        for none in ["/dev/zero", "/proc/self/mem"] {
            assert_eq!(refused(Path::new(none)), format!("this is not a regular file: {none}"));
        }
    }

    #[test]
    fn the_file_to_work_in_need_not_exist_but_tells_its_language() {
        let (path, language) = solution(Path::new("no such/my code.js"), None).unwrap();
        assert_eq!((path, language), ("no such/my code.js".into(), Language::Javascript));
        let told = solution(Path::new("a.txt"), None);
        assert!(told.unwrap_err().is(code::UNKNOWN_LANGUAGE));
        assert!(solution(Path::new("a.txt"), Some(Language::Python)).is_ok());
        let folder = solution(Path::new("/"), None).unwrap_err().to_string();
        assert_eq!(folder, "this is a directory, not a file: /");
        let made_up = solution(Path::new("/proc/self/mem"), Some(Language::Python)).unwrap_err();
        assert_eq!(made_up.to_string(), "this is not a regular file: /proc/self/mem");
    }

    #[test]
    fn a_file_is_not_written_in_another_language_than_its_name_tells() {
        let told = |path: &str, language| to_write(Path::new(path), language).map(|(_, l)| l);
        let refused = told("a.js", Some(Language::Python)).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "a.js is a file of javascript by its name, and the language asked for is python"
        );
        assert_eq!(told("a.js", Some(Language::Javascript)).unwrap(), Language::Javascript);
        assert_eq!(told("a.py", None).unwrap(), Language::Python);
        assert_eq!(told("a.txt", Some(Language::Python)).unwrap(), Language::Python);
    }
}
