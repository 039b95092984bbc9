//! The kind `task` (002): an agent plans, codes, tests and reflects until all tests pass.
//!
//! ```text
//!                                        all tests passed
//! INIT --> PLANNING --> CODING --> TESTING ----------------> SUCCESS
//!            once        ^            | some failed, none ran, or the code may not run
//!                        |            v
//!                        +------ REFLECTING --> FAILED: 15 iterations, or in a circle
//!                        |                         |
//!                        +----------- resume ------+
//! each of them --pause, budget, fault of the machine--> PAUSED --resume--> where it was
//! PAUSED, FAILED --rewind--> an earlier point; each of them --end--> over
//! ```
//! Models, tools, scans, tests and the memory are effects, one at a time: an event asks, an event holds
//! what came back, and `next.rs` says from the state alone what follows. Nothing here reads a clock.

mod bound;
mod cause;
mod decide;
mod fold;
mod history;
mod next;
mod settled;
mod state;
mod tell;
mod view;
mod wanted;
mod why;

use vosim_protocol::v1::bundle::CodeVersion;
use vosim_protocol::v1::guide::Discussion;
use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::task::{
    Command, Event, Settled, Spec, State as At, TaskOpened, TimeRanOut,
};
use vosim_protocol::v1::telling::Telling;
use vosim_protocol::{Json, Role, SessionId, Time, Wire};

use crate::because::Because;
use crate::kind::{Cause, Kind, Misfit, Recorded};
use crate::parts::words::{TEXT_MAX_BYTES, cut};
use crate::rejection::Rejection;
use crate::report::steps;
use crate::wanted::Wanted;

use state::{Draft, Pending};

pub use state::State;

/// Most bytes of what a list shows of a task.
const TITLE_MAX_BYTES: usize = 120;

/// The rules of 002.
#[derive(Debug)]
pub enum Task {}

impl Kind for Task {
    const KIND: vosim_protocol::Kind = vosim_protocol::Kind::Task;

    type Spec = Spec;
    type Command = Command;
    type Event = Event;
    type State = State;

    fn title(spec: &Spec) -> String {
        // Of a problem the first line is the title.
        let line = spec.task.lines().next().unwrap_or_default();
        cut(line.split_whitespace().collect::<Vec<_>>().join(" "), TITLE_MAX_BYTES)
    }

    fn initial(id: SessionId, spec: Spec) -> State {
        State::new(id, spec)
    }

    fn opening(draft: &mut Draft<'_>) {
        let spec = &draft.state().spec;
        let opened = TaskOpened {
            task: cut(spec.task.clone(), TEXT_MAX_BYTES),
            language: spec.language,
            model: spec.model.clone(),
            workspace: spec.workspace.clone(),
            iterations: spec.rounds.grant,
            caps: spec.caps,
        };
        draft.push(Event::TaskOpened(opened));
    }

    fn decide(draft: &mut Draft<'_>, command: &Command) -> Result<(), Rejection> {
        decide::decide(draft, command)
    }

    fn evolve(state: &mut State, event: &Recorded<Event>) -> Result<(), Misfit> {
        fold::evolve(state, event)
    }

    fn phase(state: &State) -> &'static str {
        match &state.pending {
            Some(Pending::Approval(..)) => vosim_protocol::v1::task::AWAITS_APPROVAL,
            Some(Pending::Effect(..)) | None if state.over && state.at != At::Success => "ended",
            Some(Pending::Effect(..)) | None => state.at.name(),
        }
    }

    fn ended(state: &State) -> bool {
        state.over
    }

    fn view(state: &State, _: Role, at: Time) -> Json {
        view::view(state, at).to_json()
    }

    fn report(_: &State, events: &[Recorded<Event>], _: &Discussion, report: &mut Report) {
        report.steps = steps(events, |event| Some(tell::tell(event)));
    }

    fn tell(event: &Recorded<Event>) -> Telling {
        tell::tell(event)
    }

    fn cause(state: &State, event: &Recorded<Event>) -> Cause<Command> {
        cause::cause(state, &event.event)
    }

    fn settled(_: &State, command: &Command, led_to: &[Recorded<Event>]) -> Option<Settled> {
        settled::settled(command, led_to)
    }

    fn why(state: &State, event: &Recorded<Event>) -> Because {
        why::why(state, event)
    }

    fn code_history(events: &[Recorded<Event>]) -> Vec<CodeVersion> {
        history::code_history(events)
    }

    fn goes_on(state: &State) -> bool {
        next::next(state, Time::from_micros(0)).is_some()
    }

    fn settle(draft: &mut Draft<'_>) {
        while let Some(event) = next::next(draft.state(), draft.at()) {
            draft.push(event);
        }
    }

    fn wanted(state: &State) -> Vec<Wanted<State, Event>> {
        wanted::wanted(state)
    }

    fn next_deadline(state: &State) -> Option<Time> {
        state.due()
    }

    fn on_deadline(draft: &mut Draft<'_>) {
        let wall_secs = draft.state().caps.wall_secs.unwrap_or_default();
        draft.push(Event::TimeRanOut(TimeRanOut { wall_secs }));
    }

    fn shift_deadlines(state: &mut State, step_micros: i64) {
        fold::shift(state, step_micros);
    }
}

#[cfg(test)]
mod tests;
