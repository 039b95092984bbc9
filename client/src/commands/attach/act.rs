//! What a typed line does, without printing anything.

use vosim_protocol::v1::service::{View, ViewParams};
use vosim_protocol::{Role, SessionId, Wire as _};

use crate::client::Client;
use crate::errors::Failure;
use crate::intent::request::{Answer, Attached, Request};
use crate::intent::{Wish, Words, may_note, parse};

/// What became of a line.
#[derive(Debug)]
pub(crate) enum Step {
    /// There was nothing in it.
    Nothing,
    /// It is the terminal's to do: nothing was asked of the daemon.
    Status,
    Help,
    Quit,
    /// The daemon has answered.
    Done(Answer),
}

/// Does what a line asks for, as far as the role and the kind of the session allow it.
pub(crate) fn act<W: Words>(
    line: &str,
    role: Role,
    session: SessionId,
    client: &mut Client,
) -> Result<Step, Failure> {
    let intent = match parse::<W>(line)? {
        None => return Ok(Step::Nothing),
        Some(Wish::Status) => return Ok(Step::Status),
        Some(Wish::Help) => return Ok(Step::Help),
        Some(Wish::Quit) => return Ok(Step::Quit),
        Some(Wish::Discussion) => {
            let answer = Request::discussion(session).send(client, &mut |_| {})?;
            return Ok(Step::Done(answer));
        }
        Some(Wish::Report) => {
            return Ok(Step::Done(Request::report(session).send(client, &mut |_| {})?));
        }
        Some(Wish::Code(number)) => {
            return Ok(Step::Done(Request::code(session, number).send(client, &mut |_| {})?));
        }
        Some(Wish::Note(text)) => {
            may_note(role)?;
            let answer = Request::note(&text, session)?.send(client, &mut |_| {})?;
            return Ok(Step::Done(answer));
        }
        Some(Wish::Do(intent)) => intent,
    };
    W::may(role, &intent)?;
    let intent = match W::is_whole(&intent) {
        true => intent,
        false => W::completed(intent, &view::<W>(session, role, client)?, None),
    };
    let answer = W::request(intent, Attached { session, role })?.send(client, &mut |_| {})?;
    Ok(Step::Done(answer))
}

/// What the session shows now.
fn view<W: Words>(session: SessionId, role: Role, client: &mut Client) -> Result<W::View, Failure> {
    let params = ViewParams { session: Some(session.to_string()), role };
    let view = client.call::<View>(&params)?.view;
    W::View::from_json(view).map_err(|error| Failure::misread("session.view", &error))
}

#[cfg(test)]
mod tests;
