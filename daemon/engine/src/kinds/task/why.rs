//! Explains the events of a task: the rule, and what it looked at.

use vosim_protocol::phrase;
use vosim_protocol::v1::task::Event;

use super::state::State;
use crate::because::Because;
use crate::kind::Recorded;

/// Why an event is as it is, given the state before it.
pub(super) fn why(state: &State, recorded: &Recorded<Event>) -> Because {
    let rule = match &recorded.event {
        Event::TaskOpened(_) => phrase!("rule.task.opened"),
        Event::StateChanged(_) => phrase!("rule.task.state"),
        Event::WorkspaceReady(_)
        | Event::MemoryAnswered(_)
        | Event::ModelAnswered(_)
        | Event::ToolEnded(_)
        | Event::ScanEnded(_)
        | Event::TestsEnded(_)
        | Event::LessonKept(_)
        | Event::TaskRewound(_) => phrase!("rule.task.ended"),
        Event::WorkspaceAsked(_)
        | Event::MemoryAsked(_)
        | Event::ModelCalled(_)
        | Event::ScanAsked(_)
        | Event::TestsAsked(_)
        | Event::LessonAsked(_) => phrase!("rule.task.asked"),
        Event::ToolCalled(_) => phrase!("rule.task.tool"),
        Event::ModelSwitched(_) => phrase!("rule.task.switched"),
        Event::ApprovalAsked(_) => phrase!("rule.task.approval"),
        Event::ApprovalGiven(_) => phrase!("rule.task.answer"),
        Event::ApprovalHeld(_) => phrase!("rule.task.held"),
        Event::RunBlocked(blocked) if blocked.unavailable => phrase!("rule.task.unavailable"),
        Event::RunBlocked(_) => phrase!("rule.task.blocked"),
        Event::StuckFound(_) => phrase!("rule.task.stuck"),
        Event::IterationEnded(_) => phrase!("rule.task.iteration"),
        Event::IterationsLow(_) => phrase!("rule.task.low"),
        Event::BudgetReached(_) | Event::TimeRanOut(_) => phrase!("rule.task.budget"),
        Event::PauseAsked(_) => phrase!("rule.task.pause"),
        Event::TaskResumed(_) => phrase!("rule.task.resume"),
        Event::RewindAsked(_) => phrase!("rule.task.rewind"),
        Event::TaskSucceeded(_) => phrase!("rule.task.success"),
        Event::TaskFailed(_) => phrase!("rule.task.failed"),
        Event::TaskClosed(_) => phrase!("rule.task.closed"),
    };
    let (iteration, until) = (state.iteration(), state.until());
    let because = Because::of(rule).saw(phrase!("seen.task.iteration", iteration, until));
    match state.effect() {
        Some((asked, _)) => because.saw_in(asked.0, phrase!("seen.requested")),
        None => because,
    }
}
