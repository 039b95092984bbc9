//! The kind `attempt` (003): understand, plan, implement, verify, reflect.
//!
//! ```text
//!                 NEEDS_WORK +--+                not accepted +--+
//!                            |  v                             |  v
//! UNDERSTAND --- submit, PASS ---> PLAN --- choose, accepted ---> IMPLEMENT --- submit ---> VERIFY
//!     |                             ^ |                             ^   ^ |                  | | |
//!     +------- skip (expert) -------+ +------- skip (expert) -------+   | +- hint            | | |
//!                                                                       +------- retry ------+ | |
//!                                                               explain a failed test: stays --+ |
//! COMPLETE <-- submit, skip -- REFLECT <------------------ all tests pass ------------------------+
//! ```
//! A failed test is made as short as it will go and told call by call (`failing.rs`), while the step goes
//! on. In the flow before 003 an approach leads to IMPLEMENT, and a pass ends the attempt. `end` leaves at any
//! time. Running examples, checking an invariant and judging are effects. Nothing here reads a clock.

mod cause;
mod conclude;
mod decide;
mod examples;
mod explaining;
mod failing;
mod fold;
mod planning;
mod settled;
mod state;
mod steps;
mod tell;
mod understanding;
mod view;
mod why;

use vosim_protocol::next::Next;
use vosim_protocol::v1::attempt::{AttemptStarted, AttemptV2, Command, Event, Settled, Spec};
use vosim_protocol::v1::bundle::CodeVersion;
use vosim_protocol::v1::guide::{Discussion, Guide};
use vosim_protocol::v1::problem::{DrawnInputs, Problem};
use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::telling::Telling;
use vosim_protocol::{
    BlobRef, EventRecord, Finished, Hash, Json, Role, SessionId, Standing, Time, Wire,
};

use crate::because::Because;
use crate::kind::{Cause, Kind, Misfit, Recorded};
use crate::parts::course::{Course, standing};
use crate::parts::hearing;
use crate::rejection::Rejection;
use crate::wanted::Wanted;

use state::{Draft, Stage};

pub use state::State;
pub use understanding::ABOUT_PERCENT;

/// The rules of 003.
#[derive(Debug)]
pub enum Attempt {}

impl Kind for Attempt {
    const KIND: vosim_protocol::Kind = vosim_protocol::Kind::Attempt;

    type Spec = Spec;
    type Command = Command;
    type Event = Event;
    type State = State;

    fn check(spec: &Spec) -> Result<(), String> {
        hearing::check(spec.hearing)
    }

    fn title(spec: &Spec) -> String {
        spec.problem.title.clone()
    }

    fn initial(id: SessionId, spec: Spec) -> State {
        State::new(id, spec)
    }

    fn opening(draft: &mut Draft<'_>) {
        let spec = &draft.state().spec;
        let started = AttemptStarted {
            problem_id: spec.problem.id.clone(),
            title: spec.problem.title.clone(),
            mode: spec.mode,
            v2_flow: spec.v2_flow,
            python_version: spec.python_version.clone(),
        };
        draft.push(Event::AttemptStarted(started));
    }

    fn decide(draft: &mut Draft<'_>, command: &Command) -> Result<(), Rejection> {
        decide::decide(draft, command)
    }

    fn evolve(state: &mut State, event: &Recorded<Event>) -> Result<(), Misfit> {
        fold::evolve(state, event)
    }

    fn wanted(state: &State) -> Vec<Wanted<State, Event>> {
        conclude::wanted(state)
    }

    fn phase(state: &State) -> &'static str {
        state.phase()
    }

    fn ended(state: &State) -> bool {
        matches!(state.stage, Stage::Done { .. })
    }

    fn view(state: &State, role: Role, at: Time) -> Json {
        view::view(state, role, at).to_json()
    }

    fn blobs(command: &Command) -> Vec<BlobRef> {
        if let Command::Submit { code, .. } = command { vec![*code] } else { Vec::new() }
    }

    fn exercise(spec: &Spec) -> Option<(&Problem, Hash)> {
        Some((&spec.problem, spec.suite))
    }

    fn draw(spec: &Spec) -> Option<&DrawnInputs> {
        spec.draw.as_ref()
    }

    fn guide(spec: &Spec) -> Option<&Guide> {
        Some(&spec.guide)
    }

    fn finished(state: &State) -> Option<Finished> {
        Self::ended(state).then(|| {
            let mut course = Course::of(&state.submissions, &state.hints);
            // What is said of a failed test is as much as a first hint.
            course.hint_level = course.hint_level.max(u8::from(!state.explanations.is_empty()));
            course.finished(&state.spec.problem.id)
        })
    }

    fn standing(state: &State) -> Option<Standing> {
        Some(standing(&state.spec.problem.id, &state.submissions, &state.hints))
    }

    fn after_the_end() -> Vec<Next> {
        steps::after_the_end()
    }

    fn plain(state: &State, seen: &[EventRecord]) -> Option<Vec<u8>> {
        Some(conclude::plain(state, seen))
    }

    fn attempt(state: &State) -> Option<AttemptV2> {
        Some(view::attempt(state))
    }

    fn report(_: &State, events: &[Recorded<Event>], _: &Discussion, report: &mut Report) {
        conclude::report(events, report);
    }

    fn tell(event: &Recorded<Event>) -> Telling {
        tell::tell(&event.event)
    }

    fn code_history(events: &[Recorded<Event>]) -> Vec<CodeVersion> {
        conclude::code_history(events)
    }

    fn cause(state: &State, event: &Recorded<Event>) -> Cause<Command> {
        cause::cause(state, &event.event)
    }

    fn settled(state: &State, command: &Command, led_to: &[Recorded<Event>]) -> Option<Settled> {
        settled::settled(state, command, led_to)
    }

    fn why(state: &State, event: &Recorded<Event>) -> Because {
        why::why(state, event)
    }
}

#[cfg(test)]
mod tests;
