//! The kind `interview` (001): timed sections, follow-ups, an assistant channel, a coding section.
//!
//! ```text
//!              begin                    last section ended           sealed, judged
//! NOT_STARTED -------> IN_PROGRESS ---------------------> CLOSING ----------------> COMPLETED
//!      |                |   ^   |                         (grace)
//!      |       10 s away|   |back
//!      |                v   |   |
//!      |               PAUSED   |
//!      |                |       |
//!      +------ end -----+- end -+--> TERMINATED
//! ```
//! Time runs on in PAUSED (001 5.3), and sections end there as they do in IN_PROGRESS. CLOSING
//! cannot be left: it lasts for seconds. An open section has substates of its own (001 4.2):
//!
//! ```text
//!       prompt worded                  follow-up worded
//! INTRO -------------> QUESTION_ACTIVE ---------------> FOLLOWUP_ACTIVE <--+ the next
//!   |                       |                               |  |           | follow-up
//!   |                       |                               |  +-----------+
//!   +-----------------------+-------------------------------+
//!                           | everything is covered
//!                           v
//!                        WRAPUP   a verdict that takes the coverage back leads back to where
//!                                 the question stands
//! ```
//! A section ends at its deadline, in WRAPUP after a while of quiet, or when the candidate is done,
//! and the next one begins in the same moment. What has ended waits for its grace, and in the coding
//! section for the watched file, and is sealed then. A `Stage` owns what exists only in it, and so
//! does each of the three states of a section.
//!
//! What somebody asked, what came back from outside and which deadline came are inputs; everything
//! they lead to is put together on a draft, one event after the other, each folded before the next
//! is chosen. Nothing here reads a clock.
//!
//! # Decisions
//!
//! What concerns one file stands at its head. Of the whole:
//!
//! - The memory of 001 7 has three places: the transcript, what is kept of each sealed section in
//!   the candidate's own sentences, and the submissions. The second goes along with every request
//!   for words, so that a model may take up what was said before; the view and the end of an
//!   interview show it too.
//! - Typing is presence (DECISIONS 39): the screen on which a line is written says so, and one event holds
//!   back questions and the end of a covered section until a message comes, the line is given up, or a
//!   minute is over. That one minute may follow another takes a message or a minute in between, so a
//!   screen that says it all the time adds one event a minute and its end. A refresh is answered from
//!   the state and leaves no trace.
//! - A variation is asked about once code has passed, when nothing that is required is left to ask
//!   about. It belongs to no dimension and to no budget: what is answered is heard like anything else
//!   that is said in the section. A section that is covered waits for an answer for a while.
//! - `SECTION_WRAPUP` (001) is the quiet time of a section that is covered. A section that ends by
//!   its time or by `done` ends in one moment (001 5.2) and has no time for a state of its own.
//! - The role configuration of 001 2.1 is what the schema and the problem say: pools, cards,
//!   prompts and caps.
//! - No interview is terminated as `system_error`. What an engine cannot go on with is a log or a
//!   spec that it cannot read, and nothing can be added to such a session; `verify` says where it
//!   is damaged. The reason stays in the type because 001 names it.
//! - Nothing in an interview grows without bound. A candidate who has gone a thousand times counts
//!   as present; after 64 MiB of saves, or 5,000, no more are kept, but the file as it stands at
//!   the end of its section still counts. `decide/bounds.rs` bounds what is said and sent.

mod belonging;
mod bundle;
mod cause;
mod conclude;
mod decide;
mod due;
mod fold;
mod listening;
mod report;
mod saying;
mod section;
mod sequence;
mod settled;
mod state;
mod tell;
mod testifying;
mod view;
mod voicing;
mod wanted;
mod why;

use std::collections::BTreeSet;

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::bundle::{CodeVersion, EvaluationBundle};
use vosim_protocol::v1::guide::Discussion;
use vosim_protocol::v1::hints::SOLUTION_LEVEL;
use vosim_protocol::v1::interview::{
    Command, Event, Settled, Spec, TIME_PERCENT_MAX, TIME_PERCENT_MIN,
};
use vosim_protocol::v1::problem::{DrawnInputs, Problem};
use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::service::Receipt;
use vosim_protocol::v1::telling::Telling;
use vosim_protocol::{BlobRef, Finished, Hash, Json, Role, SessionId, Standing, Time, Wire};

use crate::because::Because;
use crate::bundle::Ended;
use crate::failure::BundleError;
use crate::kind::{Cause, Kind, Misfit, Recorded};
use crate::parts::course::{Course, standing};
use crate::parts::{hearing, hints};
use crate::rejection::Rejection;
use crate::wanted::Wanted;

pub use state::State;

use state::{Draft, Presence, Stage};

/// The rules of 001.
#[derive(Debug)]
pub enum Interview {}

impl Kind for Interview {
    const KIND: vosim_protocol::Kind = vosim_protocol::Kind::Interview;

    type Spec = Spec;
    type Command = Command;
    type Event = Event;
    type State = State;

    fn check(spec: &Spec) -> Result<(), String> {
        let sections = &spec.schema.sections;
        let ids: BTreeSet<_> = sections.iter().map(|section| &section.id).collect();
        let percent = spec.accommodation.time_percent;
        if sections.is_empty() {
            Err("its schema has no section".to_owned())
        } else if ids.len() < sections.len() {
            Err("two sections of its schema have the same id".to_owned())
        } else if percent > TIME_PERCENT_MAX {
            Err(format!("{percent}% of the time is more than may be granted"))
        } else if percent < TIME_PERCENT_MIN {
            Err(format!("{percent}% of the time is less than may be granted"))
        } else {
            hearing::check(spec.hearing)
        }
    }

    fn title(spec: &Spec) -> String {
        spec.problem.title.clone()
    }

    fn initial(id: SessionId, spec: Spec) -> State {
        State::new(id, spec)
    }

    fn opening(draft: &mut Draft<'_>) {
        let created = decide::created(draft.state());
        draft.push(Event::InterviewCreated(created));
    }

    fn decide(draft: &mut Draft<'_>, command: &Command) -> Result<(), Rejection> {
        decide::decide(draft, command)
    }

    fn goes_on(state: &State) -> bool {
        state.probes.due().is_some()
    }

    fn settle(draft: &mut Draft<'_>) {
        sequence::settle(draft);
    }

    fn presence(draft: &mut Draft<'_>, here: bool) {
        sequence::presence(draft, here);
    }

    fn present(state: &State) -> bool {
        state.presence == Presence::Here
    }

    fn evolve(state: &mut State, event: &Recorded<Event>) -> Result<(), Misfit> {
        fold::evolve(state, event)
    }

    fn next_deadline(state: &State) -> Option<Time> {
        due::next(state).map(|(at, _)| at)
    }

    fn on_deadline(draft: &mut Draft<'_>) {
        due::fire(draft);
    }

    fn shift_deadlines(state: &mut State, step_micros: i64) {
        due::shift(state, step_micros);
    }

    fn wanted(state: &State) -> Vec<Wanted<State, Event>> {
        wanted::wanted(state)
    }

    fn phase(state: &State) -> &'static str {
        state.phase().name()
    }

    fn ended(state: &State) -> bool {
        state.over()
    }

    fn view(state: &State, role: Role, at: Time) -> Json {
        view::view(state, role, at).to_json()
    }

    fn settled(state: &State, command: &Command, led_to: &[Recorded<Event>]) -> Option<Settled> {
        settled::settled(state, command, led_to)
    }

    fn recalled(state: &State, command: &Command) -> Option<Settled> {
        match command {
            Command::Hint {} => {
                let answered = |given| hints::answer(given, SOLUTION_LEVEL - 1);
                decide::recalled_hint(state).map(answered).map(Settled::Hint)
            }
            Command::Typing { stopped } => {
                decide::recalled_typing(state, *stopped).map(Settled::Typing)
            }
            Command::Begin {}
            | Command::Say { .. }
            | Command::Done { .. }
            | Command::End {}
            | Command::Submit { .. }
            | Command::Test { .. }
            | Command::Watch { .. }
            | Command::Unwatch {}
            | Command::Ask { .. } => None,
        }
    }

    fn receipt(state: &State, caused: &[Recorded<Event>]) -> Option<Receipt> {
        settled::receipt(state, caused)
    }

    fn blobs(command: &Command) -> Vec<BlobRef> {
        match command {
            Command::Submit { code, .. } | Command::Test { code, .. } => vec![*code],
            Command::Ask { code, .. } => code.iter().copied().collect(),
            Command::Begin {}
            | Command::Say { .. }
            | Command::Done { .. }
            | Command::Typing { .. }
            | Command::Watch { .. }
            | Command::Unwatch {}
            | Command::Hint {}
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
        let course = || Course {
            // DECISIONS 46: one that is left was abandoned, unless it had been solved.
            tried: matches!(state.stage, Stage::Completed { .. }),
            assisted: state.assistant.answered > 0,
            ..Course::of(&state.submissions, &state.hints)
        };
        // One that was left before its clock ran was no interview yet.
        let counts = Self::ended(state) && state.started().is_some();
        counts.then(|| course().finished(&state.spec.problem.id))
    }

    fn standing(state: &State) -> Option<Standing> {
        Some(standing(&state.spec.problem.id, &state.submissions, &state.hints))
    }

    fn after_the_end() -> Vec<Next> {
        vec![
            Next::run("look back", Action::Report),
            Next::run("read hints and solutions", Action::Discussion),
            Next::run("hand it on", Action::ExportEvaluation),
            Next::run("begin another", Action::StartInterview),
        ]
    }

    fn evaluation(
        id: SessionId,
        spec: &[u8],
        lines: &[Vec<u8>],
    ) -> Result<EvaluationBundle, BundleError> {
        let Ended { state, head, events, .. } = Ended::<Self>::read(id, spec, lines)?;
        Ok(bundle::evaluation(id, head, &state.spec, &events))
    }

    fn report(
        state: &State,
        events: &[Recorded<Event>],
        discussion: &Discussion,
        report: &mut Report,
    ) {
        report::report(state, events, discussion, report);
    }

    fn tell(event: &Recorded<Event>) -> Telling {
        tell::tell(event)
    }

    fn code_history(events: &[Recorded<Event>]) -> Vec<CodeVersion> {
        bundle::code_history(events)
    }

    fn cause(state: &State, event: &Recorded<Event>) -> Cause<Command> {
        cause::cause(state, event)
    }

    fn why(state: &State, event: &Recorded<Event>) -> Because {
        why::why(state, event)
    }
}

#[cfg(test)]
mod tests;
