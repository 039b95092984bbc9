//! The grammar of what one does with a session of any kind.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use vosim_protocol::v1::bundle::Bundle;
use vosim_protocol::{EventId, Kind, ProblemId, Role};

use crate::cli::live;
use crate::cli::values::{bundle, event_id, kind, role};
use crate::playback::{Place, Speed};

pub(super) const REPLAY: &str = "\
Each event has its number and its place, minutes and seconds since the session began. What takes
longer than 5 seconds at the chosen speed is cut short. On a terminal: space pauses, the arrow keys
left and right move by 10 seconds, q leaves.

Examples:
  vosimctl replay                              the current session, as it happened
  vosimctl replay --speed 8 --from 25:00       eight times as fast, from a minute on
  vosimctl replay r.json --until 40            a bundle from any machine; needs no daemon
  vosimctl replay r.json --verify              is each decision what the rules say?

With --json it plays nothing and prints what a replay finds; the events are: vosimctl log --json";

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only sessions of this kind: drill, interview, attempt or task
    #[arg(long, value_parser = kind, add = live::kinds())]
    pub(crate) kind: Option<Kind>,
    /// Only sessions about this problem, by its id
    #[arg(long, value_name = "ID", add = live::problems())]
    pub(crate) problem: Option<ProblemId>,
    /// Only sessions that are there: open, ended, or a phase like `coding`
    #[arg(long, value_name = "STATE", add = live::states())]
    pub(crate) state: Option<String>,
    /// Only sessions that came to this
    #[arg(long, value_name = "RESULT")]
    pub(crate) result: Option<ResultWanted>,
}

/// What a list of sessions is narrowed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResultWanted {
    /// The last submission passed, with whatever help
    Solved,
    /// Solved without help
    Unaided,
    /// Solved with hints
    Hinted,
    /// Solved with the assistant
    Assisted,
    /// Solved after the reference was shown
    Level4,
    /// The last submission did not pass
    Failed,
    /// Left before anything was judged
    Abandoned,
    /// Nothing was judged so far
    None,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Code {
    /// A submission's number [default: the last]
    #[arg(value_name = "N", add = live::submissions())]
    pub(crate) submission: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct Named {
    // By the name `session` it would be taken for what stands behind `--session`.
    /// The session's id, or the beginning of it
    #[arg(value_name = "ID", add = live::sessions())]
    pub(crate) named: String,
}

#[derive(Debug, Args)]
pub(crate) struct Log {
    /// Go on with what happens, until Ctrl-C
    #[arg(long, short)]
    pub(crate) follow: bool,
    /// Only events after this one
    #[arg(long, value_name = "N", value_parser = event_id, default_value = "0", hide_default_value = true)]
    pub(crate) after: EventId,
    /// For whose eyes: candidate, observer, interviewer or agent
    #[arg(long, visible_alias = "as", value_parser = role, add = live::roles(), default_value = "candidate")]
    pub(crate) role: Role,
}

#[derive(Debug, Args)]
pub(crate) struct Attach {
    /// As whom: candidate, observer, interviewer or agent
    #[arg(long, visible_alias = "as", value_parser = role, add = live::roles(), default_value = "observer")]
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
    #[arg(long, value_name = "N", value_parser = event_id, add = live::events())]
    pub(crate) event: Option<EventId>,
}

#[derive(Debug, Args)]
pub(crate) struct Why {
    /// The event's number, as `vosimctl log` shows it [default: the last decision]
    #[arg(value_parser = event_id, add = live::events())]
    pub(crate) event: Option<EventId>,
    /// For whose eyes: candidate, observer, interviewer or agent
    #[arg(long, visible_alias = "as", value_parser = role, add = live::roles(), default_value = "candidate")]
    pub(crate) role: Role,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// A session's id or the beginning of it, or a replay bundle [default: the current session]
    #[arg(value_name = "SESSION|FILE", add = live::sessions_or_files())]
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
pub(crate) struct Report {
    /// A session's id or the beginning of it, or a replay bundle from any machine
    /// [default: the current session]
    #[arg(value_name = "SESSION|FILE", add = live::sessions_or_files())]
    pub(crate) what: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) page: PageFile,
}

#[derive(Debug, Args)]
pub(crate) struct PageFile {
    /// Write one page for a browser that holds all of it; - for standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Replace a file that is there, whatever it holds; an earlier page is replaced anyway
    #[arg(long, requires = "html")]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// jsonl: a drill's seven types of events in their plain form, or an attempt's events and, on the
    /// last line, the attempt as its view has it; records: every record as it is stored [default: jsonl
    /// for a drill and an attempt, records for an interview]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<ExportFormat>,
    /// Of an ended session: evaluation, for those who judge an interview; replay, which verifies
    /// and plays back on any machine. Both hold what is hidden from candidates
    #[arg(long, value_name = "WHICH", value_parser = bundle, add = live::bundles(), conflicts_with = "format")]
    pub(crate) bundle: Option<Bundle>,
    /// Where to write it, or - for standard output [default: -]
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

#[derive(Debug, Args)]
pub(crate) struct Delete {
    /// The session's id, or the beginning of it; --session names it as well
    #[arg(value_name = "SESSION", add = live::sessions())]
    pub(crate) id: Option<String>,
    /// Only the submitted code; the log stays
    #[arg(long)]
    pub(crate) code: bool,
    /// Do not ask
    #[arg(long)]
    pub(crate) yes: bool,
}
