//! A server of models on loopback that answers by a rule, and keeps what it was asked.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use vosim_protocol::wire::Json;

/// How it answers one request.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// With this text, under its own name.
    Text(String),
    /// With this text, under the name of another model.
    OfAnother(String),
    /// With this status and these headers.
    Status(u16, &'static str),
    /// With half a stream.
    Cut,
    /// With what is no reply.
    Garbled,
    /// Not at all.
    Hang,
}

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum For {
    Words,
    Assistant,
    Evidence,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) wanted: For,
    pub(crate) user: String,
    pub(crate) whole: String,
}

impl Request {
    /// What stands between the marks of a text that is to be reworded.
    pub(crate) fn text(&self) -> &str {
        let inside =
            self.user.rsplit_once("<text>\n").and_then(|(_, text)| text.split_once("\n</text>"));
        inside.map_or("", |(text, _)| text)
    }
}

type Rule = Box<dyn Fn(&Request) -> Answer + Send + Sync>;

/// The server. Its threads end with the process of the test.
pub(crate) struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub(crate) fn new(rule: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (rule, asked): (Arc<Rule>, _) = (Arc::new(Box::new(rule)), Arc::default());
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (rule, kept) = (Arc::clone(&rule), Arc::clone(&kept));
                std::thread::spawn(move || serve(&stream, &rule, &kept));
            }
        });
        Self { address, asked }
    }

    /// The settings that name it.
    pub(crate) fn settings(&self) -> String {
        let address = self.address;
        format!(
            "[model]\nkind = \"openai\"\naddress = \"http://{address}/v1\"\nname = \"small-3b\"\n"
        )
    }

    pub(crate) fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(stream: &TcpStream, rule: &Rule, kept: &Mutex<Vec<Request>>) {
    let Some(request) = read(stream) else { return };
    kept.lock().unwrap().push(request.clone());
    let mut out = stream;
    let answer = rule(&request);
    // A client that goes in the middle is one of the cases.
    drop(match answer {
        Answer::Text(text) => json(out, &reply(&text, "small-3b")),
        Answer::OfAnother(text) => json(out, &reply(&text, "other-7b")),
        Answer::Status(status, headers) => write!(
            out,
            "HTTP/1.1 {status} Told\r\nconnection: close\r\n{headers}content-length: 2\r\n\r\n{{}}"
        ),
        Answer::Cut => {
            let piece = "data: {\"choices\":[{\"delta\":{\"content\":\"What does\"}}]}\n\n";
            write!(
                out,
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\
                 transfer-encoding: chunked\r\n\r\n{:x}\r\n{piece}\r\n",
                piece.len()
            )
        }
        Answer::Garbled => json(out, "{\"choices\": ["),
        Answer::Hang => out.read(&mut [0]).map(drop),
    });
}

fn reply(text: &str, model: &str) -> String {
    serde_json::json!({
        "model": model,
        "choices": [{ "message": { "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 10 },
    })
    .to_string()
}

fn json(mut out: &TcpStream, body: &str) -> std::io::Result<()> {
    write!(
        out,
        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut from = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            if line.trim_end().is_empty() {
                break;
            }
            continue;
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    let body: Json = serde_json::from_slice(&body).ok()?;
    let of = |role: &str| {
        let mut said = body["messages"].as_array()?.iter();
        said.find(|said| said["role"] == role)?["content"].as_str().map(str::to_owned)
    };
    let system = of("system").unwrap_or_default();
    let wanted = match &system {
        system if system.starts_with("You put a short text") => For::Words,
        system if system.starts_with("You help a candidate") => For::Assistant,
        _ => For::Evidence,
    };
    Some(Request { wanted, user: of("user").unwrap_or_default(), whole: body.to_string() })
}
