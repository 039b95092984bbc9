//! What is sent to the daemon for a line that was typed, and what the daemon says to it.

use vosim_protocol::v1::service::{Accepted, CommandParams, Note, NoteAdd, NoteAddParams};
use vosim_protocol::{Role, SessionId};

use crate::client::{Client, new_command};
use crate::errors::Failure;
use crate::message::checked;

/// An intention with its id and everything it needs: the same however often it is sent.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    /// A command of the session.
    Command {
        /// What it was, as a receipt names it.
        what: &'static str,
        params: CommandParams,
        send: fn(&mut Client, &CommandParams) -> Result<Accepted, Failure>,
    },
    /// A private note.
    Note(NoteAddParams),
}

/// What the daemon said to a request.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Accepted { what: &'static str, accepted: Accepted },
    Noted(Note),
}

impl Request {
    /// A private note of the interviewer.
    pub(crate) fn note(text: &str, session: SessionId) -> Result<Self, Failure> {
        Ok(Self::Note(NoteAddParams {
            session: Some(session.to_string()),
            command_id: new_command(),
            role: Role::Interviewer,
            text: checked(text)?.to_owned(),
            event_id: None,
        }))
    }

    pub(crate) fn send(&self, client: &mut Client) -> Result<Answer, Failure> {
        Ok(match self {
            Self::Command { what, params, send } => {
                Answer::Accepted { what, accepted: send(client, params)? }
            }
            Self::Note(params) => Answer::Noted(client.call::<NoteAdd>(params)?.note),
        })
    }
}
