//! The grammar of what one does with a problem.

use std::fmt;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use vosim_protocol::ProblemId;
use vosim_protocol::v1::problem::Language;

use crate::cli::live;
use crate::cli::values::language;

#[derive(Debug, Args)]
pub(crate) struct Start {
    /// Which problem, or a package like ./mine [default: lru_cache]
    #[arg(add = live::problems_or_folders())]
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
    #[arg(long, value_parser = language, add = live::languages(), default_value = "python")]
    pub(crate) language: Language,
}

#[derive(Debug, Args)]
pub(crate) struct Submit {
    /// The file to judge [default: the session's]
    #[arg(value_name = "FILE")]
    pub(crate) path: Option<PathBuf>,
    /// The file to judge, as an option
    #[arg(long, value_name = "FILE", conflicts_with = "path")]
    pub(crate) file: Option<PathBuf>,
    /// The language, if the file's name does not tell it
    #[arg(long, value_parser = language, add = live::languages())]
    pub(crate) language: Option<Language>,
    /// Judge it although the same bytes were judged before
    #[arg(long)]
    pub(crate) again: bool,
    /// End with status 1 when not all tests pass
    #[arg(long)]
    pub(crate) exit_code: bool,
    /// Submit nothing: the same as `test --watch`
    #[arg(long, conflicts_with_all = ["again", "exit_code"])]
    pub(crate) watch: bool,
}

impl Submit {
    /// What `--watch` tries.
    pub(crate) fn tried(&self) -> Tried {
        let (file, language) = (self.file().cloned(), self.language);
        Tried { file, cases: Vec::new(), file_of_cases: None, language }
    }

    pub(crate) fn file(&self) -> Option<&PathBuf> {
        self.path.as_ref().or(self.file.as_ref())
    }
}

/// A file that is tried, and the cases of one's own.
#[derive(Debug, Args)]
pub(crate) struct Tried {
    /// The file to try [default: the session's]
    pub(crate) file: Option<PathBuf>,
    /// A case of your own, like 'LRUCache(1) put(1,1) get(1)==1' or a JSON list
    #[arg(long = "case", value_name = "CASE")]
    pub(crate) cases: Vec<String>,
    /// A file of cases: one a line, or a JSON list
    #[arg(long = "cases", value_name = "FILE")]
    pub(crate) file_of_cases: Option<PathBuf>,
    /// The language, if the file's name does not tell it
    #[arg(long, value_parser = language, add = live::languages())]
    pub(crate) language: Option<Language>,
}

#[derive(Debug, Args)]
pub(crate) struct Test {
    #[command(flatten)]
    pub(crate) tried: Tried,
    /// Another problem than the session's
    #[arg(long, add = live::problems())]
    pub(crate) problem: Option<String>,
    /// End with status 1 when not all cases pass
    #[arg(long)]
    pub(crate) exit_code: bool,
    /// With all calls of long runs
    #[arg(long)]
    pub(crate) full: bool,
    /// Run them now and at each save, until Ctrl-C or the end of the session
    #[arg(long, conflicts_with = "exit_code")]
    pub(crate) watch: bool,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Confirm {
    /// Do not ask: show the reference solution
    #[arg(long, alias = "confirm")]
    pub(crate) yes: bool,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Hint {
    /// Do not ask where the next level is the reference solution, but show it
    #[arg(long, alias = "confirm")]
    pub(crate) yes: bool,
    /// A level that was given before, or after the end of a drill any of 1 to 4
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) level: Option<u8>,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Shown {
    /// A submission's number [default: the last]
    #[arg(value_name = "N", add = live::submissions())]
    pub(crate) submission: Option<u32>,
    /// The hints that were given instead
    #[arg(long, conflicts_with = "submission")]
    pub(crate) hints: bool,
    /// With all calls of long runs
    #[arg(long)]
    pub(crate) full: bool,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct End {
    /// Do not ask, where there is something to ask about: an interview is left before its end
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Problem {
    /// Read how it can be solved, when the session is over: the idea, variations, right programs
    Discussion {
        /// Read all hints instead
        #[arg(long, conflicts_with = "tests")]
        hints: bool,
        /// Read the data of all tests instead, the hidden ones too
        #[arg(long)]
        tests: bool,
    },
    /// Print its statement and the names of its tests
    Show {
        /// Which problem [default: the session's]
        #[arg(add = live::problems())]
        problem: Option<String>,
        /// Write its file to start from, never over an existing one
        #[arg(long, value_name = "FILE")]
        starter: Option<PathBuf>,
        /// The language of that file
        #[arg(long, value_parser = language, add = live::languages(), default_value = "python")]
        language: Language,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Problems {
    /// List the problems, your own among them
    List,
    /// Write a small package to begin a problem of your own with
    New {
        /// Its folder, which must not be there yet
        dir: PathBuf,
        /// What a candidate's file must define
        #[arg(long, value_enum, default_value = "class")]
        form: PackageForm,
    },
    /// Prove a problem package: its programs get their promised verdicts
    Check {
        /// The package's folder
        dir: PathBuf,
        /// Also with the hidden inputs of so many seeds, at most 1000 [default: 1]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=1_000))]
        seeds: Option<u64>,
    },
    /// Find wrong programs, one change away from the reference, that the tests of a problem let pass
    Harden {
        /// A problem's id, or a package's folder (with a slash)
        #[arg(add = live::problems_or_folders())]
        problem: String,
        /// Compare with the hidden inputs of so many seeds, 1 to 1000 [default: 20]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000))]
        seeds: Option<u64>,
        /// Try so many changed programs of a language at most [default: 2000]
        #[arg(long, value_name = "N")]
        most: Option<u64>,
        /// Change the right program of this language only [default: each that can be]
        #[arg(long, value_parser = language, add = live::languages())]
        language: Option<Language>,
    },
    /// Prove a package and keep it among the problems
    Add {
        /// The package's folder
        dir: PathBuf,
    },
    /// Take a problem of your own away; sessions about it go on
    Remove {
        /// Its id
        #[arg(add = live::problems())]
        id: ProblemId,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

/// What a candidate's file must define.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PackageForm {
    /// A class with methods
    Class,
    /// A function
    Function,
}

impl fmt::Display for PackageForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Class => "class",
            Self::Function => "function",
        })
    }
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
        /// A schema in TOML, or the name of one: standard, short [default: standard]
        file: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// A submission's number [default: the last but one]
    #[arg(add = live::submissions())]
    pub(crate) a: Option<u32>,
    /// Another submission's number [default: the last]
    #[arg(add = live::submissions())]
    pub(crate) b: Option<u32>,
}
