//! The kind `drill` (000): one problem, submissions, hints, a summary.
//!
//! ```text
//!                     submit                  verdict
//! PROBLEM_PRESENTED ----------> EVALUATING -----------> AWAITING_ACTION --+
//!        |                       |  ^   |                 |  |  ^         |
//!        |        aborted: back <+  |   |      submit     |  |  +- hint --+
//!        |                          +---|-----------------+  |  +- give up
//!        |                              |                    |
//!        +------------- end ------------+-------- end -------+----> DONE
//! ```
//! Judging, measuring and wording are effects; a hint or feedback is given when its words are
//! there. Nothing here reads a clock: every time comes with a command or an event.

mod view;
mod why;

use std::sync::Arc;

use vosim_protocol::blob::SUBMISSION_MAX_BYTES;
use vosim_protocol::v1::drill::{
    AgentResponse, CodeSubmitted, Command, EvalAborted, EvalResult, Event, GrowthMeasured,
    GrowthProbeStarted, HintGiven, HintRequested, Outcome, Phase, ResponseMetadata, ResponseType,
    ResultLine, SessionEnded, SessionStarted, Spec, Words,
};
use vosim_protocol::v1::effect::{Effect, EffectOutcome, Purpose};
use vosim_protocol::v1::evaluation::{Evaluation, FailureType};
use vosim_protocol::v1::problem::{Issue, Language};
use vosim_protocol::v1::session::Explanation;
use vosim_protocol::{
    Actor, BlobRef, EffectId, EventId, EventRecord, Hash, Json, Role, SessionId, Time, Wire,
};

use crate::kind::{Cause, Kind, Recorded};
use crate::parts::growth::growth;
use crate::parts::hints::{self, HintContext, HintLevel};
use crate::parts::memory::{Attempt, Attempts};
use crate::parts::verdict::{self, Verdict};
use crate::parts::words;
use crate::rejection::Rejection;

/// Longest path of a submitted file, bytes.
const FILE_PATH_MAX_BYTES: usize = 4096;

/// The rules of 000.
#[derive(Debug)]
pub enum Drill {}

/// The fold of a drill's events.
#[derive(Clone, Debug)]
pub struct State {
    id: SessionId,
    spec: Arc<Spec>,
    started: Time,
    stage: Stage,
    attempts: Attempts,
    hints: Vec<GivenHint>,
    /// Texts that were asked for and are not there yet, oldest first.
    wording: Vec<Wording>,
    probe: Option<Probe>,
    growth: Option<GrowthMeasured>,
}

/// Where the drill stands, with what belongs to it there.
#[derive(Clone, Debug)]
enum Stage {
    Presented,
    Evaluating(Submission),
    Awaiting,
    Done { at: Time, ended: SessionEnded },
}

/// A submission that is being judged.
#[derive(Clone, Debug)]
struct Submission {
    effect: EffectId,
    submitted: CodeSubmitted,
}

#[derive(Clone, Copy, Debug)]
struct GivenHint {
    /// Its request.
    event: EventId,
    level: u8,
}

/// A text on its way.
#[derive(Clone, Debug)]
struct Wording {
    effect: EffectId,
    text: String,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Hint(HintRequested),
    Feedback(ResponseMetadata),
}

#[derive(Clone, Debug)]
struct Probe {
    effect: EffectId,
    started: GrowthProbeStarted,
    file_path: String,
}

impl Kind for Drill {
    const KIND: vosim_protocol::Kind = vosim_protocol::Kind::Drill;

    type Spec = Spec;
    type Command = Command;
    type Event = Event;
    type State = State;

    fn title(spec: &Spec) -> String {
        spec.problem.title.clone()
    }

    fn initial(id: SessionId, spec: Spec) -> State {
        State {
            id,
            spec: Arc::new(spec),
            started: Time::from_micros(0),
            stage: Stage::Presented,
            attempts: Attempts::default(),
            hints: Vec::new(),
            wording: Vec::new(),
            probe: None,
            growth: None,
        }
    }

    fn opening(state: &State, _: Time) -> Vec<Event> {
        vec![Event::SessionStarted(SessionStarted {
            problem_id: state.spec.problem.id.clone(),
            python_version: state.spec.python_version.clone(),
        })]
    }

    fn decide(state: &State, command: &Command, at: Time) -> Result<Vec<Event>, Rejection> {
        match command {
            Command::Submit { file_path, code, language, again } => {
                submit(state, file_path, code, *language, *again)
            }
            Command::Hint { confirm } => hint(state, *confirm, false),
            Command::GiveUp { confirm } => hint(state, *confirm, true),
            Command::End {} => end(state, at),
        }
    }

    fn conclude(state: &State, effect: EffectId, outcome: &EffectOutcome, _: Time) -> Vec<Event> {
        if let Stage::Evaluating(submission) = &state.stage
            && submission.effect == effect
        {
            return judged(state, &submission.submitted, outcome);
        }
        if let Some(probe) = state.probe.as_ref().filter(|probe| probe.effect == effect) {
            return vec![Event::GrowthMeasured(measured(&probe.started, outcome))];
        }
        let wording = state.wording.iter().find(|wording| wording.effect == effect);
        wording.map_or_else(Vec::new, |wording| vec![worded(wording, outcome)])
    }

    fn evolve(state: &mut State, event: &Recorded<Event>) {
        let effect = EffectId(event.id);
        match &event.event {
            Event::SessionStarted(_) => state.started = event.at,
            Event::CodeSubmitted(submitted) => {
                let submitted = submitted.clone();
                state.stage = Stage::Evaluating(Submission { effect, submitted });
            }
            Event::EvalResult(result) => take_result(state, result, event),
            Event::EvalAborted(_) => {
                state.stage =
                    if state.attempts.count() == 0 { Stage::Presented } else { Stage::Awaiting };
            }
            Event::HintRequested(requested) => {
                state.hints.push(GivenHint { event: event.id, level: requested.hint_level });
                state.wording.push(Wording {
                    effect,
                    text: hint_text(state, requested),
                    what: What::Hint(requested.clone()),
                });
            }
            Event::HintGiven(_) => {
                state.wording.retain(|wording| !matches!(wording.what, What::Hint(_)));
            }
            Event::AgentResponse(response) => {
                let attempt = response.metadata.attempt_number;
                state.wording.retain(|wording| {
                    !matches!(&wording.what, What::Feedback(m) if m.attempt_number == attempt)
                });
            }
            Event::GrowthProbeStarted(started) => {
                let file_path = state
                    .attempts
                    .of_code(started.code_hash)
                    .map_or_else(String::new, |attempt| attempt.result.file_path.clone());
                state.probe = Some(Probe { effect, started: started.clone(), file_path });
            }
            Event::GrowthMeasured(measured) => {
                state.probe = None;
                state.growth = Some(measured.clone());
            }
            Event::SessionEnded(ended) => {
                state.stage = Stage::Done { at: event.at, ended: ended.clone() };
                state.wording.clear();
                state.probe = None;
            }
        }
    }

    fn next_deadline(_: &State) -> Option<Time> {
        None
    }

    fn on_deadline(_: &State, _: Time) -> Vec<Event> {
        Vec::new()
    }

    fn shift_deadlines(_: &mut State, _: i64) {}

    fn wanted_effects(state: &State) -> Vec<(EffectId, Effect)> {
        let mut wanted = Vec::new();
        if let Stage::Evaluating(Submission { effect, submitted }) = &state.stage {
            wanted.push((
                *effect,
                Effect::Evaluate {
                    code: submitted.code_hash,
                    file_path: submitted.file_path.clone(),
                    language: submitted.language,
                },
            ));
        }
        if let Some(probe) = &state.probe {
            wanted.push((
                probe.effect,
                Effect::Probe {
                    code: probe.started.code_hash,
                    file_path: probe.file_path.clone(),
                    language: probe.started.language,
                },
            ));
        }
        for wording in &state.wording {
            let purpose = match wording.what {
                What::Hint(_) => Purpose::Hint,
                What::Feedback(_) => Purpose::Feedback,
            };
            wanted.push((wording.effect, Effect::Phrase { text: wording.text.clone(), purpose }));
        }
        wanted
    }

    fn phase(state: &State) -> &'static str {
        phase(state).name()
    }

    fn ended(state: &State) -> bool {
        matches!(state.stage, Stage::Done { .. })
    }

    fn view(state: &State, _: Role, at: Time) -> Json {
        view::view(state, at).to_json()
    }

    fn actor(event: &Event) -> Actor {
        match event {
            Event::SessionStarted(_)
            | Event::EvalResult(_)
            | Event::EvalAborted(_)
            | Event::GrowthProbeStarted(_)
            | Event::GrowthMeasured(_) => Actor::System,
            Event::CodeSubmitted(_) | Event::HintRequested(_) | Event::SessionEnded(_) => {
                Actor::Candidate
            }
            Event::HintGiven(_) | Event::AgentResponse(_) => Actor::InterviewerAi,
        }
    }

    fn blobs(command: &Command) -> Vec<BlobRef> {
        match command {
            Command::Submit { code, .. } => vec![*code],
            Command::Hint { .. } | Command::GiveUp { .. } | Command::End {} => Vec::new(),
        }
    }

    fn code(event: &Event) -> Option<Hash> {
        match event {
            Event::CodeSubmitted(submitted) => Some(submitted.code_hash),
            Event::SessionStarted(_)
            | Event::EvalResult(_)
            | Event::EvalAborted(_)
            | Event::HintRequested(_)
            | Event::HintGiven(_)
            | Event::AgentResponse(_)
            | Event::GrowthProbeStarted(_)
            | Event::GrowthMeasured(_)
            | Event::SessionEnded(_) => None,
        }
    }

    fn cause(state: &State, event: &Recorded<Event>) -> Cause<Command> {
        cause(state, &event.event)
    }

    fn why(state: &State, event: &Recorded<Event>) -> Explanation {
        why::why(state, event)
    }

    /// A drill's events hold nothing that a role may not see.
    fn redact(_: Role, record: EventRecord) -> Option<EventRecord> {
        Some(record)
    }
}

fn phase(state: &State) -> Phase {
    match state.stage {
        Stage::Presented => Phase::ProblemPresented,
        Stage::Evaluating(_) => Phase::Evaluating,
        Stage::Awaiting => Phase::AwaitingAction,
        Stage::Done { .. } => Phase::Done,
    }
}

fn submit(
    state: &State,
    file_path: &str,
    code: &BlobRef,
    language: Language,
    again: bool,
) -> Result<Vec<Event>, Rejection> {
    match &state.stage {
        Stage::Presented | Stage::Awaiting => {}
        Stage::Evaluating(_) => return Err(being_judged("submit")),
        Stage::Done { .. } => return Err(Rejection::SessionEnded),
    }
    bound("the file", code.bytes, SUBMISSION_MAX_BYTES)?;
    bound("the file's path", file_path.len() as u64, FILE_PATH_MAX_BYTES)?;
    offered(state, language)?;
    let earlier = state.attempts.of_code(code.hash);
    if let Some(earlier) = earlier.filter(|_| !again) {
        let result = &earlier.result;
        return Err(Rejection::IdenticalSubmission {
            attempt: result.attempt_number,
            passed: result.tests_passed,
            total: result.tests_passed + result.tests_failed,
        });
    }
    Ok(vec![Event::CodeSubmitted(CodeSubmitted {
        attempt_number: state.attempts.count() + 1,
        file_path: file_path.to_owned(),
        code_hash: code.hash,
        line_count: code.line_count,
        bytes: code.bytes,
        language,
        repeated: earlier.is_some(),
    })])
}

fn bound(what: &'static str, size: u64, limit: usize) -> Result<(), Rejection> {
    let limit = limit as u64;
    if size > limit { Err(Rejection::TooLarge { what, size, limit }) } else { Ok(()) }
}

fn offered(state: &State, language: Language) -> Result<(), Rejection> {
    let starters = &state.spec.problem.starters;
    if starters.contains_key(&language) {
        return Ok(());
    }
    let offered: Vec<_> = starters.keys().map(|language| language.name()).collect();
    Err(Rejection::LanguageNotOffered {
        language: language.name().to_owned(),
        offered: offered.join(", "),
    })
}

fn being_judged(command: &'static str) -> Rejection {
    Rejection::InvalidTransition {
        command,
        because: "a submission is being judged",
        next: "wait for its verdict (vosimctl status), or end the session: vosimctl end",
    }
}

/// Hints and giving up: the policy chooses the level (DECISIONS 18).
fn hint(state: &State, confirm: bool, give_up: bool) -> Result<Vec<Event>, Rejection> {
    let command = if give_up { "give up" } else { "request hint" };
    match &state.stage {
        Stage::Awaiting => {}
        Stage::Evaluating(_) => return Err(being_judged(command)),
        Stage::Done { .. } => return Err(Rejection::SessionEnded),
        Stage::Presented => {
            return Err(Rejection::InvalidTransition {
                command,
                because: "nothing has been submitted yet",
                next: "submit code first with: vosimctl submit --file <path>",
            });
        }
    }
    let Some(last) = state.attempts.last() else { return Err(Rejection::SessionEnded) };
    let Some(issue) = &last.issue else { return Err(Rejection::AlreadyPassed) };
    if state.wording.iter().any(|wording| matches!(wording.what, What::Hint(_))) {
        return Err(Rejection::HintPending);
    }
    let context = hint_context(state, give_up);
    let HintLevel { level, reason } = context.level();
    let shown_before = context.last_hint.is_some_and(|(_, level)| level == 4);
    if level == 4 && !confirm && !shown_before {
        return Err(Rejection::ConfirmationRequired);
    }
    Ok(vec![Event::HintRequested(HintRequested {
        attempt_number: last.result.attempt_number,
        give_up,
        hint_level: level,
        trigger_reason: reason,
        issue: issue.clone(),
    })])
}

fn hint_context(state: &State, give_up: bool) -> HintContext {
    let failures = state
        .attempts
        .distinct()
        .filter(|attempt| attempt.result.failure_type != FailureType::Pass)
        .map(|attempt| (attempt.event, attempt.result.failure_type))
        .collect();
    HintContext {
        failures,
        attempts: u32::try_from(state.attempts.distinct().count()).unwrap_or(u32::MAX),
        last_hint: state.hints.last().map(|hint| (hint.event, hint.level)),
        give_up,
    }
}

/// The problem's own text for a hint: a rung of the issue's ladder, or the reference solution in
/// the language of the last submission.
fn hint_text(state: &State, requested: &HintRequested) -> String {
    let problem = &state.spec.problem;
    if requested.hint_level >= 4 {
        let language = state.attempts.last().map(|attempt| attempt.result.language);
        let solution = language.and_then(|language| problem.solutions.get(&language));
        return solution.or_else(|| problem.solutions.values().next()).cloned().unwrap_or_default();
    }
    let rung = usize::from(requested.hint_level.saturating_sub(1)).min(2);
    issue(state, &requested.issue).map_or_else(String::new, |issue| issue.hints[rung].clone())
}

fn issue<'a>(state: &'a State, id: &str) -> Option<&'a Issue> {
    state.spec.problem.issues.iter().find(|issue| issue.id == id)
}

/// 000: `end`; during an evaluation it cancels the run (DECISIONS 21).
fn end(state: &State, at: Time) -> Result<Vec<Event>, Rejection> {
    if Drill::ended(state) {
        return Err(Rejection::SessionEnded);
    }
    Ok(vec![Event::SessionEnded(summary(state, at))])
}

fn summary(state: &State, at: Time) -> SessionEnded {
    let last = state.attempts.last().map(|attempt| &attempt.result);
    let (passed, failed) = last.map_or((0, 0), |last| (last.tests_passed, last.tests_failed));
    let outcome = match last {
        None => Outcome::Abandoned,
        Some(last) if last.failure_type == FailureType::Pass => Outcome::Success,
        Some(_) if passed > 0 && passed >= failed => Outcome::PartialSuccess,
        Some(_) => Outcome::Failure,
    };
    SessionEnded {
        outcome,
        total_attempts: state.attempts.count(),
        final_tests_passed: passed,
        final_tests_failed: failed,
        hints_used: u32::try_from(state.hints.len()).unwrap_or(u32::MAX),
        duration_seconds: at.secs_since(state.started),
        best_tests_passed: state.attempts.best_passed().unwrap_or(0),
        assisted: outcome == Outcome::Success && solved_after_solution(state),
    }
}

/// True when the reference solution was shown before the first attempt that passed.
fn solved_after_solution(state: &State) -> bool {
    let shown = state.hints.iter().find(|hint| hint.level >= 4).map(|hint| hint.event);
    let solved = |attempt: &&Attempt| attempt.result.failure_type == FailureType::Pass;
    let solved = state.attempts.all().iter().find(solved).map(|attempt| attempt.event);
    shown.zip(solved).is_some_and(|(shown, solved)| shown < solved)
}

/// An evaluation has ended: the verdict, or nothing that counts (DECISIONS 15).
fn judged(state: &State, submitted: &CodeSubmitted, outcome: &EffectOutcome) -> Vec<Event> {
    let attempt_number = submitted.attempt_number;
    let aborted = |reason: &str| {
        vec![Event::EvalAborted(EvalAborted { attempt_number, reason: reason.to_owned() })]
    };
    match outcome {
        EffectOutcome::Evaluated { evaluation } => verdict_events(state, submitted, evaluation),
        EffectOutcome::Failed { reason } => aborted(reason),
        EffectOutcome::Probed { .. } | EffectOutcome::Phrased { .. } => {
            aborted("the evaluator answered something else than a verdict")
        }
    }
}

fn verdict_events(state: &State, submitted: &CodeSubmitted, evaluation: &Evaluation) -> Vec<Event> {
    let evaluation = verdict::bounded(evaluation.clone());
    let verdict = verdict::classify(&evaluation);
    let passed = verdict.failure_type == FailureType::Pass;
    let issue = if passed { None } else { issue_of(state, &verdict) };
    let mut events = vec![Event::EvalResult(EvalResult {
        attempt_number: submitted.attempt_number,
        passed,
        failure_type: verdict.failure_type,
        tests_passed: verdict.tests_passed,
        tests_failed: verdict.tests_failed,
        failing_tests: verdict.failing_tests,
        exception: verdict.exception,
        runtime_ms: evaluation.runtime_ms,
        detail: verdict.detail,
        limit: verdict.limit,
        not_run: verdict.not_run,
        issue,
        evaluation: Box::new(evaluation),
    })];
    if passed && state.spec.problem.growth.is_some() {
        events.push(Event::GrowthProbeStarted(GrowthProbeStarted {
            attempt_number: submitted.attempt_number,
            code_hash: submitted.code_hash,
            language: submitted.language,
        }));
    }
    events
}

/// The issue a failing verdict is put down to; a problem's last one fits always.
fn issue_of(state: &State, verdict: &Verdict) -> Option<String> {
    let issues = &state.spec.problem.issues;
    let issue = verdict::issue(issues, verdict).or(issues.last());
    Some(issue.map_or_else(|| "general".to_owned(), |issue| issue.id.clone()))
}

fn take_result(state: &mut State, result: &EvalResult, event: &Recorded<Event>) {
    let Stage::Evaluating(Submission { submitted, .. }) =
        std::mem::replace(&mut state.stage, Stage::Awaiting)
    else {
        return;
    };
    state.attempts.push(Attempt {
        event: event.id,
        result: ResultLine {
            attempt_number: result.attempt_number,
            failure_type: result.failure_type,
            detail: result.detail,
            tests_passed: result.tests_passed,
            tests_failed: result.tests_failed,
            file_path: submitted.file_path,
            code_hash: submitted.code_hash,
            language: submitted.language,
            at: event.at,
            repeated: submitted.repeated,
        },
        issue: result.issue.clone(),
    });
    let text = feedback_text(state, result);
    let metadata = ResponseMetadata {
        failure_type: result.failure_type,
        primary_issue: result.issue.clone().unwrap_or_else(|| "none".to_owned()),
        attempt_number: result.attempt_number,
        words: Words::Problem,
    };
    let effect = EffectId(event.id);
    state.wording.push(Wording { effect, text, what: What::Feedback(metadata) });
}

/// The problem's own feedback, and from five attempts on the offer of 000: pseudocode or going on.
fn feedback_text(state: &State, result: &EvalResult) -> String {
    let problem = &state.spec.problem;
    let verdict = verdict::classify(&result.evaluation);
    let Some(id) = &result.issue else { return words::fill(&problem.praise, &verdict) };
    let feedback = issue(state, id).map_or("", |issue| issue.feedback.as_str());
    let mut text = words::fill(feedback, &verdict);
    let attempts = hint_context(state, false).attempts;
    let level = state.hints.last().map_or(0, |hint| hint.level);
    if attempts >= hints::ATTEMPTS_FOR_LEVEL_3 && level < 3 {
        text.push_str("\n\nWould you like pseudocode as a hint, or to try again?");
    }
    text
}

fn measured(started: &GrowthProbeStarted, outcome: &EffectOutcome) -> GrowthMeasured {
    let (points, reason) = match outcome {
        EffectOutcome::Probed { points } => (points.clone(), None),
        EffectOutcome::Failed { reason } => (Vec::new(), Some(reason.clone())),
        EffectOutcome::Evaluated { .. } | EffectOutcome::Phrased { .. } => {
            (Vec::new(), Some("the evaluator answered something else than figures".to_owned()))
        }
    };
    let growth = growth(&points);
    GrowthMeasured { attempt_number: started.attempt_number, points, growth, reason }
}

/// A text is there. Where no model could word it, the problem's own text is used as it is
/// (DECISIONS 35).
fn worded(wording: &Wording, outcome: &EffectOutcome) -> Event {
    let (text, words) = match outcome {
        EffectOutcome::Phrased { text } if *text != wording.text => (text.clone(), Words::Model),
        EffectOutcome::Phrased { .. }
        | EffectOutcome::Failed { .. }
        | EffectOutcome::Evaluated { .. }
        | EffectOutcome::Probed { .. } => (wording.text.clone(), Words::Problem),
    };
    match &wording.what {
        What::Hint(requested) => Event::HintGiven(HintGiven {
            hint_level: requested.hint_level,
            hint_text: text,
            trigger_reason: requested.trigger_reason,
            issue: requested.issue.clone(),
            words,
        }),
        What::Feedback(metadata) => Event::AgentResponse(AgentResponse {
            response_type: ResponseType::Feedback,
            message: text,
            metadata: ResponseMetadata { words, ..metadata.clone() },
        }),
    }
}

fn cause(state: &State, event: &Event) -> Cause<Command> {
    let nothing = EffectId(EventId::ZERO);
    let evaluating = match &state.stage {
        Stage::Evaluating(submission) => submission.effect,
        Stage::Presented | Stage::Awaiting | Stage::Done { .. } => nothing,
    };
    let phrased = |words: Words, text: &str, hint: bool| {
        let wording = state.wording.iter().find(|w| matches!(w.what, What::Hint(_)) == hint);
        let effect = wording.map_or(nothing, |wording| wording.effect);
        let outcome = match words {
            Words::Model => EffectOutcome::Phrased { text: text.to_owned() },
            Words::Problem => EffectOutcome::Failed { reason: String::new() },
        };
        Cause::Outcome(effect, outcome)
    };
    match event {
        Event::SessionStarted(_) => Cause::Opening,
        Event::CodeSubmitted(submitted) => Cause::Command(Command::Submit {
            file_path: submitted.file_path.clone(),
            code: BlobRef {
                hash: submitted.code_hash,
                bytes: submitted.bytes,
                line_count: submitted.line_count,
            },
            language: submitted.language,
            again: submitted.repeated,
        }),
        Event::EvalResult(result) => {
            let evaluation = result.evaluation.clone();
            Cause::Outcome(evaluating, EffectOutcome::Evaluated { evaluation })
        }
        Event::EvalAborted(aborted) => {
            Cause::Outcome(evaluating, EffectOutcome::Failed { reason: aborted.reason.clone() })
        }
        Event::HintRequested(requested) if requested.give_up => {
            Cause::Command(Command::GiveUp { confirm: true })
        }
        Event::HintRequested(_) => Cause::Command(Command::Hint { confirm: true }),
        Event::HintGiven(given) => phrased(given.words, &given.hint_text, true),
        Event::AgentResponse(response) => {
            phrased(response.metadata.words, &response.message, false)
        }
        Event::GrowthProbeStarted(_) => Cause::Consequence,
        Event::GrowthMeasured(measured) => {
            let effect = state.probe.as_ref().map_or(nothing, |probe| probe.effect);
            let outcome = match &measured.reason {
                Some(reason) => EffectOutcome::Failed { reason: reason.clone() },
                None => EffectOutcome::Probed { points: measured.points.clone() },
            };
            Cause::Outcome(effect, outcome)
        }
        Event::SessionEnded(_) => Cause::Command(Command::End {}),
    }
}

#[cfg(test)]
mod tests;
