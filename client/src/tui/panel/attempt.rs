//! The panel of an attempt (003: workbench): the steps and the mode, the problem with what the candidate
//! has written, and what can be done now.

use vosim_protocol::v1::attempt::View as AttemptView;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::service::ProblemCard;
use vosim_protocol::{Kind, Role, SessionId};

use crate::call::problem_of;
use crate::client::Client;
use crate::errors::Failure;
use crate::intent::attempt::Attempting;
use crate::render::attempt as screens;
use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::problem;
use crate::render::text::duration;
use crate::tui::panel::{FunctionKey, Heading, KindPanel, Leaf, Pinned, last_verdict};
use crate::tui::viewing::Viewing;

/// An attempt on the screen.
#[derive(Debug)]
pub(crate) struct AttemptPanel {
    view: AttemptView,
    card: ProblemCard,
}

impl KindPanel for AttemptPanel {
    type Words = Attempting;

    const KIND: Kind = Kind::Attempt;
    const PROMPT: &'static str = "F1 shows what can be typed";
    const PANELS: &'static [&'static str] = &["problem", "step", "coach"];
    const KEYS: &'static [FunctionKey] =
        &[FunctionKey { number: 2, line: "/problem" }, FunctionKey { number: 3, line: "/result" }];

    fn open(client: &mut Client, session: SessionId, view: AttemptView) -> Result<Self, Failure> {
        Ok(Self { view, card: problem_of(client, session)? })
    }

    fn view(&self) -> &AttemptView {
        &self.view
    }

    fn take(&mut self, view: AttemptView) {
        self.view = view;
    }

    fn is_over(&self) -> bool {
        self.view.ended.is_some()
    }

    fn is_running(&self) -> bool {
        self.view.evaluating.is_some()
    }

    fn heading(&self, viewing: &Viewing) -> Heading {
        let seconds = match self.is_over() {
            true => self.view.duration_seconds,
            false => self.view.duration_seconds + viewing.since_view().as_secs(),
        };
        let time = format!("{} used, {} mode", duration(seconds), self.view.attempt.mode.name());
        Heading { title: self.view.title.clone(), time, urgent: false }
    }

    fn steps(&self, viewing: &Viewing) -> String {
        screens::stepper(&self.view, &viewing.look)
    }

    fn pinned(&self, _: &Viewing) -> Vec<Pinned> {
        match self.is_over() {
            true => vec![Pinned::Plain(
                "The attempt is over. /discussion tells how it can be solved.".to_owned(),
            )],
            false => Vec::new(),
        }
    }

    fn facts(&self, viewing: &Viewing) -> Vec<(Tone, String)> {
        let view = &self.view;
        let mut facts = Vec::new();
        if let Some(number) = view.evaluating {
            let text = format!("Submission {number} is being judged");
            facts.push((Tone::Warn, viewing.with_progress(text)));
        } else if let Some(last) = view.history.last() {
            let result = if viewing.role.is_candidate() { "/result" } else { "vosimctl result" };
            facts.push(last_verdict(last, result, viewing.look.width));
        }
        facts
    }

    fn about(&self, _: &Viewing) -> Vec<String> {
        vec![screens::hints(&self.view.attempt)]
    }

    fn leaf(&self, at: usize, look: &Look, role: Role) -> Leaf {
        let view = &self.view;
        match at {
            0 => {
                let mut page = Page::new(look);
                problem::statement(&mut page, &self.card, Language::Python);
                page.blank().raw(&problem::public_tests(&self.card, look));
                Leaf { text: page.finish(), below: screens::artifacts(view, look) }
            }
            1 => Leaf { text: screens::step(view, look), below: String::new() },
            _ => {
                let text = screens::coach(view, role.is_candidate(), look);
                Leaf { text, below: String::new() }
            }
        }
    }

    fn status(&self, viewing: &Viewing) -> String {
        let mut view = self.view.clone();
        if !self.is_over() {
            view.duration_seconds += viewing.since_view().as_secs();
        }
        screens::status(&view, &viewing.look)
    }

    fn standing(view: &AttemptView, look: &Look) -> String {
        screens::status(view, look)
    }

    fn summary(view: &AttemptView, _: Option<&Report>, look: &Look) -> String {
        screens::summary(view, look)
    }
}

#[cfg(test)]
mod tests;
