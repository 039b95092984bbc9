//! What was said and what happened, in the order in which a terminal shows it (001 7.1: the raw
//! transcript). The log holds everything; this is the part that people read.

use std::sync::Arc;

use vosim_protocol::v1::interview::{
    CandidateCodeSubmission, CandidateReconnected, Event, ExitReason, NotSubmitted, Origin,
    ReturnedBy, SolutionUnwatched, TerminationReason,
};

use vosim_protocol::v1::talk::{Channel, Entry};

use vosim_protocol::v1::effect::Untaken;

use crate::kind::Recorded;
use crate::parts::shown::newest;
use crate::parts::words::json_len;
use crate::sentences;

/// Most entries of a view.
const SHOWN_MAX: usize = 400;
/// Most bytes of them, as JSON spells them; a frame holds 1 MiB.
const SHOWN_BYTES_MAX: usize = 256 * 1024;
/// What an entry takes beside its text and its section, at most.
const ENTRY_BYTES: usize = 192;

/// The entries so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Transcript(Vec<Arc<Entry>>);

impl Transcript {
    /// Notes an event, if it is one that people read.
    pub(super) fn take(&mut self, event: &Recorded<Event>) {
        self.0.extend(entry(event).map(Arc::new));
    }

    /// The newest entries that fit into a view, and how many came before.
    pub(super) fn newest(&self) -> (Vec<Entry>, u32) {
        let size = |entry: &Arc<Entry>| {
            let section = entry.section_id.as_deref().map_or(0, json_len);
            json_len(&entry.text) + section + ENTRY_BYTES
        };
        let shown = newest(&self.0, SHOWN_MAX, SHOWN_BYTES_MAX, size);
        let omitted = self.0.len() - shown.len();
        let entries = shown.iter().map(|entry| Entry::clone(entry)).collect();
        (entries, u32::try_from(omitted).unwrap_or(u32::MAX))
    }
}

/// An event as people read it.
pub(super) fn entry(event: &Recorded<Event>) -> Option<Entry> {
    let Line { channel, section, text, late } = line(&event.event)?;
    let section_id = section.map(str::to_owned);
    Some(Entry { event_id: event.id, at: event.at, channel, section_id, text, late })
}

/// An entry without its place.
struct Line<'e> {
    channel: Channel,
    section: Option<&'e str>,
    text: String,
    late: bool,
}

fn said<'e>(channel: Channel, section: &'e str, text: &str) -> Option<Line<'e>> {
    Some(Line { channel, section: Some(section), text: text.to_owned(), late: false })
}

fn told<'e>(section: Option<&'e str>, text: String) -> Option<Line<'e>> {
    Some(Line { channel: Channel::System, section, text, late: false })
}

fn line(event: &Event) -> Option<Line<'_>> {
    use Channel::{Ask, Assistant, Candidate, Interviewer, Section};
    match event {
        Event::SectionStarted(started) => {
            let text = format!("Section {}: {}. {}", started.number, started.title, started.goal);
            said(Section, &started.section_id, &text)
        }
        Event::PromptPresented(prompt) => said(Interviewer, &prompt.section_id, &prompt.text),
        Event::FollowupPresented(asked) => said(Interviewer, &asked.section_id, &asked.text),
        Event::ClarificationGiven(given) => said(Interviewer, &given.section_id, &given.text),
        Event::ContentRequested(requested) => {
            let text =
                format!("{} Still missing: {}.", requested.text, requested.missing.join("; "));
            said(Interviewer, &requested.section_id, &text)
        }
        Event::HintGiven(given) => Some(Line {
            channel: Interviewer,
            section: None,
            text: sentences::hint(given),
            late: false,
        }),
        Event::CandidateMessage(message) => Some(Line {
            channel: Candidate,
            section: Some(&message.section_id),
            text: message.text.clone(),
            late: message.late,
        }),
        Event::AssistantQuery(query) => said(Ask, &query.section_id, &query.question),
        Event::AssistantResponse(response) => Some(Line {
            channel: Assistant,
            section: None,
            text: response.text.clone(),
            late: false,
        }),
        Event::SectionEnded(ended) => said(Section, &ended.section_id, exit(ended.reason)),
        Event::InterviewCompleted(_) => Some(Line {
            channel: Section,
            section: None,
            text: "The interview is complete.".to_owned(),
            late: false,
        }),
        Event::InterviewTerminated(ended) => Some(Line {
            channel: Section,
            section: None,
            text: match ended.reason {
                TerminationReason::Abandoned => "The interview was left before its end.",
                TerminationReason::SystemError => "The interview could not go on.",
            }
            .to_owned(),
            late: false,
        }),
        Event::InterviewCreated(_)
        | Event::InterviewStarted(_)
        | Event::FollowupSelected(_)
        | Event::WordingFailed(_)
        | Event::HintRequested(_)
        | Event::SolutionSaved(_)
        | Event::SectionSummarized(_) => None,
        Event::CandidateCodeSubmission(_)
        | Event::EvalResult(_)
        | Event::EvalAborted(_)
        | Event::OwnTestsStarted(_)
        | Event::OwnTestsResult(_)
        | Event::OwnTestsAborted(_)
        | Event::SolutionWatched(_)
        | Event::SolutionUnwatched(_)
        | Event::SectionTimeWarning(_)
        | Event::CoverageSatisfied(_)
        | Event::CandidateConnected(_)
        | Event::CandidateDisconnected(_)
        | Event::InterviewPaused(_)
        | Event::CandidateReconnected(_) => happened(event),
    }
}

/// What the system tells.
fn happened(event: &Event) -> Option<Line<'_>> {
    match event {
        Event::CandidateCodeSubmission(code) => {
            let text = sentences::submission(code.attempt_number, &code.file_path, &how(code));
            let line = told(Some(&code.section_id), text);
            line.map(|line| Line { late: code.late, ..line })
        }
        Event::EvalResult(result) => told(None, sentences::verdict(result)),
        Event::EvalAborted(aborted) => told(None, sentences::not_judged(aborted)),
        Event::OwnTestsResult(result) => {
            let total = result.passed + result.failed;
            let passed = result.passed;
            told(None, format!("Own tests: {passed} of {total} gave what was expected."))
        }
        Event::OwnTestsAborted(aborted) => {
            told(None, format!("Own tests could not be run: {}", aborted.reason))
        }
        Event::SolutionWatched(watched) => {
            told(None, format!("{} is watched: each save is kept.", watched.file_path))
        }
        Event::SolutionUnwatched(event) => told(None, unwatched(event)),
        Event::SectionTimeWarning(warning) => {
            told(Some(&warning.section_id), format!("Time left: {}.", span(warning.left_ms)))
        }
        Event::CoverageSatisfied(covered) => told(
            Some(&covered.section_id),
            "Everything this section asks for is there. It ends soon, unless you go on.".to_owned(),
        ),
        Event::CandidateConnected(_) => told(None, "The candidate is here.".to_owned()),
        Event::CandidateDisconnected(_) => {
            told(None, "The candidate's last terminal has gone.".to_owned())
        }
        Event::InterviewPaused(_) => {
            told(None, "Paused: nobody is here. The section's time runs on.".to_owned())
        }
        Event::CandidateReconnected(back) => told(None, returned(back)),
        // Another channel's, or nobody's; only those above come here.
        Event::OwnTestsStarted(_)
        | Event::InterviewCreated(_)
        | Event::InterviewStarted(_)
        | Event::SectionStarted(_)
        | Event::PromptPresented(_)
        | Event::CandidateMessage(_)
        | Event::ClarificationGiven(_)
        | Event::FollowupSelected(_)
        | Event::FollowupPresented(_)
        | Event::WordingFailed(_)
        | Event::HintRequested(_)
        | Event::HintGiven(_)
        | Event::SolutionSaved(_)
        | Event::AssistantQuery(_)
        | Event::AssistantResponse(_)
        | Event::ContentRequested(_)
        | Event::SectionEnded(_)
        | Event::SectionSummarized(_)
        | Event::InterviewCompleted(_)
        | Event::InterviewTerminated(_) => None,
    }
}

/// How a file came to be submitted, behind its name.
fn how(code: &CandidateCodeSubmission) -> String {
    let end = match code.origin {
        Origin::Candidate if code.late => return "submitted within the grace".to_owned(),
        Origin::Candidate => return "submitted".to_owned(),
        Origin::Deadline => "the deadline",
        Origin::SectionEnd => "the end of the section",
    };
    let (fault, moment) = match code.untaken {
        None => return format!("submitted as it stood at {end}"),
        Some(Untaken::Unreadable) => ("could not be read", "at"),
        Some(Untaken::TooLarge) => ("was too large", "at"),
        Some(Untaken::Empty) => ("was empty", "at"),
        Some(Untaken::Changed) => ("was changed", "after"),
    };
    format!("{fault} {moment} {end}; its last save was submitted")
}

/// Why a file is no longer watched.
fn unwatched(unwatched: &SolutionUnwatched) -> String {
    let why = match (&unwatched.reason, unwatched.not_submitted) {
        (Some(reason), _) => reason,
        (None, Some(NotSubmitted::Unchanged)) => "it was submitted before as it stands",
        (None, Some(NotSubmitted::Starter)) => "it holds only the starter, so it is not submitted",
        (None, Some(NotSubmitted::Nothing)) => "nothing was saved in it",
        (None, Some(NotSubmitted::Left) | None) => {
            return "The file is no longer watched.".to_owned();
        }
    };
    format!("The file is no longer watched: {why}")
}

fn exit(reason: ExitReason) -> &'static str {
    match reason {
        ExitReason::TimeExpired => "The section's time is up.",
        ExitReason::CoverageSatisfied => "The section has ended: everything is covered.",
        ExitReason::CandidateDone => "The section has ended: the candidate is done.",
        ExitReason::SystemError => "The section was left.",
    }
}

fn returned(back: &CandidateReconnected) -> String {
    let by = match back.by {
        ReturnedBy::Terminal => "with a terminal",
        ReturnedBy::Command => "with a command",
    };
    format!("The candidate is back {by}, after {}.", span(back.away_ms))
}

/// `2 min`, `1 min 30 s`, `45 s`.
fn span(ms: u64) -> String {
    let seconds = ms / 1_000;
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, 0) => format!("{minutes} min"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    }
}
