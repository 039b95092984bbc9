//! What people ask of a task: pause, resume, approve, rewind, end.

use vosim_protocol::EventId;
use vosim_protocol::next::Next;
use vosim_protocol::v1::agent::{Allow, Answered, Caps, RunCaps};
use vosim_protocol::v1::task::{
    ApprovalGiven, Command, Event, HINT_MAX_CHARS, PauseAsked, RewindAsked, State as At,
    TaskClosed, TaskResumed,
};

use super::bound::FILES_MAX;
use super::state::{Draft, Pause, Pending, State, UnderWay};
use crate::parts::budget;
use crate::rejection::Rejection;

pub(super) fn decide(draft: &mut Draft<'_>, command: &Command) -> Result<(), Rejection> {
    let state = draft.state();
    let event = match command {
        Command::Pause { now } => pause(state, *now)?,
        Command::Resume { hint, caps, run } => resume(state, hint.as_deref(), *caps, *run)?,
        Command::Approve { approval, answer, because } => {
            approve(state, *approval, *answer, *because)?
        }
        Command::Rewind { to } => rewind(state, *to, draft.cursor())?,
        Command::End {} => Event::TaskClosed(TaskClosed { iterations: state.iterations }),
    };
    draft.push(event);
    Ok(())
}

fn pause(state: &State, now: bool) -> Result<Event, Rejection> {
    let asked = match (state.pause, now) {
        (Some(Pause::Soon(_)), false) => Some("a pause is asked for already"),
        (Some(Pause::Soon(_) | Pause::Now(_)) | None, _) => None,
    };
    let because = match state.at {
        At::Paused | At::Failed => Some("it rests already"),
        At::Success => Some("all tests have passed"),
        At::Init | At::Planning | At::Coding | At::Testing | At::Reflecting => asked,
    };
    match because {
        Some(because) => Err(refused("pause the task", because)),
        None => Ok(Event::PauseAsked(PauseAsked { now })),
    }
}

/// 002 8.4, DECISIONS 50: 15 more, and the count goes on.
fn resume(state: &State, hint: Option<&str>, caps: Caps, run: RunCaps) -> Result<Event, Rejection> {
    resting(state, "resume the task")?;
    let hint = hint.map(str::trim).filter(|hint| !hint.is_empty());
    if hint.is_some_and(|hint| hint.chars().count() > HINT_MAX_CHARS) {
        let message = format!("a hint has at most {HINT_MAX_CHARS} characters");
        return Err(invalid(message, "make it shorter"));
    }
    time_left(state, caps)?;
    if let Some(fault) = run.fault() {
        return Err(invalid(fault, "name less, or more"));
    }
    let grant = state.spec.rounds.grant;
    Ok(Event::TaskResumed(TaskResumed {
        grant,
        until: state.iterations + grant,
        iterations: state.iterations,
        hint: hint.map(str::to_owned),
        caps,
        run,
    }))
}

fn approve(
    state: &State,
    approval: EventId,
    answer: Allow,
    because: Answered,
) -> Result<Event, Rejection> {
    match &state.pending {
        Some(Pending::Approval(asked, ..)) if *asked == approval => {}
        Some(Pending::Approval(..) | Pending::Effect(..)) | None => {
            return Err(refused("answer", "it does not wait for an answer to that event"));
        }
    }
    if because != Answered::Said && answer != Allow::No {
        let message = "what nobody has said allows nothing".to_owned();
        return Err(invalid(message, "answer it"));
    }
    Ok(Event::ApprovalGiven(ApprovalGiven { approval, answer, because }))
}

fn rewind(state: &State, to: EventId, last: EventId) -> Result<Event, Rejection> {
    resting(state, "go back")?;
    if to > last {
        let message = format!("there is no event {to}; the last one is {last}");
        return Err(invalid(message, "name an event after the plan; log shows them"));
    }
    let Some(point) = state.point(to) else {
        let message = format!("nothing was planned or written before event {to}");
        return Err(invalid(message, "name an event after the plan; log shows them"));
    };
    time_left(state, Caps::default())?;
    let files = state.since_point(point);
    if files.len() > FILES_MAX {
        let message = format!("more than {FILES_MAX} files were written since event {to}");
        return Err(invalid(message, "go back in smaller steps"));
    }
    Ok(Event::RewindAsked(RewindAsked { to, files }))
}

fn resting(state: &State, command: &'static str) -> Result<(), Rejection> {
    match &state.pending {
        Some(Pending::Effect(_, UnderWay::Restore(..))) => {
            Err(refused(command, "files are being put back"))
        }
        Some(Pending::Effect(..) | Pending::Approval(..)) => Err(refused(command, WORKS)),
        None if !state.rests() => Err(refused(command, WORKS)),
        None => Ok(()),
    }
}

const WORKS: &str = "it is under way; pause it first";

/// A task whose time at work is used up would rest again at once.
fn time_left(state: &State, by: Caps) -> Result<(), Rejection> {
    let caps = budget::changed(state.caps, by);
    match caps.wall_secs {
        Some(secs) if state.spent.wall_ms >= secs.saturating_mul(1_000) => {
            let message = format!("its time at work, {secs} s, is used up");
            Err(invalid(message, "resume it with more time"))
        }
        Some(_) | None => Ok(()),
    }
}

fn refused(command: &'static str, because: &'static str) -> Rejection {
    Rejection::InvalidTransition { command, because, next: Vec::new() }
}

fn invalid(message: String, how: &str) -> Rejection {
    Rejection::InvalidInput { message, next: vec![Next::edit(how)] }
}
