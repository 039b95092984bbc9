//! Which input led to an event of a task, from the event and the state before it.

use vosim_protocol::v1::effect::{
    Act, EffectType, Failure, Prepare, Propose, Recall, Remember, Restore, RunTests, Scan,
};
use vosim_protocol::v1::task::{Command, Ended, Event, TaskResumed};
use vosim_protocol::{EffectId, EventId};

use super::state::State;
use crate::kind::Cause;

pub(super) fn cause(state: &State, event: &Event) -> Cause<Command> {
    match event {
        Event::TaskOpened(_) => Cause::Opening,
        Event::WorkspaceReady(ended) => end::<Prepare>(state, ended),
        Event::MemoryAnswered(ended) => end::<Recall>(state, ended),
        Event::ModelAnswered(Ended { outcome, failure }) => {
            let (outcome, failure) = (outcome.clone().map(Box::new), failure.clone());
            end::<Propose>(state, &Ended { outcome, failure })
        }
        Event::ToolEnded(ended) => end::<Act>(state, ended),
        Event::ScanEnded(ended) => end::<Scan>(state, ended),
        Event::TestsEnded(ended) => end::<RunTests>(state, ended),
        Event::LessonKept(ended) => end::<Remember>(state, ended),
        Event::TaskRewound(rewound) => end::<Restore>(state, &rewound.ended),
        Event::TimeRanOut(_) => Cause::Deadline,
        Event::PauseAsked(asked) => Cause::Command(Command::Pause { now: asked.now }),
        Event::TaskResumed(resumed) => {
            let TaskResumed { hint, caps, run, .. } = resumed;
            Cause::Command(Command::Resume { hint: hint.clone(), caps: *caps, run: *run })
        }
        Event::ApprovalGiven(given) => Cause::Command(Command::Approve {
            approval: given.approval,
            answer: given.answer,
            because: given.because,
        }),
        Event::RewindAsked(asked) => Cause::Command(Command::Rewind { to: asked.to }),
        Event::TaskClosed(_) => Cause::Command(Command::End {}),
        Event::StateChanged(_)
        | Event::WorkspaceAsked(_)
        | Event::MemoryAsked(_)
        | Event::ModelCalled(_)
        | Event::ModelSwitched(_)
        | Event::ToolCalled(_)
        | Event::ScanAsked(_)
        | Event::ApprovalAsked(_)
        | Event::ApprovalHeld(_)
        | Event::RunBlocked(_)
        | Event::TestsAsked(_)
        | Event::LessonAsked(_)
        | Event::StuckFound(_)
        | Event::IterationEnded(_)
        | Event::IterationsLow(_)
        | Event::BudgetReached(_)
        | Event::TaskSucceeded(_)
        | Event::TaskFailed(_) => Cause::Consequence,
    }
}

/// The end of what is waited for.
fn end<E: EffectType>(state: &State, ended: &Ended<E::Outcome>) -> Cause<Command>
where
    E::Outcome: Clone,
{
    let effect = state.effect().map_or(EffectId(EventId::ZERO), |(id, _)| id);
    let failed = || Failure::new(ended.failure.clone().unwrap_or_default());
    Cause::ended::<E>(effect, ended.outcome.clone().ok_or_else(failed))
}
