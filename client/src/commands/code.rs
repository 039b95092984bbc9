//! `code`: a submission again, as it was submitted.

use serde::Serialize;
use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::judging::ResultLine;
use vosim_protocol::{Hash, Role};

use crate::call::blob;
use crate::cli;
use crate::commands::Context;
use crate::commands::session::find;
use crate::errors::{Exit, Failure, code, user_error};
use crate::judged::unknown_submission;
use crate::render::look::Tone;
use crate::render::page::Page;

/// A submission with its code.
#[derive(Serialize)]
struct CodeAgain<'l> {
    submission: u32,
    file_path: &'l str,
    code_hash: Hash,
    code: String,
}

pub(crate) fn run(args: cli::Code, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let view = find(&mut client, context.session.clone(), Role::Candidate)?;
    let line = named(view.history(), args.submission)?;
    let code = blob(&mut client, &view.session_id().to_string(), line.code_hash)?;
    let output = context.output;
    if output.is_json() {
        output.json(&CodeAgain {
            submission: line.attempt_number,
            file_path: &line.file_path,
            code_hash: line.code_hash,
            code: String::from_utf8_lossy(&code).into_owned(),
        })?;
    } else if output.terminal.watched {
        // What stands in it may be anything; a terminal obeys none of it.
        output.screen(|look| {
            let mut page = Page::new(look);
            page.code("", Tone::Plain, &String::from_utf8_lossy(&code));
            page.finish()
        })?;
    } else {
        output.bytes(&code)?;
    }
    Ok(Exit::Done)
}

/// The submission of that number, or the last.
fn named(history: &[ResultLine], number: Option<u32>) -> Result<&ResultLine, Failure> {
    let wanted = |line: &&ResultLine| number.is_none_or(|number| line.attempt_number == number);
    history.iter().rev().find(wanted).ok_or_else(|| match number {
        Some(number) => unknown_submission(number),
        None => user_error(code::UNKNOWN_SUBMISSION, "nothing has been judged yet")
            .step(Next::run("submit a file", Action::Submit)),
    })
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::drill::Phase;

    use super::*;
    use crate::render::samples;

    #[test]
    fn the_last_submission_is_printed_unless_another_is_named() {
        let history = samples::view(Phase::AwaitingAction).history;
        let number = |wanted| named(&history, wanted).map(|line| line.attempt_number);
        assert_eq!(number(None).unwrap(), 3);
        assert_eq!(number(Some(1)).unwrap(), 1);
        assert_eq!(number(Some(9)).unwrap_err().to_string(), "there is no submission 9");
        assert!(named(&[], None).is_err());
    }
}
