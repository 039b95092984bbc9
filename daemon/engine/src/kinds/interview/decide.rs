//! What an interview answers to each command: facts, or the reason why not.
//!
//! Nothing is changed here, and nobody is asked: what takes time is an effect of the facts.

pub(super) mod bounds;
mod code;
mod course;
mod help;
mod inquire;
mod say;
mod typing;

use vosim_protocol::v1::interview::{Command, ReturnedBy};

use super::sequence;
use super::state::Draft;
use crate::rejection::Rejection;

use code::{submit, test, unwatch, watch};
use course::{begin, done, end};
use help::{ask, hint};

pub(super) use help::recalled_hint;
use say::say;
pub(super) use typing::recalled_typing;

pub(super) use course::created;

pub(super) fn decide(draft: &mut Draft<'_>, command: &Command) -> Result<(), Rejection> {
    match command {
        Command::Begin {} => begin(draft)?,
        Command::Say { text, section } => say(draft, text, section.as_deref())?,
        Command::Typing { stopped } => typing::typing(draft, *stopped)?,
        Command::Done { section } => done(draft, section.as_deref())?,
        Command::Submit { file_path, code, language, again } => {
            submit(draft, file_path, code, *language, *again)?;
        }
        Command::Test { file_path, code, language, cases } => {
            test(draft, file_path, code, *language, cases)?;
        }
        Command::Watch { file_path, language } => watch(draft, file_path, *language)?,
        Command::Unwatch {} => unwatch(draft)?,
        Command::Ask { kind, question, code } => ask(draft, *kind, question, code.as_ref())?,
        Command::Hint {} => hint(draft)?,
        Command::End {} => end(draft)?,
    }
    // Whoever gives a command is back (DECISIONS 12), unless it was to leave.
    if !draft.state().over() {
        sequence::back(draft, ReturnedBy::Command);
    }
    Ok(())
}
