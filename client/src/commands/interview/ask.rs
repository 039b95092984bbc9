//! `ask`: a question to the assistant; the command waits for the answer.
//!
//! Ctrl-C only stops the waiting: the answer is written down all the same.

use std::time::Duration;

use vosim_protocol::v1::interview::{AssistantResponse, Command};
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{Blob, Role};

use crate::call::payload;
use crate::cli;
use crate::client::Client;
use crate::code_file::CodeFile;
use crate::commands::Context;
use crate::commands::interview::sending::{give, receipt, text_of};
use crate::commands::settle::{Awaited, Given, ended_before};
use crate::errors::{Exit, Failure};
use crate::output::Output;
use crate::render::telling::sentence;

/// How long an answer may take.
const ANSWER: Awaited =
    Awaited { what: "the assistant's answer", patience: Duration::from_secs(60) };

pub(crate) fn ask(args: &cli::Ask, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    let question = text_of(&args.text)?;
    let (kind, file) = args.about();
    // A file that cannot be read is told before anything is asked.
    let code = file.map(CodeFile::asked_about).transpose()?.map(|file| file.code);
    let reference = code.as_ref().map(Blob::reference);
    let ask = Command::Ask { kind, question, code: reference };
    let mut client = context.client()?;
    client.catch_interrupts()?;
    let given = give(&mut client, &ask, code.into_iter().collect(), context)?;
    receipt("Your question", &given.accepted, output)?;
    match answer(&mut client, &given, output) {
        Ok(answer) => {
            output.screen(|look| sentence(&answer, Role::Candidate, look))?;
            Ok(Exit::Done)
        }
        Err(Failure::Interrupted) => {
            let flag = context.session_flag();
            output.note(&format!("Detached; the answer will be in: vosimctl {flag}log"));
            Ok(Exit::Done)
        }
        Err(failure) => Err(failure),
    }
}

/// Waits for the answer, which is told as every screen tells it.
fn answer(client: &mut Client, given: &Given, output: Output) -> Result<ToldRecord, Failure> {
    let mut answers = given.accepted.events.clone();
    let result: Option<AssistantResponse> = given.settled(client, ANSWER, output, |record| {
        answers.push(record.clone());
        Ok(())
    })?;
    let is_it = |record: &ToldRecord| {
        let answer = payload::<AssistantResponse>(record, "ASSISTANT_RESPONSE");
        answer.is_ok_and(|answer| answer.is_some() && answer == result)
    };
    answers.into_iter().find(is_it).ok_or_else(|| ended_before(ANSWER.what))
}
