//! What is sent to the daemon for a line that was typed, and what the daemon says to it.

use std::fmt;

use vosim_protocol::v1::commands::Commands;
use vosim_protocol::v1::hints::HintAnswer;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::{
    self, Accepted, Do, DoParams, Note, NoteAdd, NoteAddParams, OwnCase, ProblemDiscuss,
    ProgressNotice, SessionParams,
};
use vosim_protocol::{Blob, Role, SessionId, Wire as _};

use crate::call::{params, problem_of};
use crate::client::{Client, new_command};
use crate::code_file::CodeFile;
use crate::errors::Failure;
use crate::judged;
use crate::message::checked;
use crate::render::drill as talk;
use crate::render::picture::Picture;
use crate::render::{problem, report};
use crate::trial::Trial;

/// A terminal that is attached to a session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attached {
    pub(crate) session: SessionId,
    pub(crate) role: Role,
}

/// Something to be sent, with its id and everything it needs: the same however often it is sent.
pub(crate) struct Request(Box<Sending>);

type Sending = dyn Fn(&mut Client, OnProgress<'_>) -> Result<Answer, Failure> + Send;

/// Hears how far a run is.
pub(crate) type OnProgress<'a> = &'a mut dyn FnMut(ProgressNotice);

/// What the daemon said to a request.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// A command was accepted; `what` is its name in a receipt.
    Accepted { what: &'static str, accepted: Box<Accepted> },
    /// A note was taken.
    Noted(Note),
    /// The command is done; one sentence says so.
    Done(String),
    /// Something to read that is no part of the log.
    Page(Picture),
}

impl Request {
    pub(crate) fn new(
        send: impl Fn(&mut Client, OnProgress<'_>) -> Result<Answer, Failure> + Send + 'static,
    ) -> Self {
        Self(Box::new(send))
    }

    /// A command of the session under a new id.
    pub(crate) fn command<C: Commands>(
        what: &'static str,
        from: Attached,
        command: &C,
        blobs: Vec<Blob>,
    ) -> Self {
        let session = from.session.to_string();
        let params = DoParams { role: from.role, ..params(Some(&session), command, blobs) };
        Self::new(move |client, _| {
            Ok(Answer::Accepted { what, accepted: Box::new(client.call::<Do>(&params)?) })
        })
    }

    /// A request for a hint, or for the reference solution. One that was given before comes with the
    /// answer and in no event.
    pub(crate) fn hint<C: Commands>(what: &'static str, from: Attached, command: &C) -> Self {
        let Self(send) = Self::command(what, from, command, Vec::new());
        Self::new(move |client, on_progress| {
            let answer = send(client, on_progress)?;
            let Answer::Accepted { accepted, .. } = &answer else { return Ok(answer) };
            if !accepted.events.is_empty() {
                return Ok(answer);
            }
            let Some(told) = accepted.result.clone() else { return Ok(answer) };
            let hint = HintAnswer::from_json(told);
            let hint = hint.map_err(|error| Failure::misread("session.do", &error))?;
            Ok(Answer::Page(Picture::new(move |look| {
                talk::hint(&hint.given, hint.above.as_ref(), look)
            })))
        })
    }

    /// A run of the visible cases, those that are kept, and these on a file; it counts for nothing.
    pub(crate) fn trial(file: &CodeFile, cases: Vec<OwnCase>, session: SessionId) -> Self {
        let trial = Trial { problem: None, session: Some(session.to_string()), cases };
        let file = file.clone();
        Self::new(move |client, on_progress| {
            let card = trial.card(client)?;
            let trial = trial.clone().with_kept(client, &card)?;
            let evaluation = trial.run(client, file.clone(), on_progress)?;
            let draw = move |look: &_| talk::tested(&evaluation, &card.cases, look);
            Ok(Answer::Page(Picture::new(draw)))
        })
    }

    /// The problem of a session.
    pub(crate) fn problem(session: SessionId, language: Language) -> Self {
        Self::new(move |client, _| {
            let card = problem_of(client, session)?;
            Ok(Answer::Page(Picture::new(move |look| problem::card(&card, language, look))))
        })
    }

    /// The last verdict with all that was said about it.
    pub(crate) fn result(session: SessionId) -> Self {
        Self::new(move |client, _| Ok(Answer::Page(judged::last(client, session)?)))
    }

    /// The code of a submission; without a number of the last.
    pub(crate) fn code(session: SessionId, number: Option<u32>) -> Self {
        Self::new(move |client, _| Ok(Answer::Page(judged::code(client, session, number)?)))
    }

    /// What a session teaches, once it is over.
    pub(crate) fn report(session: SessionId) -> Self {
        let params = SessionParams { session: Some(session.to_string()) };
        Self::new(move |client, _| {
            let report = client.call::<service::Report>(&params)?;
            Ok(Answer::Page(Picture::new(move |look| report::report(&report, look))))
        })
    }

    /// What is worth reading when the session is over.
    pub(crate) fn discussion(session: SessionId) -> Self {
        let params = SessionParams { session: Some(session.to_string()) };
        Self::new(move |client, _| {
            let read = client.call::<ProblemDiscuss>(&params)?;
            Ok(Answer::Page(Picture::new(move |look| problem::discussion(&read, look))))
        })
    }

    /// A private note of the interviewer.
    pub(crate) fn note(text: &str, session: SessionId) -> Result<Self, Failure> {
        let params = NoteAddParams {
            session: Some(session.to_string()),
            command_id: new_command(),
            role: Role::Interviewer,
            text: checked(text)?.to_owned(),
            event_id: None,
        };
        Ok(Self::new(move |client, _| Ok(Answer::Noted(client.call::<NoteAdd>(&params)?.note))))
    }

    pub(crate) fn send(
        &self,
        client: &mut Client,
        on_progress: OnProgress<'_>,
    ) -> Result<Answer, Failure> {
        (self.0)(client, on_progress)
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Request")
    }
}
