//! Explains a drill's events: the rule, what it looked at, and the rules that were not taken.

use vosim_protocol::v1::drill::{
    AgentResponse, CodeSubmitted, Event, GrowthMeasured, SessionEnded,
};

use vosim_protocol::v1::judging::{EvalAborted, EvalResult};

use vosim_protocol::v1::hints::{HintRequested, TriggerReason};

use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::session::{Explanation, NotTaken};
use vosim_protocol::v1::talk::Words;
use vosim_protocol::{EventId, Json, Wire};

use super::state::{SOLUTION_LEVEL, Stage, State};
use crate::kind::Recorded;
use crate::kinds::because::{Because, because, input, input_of, not_taken, wording_failed};
use crate::parts::hints::{
    HintContext, SUBMISSIONS_FOR_LEVEL_2, SUBMISSIONS_FOR_LEVEL_3, SUBMISSIONS_FOR_LEVEL_4,
};
use crate::sentences;

/// Why an event is as it is, given the state before it.
pub(super) fn why(state: &State, event: &Recorded<Event>) -> Explanation {
    let because = match &event.event {
        Event::SessionStarted(started) => because(
            format!("the problem {} was presented", started.problem_id),
            "000 state machine: IDLE, start, PROBLEM_PRESENTED",
        ),
        Event::CodeSubmitted(submitted) => submission(state, submitted),
        Event::EvalResult(result) => classification(state, result),
        Event::EvalAborted(aborted) => aborted_because(aborted),
        Event::HintRequested(requested) => level(state, requested),
        Event::HintGiven(given) => match requested(state) {
            Some((id, requested)) => {
                let mut because = level(&before(state, id), &requested);
                because.inputs.push(input_of("request", Json::from(id.0), id));
                because.inputs.push(input("words", words(given.words)));
                because
            }
            None => because("a hint was given", "000: hint"),
        },
        Event::AgentResponse(response) => feedback(state, response),
        Event::WordingFailed(failed) => wording_failed(failed.request, &failed.reason),
        Event::GrowthProbeStarted(_) => because(
            "the time per operation is measured because all tests passed",
            "the summary claims nothing that was not measured",
        ),
        Event::GrowthMeasured(measured) => growth(measured),
        Event::SessionEnded(ended) => end(state, ended),
    };
    because.of(event)
}

fn words(words: Words) -> &'static str {
    match words {
        Words::Problem => "the problem's own text",
        Words::Model => "a model's wording of the problem's text",
    }
}

fn submission(state: &State, submitted: &CodeSubmitted) -> Because {
    let mut because = because(
        format!("the file was taken as attempt {}", submitted.attempt_number),
        "000 state machine: submit, EVALUATING",
    );
    because.inputs.push(input("code_hash", submitted.code_hash.to_string()));
    match state.submissions.of_code(submitted.code_hash) {
        Some(earlier) => because.inputs.push(input_of(
            "judged before as attempt",
            earlier.result.attempt_number,
            earlier.event,
        )),
        None => because
            .not_taken
            .push(not_taken("an identical file is refused", "no attempt judged these bytes")),
    }
    because
}

fn classification(state: &State, result: &EvalResult) -> Because {
    let (rule, not_taken) = sentences::classification(result);
    let mut because = because(format!("the verdict is {}", result.failure_type), &rule);
    because.inputs = vec![
        input("tests_passed", result.tests_passed),
        input("tests_failed", result.tests_failed),
        input("exception", result.exception.to_json()),
        input("detail", result.detail.to_json()),
    ];
    if let Stage::Evaluating(submission) = &state.stage {
        let hash = submission.submitted.code_hash.to_string();
        because.inputs.push(input_of("code_hash", hash, submission.effect.0));
    }
    because.not_taken = not_taken;
    because
}

fn aborted_because(aborted: &EvalAborted) -> Because {
    let mut because = because(
        "the attempt counts for nothing",
        "a failure of the machinery is not the candidate's",
    );
    because.inputs.push(input("reason", aborted.reason.as_str()));
    because
}

/// The hint that was asked for and is not there yet.
fn requested(state: &State) -> Option<(EventId, HintRequested)> {
    state.hints.pending().map(|(request, wording)| (wording.request, request.clone()))
}

/// What the policy looked at when a hint was asked for: submissions may have been judged since.
fn before(state: &State, request: EventId) -> State {
    let mut before = state.clone();
    before.hints = before.hints.before(request);
    before.submissions = before.submissions.before(request);
    before
}

fn level(state: &State, requested: &HintRequested) -> Because {
    let context = state.hint_context(requested.give_up);
    let taken = sentences::hint_rule(requested.trigger_reason);
    let mut because = because(
        format!("the hint has level {}", requested.hint_level),
        format!("000 hint escalation, {taken}"),
    );
    because.inputs = vec![
        input("attempts that count", context.submissions),
        match context.last_hint {
            Some((event, level)) => input_of("last hint's level", level, event),
            None => input("last hint's level", Json::Null),
        },
        input("issue", requested.issue.as_str()),
    ];
    because.inputs.extend(
        context
            .failures
            .iter()
            .map(|(event, class)| input_of("failure", class.to_string(), *event)),
    );
    because.not_taken = other_rules(&context, requested.trigger_reason);
    because
}

fn other_rules(context: &HintContext, taken: TriggerReason) -> Vec<NotTaken> {
    let shown = context.last_hint.is_some_and(|(_, level)| level == SOLUTION_LEVEL);
    let submissions = match context.submissions {
        1 => "only 1 attempt counts".to_owned(),
        n => format!("only {n} attempts count"),
    };
    let at_least = |n| match context.submissions >= n {
        _ if shown => "the reference solution was shown before".to_owned(),
        true => "the level is as high without it".to_owned(),
        false => submissions.clone(),
    };
    let first = match context.last_hint {
        Some(_) => "there was a hint before",
        None => "another rule raised the level",
    };
    let repeated = match (context.last_hint, context.repeated_since_last_hint()) {
        (None, _) => "it speaks of hints after the first",
        (Some((_, 3..)), _) => "rules 1 to 4 stop at level 3",
        (Some(_), None) => "no new attempt since the last hint failed like the one before it",
        (Some(_), Some(_)) => "another rule raised the level",
    };
    let give_up = match (context.give_up, shown) {
        (true, true) => "the reference solution was shown before",
        (true, false) => "another rule raised the level",
        (false, _) => "the candidate did not give up",
    };
    [
        (TriggerReason::FirstHintRequest, first.to_owned()),
        (TriggerReason::SameFailureRepeated, repeated.to_owned()),
        (TriggerReason::SubmissionsMin2, at_least(SUBMISSIONS_FOR_LEVEL_2)),
        (TriggerReason::SubmissionsMin3, at_least(SUBMISSIONS_FOR_LEVEL_3)),
        (TriggerReason::SubmissionsLevel4, at_least(SUBMISSIONS_FOR_LEVEL_4)),
        (TriggerReason::GiveUp, give_up.to_owned()),
    ]
    .into_iter()
    .filter(|(reason, _)| *reason != taken)
    .map(|(reason, text)| not_taken(sentences::hint_rule(reason), text))
    .collect()
}

/// The issues of the problem in their order; those before the chosen one did not fit.
fn feedback(state: &State, response: &AgentResponse) -> Because {
    let metadata = &response.metadata;
    let mut because = because(
        format!("feedback on attempt {}", metadata.attempt_number),
        "the first issue of the problem that fits the verdict",
    );
    if metadata.failure_type == FailureType::Pass {
        "a pass gets the problem's praise".clone_into(&mut because.rule);
    }
    let judged = state.submissions.all().iter();
    let of = |number: u32| judged.clone().find(|a| a.result.attempt_number == number);
    because.inputs = vec![
        match of(metadata.attempt_number) {
            Some(submission) => {
                input_of("failure_type", metadata.failure_type.to_string(), submission.event)
            }
            None => input("failure_type", metadata.failure_type.to_string()),
        },
        input("primary_issue", metadata.primary_issue.as_str()),
        input("words", words(metadata.words)),
    ];
    if metadata.failure_type != FailureType::Pass {
        let issues = state.spec.problem.issues.iter();
        because.not_taken = issues
            .take_while(|issue| issue.id != metadata.primary_issue)
            .map(|issue| not_taken(format!("issue {}", issue.id), "it does not fit the verdict"))
            .collect();
    }
    because
}

fn growth(measured: &GrowthMeasured) -> Because {
    let mut because = because(
        format!("growth is {}", measured.growth.to_json().as_str().unwrap_or_default()),
        "time ~ size^e between smallest and largest: e >= 1/2 grows, e <= 1/3 is constant",
    );
    because.inputs = measured
        .points
        .iter()
        .map(|point| input(&format!("nanoseconds at {}", point.size), point.nanos))
        .chain(measured.reason.as_deref().map(|reason| input("reason", reason)))
        .collect();
    because
}

fn end(state: &State, ended: &SessionEnded) -> Because {
    let mut because = because(
        format!("the outcome is {}", ended.outcome.to_json().as_str().unwrap_or_default()),
        "the last judged attempt decides: all passed is success, half is partial success",
    );
    because.inputs = vec![
        input("final_tests_passed", ended.final_tests_passed),
        input("final_tests_failed", ended.final_tests_failed),
        input("best_tests_passed", ended.best_tests_passed),
        input("assisted", ended.assisted),
    ];
    if let Some(last) = state.submissions.last() {
        let number = last.result.attempt_number;
        because.inputs.push(input_of("last judged attempt", number, last.event));
    }
    because
}
