//! What a step allows, and what to do instead (003: state machine).

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::attempt::Step;

use super::state::{Stage, State};
use crate::rejection::Rejection;

/// What can be done when the attempt is over.
pub(super) fn after_the_end() -> Vec<Next> {
    vec![
        Next::run("look back", Action::Report),
        Next::run("read hints and solutions", Action::Discussion),
        Next::run("begin another attempt", Action::StartAttempt),
    ]
}

/// Refuses a command outside of its steps, and while something is under way.
pub(super) fn in_step(
    state: &State,
    command: &'static str,
    steps: &[Step],
) -> Result<(), Rejection> {
    let refused = |because, next| Err(Rejection::InvalidTransition { command, because, next });
    match &state.stage {
        Stage::Assessing(_) => {
            return refused("your examples are being run", vec![wait("their result")]);
        }
        Stage::Checking(_) => {
            return refused("your invariant is being checked", vec![wait("the result")]);
        }
        Stage::Evaluating(_) => {
            return refused("a submission is being judged", vec![wait("its verdict")]);
        }
        Stage::Challenging { .. } => {
            return refused("your input is being run", vec![wait("the result")]);
        }
        Stage::Understand
        | Stage::Plan
        | Stage::Approach
        | Stage::Implement
        | Stage::Failed
        | Stage::Reflect
        | Stage::Done { .. } => {}
    }
    let legacy = matches!(state.stage, Stage::Approach);
    if steps.contains(&state.stage.step()) && !legacy {
        return Ok(());
    }
    let (because, next) = if legacy {
        ("the approach comes first", vec![Next::run("write it down", Action::Approach)])
    } else {
        next_of(state, steps)
    };
    refused(because, next)
}

/// Why a step does not allow what belongs to others, and what to do in it.
fn next_of(state: &State, others: &[Step]) -> (&'static str, Vec<Next>) {
    let step = state.stage.step();
    match step {
        Step::Understand => {
            ("the problem is not explained yet", vec![Next::run("explain it", Action::Understand)])
        }
        Step::Plan => {
            let gone_by = others.iter().all(|other| *other < step);
            let because =
                if gone_by { "it has been explained already" } else { "there is no plan yet" };
            (because, next_in_plan(state))
        }
        Step::Implement => ("the code comes next", vec![Next::run("submit it", Action::Submit)]),
        Step::Verify => (
            "the last submission failed",
            vec![
                Next::run("go back to the code", Action::Retry),
                Next::run("say why a test failed", Action::ExplainFailure),
            ],
        ),
        Step::Reflect => {
            ("all tests pass", vec![Next::run("say what you take along", Action::Reflect)])
        }
        Step::Complete => ("it is over", after_the_end()),
    }
}

/// What to do in PLAN: first what is asked about the pattern.
pub(super) fn next_in_plan(state: &State) -> Vec<Next> {
    let asked = state.discovery().map(|_| Next::edit("answer the question about the pattern"));
    let choose = Next::run("choose a pattern", Action::ChoosePattern);
    asked.into_iter().chain([choose]).collect()
}

fn wait(until: &'static str) -> Next {
    Next::wait_and_see(until, Action::Status)
}

/// Only the flow of 003 has its steps.
pub(super) fn v2(state: &State, command: &'static str) -> Result<(), Rejection> {
    if state.spec.v2_flow {
        return Ok(());
    }
    let because = "this attempt has the steps approach, code and test";
    let next = match state.stage {
        Stage::Approach => Next::run("write the approach down", Action::Approach),
        Stage::Understand
        | Stage::Assessing(_)
        | Stage::Plan
        | Stage::Checking(_)
        | Stage::Implement
        | Stage::Failed
        | Stage::Reflect
        | Stage::Challenging { .. }
        | Stage::Done { .. } => Next::run("submit code", Action::Submit),
        Stage::Evaluating(_) => wait("its verdict"),
    };
    Err(Rejection::InvalidTransition { command, because, next: vec![next] })
}

/// Refuses a text in which nothing is written.
pub(super) fn required(what: &str, text: &str) -> Result<(), Rejection> {
    if !text.trim().is_empty() {
        return Ok(());
    }
    let next = vec![Next::edit("write it down, then try again")];
    Err(Rejection::InvalidInput { message: format!("{what} is empty"), next })
}
