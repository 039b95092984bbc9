//! The words of an errand: the agent hands in work; whoever gave it the job has the work checked and
//! takes it or sends it back.

use std::path::PathBuf;

use vosim_protocol::v1::errand::{Command, View};
use vosim_protocol::{Blob, Role};

use crate::errors::{Failure, code, user_error};
use crate::files::regular_file;
use crate::intent::request::{Attached, Request};
use crate::intent::{SEE_HELP, Words, alone, file_needed, first_name, text};

/// Most bytes of a file that is handed in.
const WORK_MAX_BYTES: u64 = 512 * 1024;

/// Lines that are typed in an errand.
#[derive(Debug)]
pub(crate) enum Errands {}

/// What can be asked of an errand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Intent {
    /// Hand in a patch with notes.
    HandIn { patch: PathBuf, notes: PathBuf },
    /// Ask a model for advice.
    Ask(String),
    /// Have the work checked.
    Check,
    /// Send it back with a reason.
    SendBack(String),
    /// Take it.
    Take,
}

impl Words for Errands {
    type Intent = Intent;
    type View = View;

    const WORDS: &'static [(&'static str, &'static str)] = &[
        ("/hand-in PATCH NOTES", "hand in the work, as the agent"),
        ("/ask TEXT", "ask a model for advice, as the agent"),
        ("/check", "have the work checked, as the interviewer"),
        ("/send-back TEXT", "send it back and say what is missing"),
        ("/take", "take it, which ends the errand"),
    ];

    fn text(_: &str) -> Result<Intent, Failure> {
        let message = "nobody is talked to in an errand; its commands begin with a slash";
        Err(user_error(code::USAGE, message).hint(SEE_HELP))
    }

    fn word(word: &str, rest: &str) -> Result<Option<Intent>, Failure> {
        Ok(Some(match word {
            "hand-in" => {
                let usage = "/hand-in PATCH NOTES";
                let (patch, notes) = first_name(rest, usage)?;
                Intent::HandIn { patch: patch.into(), notes: file_needed(notes, usage)? }
            }
            "ask" => Intent::Ask(text(rest, "/ask TEXT")?),
            "check" => alone(Intent::Check, word, rest)?,
            "send-back" => Intent::SendBack(text(rest, "/send-back TEXT")?),
            "take" => alone(Intent::Take, word, rest)?,
            _ => return Ok(None),
        }))
    }

    /// Who may is the daemon's to say: here two roles act.
    fn may(_: Role, _: &Intent) -> Result<(), Failure> {
        Ok(())
    }

    fn request(intent: Intent, from: Attached) -> Result<Request, Failure> {
        Ok(match intent {
            Intent::HandIn { patch, notes } => {
                let read = |path| regular_file(path, WORK_MAX_BYTES).map(Blob);
                let (patch, notes) = (read(&patch)?, read(&notes)?);
                let hand_in =
                    Command::HandIn { patch: patch.reference(), notes: notes.reference() };
                Request::command("Your work", from, &hand_in, vec![patch, notes])
            }
            Intent::Ask(question) => {
                Request::command("Your question", from, &Command::Ask { question }, Vec::new())
            }
            Intent::Check => Request::command("Your 'check'", from, &Command::Check {}, Vec::new()),
            Intent::SendBack(reason) => {
                let back = Command::SendBack { reason };
                Request::command("Your reason", from, &back, Vec::new())
            }
            Intent::Take => Request::command("Your 'take'", from, &Command::Take {}, Vec::new()),
        })
    }
}
