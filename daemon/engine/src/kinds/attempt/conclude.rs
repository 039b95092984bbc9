//! What an attempt asks of the world, and what it makes of the end.

use vosim_protocol::phrase;
use vosim_protocol::v1::attempt::{ChallengeScored, Event, PatternChosen, Spec};
use vosim_protocol::v1::bundle::CodeVersion;
use vosim_protocol::v1::effect::{
    CheckInvariant, Checked, Draw, Evaluate, Examine, Examined, Failure,
};
use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::judging::CodeSubmitted;
use vosim_protocol::v1::report::Report;
use vosim_protocol::{EffectId, EventRecord, Hash, Json, Wire as _};

use super::decide;
use super::failing::{self, reason};
use super::state::{Draft, Stage, State, UnderTest};
use super::understanding::quoted;
use super::{tell, view};
use crate::bundle::{put_verdict, submission};
use crate::kind::Recorded;
use crate::parts::{drawing, judging};
use crate::report::{Work, steps};
use crate::wanted::Wanted;

pub(super) fn wanted(state: &State) -> Vec<Wanted<State, Event>> {
    let mut wanted = of_step(state);
    wanted.extend(failing::wanted(state));
    wanted
}

fn of_step(state: &State) -> Vec<Wanted<State, Event>> {
    match &state.stage {
        Stage::Assessing(effect) => vec![examination(*effect, state)],
        Stage::Checking(effect) => check(*effect, state).into_iter().collect(),
        Stage::Evaluating(UnderTest { effect, submitted, .. }) => {
            let Spec { suite, draw, .. } = &*state.spec;
            vec![match state.suites.current(*suite, draw.as_ref()) {
                Some(suite) => evaluation(*effect, submitted.clone(), suite),
                None => inputs(*effect, *suite),
            }]
        }
        Stage::Challenging { effect, tried } => {
            let examine = Examine { runs: vec![tried.ops.clone()], reference_only: false };
            vec![Wanted::new(*effect, examine, |draft: &mut Draft<'_>, outcome| {
                draft.push(Event::ChallengeScored(scored(outcome)));
            })]
        }
        Stage::Understand
        | Stage::Plan
        | Stage::Approach
        | Stage::Implement
        | Stage::Failed
        | Stage::Reflect
        | Stage::Done { .. } => Vec::new(),
    }
}

fn examination(id: EffectId, state: &State) -> Wanted<State, Event> {
    let examine = Examine { runs: state.examples(), reference_only: false };
    Wanted::new(id, examine, |draft: &mut Draft<'_>, outcome| {
        let Some(understanding) = draft.state().understanding.clone() else { return };
        let (examples, not_run) = match outcome {
            Ok(examined) => (Some(examined.clone()), None),
            Err(failure) => (None, Some(reason(failure))),
        };
        let assessed = decide::assessed(draft.state(), &understanding, examples, not_run);
        draft.push(Event::UnderstandingAssessed(assessed));
    })
}

fn check(id: EffectId, state: &State) -> Option<Wanted<State, Event>> {
    let chosen: PatternChosen = state.plan.as_ref()?.chosen.clone()?;
    let built = chosen.invariant_builder.clone()?;
    let check = CheckInvariant { template: built.template_id, choices: built.choices };
    Some(Wanted::new(
        id,
        check,
        move |draft: &mut Draft<'_>, outcome: Result<&Checked, &Failure>| {
            let (checked, not_checked) = match outcome {
                Ok(checked) => (Some(checked.clone()), None),
                Err(failure) => (None, Some(reason(failure))),
            };
            decide::finish_plan(draft, &chosen, checked, not_checked);
        },
    ))
}

fn inputs(id: EffectId, embedded: Hash) -> Wanted<State, Event> {
    Wanted::new(id, Draw {}, move |draft: &mut Draft<'_>, outcome| {
        draft.push(Event::SuiteDrawn(drawing::drawn(embedded, outcome)));
    })
}

fn evaluation(id: EffectId, submitted: CodeSubmitted, suite: Hash) -> Wanted<State, Event> {
    let effect = Evaluate {
        suite,
        code: submitted.code_hash,
        file_path: submitted.file_path.clone(),
        language: submitted.language,
    };
    Wanted::new(id, effect, move |draft, outcome| {
        judged(draft, submitted.attempt_number, outcome.map(Box::as_ref));
    })
}

/// The verdict, or nothing that counts (DECISIONS 15). In the flow before 003 a pass is the end.
fn judged(draft: &mut Draft<'_>, number: u32, outcome: Result<&Evaluation, &Failure>) {
    let spec = &draft.state().spec;
    let legacy = !spec.v2_flow;
    match judging::judge(&spec.problem, number, outcome) {
        Err(aborted) => drop(draft.push(Event::EvalAborted(aborted))),
        Ok(result) => {
            let passed = result.passed;
            draft.push(Event::EvalResult(result));
            if passed && legacy {
                decide::complete(draft);
            }
        }
    }
}

fn scored(outcome: Result<&Examined, &Failure>) -> ChallengeScored {
    let nothing =
        |reason| ChallengeScored { caught: 0, planted: 0, holds: true, not_run: Some(reason) };
    match outcome {
        Ok(examined) => match examined.runs.iter().find_map(|run| Some((run.outside?, &run.limit)))
        {
            // What the statement does not allow breaks nothing.
            Some((call, Some(limit))) => {
                nothing(phrase!("challenge.beyond", call, limit = quoted(limit)).text)
            }
            Some((call, None)) => nothing(phrase!("challenge.outside", call).text),
            None => ChallengeScored {
                caught: examined.runs.iter().map(|run| run.catches).max().unwrap_or(0),
                planted: examined.planted,
                holds: examined.runs.iter().all(|run| run.holds),
                not_run: None,
            },
        },
        Err(failure) => nothing(reason(failure)),
    }
}

/// The submissions with their verdicts.
pub(super) fn code_history(events: &[Recorded<Event>]) -> Vec<CodeVersion> {
    let mut versions: Vec<CodeVersion> = Vec::new();
    for recorded in events {
        if let Event::CodeSubmitted(code) = &recorded.event {
            versions.push(submission(recorded.id, recorded.at, code));
        } else if let Event::EvalResult(result) = &recorded.event {
            put_verdict(&mut versions, recorded.id, result);
        }
    }
    versions
}

/// What was tried, and what came of each step.
pub(super) fn report(events: &[Recorded<Event>], report: &mut Report) {
    let mut work = Work::default();
    for recorded in events {
        if let Event::CodeSubmitted(code) = &recorded.event {
            work.submit(recorded, code.attempt_number, code.code_hash);
        } else if let Event::EvalResult(result) = &recorded.event {
            work.judge(recorded.id, result);
        } else if let Event::EvalAborted(aborted) = &recorded.event {
            work.abort(recorded.id, aborted);
        } else if let Event::HintGiven(given) = &recorded.event {
            work.hint(recorded, given);
        } else if let Event::OwnCasesRun(_) = &recorded.event {
            work.own_runs.push(recorded.id);
        }
    }
    work.into_report(report);
    report.steps = steps(events, |recorded| {
        let of_step = matches!(
            recorded.event,
            Event::UnderstandingAssessed(_)
                | Event::PlanAssessed(_)
                | Event::FailureExplained(_)
                | Event::ChallengeScored(_)
                | Event::ReflectionSubmitted(_)
                | Event::StepTaken(_)
                | Event::AttemptCompleted(_)
        );
        of_step.then(|| tell::tell(&recorded.event))
    });
}

/// The events with the four keys of 000, one a line, and on the last line the attempt in the words of 003.
pub(super) fn plain(state: &State, seen: &[EventRecord]) -> Vec<u8> {
    let event = |record: &EventRecord| {
        Json::from_iter([
            ("session_id", record.session_id.to_json()),
            ("timestamp", record.timestamp.to_json()),
            ("event_type", Json::from(record.event_type.as_str())),
            ("payload", record.payload.clone()),
        ])
        .to_line()
    };
    let mut lines: Vec<_> = seen.iter().map(event).collect();
    lines.push(view::attempt(state).to_line());
    lines.push(Vec::new());
    lines.join(&b'\n')
}
