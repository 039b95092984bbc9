//! The command line's grammar and its help.
//!
//! It checks spelling only; whether something is possible is the daemon's to say.

mod interview;

use std::io::Write as _;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use vosim_protocol::v1::bundle::Bundle;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::{EventId, Role};

pub(crate) use interview::{Ask, Interview, InterviewStart, Say, Text, Watch};

use crate::client::AutoStart;
use crate::errors::{ErrorText, Exit, Failure, usage_error};
use crate::output::{Format, Output};
use crate::playback::{Place, Speed};
use crate::spelling::Spelling;
use crate::terminal::Terminal;

/// The subcommands in groups; a test compares this with the grammar below.
const HELP: &str = "\
{about}

{usage-heading} {usage}

Practice:
  start        Start a session: print the problem, write a file to start from
  submit       Submit a file for judging
  test         Run the visible cases and your own; not a submission
  hint         Ask for a hint
  give-up      Ask for the reference solution
  result       Show a verdict with its feedback again, or the hints
  status       Show where the session stands
  end          End the session and show the summary
  problem      Show a problem again
  problems     List the problems, or check a problem package
  schema       Check or print the schema of an interview
  diff         Compare the code of two submissions

Interviews:
  interview    Start an interview, begin it, have a file watched
  say          Say something to the interviewer
  ask          Ask the assistant, and wait for its answer
  done         Finish the section that is open

Sessions:
  list         List the sessions
  use          Make a session the current one
  attach       Follow a session live
  log          Print a session's events
  note         Keep a private note as interviewer
  notes        Show the interviewer's notes
  why          Explain why an event is as it is
  replay       Play a session back, or check its decisions
  verify       Check that a log has not been changed
  export       Write a session's log
  delete       Erase a session, or its code alone

Daemon:
  daemon       Start, stop or show the daemon
  doctor       Check what vosim needs
  config       Show the settings in force
  store        Compact the store, or show its size
  backup       Write a copy of the store
  restore      Put a copy of the store in place
  protocol     Describe the protocol
  completions  Print a completion script for a shell
  socket-path  Print the path of the daemon's socket

Options:
{options}{after-help}";

const EXAMPLES: &str = "\
Examples:
  vosimctl start                           begin with the LRU Cache
  vosimctl test lru_cache.py --case 'LRUCache(1) put(1,1) get(1)==1'
  vosimctl submit lru_cache.py             judge it
  vosimctl submit --watch lru_cache.py     run the visible cases at each save
  vosimctl hint                            when you are stuck
  vosimctl attach                          follow along in another terminal
  vosimctl interview start                 45 minutes in four sections
  vosimctl attach --as candidate --plain   talk in that interview, line by line
  vosimctl log --json | jq .event_type     read the log with a program

Exit status: 0 done, also when the submitted code failed; 1 something you can mend; 2 a fault of vosim.
The daemon vosimd is started when it is needed. VOSIM_SOCKET names another socket of it.";

const REPLAY: &str = "\
Each event has its number and its place, minutes and seconds since the session began. What takes
longer than 5 seconds at the chosen speed is cut short. On a terminal: space pauses, the arrow keys
left and right move by 10 seconds, q leaves.

Examples:
  vosimctl replay                              the current session, as it happened
  vosimctl replay --speed 8 --from 25:00       eight times as fast, from a minute on
  vosimctl replay r.json --until 40            a bundle from any machine; needs no daemon
  vosimctl replay r.json --verify              is each decision what the rules say?

With --json it plays nothing and prints what a replay finds; the events are: vosimctl log --json";

/// Technical interviews and practice on this machine.
#[derive(Debug, Parser)]
#[command(name = "vosimctl", version, help_template = HELP, after_help = EXAMPLES)]
#[command(arg_required_else_help = true, disable_help_subcommand = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every subcommand.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Another session than the current one: its id or the beginning of it
    #[arg(long, global = true, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Print data as JSON, one object a line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Do not start the daemon when none runs
    #[arg(long, global = true)]
    pub(crate) no_start: bool,
    /// When to use colour and boxes
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
    /// Use only ASCII characters
    #[arg(long, global = true)]
    pub(crate) ascii: bool,
}

/// When to use colour; `always` also draws boxes where the output is not a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Start a session: print the problem, write a file to start from
    Start(Start),
    /// Submit a file for judging
    Submit(Submit),
    /// Run the visible cases and your own; not a submission
    Test(Test),
    /// Ask for a hint
    Hint(Confirm),
    /// Ask for the reference solution
    GiveUp(Confirm),
    /// Show a verdict with its feedback again, or the hints
    Result(Shown),
    /// Show where the session stands
    Status,
    /// End the session and show the summary
    End(End),
    /// Start an interview, begin it, have a file watched
    #[command(after_help = interview::EXAMPLES)]
    Interview {
        #[command(subcommand)]
        command: Interview,
    },
    /// Say something to the interviewer
    Say(Say),
    /// Ask the assistant, and wait for its answer
    Ask(Ask),
    /// Finish the section that is open
    Done,
    /// List the sessions
    List,
    /// Make a session the current one
    Use(Named),
    /// Print a session's events
    Log(Log),
    /// Follow a session live
    Attach(Attach),
    /// Keep a private note as interviewer
    Note(Note),
    /// Show the interviewer's notes
    Notes,
    /// Play a session back, or check its decisions
    #[command(after_help = REPLAY)]
    Replay(Replay),
    /// Check that a log has not been changed
    Verify(Verify),
    /// Explain why an event is as it is
    Why(Why),
    /// Write a session's log
    Export(Export),
    /// Show a problem again
    Problem {
        #[command(subcommand)]
        command: Problem,
    },
    /// List the problems, or check a problem package
    Problems {
        #[command(subcommand)]
        command: Option<Problems>,
    },
    /// Check or print the schema of an interview
    Schema {
        #[command(subcommand)]
        command: Schema,
    },
    /// Compare the code of two submissions
    Diff(Diff),
    /// Erase a session, or its code alone
    Delete(Delete),
    /// Write a copy of the store
    Backup(PathArg),
    /// Put a copy of the store in place
    Restore(Restore),
    /// Compact the store, or show its size
    Store {
        #[command(subcommand)]
        command: Store,
    },
    /// Show the settings in force
    Config {
        #[command(subcommand)]
        command: Config,
    },
    /// Describe the protocol
    Protocol {
        #[command(subcommand)]
        command: Protocol,
    },
    /// Start, stop or show the daemon
    Daemon {
        #[command(subcommand)]
        command: Daemon,
    },
    /// Check what vosim needs
    Doctor(Doctor),
    /// Print a completion script for a shell
    Completions { shell: Shell },
    /// Print the path of the daemon's socket
    SocketPath,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Doctor {
    /// Probe the sandbox anew, though the last probe may still hold
    #[arg(long)]
    pub(crate) fresh: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Start {
    /// Which problem [default: lru_cache]
    pub(crate) problem: Option<String>,
    /// Open it beside a session in progress
    #[arg(long)]
    pub(crate) new: bool,
    /// Where to write the file to start from
    #[arg(long, value_name = "DIR", default_value = ".", hide_default_value = true)]
    pub(crate) dir: PathBuf,
    /// Write no file to start from
    #[arg(long)]
    pub(crate) no_file: bool,
    /// The language of that file
    #[arg(long, value_parser = language, default_value = "python")]
    pub(crate) language: Language,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct End {
    /// Do not ask, where there is something to ask about: an interview is left before its end
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Submit {
    /// The file to judge
    #[arg(value_name = "FILE", required_unless_present = "file")]
    pub(crate) path: Option<PathBuf>,
    /// The file to judge, as an option
    #[arg(long, value_name = "FILE", conflicts_with = "path")]
    pub(crate) file: Option<PathBuf>,
    /// Its language, where its name does not tell
    #[arg(long, value_parser = language)]
    pub(crate) language: Option<Language>,
    /// Judge it although the same bytes were judged before
    #[arg(long)]
    pub(crate) again: bool,
    /// End with status 1 when not all tests pass
    #[arg(long)]
    pub(crate) exit_code: bool,
    /// Submit nothing: run the visible cases now and at each save, until Ctrl-C
    #[arg(long, conflicts_with_all = ["again", "exit_code"])]
    pub(crate) watch: bool,
}

impl Submit {
    pub(crate) fn file(&self) -> Result<&PathBuf, Failure> {
        let file = self.path.as_ref().or(self.file.as_ref());
        file.ok_or_else(|| usage_error("no file was named"))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// The file to try
    pub(crate) file: PathBuf,
    /// A case of your own, like 'LRUCache(1) put(1,1) get(1)==1' or a JSON list
    #[arg(long = "case", value_name = "CASE")]
    pub(crate) cases: Vec<String>,
    /// A file of cases: one a line, or a JSON list
    #[arg(long = "cases", value_name = "FILE")]
    pub(crate) file_of_cases: Option<PathBuf>,
    /// Its language, where its name does not tell
    #[arg(long, value_parser = language)]
    pub(crate) language: Option<Language>,
    /// Another problem than the session's
    #[arg(long)]
    pub(crate) problem: Option<String>,
    /// End with status 1 when not all cases pass
    #[arg(long)]
    pub(crate) exit_code: bool,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Confirm {
    /// Agree to see the reference solution
    #[arg(long)]
    pub(crate) confirm: bool,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Shown {
    /// A submission's number [default: the last]
    #[arg(value_name = "N")]
    pub(crate) submission: Option<u32>,
    /// The hints that were given instead
    #[arg(long, conflicts_with = "submission")]
    pub(crate) hints: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Named {
    /// Its id or the beginning of it
    #[arg(value_name = "ID")]
    pub(crate) session: String,
}

#[derive(Debug, Args)]
pub(crate) struct Log {
    /// Go on with what happens, until Ctrl-C
    #[arg(long, short)]
    pub(crate) follow: bool,
    /// Only events after this one
    #[arg(long, value_name = "N", value_parser = event_id, default_value = "0", hide_default_value = true)]
    pub(crate) after: EventId,
    /// For whose eyes: candidate, observer or interviewer
    #[arg(long, visible_alias = "as", value_parser = role, default_value = "candidate")]
    pub(crate) role: Role,
}

#[derive(Debug, Args)]
pub(crate) struct Attach {
    /// As whom: candidate, observer or interviewer
    #[arg(long, visible_alias = "as", value_parser = role, default_value = "observer")]
    pub(crate) role: Role,
    /// Line by line, for screen readers and pipes; VOSIM_PLAIN=1 means the same
    #[arg(long)]
    pub(crate) plain: bool,
    /// Begin after this event
    #[arg(long, value_name = "N", value_parser = event_id, default_value = "0", hide_default_value = true)]
    pub(crate) after: EventId,
}

#[derive(Debug, Args)]
pub(crate) struct Note {
    /// What to keep; no log or export of the session will hold it
    pub(crate) text: String,
    /// The event it speaks of
    #[arg(long, value_name = "N", value_parser = event_id)]
    pub(crate) event: Option<EventId>,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// A session's id or the beginning of it, or a replay bundle [default: the current session]
    #[arg(value_name = "SESSION|FILE")]
    pub(crate) what: Option<PathBuf>,
    /// Do not play: compute every decision anew and compare; status 1 when one differs
    #[arg(long, conflicts_with_all = ["speed", "from"])]
    pub(crate) verify: bool,
    /// How many times as fast as it happened, from 0.1 to 1000, or max: without waiting
    /// [default: 1; max where the output is no terminal]
    #[arg(long, value_name = "N|max", allow_negative_numbers = true)]
    pub(crate) speed: Option<Speed>,
    /// Begin with this event, or so long after the session's beginning
    #[arg(long, value_name = "EVENT|MM:SS", allow_negative_numbers = true)]
    pub(crate) from: Option<Place>,
    /// Stop after this event, or so long after the session's beginning
    #[arg(long, value_name = "EVENT|MM:SS", allow_negative_numbers = true)]
    pub(crate) until: Option<Place>,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// A file of records [default: the session's log in the store]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Why {
    /// Its number in the log
    #[arg(value_parser = event_id)]
    pub(crate) event: EventId,
    /// For whose eyes: candidate, observer or interviewer
    #[arg(long, visible_alias = "as", value_parser = role, default_value = "candidate")]
    pub(crate) role: Role,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// jsonl: a drill's seven types of events in their plain form; records: every record as it is
    /// stored [default: jsonl for a drill, records for an interview]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<ExportFormat>,
    /// Of an ended session: evaluation, for those who judge an interview; replay, which verifies
    /// and plays back on any machine. Both hold what is hidden from candidates
    #[arg(long, value_name = "WHICH", value_parser = bundle, conflicts_with = "format")]
    pub(crate) bundle: Option<Bundle>,
    /// Where to write it [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace a file that is there, whatever it holds; an earlier export is replaced anyway
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    Jsonl,
    Records,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Problem {
    /// Print its statement and the names of its tests
    Show {
        /// Which problem [default: the session's]
        problem: Option<String>,
        /// Write its file to start from, never over an existing one
        #[arg(long, value_name = "FILE")]
        starter: Option<PathBuf>,
        /// The language of that file
        #[arg(long, value_parser = language, default_value = "python")]
        language: Language,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Problems {
    /// Prove a problem package: its programs get their promised verdicts
    Check {
        /// The package's folder
        dir: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Schema {
    /// List what is wrong with a schema, one fault a line
    Check {
        /// A schema in TOML
        file: PathBuf,
    },
    /// Print a schema, to begin one of your own with
    Show {
        /// A schema in TOML [default: the standard one]
        file: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// A submission's number [default: the last but one]
    pub(crate) a: Option<u32>,
    /// Another submission's number [default: the last]
    pub(crate) b: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct Delete {
    /// Its id or the beginning of it; --session names it as well
    #[arg(value_name = "SESSION")]
    pub(crate) id: Option<String>,
    /// Only the submitted code; the log stays
    #[arg(long)]
    pub(crate) code: bool,
    /// Do not ask
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// The copy that `backup` wrote
    #[arg(value_name = "BACKUP", required_unless_present_any = ["from_exports", "accept_loss"])]
    pub(crate) path: Option<PathBuf>,
    /// Make a store from the exports of ended sessions, where there is no copy
    #[arg(long, conflicts_with_all = ["path", "accept_loss"])]
    pub(crate) from_exports: bool,
    /// Go on with what is left of a store that has lost its end
    #[arg(long, conflicts_with = "path")]
    pub(crate) accept_loss: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PathArg {
    /// A file or folder
    pub(crate) path: PathBuf,
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Store {
    /// Rewrite the store without what is no longer needed
    Compact,
    /// Show how large it is
    Stats,
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Config {
    /// Print each setting and where it comes from
    Show,
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Protocol {
    /// Print the JSON Schema of every method, notice and record
    Describe,
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Daemon {
    /// Start it if it does not run
    Start,
    /// Stop it; sessions go on when it runs again
    Stop,
    /// Show whether it runs and what it does
    Status,
}

/// Reads the command line.
///
/// `vosimctl status` alone stands in prompts and status bars, where the third of its time that
/// building the whole grammar takes is felt; it has no arguments to look at.
pub(crate) fn read() -> Result<Cli, clap::Error> {
    let mut words = std::env::args_os().skip(1);
    match (words.next(), words.next()) {
        (Some(word), None) if word == "status" => Ok(bare_status()),
        _ => Cli::try_parse(),
    }
}

fn bare_status() -> Cli {
    let global =
        Global { session: None, json: false, no_start: false, color: When::Auto, ascii: false };
    Cli { global, command: Command::Status }
}

impl Cli {
    /// How this command prints; `attach --plain` its errors too.
    pub(crate) fn output(&self) -> Output {
        let plain = matches!(&self.command, Command::Attach(attach) if attach.plain);
        self.global.output().in_lines(plain)
    }
}

impl Global {
    fn output(&self) -> Output {
        Output {
            terminal: Terminal::detect(self.color, self.ascii),
            format: if self.json { Format::Json } else { Format::Screen },
        }
    }

    pub(crate) fn auto_start(&self) -> AutoStart {
        if self.no_start { AutoStart::No } else { AutoStart::Yes }
    }
}

/// Help is an answer; anything else that clap says is a mistake that the user can mend, which
/// has the status 1 here and 2 by clap's own habit (000: error handling).
pub(crate) fn misused(error: &clap::Error) -> Exit {
    let exit = exit_of(error.kind());
    if exit == Exit::Fixable && std::env::args_os().any(|arg| arg == "--json") {
        let object = misuse(&error.render().to_string());
        let line = object.and_then(|object| serde_json::to_string(&object).ok());
        let line = line.unwrap_or_default() + "\n";
        std::io::stderr().write_all(line.as_bytes()).ok();
    } else {
        // A reader who has gone has read enough.
        error.print().ok();
    }
    exit
}

/// What clap says in paragraphs: the mistake, perhaps a tip, the usage.
fn misuse(text: &str) -> Option<ErrorText> {
    let joined = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut paragraphs = text.split("\n\n").map(joined);
    let mistake = paragraphs.next().unwrap_or_default();
    let mistake = mistake.strip_prefix("error: ").unwrap_or(&mistake).to_owned();
    let mut object = usage_error(mistake).text(Spelling::CommandLine)?;
    let tip = paragraphs.find_map(|paragraph| Some(paragraph.strip_prefix("tip: ")?.to_owned()));
    object.hint = tip.or(object.hint);
    Some(object)
}

fn exit_of(kind: ErrorKind) -> Exit {
    match kind {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Done,
        _ => Exit::Fixable,
    }
}

fn language(text: &str) -> Result<Language, String> {
    let known = Language::ALL.into_iter().find(|language| language.name() == text);
    known.ok_or_else(|| "it is python or javascript".to_owned())
}

fn bundle(text: &str) -> Result<Bundle, String> {
    let known = [Bundle::Evaluation, Bundle::Replay].into_iter().find(|one| one.name() == text);
    known.ok_or_else(|| "it is evaluation or replay".to_owned())
}

fn role(text: &str) -> Result<Role, String> {
    match text {
        "candidate" => Ok(Role::Candidate),
        "observer" => Ok(Role::Observer),
        "interviewer" => Ok(Role::Interviewer),
        _ => Err("it is candidate, observer or interviewer".to_owned()),
    }
}

fn event_id(text: &str) -> Result<EventId, std::num::ParseIntError> {
    text.parse().map(EventId)
}

#[cfg(test)]
mod tests;
