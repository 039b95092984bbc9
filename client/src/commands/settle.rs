//! Waiting until a command has settled: the one way in which a command of the client waits for what
//! it has asked for.
//!
//! A connection that is lost meanwhile is made again, and the command sent again under its id: the
//! daemon answers from its log and goes on telling. Ctrl-C ends the waiting and nothing else
//! (DECISIONS 31).

use std::time::Duration;

use serde::de::DeserializeOwned;
use vosim_protocol::v1::service::{Accepted, Do, DoParams, ProgressNotice};
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{ErrorCode, Json, StoreId};

use crate::client::Client;
use crate::errors::{Failure, user_error};
use crate::follow::{Happening, Stream, overdue, unjudged};
use crate::output::Output;
use crate::render::progress;
use crate::render::text::sentence;

/// What is waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Awaited {
    /// In words: `the answer`.
    pub(crate) what: &'static str,
    /// How long nothing at all may be heard.
    pub(crate) patience: Duration,
}

/// A command that was accepted and is followed.
#[derive(Debug)]
pub(crate) struct Given {
    params: DoParams,
    pub(crate) accepted: Accepted,
    /// The connection on which it is followed, and the store that took it.
    on: (u64, Option<StoreId>),
}

/// Gives a command that is to be followed.
pub(crate) fn give(client: &mut Client, params: DoParams) -> Result<Given, Failure> {
    let params = DoParams { follow: true, ..params };
    let accepted = client.call::<Do>(&params)?;
    Ok(Given { params, accepted, on: (client.connection_number(), client.store_id()) })
}

impl Given {
    /// Follows the command until it has settled, and hands each event on; none where the session
    /// ended before there was a result.
    pub(crate) fn settled<T: DeserializeOwned>(
        &self,
        client: &mut Client,
        awaited: Awaited,
        output: Output,
        told: impl FnMut(&ToldRecord) -> Result<(), Failure>,
    ) -> Result<Option<T>, Failure> {
        let settled = self.follow(client, awaited, output, told);
        output.progress_done();
        let read = |result| serde_json::from_value(result);
        settled?.map(read).transpose().map_err(|error| Failure::misread("session.do", &error))
    }

    fn follow(
        &self,
        client: &mut Client,
        awaited: Awaited,
        output: Output,
        mut told: impl FnMut(&ToldRecord) -> Result<(), Failure>,
    ) -> Result<Option<Json>, Failure> {
        let mut stream = Stream::of_command(client, self.params.clone(), &self.accepted, self.on);
        let mut hindrance = Hindrance::default();
        loop {
            match stream.next(awaited.patience)? {
                Happening::Settled(result) => return Ok(result),
                Happening::Event(record) => {
                    output.json(&record)?;
                    told(&record)?;
                }
                Happening::Progress(progress) => hindrance.told(&progress, output),
                Happening::Nothing => return Err(overdue(awaited.what, awaited.patience)),
                Happening::Reconnecting(_) => {
                    output.progress_done();
                    output.note("The connection to vosimd was lost; reconnecting ...");
                }
                Happening::Reconnected => output.note("Connected again."),
                Happening::OtherStore => {
                    return Err(unjudged("vosimd has another store now"));
                }
                Happening::Presence(_) | Happening::Typed => {}
            }
        }
    }
}

/// What keeps something from going on, as it was told last: it comes again with each try.
#[derive(Debug, Default)]
pub(crate) struct Hindrance(String);

impl Hindrance {
    /// Shows how far something is, or tells what it waits for.
    pub(crate) fn told(&mut self, progress: &ProgressNotice, output: Output) {
        if !progress.hindered {
            output.progress(&progress::line(progress, output.look()));
        } else if let Some(text) = self.news(progress) {
            output.progress_done();
            output.note(&text);
        }
    }

    /// What keeps it from going on, in a sentence, unless that was told already.
    pub(crate) fn news(&mut self, progress: &ProgressNotice) -> Option<String> {
        if !progress.hindered || self.0 == progress.text {
            return None;
        }
        self.0.clone_from(&progress.text);
        Some(format!("{}.", sentence(&progress.text)))
    }
}

/// The session ended before what was asked for came.
pub(crate) fn ended_before(what: &str) -> Failure {
    user_error(ErrorCode::SessionEnded, format!("the session ended before {what} came"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use vosim_protocol::Kind;
    use vosim_protocol::v1::hints::HintGiven;
    use vosim_protocol::v1::service::{Nothing, Status};

    use super::*;
    use crate::client::new_command;
    use crate::client::peer::{Daemon, LONG, Peer, script, status_result};
    use crate::render::samples;

    const HINT: Awaited = Awaited { what: "the hint", patience: LONG };

    fn params() -> DoParams {
        DoParams {
            session: None,
            kind: Some(Kind::Drill),
            command: "hint".to_owned(),
            command_id: new_command(),
            role: vosim_protocol::Role::Candidate,
            args: Json::Null,
            blobs: Vec::new(),
            if_cursor: None,
            follow: false,
        }
    }

    /// Takes a command that is followed; returns its parameters.
    fn takes(peer: &mut Peer) -> Value {
        let asked = peer.asked();
        assert_eq!((asked.method.as_str(), &asked.params["follow"]), ("session.do", &json!(true)));
        let accepted = json!({
            "session_id": samples::session(), "kind": "drill", "cursor": 7, "events": [],
            "subscription": 1,
        });
        peer.answer(&asked, &accepted);
        asked.params
    }

    fn settles(peer: &mut Peer, params: &Value, result: &Value) {
        let params = json!({
            "subscription": 1, "command_id": params["command_id"], "cursor": 9, "result": result,
        });
        peer.send(&json!({ "method": "settled", "params": params }));
    }

    fn hint(daemon: &Daemon, told: &mut Vec<u64>) -> Result<Option<HintGiven>, Failure> {
        let mut client = daemon.client();
        let given = give(&mut client, params())?;
        given.settled(&mut client, HINT, Output::TEST, |record| {
            told.push(record.event_id.0);
            Ok(())
        })
    }

    #[test]
    fn a_lost_connection_is_made_again_and_the_same_command_goes_on() {
        let first = std::sync::Arc::new(std::sync::Mutex::new(Value::Null));
        let again = std::sync::Arc::clone(&first);
        let daemon = Daemon::new(vec![
            script(move |peer| {
                peer.welcome(1);
                *first.lock().unwrap() = takes(peer);
                peer.event(1, 8);
            }),
            script(move |peer| {
                peer.welcome(1);
                let params = takes(peer);
                assert_eq!(params["command_id"], again.lock().unwrap()["command_id"]);
                assert_eq!(params["session"], samples::session().to_string(), "a whole id");
                peer.event(1, 8);
                peer.event(1, 9);
                let given = serde_json::to_value(samples::hint(1)).unwrap();
                settles(peer, &params, &given);
            }),
        ]);
        let mut told = Vec::new();
        let given = hint(&daemon, &mut told).unwrap();
        assert_eq!((given.map(|given| given.hint_level), told), (Some(1), vec![8, 9]));
        daemon.done();
    }

    #[test]
    fn a_connection_that_was_lost_by_another_question_is_noticed() {
        let daemon = Daemon::new(vec![
            script(|peer| {
                peer.welcome(1);
                takes(peer);
            }),
            script(|peer| {
                peer.welcome(1);
                let asked = peer.asked();
                peer.answer(&asked, &status_result());
                let params = takes(peer);
                settles(peer, &params, &Value::Null);
            }),
        ]);
        let mut client = daemon.client();
        let given = give(&mut client, params()).unwrap();
        client.call::<Status>(&Nothing {}).unwrap();
        let settled = given.settled::<HintGiven>(&mut client, HINT, Output::TEST, |_| Ok(()));
        assert_eq!(settled.unwrap(), None);
        daemon.done();
    }

    #[test]
    fn a_session_that_ends_first_leaves_nothing_to_show() {
        let daemon = Daemon::new(vec![script(|peer| {
            peer.welcome(1);
            let params = takes(peer);
            settles(peer, &params, &Value::Null);
        })]);
        assert_eq!(hint(&daemon, &mut Vec::new()).unwrap(), None);
        daemon.done();
    }

    #[test]
    fn another_store_does_not_go_on_with_the_command() {
        let daemon = Daemon::new(vec![
            script(|peer| {
                peer.welcome(1);
                takes(peer);
            }),
            script(|peer| {
                peer.welcome(2);
                takes(peer);
            }),
        ]);
        let told = hint(&daemon, &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(told, "the run ended without a verdict: vosimd has another store now");
        daemon.done();
    }
}
