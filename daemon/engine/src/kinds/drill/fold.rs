//! How a drill's facts become its state; chooses nothing.
//!
//! A fact that cannot follow from the ones before it is a [`Misfit`], so that a replay names the
//! event that does not belong there. Whether a rule would have chosen it is for the replay to say.

use vosim_protocol::v1::drill::{AgentResponse, Event, ResponseMetadata};
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::hints::HintRequested;
use vosim_protocol::v1::judging::{CodeSubmitted, EvalResult, SuiteDrawn};
use vosim_protocol::v1::talk::{VariationAsked, WordingFailed, Words};
use vosim_protocol::{EffectId, EventId};

use super::state::{Feedback, Stage, State, Submission};
use super::texts;
use crate::kind::{Misfit, Recorded};
use crate::parts::memory::{JudgedSubmission, result_line};
use crate::parts::variation::is_no_answer;
use crate::parts::wording::Wording;

/// A verdict or its failure that comes when none is waited for.
const NOT_JUDGED: Misfit = Misfit("a verdict on a submission that is not being judged");

pub(super) fn evolve(state: &mut State, event: &Recorded<Event>) -> Result<(), Misfit> {
    let ended = matches!(state.stage, Stage::Done { .. });
    Misfit::unless(!ended, "an event after the end of the session")?;
    let effect = EffectId(event.id);
    match &event.event {
        Event::SessionStarted(_) => state.started = event.at,
        Event::CodeSubmitted(submitted) => take_submission(state, submitted, effect)?,
        Event::SuiteDrawn(drawn) => take_suite(state, drawn, effect)?,
        Event::EvalResult(result) => take_result(state, result, event)?,
        Event::EvalAborted(aborted) => {
            judged(state, aborted.attempt_number)?;
            // DECISIONS 15: a run that failed counts for nothing, so the drill is where it was.
            let judged_before = state.submissions.count() > 0;
            state.stage = if judged_before { Stage::Awaiting } else { Stage::Presented };
        }
        Event::HintRequested(requested) => take_request(state, requested, event.id)?,
        Event::HintGiven(given) => {
            state.hints.give(given).ok_or(Misfit("a hint that nobody waits for"))?;
        }
        Event::AgentResponse(response) => take_response(state, response)?,
        Event::VariationAsked(asked) => ask(state, asked, event.id)?,
        Event::VariationAnswered(answered) => {
            let open = state.variation.take().filter(|(_, open)| open.number == answered.number);
            let (_, open) = open.ok_or(Misfit("an answer to what was not asked"))?;
            let misses = !open.again && is_no_answer(&open.text, &answered.text);
            state.missed = misses.then_some(open);
            state.variation_due = true;
        }
        Event::WordingFailed(failed) => fail_wording(state, failed, event.id)?,
        Event::GrowthProbeStarted(started) => {
            let begun = state.probes.start(started, effect, &state.submissions);
            begun.ok_or(Misfit("a measurement of code that was not judged"))?;
        }
        Event::GrowthMeasured(measured) => {
            state.probes.take(measured).ok_or(Misfit("figures that nobody waits for"))?;
        }
        // What was wanted until now is no longer: the session sees to that.
        Event::SessionEnded(ended) => {
            state.stage = Stage::Done { at: event.at, ended: ended.clone() };
        }
    }
    Ok(())
}

fn take_submission(
    state: &mut State,
    submitted: &CodeSubmitted,
    effect: EffectId,
) -> Result<(), Misfit> {
    // 000, state machine: one submission is judged at a time.
    let free = matches!(state.stage, Stage::Presented | Stage::Awaiting);
    Misfit::unless(free, "a submission while another one is being judged")?;
    let submission = Submission { event: effect.0, effect, submitted: submitted.clone() };
    state.stage = Stage::Evaluating(submission);
    Ok(())
}

/// The submission that has waited for the suite is judged by it.
fn take_suite(state: &mut State, drawn: &SuiteDrawn, effect: EffectId) -> Result<(), Misfit> {
    let Stage::Evaluating(submission) = &mut state.stage else {
        return Err(Misfit("hidden inputs that nothing waits for"));
    };
    submission.effect = effect;
    state.suites.take(drawn).ok_or(Misfit("hidden inputs that were drawn before"))
}

/// The submission of this number, if it is the one that is being judged.
fn judged(state: &State, attempt_number: u32) -> Result<&CodeSubmitted, Misfit> {
    match &state.stage {
        Stage::Evaluating(Submission { submitted, .. }) => {
            let judged = Some(submitted).filter(|of| of.attempt_number == attempt_number);
            judged.ok_or(NOT_JUDGED)
        }
        Stage::Presented | Stage::Awaiting | Stage::Done { .. } => Err(NOT_JUDGED),
    }
}

fn take_result(
    state: &mut State,
    result: &EvalResult,
    event: &Recorded<Event>,
) -> Result<(), Misfit> {
    let submitted = judged(state, result.attempt_number)?.clone();
    state.stage = Stage::Awaiting;
    state.submissions.insert(JudgedSubmission {
        event: event.id,
        result: result_line(result, submitted, event.at),
        issue: result.issue.clone(),
    });
    let metadata = ResponseMetadata {
        failure_type: result.failure_type,
        primary_issue: result.issue.clone().unwrap_or_else(|| "none".to_owned()),
        attempt_number: result.attempt_number,
        words: Words::Problem,
        model: None,
    };
    state.feedback.push(Feedback {
        wording: Wording::new(event.id),
        text: texts::feedback(state, result),
        metadata,
    });
    Ok(())
}

fn take_request(state: &mut State, requested: &HintRequested, id: EventId) -> Result<(), Misfit> {
    let judged = matches!(state.stage, Stage::Awaiting);
    Misfit::unless(judged, "a hint without a verdict that it is about")?;
    let pending = state.hints.pending().is_some();
    Misfit::unless(!pending, "a hint while another one is on its way")?;
    state.hints.ask(id, requested.clone());
    Ok(())
}

fn take_response(state: &mut State, response: &AgentResponse) -> Result<(), Misfit> {
    let on = response.metadata.attempt_number;
    let place = state.feedback.iter().position(|one| one.metadata.attempt_number == on);
    state.feedback.remove(place.ok_or(Misfit("feedback that nobody waits for"))?);
    // Once the first pass is praised; further ones ask nothing anew.
    let first = state.variations_asked == 0;
    state.variation_due = first && response.metadata.failure_type == FailureType::Pass;
    Ok(())
}

fn ask(state: &mut State, asked: &VariationAsked, id: EventId) -> Result<(), Misfit> {
    let next = state.next_variation();
    let next = next.filter(|next| (next.number, next.again) == (asked.number, asked.again));
    Misfit::unless(next.is_some(), "a question that is not the next one")?;
    state.variations_asked += usize::from(!asked.again);
    state.missed = None;
    state.variation_due = false;
    state.variation = Some((id, asked.clone()));
    Ok(())
}

fn fail_wording(state: &mut State, failed: &WordingFailed, id: EventId) -> Result<(), Misfit> {
    let feedback = state.feedback.iter_mut().map(|feedback| &mut feedback.wording);
    let mut wordings = feedback.chain(state.hints.wording_mut());
    let wording = wordings.find(|wording| wording.request == failed.request);
    wording.ok_or(Misfit("a failure of words that nobody waits for"))?.fail(id);
    Ok(())
}
