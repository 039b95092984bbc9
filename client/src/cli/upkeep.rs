//! The grammar of what one does with the daemon and its store.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Daemon {
    /// Start it if it does not run
    Start,
    /// Stop it; sessions go on when it runs again
    Stop,
    /// Show whether it runs and what it does
    Status,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Doctor {
    /// Probe the sandbox anew, though the last probe may still hold
    #[arg(long)]
    pub(crate) fresh: bool,
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Config {
    /// Print each setting and where it comes from
    Show,
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Store {
    /// Rewrite the store without what is no longer needed
    Compact,
    /// Show how large it is
    Stats,
}

#[derive(Debug, Args)]
pub(crate) struct PathArg {
    /// The file to write, or - for standard output; an earlier copy or an empty file is replaced, and nothing else
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// The copy that `backup` wrote
    #[arg(value_name = "BACKUP", required_unless_present_any = ["from_exports", "accept_loss"])]
    pub(crate) path: Option<PathBuf>,
    /// Make a store from the exports of ended sessions, where there is no copy
    #[arg(long, conflicts_with_all = ["path", "accept_loss"])]
    pub(crate) from_exports: bool,
    /// Go on with what is intact in a damaged store
    #[arg(long, conflicts_with = "path")]
    pub(crate) accept_loss: bool,
    /// Do not ask, even where the present store can be opened
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Quarantine {
    /// List it, as without a word
    #[command(hide = true)]
    List,
    /// Put a store back in place; the present one is put aside
    PutBack {
        /// Its number in the list
        number: u32,
    },
    /// Erase a store that was put aside, for good
    Erase {
        /// Its number in the list
        number: u32,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Protocol {
    /// Print the JSON Schema of every method, notice and record
    Describe,
}
