//! A server of models that answers as it was told to, and checks every request that it gets.
//!
//! It is made of the standard library alone, so that it can break a reply at any byte.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use serde_json::Value;
use tokio::sync::Notify;

/// How it answers one request.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// With this status, these further headers and this body.
    Status(u16, &'static str, String),
    /// With an event stream of these pieces, which ends as a stream should.
    Stream(Vec<String>),
    /// With these pieces, and an end in the middle of the transfer.
    Broken(Vec<String>),
    /// Not at all, until the client goes.
    Hang,
}

/// What a request was.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
    pub(crate) body: Value,
}

/// A server on loopback.
#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    answers: usize,
    thread: JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    asked: Mutex<Vec<Asked>>,
    /// What was wrong with requests.
    wrong: Mutex<Vec<String>>,
    window_tokens: Option<u64>,
    /// Rung when a request was read that gets no answer, and when its client has gone.
    hangs: Notify,
    gone: Notify,
}

impl Server {
    /// Answers one request after the other, each on its own connection.
    pub(crate) fn new(answers: Vec<Answer>) -> Self {
        Self::with_window(answers, None)
    }

    /// Holds requests to a window as well.
    pub(crate) fn with_window(answers: Vec<Answer>, window_tokens: Option<u64>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            asked: Mutex::default(),
            wrong: Mutex::default(),
            window_tokens,
            hangs: Notify::new(),
            gone: Notify::new(),
        });
        let count = answers.len();
        let of_thread = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            for answer in answers {
                let (stream, _) = listener.accept().unwrap();
                of_thread.serve(&stream, &answer);
            }
        });
        Self { address, shared, answers: count, thread }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Ends when a request hangs.
    pub(crate) async fn hangs(&self) {
        self.shared.hangs.notified().await;
    }

    /// Ends when the client of a hanging request has gone.
    pub(crate) async fn client_gone(&self) {
        self.shared.gone.notified().await;
    }

    /// All requests, which have to be right, and of which there have to be as many as answers.
    pub(crate) fn finish(self) -> Vec<Asked> {
        let wrong = self.shared.wrong.lock().unwrap().clone();
        assert!(wrong.is_empty(), "{wrong:#?}");
        let asked = self.shared.asked.lock().unwrap().clone();
        assert_eq!(asked.len(), self.answers, "requests and answers");
        // Every answer has its request, so the thread is at its end.
        self.thread.join().unwrap();
        asked
    }
}

impl Shared {
    fn serve(&self, stream: &TcpStream, answer: &Answer) {
        let asked = read(stream);
        let wrong = invariants(&asked, self.window_tokens);
        self.wrong.lock().unwrap().extend(wrong);
        self.asked.lock().unwrap().push(asked);
        let mut out = stream;
        // A client that goes in the middle is one of the cases.
        drop(match answer {
            Answer::Status(status, headers, body) => {
                let length = body.len();
                write!(
                    out,
                    "HTTP/1.1 {status} Told\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
                )
            }
            Answer::Stream(pieces) => chunked(out, pieces).and_then(|()| write!(out, "0\r\n\r\n")),
            Answer::Broken(pieces) => chunked(out, pieces),
            Answer::Hang => {
                self.hangs.notify_one();
                let mut rest = [0; 1];
                let ended = out.read(&mut rest);
                self.gone.notify_one();
                ended.map(|_| ())
            }
        });
    }
}

fn chunked(mut out: &TcpStream, pieces: &[String]) -> std::io::Result<()> {
    write!(
        out,
        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\
         transfer-encoding: chunked\r\n\r\n"
    )?;
    for piece in pieces {
        write!(out, "{:x}\r\n{piece}\r\n", piece.len())?;
        out.flush()?;
    }
    Ok(())
}

fn read(stream: &TcpStream) -> Asked {
    let mut from = BufReader::new(stream);
    let mut line = String::new();
    from.read_line(&mut line).unwrap();
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let (mut length, mut authorization) = (0, None);
    loop {
        let mut header = String::new();
        from.read_line(&mut header).unwrap();
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        match name.to_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "authorization" => authorization = Some(value.to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).unwrap();
    let body = if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).unwrap() };
    Asked { path, authorization, body }
}

/// What is wrong with a request: each call has exactly one result, directly after it, and all of it
/// fits under the window with its reply.
fn invariants(asked: &Asked, window_tokens: Option<u64>) -> Vec<String> {
    let mut wrong = Vec::new();
    let Some(messages) = asked.body["messages"].as_array() else { return wrong };
    let mut open: Option<String> = None;
    for (at, message) in messages.iter().enumerate() {
        let role = message["role"].as_str().unwrap_or_default();
        let result_of = message["tool_call_id"].as_str();
        match (open.take(), role) {
            (Some(id), "tool") if result_of == Some(id.as_str()) => {}
            (Some(id), _) => wrong.push(format!("message {at}: {id} has no result: {message}")),
            (None, "tool") => {
                wrong.push(format!("message {at}: a result without a call: {message}"));
            }
            (None, "system" | "user" | "assistant") => {}
            (None, _) => wrong.push(format!("message {at}: nobody speaks: {message}")),
        }
        if role == "system" && at > 0 {
            wrong.push(format!("message {at}: instructions after the beginning"));
        }
        if let Some(calls) = message["tool_calls"].as_array() {
            let ids: Vec<_> = calls.iter().filter_map(|call| call["id"].as_str()).collect();
            let [id] = ids[..] else {
                wrong.push(format!("message {at}: {} calls", ids.len()));
                continue;
            };
            let arguments = calls[0]["function"]["arguments"].as_str().unwrap_or_default();
            if !serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object()) {
                wrong.push(format!("message {at}: arguments that are no object: {arguments}"));
            }
            open = Some(id.to_owned());
        }
    }
    if let Some(id) = open {
        wrong.push(format!("{id} has no result at the end"));
    }
    let reply = asked.body["max_tokens"].as_u64().unwrap_or_default();
    let bytes = asked.body["messages"].to_string().len() + asked.body["tools"].to_string().len();
    let tokens = bytes as u64 / 4 + reply;
    if window_tokens.is_some_and(|window| tokens > window) {
        wrong.push(format!("{tokens} tokens are over the window"));
    }
    wrong
}
