//! [`Draft`]: the events that one input leads to, each folded before the next is chosen.
//!
//! So a consequence is decided on the state it follows from: a message covers a section, the last
//! section's end completes the interview.

use vosim_protocol::v1::interview::{
    CandidateConnected, CandidateDisconnected, CandidateReconnected, CoverageSatisfied, Event,
    ExitReason, InterviewCompleted, InterviewTerminated, ReturnedBy, SectionEnded, SectionStarted,
    SectionSummarized, TerminationReason,
};
use vosim_protocol::{EventId, Time};

use super::section::SectionState;
use super::{Presence, Stage, State, conclude, fold};
use crate::kind::Recorded;
use crate::parts::summary::summarize;

/// The place of an event that has none yet; nothing is decided on it.
const PROVISIONAL: EventId = EventId(u64::MAX);

/// What an input leads to, so far.
pub(super) struct Draft {
    pub(super) state: State,
    pub(super) at: Time,
    events: Vec<Event>,
}

impl Draft {
    pub(super) fn new(state: &State, at: Time) -> Self {
        Self { state: state.clone(), at, events: Vec::new() }
    }

    /// One more fact.
    pub(super) fn push(&mut self, event: Event) {
        let recorded = Recorded { id: PROVISIONAL, at: self.at, event };
        fold::evolve(&mut self.state, &recorded);
        self.events.push(recorded.event);
    }

    /// Some more facts.
    pub(super) fn extend(&mut self, events: impl IntoIterator<Item = Event>) {
        events.into_iter().for_each(|event| self.push(event));
    }

    /// All of them, with what follows from the last.
    pub(super) fn finish(mut self) -> Vec<Event> {
        self.cover();
        self.complete();
        self.events
    }

    /// The end of what a candidate's command leads to: whoever gives one is back (DECISIONS 12).
    pub(super) fn finish_command(mut self) -> Vec<Event> {
        self.cover();
        if matches!(self.state.stage, Stage::Open | Stage::NotStarted | Stage::Closing) {
            self.back(ReturnedBy::Command);
        }
        self.complete();
        self.events
    }

    /// A terminal of the candidate is there.
    pub(super) fn came(&mut self) {
        if self.state.presence == Presence::Unattached {
            self.push(Event::CandidateConnected(CandidateConnected {}));
        } else {
            self.back(ReturnedBy::Terminal);
        }
    }

    /// The last one has gone.
    pub(super) fn went(&mut self) {
        let pauses_at = self.at.plus_secs(self.state.spec.schema.presence_seconds.into());
        self.push(Event::CandidateDisconnected(CandidateDisconnected { pauses_at }));
    }

    fn back(&mut self, by: ReturnedBy) {
        let (since, was_paused) = match self.state.presence {
            Presence::Unattached | Presence::Here => return,
            Presence::Away { since, .. } => (since, false),
            Presence::Paused { since } => (since, true),
        };
        let away_ms = millis(self.at.micros_since(since));
        let event = CandidateReconnected { by, away_ms, was_paused };
        self.push(Event::CandidateReconnected(event));
    }

    /// Announces that everything is covered; the section ends after a while of quiet
    /// (DECISIONS 13).
    fn cover(&mut self) {
        let Some(section) = self.state.open() else { return };
        if section.ends_at.is_some() || !self.state.satisfied(section) {
            return;
        }
        let ends_at = self.at.plus_secs(self.state.spec.schema.covered_seconds.into());
        let section_id = self.id_of(section);
        self.push(Event::CoverageSatisfied(CoverageSatisfied { section_id, ends_at }));
    }

    fn id_of(&self, section: &SectionState) -> String {
        section.plan(&self.state.spec.schema).id.clone()
    }

    /// Begins a section; the clock of it runs from now.
    pub(super) fn start_section(&mut self, place: usize) {
        let plan = &self.state.spec.schema.sections[place];
        let required = plan.dimensions.iter().filter(|d| d.required).map(|d| d.id.clone());
        let started = SectionStarted {
            section_id: plan.id.clone(),
            number: u32::try_from(place + 1).unwrap_or(u32::MAX),
            title: plan.title.clone(),
            goal: plan.goal.clone(),
            deadline: self.at.plus_micros(self.state.granted_micros(plan.duration_seconds)),
            followup_budget: plan.followup_cap,
            required: required.collect(),
        };
        self.push(Event::SectionStarted(started));
    }

    /// Ends the open section and begins what comes next, in the same moment (001 5.2).
    pub(super) fn end_section(&mut self, reason: ExitReason) {
        let Some(section) = self.state.open() else { return };
        let place = section.place;
        let grace = self.state.spec.schema.grace_seconds;
        let ended = SectionEnded {
            section_id: self.id_of(section),
            reason,
            unused_ms: millis(section.deadline.micros_since(self.at)),
            grace_until: (reason == ExitReason::TimeExpired)
                .then(|| self.at.plus_secs(grace.into())),
        };
        let sealed_now = ended.grace_until.is_none();
        self.push(Event::SectionEnded(ended));
        if sealed_now && !self.state.awaits_capture(place) {
            self.seal(place);
        }
        if reason != ExitReason::SystemError && place + 1 < self.state.spec.schema.sections.len() {
            self.start_section(place + 1);
        }
    }

    /// The artifact of a section: nothing is added to it after this.
    pub(super) fn seal(&mut self, place: usize) {
        let Some(section) = self.state.sections.get(place).filter(|s| !s.sealed()) else { return };
        let Some(ended) = section.ended else { return };
        let plan = section.plan(&self.state.spec.schema);
        let statement = self.state.spec.problem.statement.as_str();
        let told: Vec<_> = section.told().chain([statement]).collect();
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let submissions = self.state.submissions.count() + count(self.state.judging.len());
        let sealed = SectionSummarized {
            section_id: plan.id.clone(),
            exit_reason: ended.reason,
            coverage_flags: section.coverage.map(),
            declined: section.declined.iter().cloned().collect(),
            bounded_context_summary: summarize(&section.said(), &plan.dimensions, &told),
            followups_asked: section.asked,
            messages: count(section.messages.len()),
            late_messages: count(section.messages.iter().filter(|m| m.late).count()),
            submissions: if plan.coding { submissions } else { 0 },
        };
        self.push(Event::SectionSummarized(sealed));
    }

    /// The artifact that waited for a file alone; one with a grace is sealed after that.
    pub(super) fn seal_captured(&mut self) {
        let schema = &self.state.spec.schema;
        let waited = self.state.sections.iter().find(|section| {
            let ended = section.ended.is_some_and(|ended| ended.grace_until.is_none());
            section.plan(schema).coding && ended
        });
        if let Some(place) = waited.map(|section| section.place) {
            self.seal(place);
        }
    }

    /// The end, once every artifact is sealed and everything that was asked for is there.
    fn complete(&mut self) {
        let state = &self.state;
        let open = state.sections.iter().any(|section| !section.sealed());
        let asked = state.testing.is_some() || state.asked.is_some() || state.hint_pending();
        let waits = !state.judging.is_empty() || state.capture.is_some() || asked;
        if state.stage != Stage::Closing || open || waits {
            return;
        }
        let exits = state.sections.iter().filter_map(|section| section.ended);
        let last = state.submissions.last().map(|submission| &submission.result);
        let started = state.started.unwrap_or(self.at);
        let completed = InterviewCompleted {
            exits: exits.map(|ended| ended.reason).collect(),
            tests_passed: last.map(|r| (r.tests_passed, r.tests_passed + r.tests_failed)),
            hints_used: u32::try_from(state.hints.iter().filter(|hint| hint.given).count())
                .unwrap_or(u32::MAX),
            assistant_queries: state.assistant.queries,
            assistant_violations: state.assistant.violations,
            duration_ms: millis(self.at.micros_since(started)),
        };
        self.push(Event::InterviewCompleted(completed));
    }

    /// Leaves before the end: what there is is sealed, what is under way is given up.
    pub(super) fn abandon(&mut self) {
        let section_id = self.state.open().map(|section| self.id_of(section));
        self.end_section(ExitReason::SystemError);
        for place in 0..self.state.sections.len() {
            self.seal(place);
        }
        conclude::give_up(self);
        let reason = TerminationReason::Abandoned;
        self.push(Event::InterviewTerminated(InterviewTerminated { reason, section_id }));
    }
}

/// Whole milliseconds of a span, never negative.
pub(super) fn millis(micros: i64) -> u64 {
    u64::try_from(micros / 1_000).unwrap_or(0)
}
