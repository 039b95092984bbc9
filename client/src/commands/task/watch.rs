//! A task followed until it rests: its events as they come, its approvals asked here, and Ctrl-C, which
//! pauses it, first after the step that is under way and then at once (DECISIONS 50).

use vosim_protocol::v1::agent::{Allow, Answered};
use vosim_protocol::v1::task::{ApprovalAsked, Command, State, StateChanged};
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{ErrorCode, EventId, EventRecord, Role, SessionId, Wire as _};

use super::named::task;
use super::{answer, diff, more, workspace};
use crate::call::command;
use crate::client::Client;
use crate::commands::Context;
use crate::commands::following::{IDLE, interruption};
use crate::commands::settle::Hindrance;
use crate::errors::{Exit, Failure};
use crate::follow::{Happening, Stream};
use crate::output::Output;
use crate::render::task as screens;
use crate::render::telling::sentence;

/// Why following has stopped for a moment.
enum Stop {
    /// The task rests.
    Rests,
    /// A person is asked.
    Asked(EventId, Box<ApprovalAsked>),
    /// The files were put back; whether it goes on, the task says.
    Rewound,
    /// Ctrl-C.
    Interrupted,
}

/// Follows a task until it rests, then shows how it came out.
pub(super) fn follow(
    client: &mut Client,
    session: SessionId,
    mut after: EventId,
    context: &Context,
) -> Result<Exit, Failure> {
    let output = context.output;
    client.catch_interrupts()?;
    let mut interrupts = 0;
    loop {
        match listen(client, session, &mut after, output)? {
            Stop::Rests => break,
            // Without iterations left it rests, and nothing more is told.
            Stop::Rewound if !goes_on(client, session)? => break,
            Stop::Rewound => {}
            Stop::Asked(approval, asked) => ask(client, session, approval, &asked, output)?,
            Stop::Interrupted if interrupts >= 2 => return Err(Failure::Interrupted),
            Stop::Interrupted => {
                pause(client, session, interrupts > 0, output)?;
                interrupts += 1;
            }
        }
    }
    let view = task(client, Some(session.to_string()))?;
    output.data(&view, |look| screens::came_out(&view, look))?;
    diff::changed_tests(client, &view, output)?;
    workspace::offer(client, &view, output)?;
    match more::offer(client, &view, output)? {
        Some(after) => follow(client, session, after, context),
        None => Ok(Exit::Done),
    }
}

fn listen(
    client: &mut Client,
    session: SessionId,
    after: &mut EventId,
    output: Output,
) -> Result<Stop, Failure> {
    let store = client.store_id();
    let mut stream = Stream::open_in(store, client, session, *after, Role::Candidate)?;
    let mut hindrance = Hindrance::default();
    loop {
        let happening = match stream.next(IDLE) {
            Ok(happening) => happening,
            Err(Failure::Interrupted) => return Ok(Stop::Interrupted),
            Err(failure) => return Err(failure),
        };
        match happening {
            Happening::Event(record) => {
                output.progress_done();
                *after = record.event_id;
                tell(&record, output)?;
                if let Some(stop) = stops(&record) {
                    return Ok(stop);
                }
            }
            Happening::Progress(progress) => hindrance.told(&progress, output),
            other => {
                if let Some(text) = interruption(&other, &stream, &mut hindrance) {
                    output.progress_done();
                    output.note(&text);
                }
            }
        }
    }
}

/// What every screen shows, one line each; as data every event.
fn tell(record: &ToldRecord, output: Output) -> Result<(), Failure> {
    if output.is_json() {
        return output.json(record);
    }
    output.screen(|look| sentence(record, Role::Candidate, look))
}

/// Whether nothing comes by itself after an event.
fn stops(record: &EventRecord) -> Option<Stop> {
    match record.event_type.as_str() {
        "TASK_SUCCEEDED" | "TASK_FAILED" | "TASK_CLOSED" => Some(Stop::Rests),
        "STATE_CHANGED" => {
            let change = StateChanged::from_json(record.payload.clone()).ok()?;
            (change.to == State::Paused).then_some(Stop::Rests)
        }
        "TASK_REWOUND" => Some(Stop::Rewound),
        "APPROVAL_ASKED" => {
            let asked = ApprovalAsked::from_json(record.payload.clone()).ok()?;
            Some(Stop::Asked(record.event_id, Box::new(asked)))
        }
        _ => None,
    }
}

fn goes_on(client: &mut Client, session: SessionId) -> Result<bool, Failure> {
    let view = task(client, Some(session.to_string()))?;
    Ok(!view.over && !matches!(view.state, State::Paused | State::Failed))
}

/// Asks the person at this terminal, unless somebody has answered elsewhere. Where nobody can be asked
/// here, the task waits for an answer from another terminal.
fn ask(
    client: &mut Client,
    session: SessionId,
    approval: EventId,
    asked: &ApprovalAsked,
    output: Output,
) -> Result<(), Failure> {
    let view = task(client, Some(session.to_string()))?;
    let pending = view.approval.as_ref().filter(|pending| pending.event_id == approval);
    if pending.is_none() {
        return Ok(());
    }
    if output.is_json() || !output.terminal.can_ask {
        output.note("The task waits for an answer; see: vosimctl approvals");
        return Ok(());
    }
    output.screen(|look| screens::approval(&asked.finding, asked.places, look))?;
    let (answer, because) = answer::read(&asked.finding);
    give(client, session, approval, (answer, because))
}

/// Gives an answer; that somebody else was faster is no fault.
fn give(
    client: &mut Client,
    session: SessionId,
    approval: EventId,
    (answer, because): (Allow, Answered),
) -> Result<(), Failure> {
    let approve = Command::Approve { approval, answer, because };
    match command(client, Some(&session.to_string()), &approve, Vec::new()) {
        Ok(_) => Ok(()),
        Err(failure) if failure.is(ErrorCode::InvalidTransition) => Ok(()),
        Err(failure) => Err(failure),
    }
}

fn pause(
    client: &mut Client,
    session: SessionId,
    now: bool,
    output: Output,
) -> Result<(), Failure> {
    output.progress_done();
    output.note(match now {
        false => "Pausing after this step; Ctrl-C again pauses at once.",
        true => "Pausing at once.",
    });
    match command(client, Some(&session.to_string()), &Command::Pause { now }, Vec::new()) {
        Ok(_) => Ok(()),
        // It has come to rest meanwhile.
        Err(failure) if failure.is(ErrorCode::InvalidTransition) => Ok(()),
        Err(failure) if failure.is(ErrorCode::SessionEnded) => Ok(()),
        Err(failure) => Err(failure),
    }
}
