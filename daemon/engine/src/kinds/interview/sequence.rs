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
    ExitReason, InterviewCompleted, InterviewTerminated, ReturnedBy, SectionEnded, SectionStarted,
    SectionSummarized, TerminationReason,
};

use super::section::SectionState;
use super::{Draft, Presence, Stage, State, conclude};
use crate::parts::summary::summarize;

/// What follows from the facts of one input: a covered section is announced, the last end completes
/// the interview.
pub(super) fn settle(draft: &mut Draft<'_>) {
    cover(draft);
    complete(draft);
}

/// A terminal of the candidate is there.
pub(super) fn came(draft: &mut Draft<'_>) {
    if draft.state().presence == Presence::Unattached {
        draft.push(Event::CandidateConnected(CandidateConnected {}));
    } else {
        back(draft, ReturnedBy::Terminal);
    }
}

/// The last one has gone.
pub(super) fn went(draft: &mut Draft<'_>) {
    let pauses_at = draft.at().plus_secs(draft.state().spec.schema.presence_seconds.into());
    draft.push(Event::CandidateDisconnected(CandidateDisconnected { pauses_at }));
}

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

/// Announces that everything is covered; the section ends after a while of quiet
/// (DECISIONS 13).
fn cover(draft: &mut Draft<'_>) {
    let Some(section) = draft.state().open() else { return };
    if section.ends_at.is_some() || !draft.state().satisfied(section) {
        return;
    }
    let ends_at = draft.at().plus_secs(draft.state().spec.schema.covered_seconds.into());
    let section_id = id_of(draft.state(), section);
    draft.push(Event::CoverageSatisfied(CoverageSatisfied { section_id, ends_at }));
}

fn id_of(state: &State, section: &SectionState) -> String {
    section.plan(&state.spec.schema).id.clone()
}

/// Begins a section; the clock of it runs from now.
pub(super) fn start_section(draft: &mut Draft<'_>, place: usize) {
    let plan = &draft.state().spec.schema.sections[place];
    let required = plan.dimensions.iter().filter(|d| d.required).map(|d| d.id.clone());
    let started = SectionStarted {
        section_id: plan.id.clone(),
        number: u32::try_from(place + 1).unwrap_or(u32::MAX),
        title: plan.title.clone(),
        goal: plan.goal.clone(),
        deadline: draft.at().plus_micros(draft.state().granted_micros(plan.duration_seconds)),
        followup_budget: plan.followup_cap,
        required: required.collect(),
    };
    draft.push(Event::SectionStarted(started));
}

/// Ends the open section and begins what comes next, in the same moment (001 5.2).
pub(super) fn end_section(draft: &mut Draft<'_>, reason: ExitReason) {
    let Some(section) = draft.state().open() else { return };
    let place = section.place;
    let grace = draft.state().spec.schema.grace_seconds;
    let ended = SectionEnded {
        section_id: id_of(draft.state(), section),
        reason,
        unused_ms: millis(section.deadline.micros_since(draft.at())),
        grace_until: (reason == ExitReason::TimeExpired)
            .then(|| draft.at().plus_secs(grace.into())),
    };
    let sealed_now = ended.grace_until.is_none();
    draft.push(Event::SectionEnded(ended));
    if sealed_now && !draft.state().awaits_capture(place) {
        seal(draft, place);
    }
    if reason != ExitReason::SystemError && place + 1 < draft.state().spec.schema.sections.len() {
        start_section(draft, place + 1);
    }
}

/// The artifact of a section: nothing is added to it after this.
pub(super) fn seal(draft: &mut Draft<'_>, place: usize) {
    let Some(section) = draft.state().sections.get(place).filter(|s| !s.sealed()) else { return };
    let Some(ended) = section.ended else { return };
    let plan = section.plan(&draft.state().spec.schema);
    let statement = draft.state().spec.problem.statement.as_str();
    let told: Vec<_> = section.told().chain([statement]).collect();
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let submissions = draft.state().submissions.count() + count(draft.state().judging.len());
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
    draft.push(Event::SectionSummarized(sealed));
}

/// The artifact that waited for a file alone; one with a grace is sealed after that.
pub(super) fn seal_captured(draft: &mut Draft<'_>) {
    let schema = &draft.state().spec.schema;
    let waited = draft.state().sections.iter().find(|section| {
        let ended = section.ended.is_some_and(|ended| ended.grace_until.is_none());
        section.plan(schema).coding && ended
    });
    if let Some(place) = waited.map(|section| section.place) {
        seal(draft, place);
    }
}

/// The end, once every artifact is sealed and everything that was asked for is there.
fn complete(draft: &mut Draft<'_>) {
    let state = draft.state();
    let open = state.sections.iter().any(|section| !section.sealed());
    let asked = state.testing.is_some() || state.asked.is_some() || state.hint_pending();
    let waits = !state.judging.is_empty() || state.capture.is_some() || asked;
    if state.stage != Stage::Closing || open || waits {
        return;
    }
    let exits = state.sections.iter().filter_map(|section| section.ended);
    let last = state.submissions.last().map(|submission| &submission.result);
    let started = state.started.unwrap_or(draft.at());
    let completed = InterviewCompleted {
        exits: exits.map(|ended| ended.reason).collect(),
        tests_passed: last.map(|r| (r.tests_passed, r.tests_passed + r.tests_failed)),
        hints_used: u32::try_from(state.hints.iter().filter(|hint| hint.wording.is_none()).count())
            .unwrap_or(u32::MAX),
        assistant_queries: state.assistant.queries,
        assistant_violations: state.assistant.violations,
        duration_ms: millis(draft.at().micros_since(started)),
    };
    draft.push(Event::InterviewCompleted(completed));
}

/// Leaves before the end: what there is is sealed, what is under way is given up.
pub(super) fn abandon(draft: &mut Draft<'_>) {
    let section_id = draft.state().open().map(|section| id_of(draft.state(), section));
    end_section(draft, ExitReason::SystemError);
    for place in 0..draft.state().sections.len() {
        seal(draft, place);
    }
    conclude::give_up(draft);
    let reason = TerminationReason::Abandoned;
    draft.push(Event::InterviewTerminated(InterviewTerminated { reason, section_id }));
}

/// Whole milliseconds of a span, never negative.
pub(super) fn millis(micros: i64) -> u64 {
    u64::try_from(micros / 1_000).unwrap_or(0)
}
