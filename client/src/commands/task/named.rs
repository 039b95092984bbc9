//! Which task a command means, and what it may use up.

use vosim_protocol::v1::agent::Caps;
use vosim_protocol::v1::service::{self, ViewParams};
use vosim_protocol::v1::task::View;
use vosim_protocol::{ErrorCode, Kind, Role, Wire as _};

use crate::any_view::OTHER_SESSION;
use crate::cli::TaskCaps;
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
    View::from_json(result.view).map_err(|error| Failure::garbled("session.view", error))
}

/// What a task may use up, as it was typed.
pub(super) fn caps(typed: TaskCaps) -> Caps {
    let TaskCaps { tokens, calls, cost, minutes } = typed;
    Caps { tokens, calls, cost_micros: cost, wall_secs: minutes.map(|minutes| minutes * 60) }
}
