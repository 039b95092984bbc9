//! What an intent does, without printing anything: for the line mode and for the live screen.

use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::drill::Command as Drill;
use vosim_protocol::v1::interview::Command;
use vosim_protocol::v1::service::{Accepted, Note, NoteAdd, NoteAddParams};
use vosim_protocol::{ErrorCode, Role, SessionId};

use crate::any_view::AnyView;
use crate::client::{Client, new_command};
use crate::code_file::CodeFile;
use crate::commands::interview::ask::{code_of, send_question};
use crate::commands::interview::judge::send_code;
use crate::commands::interview::{Begin, Done, Hint, Say, send};
use crate::commands::{call, drill, session};
use crate::errors::{Failure, code, user_error};
use crate::intent::Intent;
use crate::message::checked;

/// What became of an intent.
#[derive(Debug)]
pub(crate) enum Step {
    /// It is the caller's to do: nothing was asked of the daemon.
    Own(Own),
    /// A command was accepted.
    Sent(Box<Sent>),
    /// A note was taken.
    Noted(Note),
}

/// What a caller does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    Status,
    Help,
    Quit,
}

/// An accepted command.
#[derive(Debug)]
pub(crate) struct Sent {
    /// What it was, as a receipt names it.
    pub(crate) what: &'static str,
    pub(crate) accepted: Accepted,
    /// What the session showed before it.
    pub(crate) before: AnyView,
}

/// Does what a line asks for, as far as the role and the kind of the session allow it.
pub(crate) fn act(
    intent: Intent,
    role: Role,
    session: SessionId,
    client: &mut Client,
) -> Result<Step, Failure> {
    match &intent {
        Intent::Status => return Ok(Step::Own(Own::Status)),
        Intent::Help => return Ok(Step::Own(Own::Help)),
        Intent::Quit => return Ok(Step::Own(Own::Quit)),
        Intent::Begin
        | Intent::Say { .. }
        | Intent::Ask { .. }
        | Intent::Done { .. }
        | Intent::Submit(_)
        | Intent::Hint
        | Intent::Note(_) => {}
    }
    may(role, matches!(intent, Intent::Note(_)))?;
    if let Intent::Note(text) = intent {
        return note(&text, session, client);
    }
    let before = session::find(client, Some(session.to_string()), role)?;
    let (what, accepted) = match &before {
        AnyView::Drill(_) => in_drill(intent, session, client)?,
        AnyView::Interview(view) => {
            let watched = view.watched.as_ref().map(|watched| watched.file_path.clone());
            in_interview(intent, watched, session, client)?
        }
    };
    Ok(Step::Sent(Box::new(Sent { what, accepted, before })))
}

/// Only the candidate acts, only the interviewer takes notes.
pub(crate) fn may(role: Role, notes: bool) -> Result<(), Failure> {
    let message = match (role, notes) {
        (Role::Candidate, false) | (Role::Interviewer, true) => return Ok(()),
        (Role::Candidate, true) => "a candidate keeps no notes here; attach with --as interviewer",
        (Role::Interviewer, false) => {
            "an interviewer does not act in the session; /note TEXT keeps a note"
        }
        (Role::Observer, _) => "an observer only reads; attach with --as candidate to act",
    };
    Err(user_error(ErrorCode::RoleForbidden, message))
}

fn note(text: &str, session: SessionId, client: &mut Client) -> Result<Step, Failure> {
    let params = NoteAddParams {
        session: Some(session.to_string()),
        command_id: new_command(),
        role: Role::Interviewer,
        text: checked(text)?.to_owned(),
        event_id: None,
    };
    Ok(Step::Noted(client.call::<NoteAdd>(&params)?.note))
}

fn in_interview(
    intent: Intent,
    watched: Option<String>,
    session: SessionId,
    client: &mut Client,
) -> Result<(&'static str, Accepted), Failure> {
    Ok(match intent {
        Intent::Begin => {
            ("Your 'begin'", send::<Begin>(client, session, &Command::Begin {}, vec![])?)
        }
        Intent::Say { text, section } => {
            let say = Command::Say { text: checked(&text)?.to_owned(), section };
            ("Your message", send::<Say>(client, session, &say, vec![])?)
        }
        Intent::Ask { kind, question, file } => {
            let question = checked(&question)?.to_owned();
            let file = file.filter(|_| kind == AskKind::Code);
            let code = file.as_deref().map(code_of).transpose()?;
            ("Your question", send_question(client, session, kind, question, code)?)
        }
        Intent::Done { section } => {
            let done = Command::Done { section: section.clone() };
            ("Your 'done'", send::<Done>(client, session, &done, vec![])?)
        }
        Intent::Submit(file) => {
            let file = file.or_else(|| watched.map(Into::into)).ok_or_else(no_file)?;
            let file = CodeFile::read(&file, None)?;
            ("Your submission", send_code(client, session, file, false)?)
        }
        Intent::Hint => {
            ("Your wish for a hint", send::<Hint>(client, session, &Command::Hint {}, vec![])?)
        }
        Intent::Note(_) | Intent::Status | Intent::Help | Intent::Quit => {
            return Err(unreachable_here());
        }
    })
}

fn in_drill(
    intent: Intent,
    id: SessionId,
    client: &mut Client,
) -> Result<(&'static str, Accepted), Failure> {
    let none = |what| Err(session::wrong_kind(id, "a drill", what));
    let session = id.to_string();
    Ok(match intent {
        Intent::Submit(file) => {
            let file = CodeFile::read(&file.ok_or_else(no_file)?, None)?;
            let submit = Drill::Submit {
                file_path: file.path,
                code: file.code.reference(),
                language: file.language,
                again: false,
            };
            let blobs = vec![file.code];
            let accepted = call::command::<drill::Submit>(client, Some(&session), &submit, blobs)?;
            ("Your submission", accepted)
        }
        Intent::Hint => {
            let hint = Drill::Hint { confirm: false };
            let accepted = call::command::<drill::Hint>(client, Some(&session), &hint, vec![])?;
            ("Your wish for a hint", accepted)
        }
        Intent::Say { .. } => return none("say"),
        Intent::Ask { .. } => return none("ask"),
        Intent::Done { .. } => return none("done"),
        Intent::Begin => return none("begin"),
        Intent::Note(_) | Intent::Status | Intent::Help | Intent::Quit => {
            return Err(unreachable_here());
        }
    })
}

pub(crate) fn no_file() -> Failure {
    user_error(code::USAGE, "no file was named, and none is watched")
}

/// `act` has dealt with these.
fn unreachable_here() -> Failure {
    anyhow::anyhow!("an intent that is the terminal's own reached the daemon's side").into()
}

#[cfg(test)]
mod tests;
