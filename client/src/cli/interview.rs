//! The grammar of an interview's own commands.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::problem::Language;

use crate::cli::live;
use crate::cli::values::{language, time_percent};

pub(super) const EXAMPLES: &str = "\
Examples:
  vosimctl interview start --file my_lru.py    read the problem; Enter starts the clock, q leaves
  vosimctl interview start --now               start the clock at once, as a script does
  vosimctl interview start --schema short      twenty minutes instead of forty-five
  vosimctl interview start --time 150 --hold   half as much time again; start it with: begin
  vosimctl say 'It maps keys to values, and drops the one that was used longest ago.'
  vosimctl ask --error 'KeyError: 7'";

#[derive(Debug, Subcommand)]
pub(crate) enum Interview {
    /// Start an interview: read the problem, begin when you are ready, and talk on a live screen
    Start(InterviewStart),
    /// Start the clock of an interview that was held
    Begin,
    /// Have a file watched: saves are noted, and it is submitted at its deadline
    Watch(Watch),
    /// No longer have a file watched
    Unwatch,
    /// Say something to the interviewer
    Say(Say),
    /// Ask the assistant, and wait for its answer
    Ask(Ask),
    /// Finish the section that is open
    Done,
}

#[derive(Debug, Args)]
pub(crate) struct InterviewStart {
    /// Which problem [default: lru_cache]
    #[arg(long, value_name = "PROBLEM", add = live::problems())]
    pub(crate) problem: Option<String>,
    /// Which schema: standard, short (20 minutes), or a file of your own [default: standard]
    #[arg(long, value_name = "SCHEMA", add = live::schemas())]
    pub(crate) schema: Option<PathBuf>,
    /// Who is interviewed, or a token that stands for them
    #[arg(long, value_name = "NAME")]
    pub(crate) candidate: Option<String>,
    /// How much time is given, percent of the schema's: 25 to 400
    #[arg(long, value_name = "PERCENT", default_value_t = 100, hide_default_value = true)]
    #[arg(value_parser = time_percent)]
    pub(crate) time: u32,
    /// Give one more warning, twice as early as the first
    #[arg(long)]
    pub(crate) larger_warnings: bool,
    /// The file to work in; it is written where it is missing, and watched
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The language of that file, where its name does not tell [default: python]
    #[arg(long, value_parser = language, add = live::languages())]
    pub(crate) language: Option<Language>,
    /// Do not have that file watched
    #[arg(long)]
    pub(crate) no_watch: bool,
    /// Open it beside a session in progress
    #[arg(long)]
    pub(crate) new: bool,
    /// Do not start the clock yet
    #[arg(long)]
    pub(crate) hold: bool,
    /// On a terminal: start the clock at once, and open no live screen
    #[arg(long, conflicts_with = "hold")]
    pub(crate) now: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Watch {
    /// The file
    pub(crate) file: PathBuf,
    /// The language, if the file's name does not tell it
    #[arg(long, value_parser = language, add = live::languages())]
    pub(crate) language: Option<Language>,
}

/// A text in words, or from standard input.
#[derive(Debug, Args)]
pub(crate) struct Text {
    /// What is said; - or nothing reads it from a pipe
    #[arg(value_name = "TEXT", allow_negative_numbers = true)]
    pub(crate) words: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Say {
    #[command(flatten)]
    pub(crate) text: Text,
    /// The section it answers, by its id [default: the open one]
    #[arg(long, value_name = "ID")]
    pub(crate) section: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Ask {
    #[command(flatten)]
    pub(crate) text: Text,
    /// Ask what a thing is or how it behaves; so it is without a word
    #[arg(long, group = "kind")]
    pub(crate) concept: bool,
    /// Ask what an error message means
    #[arg(long, group = "kind")]
    pub(crate) error: bool,
    /// Ask about this file of your own
    #[arg(long, value_name = "FILE", group = "kind")]
    pub(crate) code: Option<PathBuf>,
}

impl Ask {
    /// What kind of help, and the code it is about.
    pub(crate) fn about(&self) -> (AskKind, Option<&Path>) {
        match &self.code {
            Some(file) => (AskKind::Code, Some(file)),
            None if self.error => (AskKind::Error, None),
            None => (AskKind::Concept, None),
        }
    }
}
