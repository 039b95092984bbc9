//! The words of a drill: a file is judged, and nobody is talked to.

use std::path::PathBuf;

use vosim_protocol::v1::drill::{Command, View};
use vosim_protocol::v1::service::{Accepted, CommandParams, Method};
use vosim_protocol::{Blob, SessionId};

use crate::client::Client;
use crate::code_file::CodeFile;
use crate::commands::call::params;
use crate::commands::drill::{Hint, Submit};
use crate::errors::{Failure, code, user_error};
use crate::intent::request::Request;
use crate::intent::{SEE_HELP, Words, alone, file, no_file};

/// Lines that are typed in a drill.
#[derive(Debug)]
pub(crate) enum Drilling {}

/// What a candidate can ask of a drill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    /// Judge a file.
    Submit(Option<PathBuf>),
    /// Ask for a hint.
    Hint,
}

impl Words for Drilling {
    type Intent = Intent;
    type View = View;

    const WORDS: &'static [(&'static str, &'static str)] =
        &[("/submit FILE", "submit a file"), ("/hint", "ask for a hint")];

    fn text(_text: &str) -> Result<Intent, Failure> {
        let message = "nobody is talked to in a drill; its commands begin with a slash";
        Err(user_error(code::USAGE, message).hint(SEE_HELP))
    }

    fn word(word: &str, rest: &str) -> Result<Option<Intent>, Failure> {
        Ok(Some(match word {
            "submit" => Intent::Submit(file(rest)),
            "hint" => alone(Intent::Hint, word, rest)?,
            _ => return Ok(None),
        }))
    }

    fn request(intent: Intent, session: SessionId) -> Result<Request, Failure> {
        Ok(match intent {
            Intent::Submit(file) => {
                let file = CodeFile::read(&file.ok_or_else(no_file)?, None)?;
                let submit = Command::Submit {
                    file_path: file.path,
                    code: file.code.reference(),
                    language: file.language,
                    again: false,
                };
                command::<Submit>("Your submission", session, &submit, vec![file.code])
            }
            Intent::Hint => {
                let hint = Command::Hint { confirm: false };
                command::<Hint>("Your wish for a hint", session, &hint, Vec::new())
            }
        })
    }
}

fn command<M>(
    what: &'static str,
    session: SessionId,
    command: &Command,
    blobs: Vec<Blob>,
) -> Request
where
    M: Method<Params = CommandParams, Result = Accepted>,
{
    let params = params(Some(&session.to_string()), command, blobs);
    Request::Command { what, params, send: Client::call::<M> }
}
