//! The grammar of an attempt's own commands: one for each step of 003.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use vosim_protocol::v1::attempt;
use vosim_protocol::v1::problem::Language;

use crate::cli::live;
use crate::cli::practice::Tried;
use crate::cli::values::language;

pub(super) const EXAMPLES: &str = "\
Examples:
  vosimctl attempt start lru_cache             present the problem and write a file to work in
  vosimctl attempt understand                  explain it in a form, in your editor
  vosimctl attempt plan                        see which patterns come into question
  vosimctl attempt choose map_and_linked_list --confidence 4 \\
      --template update_keeps_size --choice size=1 --choice place=1
  vosimctl attempt watch lru_cache.py          run the visible cases at each save
  vosimctl submit lru_cache.py
  vosimctl attempt trace
  vosimctl attempt explain 3 'the order is wrong after a read'
  vosimctl attempt retry";

#[derive(Debug, Subcommand)]
pub(crate) enum Attempt {
    /// Start an attempt: show the problem, write a file to work in
    Start(AttemptStart),
    /// Set the mode; possible until the problem was explained
    Mode {
        /// How much guidance there is
        #[arg(ignore_case = true)]
        mode: Mode,
    },
    /// Explain the problem: in a form in your editor, or in a filled form
    Understand {
        /// A filled form, or `-` for standard input [default: a form in $EDITOR]
        form: Option<PathBuf>,
        /// Print an empty form and do nothing else
        #[arg(long, conflicts_with = "form")]
        print: bool,
    },
    /// Answer a question of the assessment
    Answer {
        /// Which question, counted from 1
        question: usize,
        /// The answer
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// See which patterns come into question
    Plan {
        /// What you have understood [default: your explanation]
        words: Vec<String>,
    },
    /// Answer the next question about the pattern
    Discover {
        /// Your answer
        #[arg(ignore_case = true)]
        answer: YesNo,
    },
    /// Choose a pattern and an invariant; without arguments in your editor
    Choose(Choose),
    /// Write down how you will go about it, in an attempt of three steps
    Approach {
        /// The approach
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Run the visible cases and your own now and at each save; nothing is submitted
    Watch(Tried),
    /// Say why a test failed, and hear what it may be
    Explain {
        /// The test, counted from 0 in the last run
        test: u32,
        /// What you think went wrong
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// See the last failure call by call, or have another failed test traced
    Trace {
        /// The test, counted from 0 in the last run [default: show the last trace]
        test: Option<u32>,
        /// A case of your own instead, by its number
        #[arg(long, value_name = "N", conflicts_with = "test")]
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        own: Option<u32>,
    },
    /// Keep cases of your own: they run with every test and submission and never count
    Case {
        #[command(subcommand)]
        command: Case,
    },
    /// Try your file on drawn inputs against a slow and simple one of yours, until they differ
    Stress(Stress),
    /// Write a script with the last failure beside your file, to step through it
    Debug {
        /// The file with your code [default: the one that was submitted last]
        file: Option<PathBuf>,
    },
    /// Keep notes on a failing run; they replace the earlier ones
    Note {
        /// The notes
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Go back to the code after a failed test
    Retry,
    /// Try an input on the planted wrong programs
    Challenge {
        /// A run of calls, like 'LRUCache(1) put(1,1) get(1)'
        case: String,
    },
    /// Say what you take along, which completes the attempt; without arguments in your editor
    Reflect {
        /// What to look out for next time; may be given several times
        #[arg(long = "cue", value_name = "TEXT")]
        cues: Vec<String>,
        /// What held after each call
        #[arg(long, value_name = "TEXT")]
        invariant: Option<String>,
    },
    /// Go on without doing the step
    Skip,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Case {
    /// Keep a case, if the reference agrees with its answers
    Add {
        /// A run of calls, like 'LRUCache(1) put(1,1) get(1) -> 1'
        case: String,
    },
    /// List the cases that are kept
    List,
    /// Drop a case
    Remove {
        /// Which, counted from 1
        number: u32,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Stress {
    /// The file in doubt
    pub(crate) file: PathBuf,
    /// A slow and simple solution of your own
    #[arg(long, value_name = "FILE")]
    pub(crate) against: PathBuf,
    /// Most rounds; each draws all inputs anew
    #[arg(long, value_name = "N", default_value_t = 100)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) rounds: u32,
    /// Longest time, seconds
    #[arg(long, value_name = "N", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=600))]
    pub(crate) seconds: u32,
}

#[derive(Debug, Args)]
pub(crate) struct AttemptStart {
    /// Which problem, or a package like ./mine [default: lru_cache]
    #[arg(add = live::problems_or_folders())]
    pub(crate) problem: Option<String>,
    /// How much guidance there is [default: as configured]
    #[arg(long, ignore_case = true)]
    pub(crate) mode: Option<Mode>,
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
    #[arg(long, value_parser = language, add = live::languages(), default_value = "python")]
    pub(crate) language: Language,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Mode {
    /// Every step is taken
    Beginner,
    /// Explaining and planning may be skipped
    Expert,
}

impl From<Mode> for attempt::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Beginner => Self::Beginner,
            Mode::Expert => Self::Expert,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum YesNo {
    Yes,
    No,
}

#[derive(Debug, Args)]
pub(crate) struct Choose {
    /// Which pattern
    #[arg(requires = "confidence")]
    pub(crate) pattern: Option<String>,
    /// How sure you are, 1 (not at all) to 5
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5))]
    #[arg(requires = "pattern")]
    pub(crate) confidence: Option<u8>,
    /// What holds after each call, in your own words
    #[arg(long, value_name = "TEXT", conflicts_with = "template", requires = "pattern")]
    pub(crate) invariant: Option<String>,
    /// A sentence with gaps to make the invariant of
    #[arg(long, value_name = "ID", requires_all = ["pattern", "choices"])]
    pub(crate) template: Option<String>,
    /// What stands in a gap, like `bound=1`, counted from 0
    #[arg(long = "choice", id = "choices", value_name = "GAP=N", requires = "template")]
    #[arg(value_parser = choice)]
    pub(crate) choices: Vec<(String, usize)>,
    /// What it will cost
    #[arg(long, value_name = "TEXT", requires = "pattern")]
    pub(crate) complexity: Option<String>,
}

fn choice(text: &str) -> Result<(String, usize), String> {
    let read = text
        .split_once('=')
        .and_then(|(gap, number)| Some((gap.trim().to_owned(), number.trim().parse().ok()?)));
    read.ok_or_else(|| "write it like bound=1".to_owned())
}
