//! A small daemon in a thread, which does what the test tells it to.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use vosim_protocol::Kind;

use crate::client::{AutoStart, Client};
use crate::places::Places;
use crate::render::samples;

/// Long enough for a busy machine; a test that waits this long has failed.
pub(crate) const LONG: Duration = Duration::from_secs(20);

/// One accepted connection, seen from the daemon's side.
pub(crate) struct Peer {
    pub(crate) stream: UnixStream,
    lines: BufReader<UnixStream>,
}

pub(crate) struct Asked {
    id: u64,
    pub(crate) method: String,
    pub(crate) params: Value,
}

impl Peer {
    pub(crate) fn asked(&mut self) -> Asked {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        let mut json: Value = serde_json::from_str(&line).unwrap();
        Asked {
            id: json["id"].as_u64().unwrap(),
            method: json["method"].as_str().unwrap().to_owned(),
            params: json["params"].take(),
        }
    }

    pub(crate) fn send(&mut self, json: &Value) {
        self.stream.write_all(format!("{json}\n").as_bytes()).unwrap();
    }

    pub(crate) fn answer(&mut self, asked: &Asked, result: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": asked.id, "result": result }));
    }

    pub(crate) fn refuse(&mut self, asked: &Asked, error: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": asked.id, "error": error }));
    }

    pub(crate) fn welcome(&mut self, store: u8) {
        let asked = self.asked();
        assert_eq!(asked.method, "hello");
        self.answer(
            &asked,
            &json!({
                "protocol": 1, "daemon": { "name": "vosimd", "version": "0" }, "pid": 1,
                "started": samples::at(0), "capabilities": [], "frame_max_bytes": 1_048_576,
                "store_id": format!("00000000-0000-4000-8000-0000000000{store:02}"),
            }),
        );
    }

    /// Answers a subscription and tells from where it was asked for.
    pub(crate) fn subscribed(&mut self, subscription: u64) -> u64 {
        let asked = self.asked();
        assert_eq!(asked.method, "session.subscribe");
        assert_eq!(asked.params["session"], samples::session().to_string(), "a whole id");
        let after = asked.params["from"].as_u64().unwrap();
        self.answer(
            &asked,
            &json!({
                "subscription": subscription, "session_id": samples::session(), "kind": "drill",
                "after": after,
            }),
        );
        after
    }

    /// Shows a session.
    pub(crate) fn viewed(&mut self, kind: Kind, view: &impl serde::Serialize) -> Value {
        let asked = self.asked();
        assert_eq!(asked.method, "session.view");
        let now = samples::at(12);
        self.answer(&asked, &json!({ "session_id": samples::session(), "kind": kind, "cursor": 9, "now": now, "view": view }));
        asked.params
    }

    pub(crate) fn event(&mut self, subscription: u64, id: u64) {
        self.named(subscription, id, "X");
    }

    pub(crate) fn named(&mut self, subscription: u64, id: u64, event_type: &str) {
        let record = samples::record(id, event_type, json!({}));
        let params = json!({ "subscription": subscription, "record": record });
        self.send(&json!({ "jsonrpc": "2.0", "method": "event", "params": params }));
    }
}

pub(crate) type Script = Box<dyn FnOnce(&mut Peer) + Send>;

pub(crate) struct Daemon {
    dir: TempDir,
    thread: JoinHandle<()>,
}

impl Daemon {
    /// Accepts one connection for each script, one after another.
    pub(crate) fn new(scripts: Vec<Script>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(Places::in_folder(dir.path()).socket).unwrap();
        let thread = std::thread::spawn(move || {
            for script in scripts {
                let stream = listener.accept().unwrap().0;
                let lines = BufReader::new(stream.try_clone().unwrap());
                script(&mut Peer { stream, lines });
            }
        });
        Self { dir, thread }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(Places::in_folder(self.dir.path()), AutoStart::No)
    }

    /// A failed assertion of a script fails the test.
    pub(crate) fn done(self) {
        self.thread.join().unwrap();
    }
}

pub(crate) fn script(script: impl FnOnce(&mut Peer) + Send + 'static) -> Script {
    Box::new(script)
}

pub(crate) fn status_result() -> Value {
    json!({
        "daemon": { "name": "vosimd", "version": "0" }, "pid": 1, "started": samples::at(0),
        "data": "/d", "sessions": 0, "awake": 0, "connections": 1,
    })
}

pub(crate) fn accepted() -> Value {
    json!({ "session_id": samples::session(), "kind": "drill", "cursor": 7, "events": [] })
}
