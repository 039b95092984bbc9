//! Approvals: what any task waits for, and the answers to it (002 6.3).

use std::io::{BufRead as _, stdin};

use serde::Serialize;
use vosim_protocol::v1::agent::{Allow, Answered, Finding};
use vosim_protocol::v1::task::{AWAITS_APPROVAL, Command, PendingApproval, View};
use vosim_protocol::{Kind, SessionId};

use super::named::task;
use crate::call::command;
use crate::client::Client;
use crate::commands::Context;
use crate::commands::sessions::pages;
use crate::errors::{Exit, Failure, user_error};
use crate::output::to_stderr;
use crate::render::task as screens;

/// What one task waits for.
#[derive(Debug, Serialize)]
struct Waiting<'v> {
    session_id: SessionId,
    task: &'v str,
    approval: &'v PendingApproval,
}

/// Lists what any task waits for.
pub(crate) fn approvals(context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let views = waiting(&mut client)?;
    let found: Vec<_> = views
        .iter()
        .filter_map(|view| {
            let (session_id, task) = (view.session_id, view.task.as_str());
            Some(Waiting { session_id, task, approval: view.approval.as_ref()? })
        })
        .collect();
    found.iter().try_for_each(|one| context.output.json(one))?;
    context.output.screen(|look| screens::approvals(&views, look))?;
    Ok(Exit::Done)
}

/// The tasks that wait for a person, by their heads: no other is looked at.
fn waiting(client: &mut Client) -> Result<Vec<View>, Failure> {
    let heads = pages(client)?.sessions.into_iter();
    let waiting = heads.filter(|head| head.kind == Kind::Task && head.phase == AWAITS_APPROVAL);
    waiting.map(|head| task(client, Some(head.session_id.to_string()))).collect()
}

pub(super) fn approve(always: bool, context: &Context) -> Result<Exit, Failure> {
    answer(if always { Allow::Always } else { Allow::Once }, context)
}

pub(super) fn deny(context: &Context) -> Result<Exit, Failure> {
    answer(Allow::No, context)
}

fn answer(answer: Allow, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let view = meant(&mut client, context)?;
    let Some(pending) = &view.approval else {
        let message = format!("task {} waits for no answer", view.session_id.short());
        let failure = user_error(vosim_protocol::ErrorCode::InvalidTransition, message);
        return Err(failure.hint("See what any task waits for with: vosimctl approvals"));
    };
    let session = view.session_id.to_string();
    let approval = pending.event_id;
    let approve = Command::Approve { approval, answer, because: Answered::Said };
    let accepted = command(&mut client, Some(&session), &approve, Vec::new())?;
    context.output.data(&accepted, |look| screens::answered(&view, pending, answer, look))?;
    Ok(Exit::Done)
}

/// The task that was named, or the only one that waits.
fn meant(client: &mut Client, context: &Context) -> Result<View, Failure> {
    if context.session.is_some() {
        return task(client, context.session.clone());
    }
    let mut waiting = waiting(client)?;
    match waiting.len() {
        1 => Ok(waiting.remove(0)),
        0 => task(client, None),
        several => {
            let message = format!("{several} tasks wait for an answer");
            let failure = user_error(crate::errors::code::USAGE, message);
            Err(failure.hint("Name one with --session; see: vosimctl approvals"))
        }
    }
}

/// Reads an answer at this terminal. Whatever is no yes is a no, and so is the end of the input.
pub(super) fn read(finding: &Finding) -> (Allow, Answered) {
    let scope = screens::scope(finding);
    to_stderr(&format!("[y]es once / [a]lways for this task (scope: {scope}) / [N]o: "));
    let mut line = String::new();
    let read = stdin().lock().read_line(&mut line);
    said(read.ok(), &line)
}

fn said(read: Option<usize>, line: &str) -> (Allow, Answered) {
    match (read, line.trim().to_ascii_lowercase().as_str()) {
        (None | Some(0), _) => (Allow::No, Answered::EndOfInput),
        (_, "y" | "yes") => (Allow::Once, Answered::Said),
        (_, "a" | "always") => (Allow::Always, Answered::Said),
        (_, "" | "n" | "no") => (Allow::No, Answered::Said),
        _ => (Allow::No, Answered::NoAnswer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_no_yes_is_a_no() {
        for (line, answer) in [
            ("y\n", Allow::Once),
            (" YES \n", Allow::Once),
            ("a\n", Allow::Always),
            ("always\n", Allow::Always),
            ("\n", Allow::No),
            ("n\n", Allow::No),
        ] {
            assert_eq!(said(Some(line.len()), line), (answer, Answered::Said), "{line:?}");
        }
        assert_eq!(said(Some(5), "yeah\n"), (Allow::No, Answered::NoAnswer));
        assert_eq!(said(Some(0), ""), (Allow::No, Answered::EndOfInput));
        assert_eq!(said(None, ""), (Allow::No, Answered::EndOfInput));
    }
}
