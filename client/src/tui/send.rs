//! Sends one intention at a time on a connection of its own, and repeats it under the same id
//! until the daemon has answered.

use std::sync::mpsc::{Receiver, SyncSender};

use vosim_protocol::v1::assistant::AskKind;

use vosim_protocol::v1::interview::Command;
use vosim_protocol::v1::service::{CommandParams, NoteAdd, NoteAddParams};
use vosim_protocol::{Blob, Role, SessionId};

use crate::client::{Backoff, Client, new_command};
use crate::code_file::CodeFile;
use crate::commands::call::params;
use crate::commands::interview::act::no_file;
use crate::commands::interview::{Ask, Begin, Done, Hint, Say, Submit, code_of};
use crate::errors::{Failure, code};
use crate::intent::Intent;
use crate::message::checked;
use crate::tui::app::{Answer, Msg};

/// An intention with its id and everything it needs: the same however often it is sent.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    Begin(CommandParams),
    Say(CommandParams),
    Ask(CommandParams),
    Done(CommandParams),
    Submit(CommandParams),
    Hint(CommandParams),
    Note(NoteAddParams),
}

impl Request {
    /// Reads what must be read, once, and chooses the id.
    pub(crate) fn of(intent: Intent, session: SessionId) -> Result<Self, Failure> {
        let id = session.to_string();
        let command = |command: &Command, blob: Option<Blob>| {
            params(Some(&id), command, blob.into_iter().collect())
        };
        Ok(match intent {
            Intent::Begin => Self::Begin(command(&Command::Begin {}, None)),
            Intent::Say { text, section } => {
                let text = checked(&text)?.to_owned();
                Self::Say(command(&Command::Say { text, section }, None))
            }
            Intent::Ask { kind, question, file } => {
                let question = checked(&question)?.to_owned();
                let file = file.filter(|_| kind == AskKind::Code);
                let code = file.as_deref().map(code_of).transpose()?.map(|file| file.code);
                let reference = code.as_ref().map(Blob::reference);
                Self::Ask(command(&Command::Ask { kind, question, code: reference }, code))
            }
            Intent::Done { section } => {
                Self::Done(command(&Command::Done { section: section.clone() }, None))
            }
            Intent::Submit(file) => {
                let file = CodeFile::read(&file.ok_or_else(no_file)?, None)?;
                let submit = Command::Submit {
                    file_path: file.path,
                    code: file.code.reference(),
                    language: file.language,
                    again: false,
                };
                Self::Submit(command(&submit, Some(file.code)))
            }
            Intent::Hint => Self::Hint(command(&Command::Hint {}, None)),
            Intent::Note(text) => Self::Note(NoteAddParams {
                session: Some(session.to_string()),
                command_id: new_command(),
                role: Role::Interviewer,
                text: checked(&text)?.to_owned(),
                event_id: None,
            }),
            Intent::Status | Intent::Help | Intent::Quit => {
                return Err(anyhow::anyhow!("a word of the screen's own was to be sent").into());
            }
        })
    }

    fn send(&self, client: &mut Client) -> Result<Answer, Failure> {
        let (what, accepted) = match self {
            Self::Begin(params) => ("Your 'begin'", client.call::<Begin>(params)?),
            Self::Say(params) => ("Your message", client.call::<Say>(params)?),
            Self::Ask(params) => ("Your question", client.call::<Ask>(params)?),
            Self::Done(params) => ("Your 'done'", client.call::<Done>(params)?),
            Self::Submit(params) => ("Your submission", client.call::<Submit>(params)?),
            Self::Hint(params) => ("Your wish for a hint", client.call::<Hint>(params)?),
            Self::Note(params) => return Ok(Answer::Noted(client.call::<NoteAdd>(params)?.note)),
        };
        Ok(Answer::Accepted { what, accepted })
    }
}

/// Sends what comes, one after the other, until nobody listens any more.
pub(crate) fn serve(
    mut client: Client,
    session: SessionId,
    intents: &Receiver<Intent>,
    out: &SyncSender<Msg>,
) {
    while let Ok(intent) = intents.recv() {
        let answer = match Request::of(intent, session) {
            Ok(request) => match until_answered(&request, &mut client, out) {
                Some(answer) => answer,
                None => return,
            },
            Err(failure) => Err(failure),
        };
        if out.send(Msg::Answered(answer)).is_err() {
            return;
        }
    }
}

/// None when nobody listens any more.
fn until_answered(
    request: &Request,
    client: &mut Client,
    out: &SyncSender<Msg>,
) -> Option<Result<Answer, Failure>> {
    let mut backoff = Backoff::default();
    loop {
        match request.send(client) {
            Err(failure) if passes(&failure) => {
                // An answer that comes late belongs to a request that is not waited for.
                client.disconnect();
                out.send(Msg::Waiting).ok()?;
                client.pause(backoff.next()).ok()?;
            }
            answer => return Some(answer),
        }
    }
}

/// True for what ends by itself: the daemon is away and may come back.
fn passes(failure: &Failure) -> bool {
    let away = [code::CONNECTION_FAILED, code::DAEMON_NOT_RUNNING, code::NO_ANSWER];
    away.iter().any(|&code| failure.is(code))
}
