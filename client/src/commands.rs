//! One file for each subcommand, and the one match that lists them.

mod attempt;
mod cancel;
mod code;
pub(crate) mod completions;
mod context;
mod daemon;
mod delete;
mod diff;
mod doctor;
mod end;
mod export;
pub(crate) mod following;
mod help;
mod hint;
mod note;
mod package;
mod problem;
mod progress;
mod replay;
mod report;
mod reports;
mod review;
mod schema;
mod settle;
mod start;
mod status;
mod submit;
mod task;
mod test;
mod upkeep;
mod watch;

pub(crate) mod attach;
pub(crate) mod interview;
pub(crate) mod log;
mod result;
pub(crate) mod session;
pub(crate) mod sessions;

use crate::cli::{Cli, Command, Daemon, Problem, Problems};
use crate::errors::{Exit, Failure};
use crate::output::Output;

pub(crate) use context::Context;
use context::{absolute, data_folder, unconfirmed};

/// What the daemon must be able to do for a command; what every daemon can is not named.
fn need(command: &Command) -> &'static [&'static str] {
    use vosim_protocol::hello::capability::{
        ATTACH, ATTEMPT, BUNDLES, DRILL, INTERVIEW, NOTES, PROBLEM_TEST, REVIEW, TASK,
    };
    match command {
        Command::Start(_) => &[DRILL],
        Command::Interview { .. } => &[INTERVIEW, ATTACH],
        Command::Attempt { .. } => &[ATTEMPT],
        Command::Ask(_) | Command::Done => &[INTERVIEW],
        Command::Test(_) => &[PROBLEM_TEST],
        Command::Review => &[REVIEW],
        Command::Task { .. } | Command::Approvals => &[TASK],
        Command::Attach(_) => &[ATTACH],
        Command::Note(_) | Command::Notes => &[NOTES],
        Command::Export(args) if args.bundle.is_some() => &[BUNDLES],
        // Of a session of any kind, or of the daemon itself.
        Command::Submit(_)
        | Command::Say(_)
        | Command::Hint(_)
        | Command::GiveUp(_)
        | Command::Result(_)
        | Command::Status
        | Command::End(_)
        | Command::List(_)
        | Command::Use(_)
        | Command::Log(_)
        | Command::Replay(_)
        | Command::Verify(_)
        | Command::Why(_)
        | Command::Code(_)
        | Command::Cancel
        | Command::Report(_)
        | Command::Progress(_)
        | Command::Export(_)
        | Command::Problem { .. }
        | Command::Problems { .. }
        | Command::Schema { .. }
        | Command::Diff(_)
        | Command::Delete(_)
        | Command::Backup(_)
        | Command::Restore(_)
        | Command::Quarantine { .. }
        | Command::Store { .. }
        | Command::Config { .. }
        | Command::Protocol { .. }
        | Command::Daemon { .. }
        | Command::Doctor(_)
        | Command::Completions { .. }
        | Command::Version
        | Command::Man { .. }
        | Command::SocketPath => &[],
    }
}

fn problems(command: Option<&Problems>, context: &Context) -> Result<Exit, Failure> {
    match command {
        None | Some(Problems::List) => problem::list(context),
        Some(Problems::New { dir, form }) => problem::new(dir, *form, context),
        Some(Problems::Check { dir, seeds }) => problem::check(dir, *seeds, context),
        Some(Problems::Harden { problem, seeds, most, language }) => {
            problem::harden(problem, (*seeds, *most, *language), context)
        }
        Some(Problems::Add { dir }) => problem::add(dir, context),
        Some(Problems::Remove { id, yes }) => problem::remove(id, *yes, context),
    }
}

pub(crate) fn run(cli: &Cli, output: Output) -> Result<Exit, Failure> {
    cli.check()?;
    let context = &Context {
        output,
        session: cli.global.session.clone(),
        auto_start: cli.global.auto_start(),
        need: need(&cli.command),
    };
    match &cli.command {
        Command::Start(args) => start::run(args, context),
        Command::Submit(args) if args.watch => watch::run(&args.tried(), None, context),
        Command::Submit(args) => submit::run(args, context),
        Command::Test(args) if args.watch => {
            watch::run(&args.tried, args.problem.as_deref(), context)
        }
        Command::Test(args) => test::run(args, context),
        Command::Hint(args) => hint::hint(*args, context),
        Command::GiveUp(args) => hint::give_up(*args, context),
        Command::Result(args) => result::run(*args, context),
        Command::Status => status::run(context),
        Command::End(args) => end::run(*args, context),
        Command::Attempt { command } => attempt::run(command, context),
        Command::Interview { command } => interview::run(command, context),
        Command::Say(args) => interview::say(args, context),
        Command::Ask(args) => interview::ask(args, context),
        Command::Done => interview::done(context),
        Command::Task { command } => task::run(command, context),
        Command::Approvals => task::approvals(context),
        Command::List(args) => sessions::list(args, context),
        Command::Use(args) => sessions::make_current(args, context),
        Command::Log(args) => log::run(args, context),
        Command::Attach(args) => attach::run(args, context),
        Command::Note(args) => note::add(args, context),
        Command::Notes => note::list(context),
        Command::Replay(args) => replay::run(args, context),
        Command::Verify(args) => reports::verify(args, context),
        Command::Why(args) => reports::why(args, context),
        Command::Code(args) => code::run(*args, context),
        Command::Cancel => cancel::run(context),
        Command::Report(args) => report::run(args, context),
        Command::Progress(args) => progress::run(args, context),
        Command::Export(args) => export::run(args, context),
        Command::Problem { command: Problem::Show { problem, starter, language } } => {
            problem::show(problem.as_deref(), starter.as_deref(), *language, context)
        }
        Command::Problem { command: Problem::Discussion { hints, tests } } => {
            problem::discussion(*hints, *tests, context)
        }
        Command::Problems { command } => problems(command.as_ref(), context),
        Command::Review => review::run(context),
        Command::Schema { command } => schema::run(command, context),
        Command::Diff(args) => diff::run(args, context),
        Command::Delete(args) => delete::run(args, context),
        Command::Backup(args) => upkeep::backup(&args.path, context),
        Command::Restore(args) => upkeep::restore(args, context),
        Command::Quarantine { command } => upkeep::quarantine(*command, context),
        Command::Store { command } => upkeep::store(*command, context),
        Command::Config { command } => upkeep::config(*command, context),
        Command::Protocol { command } => upkeep::protocol(*command, context),
        Command::Daemon { command: Daemon::Start } => daemon::start(context),
        Command::Daemon { command: Daemon::Stop } => daemon::stop(context),
        Command::Daemon { command: Daemon::Status } => daemon::status(context),
        Command::Doctor(args) => doctor::run(*args, context),
        Command::Completions { shell } => completions::run(*shell, context),
        Command::Version => help::version(context),
        Command::Man { dir } => help::manual(dir),
        Command::SocketPath => daemon::socket_path(context),
    }
}
