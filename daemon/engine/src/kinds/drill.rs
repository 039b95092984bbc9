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
//! After the first pass a change of the problem is asked about, and with an answer another one. Nothing waits for
//! an answer, and nothing is judged of it.
//!
//! Judging, measuring and wording are effects; feedback and the hints of levels 1 to 3 are given
//! when their words are there. The reference solution is given at once and word for word: it is
//! never handed to a model. Nothing here reads a clock: every time comes with a command or event.

mod bundle;
mod cause;
mod conclude;
mod decide;
mod fold;
mod plain;
mod settled;
mod state;
mod tell;
mod texts;
mod view;
mod why;

use vosim_protocol::next::Next;
use vosim_protocol::v1::bundle::CodeVersion;
use vosim_protocol::v1::drill::{Command, Event, SessionStarted, Settled, Spec};
use vosim_protocol::v1::guide::Discussion;
use vosim_protocol::v1::hints::{HintAnswer, SOLUTION_LEVEL};
use vosim_protocol::v1::problem::{DrawnInputs, Problem};
use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::telling::Telling;
use vosim_protocol::{
    BlobRef, EventRecord, Finished, Hash, Json, Role, SessionId, Standing, Time, Wire,
};

use crate::because::Because;
use crate::kind::{Cause, Kind, Misfit, Recorded};
use crate::parts::course::{Course, standing};
use crate::parts::hints;
use crate::rejection::Rejection;
use crate::report::steps;
use crate::wanted::Wanted;

use state::{Draft, Stage};

pub use plain::plain;
pub use state::State;

/// The rules of 000.
#[derive(Debug)]
pub enum Drill {}

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
        State::new(id, spec)
    }

    fn opening(draft: &mut Draft<'_>) {
        let spec = &draft.state().spec;
        let started = SessionStarted {
            problem_id: spec.problem.id.clone(),
            title: spec.problem.title.clone(),
            python_version: spec.python_version.clone(),
            model: spec.model.clone(),
        };
        draft.push(Event::SessionStarted(started));
    }

    fn decide(draft: &mut Draft<'_>, command: &Command) -> Result<(), Rejection> {
        match command {
            Command::Submit { file_path, code, language, again } => {
                decide::submit(draft, file_path, code, *language, *again)
            }
            Command::Hint { confirm, level } => decide::hint(draft, *confirm, *level),
            Command::GiveUp { confirm } => decide::give_up(draft, *confirm),
            Command::Say { text } => decide::say(draft, text),
            Command::End {} => decide::end(draft),
        }
    }

    fn evolve(state: &mut State, event: &Recorded<Event>) -> Result<(), Misfit> {
        fold::evolve(state, event)
    }

    fn goes_on(state: &State) -> bool {
        state.next_variation().is_some()
    }

    fn settle(draft: &mut Draft<'_>) {
        let next = draft.state().next_variation();
        draft.extend(next.map(Event::VariationAsked));
    }

    fn wanted(state: &State) -> Vec<Wanted<State, Event>> {
        conclude::wanted(state)
    }

    fn phase(state: &State) -> &'static str {
        state.phase().name()
    }

    fn ended(state: &State) -> bool {
        matches!(state.stage, Stage::Done { .. })
    }

    fn view(state: &State, role: Role, at: Time) -> Json {
        view::view(state, role, at).to_json()
    }

    fn blobs(command: &Command) -> Vec<BlobRef> {
        match command {
            Command::Submit { code, .. } => vec![*code],
            Command::Hint { .. }
            | Command::GiveUp { .. }
            | Command::Say { .. }
            | Command::End {} => Vec::new(),
        }
    }

    fn exercise(spec: &Spec) -> Option<(&Problem, Hash)> {
        Some((&spec.problem, spec.suite))
    }

    fn draw(spec: &Spec) -> Option<&DrawnInputs> {
        spec.draw.as_ref()
    }

    fn finished(state: &State) -> Option<Finished> {
        let course = || Course::of(&state.submissions, &state.hints);
        Self::ended(state).then(|| course().finished(&state.spec.problem.id))
    }

    fn standing(state: &State) -> Option<Standing> {
        Some(standing(&state.spec.problem.id, &state.submissions, &state.hints))
    }

    fn after_the_end() -> Vec<Next> {
        decide::after_the_end()
    }

    fn plain(_: &State, seen: &[EventRecord]) -> Option<Vec<u8>> {
        Some(plain::plain(seen))
    }

    fn report(_: &State, events: &[Recorded<Event>], _: &Discussion, report: &mut Report) {
        bundle::work(events).into_report(report);
        report.steps = steps(events, |recorded| {
            let of_talk =
                matches!(recorded.event, Event::VariationAsked(_) | Event::VariationAnswered(_));
            of_talk.then(|| tell::tell(&recorded.event))
        });
    }

    fn tell(event: &Recorded<Event>) -> Telling {
        tell::tell(&event.event)
    }

    fn code_history(events: &[Recorded<Event>]) -> Vec<CodeVersion> {
        bundle::code_history(events)
    }

    fn cause(state: &State, event: &Recorded<Event>) -> Cause<Command> {
        cause::cause(state, &event.event)
    }

    fn recalled(state: &State, command: &Command) -> Option<Settled> {
        let answered = |given| match &state.stage {
            // Nothing leads to another level any more.
            Stage::Done { .. } => HintAnswer { given, above: None },
            Stage::Presented | Stage::Awaiting | Stage::Evaluating(_) => {
                hints::answer(given, SOLUTION_LEVEL)
            }
        };
        match command {
            Command::Hint { confirm, level } => {
                decide::recalled_hint(state, *confirm, *level).map(answered).map(Settled::Hint)
            }
            Command::GiveUp { .. } => {
                decide::recalled_solution(state).map(answered).map(Settled::GiveUp)
            }
            Command::Submit { .. } | Command::Say { .. } | Command::End {} => None,
        }
    }

    fn settled(_: &State, command: &Command, led_to: &[Recorded<Event>]) -> Option<Settled> {
        settled::settled(command, led_to)
    }

    fn why(state: &State, event: &Recorded<Event>) -> Because {
        why::why(state, event)
    }
}

#[cfg(test)]
mod tests;
