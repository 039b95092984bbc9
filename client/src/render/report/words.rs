//! The words of a report, the same on a terminal and on a page.

use vosim_protocol::v1::clauses;
use vosim_protocol::v1::coverage::Coverage;
use vosim_protocol::v1::phrase::Span;
use vosim_protocol::v1::report::{
    Advice, DimensionReport, Judgement, Late, LateThing, Quoted, Report, SectionReport, Tried,
};
use vosim_protocol::v1::sentences::span;
use vosim_protocol::{EventId, Kind};

use crate::render::review;
use crate::render::text::{count, duration, hints, sentence};

/// Most events that are named in a row.
const EVENTS_MAX: usize = 12;

/// Something that is told, with the events that it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Founded {
    pub(crate) text: String,
    pub(crate) events: Vec<EventId>,
}

impl Founded {
    fn new(text: impl Into<String>, events: Vec<EventId>) -> Self {
        Self { text: text.into(), events }
    }

    /// With its events behind it: `(event 4)`, `(events 4, 9)`.
    pub(crate) fn line(&self) -> String {
        format!("{} {}", self.text, events(&self.events)).trim_end().to_owned()
    }
}

/// Those that are named, and how many more there are.
pub(crate) fn named(events: &[EventId]) -> (&[EventId], usize) {
    (&events[..events.len().min(EVENTS_MAX)], events.len().saturating_sub(EVENTS_MAX))
}

fn events(events: &[EventId]) -> String {
    let (shown, more) = named(events);
    let shown: Vec<_> = shown.iter().map(ToString::to_string).collect();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    match events {
        [] => String::new(),
        [one] => format!("(event {one})"),
        _ => format!("(events {}{more})", shown.join(", ")),
    }
}

/// What the page is.
pub(crate) fn title(report: &Report) -> String {
    format!("{} Report", sentence(&report.kind.to_string()))
}

/// Who and what it is about.
pub(crate) fn about(report: &Report) -> Vec<(&'static str, String)> {
    // An interview that never began is about one, too.
    let subject = if report.kind == Kind::Task { "Task" } else { "Problem" };
    let mut about = vec![(subject, report.title.clone())];
    about.extend(report.candidate_id.clone().map(|candidate| ("Candidate", candidate)));
    about.push(("Duration", duration(report.ended.secs_since(report.started))));
    about
}

/// How it came out.
pub(crate) fn outcome(report: &Report) -> &'static str {
    report.outcome.map_or("over", review::outcome)
}

/// `8 min of 10 min used; ended: everything was covered`, with its events.
pub(crate) fn section(section: &SectionReport) -> Founded {
    let time = |ms| span(Span::ms(ms));
    let why = section
        .exit_reason
        .map_or(String::new(), |reason| format!("; ended: {}", clauses::exit(reason).text));
    let (used, given) = (time(section.used_ms), time(section.given_ms));
    let events = [section.started].into_iter().chain(section.ended).collect();
    Founded::new(format!("{used} of {given} used{why}"), events)
}

/// How far a dimension was heard, in a word or two.
pub(crate) fn level(one: &DimensionReport) -> &'static str {
    match (one.coverage, one.declined) {
        (Coverage::Covered, _) => "heard",
        (Coverage::PartiallyCovered, _) => "touched",
        (Coverage::NotCovered, Some(_)) => "declined",
        (Coverage::NotCovered, None) => "not spoken of",
    }
}

/// `Requirements: heard`, with its events.
pub(crate) fn dimension(one: &DimensionReport) -> Founded {
    let optional = if one.required { "" } else { ", which is not asked for" };
    let events = one.heard.into_iter().chain(one.declined).collect();
    Founded::new(format!("{}{optional}: {}", one.title, level(one)), events)
}

/// What was asked, what was said, and what was missing.
pub(crate) fn details(one: &DimensionReport) -> Vec<(&'static str, Founded)> {
    // A follow-up may quote the candidate; what is quoted in a quotation has single marks.
    let quoted = |quoted: &Quoted| {
        let text = quoted.text.trim().replace('“', "‘").replace('”', "’");
        Founded::new(format!("“{text}”"), vec![quoted.event_id])
    };
    let asked = one.question.as_ref().map(|question| ("You were asked", quoted(question)));
    let said = one.said.as_ref().map(|said| ("You said", quoted(said)));
    let sample = one.sample.as_ref();
    let sample = sample.map(|sample| ("A strong answer", Founded::new(sample.trim(), Vec::new())));
    asked.into_iter().chain(said).chain(sample).collect()
}

/// The heading of the submissions.
pub(crate) fn submissions(report: &Report) -> String {
    match report.submissions_omitted {
        0 => "Submissions".to_owned(),
        omitted => format!("The last submissions, after {} before them", count(omitted, "other")),
    }
}

/// A submission with what became of it, and the cause that it was put down to.
pub(crate) fn tried(tried: &Tried) -> Founded {
    let number = tried.number;
    let (text, event) = match (tried.told(), &tried.judged) {
        (Some((event, verdict)), _) => {
            let cause = tried.issue().map(|issue| format!(" Cause: {}.", issue.replace('_', " ")));
            (verdict.text + &cause.unwrap_or_default(), Some(event))
        }
        (None, Some(Judgement::Aborted(why))) => {
            let text = format!("Submission {number} could not be judged: {}", why.text);
            (text, Some(why.event_id))
        }
        (None, Some(Judgement::Verdict { .. }) | None) => {
            (format!("Submission {number} was not judged any more."), None)
        }
    };
    Founded::new(text, [tried.event_id].into_iter().chain(event).collect())
}

/// Growth, own cases, hints, assistant and lateness, as far as there is something to say.
pub(crate) fn facts(report: &Report) -> Vec<(&'static str, Founded)> {
    let mut facts = Vec::new();
    if let Some(grown) = &report.growth {
        let text = clauses::growth(&grown.measured).text;
        facts.push(("Growth", Founded::new(text, vec![grown.event_id])));
    }
    if !report.own_runs.is_empty() {
        let runs = count(report.own_runs.len() as u64, "run");
        facts.push(("Own cases", Founded::new(runs, report.own_runs.clone())));
    }
    if !report.hints.is_empty() {
        let levels: Vec<_> = report.hints.iter().map(|hint| hint.level).collect();
        let events = report.hints.iter().map(|hint| hint.event_id).collect();
        facts.push(("Hints", Founded::new(hints(&levels), events)));
    }
    let asked: Vec<_> = report.assistant.iter().map(|asked| asked.event_id).collect();
    if !asked.is_empty() {
        facts.push(("Assistant", Founded::new(count(asked.len() as u64, "question"), asked)));
    }
    let withheld = report.assistant.iter().filter(|asked| asked.withheld);
    let withheld: Vec<_> = withheld.filter_map(|asked| asked.answer).collect();
    if !withheld.is_empty() {
        facts.push(("Withheld", Founded::new(count(withheld.len() as u64, "answer"), withheld)));
    }
    facts.extend(report.late.iter().map(|late| ("Late", self::late(report, late))));
    facts
}

fn late(report: &Report, late: &Late) -> Founded {
    let what = match late.what {
        LateThing::Message => "a message",
        LateThing::Submission => "a submission",
    };
    let section = report.sections.iter().find(|section| section.section_id == late.section_id);
    let title = section.map_or(late.section_id.as_str(), |section| section.title.as_str());
    let by = span(Span::ms(late.by_ms));
    Founded::new(format!("{what}, {by} after the time of '{title}'"), vec![late.event_id])
}

/// Why something is to be done next.
pub(crate) fn reason(advice: &Advice) -> Founded {
    Founded::new(advice.reason.text.as_str(), advice.events.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::report::samples::report;

    #[test]
    fn events_are_named_one_by_one_as_long_as_they_can_be_read() {
        let ids = |n: u64| (1..=n).map(EventId).collect::<Vec<_>>();
        assert_eq!(events(&[]), "");
        assert_eq!(events(&ids(1)), "(event 1)");
        assert_eq!(events(&ids(2)), "(events 1, 2)");
        assert!(events(&ids(14)).ends_with("11, 12 and 2 more)"));
    }

    #[test]
    fn an_interview_that_never_began_is_about_a_problem_and_a_task_about_a_task() {
        let of = |kind| Report { kind, problem_id: None, ..report() };
        let subject = |kind| about(&of(kind))[0].0;
        assert_eq!((subject(Kind::Interview), subject(Kind::Task)), ("Problem", "Task"));
    }
}
