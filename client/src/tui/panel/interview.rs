//! The panel of an interview: its sections and their clocks, the open question, the last verdict.

use vosim_protocol::v1::interview::{
    Phase, SectionLine, SectionState, Substate, View as InterviewView, WatchView,
};
use vosim_protocol::v1::report::Report;
use vosim_protocol::{EventRecord, Kind, Role, SessionId, Time};

use crate::client::Client;
use crate::errors::Failure;
use crate::intent::interview::Interviewing;
use crate::render::interview::words::{clock, obstacle};
use crate::render::interview::{status, summary};
use crate::render::look::{Charset, Look, Tone};
use crate::render::report as screen;
use crate::render::text::{columns, count, cut};
use crate::tui::panel::{Heading, KindPanel, Pinned, last_verdict};
use crate::tui::style::{clean, dot};
use crate::tui::viewing::Viewing;

/// From here on the time left is a warning, milliseconds (001 5.1).
const SOON_MS: u64 = 120_000;

/// An interview on the screen.
#[derive(Debug)]
pub(crate) struct InterviewPanel {
    view: InterviewView,
}

impl KindPanel for InterviewPanel {
    type Words = Interviewing;

    const KIND: Kind = Kind::Interview;

    fn open(
        _client: &mut Client,
        _session: SessionId,
        view: InterviewView,
    ) -> Result<Self, Failure> {
        Ok(Self { view })
    }

    fn view(&self) -> &InterviewView {
        &self.view
    }

    fn take(&mut self, view: InterviewView) {
        self.view = view;
    }

    fn time(&self) -> Option<Time> {
        Some(self.view.at)
    }

    fn is_over(&self) -> bool {
        match self.view.phase {
            Phase::Completed | Phase::Terminated => true,
            Phase::NotStarted | Phase::InProgress | Phase::Paused | Phase::Closing => false,
        }
    }

    fn is_running(&self) -> bool {
        self.view.evaluating.is_some() || self.view.testing
    }

    fn ends_run(record: &EventRecord) -> bool {
        matches!(record.event_type.as_str(), "EVAL_RESULT" | "EVAL_ABORTED" | "OWN_TESTS_RESULT")
    }

    fn larger_warnings(&self) -> bool {
        self.view.accommodation.is_some()
    }

    /// What is sent names it: an answer that crosses the boundary belongs to the question it was
    /// begun under, and one that was begun after it is not late (001 5.2).
    fn place(&self) -> Option<&str> {
        self.view.current_section.as_ref().map(|now| now.section_id.as_str())
    }

    fn heading(&self, viewing: &Viewing) -> Heading {
        let view = &self.view;
        let Some(now) = &view.current_section else {
            let time = match view.grace_until.filter(|_| view.phase == Phase::Closing) {
                Some(until) => format!("{} for late messages", clock(viewing.left(until))),
                None => phase(view.phase).to_owned(),
            };
            return Heading { title: view.title.clone(), time, urgent: false };
        };
        let (dot, of) = (dot(&viewing.look), view.sections.len());
        let left = viewing.left(now.deadline);
        Heading {
            title: format!("{}{dot}section {} of {of}, {}", view.title, now.number, now.title),
            time: format!("{} left", clock(left)),
            urgent: left <= SOON_MS,
        }
    }

    fn steps(&self, viewing: &Viewing) -> String {
        stepper(&self.view, &viewing.look)
    }

    fn pinned(&self, viewing: &Viewing) -> Vec<Pinned> {
        let view = &self.view;
        let mut pinned = standing(view.phase, viewing.role);
        let Some(now) = &view.current_section else { return pinned };
        if let Some(ends) = now.ends_at {
            let held = view.typing_until.map_or(ends, |until| until.max(ends));
            let left = clock(viewing.left(held));
            pinned.push(Pinned::Plain(match viewing.role {
                Role::Candidate => {
                    format!("Shall we go on? /done, or keep talking; the section ends in {left}.")
                }
                Role::Observer | Role::Interviewer | Role::Agent => {
                    format!("Everything asked for is covered; the section ends in {left}.")
                }
            }));
        }
        let kind = match now.substate {
            Substate::SectionIntro => "",
            Substate::SectionQuestionActive => "Question: ",
            Substate::SectionFollowupActive => "Follow-up: ",
            Substate::SectionWrapup => "Last question: ",
        };
        pinned.push(match &now.question {
            Some(question) => Pinned::Prose(format!("{kind}{question}")),
            None => Pinned::Plain(format!("Goal: {} The question is on its way.", now.goal)),
        });
        pinned
    }

    fn facts(&self, viewing: &Viewing) -> Vec<(Tone, String)> {
        let view = &self.view;
        let mut facts = Vec::new();
        if let Some(pauses) = view.pauses_at {
            let left = clock(viewing.left(pauses));
            let text = format!("No terminal of the candidate is there; it pauses in {left}.");
            facts.push((Tone::Warn, text));
        }
        if let Some(watched) = &view.watched
            && let Some(why) = watched.lost
        {
            let text = format!("{} {}; {}.", name(watched), obstacle(why), saved(watched, viewing));
            facts.push((Tone::Warn, text));
        }
        if view.typing_until.is_some() && !viewing.role.is_candidate() {
            facts.push((Tone::Plain, "The candidate is writing.".to_owned()));
        }
        if let Some(text) = running(view, viewing) {
            facts.push((Tone::Warn, text));
        } else if let Some(last) = view.history.last() {
            let result = if viewing.role.is_candidate() { "/result" } else { "vosimctl result" };
            facts.push(last_verdict(last, result, viewing.look.width));
        }
        facts
    }

    fn about(&self, viewing: &Viewing) -> Vec<String> {
        let view = &self.view;
        let mut about = Vec::new();
        if let Some(watched) = view.watched.as_ref().filter(|watched| watched.lost.is_none()) {
            about.push(match watched.last_save {
                Some(at) => format!("{} saved {}", name(watched), viewing.look.clock(at)),
                None => format!("{} not saved yet", name(watched)),
            });
        }
        if let Some(own) = &view.own_tests {
            about.push(format!("own tests {} of {}", own.passed, own.passed + own.failed));
        }
        if !view.hint_levels.is_empty() {
            about.push(count(view.hint_levels.len() as u64, "hint"));
        }
        about.extend(view.accommodation.clone());
        if let Some(now) = &view.current_section
            && let (Some(asked), Some(cap)) = (now.followups_asked, now.followup_cap)
        {
            about.push(format!("follow-ups {asked} of {cap}"));
        }
        about
    }

    fn status(&self, viewing: &Viewing) -> String {
        let mut view = self.view.clone();
        // The time of the view is that of now, so that what it says is left is left.
        let passed = viewing.since_view().as_micros();
        view.at = view.at.plus_micros(i64::try_from(passed).unwrap_or(i64::MAX));
        status(&view, &viewing.look)
    }

    fn standing(view: &InterviewView, look: &Look) -> String {
        if view.ended.is_some() { summary(view, look) } else { status(view, look) }
    }

    fn summary(view: &InterviewView, report: Option<&Report>, look: &Look) -> String {
        report.map_or_else(|| summary(view, look), |report| screen::report(report, look))
    }
}

/// A watched file without the folders that it is in.
fn name(watched: &WatchView) -> &str {
    watched.file_path.rsplit('/').next().unwrap_or_default()
}

fn saved(watched: &WatchView, viewing: &Viewing) -> String {
    match watched.last_save {
        Some(at) => format!("it was saved last at {}", viewing.look.clock(at)),
        None => "it was not saved before".to_owned(),
    }
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::NotStarted => "not started",
        Phase::InProgress => "in progress",
        Phase::Paused => "paused",
        Phase::Closing => "closing",
        Phase::Completed => "completed",
        Phase::Terminated => "ended early",
    }
}

/// What a phase has to say beside the question.
fn standing(phase: Phase, role: Role) -> Vec<Pinned> {
    let text = match (phase, role) {
        (Phase::InProgress, _) => return Vec::new(),
        (Phase::NotStarted, Role::Candidate) => "The clock is not running yet. /begin starts it.",
        (Phase::NotStarted, Role::Observer | Role::Interviewer | Role::Agent) => {
            "The clock is not running yet."
        }
        (Phase::Paused, _) => {
            "Paused: no terminal of the candidate is there. The clock keeps running."
        }
        (Phase::Closing, _) => "The last section's time is up. Late messages are still taken.",
        (Phase::Completed, _) => "The interview is over: all sections are done. Ctrl-C leaves.",
        (Phase::Terminated, _) => "The interview ended early. Ctrl-C leaves.",
    };
    vec![Pinned::Plain(text.to_owned())]
}

/// What is under way.
fn running(view: &InterviewView, viewing: &Viewing) -> Option<String> {
    let what = match (view.evaluating, view.testing, view.assistant.pending) {
        (Some(submission), _, _) => format!("Submission {submission} is being judged"),
        (None, true, _) => "Your own tests are being run".to_owned(),
        (None, false, Some(_)) => return Some("The assistant is answering".to_owned()),
        (None, false, None) => return None,
    };
    Some(viewing.with_progress(what))
}

/// All sections in one line, as much as fits: titles of all (001 9), else of the open one, else
/// numbers. Signs and words, so that neither colour nor signs alone tell.
///
/// Where there is no room for a word at each, the open one has it: what stands before it is done,
/// and what stands behind it is to come.
fn stepper(view: &InterviewView, look: &Look) -> String {
    let sections = &view.sections;
    let join = |step: &dyn Fn(usize, &SectionLine) -> String| {
        let steps = sections.iter().enumerate().map(|(at, line)| step(at + 1, line));
        steps.collect::<Vec<_>>().join("  ")
    };
    let sign = |line: &SectionLine| sign(line.state, look);
    let title = |line: &SectionLine| look.spell(&clean(&line.title)).into_owned();
    let now = |line: &SectionLine| match line.state {
        SectionState::Current => " now",
        SectionState::Ended | SectionState::Upcoming => "",
    };
    let full = join(&|_, line| format!("{} {} {}", sign(line), title(line), word(line.state)));
    let titles = join(&|_, line| format!("{} {}{}", sign(line), title(line), now(line)));
    let open = join(&|number, line| match line.state {
        SectionState::Current => format!("{} {number} {} now", sign(line), title(line)),
        SectionState::Ended | SectionState::Upcoming => {
            format!("{} {number} {}", sign(line), word(line.state))
        }
    });
    let short = join(&|number, line| format!("{} {number} {}", sign(line), word(line.state)));
    let signs = join(&|number, line| format!("{} {number}{}", sign(line), now(line)));
    let fits = [full, titles, open, short].into_iter().find(|text| columns(text) <= look.width);
    fits.unwrap_or_else(|| cut(&signs, look.width, ""))
}

fn sign(state: SectionState, look: &Look) -> &'static str {
    match (state, look.charset) {
        (SectionState::Ended, Charset::Unicode) => "✓",
        (SectionState::Current, Charset::Unicode) => "●",
        (SectionState::Upcoming, Charset::Unicode) => "○",
        (SectionState::Ended, Charset::Ascii) => "[x]",
        (SectionState::Current, Charset::Ascii) => "[>]",
        (SectionState::Upcoming, Charset::Ascii) => "[ ]",
    }
}

fn word(state: SectionState) -> &'static str {
    match state {
        SectionState::Ended => "done",
        SectionState::Current => "now",
        SectionState::Upcoming => "to come",
    }
}

#[cfg(test)]
mod tests;
