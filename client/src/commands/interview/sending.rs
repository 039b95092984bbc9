//! What every command of an interview does: take a text, send, show the receipt and what follows.

use vosim_protocol::v1::interview::{self as kind, View};
use vosim_protocol::v1::service::Accepted;
use vosim_protocol::{ErrorCode, Role, SessionId};

use crate::call::{self, report};
use crate::cli;
use crate::client::Client;
use crate::commands::settle::{self, Given};
use crate::commands::{Context, session};
use crate::errors::Failure;
use crate::output::Output;
use crate::render::interview as screens;
use crate::render::report as teaching;
use crate::render::telling::sentence;

/// Gives a command to the interview that is meant; it is to be followed.
pub(crate) fn give(
    client: &mut Client,
    command: &kind::Command,
    blobs: Vec<vosim_protocol::Blob>,
    context: &Context,
) -> Result<Given, Failure> {
    let params = call::params(context.session.as_deref(), command, blobs);
    settle::give(client, params).map_err(without_session)
}

/// A failure, with what helps where there is no session.
pub(crate) fn without_session(failure: Failure) -> Failure {
    match failure.is(ErrorCode::NoActiveSession) {
        true => failure.hint("start an interview with: vosimctl interview start"),
        false => failure,
    }
}

/// Prints the receipt of an accepted command, in a kind that gives one; as data its events.
pub(crate) fn receipt(what: &str, accepted: &Accepted, output: Output) -> Result<(), Failure> {
    accepted.events.iter().try_for_each(|record| output.json(record))?;
    match &accepted.receipt {
        Some(receipt) => output.screen(|look| screens::received(what, receipt, look)),
        None => Ok(()),
    }
}

/// Tells what a command caused besides what its sender knows.
pub(crate) fn consequences(accepted: &Accepted, output: Output) -> Result<(), Failure> {
    // What the sender has just said, and what `show_section` draws.
    let shown = [
        "CANDIDATE_MESSAGE",
        "VARIATION_ANSWERED",
        "SECTION_STARTED",
        "PROMPT_PRESENTED",
        "INTERVIEW_COMPLETED",
    ];
    let others = accepted.events.iter().filter(|r| !shown.contains(&r.event_type.as_str()));
    let role = Role::Candidate;
    others.cloned().try_for_each(|record| output.screen(|look| sentence(&record, role, look)))
}

/// The interview as it is now.
pub(crate) fn again(client: &mut Client, session: SessionId) -> Result<Box<View>, Failure> {
    let role = Role::Candidate;
    let view = session::find(client, Some(session.to_string()), role)?;
    session::as_interview(view, "this")
}

/// Shows what an interview that is over teaches.
pub(crate) fn closing(
    client: &mut Client,
    session: SessionId,
    output: Output,
) -> Result<(), Failure> {
    let view = again(client, session)?;
    let report = report(client, session);
    output.screen(|look| match &report {
        Some(report) => teaching::report(report, look),
        None => screens::summary(&view, look),
    })
}

/// The text of a command: its words, or what a pipe brings.
pub(crate) fn text_of(args: &cli::Text) -> Result<String, Failure> {
    use std::io::IsTerminal as _;
    let stdin = std::io::stdin();
    match args.words.as_slice() {
        [dash] if dash == "-" => crate::message::read_text(stdin.lock()),
        [] if !stdin.is_terminal() => crate::message::read_text(stdin.lock()),
        words => crate::message::checked(&words.join(" ")).map(str::to_owned),
    }
}
