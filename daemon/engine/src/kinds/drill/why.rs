//! Explains a drill's events: the rule, what it looked at, and the rules that did not apply.

use vosim_protocol::v1::drill::{AgentResponse, Event};
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::judging::CodeSubmitted;
use vosim_protocol::{EventId, phrase};

use super::state::{Stage, State};
use crate::because::{
    Because, ShowsReference, hint_given, hint_level, not_judged, spaced, verdict, wording_failed,
};
use crate::kind::Recorded;

/// Why an event is as it is, given the state before it.
pub(super) fn why(state: &State, event: &Recorded<Event>) -> Because {
    match &event.event {
        // 000: IDLE, start, PROBLEM_PRESENTED
        Event::SessionStarted(started) => {
            Because::of(phrase!("rule.drill.started")).with_model(started.model.as_ref())
        }
        Event::CodeSubmitted(submitted) => submission(state, submitted),
        // DECISIONS 41
        Event::SuiteDrawn(_) => Because::of(phrase!("rule.suite.drawn")),
        Event::EvalResult(result) => verdict(result, judging(state)),
        Event::EvalAborted(_) => not_judged(),
        Event::HintRequested(request) => {
            hint_level(&state.hint_context(&request.issue), request, ShowsReference::Yes)
        }
        Event::HintGiven(given) => {
            hint_given(&state.submissions, &state.hints, given, ShowsReference::Yes)
        }
        Event::AgentResponse(response) => feedback(state, response),
        Event::VariationAsked(asked) => Because::of(match asked.again {
            true => phrase!("rule.variation.again"),
            false => phrase!("rule.drill.variation"),
        }),
        Event::VariationAnswered(_) => answer(state),
        Event::WordingFailed(failed) => wording_failed(failed.request),
        Event::GrowthProbeStarted(_) => Because::of(phrase!("rule.growth.started")),
        Event::GrowthMeasured(_) => Because::of(phrase!("rule.growth.measured")),
        Event::SessionEnded(ended) => end(state, ended.best_tests_passed),
    }
}

/// 000: submit, EVALUATING; an identical file: DECISIONS 15.
fn submission(state: &State, submitted: &CodeSubmitted) -> Because {
    let because = Because::of(phrase!("rule.drill.submitted"));
    match state.submissions.of_code(submitted.code_hash) {
        Some(earlier) => {
            let number = earlier.result.attempt_number;
            because.saw_in(earlier.event, phrase!("seen.drill.judged_before", number))
        }
        None => because.not(phrase!("rule.drill.identical"), phrase!("not.drill.identical")),
    }
}

/// The submission that is being judged.
fn judging(state: &State) -> Option<EventId> {
    match &state.stage {
        Stage::Evaluating(submission) => Some(submission.event),
        Stage::Presented | Stage::Awaiting | Stage::Done { .. } => None,
    }
}

/// The issues of the problem in their order; those before the chosen one did not fit.
fn feedback(state: &State, response: &AgentResponse) -> Because {
    let metadata = &response.metadata;
    let (class, issue) = (metadata.failure_type.to_string(), &metadata.primary_issue);
    let pass = metadata.failure_type == FailureType::Pass;
    let mut because = Because::of(match pass {
        true => phrase!("rule.feedback.praise"),
        false => phrase!("rule.feedback.issue"),
    });
    let mut judged = state.submissions.all().iter();
    let of = judged.find(|a| a.result.attempt_number == metadata.attempt_number);
    because = match of {
        Some(of) => because.saw_in(of.event, phrase!("seen.feedback.verdict", class)),
        None => because.saw(phrase!("seen.feedback.verdict", class)),
    };
    if !pass {
        because = because.saw(phrase!("seen.feedback.issue", issue = spaced(issue)));
        let issues = state.spec.problem.issues.iter();
        for unfit in issues.take_while(|known| known.id != *issue) {
            let rule = phrase!("rule.feedback.about", issue = spaced(&unfit.id));
            because = because.not(rule, phrase!("not.feedback.fits"));
        }
    }
    because.in_words(metadata.words, metadata.model.as_deref())
}

/// The question that an answer is to.
fn answer(state: &State) -> Because {
    let because = Because::of(phrase!("rule.drill.answered"));
    match &state.variation {
        Some((asked, open)) => {
            because.saw_in(*asked, phrase!("seen.drill.asked", title = open.title.as_str()))
        }
        None => because,
    }
}

/// DECISIONS 21: the last judged submission is final; the best is told beside it.
fn end(state: &State, best: u32) -> Because {
    let because = Because::of(phrase!("rule.drill.ended"));
    match state.submissions.last() {
        Some(last) => because
            .saw_in(last.event, phrase!("seen.drill.last", number = last.result.attempt_number))
            .saw(phrase!("seen.drill.best", passed = best)),
        None => because,
    }
}
