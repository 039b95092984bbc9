//! The panel of a drill: the problem, the submissions, the last verdict, what can be done now.

use vosim_protocol::v1::drill::{Phase, View as DrillView};
use vosim_protocol::v1::judging::ResultLine;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::service::ProblemCard;
use vosim_protocol::{Kind, Role, SessionId};

use crate::call::problem_of;
use crate::client::Client;
use crate::errors::Failure;
use crate::intent::drill::Drilling;
use crate::render::drill::{outcome, status, summary};
use crate::render::look::{Charset, Look, Tone};
use crate::render::page::Page;
use crate::render::problem;
use crate::render::text::{columns, cut, duration};
use crate::tui::panel::{FunctionKey, Heading, KindPanel, Pinned, Subject, last_verdict};
use crate::tui::style::more;
use crate::tui::viewing::Viewing;

/// A drill on the screen.
#[derive(Debug)]
pub(crate) struct DrillPanel {
    view: DrillView,
    card: ProblemCard,
}

impl KindPanel for DrillPanel {
    type Words = Drilling;

    const KIND: Kind = Kind::Drill;
    const PROMPT: &'static str = "/submit FILE judges a file";
    const KEYS: &'static [FunctionKey] =
        &[FunctionKey { number: 2, line: "/problem" }, FunctionKey { number: 3, line: "/result" }];

    fn open(client: &mut Client, session: SessionId, view: DrillView) -> Result<Self, Failure> {
        Ok(Self { view, card: problem_of(client, session)? })
    }

    fn view(&self) -> &DrillView {
        &self.view
    }

    fn take(&mut self, view: DrillView) {
        self.view = view;
    }

    fn is_over(&self) -> bool {
        match self.view.phase {
            Phase::Done => true,
            Phase::ProblemPresented | Phase::Evaluating | Phase::AwaitingAction => false,
        }
    }

    fn is_running(&self) -> bool {
        self.view.evaluating.is_some()
    }

    fn heading(&self, viewing: &Viewing) -> Heading {
        let seconds = match self.is_over() {
            true => self.view.duration_seconds,
            false => self.view.duration_seconds + viewing.since_view().as_secs(),
        };
        let time = format!("{} used", duration(seconds));
        Heading { title: self.view.title.clone(), time, urgent: false }
    }

    fn steps(&self, viewing: &Viewing) -> String {
        submissions(&self.view, &viewing.look)
    }

    fn pinned(&self, viewing: &Viewing) -> Vec<Pinned> {
        vec![Pinned::Plain(standing(&self.view, viewing.role))]
    }

    fn facts(&self, viewing: &Viewing) -> Vec<(Tone, String)> {
        let view = &self.view;
        let mut facts = Vec::new();
        if let Some(number) = view.evaluating {
            let text = format!("Submission {number} is being judged");
            facts.push((Tone::Warn, viewing.with_progress(text)));
        } else if let Some(last) = &view.last_result {
            let result = if viewing.role.is_candidate() { "/result" } else { "vosimctl result" };
            facts.push(last_verdict(last, result, viewing.look.width));
        }
        if viewing.role.is_candidate() && !view.allowed.is_empty() {
            facts.push((Tone::Plain, format!("You can: {}", offers(&view.allowed).join("  "))));
        }
        facts
    }

    fn about(&self, _viewing: &Viewing) -> Vec<String> {
        let view = &self.view;
        let mut about = vec![hints(&view.hint_levels)];
        if let Some((best, last)) = view.best_tests_passed.zip(view.last_result.as_ref())
            && best > last.tests_passed
        {
            about.push(format!("best {best} of {}", last.tests_passed + last.tests_failed));
        }
        about
    }

    fn subject(&self, look: &Look) -> Option<Subject> {
        let mut page = Page::new(look);
        problem::statement(&mut page, &self.card, self.language());
        let below = problem::public_tests(&self.card, look);
        Some(Subject { text: page.finish(), below, whole: "F2 shows all of it" })
    }

    fn begins_with_subject(&self) -> bool {
        self.view.phase == Phase::ProblemPresented
    }

    fn status(&self, viewing: &Viewing) -> String {
        let mut view = self.view.clone();
        if !self.is_over() {
            view.duration_seconds += viewing.since_view().as_secs();
        }
        status(&view, &viewing.look)
    }

    fn standing(view: &DrillView, look: &Look) -> String {
        status(view, look)
    }

    fn summary(view: &DrillView, _: Option<&Report>, look: &Look) -> String {
        match &view.ended {
            Some(ended) => summary(view, ended, None, look),
            None => status(view, look),
        }
    }
}

impl DrillPanel {
    /// That of the last file, as its calls are spelled.
    fn language(&self) -> Language {
        self.view.last_result.as_ref().map_or(Language::Python, |last| last.language)
    }
}

/// What there is to do, or that there is nothing.
fn standing(view: &DrillView, role: Role) -> String {
    let acts = role.is_candidate();
    let text = match view.phase {
        Phase::ProblemPresented if acts => {
            "Nothing has been submitted yet. /test FILE tries a file out first."
        }
        Phase::ProblemPresented => "Nothing has been submitted yet.",
        Phase::Evaluating => "The verdict comes in a moment.",
        Phase::AwaitingAction => match (is_solved(view), acts) {
            (true, true) if view.variation.is_some() => {
                "Solved. Answer the question by typing, or leave it: /end finishes."
            }
            (true, true) => "Solved: /end finishes it, or submit another solution.",
            (true, false) => "Solved.",
            (false, true) => "Try again, or ask for a hint with /hint.",
            (false, false) => "Not solved yet.",
        },
        Phase::Done => {
            let how = view.ended.as_ref().map_or("", |ended| outcome(ended.outcome));
            let stop = if how.ends_with('!') { "" } else { "." };
            return format!("The drill is over. {how}{stop} Ctrl-C leaves.");
        }
    };
    text.to_owned()
}

fn is_solved(view: &DrillView) -> bool {
    view.last_result.as_ref().is_some_and(passed)
}

fn passed(line: &ResultLine) -> bool {
    line.tests_failed == 0
}

/// Commands of the wire as they are typed.
fn offers(allowed: &[String]) -> Vec<&'static str> {
    let typed = |command: &String| {
        Some(match command.as_str() {
            "submit" => "/submit [FILE]  /test [FILE]",
            "say" => "TEXT answers",
            "hint" => "/hint",
            "give_up" => "/give-up",
            "end" => "/end",
            _ => return None,
        })
    };
    allowed.iter().filter_map(typed).collect()
}

fn hints(levels: &[u8]) -> String {
    let list: Vec<_> = levels.iter().map(u8::to_string).collect();
    match levels.len() {
        0 => "no hints".to_owned(),
        1 => format!("1 hint (level {})", list[0]),
        n => format!("{n} hints (levels {})", list.join(", ")),
    }
}

/// The submissions in one line, the newest ones as far as they fit. Signs and words, so that
/// neither colour nor signs alone tell.
fn submissions(view: &DrillView, look: &Look) -> String {
    let (pass, fail, now) = match look.charset {
        Charset::Unicode => ("✓", "✗", "●"),
        Charset::Ascii => ("[x]", "[ ]", "[>]"),
    };
    let step = |line: &ResultLine| {
        let total = line.tests_passed + line.tests_failed;
        let (sign, word) = if passed(line) { (pass, "passed") } else { (fail, "failed") };
        format!("{sign} {} {word} {}/{total}", line.attempt_number, line.tests_passed)
    };
    let mut steps: Vec<_> = view.history.iter().map(step).collect();
    steps.extend(view.evaluating.map(|number| format!("{now} {number} now")));
    if steps.is_empty() {
        return "No submission yet".to_owned();
    }
    let mut omitted = view.history_omitted > 0;
    loop {
        let lead = if omitted { more(look) } else { "" };
        let text = format!("{lead}{}", steps.join("  "));
        if columns(&text) <= look.width || steps.len() == 1 {
            return cut(&text, look.width, "");
        }
        steps.remove(0);
        omitted = true;
    }
}

#[cfg(test)]
mod tests;
