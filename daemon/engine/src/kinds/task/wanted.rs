//! What a task wants from the outside, and which event its end becomes.

use vosim_protocol::EffectId;
use vosim_protocol::EventId;
use vosim_protocol::v1::agent::{AgentRole, ToolCall};
use vosim_protocol::v1::effect::{
    Act, EffectType, Failure, Memory, Prepare, Propose, PutBack, Recall, Restore, RunTests, Scan,
};
use vosim_protocol::v1::task::{Ended, Event, State as At, TaskRewound};

use super::bound;
use super::state::{State, UnderWay, completion_max};
use crate::parts::approvals::Next;
use crate::wanted::Wanted;

pub(super) fn wanted(state: &State) -> Vec<Wanted<State, Event>> {
    let Some((id, asked)) = state.effect() else { return Vec::new() };
    let workspace = state.spec.workspace.clone();
    let language = state.spec.language;
    vec![match asked {
        UnderWay::Prepare => {
            let (own, exam) = (state.spec.own_workspace, state.spec.exam.clone());
            one(id, Prepare { workspace, own, exam }, |done| done, Event::WorkspaceReady)
        }
        UnderWay::Recall => one(id, recall(state), bound::recalled, Event::MemoryAnswered),
        UnderWay::Propose(role) => propose(state, id, *role),
        UnderWay::Act(call) => one(id, act(state, call), bound::acted, Event::ToolEnded),
        UnderWay::Scan => one(id, Scan { workspace, language }, bound::scanned, Event::ScanEnded),
        UnderWay::Test => {
            let allowed = match state.answers.next(&state.findings, state.rules) {
                Next::Run(allowed) => allowed,
                Next::Denied(_) | Next::Refused(..) | Next::Ask(..) => Vec::new(),
            };
            let (exam, run) = (state.spec.exam.clone(), state.run);
            let tests = RunTests { workspace, language, allowed, exam, run };
            one(id, tests, bound::tested, Event::TestsEnded)
        }
        UnderWay::Keep(lesson) => one(id, (**lesson).clone(), bound::remembered, Event::LessonKept),
        UnderWay::Restore(to, files) => restore(state, id, *to, files),
    }]
}

/// An effect whose end is one event that holds all that came back.
fn one<E: EffectType>(
    id: EffectId,
    effect: E,
    bound: fn(E::Outcome) -> E::Outcome,
    event: fn(Ended<E::Outcome>) -> Event,
) -> Wanted<State, Event>
where
    E::Outcome: Clone + 'static,
{
    Wanted::new(id, effect, move |draft, outcome| {
        draft.push(event(ended(outcome, bound)));
    })
}

fn ended<O: Clone>(outcome: Result<&O, &Failure>, bound: impl Fn(O) -> O) -> Ended<O> {
    match outcome {
        Ok(outcome) => Ended { outcome: Some(bound(outcome.clone())), failure: None },
        Err(failure) => Ended { outcome: None, failure: Some(bound::text(failure.reason.clone())) },
    }
}

fn propose(state: &State, id: EffectId, role: AgentRole) -> Wanted<State, Event> {
    let spec = &state.spec;
    let remembers = matches!(role, AgentRole::Planner | AgentRole::Reflector);
    let propose = Propose {
        model: state.model.clone(),
        role,
        task: spec.task.clone(),
        language: spec.language,
        workspace: spec.workspace.clone(),
        exam: spec.exam.clone(),
        iteration: state.iteration(),
        plan: state.plan.clone(),
        tests: state.tests.clone(),
        // Of a problem a candidate is told the verdict alone.
        output: state.output.filter(|_| role == AgentRole::Reflector && spec.exam.is_none()),
        analysis: state.analysis.clone().filter(|_| role != AgentRole::Reflector),
        remembered: if remembers { state.remembered.clone() } else { Vec::new() },
        files: match role {
            AgentRole::Planner | AgentRole::Coder => Vec::new(),
            AgentRole::Tester | AgentRole::Reflector => bound::files(&state.edits),
        },
        notes: state.notes.clone(),
        turns: state.turns.clone(),
        completion_max: completion_max(role),
        caps: state.caps,
        spent: state.spent,
        day: spec.day,
        price: state.price(),
    };
    Wanted::new(id, propose, |draft, outcome| {
        let answered = ended(outcome, |proposed| Box::new(bound::proposed(*proposed)));
        let Ended { outcome, failure } = answered;
        let outcome = outcome.map(|proposed| *proposed);
        draft.push(Event::ModelAnswered(Ended { outcome, failure }));
    })
}

fn act(state: &State, call: &ToolCall) -> Act {
    let spec = &state.spec;
    Act {
        workspace: spec.workspace.clone(),
        call: call.clone(),
        known: state.known.clone(),
        exam: spec.exam.clone(),
    }
}

/// What is looked for: a task like this one, or an error like the first (002 5.3).
fn recall(state: &State) -> Recall {
    let (task, language) = (state.spec.task.clone(), state.spec.language);
    let reflects = state.at == At::Reflecting;
    let what = if reflects { Memory::Failures } else { Memory::Patterns };
    let (error, trace) = (reflects.then(|| state.error()), state.trace.filter(|_| reflects));
    Recall { what, task, error, trace, language }
}

fn restore(state: &State, id: EffectId, to: EventId, files: &[PutBack]) -> Wanted<State, Event> {
    let effect = Restore { workspace: state.spec.workspace.clone(), files: files.to_vec() };
    let back = state.point(to).map_or(At::Coding, |point| point.at);
    Wanted::new(id, effect, move |draft, outcome| {
        let ended = ended(outcome, bound::restored);
        draft.push(Event::TaskRewound(TaskRewound { to, state: back, ended }));
    })
}
