//! What follows: from the state alone the next event, until something is asked of the outside or the task
//! rests. This is the loop of 002 2.

use vosim_protocol::v1::agent::{AgentRole, Allow, Finding, Per, ScanVerdict, TestReport, TestsOf};
use vosim_protocol::v1::effect::{Memory, PartialSolution, Remember};
use vosim_protocol::v1::task::{
    ApprovalAsked, ApprovalHeld, Because, BudgetReached, Circle, Event, IterationsLow, LessonAsked,
    MemoryAsked, ModelCalled, ModelSwitched, RunBlocked, ScanAsked, State as At, StateChanged,
    StateTime, StuckFound, TaskFailed, TaskSucceeded, TestsAsked, ToolCalled, WorkspaceAsked,
};
use vosim_protocol::{EventId, Time};

use super::bound;
use super::state::{Pause, Pending, State, Todo, millis};
use crate::parts::approvals::{Next, Scope};
use crate::parts::budget;
use crate::parts::stuck::Found;

/// The next event; none while something is waited for or the task rests.
pub(super) fn next(state: &State, at: Time) -> Option<Event> {
    if state.over {
        return None;
    }
    if let Some(because) = pauses(state) {
        return Some(change(state, At::Paused, Some(because), at));
    }
    if state.pending.is_some() {
        return None;
    }
    Some(match state.todo {
        Todo::Rest => return None,
        Todo::Prepare => {
            Event::WorkspaceAsked(WorkspaceAsked { workspace: state.spec.workspace.clone() })
        }
        Todo::Recall => Event::MemoryAsked(MemoryAsked {
            what: match state.at {
                At::Reflecting => Memory::Failures,
                At::Init
                | At::Planning
                | At::Coding
                | At::Testing
                | At::Success
                | At::Failed
                | At::Paused => Memory::Patterns,
            },
        }),
        Todo::Ask(role) => ask(state, role, at),
        Todo::Act(role) => match circle_of_calls(state) {
            Some(found) => found,
            None => match state.queue.front() {
                Some(call) => Event::ToolCalled(ToolCalled { call: call.clone() }),
                None => ask(state, role, at),
            },
        },
        Todo::Scan => Event::ScanAsked(ScanAsked {}),
        Todo::Clear => clear(state),
        Todo::Switch(role) => match switch(state, Because::Model) {
            Some(switched) => switched,
            None => ask(state, role, at),
        },
        Todo::Keep => Event::LessonAsked(LessonAsked { lesson: lesson(state) }),
        Todo::Close => close(state, at),
        Todo::Leave(to) => leave(state, to, at),
        Todo::Tell => tell(state),
    })
}

/// Why it pauses now.
fn pauses(state: &State) -> Option<Because> {
    if !state.at.leads_to(At::Paused) {
        return None;
    }
    let waits_for_work = matches!(state.pending, Some(Pending::Effect(..)));
    match state.pause? {
        Pause::Now(because) => Some(because),
        Pause::Soon(because) => (!waits_for_work).then_some(because),
    }
}

/// A change of state with what the one that is left has taken (002 2.3).
pub(super) fn change(state: &State, to: At, because: Option<Because>, at: Time) -> Event {
    let tokens = state.spent.prompt + state.spent.completion;
    Event::StateChanged(StateChanged {
        from: state.at,
        to,
        iteration: state.iteration(),
        duration_ms: state.entered.map_or(0, |entered| millis(entered, at)),
        tokens: tokens.saturating_sub(state.tokens_at_entry),
        interrupted: state.effect().map(|(asked, _)| asked.0),
        because,
    })
}

/// The model is asked, unless a cap would be crossed: then it is told what would have been spent.
fn ask(state: &State, role: AgentRole, at: Time) -> Event {
    let estimate = state.estimate(role);
    let mut spent = state.spent;
    spent.wall_ms = state.wall_ms(at);
    let price = state.price();
    match budget::crossing(Per::Task, &state.caps, &spent, estimate, price) {
        Some(crossing) => Event::BudgetReached(BudgetReached { crossing }),
        None => Event::ModelCalled(ModelCalled {
            model: state.model.clone(),
            role,
            call: spent.calls + 1,
            estimate: estimate.tokens(),
        }),
    }
}

fn circle_of_calls(state: &State) -> Option<Event> {
    let what = state.turns.last().map(|turn| turn.call.tool.clone()).unwrap_or_default();
    let (circle, times) = match state.seen.in_calls()? {
        Found::SameCall(times) => (Circle::SameCall, times),
        Found::BackAndForth(times) => (Circle::BackAndForth, times),
        Found::SameError(..) | Found::NoChange(_) => return None,
    };
    Some(Event::StuckFound(StuckFound { circle, times, what: bound::short(what) }))
}

/// What the findings of the scan lead to (002 6): an answer that holds from before is told once.
fn clear(state: &State) -> Event {
    let next = state.answers.next(&state.findings, state.rules);
    match next {
        Next::Denied(finding) => {
            Event::RunBlocked(RunBlocked { finding, refused: false, unavailable: false })
        }
        Next::Refused(finding, _) if state.told.contains(&Scope::of(&finding, state.rules)) => {
            Event::RunBlocked(RunBlocked { finding, refused: true, unavailable: false })
        }
        Next::Refused(finding, given) => held(&finding, given, Allow::No),
        // Nothing more is asked about a run that will not be made.
        Next::Ask(finding, places) => in_vain(state)
            .unwrap_or(Event::ApprovalAsked(ApprovalAsked { finding, places, rules: state.rules })),
        Next::Run(allowed) => {
            let untold = state.findings.iter().find_map(|finding| {
                let scope = Scope::of(finding, state.rules);
                let (given, answer) = state.answers.held(&scope)?;
                (!state.told.contains(&scope)).then(|| held(finding, given, answer))
            });
            let told = untold.or_else(|| in_vain(state));
            told.unwrap_or(Event::TestsAsked(TestsAsked { allowed }))
        }
    }
}

/// What a person has allowed and no run can be given here (002 6.3). Where a problem is sat, the judge runs the
/// program, without a network as ever.
fn in_vain(state: &State) -> Option<Event> {
    if state.spec.exam.is_some() {
        return None;
    }
    let is_in_vain = |finding: &&Finding| {
        let given = state.answers.held(&Scope::of(finding, state.rules));
        finding.verdict == ScanVerdict::Ask
            && state.unavailable.contains(&finding.category)
            && given.is_some_and(|(_, answer)| answer != Allow::No)
    };
    let finding = state.findings.iter().find(is_in_vain)?.clone();
    Some(Event::RunBlocked(RunBlocked { finding, refused: false, unavailable: true }))
}

fn held(finding: &Finding, given: EventId, answer: Allow) -> Event {
    let (category, subject) = (finding.category, finding.subject.clone());
    Event::ApprovalHeld(ApprovalHeld { given, answer, category, subject })
}

/// What is kept for later tasks: an error, how a task was solved, or that it was not (002 5.1).
fn lesson(state: &State) -> Remember {
    let language = state.spec.language;
    let files = bound::files(&state.edits);
    let given = state.given.clone();
    match state.at {
        At::Success => {
            let (task, notes) = (state.spec.task.clone(), notes(state));
            Remember::Solved { task, notes, files, language, given }
        }
        At::Failed => {
            let partial = state.partly_right().map(|(passed, total)| {
                let (task, notes) = (state.spec.task.clone(), notes(state));
                Box::new(PartialSolution { task, notes, files, language, passed, total })
            });
            Remember::Unsolved { given, partial }
        }
        At::Init | At::Planning | At::Coding | At::Testing | At::Reflecting | At::Paused => {
            Remember::Failure { error: state.error(), trace: state.trace, files, language }
        }
    }
}

/// How the task was planned.
fn notes(state: &State) -> String {
    let plan = state.plan.iter().flat_map(|plan| plan.subtasks.iter().cloned());
    bound::text(plan.collect::<Vec<_>>().join("\n"))
}

/// What is found out at the end of an iteration: a circle first, then its figures.
fn close(state: &State, at: Time) -> Event {
    if state.circle.is_none()
        && state.at == At::Reflecting
        && let Some(found) = circle_of_iterations(state)
    {
        return found;
    }
    let mut figures = state.figures.clone();
    let tokens = state.spent.prompt + state.spent.completion;
    figures.states.push(StateTime {
        state: state.at,
        duration_ms: state.entered.map_or(0, |entered| millis(entered, at)),
        tokens: tokens.saturating_sub(state.tokens_at_entry),
    });
    figures.duration_ms = state.began.map_or(0, |began| millis(began, at));
    Event::IterationEnded(bound::figures(figures))
}

fn circle_of_iterations(state: &State) -> Option<Event> {
    let (circle, times, what) = match state.seen.in_iterations()? {
        Found::SameError(what, times) => (Circle::SameError, times, what),
        Found::NoChange(times) => (Circle::NoChange, times, String::new()),
        Found::SameCall(_) | Found::BackAndForth(_) => return None,
    };
    Some(Event::StuckFound(StuckFound { circle, times, what: bound::short(what) }))
}

/// The end of a state; that of REFLECTING is where iterations are counted (002 2.2).
fn leave(state: &State, to: At, at: Time) -> Event {
    if state.at != At::Reflecting {
        return change(state, to, None, at);
    }
    let rounds = state.spec.rounds;
    if state.used() >= rounds.warn_at && state.used() < rounds.grant && !state.warned {
        return Event::IterationsLow(IterationsLow { used: state.used(), of: rounds.grant });
    }
    let stuck = state.give_up.filter(|why| matches!(why, Because::Stuck | Because::Unusable));
    if let Some(switched) = stuck.and_then(|because| switch(state, because)) {
        return switched;
    }
    let because = match state.give_up {
        Some(because) => Some(because),
        None => (state.used() >= rounds.grant).then_some(Because::Iterations),
    };
    match because {
        Some(because) => change(state, At::Failed, Some(because), at),
        None => change(state, to, None, at),
    }
}

/// Another model, where one is named and this one is stuck or cannot be reached (002 7.3, 9.2).
fn switch(state: &State, because: Because) -> Option<Event> {
    let to = state.spec.fallback.clone().filter(|fallback| *fallback != state.model)?;
    Some(Event::ModelSwitched(ModelSwitched { from: state.model.clone(), to, because }))
}

fn tell(state: &State) -> Event {
    let (iterations, spent) = (state.iterations, state.spent);
    if state.at == At::Success {
        let of = |tests: &TestReport| tests.of == TestsOf::Workspace;
        return Event::TaskSucceeded(TaskSucceeded {
            iterations,
            spent,
            model: state.model.clone(),
            shows_ability: state.model.sort.shows_ability(),
            passed: state.tests.as_ref().map_or(0, |tests| tests.passed),
            self_tested: state.tests.as_ref().is_some_and(of),
            test_edits: state.test_edits(),
        });
    }
    let because = state.because.unwrap_or(Because::Iterations);
    Event::TaskFailed(TaskFailed { because, iterations, spent, last_error: last_error(state) })
}

/// The last error, in one line.
pub(super) fn last_error(state: &State) -> Option<String> {
    let error = state.tests.as_ref()?.errors.first()?;
    let place = if error.place.is_empty() { String::new() } else { format!(" ({})", error.place) };
    Some(bound::short(format!("{}: {}{place}", error.error_type, error.message)))
}
