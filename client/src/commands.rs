//! One file for each subcommand, and the one match that lists them.

pub(crate) mod call;
mod completions;
mod daemon;
mod delete;
mod diff;
mod doctor;
mod end;
mod export;
mod hint;
mod note;
mod problem;
mod replay;
mod reports;
mod result;
mod schema;
mod start;
mod status;
mod submit;
mod test;
mod upkeep;
mod watch;

pub(crate) mod attach;
pub(crate) mod drill;
pub(crate) mod interview;
pub(crate) mod log;
pub(crate) mod session;
pub(crate) mod sessions;

use std::path::Path;

use vosim_protocol::ErrorCode;

use crate::cli::{Cli, Command, Daemon, Problem, Problems};
use crate::client::{AutoStart, Client};
use crate::errors::{Exit, Failure, usage_error, user_error};
use crate::files::unreadable;
use crate::output::Output;
use crate::places::Places;

/// What every command has at hand.
#[derive(Debug)]
pub(crate) struct Context {
    output: Output,
    /// The session that was named; None for the current one.
    session: Option<String>,
    auto_start: AutoStart,
    /// What the command cannot do without.
    need: &'static [&'static str],
}

impl Context {
    /// A client, not yet connected.
    fn client(&self) -> Result<Client, Failure> {
        Ok(self.client_with(Places::from_env()?, self.auto_start).needing(self.need))
    }

    fn client_with(&self, places: Places, auto_start: AutoStart) -> Client {
        let tells_waits = self.output.terminal.can_redraw && !self.output.is_json();
        Client::new(places, auto_start).telling_waits(tells_waits)
    }

    /// How the user names the session in a further command.
    fn session_flag(&self) -> String {
        self.session.as_ref().map_or(String::new(), |id| format!("--session {id} "))
    }
}

/// What the daemon must be able to do for a command; what every daemon can is not named.
fn need(command: &Command) -> &'static [&'static str] {
    use vosim_protocol::hello::capability::{
        ATTACH, BUNDLES, DRILL, INTERVIEW, NOTES, PROBLEM_TEST,
    };
    match command {
        Command::Start(_) => &[DRILL],
        Command::Interview { .. } => &[INTERVIEW, ATTACH],
        Command::Say(_) | Command::Ask(_) | Command::Done => &[INTERVIEW],
        Command::Test(_) => &[PROBLEM_TEST],
        Command::Attach(_) => &[ATTACH],
        Command::Note(_) | Command::Notes => &[NOTES],
        Command::Export(args) if args.bundle.is_some() => &[BUNDLES],
        // Of a session of any kind, or of the daemon itself.
        Command::Submit(_)
        | Command::Hint(_)
        | Command::GiveUp(_)
        | Command::Result(_)
        | Command::Status
        | Command::End(_)
        | Command::List
        | Command::Use(_)
        | Command::Log(_)
        | Command::Replay(_)
        | Command::Verify(_)
        | Command::Why(_)
        | Command::Export(_)
        | Command::Problem { .. }
        | Command::Problems { .. }
        | Command::Schema { .. }
        | Command::Diff(_)
        | Command::Delete(_)
        | Command::Backup(_)
        | Command::Restore(_)
        | Command::Store { .. }
        | Command::Config { .. }
        | Command::Protocol { .. }
        | Command::Daemon { .. }
        | Command::Doctor(_)
        | Command::Completions { .. }
        | Command::SocketPath => &[],
    }
}

pub(crate) fn run(cli: &Cli, output: Output) -> Result<Exit, Failure> {
    let session = cli.global.session.clone();
    let context =
        Context { output, session, auto_start: cli.global.auto_start(), need: need(&cli.command) };
    let context = &context;
    match &cli.command {
        Command::Start(args) => start::run(args, context),
        Command::Submit(args) if args.watch => watch::run(args, context),
        Command::Submit(args) => submit::run(args, context),
        Command::Test(args) => test::run(args, context),
        Command::Hint(args) => hint::hint(*args, context),
        Command::GiveUp(args) => hint::give_up(*args, context),
        Command::Result(args) => result::run(*args, context),
        Command::Status => status::run(context),
        Command::End(args) => end::run(*args, context),
        Command::Interview { command } => interview::run(command, context),
        Command::Say(args) => interview::say(args, context),
        Command::Ask(args) => interview::ask(args, context),
        Command::Done => interview::done(context),
        Command::List => sessions::list(context),
        Command::Use(args) => sessions::make_current(args, context),
        Command::Log(args) => log::run(args, context),
        Command::Attach(args) => attach::run(args, context),
        Command::Note(args) => note::add(args, context),
        Command::Notes => note::list(context),
        Command::Replay(args) => replay::run(args, context),
        Command::Verify(args) => reports::verify(args, context),
        Command::Why(args) => reports::why(args, context),
        Command::Export(args) => export::run(args, context),
        Command::Problem { command: Problem::Show { problem, starter, language } } => {
            problem::show(problem.as_deref(), starter.as_deref(), *language, context)
        }
        Command::Problems { command: None } => problem::list(context),
        Command::Problems { command: Some(Problems::Check { dir }) } => {
            problem::check(dir, context)
        }
        Command::Schema { command } => schema::run(command, context),
        Command::Diff(args) => diff::run(args, context),
        Command::Delete(args) => delete::run(args, context),
        Command::Backup(args) => upkeep::backup(&args.path, context),
        Command::Restore(args) => upkeep::restore(args, context),
        Command::Store { command } => upkeep::store(*command, context),
        Command::Config { command } => upkeep::config(*command, context),
        Command::Protocol { command } => upkeep::protocol(*command, context),
        Command::Daemon { command: Daemon::Start } => daemon::start(context),
        Command::Daemon { command: Daemon::Stop } => daemon::stop(context),
        Command::Daemon { command: Daemon::Status } => daemon::status(context),
        Command::Doctor(args) => doctor::run(*args, context),
        Command::Completions { shell } => completions::run(*shell, context),
        Command::SocketPath => daemon::socket_path(context),
    }
}

/// Nobody can be asked, and what would be done cannot be undone.
fn unconfirmed(what: &str) -> Failure {
    user_error(ErrorCode::ConfirmationRequired, format!("{what} needs a yes"))
        .hint("Repeat the command with --yes.")
}

/// A path as the daemon, which stands elsewhere, finds it.
fn absolute(path: &Path) -> Result<String, Failure> {
    let absolute = std::path::absolute(path).map_err(|error| unreadable(path, &error))?;
    let not_text = || usage_error(format!("the path {} is not UTF-8", path.display()));
    absolute.to_str().map(str::to_owned).ok_or_else(not_text)
}
