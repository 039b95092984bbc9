//! What all of these tests share: requests, pieces of streams, and a time that passes at once.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use vosim_agent::model::{
    Call, Endpoint, Exchange, Limits, Message, Openai, Pause, Reply, Request, Said, Secret, Tool,
    ToolForm, consult,
};
use vosim_protocol::v1::agent::AgentRole;

use super::server::Server;

/// Notes each wait and lets it end at once. The time for a try is over only when somebody says so.
#[derive(Debug, Default)]
pub(crate) struct Waits {
    seen: Mutex<Vec<Duration>>,
    pub(crate) try_is_over: Arc<tokio::sync::Notify>,
}

impl Pause for Waits {
    fn pause(&self, wait: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        if wait == Duration::from_secs(TRY_SECS) {
            let over = Arc::clone(&self.try_is_over);
            return Box::pin(async move { over.notified().await });
        }
        self.seen.lock().unwrap().push(wait);
        Box::pin(std::future::ready(()))
    }
}

impl Waits {
    pub(crate) fn seen(&self) -> Vec<Duration> {
        self.seen.lock().unwrap().clone()
    }
}

pub(crate) const TRY_SECS: u64 = 777;

/// What a coder is asked first.
pub(crate) fn request() -> Request {
    let path = json!({
        "type": "object",
        "properties": { "path": { "type": "string" } },
        "required": ["path"],
        "additionalProperties": false,
    });
    Request {
        role: AgentRole::Coder,
        iteration: 1,
        messages: vec![
            Message::System { text: "Write code.".into() },
            Message::User { text: "Add numbers up.".into() },
        ],
        tools: vec![Tool {
            name: "read_file".into(),
            about: "Reads a file.".into(),
            arguments: path,
        }],
        answer: None,
        limits: Limits { temperature_hundredths: 20, reply_tokens_max: 64, try_secs: TRY_SECS },
    }
}

/// The request after a call with this result.
pub(crate) fn after_call(request: &Request, arguments: &str, result: &str) -> Request {
    let mut next = request.clone();
    let id = request.next_call_id();
    let call = Call { id: id.clone(), tool: "read_file".into(), arguments: arguments.into() };
    next.messages.push(Message::Model { text: String::new(), call: Some(call) });
    next.messages.push(Message::Result { call: id, text: result.into() });
    next
}

pub(crate) fn endpoint(server: &Server) -> Endpoint {
    Endpoint::new(&server.address(), "small", None).unwrap().with_tools(ToolForm::Native)
}

pub(crate) fn endpoint_with_key(server: &Server, key: &str) -> Endpoint {
    let key = Secret::new(key, "the test").unwrap();
    let endpoint = Endpoint::new(&server.address(), "small", Some(key)).unwrap();
    endpoint.with_tools(ToolForm::Native)
}

/// Asks a server, waiting up to a minute where it wants that.
pub(crate) async fn ask(server: &Server, request: Request) -> (Exchange, Vec<u64>) {
    let model = Openai::new(endpoint(server)).unwrap();
    ask_model(&model, request).await
}

pub(crate) async fn ask_model(model: &Openai, request: Request) -> (Exchange, Vec<u64>) {
    let waits = Arc::new(Waits::default());
    let exchange = consult(model, request, Duration::from_secs(60), waits.clone()).await;
    let seen = waits.seen().iter().map(Duration::as_secs).collect();
    (exchange, seen)
}

pub(crate) fn reply(exchange: &Exchange) -> Reply {
    exchange.ending.clone().unwrap_or_else(|fault| panic!("{fault}"))
}

pub(crate) fn said(exchange: &Exchange) -> Said {
    reply(exchange).said
}

pub(crate) fn text(text: &str) -> Said {
    Said::Text { text: text.to_owned() }
}

/// One event of a stream.
pub(crate) fn event(piece: &Value) -> String {
    format!("data: {piece}\n\n")
}

/// An event with a delta.
pub(crate) fn delta(delta: &Value) -> String {
    event(&json!({ "model": "small", "choices": [{ "index": 0, "delta": delta }] }))
}

/// An event with the reason of the end.
pub(crate) fn finish(reason: &str) -> String {
    event(&json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] }))
}

pub(crate) fn done() -> String {
    "data: [DONE]\n\n".to_owned()
}

/// A stream that says a text.
pub(crate) fn speech(words: &str) -> Vec<String> {
    vec![delta(&json!({ "role": "assistant", "content": words })), finish("stop"), done()]
}
