//! How an interview's facts become its state; refuses nothing and chooses nothing.
//!
//! A log that was tampered with is folded as far as it makes sense, so that a replay can say
//! which event does not belong there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use vosim_protocol::v1::coverage::Guard;
use vosim_protocol::v1::interview::{
    AssistantQuery, AssistantResponse, CandidateMessage, ClarificationGiven, Event, ExitReason,
    FollowupPresented, FollowupSelected, OwnTestsResult, OwnTestsStarted, SectionEnded,
    SectionStarted, SolutionSaved,
};
use vosim_protocol::v1::judging::{EvalResult, ResultLine};
use vosim_protocol::v1::talk::WordingFailed;
use vosim_protocol::{EffectId, EventId, Time};

use super::section::{Ended, Message, Saying, SectionState, What};
use super::{Asked, Capture, Hint, Judging, Presence, Stage, State, Testing, Watch};
use crate::kind::Recorded;
use crate::parts::coverage::{self, Ledger};
use crate::parts::memory::JudgedSubmission;
use crate::parts::wording::Wording;

pub(super) fn evolve(state: &mut State, event: &Recorded<Event>) {
    state.transcript.take(event);
    state.sent += u32::from(is_sent(&event.event));
    let (id, at) = (event.id, event.at);
    let effect = EffectId(id);
    match &event.event {
        Event::InterviewCreated(_) => {}
        Event::InterviewStarted(_) => state.started = Some(at),
        Event::SectionStarted(started) => start_section(state, started, effect, at),
        Event::PromptPresented(prompt) => {
            present(state, &prompt.section_id, &prompt.text, None);
            hush(state, at);
        }
        Event::CandidateMessage(message) => take_message(state, message, event),
        Event::ClarificationGiven(given) => take_clarification(state, given),
        Event::FollowupSelected(selected) => select_followup(state, selected, effect),
        Event::FollowupPresented(followup) => {
            present_followup(state, followup);
            hush(state, at);
        }
        Event::WordingFailed(failed) => fail_wording(state, failed, id),
        Event::CandidateCodeSubmission(submission) => {
            let submission = submission.clone();
            state.judging.push(Judging { effect, submission });
            active(state, at);
        }
        Event::EvalResult(result) => take_result(state, result, event),
        Event::EvalAborted(aborted) => {
            let of = aborted.attempt_number;
            state.judging.retain(|judging| judging.submission.attempt_number != of);
            ran(state, at);
        }
        Event::OwnTestsStarted(started) => {
            state.testing = Some(Testing { effect, started: started.clone() });
            active(state, at);
        }
        Event::OwnTestsResult(result) => take_tests(state, result, at),
        Event::OwnTestsAborted(_) => {
            state.testing = None;
            ran(state, at);
        }
        Event::HintRequested(request) => {
            let (request, wording) = (request.clone(), Some(Wording::new(id)));
            state.hints.push(Hint { requested: id, request, wording });
        }
        Event::HintGiven(_) => {
            if let Some(hint) = state.hints.last_mut() {
                hint.wording = None;
            }
        }
        Event::SolutionWatched(watched) => {
            state.watch = Some(Watch { effect, watched: watched.clone(), saves: 0, last: None });
        }
        Event::SolutionSaved(saved) => take_save(state, saved, effect, at),
        Event::SolutionUnwatched(_) => {
            state.watch = None;
            state.capture = None;
        }
        Event::AssistantQuery(query) => ask(state, query, effect),
        Event::AssistantResponse(response) => answer(state, response),
        Event::SectionTimeWarning(_) => {
            if let Some(section) = state.sections.last_mut()
                && !section.warnings.is_empty()
            {
                section.warnings.remove(0);
            }
        }
        Event::ContentRequested(requested) => {
            if let Some(section) = state.section_mut(&requested.section_id) {
                section.nudged = true;
                section.told.push(requested.text.as_str().into());
            }
        }
        Event::CoverageSatisfied(covered) => {
            if let Some(section) = state.section_mut(&covered.section_id) {
                section.ends_at = Some(covered.ends_at);
            }
        }
        Event::SectionEnded(ended) => end_section(state, ended, event),
        Event::SectionSummarized(sealed) => {
            if let Some(section) = state.section_mut(&sealed.section_id)
                && let Some(ended) = &mut section.ended
            {
                ended.sealed = true;
                section.summary = sealed.bounded_context_summary.as_slice().into();
            }
        }
        Event::CandidateConnected(_) => state.presence = Presence::Here,
        Event::CandidateDisconnected(gone) => {
            state.departures += 1;
            state.presence = Presence::Away { since: at, pauses_at: gone.pauses_at };
        }
        Event::InterviewPaused(_) => {
            if let Presence::Away { since, .. } = state.presence {
                state.presence = Presence::Paused { since };
            }
        }
        Event::CandidateReconnected(back) => {
            state.presence = match back.by {
                vosim_protocol::v1::interview::ReturnedBy::Terminal => Presence::Here,
                vosim_protocol::v1::interview::ReturnedBy::Command => Presence::Unattached,
            };
            hush(state, at);
        }
        // What was wanted until now is no longer: the session sees to that.
        Event::InterviewCompleted(_) => state.stage = Stage::Completed(at),
        Event::InterviewTerminated(_) => state.stage = Stage::Terminated(at),
    }
}

/// True for what a candidate sends, or a watched file for them.
fn is_sent(event: &Event) -> bool {
    matches!(
        event,
        Event::CandidateMessage(_)
            | Event::CandidateCodeSubmission(_)
            | Event::OwnTestsStarted(_)
            | Event::HintRequested(_)
            | Event::AssistantQuery(_)
            | Event::SolutionWatched(_)
    )
}

fn start_section(state: &mut State, started: &SectionStarted, effect: EffectId, at: Time) {
    let schema = &state.spec.schema;
    let Some(place) = schema.sections.iter().position(|s| s.id == started.section_id) else {
        return;
    };
    let plan = &schema.sections[place];
    let duration = started.deadline.micros_since(at);
    let mut warnings: Vec<_> =
        plan.warnings.iter().map(|seconds| state.granted_micros(*seconds)).collect();
    if state.spec.accommodation.larger_warnings {
        warnings.extend(warnings.first().map(|first| first * 2));
    }
    warnings.retain(|before| *before < duration);
    warnings.sort_unstable_by(|a, b| b.cmp(a));
    let section = SectionState {
        place,
        started: at,
        deadline: started.deadline,
        warnings,
        coverage: Ledger::new(&plan.dimensions),
        used: BTreeMap::new(),
        declined: BTreeSet::new(),
        budget: started.followup_budget,
        asked: 0,
        messages: Vec::new(),
        told: Vec::new(),
        question: None,
        followup: None,
        saying: Some(Saying { wording: Wording::new(effect.0), what: What::Prompt }),
        armed: false,
        quiet_until: at,
        nudged: false,
        ends_at: None,
        ended: None,
        summary: Arc::default(),
    };
    state.sections.push(section);
    state.stage = Stage::Open;
}

/// Something the interviewer says is there.
fn present(state: &mut State, section: &str, text: &str, dimension: Option<&str>) {
    let Some(section) = state.section_mut(section) else { return };
    let text: Arc<str> = text.into();
    section.saying = None;
    section.told.push(Arc::clone(&text));
    section.question = Some(text);
    section.followup = dimension.map(str::to_owned);
}

fn take_message(state: &mut State, message: &CandidateMessage, event: &Recorded<Event>) {
    let quiet = state.spec.schema.message_quiet_seconds;
    let covered = state.spec.schema.covered_seconds;
    let Some(section) = state.section_mut(&message.section_id) else { return };
    let counts = coverage::counts(message.guard);
    section.messages.push(Message {
        event: event.id,
        text: message.text.as_str().into(),
        words: message.word_count,
        late: message.late,
        counts: counts || !coverage::is_nothing(message.guard),
    });
    if message.late {
        return;
    }
    section.coverage.take_message(&message.signals, message.specific, counts, &message.coverage);
    if message.tells_verdict {
        section.coverage.take_verdict_told(None);
    }
    section.declined.extend(message.declined.clone());
    // Who asks waits for an answer, not for the next question.
    let only_asks = message.guard == Some(Guard::Question);
    section.armed |= !only_asks;
    section.quiet_until = section.quiet_until.max(event.at.plus_secs(quiet.into()));
    if let Some(ends_at) = &mut section.ends_at {
        *ends_at = event.at.plus_secs(covered.into());
    }
}

fn take_clarification(state: &mut State, given: &ClarificationGiven) {
    state.cards.push(given.card.clone());
    if let Some(section) = state.section_mut(&given.section_id) {
        section.told.push(given.text.as_str().into());
        if let Some(change) = &given.coverage {
            section.coverage.take_change(change);
        }
    }
}

fn select_followup(state: &mut State, selected: &FollowupSelected, effect: EffectId) {
    let Some(section) = state.section_mut(&selected.section_id) else { return };
    section.used.insert(selected.dimension.clone(), selected.pool_index + 1);
    section.budget = section.budget.saturating_sub(1);
    section.armed = false;
    let what = What::Followup(selected.clone());
    section.saying = Some(Saying { wording: Wording::new(effect.0), what });
}

fn present_followup(state: &mut State, followup: &FollowupPresented) {
    present(state, &followup.section_id, &followup.text, Some(&followup.dimension));
    if let Some(section) = state.section_mut(&followup.section_id) {
        section.asked += 1;
    }
}

fn fail_wording(state: &mut State, failed: &WordingFailed, told: EventId) {
    let sayings = state.sections.iter_mut().filter_map(|section| section.saying.as_mut());
    let sayings = sayings.map(|saying| &mut saying.wording);
    let hints = state.hints.iter_mut().filter_map(|hint| hint.wording.as_mut());
    let mut wordings = sayings.chain(hints);
    if let Some(wording) = wordings.find(|wording| wording.request == failed.request) {
        wording.fail(told);
    }
}

fn take_result(state: &mut State, result: &EvalResult, event: &Recorded<Event>) {
    let of = |judging: &Judging| judging.submission.attempt_number == result.attempt_number;
    let Some(place) = state.judging.iter().position(of) else { return };
    let submission = state.judging.remove(place).submission;
    let submission = JudgedSubmission {
        event: event.id,
        result: ResultLine {
            attempt_number: result.attempt_number,
            failure_type: result.failure_type,
            detail: result.detail,
            tests_passed: result.tests_passed,
            tests_failed: result.tests_failed,
            file_path: submission.file_path,
            code_hash: submission.code_hash,
            language: submission.language,
            at: event.at,
            repeated: submission.repeated,
        },
        issue: result.issue.clone(),
    };
    state.submissions.insert(submission);
    ran(state, event.at);
    if let Some(section) = state.sections.last_mut() {
        section.coverage.take_verdict();
    }
    let Some(section) = state.open() else { return };
    // A later submission that fails takes back what an earlier pass had covered.
    if section.ends_at.is_some()
        && !state.satisfied(section)
        && let Some(section) = state.sections.last_mut()
    {
        section.ends_at = None;
    }
}

fn take_tests(state: &mut State, result: &OwnTestsResult, at: Time) {
    let started = state.testing.take().map(|testing| testing.started);
    state.own_tests = Some(result.clone());
    if let Some(started) = started.filter(OwnTestsStarted::expects)
        && let Some(section) = state.section_mut(&started.section_id)
        && section.ended.is_none()
    {
        section.coverage.take_tests_run(result.coverage.as_ref());
    }
    ran(state, at);
}

/// A run has ended: there is something new to ask about.
fn ran(state: &mut State, at: Time) {
    if state.coding().is_some()
        && let Some(section) = state.sections.last_mut()
    {
        section.armed = true;
    }
    active(state, at);
}

/// No question right after this: somebody reads, or comes back.
fn hush(state: &mut State, at: Time) {
    let quiet = state.spec.schema.message_quiet_seconds;
    if let Some(section) = state.sections.last_mut() {
        section.quiet_until = section.quiet_until.max(at.plus_secs(quiet.into()));
    }
}

/// The candidate works: no question right now, and a covered section stays open (DECISIONS 13).
fn active(state: &mut State, at: Time) {
    let covered = state.spec.schema.covered_seconds;
    if state.coding().is_none() {
        return;
    }
    hush(state, at);
    let Some(section) = state.sections.last_mut() else { return };
    if let Some(ends_at) = &mut section.ends_at {
        *ends_at = at.plus_secs(covered.into());
    }
}

fn take_save(state: &mut State, saved: &SolutionSaved, effect: EffectId, at: Time) {
    state.saves.count += 1;
    state.saves.bytes = state.saves.bytes.saturating_add(saved.bytes);
    if let Some(watch) = &mut state.watch {
        watch.effect = effect;
        watch.saves += 1;
        watch.last = Some((at, saved.clone()));
    }
    active(state, at);
    let quiet = state.spec.schema.save_quiet_seconds;
    if state.coding().is_some()
        && let Some(section) = state.sections.last_mut()
    {
        section.quiet_until = section.quiet_until.max(at.plus_secs(quiet.into()));
    }
}

fn ask(state: &mut State, query: &AssistantQuery, effect: EffectId) {
    state.assistant.queries += 1;
    state.asked = Some(Asked {
        effect,
        kind: query.kind,
        question: query.question.clone(),
        code: query.code_hash,
    });
}

fn answer(state: &mut State, response: &AssistantResponse) {
    state.asked = None;
    state.assistant.released_tokens = response.released_tokens;
    if !response.violations.is_empty() {
        state.assistant.violations += 1;
    }
}

fn end_section(state: &mut State, ended: &SectionEnded, event: &Recorded<Event>) {
    let last = state.spec.schema.sections.len();
    let schema = Arc::clone(&state.spec);
    let Some(section) = state.section_mut(&ended.section_id) else { return };
    section.saying = None;
    section.ends_at = None;
    section.ended =
        Some(Ended { reason: ended.reason, grace_until: ended.grace_until, sealed: false });
    let (place, coding) = (section.place, section.plan(&schema.schema).coding);
    if place + 1 >= last {
        state.stage = Stage::Closing;
    }
    if !coding {
        return;
    }
    let left = ended.reason == ExitReason::SystemError;
    if !left && state.watch.is_some() {
        state.capture = Some(Capture { effect: EffectId(event.id), due: event.at });
    }
}
