//! How sections follow each other: their begin, their end, their sealed artifacts, the end of all.
//!
//! Each step is pushed onto the draft before the next is chosen, so a section's end seals it, begins
//! the next one and completes the interview by the same rules that a replay follows.
//!
//! - An interview completes when the last section is sealed and everything that was asked for has
//!   ended: verdicts, own tests, a hint, an answer. Each of these waits is bounded where the
//!   effect is carried out.
//! - Every end of the coding section submits the watched file, not only its deadline: whoever
//!   saves and then says `done` means the save. `origin` says which end it was. The section is
//!   sealed once the file has been read, even by a daemon that was down until after the grace.
//! - A follow-up that was chosen counts as asked when it is presented. `SECTION_ENDED` drops one
//!   that still waits for its words; its question and its place in the budget stay used.
//! - `CANDIDATE_CONNECTED` is an event of its own, beside those of DECISIONS 12: without it nobody
//!   could be missed after a restart. Any command of a candidate who is away brings them back, and
//!   `CANDIDATE_RECONNECTED` follows the command's own events.
//! - An interview that is left ends its section as `system_error`, the one of the four exit
//!   reasons that fits (DECISIONS 46). Whatever is under way ends with the event that exists for
//!   it, what has been done is sealed, and the interview is terminated as abandoned.

use vosim_protocol::v1::interview::{
    CandidateConnected, CandidateDisconnected, CandidateReconnected, CoverageSatisfied, Event,
    ExitReason, InterviewCompleted, ReturnedBy, SectionEnded, SectionStarted, SectionSummarized,
};

use super::saying::wraps_now;
use super::section::{Artifact, EndedSection};
use super::state::{Draft, Presence, Stage};
use crate::parts::summary::summarize;

/// After having left so often a candidate counts as being there: a log does not grow with every
/// flutter of a connection.
pub(super) const DEPARTURES_MAX: u32 = 1_000;

/// What follows from the facts of one input: what has passed is measured, a covered section is announced, the
/// last end completes the interview.
pub(super) fn settle(draft: &mut Draft<'_>) {
    let due = draft.state().probes.due().cloned();
    draft.extend(due.map(Event::GrowthProbeStarted));
    cover(draft);
    complete(draft);
}

/// A terminal of the candidate is there, or the last one has gone (001 5.3; DECISIONS 12).
pub(super) fn presence(draft: &mut Draft<'_>, here: bool) {
    let state = draft.state();
    if here && state.presence == Presence::Unattached {
        draft.push(Event::CandidateConnected(CandidateConnected {}));
    } else if here {
        back(draft, ReturnedBy::Terminal);
    } else if state.departures < DEPARTURES_MAX {
        let pauses_at = draft.at().plus_secs(state.spec.schema.presence_seconds.into());
        draft.push(Event::CandidateDisconnected(CandidateDisconnected { pauses_at }));
    }
}

/// Brings a candidate back who was away: what was paused continues in the time that is left (001 5.3).
pub(super) fn back(draft: &mut Draft<'_>, by: ReturnedBy) {
    let (since, was_paused) = match draft.state().presence {
        Presence::Unattached | Presence::Here => return,
        Presence::Away { since, .. } => (since, false),
        Presence::Paused { since } => (since, true),
    };
    let away_ms = millis(draft.at().micros_since(since));
    let event = CandidateReconnected { by, away_ms, was_paused };
    draft.push(Event::CandidateReconnected(event));
}

/// Announces that everything is covered (001 6.4); the section ends after a while of quiet
/// (DECISIONS 13).
fn cover(draft: &mut Draft<'_>) {
    let Some(section) = draft.state().open() else { return };
    if wraps_now(draft.state(), section, draft.at()) {
        announce_covered(draft);
    }
}

/// The wrap-up of the open section begins.
pub(super) fn announce_covered(draft: &mut Draft<'_>) {
    let Some(section) = draft.state().open() else { return };
    let ends_at = draft.at().plus_secs(draft.state().spec.schema.covered_seconds.into());
    let plan = section.plan(&draft.state().spec.schema);
    let (section_id, title) = (plan.id.clone(), plan.title.clone());
    draft.push(Event::CoverageSatisfied(CoverageSatisfied { section_id, title, ends_at }));
}

/// Begins a section; its clock runs from now (001 5.1).
pub(super) fn start_section(draft: &mut Draft<'_>, place: usize) {
    let plan = &draft.state().spec.schema.sections[place];
    let required = plan.dimensions.iter().filter(|d| d.required).map(|d| d.id.clone());
    let started = SectionStarted {
        section_id: plan.id.clone(),
        number: u32::try_from(place + 1).unwrap_or(u32::MAX),
        total: u32::try_from(draft.state().spec.schema.sections.len()).unwrap_or(u32::MAX),
        title: plan.title.clone(),
        goal: plan.goal.clone(),
        deadline: draft.at().plus_micros(draft.state().granted_micros(plan.duration_seconds)),
        // 001 6.1: each section has a budget of its own; nothing is carried over.
        followup_budget: plan.followup_cap,
        required: required.collect(),
    };
    draft.push(Event::SectionStarted(started));
}

/// Ends the open section and begins what comes next, in the same moment (001 5.2).
pub(super) fn end_section(draft: &mut Draft<'_>, reason: ExitReason) {
    let Some(section) = draft.state().open() else { return };
    let place = section.contents.place;
    let grace = draft.state().spec.schema.grace_seconds;
    let plan = section.plan(&draft.state().spec.schema);
    let ended = SectionEnded {
        section_id: plan.id.clone(),
        title: plan.title.clone(),
        reason,
        unused_ms: millis(section.contents.deadline.micros_since(draft.at())),
        // DECISIONS 10: only the clock ends a section in the middle of a sentence.
        grace_until: (reason == ExitReason::TimeExpired)
            .then(|| draft.at().plus_secs(grace.into())),
    };
    let sealed_now = ended.grace_until.is_none();
    draft.push(Event::SectionEnded(ended));
    if sealed_now && !draft.state().awaits_capture(place) {
        seal(draft, place);
    }
    // Who leaves begins nothing more.
    if reason != ExitReason::SystemError && place + 1 < draft.state().spec.schema.sections.len() {
        start_section(draft, place + 1);
    }
}

/// The artifact of a section (001 3.3): nothing is added to it after this.
pub(super) fn seal(draft: &mut Draft<'_>, place: usize) {
    let Some(EndedSection { reason, artifact }) = draft.state().ended.get(place) else { return };
    let Artifact::Pending { contents: section, .. } = artifact else { return };
    let plan = section.plan(&draft.state().spec.schema);
    let statement = draft.state().spec.problem.statement.as_str();
    let told: Vec<_> = section.told().chain([statement]).collect();
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let submissions = draft.state().submissions.count() + count(draft.state().judging.len());
    let sealed = SectionSummarized {
        section_id: plan.id.clone(),
        exit_reason: *reason,
        coverage_flags: section.coverage.map(),
        declined: section.declined.iter().cloned().collect(),
        bounded_context_summary: summarize(&section.said(), &plan.dimensions, &told),
        followups_asked: section.asked,
        messages: count(section.messages.len()),
        late_messages: count(section.messages.iter().filter(|m| m.late).count()),
        submissions: if plan.coding { submissions } else { 0 },
    };
    draft.push(Event::SectionSummarized(sealed));
}

/// The artifact that waited for a file alone; one with a grace is sealed after that.
pub(super) fn seal_captured(draft: &mut Draft<'_>) {
    let coding = draft.state().coding_ended().filter(|section| section.grace().is_none());
    if let Some(place) = coding.and_then(EndedSection::pending).map(|contents| contents.place) {
        seal(draft, place);
    }
}

/// The end (DECISIONS 9), once every artifact is sealed and everything that was asked for is there.
fn complete(draft: &mut Draft<'_>) {
    let state = draft.state();
    let Stage::Closing { started } = state.stage else { return };
    let pending = state.ended.iter().any(|section| section.pending().is_some());
    let runs = state.testing.is_some() || !state.probes.pending().is_empty();
    let asked = runs || state.asked.is_some() || state.hints.pending().is_some();
    let waits = !state.judging.is_empty() || state.capture().is_some() || asked;
    if pending || waits {
        return;
    }
    let last = state.submissions.last().map(|submission| &submission.result);
    let completed = InterviewCompleted {
        exits: state.ended.iter().map(|section| section.reason).collect(),
        tests_passed: last.map(|r| (r.tests_passed, r.tests_passed + r.tests_failed)),
        hints_used: state.hints.given_count(),
        assistant_queries: state.assistant.queries,
        assistant_violations: state.assistant.violations,
        duration_ms: millis(draft.at().micros_since(started)),
    };
    draft.push(Event::InterviewCompleted(completed));
}

/// Whole milliseconds of a span, never negative.
pub(super) fn millis(micros: i64) -> u64 {
    u64::try_from(micros / 1_000).unwrap_or(0)
}
