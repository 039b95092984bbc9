//! What is due when: warnings, ends, follow-ups, pauses, seals (001 5).
//!
//! Every deadline is an instant that stands in the state or follows from it; nothing counts down.
//!
//! - A section is sealed one microsecond after its grace, so that a message in the very last
//!   instant is late and not too late.
//! - Follow-ups are chosen at a deadline, never in answer to a message: `message_quiet_seconds`
//!   after the last message or run, `save_quiet_seconds` after a save. So no question cuts anybody
//!   off, and the one that is due does not depend on who looks when. `parts/followups.rs` chooses
//!   it: of dimensions that are covered alike the one that was asked about least, and only then
//!   the order of the schema, although 001 6.3 names that order alone. With as many follow-ups as
//!   required dimensions, each can be asked about once.
//! - Both warnings of a section that passed while nobody looked are written, each at its own time.
//!   DESIGN 4 asks for one at most, but a log that left one out would depend on how often somebody
//!   looked (invariant 5).

use vosim_protocol::Time;
use vosim_protocol::v1::interview::{
    CandidateTypingEnded, Event, ExitReason, FollowupSelected, InterviewPaused, QuestionsOver,
    SectionTimeWarning,
};

use super::listening;
use super::saying::{ToSay, next_to_say, wraps};
use super::section::{Artifact, EndedSection, OpenSection};
use super::sequence::{self, millis};
use super::state::{Draft, Presence, Stage, State};
use crate::parts::followups::Choice;

/// What a deadline makes happen; of two at the same instant the one that stands first here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Due {
    /// The grace of a section is over (001 5.2), its place.
    Seal(usize),
    /// A line was written for a minute and not sent (DECISIONS 39).
    Release,
    /// Nobody came back (001 5.3; DECISIONS 12).
    Pause,
    /// So much is left (001 5.1).
    Warn,
    /// Everything is covered, and nobody has answered a variation.
    Wrap,
    /// Everything is covered and it has been quiet (001 6.4; DECISIONS 13).
    Covered,
    /// The time is up (001 5.2).
    Expire,
    /// A follow-up may be asked (001 6.3).
    Ask,
}

/// The next deadline and what it is for.
pub(super) fn next(state: &State) -> Option<(Time, Due)> {
    let open = state.open();
    // 001 5.2: a message in the very last instant of the grace is still late, not too late.
    let graces = state.ended.iter().filter_map(EndedSection::grace);
    let ready = graces.filter(|(section, _)| !state.awaits_capture(section.place));
    let seals = ready.map(|(section, until)| (until.plus_micros(1), Due::Seal(section.place)));
    let pause = match state.presence {
        Presence::Away { pauses_at, .. } => open.map(|_| (pauses_at, Due::Pause)),
        Presence::Unattached | Presence::Here | Presence::Paused { .. } => None,
    };
    let of_section = open.into_iter().flat_map(|section| {
        let warn = section.warnings.first();
        let free = !busy(state) && section.typing.is_none();
        let covered = section.ends_at.filter(|_| free);
        let wrap = section.variation.filter(|_| free && wraps(state, section));
        [
            Some((section.contents.deadline, Due::Expire)),
            section.typing.map(|until| (until, Due::Release)),
            wrap.map(|at| (at, Due::Wrap)),
            warn.map(|before| (section.contents.deadline.plus_micros(-before), Due::Warn)),
            covered.map(|at| (at, Due::Covered)),
            ask(state, section).map(|at| (at, Due::Ask)),
        ]
    });
    seals.chain(pause).chain(of_section.flatten()).min()
}

/// True while the code of the open section is being run: its verdict may change what is covered,
/// so neither a covered end nor a question comes before it.
fn busy(state: &State) -> bool {
    state.coding().is_some() && state.running()
}

/// When something may be asked: after an answer or a run, when the candidate is quiet and nothing is being
/// run or written (001 6; no question cuts somebody off).
fn ask(state: &State, section: &OpenSection) -> Option<Time> {
    let quiet = section.typing.is_none() && !busy(state);
    let asks = quiet && next_to_say(state, section).is_some();
    asks.then_some(section.quiet_until)
}

/// What happens at the next deadline.
pub(super) fn fire(draft: &mut Draft<'_>) {
    let Some((_, what)) = next(draft.state()) else { return };
    match what {
        Due::Seal(place) => sequence::seal(draft, place),
        Due::Pause => drop(draft.push(Event::InterviewPaused(InterviewPaused {}))),
        Due::Release => release(draft),
        Due::Warn => warn(draft),
        Due::Wrap => sequence::announce_covered(draft),
        Due::Covered => sequence::end_section(draft, ExitReason::CoverageSatisfied),
        Due::Expire => sequence::end_section(draft, ExitReason::TimeExpired),
        Due::Ask => say_next(draft),
    }
}

fn warn(draft: &mut Draft<'_>) {
    let Some(section) = draft.state().open() else { return };
    let Some(before) = section.warnings.first() else { return };
    let plan = section.plan(&draft.state().spec.schema);
    let warning = SectionTimeWarning {
        section_id: plan.id.clone(),
        title: plan.title.clone(),
        left_ms: millis(*before),
        deadline: section.contents.deadline,
    };
    draft.push(Event::SectionTimeWarning(warning));
}

/// A line was held for as long as one is.
fn release(draft: &mut Draft<'_>) {
    let Some(section) = draft.state().open() else { return };
    let section_id = section.plan(&draft.state().spec.schema).id.clone();
    let ended = CandidateTypingEnded { section_id, stopped: false };
    draft.push(Event::CandidateTypingEnded(ended));
}

fn say_next(draft: &mut Draft<'_>) {
    let state = draft.state();
    let Some(section) = state.open() else { return };
    let section_id = section.plan(&state.spec.schema).id.clone();
    match next_to_say(state, section) {
        Some(ToSay::Followup(choice)) => select(draft, choice),
        Some(ToSay::Variation(asked)) => {
            draft.push(Event::VariationAsked(asked));
        }
        Some(ToSay::Over) => {
            draft.push(Event::QuestionsOver(QuestionsOver { section_id }));
        }
        None => {}
    }
}

fn select(draft: &mut Draft<'_>, choice: Choice) {
    let schema = &draft.state().spec.schema;
    let Some(section) = draft.state().open() else { return };
    let quoted = listening::quote(draft.state(), section, &choice);
    let selected = FollowupSelected {
        section_id: section.plan(schema).id.clone(),
        dimension: choice.dimension,
        pool_index: choice.pool_index,
        question: choice.question,
        quoted,
        coverage_before: section.contents.coverage.map(),
        rule: choice.rule,
        budget_before: section.budget,
    };
    draft.push(Event::FollowupSelected(selected));
}

/// Moves what is open, after the wall clock was stepped forward (DESIGN 4).
pub(super) fn shift(state: &mut State, step_micros: i64) {
    let shift = |time: &mut Time| *time = time.plus_micros(step_micros);
    match &mut state.stage {
        Stage::Open { started, section } => {
            shift(started);
            shift(&mut section.started);
            shift(&mut section.contents.deadline);
            shift(&mut section.quiet_until);
            let times = section.ends_at.iter_mut().chain(&mut section.typing);
            times.chain(&mut section.variation).for_each(shift);
        }
        Stage::Between { started } | Stage::Closing { started } => shift(started),
        Stage::NotStarted | Stage::Completed { .. } | Stage::Terminated { .. } => {}
    }
    state.began_typing.iter_mut().for_each(shift);
    for section in &mut state.ended {
        match &mut section.artifact {
            Artifact::Pending { contents, grace_until } => {
                shift(&mut contents.deadline);
                grace_until.iter_mut().for_each(shift);
            }
            Artifact::Sealed { .. } => {}
        }
    }
    match &mut state.presence {
        Presence::Away { since, pauses_at } => {
            shift(since);
            shift(pauses_at);
        }
        Presence::Paused { since } => shift(since),
        Presence::Unattached | Presence::Here => {}
    }
}
