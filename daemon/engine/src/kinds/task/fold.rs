//! Makes state of the events of a task, and names those that cannot follow from the ones before them.

use std::sync::Arc;

use vosim_protocol::v1::agent::{AgentRole, Finding, ModelName, Price, TestError, ToolTurn};
use vosim_protocol::v1::effect::{
    Acted, Prepared, Proposal, Proposed, Recalled, Restored, Scanned, TestsRun,
};
use vosim_protocol::v1::task::{
    ApprovalAsked, ApprovalGiven, ApprovalHeld, Because, Ended, Event, IterationEnded, RunBlocked,
    State as At, StateChanged, StateTime, StuckFound, TaskResumed, TaskRewound, is_test,
};
use vosim_protocol::{EffectId, EventId, Time};

use super::state::{
    Edit, Pause, Pending, Point, State, Todo, UNUSABLE_MAX, UnderWay, no_tests, spend,
};
use crate::kind::{Misfit, Recorded};
use crate::parts::approvals::Scope;
use crate::parts::budget;

pub(super) fn evolve(state: &mut State, recorded: &Recorded<Event>) -> Result<(), Misfit> {
    let Recorded { id, at, event } = recorded;
    let (id, at) = (*id, *at);
    match event {
        Event::TaskOpened(_) => {
            (state.entered, state.began, state.since) = (Some(at), Some(at), Some(at));
        }
        Event::StateChanged(change) => enter(state, change, id, at)?,
        Event::WorkspaceAsked(_) => wait(state, id, UnderWay::Prepare)?,
        Event::WorkspaceReady(ended) => prepared(state, ended)?,
        Event::MemoryAsked(_) => {
            wait(state, id, UnderWay::Recall)?;
            state.figures.memory_asked += 1;
        }
        Event::MemoryAnswered(ended) => recalled(state, ended)?,
        Event::ModelCalled(called) => wait(state, id, UnderWay::Propose(called.role))?,
        Event::ModelAnswered(ended) => answered(state, ended)?,
        Event::ModelSwitched(switched) => switch(state, &switched.to),
        Event::ToolCalled(called) => {
            let next = state.queue.pop_front();
            Misfit::unless(next.as_ref() == Some(&called.call), "a call that was not next")?;
            wait(state, id, UnderWay::Act(called.call.clone()))?;
        }
        Event::ToolEnded(ended) => acted(state, ended, id)?,
        Event::ScanAsked(_) => wait(state, id, UnderWay::Scan)?,
        Event::ScanEnded(ended) => scanned(state, ended)?,
        Event::ApprovalAsked(asked) => ask(state, asked, id, at)?,
        Event::ApprovalGiven(given) => approved(state, given, id, at)?,
        Event::ApprovalHeld(held) => hold(state, held)?,
        Event::RunBlocked(blocked) => block(state, blocked),
        Event::TestsAsked(_) => wait(state, id, UnderWay::Test)?,
        Event::TestsEnded(ended) => tested(state, ended)?,
        Event::LessonAsked(asked) => {
            wait(state, id, UnderWay::Keep(Box::new(asked.lesson.clone())))?;
        }
        Event::LessonKept(_) => {
            take(state, |asked| matches!(asked, UnderWay::Keep(_)))?;
            state.todo = if state.at == At::Failed { Todo::Tell } else { Todo::Close };
        }
        Event::StuckFound(found) => stuck(state, found),
        Event::IterationEnded(ended) => close(state, ended)?,
        Event::IterationsLow(_) => state.warned = true,
        Event::BudgetReached(_) | Event::TimeRanOut(_) => {
            state.pause = Some(Pause::Now(Because::Budget));
        }
        Event::PauseAsked(asked) => {
            let pause = if asked.now { Pause::Now } else { Pause::Soon };
            state.pause = Some(pause(Because::Asked));
        }
        Event::TaskResumed(resumed) => resume(state, resumed),
        Event::RewindAsked(asked) => {
            wait(state, id, UnderWay::Restore(asked.to, asked.files.clone()))?;
        }
        Event::TaskRewound(rewound) => rewind(state, rewound, at)?,
        Event::TaskSucceeded(_) => state.over = true,
        Event::TaskFailed(_) => state.todo = Todo::Rest,
        Event::TaskClosed(_) => {
            stop(state, at);
            (state.over, state.pending) = (true, None);
        }
    }
    Ok(())
}

fn prepared(state: &mut State, ended: &Ended<Prepared>) -> Result<(), Misfit> {
    take(state, |asked| matches!(asked, UnderWay::Prepare))?;
    if let Some(prepared) = done(state, ended) {
        state.has_tests = prepared.tests > 0;
        state.todo = Todo::Leave(At::Planning);
    }
    Ok(())
}

/// A memory that fails is one that holds nothing (002 7.3).
fn recalled(state: &mut State, ended: &Ended<Recalled>) -> Result<(), Misfit> {
    take(state, |asked| matches!(asked, UnderWay::Recall))?;
    let hits = ended.outcome.as_ref().map(|found| found.hits.clone());
    state.remembered = hits.unwrap_or_default();
    state.figures.memory_hits += u32::from(!state.remembered.is_empty());
    let role = if state.at == At::Reflecting {
        AgentRole::Reflector
    } else {
        state.given = state.remembered.iter().map(|hit| hit.from).collect();
        AgentRole::Planner
    };
    state.todo = Todo::Ask(role);
    Ok(())
}

fn switch(state: &mut State, to: &ModelName) {
    state.model = to.clone();
    (state.give_up, state.circle, state.unusable) = (None, None, 0);
    state.seen.forget();
    if let Todo::Switch(role) = state.todo {
        state.todo = Todo::Ask(role);
    }
}

fn scanned(state: &mut State, ended: &Ended<Scanned>) -> Result<(), Misfit> {
    take(state, |asked| matches!(asked, UnderWay::Scan))?;
    if let Some(scanned) = done(state, ended) {
        state.findings = scanned.findings.clone();
        state.rules = scanned.rules;
        state.unavailable.clone_from(&scanned.unavailable);
        state.told.clear();
        state.todo = Todo::Clear;
    }
    Ok(())
}

/// An answer that was given before holds for what was found now.
fn hold(state: &mut State, held: &ApprovalHeld) -> Result<(), Misfit> {
    let found = state
        .findings
        .iter()
        .find(|finding| (finding.category, &finding.subject) == (held.category, &held.subject));
    let finding = found.ok_or(Misfit("an answer about something that was not found"))?;
    state.told.insert(Scope::of(finding, state.rules));
    Ok(())
}

fn tested(state: &mut State, ended: &Ended<TestsRun>) -> Result<(), Misfit> {
    take(state, |asked| matches!(asked, UnderWay::Test))?;
    state.todo = Todo::Scan;
    if let Some(tested) = done(state, ended) {
        take_tests(state, tested);
    }
    Ok(())
}

/// Something is asked of the outside; one thing at a time.
fn wait(state: &mut State, id: EventId, asked: UnderWay) -> Result<(), Misfit> {
    Misfit::unless(state.pending.is_none(), "something else is under way")?;
    state.pending = Some(Pending::Effect(EffectId(id), asked));
    Ok(())
}

/// It has ended.
fn take(state: &mut State, of: impl Fn(&UnderWay) -> bool) -> Result<UnderWay, Misfit> {
    match state.pending.take() {
        Some(Pending::Effect(_, asked)) if of(&asked) => Ok(asked),
        other => {
            state.pending = other;
            Err(Misfit("the end of something that was not asked for"))
        }
    }
}

/// What came back; a fault of this machine pauses the task (002 7.1), and what failed is done again when it
/// is resumed.
fn done<'a, T>(state: &mut State, ended: &'a Ended<T>) -> Option<&'a T> {
    if ended.outcome.is_none() {
        state.fault = ended.failure.clone();
        state.pause = Some(Pause::Now(Because::System));
    }
    ended.outcome.as_ref()
}

fn stop(state: &mut State, at: Time) {
    state.spent.wall_ms = state.wall_ms(at);
    state.since = None;
}

fn enter(state: &mut State, change: &StateChanged, id: EventId, at: Time) -> Result<(), Misfit> {
    let StateChanged { from, to, because, duration_ms, tokens, .. } = *change;
    Misfit::unless(from == state.at && from.leads_to(to), "a change of state that is not allowed")?;
    if !matches!(from, At::Paused | At::Failed) {
        state.figures.states.push(StateTime { state: from, duration_ms, tokens });
    }
    state.at = to;
    state.because = because;
    state.entered = Some(at);
    state.tokens_at_entry = state.spent.prompt + state.spent.completion;
    match to {
        At::Paused => {
            rest(state, from, at);
            return Ok(());
        }
        At::Failed => {
            stop(state, at);
            let teaches = !state.given.is_empty() || state.partly_right().is_some();
            state.todo = if teaches { Todo::Keep } else { Todo::Tell };
            return Ok(());
        }
        At::Success => {
            stop(state, at);
            state.todo = keep(state);
            return Ok(());
        }
        At::Init | At::Planning | At::Coding | At::Testing | At::Reflecting => {}
    }
    state.since.get_or_insert(at);
    if from == At::Paused {
        let (_, todo) = state.back.take().ok_or(Misfit("nothing to go back to"))?;
        state.todo = todo;
        return Ok(());
    }
    begin(state, to, at);
    mark(state, id);
    Ok(())
}

/// What is kept for later tasks comes first, and then the iteration is closed; of a candidate's work nothing is
/// kept, as it would help the next one.
fn keep(state: &State) -> Todo {
    if state.spec.exam.is_some() { Todo::Close } else { Todo::Keep }
}

/// A state begins afresh.
fn begin(state: &mut State, to: At, at: Time) {
    state.turns.clear();
    state.queue.clear();
    state.seen.calls_over();
    state.todo = match to {
        // A candidate is told nothing of earlier sessions (001 7.2).
        At::Planning if state.spec.exam.is_some() => Todo::Ask(AgentRole::Planner),
        At::Reflecting if state.spec.exam.is_some() => Todo::Ask(AgentRole::Reflector),
        At::Planning | At::Reflecting => Todo::Recall,
        At::Coding => {
            if state.figures.iteration <= state.iterations {
                let iteration = state.iterations + 1;
                state.figures = IterationEnded { iteration, ..IterationEnded::default() };
                state.began = Some(at);
            }
            Todo::Ask(AgentRole::Coder)
        }
        At::Testing => {
            state.notes.clear();
            match state.has_tests || state.tester_done || state.spec.exam.is_some() {
                true => Todo::Scan,
                false => Todo::Ask(AgentRole::Tester),
            }
        }
        At::Init | At::Success | At::Failed | At::Paused => Todo::Rest,
    };
}

/// A rewind can come back here.
fn mark(state: &mut State, event: EventId) {
    state.points.push(Arc::new(Point {
        event,
        at: state.at,
        todo: state.todo,
        plan: state.plan.clone(),
        tests: state.tests.clone(),
        analysis: state.analysis.clone(),
        known: state.known.clone(),
        edits: state.edits.len(),
        tester_done: state.tester_done,
        has_tests: state.has_tests,
    }));
}

/// A call whose end nobody knows; where calls cost something, nobody knows what.
fn lose(state: &mut State) {
    let free = state.price() == Some(Price { prompt_micros: 0, completion_micros: 0 });
    state.spent.calls += 1;
    state.spent.unpriced += u64::from(!free);
}

/// It pauses. What is under way is given up, and the model will be told (002 2.2: PAUSED).
fn rest(state: &mut State, from: At, at: Time) {
    stop(state, at);
    state.pause = None;
    match state.pending.take() {
        Some(Pending::Effect(_, UnderWay::Act(call))) => {
            let said =
                "This call was interrupted. It may have been carried out or not: look at the file.";
            let (said, result, ok) = (said.to_owned(), None, false);
            state.turns.push(ToolTurn { call, result, said, ok });
        }
        Some(Pending::Effect(_, UnderWay::Propose(_))) => {
            // It may have been paid for.
            lose(state);
            state.notes.push("You were interrupted before you had answered.".to_owned());
        }
        Some(Pending::Effect(_, UnderWay::Test) | Pending::Approval(..)) => state.todo = Todo::Scan,
        Some(Pending::Effect(
            _,
            UnderWay::Prepare
            | UnderWay::Recall
            | UnderWay::Scan
            | UnderWay::Keep(_)
            | UnderWay::Restore(..),
        ))
        | None => {}
    }
    state.back = Some((from, state.todo));
    state.todo = Todo::Rest;
}

fn answered(state: &mut State, ended: &Ended<Proposed>) -> Result<(), Misfit> {
    let asked = take(state, |asked| matches!(asked, UnderWay::Propose(_)))?;
    let UnderWay::Propose(role) = asked else { return Ok(()) };
    match &ended.outcome {
        None => {
            state.fault = ended.failure.clone();
            state.pause = Some(Pause::Now(Because::Model));
        }
        Some(Proposed::Withheld { .. }) => state.pause = Some(Pause::Now(Because::Budget)),
        Some(Proposed::Interrupted {}) => {
            lose(state);
            state.notes.push("You were asked this before, and your answer was lost.".to_owned());
        }
        Some(Proposed::Fault { reason, usage, .. }) => {
            match usage {
                // What a server said before it failed is paid for.
                Some(usage) => spend(state, *usage),
                None => state.spent.calls += 1,
            }
            state.fault = Some(reason.clone());
            match state.spec.fallback.as_ref().is_some_and(|other| *other != state.model) {
                true => state.todo = Todo::Switch(role),
                false => state.pause = Some(Pause::Now(Because::Model)),
            }
        }
        Some(Proposed::Answer { proposal, usage, warnings, .. }) => {
            spend(state, *usage);
            state.warnings.clone_from(warnings);
            propose(state, role, proposal);
        }
    }
    Ok(())
}

/// What a model said, in the role in which it was asked.
fn propose(state: &mut State, role: AgentRole, proposal: &Proposal) {
    let unusable = match (role, proposal) {
        (AgentRole::Planner, Proposal::Plan(plan)) => {
            state.plan = Some(plan.clone());
            state.todo = Todo::Leave(At::Coding);
            None
        }
        (AgentRole::Coder | AgentRole::Tester, Proposal::Calls { calls }) if !calls.is_empty() => {
            state.queue = calls.iter().cloned().collect();
            state.turns_before = state.turns.len();
            state.todo = Todo::Act(role);
            None
        }
        (AgentRole::Coder | AgentRole::Tester, Proposal::Done { .. }) => {
            talked(state, role);
            None
        }
        (AgentRole::Reflector, Proposal::Analysis(analysis)) => {
            state.analysis = Some(analysis.clone());
            state.todo = keep(state);
            None
        }
        (_, Proposal::Unusable { reason }) => Some(reason.as_str()),
        (
            AgentRole::Planner | AgentRole::Coder | AgentRole::Tester | AgentRole::Reflector,
            Proposal::Plan(_)
            | Proposal::Calls { .. }
            | Proposal::Done { .. }
            | Proposal::Analysis(_),
        ) => Some("it is none of what was asked for"),
    };
    let Some(reason) = unusable else {
        state.unusable = 0;
        return;
    };
    state.unusable += 1;
    state.notes.push(format!("Your last answer could not be used: {reason}"));
    if state.unusable < UNUSABLE_MAX {
        return;
    }
    state.unusable = 0;
    match role {
        // A task can be begun without a plan.
        AgentRole::Planner => state.todo = Todo::Leave(At::Coding),
        AgentRole::Coder | AgentRole::Tester => {
            talked(state, role);
            state.give_up = Some(Because::Unusable);
        }
        AgentRole::Reflector => {
            state.todo = keep(state);
            state.give_up = Some(Because::Unusable);
        }
    }
}

/// A conversation with tools has ended.
fn talked(state: &mut State, role: AgentRole) {
    state.queue.clear();
    state.seen.calls_over();
    let writes_tests = role == AgentRole::Tester;
    state.tester_done |= writes_tests;
    state.todo = if writes_tests { Todo::Scan } else { Todo::Leave(At::Testing) };
}

fn acted(state: &mut State, ended: &Ended<Acted>, event: EventId) -> Result<(), Misfit> {
    let asked = take(state, |asked| matches!(asked, UnderWay::Act(_)))?;
    let UnderWay::Act(call) = asked else { return Ok(()) };
    let Some(acted) = done(state, ended) else {
        let said = ended.failure.clone().unwrap_or_default();
        state.turns.push(ToolTurn { call, result: None, said, ok: false });
        return Ok(());
    };
    let Acted { ok, result, written, seen, interrupted, .. } = acted;
    state.seen.call(&call.tool, call.arguments.hash, result.hash, *ok);
    state.known.extend(seen.iter().map(|(path, hash)| (path.clone(), *hash)));
    if let Some(written) = written {
        let files = match written.before {
            Some(_) => &mut state.figures.modified,
            None => &mut state.figures.created,
        };
        if !files.contains(&written.path) {
            files.push(written.path.clone());
        }
        state.has_tests |= is_test(&written.path);
        state.edits.push(Edit { event, written: written.clone() });
    }
    if *interrupted {
        let tool = &call.tool;
        state.notes.push(format!(
            "The program was interrupted during your call of {tool}; its result was looked up."
        ));
    }
    let (result, said) = (Some(*result), String::new());
    state.turns.push(ToolTurn { call, result, said, ok: *ok });
    if let Todo::Act(role) = state.todo {
        // Tests are written in one go, or in another one where something of the first was refused.
        let written = role == AgentRole::Tester
            && state.queue.is_empty()
            && state.turns.iter().skip(state.turns_before).all(|turn| turn.ok);
        if written || state.turns.len() >= state.calls_max() {
            talked(state, role);
        }
    }
    Ok(())
}

/// A person is asked; the time at work stands still meanwhile.
fn ask(state: &mut State, asked: &ApprovalAsked, id: EventId, at: Time) -> Result<(), Misfit> {
    Misfit::unless(state.pending.is_none(), "something else is under way")?;
    let finding = Box::new(asked.finding.clone());
    state.pending = Some(Pending::Approval(id, finding, asked.places));
    state.figures.approvals += 1;
    stop(state, at);
    Ok(())
}

fn approved(state: &mut State, given: &ApprovalGiven, id: EventId, at: Time) -> Result<(), Misfit> {
    let finding = match state.pending.take() {
        Some(Pending::Approval(asked, finding, _)) if asked == given.approval => finding,
        other => {
            state.pending = other;
            return Err(Misfit("an answer to what was not asked"));
        }
    };
    let scope = Scope::of(&finding, state.rules);
    state.told.insert(scope.clone());
    state.answers.give(scope, id, given.answer);
    state.since = Some(at);
    Ok(())
}

/// The code is not run: the agent must find another way (002 6.3, 9.2).
fn block(state: &mut State, blocked: &RunBlocked) {
    let Finding { path, line, subject, category, .. } = &blocked.finding;
    let (why, error_type) = match (blocked.refused, blocked.unavailable) {
        (true, _) => ("A person has refused", "Refused"),
        (false, true) => {
            ("No run here could be kept from loopback, so none is given", "Unavailable")
        }
        (false, false) => ("The rules do not allow", "Blocked"),
    };
    let what = category.name().replace('_', " ");
    state.notes.push(format!(
        "The code was not run. {why} this: {what}, {subject} ({path}, line {line}). Find another way."
    ));
    let error = TestError {
        test: String::new(),
        error_type: error_type.to_owned(),
        message: format!("{what} {subject}"),
        place: String::new(),
    };
    fail(state, &error);
    state.blocked = Some(error);
    (state.tests, state.output, state.trace) = (None, None, None);
    state.analysis = None;
    state.todo = Todo::Leave(At::Reflecting);
}

fn fail(state: &mut State, error: &TestError) {
    let changed = !state.figures.created.is_empty() || !state.figures.modified.is_empty();
    state.seen.failed(Some(error), changed);
    state.figures.errors.push(format!("{}: {}", error.error_type, error.message));
}

fn take_tests(state: &mut State, tested: &TestsRun) {
    let report = &tested.report;
    state.answers.run_over();
    state.figures.passed = report.passed;
    state.figures.failed = report.total.saturating_sub(report.passed);
    (state.tests, state.output) = (Some(report.clone()), Some(tested.output));
    state.trace = tested.trace;
    state.blocked = None;
    if tested.interrupted {
        state
            .notes
            .push("The program was interrupted while the tests ran; they ran again.".to_owned());
    }
    if report.proves() {
        state.todo = Todo::Leave(At::Success);
        return;
    }
    fail(state, report.errors.first().unwrap_or(&no_tests()));
    let known = state.known.iter().filter(|(path, _)| is_test(path));
    for (path, hash) in known {
        state.failed_tests.entry(path.clone()).or_insert(*hash);
    }
    // Tests that find nothing are to be written again.
    if report.total == 0 {
        (state.has_tests, state.tester_done) = (false, false);
    }
    state.todo = Todo::Leave(At::Reflecting);
}

/// The agent goes round in circles: its conversation ends, and the task is left with the iteration.
fn stuck(state: &mut State, found: &StuckFound) {
    state.circle = Some(found.clone());
    state.give_up = Some(Because::Stuck);
    if let Todo::Act(role) = state.todo {
        talked(state, role);
    }
}

fn close(state: &mut State, ended: &IterationEnded) -> Result<(), Misfit> {
    Misfit::unless(ended.iteration == state.iterations + 1, "an iteration that does not count on")?;
    state.iterations = ended.iteration;
    state.past.push(Arc::new(ended.clone()));
    state.todo = match state.at == At::Success {
        true => Todo::Tell,
        false => Todo::Leave(At::Coding),
    };
    Ok(())
}

fn resume(state: &mut State, resumed: &TaskResumed) {
    state.granted_at = state.iterations;
    state.fault = None;
    state.warned = false;
    state.caps = budget::changed(state.caps, resumed.caps);
    state.run = state.run.changed(resumed.run);
    state.give_up = None;
    state.circle = None;
    state.unusable = 0;
    state.seen.forget();
    state.answers.resumed();
    let hint = resumed.hint.as_ref();
    state.notes.extend(hint.map(|hint| format!("A person says: {hint}")));
    let to = state.back.map_or(At::Coding, |(to, _)| to);
    state.todo = Todo::Leave(to);
}

/// The agent's edits are put back: the task goes on from that point, with the counts of now.
fn rewind(state: &mut State, rewound: &TaskRewound, at: Time) -> Result<(), Misfit> {
    let asked = take(state, |asked| matches!(asked, UnderWay::Restore(..)))?;
    let (UnderWay::Restore(to, _), Some(Restored { kept, .. })) = (asked, &rewound.ended.outcome)
    else {
        return Ok(());
    };
    let point = state.point(to).cloned().ok_or(Misfit("a rewind to where nothing was"))?;
    state.edits.truncate(point.edits);
    state.points.retain(|other| other.event <= point.event);
    state.plan = point.plan.clone();
    (state.tests, state.output, state.trace) = (point.tests.clone(), None, None);
    state.analysis = point.analysis.clone();
    state.known = point.known.clone();
    (state.tester_done, state.has_tests) = (point.tester_done, point.has_tests);
    state.turns.clear();
    state.queue.clear();
    state.seen.forget();
    (state.give_up, state.circle) = (None, None);
    state.notes.push("The files were put back to an earlier point; go on from there.".to_owned());
    if !kept.is_empty() {
        let kept = kept.join(", ");
        state.notes.push(format!("These stay as a person has changed them: {kept}"));
    }
    if state.figures.iteration <= state.iterations {
        let iteration = state.iterations + 1;
        state.figures = IterationEnded { iteration, ..IterationEnded::default() };
        state.began = Some(at);
    }
    state.at = At::Paused;
    state.back = Some((point.at, point.todo));
    // Counts are never given back (DECISIONS 50).
    let granted = state.used() < state.spec.rounds.grant;
    state.because = (!granted).then_some(Because::Iterations);
    state.todo = if granted { Todo::Leave(point.at) } else { Todo::Rest };
    Ok(())
}

/// Moves what is counted from, after the wall clock was stepped forward.
pub(super) fn shift(state: &mut State, micros: i64) {
    for time in [&mut state.since, &mut state.entered, &mut state.began] {
        *time = time.map(|time| time.plus_micros(micros));
    }
}
