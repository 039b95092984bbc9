//! The panel of a task: what the agent is at, its tests, what it waits for (002 8.2).

use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::task::{State, View as TaskView};
use vosim_protocol::{EventRecord, Kind, SessionId, Time};

use crate::client::Client;
use crate::errors::Failure;
use crate::intent::task::Tasks;
use crate::render::look::{Look, Tone};
use crate::render::task as screens;
use crate::tui::panel::{FunctionKey, Heading, KindPanel, Pinned};
use crate::tui::viewing::Viewing;

/// A task on the screen.
#[derive(Debug)]
pub(crate) struct TaskPanel {
    view: TaskView,
}

impl KindPanel for TaskPanel {
    type Words = Tasks;

    const KIND: Kind = Kind::Task;
    const PROMPT: &'static str = "Type /pause, /resume or /help";
    const KEYS: &'static [FunctionKey] = &[
        FunctionKey { number: 2, line: "/yes" },
        FunctionKey { number: 3, line: "/no" },
        FunctionKey { number: 4, line: "/pause" },
        FunctionKey { number: 5, line: "/resume" },
    ];

    fn open(_: &mut Client, _: SessionId, view: TaskView) -> Result<Self, Failure> {
        Ok(Self { view })
    }

    fn view(&self) -> &TaskView {
        &self.view
    }

    fn take(&mut self, view: TaskView) {
        self.view = view;
    }

    fn time(&self) -> Option<Time> {
        Some(self.view.at)
    }

    fn is_over(&self) -> bool {
        self.view.over
    }

    fn is_running(&self) -> bool {
        self.view.busy
    }

    fn ends_run(record: &EventRecord) -> bool {
        matches!(
            record.event_type.as_str(),
            "MODEL_ANSWERED" | "TOOL_ENDED" | "SCAN_ENDED" | "TESTS_ENDED"
        )
    }

    fn heading(&self, _: &Viewing) -> Heading {
        let (tone, state) = screens::state(&self.view);
        Heading {
            title: self.view.task.clone(),
            time: state,
            urgent: matches!(tone, Tone::Warn | Tone::Bad),
        }
    }

    fn steps(&self, viewing: &Viewing) -> String {
        screens::progress(&self.view, &viewing.look)
    }

    fn pinned(&self, _: &Viewing) -> Vec<Pinned> {
        let Some(pending) = &self.view.approval else { return Vec::new() };
        let (scope, finding) = (screens::scope(&pending.finding), &pending.finding);
        let (path, line) = (&finding.path, finding.line);
        vec![Pinned::Plain(format!(
            "Allow {scope} ({path}, line {line})? /yes once, /always for this task, /no"
        ))]
    }

    fn facts(&self, viewing: &Viewing) -> Vec<(Tone, String)> {
        let mut facts = screens::steps(&self.view, &viewing.look);
        if self.view.pausing {
            facts.insert(0, (Tone::Warn, "Pausing after this step".to_owned()));
        }
        if self.is_running() && viewing.progress.is_some() {
            let what = self.view.state.name().to_owned();
            facts.insert(0, (Tone::Plain, viewing.with_progress(what)));
        }
        facts
    }

    fn about(&self, _: &Viewing) -> Vec<String> {
        vec![self.view.model.to_string(), screens::used(&self.view.spent)]
    }

    fn status(&self, viewing: &Viewing) -> String {
        Self::standing(&self.view, &viewing.look)
    }

    fn standing(view: &TaskView, look: &Look) -> String {
        screens::standing(view, look)
    }

    fn summary(view: &TaskView, _: Option<&Report>, look: &Look) -> String {
        match view.state {
            State::Success | State::Failed | State::Paused => screens::came_out(view, look),
            State::Init | State::Planning | State::Coding | State::Testing | State::Reflecting => {
                screens::standing(view, look)
            }
        }
    }
}
