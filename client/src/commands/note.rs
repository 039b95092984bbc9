//! `note` and `notes`: what an interviewer keeps beside a session, for nobody else.

use vosim_protocol::Role;
use vosim_protocol::v1::service::{NoteAdd, NoteAddParams, NoteList, NoteListParams};

use crate::cli;
use crate::client::new_command;
use crate::commands::Context;
use crate::errors::{Exit, Failure};
use crate::render::notes as screens;

pub(crate) fn add(args: &cli::Note, context: &Context) -> Result<Exit, Failure> {
    let params = NoteAddParams {
        session: context.session.clone(),
        command_id: new_command(),
        role: Role::Interviewer,
        text: args.text.clone(),
        event_id: args.event,
    };
    let added = context.client()?.call::<NoteAdd>(&params)?;
    context.output.data(&added.note, |look| screens::kept(&added, look))?;
    Ok(Exit::Done)
}

pub(crate) fn list(context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let role = Role::Interviewer;
    let mut params = NoteListParams { session: context.session.clone(), role, after: 0 };
    let mut notes = Vec::new();
    loop {
        let page = client.call::<NoteList>(&params)?;
        let last = page.notes.last().map(|note| note.number);
        notes.extend(page.notes);
        if last.is_none_or(|last| last >= page.last) {
            break;
        }
        // The current session may change between two pages.
        params.session = Some(page.session_id.to_string());
        params.after = last.unwrap_or(page.last);
    }
    notes.iter().try_for_each(|note| context.output.json(note))?;
    context.output.screen(|look| screens::list(&notes, look))?;
    Ok(Exit::Done)
}
