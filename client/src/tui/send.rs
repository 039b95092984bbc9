//! Sends one thing at a time on a connection of its own, and repeats it under the same id until
//! the daemon has answered.

use std::sync::mpsc::{Receiver, SyncSender};

use crate::client::{Backoff, Client};
use crate::errors::{Failure, code};
use crate::intent::Words;
use crate::intent::request::{Answer, Attached, Request};
use crate::tui::app::{Dispatch, Msg};

/// Sends what comes, one after the other, until nobody listens any more.
pub(crate) fn serve<W: Words>(
    mut client: Client,
    from: Attached,
    outbox: &Receiver<Dispatch<W::Intent>>,
    out: &SyncSender<Msg<W::View>>,
) {
    while let Ok(dispatch) = outbox.recv() {
        let request = match dispatch {
            Dispatch::Do(intent) => W::request(intent, from),
            Dispatch::Tell(intent) => {
                // It is told again while it holds, so nothing is lost with it.
                if let Ok(told) = W::request(intent, from) {
                    told.send(&mut client, &mut |_| {}).ok();
                }
                continue;
            }
            Dispatch::Report => Ok(Request::report(from.session)),
            Dispatch::Code(number) => Ok(Request::code(from.session, number)),
            Dispatch::Discussion => Ok(Request::discussion(from.session)),
            Dispatch::Note(text) => Request::note(&text, from.session),
        };
        let answer = match request {
            Ok(request) => match until_answered(&request, &mut client, out) {
                Some(answer) => answer,
                None => return,
            },
            Err(failure) => Err(failure),
        };
        if out.send(Msg::Answered(answer)).is_err() {
            return;
        }
    }
}

/// None when nobody listens any more.
fn until_answered<V>(
    request: &Request,
    client: &mut Client,
    out: &SyncSender<Msg<V>>,
) -> Option<Result<Answer, Failure>> {
    let mut backoff = Backoff::default();
    loop {
        let mut on_progress = |progress| drop(out.send(Msg::Progress(progress)));
        match request.send(client, &mut on_progress) {
            Err(failure) if passes(&failure) => {
                // An answer that comes late belongs to a request that is not waited for.
                client.disconnect();
                out.send(Msg::Waiting).ok()?;
                client.pause(backoff.next()).ok()?;
            }
            answer => return Some(answer),
        }
    }
}

/// Whether a failure ends by itself: the daemon is away and may come back.
fn passes(failure: &Failure) -> bool {
    let away = [
        code::CONNECTION_FAILED,
        code::DAEMON_NOT_RUNNING,
        code::DAEMON_UNREACHED,
        code::NO_ANSWER,
    ];
    away.iter().any(|&code| failure.is(code))
}
