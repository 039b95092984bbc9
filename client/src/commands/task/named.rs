//! Which task a command means, what it may use up, and from where on it is followed.

use vosim_protocol::v1::agent::{Caps, RunCaps};
use vosim_protocol::v1::service::{self, Accepted, ViewParams};
use vosim_protocol::v1::task::View;
use vosim_protocol::{ErrorCode, EventId, Kind, Role, Wire as _};

use crate::any_view::OTHER_SESSION;
use crate::cli::{TaskCaps, TestRunCaps};
use crate::client::Client;
use crate::errors::{Failure, user_error};

/// The task that a command means.
pub(super) fn task(client: &mut Client, session: Option<String>) -> Result<View, Failure> {
    let params = ViewParams { session, role: Role::Candidate };
    let result = client.call::<service::View>(&params)?;
    if result.kind != Kind::Task {
        let (id, kind) = (result.session_id.short(), result.kind.with_article());
        let message = format!("session {id} is {kind}, not a task");
        return Err(user_error(ErrorCode::WrongKind, message).hint(OTHER_SESSION));
    }
    View::from_json(result.view).map_err(|error| Failure::misread("session.view", &error))
}

/// What a task may use up, as it was typed.
pub(super) fn caps(typed: TaskCaps) -> Caps {
    let TaskCaps { tokens, calls, cost, minutes } = typed;
    Caps { tokens, calls, cost_micros: cost, wall_secs: minutes.map(|minutes| minutes * 60) }
}

/// What each run of its tests may use up, as it was typed.
pub(super) fn run_caps(typed: TestRunCaps) -> RunCaps {
    let TestRunCaps { run_memory, run_minutes, run_processes } = typed;
    RunCaps { memory_mib: run_memory, minutes: run_minutes, processes: run_processes }
}

/// The event before those of a command: from there on what it leads to is followed.
pub(super) fn before(accepted: &Accepted) -> EventId {
    let first = accepted.events.first();
    first.map_or(accepted.cursor, |record| EventId(record.event_id.0.saturating_sub(1)))
}
