//! What several commands are refused for: no section that takes them, no room, too much text.

use vosim_protocol::v1::interview::MESSAGE_MAX_BYTES;

use crate::kinds::interview::section::SectionState;
use crate::kinds::interview::{Stage, State};
use crate::parts::admission::bound;
use crate::parts::words::json_len;
use crate::rejection::Rejection;

/// Most bytes of a text inside a record, as JSON spells it; a record holds 64 KiB.
pub(super) const WRITTEN_MAX_BYTES: usize = 48 * 1024;
/// Most messages, questions, runs and hints of one interview: nobody types more, a script might.
const TRANSCRIPT_MAX: usize = 5_000;

pub(super) fn not_begun(command: &'static str) -> Rejection {
    Rejection::InvalidTransition {
        command,
        because: "the interview has not begun",
        next: "start its clock with: vosimctl interview begin",
    }
}

pub(super) fn closing(command: &'static str) -> Rejection {
    Rejection::InvalidTransition {
        command,
        because: "the last section has ended",
        next: "the interview completes by itself within seconds",
    }
}

/// The open section, where a command needs one.
pub(super) fn open<'s>(
    state: &'s State,
    command: &'static str,
) -> Result<&'s SectionState, Rejection> {
    match state.stage {
        Stage::NotStarted => Err(not_begun(command)),
        Stage::Open | Stage::Closing | Stage::Completed(_) | Stage::Terminated(_) => {
            state.open().ok_or_else(|| closing(command))
        }
    }
}

/// The open section, where a command needs the one in which code is written.
pub(super) fn coding<'s>(
    state: &'s State,
    command: &'static str,
) -> Result<&'s SectionState, Rejection> {
    open(state, command)?;
    state.coding().ok_or_else(|| {
        let coding = |section: &SectionState| section.plan(&state.spec.schema).coding;
        if state.sections.iter().any(coding) {
            Rejection::InvalidTransition {
                command,
                because: "the section in which code is judged has ended",
                next: "go on with the question of this section: vosimctl status",
            }
        } else {
            Rejection::InvalidTransition {
                command,
                because: "code is judged in a later section",
                next: "answer the question of this section, or end it: vosimctl done",
            }
        }
    })
}

pub(super) fn text_of(what: &'static str, text: &str) -> Result<(), Rejection> {
    if text.trim().is_empty() {
        return Err(Rejection::InvalidInput {
            message: format!("{what} is empty"),
            next: "write something, then send it again",
        });
    }
    bound(what, text.len() as u64, MESSAGE_MAX_BYTES)?;
    // Control characters take six bytes each in a record.
    bound(what, json_len(text) as u64, WRITTEN_MAX_BYTES)
}

pub(super) fn room(state: &State) -> Result<(), Rejection> {
    if state.transcript.len() < TRANSCRIPT_MAX {
        return Ok(());
    }
    Err(Rejection::InvalidInput {
        message: format!("the transcript holds {TRANSCRIPT_MAX} entries, the most there may be"),
        next: "end the section with: vosimctl done",
    })
}
