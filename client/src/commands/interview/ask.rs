//! `ask`: a question to the assistant; the command waits for the answer.
//!
//! Ctrl-C only stops the waiting: the answer is written down all the same.

use std::time::Duration;

use vosim_protocol::v1::assistant::AskKind;

use vosim_protocol::v1::interview::{AssistantResponse, Command};
use vosim_protocol::v1::service::Accepted;
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{EventId, EventRecord, Role, SessionId};

use crate::cli;
use crate::client::Client;
use crate::code_file::CodeFile;
use crate::commands::call::payload;
use crate::commands::interview::sending::{receipt, send, text_of};
use crate::commands::interview::wait::{Awaited, wait_for};
use crate::commands::{Context, session};
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
    let code = file.map(CodeFile::asked_about).transpose()?;
    let mut client = context.client()?;
    let view = session::interview(&mut client, context, "ask")?;
    client.catch_interrupts()?;
    let accepted = send_question(&mut client, view.session_id, kind, question, code)?;
    receipt("Your question", &accepted, &view, output)?;
    match answer(&mut client, &accepted, output) {
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

/// Sends a question, with the code it is about.
pub(crate) fn send_question(
    client: &mut Client,
    session: SessionId,
    kind: AskKind,
    question: String,
    code: Option<CodeFile>,
) -> Result<Accepted, Failure> {
    let code = code.map(|file| file.code);
    let reference = code.as_ref().map(vosim_protocol::Blob::reference);
    let ask = Command::Ask { kind, question, code: reference };
    send(client, session, &ask, code.into_iter().collect())
}

/// Waits for the answer to an accepted question.
pub(crate) fn answer(
    client: &mut Client,
    accepted: &Accepted,
    output: Output,
) -> Result<ToldRecord, Failure> {
    let asked = accepted.events.iter().find(|record| record.event_type == "ASSISTANT_QUERY");
    let asked = asked.map(|record| record.event_id);
    if let Some(answer) = accepted.events.iter().find(|record| answers(record, asked)) {
        return Ok(answer.clone());
    }
    wait_for(client, accepted, ANSWER, output, |record| {
        payload::<AssistantResponse>(record, "ASSISTANT_RESPONSE")?;
        Ok(answers(record, asked).then(|| record.clone()))
    })
}

/// True for the answer to this question, not to an earlier one.
fn answers(record: &EventRecord, asked: Option<EventId>) -> bool {
    let request = payload::<AssistantResponse>(record, "ASSISTANT_RESPONSE");
    request.is_ok_and(|answer| answer.is_some_and(|answer| Some(answer.request) == asked))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::client::peer::{Daemon, Peer, accepted, script};
    use crate::render::samples;

    fn asked() -> Accepted {
        let payload = json!({ "section_id": "frame", "kind": "concept", "question": "what" });
        let mut accepted: Accepted = serde_json::from_value(accepted()).unwrap();
        accepted.events = vec![samples::record(7, "ASSISTANT_QUERY", payload)];
        accepted
    }

    fn response(request: u64) -> serde_json::Value {
        json!({ "request": request, "text": format!("to {request}"), "released_tokens": 0 })
    }

    /// A daemon in which these events follow.
    fn telling(events: Vec<(u64, &'static str, serde_json::Value)>) -> Daemon {
        Daemon::new(vec![script(move |peer: &mut Peer| {
            peer.welcome(1);
            assert_eq!(peer.subscribed(1), 7);
            for (id, event_type, payload) in events {
                let record = samples::record(id, event_type, payload);
                let params = json!({ "subscription": 1, "record": record });
                peer.send(&json!({ "method": "event", "params": params }));
            }
        })])
    }

    #[test]
    fn the_answer_to_another_question_is_not_taken() {
        let daemon = telling(vec![
            (8, "ASSISTANT_RESPONSE", response(5)),
            (9, "SOLUTION_SAVED", json!({})),
            (10, "ASSISTANT_RESPONSE", response(7)),
        ]);
        let answer = answer(&mut daemon.client(), &asked(), Output::TEST).unwrap();
        assert_eq!(answer.payload["text"], "to 7");
        daemon.done();
    }

    #[test]
    fn an_answer_that_came_at_once_is_not_waited_for() {
        let mut accepted = asked();
        accepted.events.push(samples::record(8, "ASSISTANT_RESPONSE", response(7)));
        let daemon = Daemon::new(vec![]);
        let answer = answer(&mut daemon.client(), &accepted, Output::TEST).unwrap();
        assert_eq!(answer.event_id, EventId(8));
        daemon.done();
    }

    #[test]
    fn an_interview_that_ends_meanwhile_is_told() {
        let ended = json!({ "reason": "abandoned" });
        let daemon = telling(vec![(8, "INTERVIEW_TERMINATED", ended)]);
        let told = answer(&mut daemon.client(), &asked(), Output::TEST).unwrap_err();
        assert_eq!(told.to_string(), "the session ended before the assistant's answer came");
        daemon.done();
    }
}
