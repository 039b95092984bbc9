//! What a kind of sessions adds to the screen. The frame around it knows no kind, and a panel reads
//! no keys and speaks to the daemon at the beginning alone.

pub(crate) mod attempt;
pub(crate) mod drill;
#[cfg(feature = "errand")]
pub(crate) mod errand;
pub(crate) mod interview;
pub(crate) mod task;

use std::fmt::Debug;

use vosim_protocol::v1::judging::ResultLine;
use vosim_protocol::v1::report::Report;
use vosim_protocol::{EventRecord, Kind, Role, SessionId, Time};

use crate::client::Client;
use crate::errors::Failure;
use crate::intent::Words;
use crate::render::evaluation::verdict;
use crate::render::look::{Look, Tone};
use crate::render::text::columns;
use crate::tui::viewing::Viewing;

/// The first line of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) title: String,
    /// The time that matters, or the phase; it is never cut.
    pub(crate) time: String,
    /// Whether the time is a warning.
    pub(crate) urgent: bool,
}

/// Something that stays above the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pinned {
    Plain(String),
    /// In Markdown, as the content is written.
    Prose(String),
}

/// What a session is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subject {
    /// As long as it likes to be.
    pub(crate) text: String,
    /// Some lines that are shown however long the text is.
    pub(crate) below: String,
    /// How all of the text is shown where it is cut.
    pub(crate) whole: &'static str,
}

/// What stands in a panel of the workbench.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// As long as it likes to be.
    pub(crate) text: String,
    /// What is shown at its foot wherever the text is moved.
    pub(crate) below: String,
}

/// A function key that stands for a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FunctionKey {
    /// F1 is the help.
    pub(crate) number: u8,
    pub(crate) line: &'static str,
}

/// The part of the screen that a kind of sessions draws, from its newest view.
pub(crate) trait KindPanel: Debug {
    /// What can be typed, and the view that is drawn.
    type Words: Words;

    const KIND: Kind;

    /// What the empty input says to who may act.
    const PROMPT: &'static str = "Type and press Enter";

    const KEYS: &'static [FunctionKey] = &[];

    /// The panels of a workbench from left to right, three or none; without one the transcript has the
    /// room.
    const PANELS: &'static [&'static str] = &[];

    /// Asks for what a view does not hold.
    fn open(client: &mut Client, session: SessionId, view: View<Self>) -> Result<Self, Failure>
    where
        Self: Sized;

    fn view(&self) -> &View<Self>;

    /// Takes a newer view.
    fn take(&mut self, view: View<Self>);

    /// The session's time in the view, that of its deadlines; None where it has none of its own.
    fn time(&self) -> Option<Time> {
        None
    }

    /// Nothing can happen any more.
    fn is_over(&self) -> bool;

    /// Something is being run, of which progress is told.
    fn is_running(&self) -> bool;

    /// Whether an event ends a run.
    fn ends_run(record: &EventRecord) -> bool {
        matches!(record.event_type.as_str(), "EVAL_RESULT" | "EVAL_ABORTED")
    }

    /// Whether the candidate was granted larger warnings.
    fn larger_warnings(&self) -> bool {
        false
    }

    /// The part of the session that a line belongs to which is begun now.
    fn place(&self) -> Option<&str> {
        None
    }

    fn heading(&self, viewing: &Viewing) -> Heading;

    /// The second line: how far the session has come.
    fn steps(&self, viewing: &Viewing) -> String;

    /// What is asked now, or what there is to know instead.
    fn pinned(&self, viewing: &Viewing) -> Vec<Pinned>;

    /// One line each while there is room, the most important first.
    fn facts(&self, viewing: &Viewing) -> Vec<(Tone, String)>;

    /// Small facts that share a line.
    fn about(&self, viewing: &Viewing) -> Vec<String>;

    /// What the session is about, where that stands beside the transcript.
    fn subject(&self, _look: &Look) -> Option<Subject> {
        None
    }

    /// What stands in one of the panels.
    fn leaf(&self, _at: usize, _look: &Look, _role: Role) -> Leaf {
        Leaf::default()
    }

    /// The subject is to be read before anything else.
    fn begins_with_subject(&self) -> bool {
        false
    }

    /// Where the session stands, on the whole screen.
    fn status(&self, viewing: &Viewing) -> String;

    /// Where a session stands, as `status` prints it.
    fn standing(view: &View<Self>, look: &Look) -> String;

    /// What stays on the terminal when the session is over, with what it teaches where that could be had.
    fn summary(view: &View<Self>, report: Option<&Report>, look: &Look) -> String;
}

/// The last verdict in the words of the transcript, and how all that does not fit here is shown.
pub(crate) fn last_verdict(last: &ResultLine, result: &str, width: usize) -> (Tone, String) {
    let (tone, text) = verdict(last);
    let longer = format!("{text} See: {result}");
    match tone == Tone::Bad && columns(&longer) <= width {
        true => (tone, longer),
        false => (tone, text),
    }
}

/// The view that a panel draws.
pub(crate) type View<P> = <<P as KindPanel>::Words as Words>::View;

/// What can be asked in the sessions of a panel.
pub(crate) type Intent<P> = <<P as KindPanel>::Words as Words>::Intent;
