//! An interview as it happens, in full sentences that read in order: line mode, screen readers,
//! pipes. No frame, no picture, nothing that moves.

use vosim_protocol::v1::effect::Untaken;
use vosim_protocol::v1::interview::{
    CandidateCodeSubmission, CandidateMessage, Event, InterviewCompleted, Origin, SectionEnded,
    SectionStarted, SectionTimeWarning, TerminationReason, View,
};
use vosim_protocol::v1::judging::EvalResult;
use vosim_protocol::v1::service::PresenceNotice;
use vosim_protocol::v1::session::{SessionCreated, SessionEvent};
use vosim_protocol::{EventRecord, Time};

use crate::render::drill::of_session;
use crate::render::interview::gist::Told;
use crate::render::interview::words::{
    capital, class, distance, exit, left, length, unwatched, violation,
};
use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::text::count;

/// What is being prepared, and notes for programs; `log` shows them.
const SILENT: [&str; 5] = [
    "FOLLOWUP_SELECTED",
    "WORDING_FAILED",
    "HINT_REQUESTED",
    "SOLUTION_SAVED",
    "SECTION_SUMMARIZED",
];

/// Whether a story has a sentence for an event.
pub(crate) fn speaks(record: &EventRecord) -> bool {
    !SILENT.contains(&record.event_type.as_str())
}

/// Tells one event after another; it knows the plan, so that a section has its name and place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Story {
    sections: Vec<(String, String)>,
}

impl Story {
    /// A story that goes on from what a view shows.
    pub(crate) fn of(view: &View) -> Self {
        let named = |line: &vosim_protocol::v1::interview::SectionLine| {
            (line.section_id.clone(), line.title.clone())
        };
        Self { sections: view.sections.iter().map(named).collect() }
    }

    /// What an event says to people; empty for one that only programs need.
    pub(crate) fn tell(&mut self, record: &EventRecord, look: &Look) -> String {
        let mut page = Page::new(look);
        match Told::read(record) {
            Some(Told::Session(SessionEvent::SessionCreated(SessionCreated { title, .. }))) => {
                say(&mut page, record.timestamp, &format!("Interview on {title}."));
            }
            Some(Told::Session(event)) => {
                say(&mut page, record.timestamp, &format!("{}.", capital(&of_session(&event))));
            }
            Some(Told::Interview(event)) => self.interview(&mut page, record.timestamp, &event),
            // Of a newer daemon: better its bare name than silence.
            None => say(&mut page, record.timestamp, &format!("{}.", record.event_type)),
        }
        page.finish()
    }

    /// A section's name.
    pub(crate) fn title<'s>(&'s self, id: &'s str) -> &'s str {
        self.sections.iter().find(|(known, _)| known == id).map_or(id, |(_, title)| title)
    }

    /// `section 2 of 4, Design the approach`.
    fn place(&self, id: &str) -> String {
        let total = self.sections.len();
        match self.sections.iter().position(|(known, _)| known == id) {
            Some(at) => format!("section {} of {total}, {}", at + 1, self.sections[at].1),
            None => format!("section {id}"),
        }
    }

    fn interview(&mut self, page: &mut Page<'_>, at: Time, event: &Event) {
        match event {
            Event::InterviewCreated(e) => {
                let plan = e.sections.iter();
                self.sections = plan.map(|s| (s.section_id.clone(), s.title.clone())).collect();
                let plan: Vec<_> = e
                    .sections
                    .iter()
                    .map(|s| format!("{}, {}", s.title, length(s.duration_ms)))
                    .collect();
                let total = count(e.sections.len() as u64, "section");
                say(page, at, &format!("{total}: {}.", plan.join("; ")));
            }
            Event::InterviewStarted(e) => {
                let by = page.look.clock(e.ends_by);
                say(page, at, &format!("The clock runs; the interview ends by {by}."));
            }
            Event::SectionStarted(e) => self.section_started(page, at, e),
            Event::SectionEnded(e) => self.section_ended(page, at, e),
            Event::PromptPresented(e) => speak(page, at, "Interviewer", &e.text),
            Event::FollowupPresented(e) => speak(page, at, "Interviewer", &e.text),
            Event::ClarificationGiven(e) => speak(page, at, "Interviewer", &e.text),
            Event::ContentRequested(e) => {
                speak(page, at, "Interviewer", &e.text);
                if !e.missing.is_empty() {
                    say(page, at, &format!("Still missing: {}.", e.missing.join("; ")));
                }
            }
            Event::CandidateMessage(e) => self.message(page, at, e),
            Event::AssistantQuery(e) => {
                speak(
                    page,
                    at,
                    &format!("Candidate to the assistant ({})", e.kind.name()),
                    &e.question,
                );
            }
            Event::AssistantResponse(e) => {
                speak(page, at, "Assistant", &e.text);
                for broken in &e.violations {
                    say(page, at, &format!("An answer was withheld: {}.", violation(*broken)));
                }
            }
            Event::SectionTimeWarning(e) => self.warning(page, at, e),
            Event::CoverageSatisfied(e) => {
                let (place, ends) = (self.place(&e.section_id), page.look.clock(e.ends_at));
                say(
                    page,
                    at,
                    &format!(
                        "Everything in {place}, is covered. It ends at {ends} unless something is \
                     said, saved or run before."
                    ),
                );
            }
            Event::CandidateCodeSubmission(e) => submission(page, at, e),
            Event::EvalResult(e) => verdict(page, at, e),
            Event::EvalAborted(e) => {
                let submission = e.attempt_number;
                say(page, at, &format!("Attempt {submission} has no verdict: {}", e.reason));
            }
            Event::OwnTestsStarted(e) => {
                let cases = count(e.cases.len() as u64, "case");
                say(page, at, &format!("The candidate runs {cases} of their own."));
            }
            Event::OwnTestsResult(e) => {
                let total = e.passed + e.failed;
                let passed = e.passed;
                say(page, at, &format!("Own cases: {passed} of {total} were as expected."));
            }
            Event::OwnTestsAborted(e) => {
                say(page, at, &format!("Own cases could not be run: {}", e.reason));
            }
            Event::HintGiven(e) => {
                speak(page, at, &format!("Hint, level {}", e.hint_level), &e.hint_text);
            }
            Event::SolutionWatched(e) => {
                say(page, at, &format!("The file {} is watched.", e.file_path));
            }
            Event::SolutionUnwatched(e) => match unwatched(e) {
                Some(reason) => say(page, at, &format!("The file is no longer watched: {reason}")),
                None => say(page, at, "The file is no longer watched."),
            },
            Event::CandidateConnected(_) => say(page, at, "The candidate is there."),
            Event::CandidateDisconnected(e) => {
                let pauses = page.look.clock(e.pauses_at);
                say(
                    page,
                    at,
                    &format!(
                        "The candidate's last terminal has gone. The interview pauses at {pauses}."
                    ),
                );
            }
            Event::InterviewPaused(_) => {
                say(page, at, "The interview is paused: nobody is there. The time runs on.");
            }
            Event::CandidateReconnected(e) => {
                let away = distance(e.away_ms.saturating_mul(1000));
                say(page, at, &format!("The candidate is back after {away}."));
            }
            Event::InterviewCompleted(e) => completed(page, at, e),
            Event::InterviewTerminated(e) => {
                let why = match e.reason {
                    TerminationReason::Abandoned => "the candidate left",
                    TerminationReason::SystemError => "it could not go on",
                };
                page.blank();
                say(page, at, &format!("The interview ended before its time: {why}."));
            }
            // These are silent.
            Event::FollowupSelected(_)
            | Event::WordingFailed(_)
            | Event::HintRequested(_)
            | Event::SolutionSaved(_)
            | Event::SectionSummarized(_) => {}
        }
    }

    /// The boundary that 001 9 asks for: a blank line, the name, the goal, the deadline.
    fn section_started(&mut self, page: &mut Page<'_>, at: Time, e: &SectionStarted) {
        page.blank();
        let of = match self.sections.len() {
            0 => String::new(),
            total => format!(" of {total}"),
        };
        let deadline = page.look.clock(e.deadline);
        let time = distance_until(at, e.deadline);
        say(
            page,
            at,
            &format!(
                "Section {}{of}, {}, begins. Its time is up at {deadline}, in {time}.",
                e.number, e.title
            ),
        );
        say(page, at, &format!("Goal: {}", e.goal));
    }

    fn section_ended(&self, page: &mut Page<'_>, at: Time, e: &SectionEnded) {
        page.blank();
        let place = capital(&self.place(&e.section_id));
        say(page, at, &format!("{place}, has ended: {}.", exit(e.reason)));
        if let Some(until) = e.grace_until.filter(|until| *until > at) {
            let until = page.look.clock(until);
            say(page, at, &format!("Messages until {until} still belong to it, marked as late."));
        }
    }

    fn warning(&self, page: &mut Page<'_>, at: Time, e: &SectionTimeWarning) {
        let (left, place) = (left(e.left_ms), self.place(&e.section_id));
        let deadline = page.look.clock(e.deadline);
        say(page, at, &format!("{left} in {place}; its time is up at {deadline}."));
    }

    fn message(&self, page: &mut Page<'_>, at: Time, e: &CandidateMessage) {
        let who = match e.late {
            true => format!("Candidate, late for {}", self.title(&e.section_id)),
            false => "Candidate".to_owned(),
        };
        speak(page, at, &who, &e.text);
    }
}

/// Who is there, in one sentence.
pub(crate) fn presence(notice: &PresenceNotice, look: &Look) -> String {
    let PresenceNotice { candidates, observers, interviewers, agents, .. } = notice;
    let kinds = [
        (candidates, "candidate"),
        (observers, "observer"),
        (interviewers, "interviewer"),
        (agents, "agent"),
    ];
    let there: Vec<_> =
        kinds.into_iter().filter(|(n, _)| **n > 0).map(|(n, noun)| count(*n, noun)).collect();
    let text = match there.is_empty() {
        true => "Nobody is attached.".to_owned(),
        false => format!("Attached now: {}.", there.join(", ")),
    };
    let mut page = Page::new(look);
    page.say(Tone::Dim, &text);
    page.finish()
}

fn submission(page: &mut Page<'_>, at: Time, e: &CandidateCodeSubmission) {
    let submission = e.attempt_number;
    let file = &e.file_path;
    let end = match e.origin {
        Origin::Candidate => {
            let late = if e.late { " late, within the grace" } else { "" };
            return say(page, at, &format!("Attempt {submission} was submitted{late}: {file}"));
        }
        Origin::Deadline => "the deadline",
        Origin::SectionEnd => "the end of the section",
    };
    let text = match (e.untaken, e.captured_late) {
        (Some(untaken), _) => format!(
            "{file} {} {end}. Its last save was submitted as attempt {submission}.",
            not_taken(untaken)
        ),
        (None, false) => format!("At {end} {file} was submitted as attempt {submission}."),
        (None, true) => {
            format!("{file} was submitted as attempt {submission} for {end}, read after it.")
        }
    };
    say(page, at, &text);
}

/// What was wrong with a file, up to the moment it was wanted for.
fn not_taken(untaken: Untaken) -> &'static str {
    match untaken {
        Untaken::Unreadable => "could not be read at",
        Untaken::TooLarge => "was too large at",
        Untaken::Empty => "was empty at",
        Untaken::Changed => "was changed after",
    }
}

fn verdict(page: &mut Page<'_>, at: Time, e: &EvalResult) {
    let (submission, passed) = (e.attempt_number, e.tests_passed);
    let total = e.tests_passed + e.tests_failed;
    if e.passed {
        return say(page, at, &format!("Attempt {submission} passed all {total} tests."));
    }
    let class = class(e.failure_type, e.detail);
    say(
        page,
        at,
        &format!("Attempt {submission} failed as {class}: {passed} of {total} tests passed."),
    );
    if let Some(exception) = &e.exception {
        say(page, at, exception);
    }
    if !e.failing_tests.is_empty() {
        say(page, at, &format!("Failing: {}.", e.failing_tests.join(", ")));
    }
    say(page, at, "All of it is shown by: vosimctl result");
}

fn completed(page: &mut Page<'_>, at: Time, e: &InterviewCompleted) {
    page.blank();
    let judged = e.tests_passed.map_or("nothing was judged".to_owned(), |(passed, all)| {
        format!("{passed} of {all} tests passed")
    });
    let took = length(e.duration_ms);
    say(page, at, &format!("The interview is over after {took}; {judged}."));
}

fn distance_until(at: Time, deadline: Time) -> String {
    length(u64::try_from(deadline.micros_since(at) / 1000).unwrap_or(0))
}

/// A sentence behind its time of day.
fn say(page: &mut Page<'_>, at: Time, text: &str) {
    let lead = format!("{}  ", page.look.clock(at));
    page.hanging(&lead, &" ".repeat(lead.len()), Tone::Plain, text);
}

/// What somebody said, behind who it was.
fn speak(page: &mut Page<'_>, at: Time, who: &str, text: &str) {
    say(page, at, &format!("{who}: {text}"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::interview::samples;
    use crate::render::look::{Boxes, Charset};

    fn told(look: &Look) -> String {
        let mut story = Story::default();
        samples::records().iter().map(|record| story.tell(record, look)).collect()
    }

    const LINES: Look = Look { boxes: Boxes::None, ..Look::PLAIN };

    #[test]
    fn an_interview_reads_in_order_in_full_sentences() {
        insta::assert_snapshot!(told(&LINES));
        insta::assert_snapshot!(told(&Look { width: 60, charset: Charset::Ascii, ..LINES }));
    }

    #[test]
    fn a_pipe_gets_each_sentence_on_one_line() {
        let text = told(&Look { width: usize::MAX, ..LINES });
        let warning = "Two minutes are left in section 1 of 2, Frame the problem; its time is up \
                       at 23:41:00.";
        assert!(text.lines().any(|line| line.ends_with(warning)), "{text}");
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        assert!(!text.contains(['│', '─', '╭']));
    }

    #[test]
    fn a_story_goes_on_from_a_view() {
        let view = samples::view();
        let record = samples::warning();
        let fresh = Story::default().tell(&record, &LINES);
        let known = Story::of(&view).tell(&record, &LINES);
        assert!(fresh.contains("in section frame;"), "{fresh}");
        assert!(known.contains("in section 1 of 2, Frame the problem;"), "{known}");
    }

    #[test]
    fn without_a_grace_nobody_is_told_until_when_to_speak() {
        let mut record = samples::records().into_iter().find(|r| r.event_type == "SECTION_ENDED");
        let record = record.as_mut().unwrap();
        let look = Look { width: usize::MAX, ..LINES };
        let told = |record: &EventRecord| Story::default().tell(record, &look);
        assert!(told(record).contains("still belong to it"));
        record.payload["grace_until"] = serde_json::to_value(record.timestamp).unwrap();
        assert!(!told(record).contains("still belong to it"));
    }

    #[test]
    fn presence_is_one_sentence() {
        let notice = |candidates, observers, interviewers| {
            let subscription = 1;
            let notice =
                PresenceNotice { subscription, candidates, observers, interviewers, agents: 0 };
            presence(&notice, &LINES)
        };
        insta::assert_snapshot!(notice(1, 2, 0) + &notice(0, 0, 1) + &notice(0, 0, 0), @"
        Attached now: 1 candidate, 2 observers.
        Attached now: 1 interviewer.
        Nobody is attached.
        ");
    }
}
