//! Waiting for what a command leads to, with a bound.

use std::time::Duration;

use vosim_protocol::v1::service::Accepted;
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{ErrorCode, Kind, Role};

use crate::client::Client;
use crate::commands::call::last_event;
use crate::errors::{Failure, user_error};
use crate::follow::{Happening, Stream, overdue};
use crate::kinds::is_end;
use crate::output::Output;
use crate::render::progress;

/// What is waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Awaited {
    /// In words: `the answer`.
    pub(crate) what: &'static str,
    /// How long nothing at all may be heard.
    pub(crate) patience: Duration,
}

/// Follows what an accepted command led to until `found` has what it looks for.
pub(crate) fn wait_for<T>(
    client: &mut Client,
    accepted: &Accepted,
    awaited: Awaited,
    output: Output,
    mut found: impl FnMut(&ToldRecord) -> Result<Option<T>, Failure>,
) -> Result<T, Failure> {
    let after = last_event(accepted);
    let mut stream = Stream::open(client, accepted.session_id, after, Role::Candidate)?;
    loop {
        match stream.next(awaited.patience)? {
            Happening::Event(record) => {
                output.progress_done();
                output.json(&record)?;
                if let Some(it) = found(&record)? {
                    return Ok(it);
                }
                if is_end(Kind::Interview, &record) {
                    return Err(ended_before(awaited.what));
                }
            }
            Happening::Progress(progress) => {
                output.progress(&progress::line(&progress, output.look()));
            }
            Happening::Nothing => {
                output.progress_done();
                return Err(overdue(awaited.what, awaited.patience));
            }
            Happening::Reconnecting => {
                output.progress_done();
                output.note("The connection to vosimd was lost; reconnecting ...");
            }
            Happening::Reconnected => output.note("Connected again."),
            Happening::OtherStore => {
                return Err(ended_before(awaited.what));
            }
            Happening::Presence(_) | Happening::Typed => {}
        }
    }
}

fn ended_before(what: &str) -> Failure {
    user_error(ErrorCode::SessionEnded, format!("the session ended before {what} came"))
}
