//! The interviewer's private notes: kept beside a session and never in its log.

use vosim_protocol::misfit;
use vosim_protocol::next::Next;
use vosim_protocol::v1::service::limits::{NOTE_PAGE_MAX_BYTES, NOTES_MAX};
use vosim_protocol::v1::service::{
    NOTE_MAX_BYTES, Note, NoteAddParams, NoteAdded, NoteListParams, NoteListResult,
};
use vosim_protocol::{ErrorCode, ErrorObject, Head, Role, SessionId, Wire};
use vosim_store::{Appended, Owner, SIDE_LINE_MAX_BYTES, SideLog, StoreError};

use crate::daemon::{Daemon, store_error};
use crate::server::reports::unknown_event;

/// The side log that keeps a session's notes.
fn notes_of(session: SessionId) -> SideLog {
    SideLog { owner: Owner::Session(session), name: "notes", lines_max: NOTES_MAX }
}

/// Adds a note, once for each intention.
pub(crate) async fn add(
    daemon: &Daemon,
    head: Head,
    params: NoteAddParams,
) -> Result<NoteAdded, ErrorObject> {
    only_interviewer(params.role)?;
    let NoteAddParams { command_id, text, event_id, .. } = params;
    let bytes = text.len();
    if bytes > NOTE_MAX_BYTES {
        let message = format!("the note has {bytes} bytes, more than {NOTE_MAX_BYTES}");
        return Err(
            ErrorObject::new(ErrorCode::TooLarge, message).next(Next::edit("make two of it"))
        );
    }
    if text.trim().is_empty() {
        return Err(ErrorObject::new(ErrorCode::InvalidInput, "the note is empty")
            .next(Next::edit("write down what you have noticed")));
    }
    if let Some(event) = event_id.filter(|event| event.0 == 0 || *event > head.cursor) {
        return Err(unknown_event(event, head.cursor));
    }
    let (session_id, at) = (head.session_id, daemon.now());
    let wanted = (text.clone(), event_id);
    let longest = Note { number: NOTES_MAX, at, text: text.clone(), command_id, event_id };
    if longest.to_line().len() > SIDE_LINE_MAX_BYTES {
        let message = "the note holds too many line ends, quotes or control characters to be kept";
        return Err(
            ErrorObject::new(ErrorCode::TooLarge, message).next(Next::edit("make two of it"))
        );
    }
    let note = move |number| Note { number, at, text, command_id, event_id }.to_line();
    let log = notes_of(session_id);
    let appended = daemon.blocking(move |store| store.side_append(log, command_id, note)).await;
    let Appended { line, replayed } = appended.map_err(|error| {
        daemon.note_store_error(&error);
        unkept(&error)
    })?;
    let note = read(&line)?;
    if (&note.text, note.event_id) != (&wanted.0, wanted.1) {
        let message = format!("the command id {command_id} stands for another note");
        return Err(ErrorObject::new(ErrorCode::CommandIdReused, message)
            .next(Next::edit("make a new id for each intention")));
    }
    Ok(NoteAdded { session_id, note, replayed })
}

/// A page of a session's notes.
pub(crate) async fn list(
    daemon: &Daemon,
    head: Head,
    params: NoteListParams,
) -> Result<NoteListResult, ErrorObject> {
    only_interviewer(params.role)?;
    let (session_id, after) = (head.session_id, params.after);
    let (lines, last) = daemon
        .blocking(move |store| {
            let log = notes_of(session_id);
            Ok((store.side_read(log, after, NOTE_PAGE_MAX_BYTES)?, store.side_last(log)?))
        })
        .await
        .map_err(|error| store_error(&error))?;
    let notes = lines.iter().map(|line| read(line)).collect::<Result<_, _>>()?;
    Ok(NoteListResult { session_id, notes, last })
}

fn unkept(error: &StoreError) -> ErrorObject {
    if !matches!(error, StoreError::Full { .. }) {
        return store_error(error);
    }
    let message = format!("the session has {NOTES_MAX} notes, and more are not kept");
    ErrorObject::new(ErrorCode::TooLarge, message)
}

fn only_interviewer(role: Role) -> Result<(), ErrorObject> {
    if role == Role::Interviewer {
        return Ok(());
    }
    let message = format!("notes are the interviewer's; you are here as {}", role.name());
    Err(ErrorObject::new(ErrorCode::RoleForbidden, message)
        .next(Next::edit("ask as the interviewer")))
}

fn read(line: &[u8]) -> Result<Note, ErrorObject> {
    misfit::read_bytes(line).map_err(|why| {
        ErrorObject::new(ErrorCode::StoreDamaged, format!("a note cannot be read: {why}"))
    })
}
