//! What several commands are refused for: no section that takes them, no room, too much text.
//!
//! At most 256 KiB are said in one section, because its summary weighs every sentence at once on
//! the thread that serves all sessions.

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::interview::{SECTION_MAX_BYTES, SENT_MAX};
use vosim_protocol::v1::talk::MESSAGE_MAX_BYTES;

use crate::kinds::interview::section::{Contents, OpenSection};
use crate::kinds::interview::state::{Stage, State};
use crate::parts::admission::bound;
use crate::parts::words::json_len;
use crate::rejection::Rejection;

/// Most bytes of a text inside a record, as JSON spells it; a record holds 64 KiB.
pub(super) const WRITTEN_MAX_BYTES: usize = 48 * 1024;

pub(in crate::kinds::interview) fn not_begun(command: &'static str) -> Rejection {
    Rejection::InvalidTransition {
        command,
        because: "the interview has not begun",
        next: vec![Next::run("start its clock", Action::Begin)],
    }
}

pub(super) fn closing(command: &'static str) -> Rejection {
    Rejection::InvalidTransition {
        command,
        because: "the last section has ended",
        next: vec![Next::wait("the end of the interview, which comes within seconds")],
    }
}

/// The open section, where a command needs one.
pub(in crate::kinds::interview) fn open<'s>(
    state: &'s State,
    command: &'static str,
) -> Result<&'s OpenSection, Rejection> {
    match &state.stage {
        Stage::Open { section, .. } => Ok(section),
        Stage::NotStarted => Err(not_begun(command)),
        Stage::Between { .. }
        | Stage::Closing { .. }
        | Stage::Completed { .. }
        | Stage::Terminated { .. } => Err(closing(command)),
    }
}

/// The open section, where a command needs the one in which code is written.
pub(super) fn coding<'s>(
    state: &'s State,
    command: &'static str,
) -> Result<&'s OpenSection, Rejection> {
    open(state, command)?;
    state.coding().ok_or_else(|| {
        if state.coding_ended().is_some() {
            Rejection::InvalidTransition {
                command,
                because: "the section in which code is judged has ended",
                next: vec![Next::run("see the question of this section", Action::Status)],
            }
        } else {
            Rejection::InvalidTransition {
                command,
                because: "code is judged in a later section",
                next: vec![
                    Next::run("answer the question of this section", Action::Say),
                    Next::run("end it", Action::Done),
                ],
            }
        }
    })
}

pub(super) fn text_of(what: &'static str, text: &str) -> Result<(), Rejection> {
    if text.trim().is_empty() {
        return Err(Rejection::InvalidInput {
            message: format!("{what} is empty"),
            next: vec![Next::edit("write something, then send it again")],
        });
    }
    bound(what, text.len() as u64, MESSAGE_MAX_BYTES)?;
    // Control characters take six bytes each in a record.
    bound(what, json_len(text) as u64, WRITTEN_MAX_BYTES)
}

pub(super) fn room(state: &State) -> Result<(), Rejection> {
    if state.sent < SENT_MAX {
        return Ok(());
    }
    Err(Rejection::InvalidInput {
        message: format!("{SENT_MAX} messages and requests have been sent, which is the limit"),
        next: vec![Next::wait("the time to run out"), Next::run("end the section", Action::Done)],
    })
}

/// Room for so much more to be said in a section.
pub(super) fn room_in(section: &Contents, text: &str) -> Result<(), Rejection> {
    let said: usize = section.messages.iter().map(|message| message.text.len()).sum();
    if said + text.len() <= SECTION_MAX_BYTES {
        return Ok(());
    }
    Err(Rejection::InvalidInput {
        message: format!(
            "more than {} KiB would have been said in this section",
            SECTION_MAX_BYTES / 1024
        ),
        next: vec![Next::edit("say it more briefly"), Next::wait("the time to run out")],
    })
}
