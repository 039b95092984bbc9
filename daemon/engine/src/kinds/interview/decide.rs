//! What an interview answers to each command: facts, or the reason why not.
//!
//! Nothing is changed here, and nobody is asked: what takes time is an effect of the facts.

mod bounds;
mod code;
mod course;
mod help;
mod say;

use vosim_protocol::v1::interview::{Command, Event};
use vosim_protocol::{Kind, Time};

use super::draft::Draft;
use super::{Stage, State};
use crate::rejection::Rejection;

use code::{submit, test, unwatch, watch};
use course::{begin, done, end};
use help::{ask, hint};
use say::say;

pub(super) use code::next_submission;
pub(super) use course::created;
pub(super) use help::hint_context;

pub(super) fn decide(state: &State, command: &Command, at: Time) -> Result<Vec<Event>, Rejection> {
    match state.stage {
        Stage::Completed(_) | Stage::Terminated(_) => {
            return Err(Rejection::SessionEnded(Kind::Interview));
        }
        Stage::NotStarted | Stage::Open | Stage::Closing => {}
    }
    let mut draft = Draft::new(state, at);
    match command {
        Command::Begin {} => begin(&mut draft)?,
        Command::Say { text, section } => say(&mut draft, text, section.as_deref())?,
        Command::Done { section } => done(&mut draft, section.as_deref())?,
        Command::Submit { file_path, code, language, again } => {
            submit(&mut draft, file_path, code, *language, *again)?;
        }
        Command::Test { file_path, code, language, cases } => {
            test(&mut draft, file_path, code, *language, cases)?;
        }
        Command::Watch { file_path, language } => watch(&mut draft, file_path, *language)?,
        Command::Unwatch {} => unwatch(&mut draft)?,
        Command::Ask { kind, question, code } => ask(&mut draft, *kind, question, code.as_ref())?,
        Command::Hint {} => hint(&mut draft)?,
        Command::End {} => end(&mut draft)?,
    }
    Ok(draft.finish_command())
}
