//! The offer to go on with more for each run of the tests, after one was stopped for what it used up (002 7.1).

use vosim_protocol::v1::agent::{Caps, RunCaps};
use vosim_protocol::v1::task::{Command, View};
use vosim_protocol::{EventId, SessionId};

use super::named::before;
use super::workspace;
use crate::call::command;
use crate::client::Client;
use crate::errors::Failure;
use crate::output::Output;
use crate::render::task as screens;

/// Asks, and resumes the task where the answer is yes; returns the event from which on it is followed.
pub(super) fn offer(
    client: &mut Client,
    view: &View,
    output: Output,
) -> Result<Option<EventId>, Failure> {
    let Some(run) = screens::more_for_runs(view).filter(|_| workspace::asks(view, output)) else {
        return Ok(None);
    };
    client.release_interrupts()?;
    let what = screens::for_runs(run);
    let asked = format!("The last run of the tests was stopped. Resume with {what} for each run?");
    if !output.agrees(&asked) {
        return Ok(None);
    }
    resume(client, view.session_id, run, output).map(Some)
}

fn resume(
    client: &mut Client,
    session: SessionId,
    run: RunCaps,
    output: Output,
) -> Result<EventId, Failure> {
    let resume = Command::Resume { hint: None, caps: Caps::default(), run };
    let accepted = command(client, Some(&session.to_string()), &resume, Vec::new())?;
    output.json(&accepted)?;
    Ok(before(&accepted))
}
