//! What every command has at hand, and what several of them ask of it.

use std::path::{Path, PathBuf};

use vosim_protocol::ErrorCode;
use vosim_protocol::v1::service::{self, Nothing};

use crate::client::{AutoStart, Client};
use crate::errors::{Failure, usage_error, user_error};
use crate::files::unreadable;
use crate::output::Output;
use crate::places::Places;

/// What every command has at hand.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub(super) output: Output,
    /// The session that was named; None for the current one.
    pub(super) session: Option<String>,
    pub(super) auto_start: AutoStart,
    /// What the command cannot do without.
    pub(super) need: &'static [&'static str],
}

impl Context {
    /// A client, not yet connected.
    pub(super) fn client(&self) -> Result<Client, Failure> {
        Ok(self.client_with(Places::from_env()?, self.auto_start).needing(self.need))
    }

    pub(super) fn client_with(&self, places: Places, auto_start: AutoStart) -> Client {
        let tells_waits = self.output.terminal.can_redraw && !self.output.is_json();
        Client::new(places, auto_start).telling_waits(tells_waits).telling_notes()
    }

    /// How the user names the session in a further command.
    pub(super) fn session_flag(&self) -> String {
        self.session.as_ref().map_or(String::new(), |id| format!("--session {id} "))
    }
}

/// Nobody can be asked, and what would be done cannot be undone.
pub(super) fn unconfirmed(what: &str) -> Failure {
    user_error(ErrorCode::ConfirmationRequired, format!("{what} needs confirmation"))
        .hint("Run it again with --yes")
}

/// The folder of the store that a daemon works on.
pub(super) fn data_folder(client: &mut Client) -> Result<PathBuf, Failure> {
    Ok(client.call::<service::Status>(&Nothing {})?.data.into())
}

/// A path as the daemon, which stands elsewhere, finds it.
pub(super) fn absolute(path: &Path) -> Result<String, Failure> {
    let absolute = std::path::absolute(path).map_err(|error| unreadable(path, &error))?;
    let not_text = || usage_error(format!("the path {} is not UTF-8", path.display()));
    absolute.to_str().map(str::to_owned).ok_or_else(not_text)
}
