//! The commands of an attempt: each is one step of 003, and what it leads to is told as it comes.

mod asking;
mod failing;
mod form;
mod script;
mod stress;

use uuid::Uuid;
use vosim_protocol::v1::attempt::{Command, InvariantBuilder, Start};
use vosim_protocol::v1::service::CreateParams;
use vosim_protocol::{Kind, SessionId, Wire as _};

use crate::call::problem_of;
use crate::case_syntax;
use crate::cli::{self, Attempt, YesNo};
use crate::commands::start::{check_folder, runs, write_starter};
use crate::commands::{Context, data_folder, package, watch};
use crate::errors::{Exit, Failure, usage_error};
use crate::files::not_in_the_store;
use crate::intent::attempt::forms::{CHOOSE, REFLECT, UNDERSTAND, questions};
use crate::render::attempt as screens;
use crate::render::drill::file_note;

use asking::{ask, view};

pub(crate) fn run(command: &Attempt, context: &Context) -> Result<Exit, Failure> {
    let words = |words: &[String]| words.join(" ");
    match command {
        Attempt::Start(args) => start(args, context),
        Attempt::Mode { mode } => ask(&Command::Mode { mode: (*mode).into() }, context),
        Attempt::Understand { print: true, .. } => {
            context.output.screen(|_| form::empty())?;
            Ok(Exit::Done)
        }
        Attempt::Understand { form, print: false } => understand(form.as_deref(), context),
        Attempt::Answer { question, words: answer } => {
            let question = question_number(*question, context)?;
            ask(&Command::UnderstandFollowup { question, answer: words(answer) }, context)
        }
        Attempt::Plan { words: told } => {
            ask(&Command::PlanSuggest { explanation: words(told) }, context)
        }
        Attempt::Discover { answer } => {
            let answer = match answer {
                YesNo::Yes => true,
                YesNo::No => false,
            };
            ask(&Command::PlanDiscover { answer }, context)
        }
        Attempt::Choose(args) => match choose(args)? {
            Some(command) => ask(&command, context),
            None => in_editor(CHOOSE, context),
        },
        Attempt::Approach { words: told } => ask(&Command::Approach { text: words(told) }, context),
        Attempt::Watch(tried) => {
            // Whatever else is the current session has a command of its own for this.
            let session = Some(view(context, context.session.clone())?.session_id.to_string());
            watch::run(tried, None, &Context { session, ..*context })
        }
        Attempt::Explain { test, words: told } => ask(
            &Command::VerifyExplainFailure {
                test_index: *test,
                test_input: String::new(),
                expected: String::new(),
                actual: String::new(),
                user_explanation: words(told),
            },
            context,
        ),
        Attempt::Trace { test, own } => failing::trace(*test, *own, context),
        Attempt::Case { command } => failing::case(command, context),
        Attempt::Stress(args) => stress::run(args, context),
        Attempt::Debug { file } => failing::debug(file.as_deref(), context),
        Attempt::Note { words: notes } => {
            ask(&Command::Note { trace_notes: words(notes) }, context)
        }
        Attempt::Retry => ask(&Command::Retry {}, context),
        Attempt::Challenge { case } => {
            let ops = case_syntax::parse("your input", case)?.ops;
            ask(&Command::Challenge { ops }, context)
        }
        Attempt::Reflect { cues, invariant: None } if cues.is_empty() => {
            in_editor(REFLECT, context)
        }
        Attempt::Reflect { cues, invariant } => ask(
            &Command::ReflectSubmit {
                cues_next_time: cues.clone(),
                invariant_summary: invariant.clone().unwrap_or_default(),
            },
            context,
        ),
        Attempt::Skip => ask(&Command::Skip {}, context),
    }
}

fn start(args: &cli::AttemptStart, context: &Context) -> Result<Exit, Failure> {
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
    let start = Start { problem: problem.clone(), mode: args.mode.map(Into::into) };
    let params = CreateParams {
        session_id: SessionId(Uuid::new_v4()),
        kind: Kind::Attempt,
        beside: args.new,
        args: start.to_json(),
    };
    let created = package::create(&mut client, &params, problem.as_deref(), output)?;
    output.json(&created)?;
    let id = created.head.session_id;
    let card = problem_of(&mut client, id)?;
    let view = view(context, Some(id.to_string()))?;
    output.screen(|look| screens::started(&view, &card, args.language, look))?;
    let starter = match args.no_file {
        true => None,
        false => write_starter(&card, (&args.dir, args.language), &data, context),
    };
    runs(&mut client, args.language, context)?;
    output.screen(|look| file_note(starter.as_ref(), look))?;
    output.screen(|look| screens::next_step(&view, look))?;
    Ok(Exit::Done)
}

fn understand(form: Option<&std::path::Path>, context: &Context) -> Result<Exit, Failure> {
    if let Some(path) = form {
        return ask(&form::read(path)?, context);
    }
    in_editor(UNDERSTAND, context)
}

/// Has a form filled in the editor and sends it.
fn in_editor(name: &'static str, context: &Context) -> Result<Exit, Failure> {
    let edited = form::edited(&*view(context, context.session.clone())?, name)?;
    let exit = ask(&edited.command, context)?;
    edited.sent();
    Ok(exit)
}

/// Leaves the attempt.
pub(super) fn end(context: &Context) -> Result<Exit, Failure> {
    ask(&Command::End {}, context)
}

/// A question of the last assessment, by its number.
fn question_number(number: usize, context: &Context) -> Result<String, Failure> {
    let view = view(context, context.session.clone())?;
    let asked = questions(&view);
    let question = number.checked_sub(1).and_then(|at| asked.get(at)).cloned();
    question.ok_or_else(|| match asked.len() {
        0 => usage_error("no question waits for an answer".to_owned())
            .hint("See where it stands with: vosimctl status"),
        count => usage_error(format!("there is no question {number}; there are {count}")),
    })
}

/// What is chosen; nothing where no pattern is named.
fn choose(args: &cli::Choose) -> Result<Option<Command>, Failure> {
    let (Some(pattern_id), Some(confidence)) = (args.pattern.clone(), args.confidence) else {
        return Ok(None);
    };
    let mut named = args.choices.iter().map(|(gap, _)| gap);
    if let Some(twice) =
        named.find(|gap| args.choices.iter().filter(|(it, _)| it == *gap).count() > 1)
    {
        return Err(usage_error(format!("the gap {twice} is chosen twice"))
            .hint("Choose once for each gap"));
    }
    let builder = args.template.clone().map(|template_id| InvariantBuilder {
        template_id,
        choices: args.choices.iter().cloned().collect(),
    });
    Ok(Some(Command::PlanChoose {
        pattern_id,
        confidence,
        invariant_text: args.invariant.clone(),
        invariant_builder: builder,
        complexity: args.complexity.clone(),
    }))
}
