//! How an interview's facts become its state; chooses nothing.
//!
//! A fact that cannot follow from the ones before it is a [`Misfit`] and changes nothing, so that a
//! replay names the event that does not belong there. Whether a rule would have chosen it is for
//! the replay to say.

use std::collections::{BTreeMap, BTreeSet};

use vosim_protocol::v1::coverage::Guard;
use vosim_protocol::v1::hints::HintRequested;
use vosim_protocol::v1::interview::{
    AssistantQuery, AssistantResponse, CandidateCodeSubmission, CandidateDisconnected,
    CandidateMessage, ClarificationGiven, ContentRequested, CoverageSatisfied, Event, ExitReason,
    FollowupPresented, FollowupSelected, OwnTestsResult, OwnTestsStarted, PromptPresented,
    ReturnedBy, SectionEnded, SectionStarted, SectionSummarized, SectionTimeWarning, SolutionSaved,
    SolutionWatched,
};
use vosim_protocol::v1::judging::{EvalResult, ResultLine};
use vosim_protocol::v1::talk::WordingFailed;
use vosim_protocol::{EffectId, EventId, Time};

use super::section::{Artifact, Asking, Contents, EndedSection, Followup, Message, OpenSection};
use super::state::{Asked, Awaits, Judging, Presence, Stage, State, Testing, Watch};
use crate::kind::{Misfit, Recorded};
use crate::parts::coverage::{self, Ledger};
use crate::parts::memory::JudgedSubmission;
use crate::parts::wording::Wording;

pub(super) fn evolve(state: &mut State, event: &Recorded<Event>) -> Result<(), Misfit> {
    // DECISIONS 9: no event after the end.
    Misfit::unless(!state.over(), "an event after the end of the session")?;
    take(state, event)?;
    state.transcript.take(event);
    state.sent += u32::from(is_sent(&event.event));
    Ok(())
}

fn take(state: &mut State, event: &Recorded<Event>) -> Result<(), Misfit> {
    let (id, at) = (event.id, event.at);
    let effect = EffectId(id);
    match &event.event {
        Event::InterviewCreated(_) => not_begun(state),
        Event::InterviewStarted(_) => {
            not_begun(state)?;
            state.stage = Stage::Between { started: at };
            Ok(())
        }
        Event::SectionStarted(started) => start_section(state, started, effect, at),
        Event::PromptPresented(prompt) => present_prompt(state, prompt, at),
        Event::CandidateMessage(message) => take_message(state, message, event),
        Event::ClarificationGiven(given) => take_clarification(state, given),
        Event::FollowupSelected(selected) => select_followup(state, selected, effect),
        Event::FollowupPresented(followup) => present_followup(state, followup, at),
        Event::WordingFailed(failed) => fail_wording(state, failed, id),
        Event::CandidateCodeSubmission(code) => take_submission(state, code, effect, at),
        Event::EvalResult(result) => take_result(state, result, event),
        Event::EvalAborted(aborted) => {
            judged(state, aborted.attempt_number)?;
            ran(state, at);
            Ok(())
        }
        Event::OwnTestsStarted(started) => start_tests(state, started, effect, at),
        Event::OwnTestsResult(result) => take_tests(state, result, at),
        Event::OwnTestsAborted(aborted) => {
            tested(state, aborted.request)?;
            ran(state, at);
            Ok(())
        }
        Event::HintRequested(request) => take_request(state, request, id),
        Event::HintGiven(_) => {
            let given = state.hints.give();
            given.map(drop).ok_or(Misfit("a hint that nobody waits for"))
        }
        Event::SolutionWatched(watched) => watch(state, watched, effect),
        Event::SolutionSaved(saved) => take_save(state, saved, effect, at),
        Event::SolutionUnwatched(_) => {
            let watch = state.watch.take();
            watch.map(drop).ok_or(Misfit("the end of watching a file that nobody watches"))
        }
        Event::AssistantQuery(query) => ask(state, query, effect),
        Event::AssistantResponse(response) => answer(state, response),
        Event::SectionTimeWarning(warning) => warn(state, warning),
        Event::ContentRequested(requested) => nudge(state, requested),
        Event::CoverageSatisfied(covered) => wrap_up(state, covered),
        Event::SectionEnded(ended) => end_section(state, ended, event),
        Event::SectionSummarized(sealed) => seal(state, sealed),
        Event::CandidateConnected(_) => {
            let first = state.presence == Presence::Unattached;
            Misfit::unless(first, "the arrival of somebody who was there before")?;
            state.presence = Presence::Here;
            Ok(())
        }
        Event::CandidateDisconnected(gone) => leave(state, gone, at),
        Event::InterviewPaused(_) => pause(state),
        Event::CandidateReconnected(back) => come_back(state, back.by, at),
        Event::InterviewCompleted(_) => complete(state, at),
        Event::InterviewTerminated(_) => terminate(state, at),
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

fn not_begun(state: &State) -> Result<(), Misfit> {
    let waits = matches!(state.stage, Stage::NotStarted);
    Misfit::unless(waits, "the beginning of an interview that has begun")
}

/// The open section, which an event names.
fn open<'s>(state: &'s mut State, id: &str) -> Result<&'s mut OpenSection, Misfit> {
    let State { spec, stage, .. } = state;
    match stage {
        Stage::Open { section, .. } if section.plan(&spec.schema).id == id => Ok(section),
        Stage::Open { .. }
        | Stage::NotStarted
        | Stage::Between { .. }
        | Stage::Closing { .. }
        | Stage::Completed { .. }
        | Stage::Terminated { .. } => Err(Misfit("something in a section that is not open")),
    }
}

/// The contents of a section in its grace, which a late message names.
fn late<'s>(state: &'s mut State, id: &str) -> Result<&'s mut Contents, Misfit> {
    let State { spec, ended, .. } = state;
    let named = ended.iter_mut().zip(&spec.schema.sections).find(|(_, plan)| plan.id == id);
    match named.map(|(section, _)| &mut section.artifact) {
        Some(Artifact::Pending { contents, grace_until: Some(_) }) => Ok(contents),
        Some(Artifact::Pending { grace_until: None, .. } | Artifact::Sealed { .. }) | None => {
            Err(Misfit("a late message to a section that has no grace"))
        }
    }
}

fn start_section(
    state: &mut State,
    started: &SectionStarted,
    effect: EffectId,
    at: Time,
) -> Result<(), Misfit> {
    let Stage::Between { started: begun } = state.stage else {
        return Err(Misfit("a section that begins while another one is open"));
    };
    // 001 11: the order of the schema.
    let place = state.ended.len();
    let plan = state.spec.schema.sections.get(place).filter(|plan| plan.id == started.section_id);
    let plan = plan.ok_or(Misfit("a section that is not the next one of the schema"))?;
    let duration = started.deadline.micros_since(at);
    // 001 5.1: warnings, longer before the end where that was granted.
    let mut warnings: Vec<_> =
        plan.warnings.iter().map(|seconds| state.granted_micros(*seconds)).collect();
    if state.spec.accommodation.larger_warnings {
        warnings.extend(warnings.first().map(|first| first * 2));
    }
    warnings.retain(|before| *before < duration);
    warnings.sort_unstable_by(|a, b| b.cmp(a));
    let contents = Contents {
        place,
        deadline: started.deadline,
        coverage: Ledger::new(&plan.dimensions),
        declined: BTreeSet::new(),
        asked: 0,
        messages: Vec::new(),
        told: Vec::new(),
    };
    let section = OpenSection {
        contents,
        started: at,
        warnings,
        used: BTreeMap::new(),
        budget: started.followup_budget,
        step: Asking::Intro(Wording::new(effect.0)),
        armed: false,
        quiet_until: at,
        nudged: false,
        ends_at: None,
    };
    state.stage = Stage::Open { started: begun, section: Box::new(section) };
    Ok(())
}

fn present_prompt(state: &mut State, prompt: &PromptPresented, at: Time) -> Result<(), Misfit> {
    let section = open(state, &prompt.section_id)?;
    let intro = matches!(section.step, Asking::Intro(_));
    Misfit::unless(intro, "a prompt that was presented before")?;
    present(section, &prompt.text, None);
    hush(state, at);
    Ok(())
}

fn present_followup(
    state: &mut State,
    followup: &FollowupPresented,
    at: Time,
) -> Result<(), Misfit> {
    let section = open(state, &followup.section_id)?;
    let chosen = match &section.step {
        Asking::Intro(_) | Asking::Asked { next: None, .. } => false,
        Asking::Asked { next: Some(next), .. } => next.selected.dimension == followup.dimension,
    };
    Misfit::unless(chosen, "a follow-up that was not chosen")?;
    present(section, &followup.text, Some(&followup.dimension));
    section.contents.asked += 1;
    hush(state, at);
    Ok(())
}

/// Something the interviewer says is there.
fn present(section: &mut OpenSection, text: &str, about: Option<&str>) {
    section.contents.told.push(text.into());
    section.step =
        Asking::Asked { question: text.into(), about: about.map(str::to_owned), next: None };
}

fn take_message(
    state: &mut State,
    message: &CandidateMessage,
    event: &Recorded<Event>,
) -> Result<(), Misfit> {
    let counts = coverage::counts(message.guard);
    let said = Message {
        event: event.id,
        text: message.text.as_str().into(),
        words: message.word_count,
        late: message.late,
        counts: counts || !coverage::is_nothing(message.guard),
    };
    // 001 5.2: a late message is kept with the section before; DECISIONS 10: it never counts.
    if message.late {
        late(state, &message.section_id)?.messages.push(said);
        return Ok(());
    }
    let quiet = state.spec.schema.message_quiet_seconds;
    let covered = state.spec.schema.covered_seconds;
    let section = open(state, &message.section_id)?;
    let contents = &mut section.contents;
    contents.messages.push(said);
    contents.coverage.take_message(&message.signals, message.specific, counts, &message.coverage);
    if message.tells_verdict {
        contents.coverage.take_verdict_told(None);
    }
    contents.declined.extend(message.declined.clone());
    // Who asks waits for an answer, not for the next question.
    let only_asks = message.guard == Some(Guard::Question);
    section.armed |= !only_asks;
    section.quiet_until = section.quiet_until.max(event.at.plus_secs(quiet.into()));
    // DECISIONS 13: a covered section ends after a while without a message.
    if let Some(ends_at) = &mut section.ends_at {
        *ends_at = event.at.plus_secs(covered.into());
    }
    Ok(())
}

fn take_clarification(state: &mut State, given: &ClarificationGiven) -> Result<(), Misfit> {
    let contents = &mut open(state, &given.section_id)?.contents;
    contents.told.push(given.text.as_str().into());
    if let Some(change) = &given.coverage {
        contents.coverage.take_change(change);
    }
    state.cards.push(given.card.clone());
    Ok(())
}

fn select_followup(
    state: &mut State,
    selected: &FollowupSelected,
    effect: EffectId,
) -> Result<(), Misfit> {
    let section = open(state, &selected.section_id)?;
    let Asking::Asked { next: next @ None, .. } = &mut section.step else {
        return Err(Misfit("a follow-up while another question is on its way"));
    };
    // 001 6.1: the budget is spent with the choice, whoever words the question.
    let budget = section.budget.checked_sub(1);
    section.budget = budget.ok_or(Misfit("a follow-up beyond the section's budget"))?;
    let (wording, selected) = (Wording::new(effect.0), selected.clone());
    section.used.insert(selected.dimension.clone(), selected.pool_index + 1);
    section.armed = false;
    *next = Some(Box::new(Followup { wording, selected }));
    Ok(())
}

fn fail_wording(state: &mut State, failed: &WordingFailed, told: EventId) -> Result<(), Misfit> {
    let question = match &mut state.stage {
        Stage::Open { section, .. } => section.wording_mut(),
        Stage::NotStarted
        | Stage::Between { .. }
        | Stage::Closing { .. }
        | Stage::Completed { .. }
        | Stage::Terminated { .. } => None,
    };
    let mut wordings = question.into_iter().chain(state.hints.wording_mut());
    let wording = wordings.find(|wording| wording.request == failed.request);
    wording.ok_or(Misfit("a failure of words that nobody waits for"))?.fail(told);
    Ok(())
}

fn take_submission(
    state: &mut State,
    submission: &CandidateCodeSubmission,
    effect: EffectId,
    at: Time,
) -> Result<(), Misfit> {
    let begun = state.begun();
    let sections = state.spec.schema.sections.iter().take(begun);
    let known = sections.into_iter().any(|plan| plan.id == submission.section_id && plan.coding);
    Misfit::unless(known, "a submission outside the section in which code is written")?;
    state.judging.push(Judging { effect, submission: submission.clone() });
    active(state, at);
    Ok(())
}

/// Takes a submission from those that are being judged.
fn judged(state: &mut State, attempt_number: u32) -> Result<CandidateCodeSubmission, Misfit> {
    let of = |judging: &Judging| judging.submission.attempt_number == attempt_number;
    let place = state.judging.iter().position(of);
    let place = place.ok_or(Misfit("a verdict on a submission that is not being judged"))?;
    Ok(state.judging.remove(place).submission)
}

fn take_result(
    state: &mut State,
    result: &EvalResult,
    event: &Recorded<Event>,
) -> Result<(), Misfit> {
    let submission = judged(state, result.attempt_number)?;
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
    // A later submission that fails takes back what an earlier pass had covered (001 6.4).
    let satisfied = state.open().is_some_and(|section| state.satisfied(section));
    if let Some(section) = state.open_mut() {
        section.contents.coverage.take_verdict();
        section.ends_at = section.ends_at.filter(|_| satisfied);
    }
    Ok(())
}

fn start_tests(
    state: &mut State,
    started: &OwnTestsStarted,
    effect: EffectId,
    at: Time,
) -> Result<(), Misfit> {
    Misfit::unless(state.testing.is_none(), "own cases while others are being run")?;
    open(state, &started.section_id)?;
    state.testing = Some(Testing { effect, started: started.clone() });
    active(state, at);
    Ok(())
}

/// Takes the own cases that were being run.
fn tested(state: &mut State, request: EventId) -> Result<OwnTestsStarted, Misfit> {
    let testing = state.testing.take_if(|testing| testing.effect == EffectId(request));
    Ok(testing.ok_or(Misfit("a result of own cases that are not being run"))?.started)
}

fn take_tests(state: &mut State, result: &OwnTestsResult, at: Time) -> Result<(), Misfit> {
    let started = tested(state, result.request)?;
    state.own_tests = Some(result.clone());
    // Cases that expect nothing show nothing, and a section that has ended is covered no further.
    if started.expects()
        && let Ok(section) = open(state, &started.section_id)
    {
        section.contents.coverage.take_tests_run(result.coverage.as_ref());
    }
    ran(state, at);
    Ok(())
}

fn take_request(state: &mut State, request: &HintRequested, id: EventId) -> Result<(), Misfit> {
    Misfit::unless(state.hints.pending().is_none(), "a hint while another one is on its way")?;
    let judged = state.submissions.last().is_some();
    Misfit::unless(judged, "a hint without a verdict that it is about")?;
    state.hints.ask(id, request.clone());
    Ok(())
}

/// A run has ended: there is something new to ask about.
fn ran(state: &mut State, at: Time) {
    if let Some(section) = state.coding_mut() {
        section.armed = true;
    }
    active(state, at);
}

/// No question right after this: somebody reads, or comes back.
fn hush(state: &mut State, at: Time) {
    let quiet = state.spec.schema.message_quiet_seconds;
    if let Some(section) = state.open_mut() {
        section.quiet_until = section.quiet_until.max(at.plus_secs(quiet.into()));
    }
}

/// The candidate works: no question right now, and a covered section stays open (DECISIONS 13).
fn active(state: &mut State, at: Time) {
    let covered = state.spec.schema.covered_seconds;
    let Some(section) = state.coding_mut() else { return };
    if let Some(ends_at) = &mut section.ends_at {
        *ends_at = at.plus_secs(covered.into());
    }
    hush(state, at);
}

fn watch(state: &mut State, watched: &SolutionWatched, effect: EffectId) -> Result<(), Misfit> {
    Misfit::unless(state.capture().is_none(), "another file while the watched one is being read")?;
    let (watched, awaits) = (watched.clone(), Awaits::Save(effect));
    state.watch = Some(Watch { watched, saves: 0, last: None, awaits });
    Ok(())
}

fn take_save(
    state: &mut State,
    saved: &SolutionSaved,
    effect: EffectId,
    at: Time,
) -> Result<(), Misfit> {
    let Some(Watch { saves, last, awaits: Awaits::Save(next), .. }) = &mut state.watch else {
        return Err(Misfit("a save of a file that nobody watches"));
    };
    *next = effect;
    *saves += 1;
    *last = Some((at, saved.clone()));
    state.saves.count += 1;
    state.saves.bytes = state.saves.bytes.saturating_add(saved.bytes);
    active(state, at);
    let quiet = state.spec.schema.save_quiet_seconds;
    if let Some(section) = state.coding_mut() {
        section.quiet_until = section.quiet_until.max(at.plus_secs(quiet.into()));
    }
    Ok(())
}

// 001 8.1: what the assistant is asked and answers touches no section.
fn ask(state: &mut State, query: &AssistantQuery, effect: EffectId) -> Result<(), Misfit> {
    Misfit::unless(state.asked.is_none(), "a question while the assistant is answering one")?;
    state.assistant.queries += 1;
    state.asked = Some(Asked {
        effect,
        kind: query.kind,
        question: query.question.clone(),
        code: query.code_hash,
    });
    Ok(())
}

fn answer(state: &mut State, response: &AssistantResponse) -> Result<(), Misfit> {
    let asked = state.asked.take_if(|asked| asked.effect == EffectId(response.request));
    asked.ok_or(Misfit("an answer to a question that nobody asked"))?;
    state.assistant.released_tokens = response.released_tokens;
    if !response.violations.is_empty() {
        state.assistant.violations += 1;
    }
    Ok(())
}

fn warn(state: &mut State, warning: &SectionTimeWarning) -> Result<(), Misfit> {
    let section = open(state, &warning.section_id)?;
    Misfit::unless(!section.warnings.is_empty(), "a warning that the section does not have")?;
    section.warnings.remove(0);
    Ok(())
}

fn nudge(state: &mut State, requested: &ContentRequested) -> Result<(), Misfit> {
    let section = open(state, &requested.section_id)?;
    // 001 6.4: the engine prompts once.
    Misfit::unless(!section.nudged, "a second request for the minimum")?;
    section.nudged = true;
    section.contents.told.push(requested.text.as_str().into());
    Ok(())
}

fn wrap_up(state: &mut State, covered: &CoverageSatisfied) -> Result<(), Misfit> {
    open(state, &covered.section_id)?.ends_at = Some(covered.ends_at);
    Ok(())
}

fn end_section(
    state: &mut State,
    ended: &SectionEnded,
    event: &Recorded<Event>,
) -> Result<(), Misfit> {
    let contents = Box::new(open(state, &ended.section_id)?.contents.clone());
    let started = state.started().unwrap_or(event.at);
    let coding = contents.plan(&state.spec.schema).coding;
    let last = contents.place + 1 == state.spec.schema.sections.len();
    let artifact = Artifact::Pending { contents, grace_until: ended.grace_until };
    state.ended.push(EndedSection { reason: ended.reason, artifact });
    state.stage = if last { Stage::Closing { started } } else { Stage::Between { started } };
    // DECISIONS 11: the watched file counts as it stood now, unless the interview was left.
    if coding
        && ended.reason != ExitReason::SystemError
        && let Some(watch) = &mut state.watch
    {
        watch.awaits = Awaits::Capture { effect: EffectId(event.id), due: event.at };
    }
    Ok(())
}

fn seal(state: &mut State, sealed: &SectionSummarized) -> Result<(), Misfit> {
    let State { spec, ended, .. } = state;
    let mut pending = ended.iter_mut().zip(&spec.schema.sections);
    let section =
        pending.find(|(one, plan)| plan.id == sealed.section_id && one.pending().is_some());
    let (section, _) = section.ok_or(Misfit("the artifact of a section that waits for none"))?;
    section.artifact =
        Artifact::Sealed { summary: sealed.bounded_context_summary.as_slice().into() };
    Ok(())
}

fn leave(state: &mut State, gone: &CandidateDisconnected, at: Time) -> Result<(), Misfit> {
    let here = state.presence == Presence::Here;
    Misfit::unless(here, "the leaving of somebody who is not there")?;
    state.departures += 1;
    state.presence = Presence::Away { since: at, pauses_at: gone.pauses_at };
    Ok(())
}

fn pause(state: &mut State) -> Result<(), Misfit> {
    let Presence::Away { since, .. } = state.presence else {
        return Err(Misfit("a pause for somebody who is not away"));
    };
    // 001 5.3: time runs on, so no deadline is touched.
    state.presence = Presence::Paused { since };
    Ok(())
}

fn come_back(state: &mut State, by: ReturnedBy, at: Time) -> Result<(), Misfit> {
    let away = match state.presence {
        Presence::Away { .. } | Presence::Paused { .. } => true,
        Presence::Unattached | Presence::Here => false,
    };
    Misfit::unless(away, "the return of somebody who is not away")?;
    state.presence = match by {
        ReturnedBy::Terminal => Presence::Here,
        ReturnedBy::Command => Presence::Unattached,
    };
    hush(state, at);
    Ok(())
}

// What was wanted until the end is no longer: the session sees to that.
fn complete(state: &mut State, at: Time) -> Result<(), Misfit> {
    let Stage::Closing { started } = state.stage else {
        return Err(Misfit("the end of an interview whose sections have not ended"));
    };
    state.stage = Stage::Completed { started, at };
    Ok(())
}

fn terminate(state: &mut State, at: Time) -> Result<(), Misfit> {
    Misfit::unless(state.open().is_none(), "the end of an interview with an open section")?;
    state.stage = Stage::Terminated { started: state.started(), at };
    Ok(())
}
