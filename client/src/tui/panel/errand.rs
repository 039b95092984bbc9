//! The panel of an errand: the job, the time that is left, the work that was handed in.

use vosim_protocol::v1::errand::{Phase, View as ErrandView};
use vosim_protocol::v1::report::Report;
use vosim_protocol::{EventRecord, Kind, SessionId, Time};

use crate::client::Client;
use crate::errors::Failure;
use crate::intent::errand::Errands;
use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::text::{count, duration};
use crate::tui::panel::{Heading, KindPanel, Pinned};
use crate::tui::viewing::Viewing;

/// An errand on the screen.
#[derive(Debug)]
pub(crate) struct ErrandPanel {
    view: ErrandView,
}

impl KindPanel for ErrandPanel {
    type Words = Errands;

    const KIND: Kind = Kind::Errand;

    fn open(_: &mut Client, _: SessionId, view: ErrandView) -> Result<Self, Failure> {
        Ok(Self { view })
    }

    fn view(&self) -> &ErrandView {
        &self.view
    }

    fn take(&mut self, view: ErrandView) {
        self.view = view;
    }

    fn time(&self) -> Option<Time> {
        Some(self.view.at)
    }

    fn is_over(&self) -> bool {
        matches!(self.view.phase, Phase::Taken | Phase::Expired)
    }

    fn is_running(&self) -> bool {
        self.view.phase == Phase::Checking
    }

    fn ends_run(record: &EventRecord) -> bool {
        record.event_type == "WORK_CHECKED"
    }

    fn heading(&self, viewing: &Viewing) -> Heading {
        let time = match self.is_over() {
            true => "over".to_owned(),
            false => format!("{} left", duration(viewing.left(self.view.due) / 1_000)),
        };
        Heading { title: self.view.title.clone(), time, urgent: false }
    }

    fn steps(&self, _: &Viewing) -> String {
        format!("{}, handed in {}", phase(self.view.phase), count(self.view.handed_in, "time"))
    }

    fn pinned(&self, _: &Viewing) -> Vec<Pinned> {
        vec![Pinned::Plain(format!("The folder: {}", self.view.folder))]
    }

    fn facts(&self, viewing: &Viewing) -> Vec<(Tone, String)> {
        let running = self.is_running();
        let text = || viewing.with_progress("The work is being checked".to_owned());
        running.then(|| (Tone::Warn, text())).into_iter().collect()
    }

    fn about(&self, _: &Viewing) -> Vec<String> {
        Vec::new()
    }

    fn status(&self, viewing: &Viewing) -> String {
        Self::standing(&self.view, &viewing.look)
    }

    fn standing(view: &ErrandView, look: &Look) -> String {
        let mut page = Page::new(look);
        page.say(Tone::Strong, &view.title);
        page.say(Tone::Plain, &format!("The folder: {}", view.folder));
        let times = count(view.handed_in, "time");
        page.say(Tone::Plain, &format!("It is {}; work was handed in {times}.", phase(view.phase)));
        page.finish()
    }

    fn summary(view: &ErrandView, _: Option<&Report>, look: &Look) -> String {
        Self::standing(view, look)
    }
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Working => "being worked on",
        Phase::HandedIn => "ready to be checked",
        Phase::Checking => "being checked",
        Phase::Taken => "done",
        Phase::Expired => "over, out of time",
    }
}
