//! The command line's grammar and its help.
//!
//! The grammar checks spelling only; whether something is possible is the daemon's to say.

mod about;
mod attempt;
mod interview;
mod live;
mod practice;
mod sessions;
mod task;
mod upkeep;
mod values;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};

pub(crate) use attempt::{Attempt, AttemptStart, Case, Choose, Stress, YesNo};
pub(crate) use interview::{Ask, Interview, InterviewStart, Say, Text, Watch};
pub(crate) use practice::{
    Confirm, Diff, End, Hint, PackageForm, Problem, Problems, Schema, Shown, Start, Submit, Test,
    Tried,
};
pub(crate) use sessions::{
    Attach, Code, Delete, Export, ExportFormat, List, Log, Named, Note, PageFile, Replay, Report,
    ResultWanted, Verify, Why,
};
pub(crate) use task::{
    Task, TaskCaps, TaskResume, TaskRun, TestRunCaps, language as task_language,
};
pub(crate) use upkeep::{Config, Daemon, Doctor, PathArg, Protocol, Quarantine, Restore, Store};

use crate::client::AutoStart;
use crate::errors::{ErrorText, Exit, Failure, SEE_HELP, usage_error};
use crate::output::{Format, Output};
use crate::render::look::Colour;
use crate::spelling::Spelling;
use crate::terminal::{Terminal, When};

/// The subcommands in the groups and the order in which help shows them.
const GROUPS: [(&str, &[&str]); 7] = [
    (
        "Practice",
        &[
            "start", "submit", "test", "hint", "give-up", "result", "status", "end", "problem",
            "problems", "review", "progress", "schema", "diff",
        ],
    ),
    ("Guided practice", &["attempt"]),
    ("Interviews", &["interview", "say", "ask", "done"]),
    ("The autonomous candidate", &["task", "approvals"]),
    (
        "Sessions",
        &[
            "list", "use", "attach", "code", "cancel", "log", "note", "notes", "why", "report",
            "replay", "verify", "export", "delete",
        ],
    ),
    (
        "Daemon",
        &[
            "daemon",
            "doctor",
            "config",
            "store",
            "backup",
            "restore",
            "quarantine",
            "protocol",
            "socket-path",
        ],
    ),
    ("Help", &[HELP, "version", "completions"]),
];

/// The subcommand that the grammar brings along.
const HELP: &str = "help";

const COMPLETIONS: &str = "\
`make install` puts them where bash, zsh and fish look by themselves. Elsewhere:
  bash   eval \"$(vosimctl completions bash)\"    in ~/.bashrc
  zsh    eval \"$(vosimctl completions zsh)\"     in ~/.zshrc, after compinit
  fish   vosimctl completions fish | source      in ~/.config/fish/config.fish

Ids, problems and sections are asked of the daemon while it runs; none is started for it.";

const EXAMPLES: &str = "\
Examples:
  vosimctl start                           begin with the LRU Cache
  vosimctl test lru_cache.py --case 'LRUCache(1) put(1,1) get(1)==1'
  vosimctl submit lru_cache.py             judge it
  vosimctl test --watch lru_cache.py       run the visible cases at each save
  vosimctl hint                            when you are stuck
  vosimctl attach                          follow along in another terminal
  vosimctl interview start                 45 minutes in four sections
  vosimctl attach --as candidate --plain   talk in that interview, line by line
  vosimctl log --json | jq .event_type     read the log with a program

Exit status: 0 done, also when the submitted code failed; 1 something you can fix; 2 a fault in vosim.
The daemon vosimd is started when it is needed. VOSIM_SOCKET names another socket for it.";

/// Technical interviews and practice on this machine.
#[derive(Debug, Parser)]
#[command(name = "vosimctl", version, after_help = EXAMPLES)]
#[command(arg_required_else_help = true, max_term_width = 100)]
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
    /// A session other than the current one: its id, or the beginning of it
    #[arg(long, global = true, value_name = "ID", add = live::sessions())]
    pub(crate) session: Option<String>,
    /// Print data as JSON, one object a line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Do not start the daemon if none is running
    #[arg(long, global = true)]
    pub(crate) no_start: bool,
    /// When to use colour and boxes
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
    /// Use only ASCII characters
    #[arg(long, global = true)]
    pub(crate) ascii: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Start a session: print the problem, write a file to start from
    Start(Start),
    /// Submit a file for judging
    Submit(Submit),
    /// Run the visible cases and your own; not a submission
    Test(Test),
    /// Ask for a hint, or read one again
    Hint(Hint),
    /// Ask for the reference solution
    GiveUp(Confirm),
    /// Show a verdict with its feedback again, or the hints
    Result(Shown),
    /// Show where the session stands
    Status,
    /// End the session and show the summary
    End(End),
    /// Take a problem in five steps: understand, plan, implement, verify, reflect
    #[command(after_help = attempt::EXAMPLES)]
    Attempt {
        #[command(subcommand)]
        command: Attempt,
    },
    /// Start an interview, begin it, have a file watched
    #[command(after_help = interview::EXAMPLES)]
    Interview {
        #[command(subcommand)]
        command: Interview,
    },
    /// Say something to the interviewer, or answer what a drill asks after a pass
    Say(Say),
    /// Ask the assistant, and wait for its answer
    Ask(Ask),
    /// Finish the section that is open
    Done,
    /// Have an agent write code until its tests pass
    #[command(after_help = task::EXAMPLES)]
    Task {
        #[command(subcommand)]
        command: Task,
    },
    /// List what any task waits for from a person
    Approvals,
    /// List the sessions
    List(List),
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
    #[command(after_help = sessions::REPLAY)]
    Replay(Replay),
    /// Check that a log has not been changed
    Verify(Verify),
    /// Explain why an event is as it is; without a number, the last decision
    Why(Why),
    /// Print the code of a submission again, byte by byte
    Code(Code),
    /// Call off the evaluation that is under way; it counts for nothing
    Cancel,
    /// Tell what a session teaches that has ended
    Report(Report),
    /// Show your sessions over time: what gets better
    Progress(PageFile),
    /// Write a session's log
    Export(Export),
    /// Show a problem again
    Problem {
        #[command(subcommand)]
        command: Problem,
    },
    /// List the problems; write, check and keep your own
    Problems {
        #[command(subcommand)]
        command: Option<Problems>,
    },
    /// Propose what to solve again, and when
    Review,
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
    /// List what recoveries have put aside, put it back or erase it
    Quarantine {
        #[command(subcommand)]
        command: Option<Quarantine>,
    },
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
    /// Print what makes a shell complete commands, sessions and problems
    #[command(after_help = COMPLETIONS)]
    Completions {
        /// For which shell
        shell: CompletedShell,
    },
    /// Show the version
    Version,
    /// Write the manual pages into a folder
    #[command(hide = true)]
    Man {
        /// The folder, which is made where it is missing
        dir: PathBuf,
    },
    /// Print the path of the daemon's socket
    SocketPath,
}

/// A shell that can be told to complete.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CompletedShell {
    Bash,
    Zsh,
    Fish,
}

/// Reads the command line.
///
/// `vosimctl status` alone stands in prompts and status bars, where the third of its time that
/// building the whole grammar takes is felt; it has no arguments to look at.
pub(crate) fn read() -> Result<Cli, clap::Error> {
    let mut words = std::env::args_os().skip(1);
    match (words.next(), words.next()) {
        (Some(word), None) if word == "status" => Ok(bare_status()),
        _ => parse(std::env::args_os()),
    }
}

fn parse(args: impl IntoIterator<Item = impl Into<OsString>>) -> Result<Cli, clap::Error> {
    let words: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let mut grammar = grammar();
    let matches = match grammar.try_get_matches_from_mut(&words) {
        Err(error) if error.kind() == ErrorKind::InvalidSubcommand => {
            grammar.try_get_matches_from_mut(help_as_option(&words).ok_or(error)?)
        }
        found => found,
    };
    Cli::from_arg_matches(&matches?).map_err(|error| error.format(&mut grammar))
}

/// A line that asks for help by the word for it, with the option in its place: the word takes nothing but
/// names of commands, and global options may stand anywhere else. None where it has no options.
fn help_as_option(words: &[OsString]) -> Option<Vec<OsString>> {
    let at = words.iter().position(|word| word == HELP)?;
    let (before, behind) = (&words[..at], &words[at + 1..]);
    let is_option = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
    let option = OsString::from(format!("--{HELP}"));
    behind.iter().any(is_option).then(|| [before, behind, &[option]].concat())
}

/// The grammar with the help that shows its subcommands in groups.
pub(crate) fn grammar() -> clap::Command {
    let grammar = Cli::command();
    let mut help = "{about}\n\n{usage-heading} {usage}\n\n".to_owned();
    for (heading, names) in GROUPS {
        writeln!(help, "{heading}:").expect("a text takes any text");
        for name in names {
            let about = match *name {
                HELP => "Show this help, or that of a command".into(),
                name => {
                    let about = grammar.find_subcommand(name).and_then(clap::Command::get_about);
                    about.expect("a group lists subcommands, and each has a line of help").clone()
                }
            };
            writeln!(help, "  {name:<11}  {about}").expect("a text takes any text");
        }
        help.push('\n');
    }
    help.push_str("Options:\n{options}{after-help}");
    grammar.help_template(help)
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
        let full = match &self.command {
            Command::Result(shown) => shown.full,
            Command::Test(test) => test.full,
            _ => false,
        };
        self.global.output().in_lines(plain).in_full(full)
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
    let text = if is_help(error.kind()) {
        match told(error) {
            Ok(()) => return exit_of(error.kind()),
            // A reader who has gone has read enough.
            Err(failure) if failure.kind() == io::ErrorKind::BrokenPipe => {
                return exit_of(error.kind());
            }
            Err(failure) => Failure::unprinted(&failure).text(Spelling::CommandLine),
        }
    } else {
        let typed: Vec<_> = std::env::args_os().skip(1).collect();
        misuse(&as_called(error.render().to_string(), &typed))
    };
    if let Some(text) = text {
        as_typed().output().error(&text);
    }
    Exit::Fixable
}

/// How a command line that was not understood wants its error to be told.
fn as_typed() -> Global {
    let typed = |option: &str| std::env::args_os().any(|arg| arg == option);
    let (json, ascii) = (typed("--json"), typed("--ascii"));
    Global { session: None, json, no_start: false, color: When::Auto, ascii }
}

/// Writes help where it is read page by page: to standard output, whoever asked for it and how.
fn told(error: &clap::Error) -> io::Result<()> {
    let colour = Terminal::detect(When::Auto, false).look.colour == Colour::On;
    let text = match error.render() {
        text if colour && io::stdout().is_terminal() => text.ansi().to_string(),
        text => text.to_string(),
    };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// What clap says, with options called as they were typed: clap calls each by the first of its names.
fn as_called(mut text: String, typed: &[OsString]) -> String {
    let is_typed = |name: &str| {
        let option = format!("--{name}");
        let mut words = typed.iter().filter_map(|word| word.to_str());
        words.any(|word| word.split('=').next() == Some(option.as_str()))
    };
    let (command, _) = meant(typed.iter().cloned());
    for argument in command.get_arguments() {
        let mut others = argument.get_all_aliases().unwrap_or_default().into_iter();
        if let Some(name) = argument.get_long().filter(|name| !is_typed(name))
            && let Some(called) = others.find(|other| is_typed(other))
        {
            // Behind it stands what it takes, or the quotation's end.
            for end in [' ', '\''] {
                text = text.replace(&format!("--{name}{end}"), &format!("--{called}{end}"));
            }
        }
    }
    text
}

/// One sentence and the next step of what clap says in paragraphs: the mistake, perhaps a tip, perhaps
/// how the command is used.
fn misuse(text: &str) -> Option<ErrorText> {
    let joined = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let paragraphs: Vec<_> = text.split("\n\n").map(joined).collect();
    let behind =
        |label: &str| paragraphs.iter().find_map(|paragraph| paragraph.strip_prefix(label));
    let mistake = behind("error: ").or(paragraphs.first().map(String::as_str)).unwrap_or_default();
    // Help names them with what they do.
    let mistake = mistake.split(" [subcommands: ").next().unwrap_or(mistake);
    let mut object = usage_error(plainly(mistake)).text(Spelling::CommandLine)?;
    let page = behind("Usage: ").map(|usage| format!("See: {} --help", command_in(usage)));
    object.hint = behind("tip: ").map(str::to_owned).or(page).or(object.hint);
    point_at_help(&mut object);
    Some(object)
}

/// The same without what a library says of a number, which a program's author understands.
fn plainly(mistake: &str) -> String {
    const WORDS: [(&str, &str); 5] = [
        ("invalid digit found in string", "it takes a whole number"),
        ("cannot parse integer from empty string", "it takes a whole number"),
        ("number too large to fit in target type", "the number is too large"),
        ("number too small to fit in target type", "the number is too small"),
        ("invalid float literal", "it takes a number"),
    ];
    let range = || {
        let (said, range) = mistake.rsplit_once(" is not in ")?;
        let (option, _) = said.rsplit_once(": ")?;
        let (first, last) = range.split_once("..=")?;
        Some(format!("{option}: it takes a number from {first} to {last}"))
    };
    let words =
        || WORDS.iter().fold(mistake.to_owned(), |text, (said, told)| text.replace(said, told));
    range().unwrap_or_else(words)
}

/// Names the help of the command that was typed, in an error that names only all of it.
pub(crate) fn point_at_help(error: &mut ErrorText) {
    if error.hint.as_deref() == Some(SEE_HELP) {
        error.hint = Some(format!("See: {} --help", named_in(std::env::args_os().skip(1))));
    }
}

/// The command that some words name, with what stands before it.
fn named_in(words: impl Iterator<Item = OsString>) -> String {
    meant(words).1
}

/// The same command, and its name.
fn meant(words: impl Iterator<Item = OsString>) -> (clap::Command, String) {
    let mut command = grammar();
    let mut named = command.get_name().to_owned();
    for word in words.filter(|word| word != HELP) {
        let below = word.to_str().and_then(|word| command.find_subcommand(word)).cloned();
        if let Some(below) = below {
            named = format!("{named} {}", below.get_name());
            command = below;
        }
    }
    (command, named)
}

/// The words of a usage before its options and arguments.
fn command_in(usage: &str) -> String {
    let is_fixed = |word: &&str| !word.starts_with(['[', '<', '-']);
    usage.split(' ').take_while(is_fixed).collect::<Vec<_>>().join(" ")
}

/// What clap says when it is asked for help, or for nothing.
fn is_help(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    )
}

fn exit_of(kind: ErrorKind) -> Exit {
    match kind {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Done,
        _ => Exit::Fixable,
    }
}

#[cfg(test)]
mod tests;
