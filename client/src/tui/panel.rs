//! What a kind of sessions adds to the screen. The frame around it knows no kind, and a panel
//! neither reads keys nor speaks to the daemon.

pub(crate) mod interview;

use std::fmt::Debug;

use vosim_protocol::{EventRecord, Kind, Time};

use crate::intent::Words;
use crate::render::look::{Look, Tone};
use crate::tui::viewing::Viewing;

/// The first line of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) title: String,
    /// The time that matters, or the phase; it is never cut.
    pub(crate) time: String,
    /// It is a warning.
    pub(crate) urgent: bool,
}

/// Something that stays above the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pinned {
    Plain(String),
    /// In Markdown, as the content is written.
    Prose(String),
}

/// What must be seen at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alarm {
    pub(crate) text: String,
    /// A warning.
    pub(crate) warns: bool,
    /// For who was granted larger warnings.
    pub(crate) large: bool,
}

/// The part of the screen that a kind of sessions draws, from its newest view.
pub(crate) trait KindPanel: Debug {
    /// What can be typed, and the view that is drawn.
    type Words: Words;

    const KIND: Kind;

    /// What the empty input says to who may act.
    const PROMPT: &'static str = "Type and press Enter";

    fn new(view: View<Self>) -> Self;

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

    /// Whether nothing comes after an event.
    fn is_end(record: &EventRecord) -> bool;

    /// Whether an event ends a run.
    fn ends_run(record: &EventRecord) -> bool {
        matches!(record.event_type.as_str(), "EVAL_RESULT" | "EVAL_ABORTED")
    }

    /// What an event must show at once.
    fn alarm(&self, record: &EventRecord) -> Option<Alarm>;

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

    /// Where the session stands, on the whole screen.
    fn status(&self, viewing: &Viewing) -> String;

    /// What stays on the terminal when the session is over.
    fn summary(&self, look: &Look) -> String;
}

/// The view that a panel draws.
pub(crate) type View<P> = <<P as KindPanel>::Words as Words>::View;

/// What can be asked in the sessions of a panel.
pub(crate) type Intent<P> = <<P as KindPanel>::Words as Words>::Intent;
