//! How an interview's facts become its state; chooses nothing.
//!
//! A fact that cannot follow from the ones before it is a [`Misfit`] and changes nothing, so that a
//! replay names the event that does not belong there. Whether a rule would have chosen it is for
//! the replay to say.

mod code;
mod course;
mod presence;
mod talk;

use vosim_protocol::EffectId;
use vosim_protocol::v1::interview::Event;

use super::state::{Stage, State};
use crate::kind::{Misfit, Recorded};

use code::{
    judged, ran, start_tests, take_loss, take_request, take_result, take_save, take_submission,
    take_suite, take_tests, tested, watch,
};
use course::{
    complete, end_section, not_begun, nudge, seal, start_section, terminate, warn, wrap_up,
};
use presence::{arrive, come_back, leave, pause, stop_typing, type_on};
use talk::{
    answer, ask, ask_variation, end_questions, fail_wording, present_followup, present_prompt,
    select_followup, take_clarification, take_hearing, take_inquiry, take_message,
};

pub(super) fn evolve(state: &mut State, event: &Recorded<Event>) -> Result<(), Misfit> {
    // DECISIONS 9: no event after the end.
    Misfit::unless(!state.over(), "an event after the end of the session")?;
    take(state, event)?;
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
        Event::MessageHeard(heard) => take_hearing(state, heard),
        Event::ClarificationGiven(given) => take_clarification(state, given),
        Event::InquiryAnswered(answered) => take_inquiry(state, answered, at),
        Event::FollowupSelected(selected) => select_followup(state, selected, effect),
        Event::FollowupPresented(followup) => present_followup(state, followup, at),
        Event::QuestionsOver(over) => end_questions(state, over),
        Event::VariationAsked(variation) => ask_variation(state, variation, at),
        Event::WordingFailed(failed) => fail_wording(state, failed, id),
        Event::CandidateCodeSubmission(code) => take_submission(state, code, effect, at),
        Event::SuiteDrawn(drawn) => take_suite(state, drawn, effect),
        Event::EvalResult(result) => take_result(state, result, event),
        Event::EvalAborted(aborted) => {
            judged(state, aborted.attempt_number)?;
            ran(state, at);
            Ok(())
        }
        Event::GrowthProbeStarted(started) => {
            let begun = state.probes.start(started, effect, &state.submissions);
            begun.ok_or(Misfit("a measurement of code that was not judged"))
        }
        Event::GrowthMeasured(measured) => {
            state.probes.take(measured).ok_or(Misfit("figures that nobody waits for"))
        }
        Event::OwnTestsStarted(started) => start_tests(state, started, effect, at),
        Event::OwnTestsResult(result) => take_tests(state, result, at),
        Event::OwnTestsAborted(aborted) => {
            tested(state, aborted.request)?;
            ran(state, at);
            Ok(())
        }
        Event::HintRequested(request) => take_request(state, request, id),
        Event::HintGiven(given) => {
            let words = state.hints.give(given);
            words.map(drop).ok_or(Misfit("a hint that nobody waits for"))
        }
        Event::SolutionWatched(watched) => watch(state, watched, effect),
        Event::SolutionSaved(saved) => take_save(state, saved, effect, at),
        Event::SolutionLost(lost) => take_loss(state, lost.why, effect),
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
        Event::CandidateConnected(_) => arrive(state),
        Event::CandidateDisconnected(gone) => leave(state, gone, at),
        Event::CandidateTyping(typing) => type_on(state, typing, at),
        Event::CandidateTypingEnded(ended) => stop_typing(state, ended, at),
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
