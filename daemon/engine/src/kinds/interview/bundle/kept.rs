//! What is kept of each section at the end: of each dimension the candidate's best sentence that was heard
//! and still holds (001 7.1).
//!
//! A section's own summary is made when it is sealed and stays in its event; what was taken back or
//! overtaken by a verdict afterwards is kept here no more.

use std::collections::BTreeMap;

use vosim_protocol::EventId;
use vosim_protocol::v1::bundle::SectionArtifact;
use vosim_protocol::v1::coverage::{Coverage, CoverageChange, Dimension, Sentence};
use vosim_protocol::v1::interview::{CandidateMessage, Event, Spec};

use crate::kind::Recorded;
use crate::parts::coverage::is_nothing;
use crate::parts::hearing::Listener;
use crate::parts::quoting::{Spoken, best};

/// What was said in a section, by both.
#[derive(Debug, Default)]
struct Said<'a> {
    messages: Vec<Uttered<'a>>,
    told: Vec<&'a str>,
}

/// A message, and all that it was heard to cover, by whomever.
#[derive(Debug)]
struct Uttered<'a> {
    event: EventId,
    message: &'a CandidateMessage,
    coverage: Vec<CoverageChange>,
}

/// Keeps of each section what holds.
pub(super) fn keep(sections: &mut [SectionArtifact], spec: &Spec, events: &[Recorded<Event>]) {
    let said = said(events);
    let judged = |recorded: &&Recorded<Event>| matches!(recorded.event, Event::EvalResult(_));
    let last_verdict = events.iter().rev().find(judged).map(|recorded| recorded.id);
    let problem = &spec.problem;
    let listener = Listener::new(spec.hearing, &problem.interface, &problem.statement);
    for section in sections {
        let plan = spec.schema.sections.iter().find(|plan| plan.id == section.section_id);
        let (Some(plan), Some(said)) = (plan, said.get(section.section_id.as_str())) else {
            section.bounded_context_summary.clear();
            continue;
        };
        let told: Vec<_> = said.told.iter().copied().chain([problem.statement.as_str()]).collect();
        let spoken = said.spoken(last_verdict);
        let flags = &section.coverage_flags;
        // Nothing is kept as said that was not heard.
        let heard =
            |one: &&Dimension| flags.get(&one.id).is_some_and(|at| *at > Coverage::NotCovered);
        let kept = plan.dimensions.iter().filter(heard).filter_map(|dimension| {
            let (event_id, text) = best(listener.as_ref(), &spoken, dimension, &told)?;
            let dimension = Some(dimension.id.clone());
            Some(Sentence { dimension, text: text.to_owned(), event_id })
        });
        section.bounded_context_summary = kept.collect();
    }
}

impl Said<'_> {
    /// The messages that counted. DECISIONS 10: a late one never does.
    fn spoken(&self, last_verdict: Option<EventId>) -> Vec<Spoken<'_>> {
        let counted = self.messages.iter();
        let counted = counted.filter(|said| !said.message.late && !is_nothing(said.message.guard));
        let spoken = counted.map(|Uttered { event, message, coverage }| Spoken {
            event: *event,
            text: &message.text,
            outdated: message.tells_verdict && last_verdict.is_some_and(|last| last > *event),
            coverage,
        });
        spoken.collect()
    }
}

fn said(events: &[Recorded<Event>]) -> BTreeMap<&str, Said<'_>> {
    let mut all: BTreeMap<&str, Said<'_>> = BTreeMap::new();
    for recorded in events {
        #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is said in a section")]
        let (section, text) = match &recorded.event {
            Event::PromptPresented(prompt) => (&prompt.section_id, &prompt.text),
            Event::ClarificationGiven(given) => (&given.section_id, &given.text),
            Event::InquiryAnswered(answered) => (&answered.section_id, &answered.text),
            // As the pool has it: what the candidate has said was not told.
            Event::FollowupSelected(chosen) => (&chosen.section_id, &chosen.question),
            Event::CandidateMessage(message) => {
                let said = all.entry(&message.section_id).or_default();
                let (event, coverage) = (recorded.id, message.coverage.clone());
                said.messages.push(Uttered { event, message, coverage });
                continue;
            }
            Event::MessageHeard(heard) => {
                let said = all.entry(&heard.section_id).or_default();
                let mut messages = said.messages.iter_mut();
                if let Some(message) = messages.find(|said| said.event == heard.message) {
                    message.coverage.extend(heard.coverage.iter().cloned());
                }
                continue;
            }
            _ => continue,
        };
        all.entry(section).or_default().told.push(text);
    }
    all
}
