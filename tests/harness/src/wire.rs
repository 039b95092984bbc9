//! [`Wire`]: a client that speaks the bare protocol, well or badly.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread::{self, JoinHandle};

use uuid::Uuid;
use vosim_protocol::frame::{FrameDecoder, encode};
use vosim_protocol::hello::{HelloParams, Software, VERSIONS, VersionRange};
use vosim_protocol::message::{ErrorObject, FromDaemon, Notice, Request, Response};
use vosim_protocol::v1::commands::Commands as _;
use vosim_protocol::v1::drill;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::{
    Accepted, Create, CreateParams, Do, DoParams, EVENT, EventNotice, From, Hello, Method,
    PRESENCE, PresenceNotice, SETTLED, SettledNotice, Subscribe, SubscribeParams, Subscribed, View,
    ViewParams,
};
use vosim_protocol::wire::{Json, Wire as _};
use vosim_protocol::{Blob, CommandId, EventId, EventRecord, Kind, Role, SessionId};

use crate::lines::PATIENCE;

/// One connection.
#[derive(Debug)]
pub struct Wire {
    stream: UnixStream,
    decoder: FrameDecoder,
    last_id: u64,
    notices: VecDeque<Notice>,
    answers: Vec<Response>,
    /// Every byte that came, for tests that look for what must not come.
    pub received: Vec<u8>,
    /// Every byte that went, for fixtures.
    pub sent: Vec<u8>,
}

/// A new user intention.
pub fn command() -> CommandId {
    CommandId(Uuid::new_v4())
}

/// An id for a session to be.
pub fn new_session() -> SessionId {
    SessionId(Uuid::new_v4())
}

/// The parameters of a command without bytes; its name is still to come.
pub fn params(session: SessionId, id: CommandId, args: Json) -> DoParams {
    DoParams { command: String::new(), args, blobs: Vec::new(), ..submit_params(session, id, "") }
}

/// The parameters of `submit` for a Python text, in a session of any kind.
pub fn submit_params(session: SessionId, id: CommandId, code: &str) -> DoParams {
    let blob = Blob(code.as_bytes().to_vec());
    let submit = drill::Command::Submit {
        file_path: "/home/ada/lru_cache.py".to_owned(),
        code: blob.reference(),
        language: Language::Python,
        again: false,
    };
    DoParams {
        session: Some(session.to_string()),
        kind: None,
        command: submit.name().to_owned(),
        command_id: id,
        role: Role::Candidate,
        args: submit.args(),
        blobs: vec![blob],
        if_cursor: None,
        follow: false,
    }
}

/// The same parameters for a command of this name, in a session of this kind.
pub fn named(kind: Kind, name: &str, params: &DoParams) -> DoParams {
    DoParams { kind: Some(kind), command: name.to_owned(), ..params.clone() }
}

impl Wire {
    /// Connects and says hello.
    pub fn connect(socket: &Path) -> Self {
        let mut wire = Self::raw(socket);
        wire.hello(VERSIONS).expect("the versions are the daemon's own");
        wire
    }

    /// Connects and says nothing.
    pub fn raw(socket: &Path) -> Self {
        let stream = UnixStream::connect(socket).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Self {
            stream,
            decoder: FrameDecoder::new(),
            last_id: 0,
            notices: VecDeque::new(),
            answers: Vec::new(),
            received: Vec::new(),
            sent: Vec::new(),
        }
    }

    /// Says hello with a range of versions.
    pub fn hello(&mut self, protocol: VersionRange) -> Result<Json, ErrorObject> {
        let client = Software { name: "test".to_owned(), version: "0".to_owned() };
        self.call(Hello::NAME, HelloParams { protocol, client, need: Vec::new() }.to_json())
    }

    /// Writes bytes as they are; the other side may have hung up.
    pub fn write(&mut self, bytes: &[u8]) {
        self.sent.extend_from_slice(bytes);
        write_to(&mut self.stream, bytes);
    }

    /// Writes pieces one by one while others read: who writes much and reads nothing meanwhile is not
    /// listened to any more.
    pub fn write_beside(&mut self, pieces: Vec<Vec<u8>>) -> JoinHandle<()> {
        self.sent.extend(pieces.iter().flatten());
        let mut stream = self.stream.try_clone().unwrap();
        thread::spawn(move || pieces.iter().for_each(|piece| write_to(&mut stream, piece)))
    }

    /// Sends a request; its number.
    pub fn send(&mut self, method: &str, params: Json) -> u64 {
        self.last_id += 1;
        let request = Request::new(self.last_id, method, params);
        let frame = encode(request.to_line()).unwrap();
        self.write(&frame);
        self.last_id
    }

    /// The answer to a request.
    pub fn answer(&mut self, id: u64) -> Result<Json, ErrorObject> {
        loop {
            let place = self.answers.iter().position(|answer| answer.id == Some(id.into()));
            if let Some(Response { result, error, .. }) = place.map(|at| self.answers.remove(at)) {
                return match error {
                    Some(error) => Err(error),
                    None => Ok(result.expect("an answer has a result or an error")),
                };
            }
            let frame = self.frame().expect("the connection was closed before the answer");
            self.keep(frame);
        }
    }

    /// Asks and waits for the answer.
    pub fn call(&mut self, method: &str, params: Json) -> Result<Json, ErrorObject> {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// The same in types.
    pub fn ask<M: Method>(&mut self, params: &M::Params) -> Result<M::Result, ErrorObject> {
        let result = self.call(M::NAME, params.to_json())?;
        Ok(M::Result::from_json(result).unwrap())
    }

    /// The next frame as it comes; none when the daemon has hung up.
    pub fn frame(&mut self) -> Option<FromDaemon> {
        loop {
            if let Some(frame) = self.decoder.next_frame().unwrap() {
                return Some(FromDaemon::from_bytes(frame).unwrap());
            }
            let mut buffer = vec![0; 64 * 1024];
            match self.stream.read(&mut buffer) {
                Ok(0) => return None,
                Ok(bytes) => {
                    self.received.extend_from_slice(&buffer[..bytes]);
                    self.decoder.push(&buffer[..bytes]);
                }
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
                Err(error) => panic!("nothing came from the daemon: {error}"),
            }
        }
    }

    fn keep(&mut self, frame: FromDaemon) {
        match frame {
            FromDaemon::Notice(notice) => self.notices.push_back(notice),
            FromDaemon::Response(response) => {
                assert!(response.id.is_some(), "unasked: {:?}", response.error);
                self.answers.push(response);
            }
        }
    }

    /// The next notice.
    pub fn notice(&mut self) -> Notice {
        loop {
            if let Some(notice) = self.notices.pop_front() {
                return notice;
            }
            let frame = self.frame().expect("the connection was closed before a notice");
            self.keep(frame);
        }
    }

    /// The notice that a command which was followed has settled.
    pub fn settled(&mut self) -> SettledNotice {
        loop {
            let Notice { method, params, .. } = self.notice();
            if method == SETTLED {
                return SettledNotice::from_json(params).unwrap();
            }
            assert_ne!(method, "end", "the stream ended: {params}");
        }
    }

    /// Closes the sending side, and goes on listening.
    pub fn say_no_more(&self) {
        self.stream.shutdown(std::net::Shutdown::Write).unwrap();
    }

    /// Follows a session after an event.
    pub fn subscribe(&mut self, session: SessionId, after: EventId) -> Subscribed {
        self.subscribe_as(session, after, Role::Candidate, false)
    }

    /// Follows a session from here on as a terminal of a role.
    pub fn attach(&mut self, session: SessionId, role: Role) -> Subscribed {
        let head = self.ask::<View>(&ViewParams { session: Some(session.to_string()), role });
        self.subscribe_as(session, head.unwrap().cursor, role, true)
    }

    fn subscribe_as(
        &mut self,
        session: SessionId,
        after: EventId,
        role: Role,
        attach: bool,
    ) -> Subscribed {
        let (session, from) = (Some(session.to_string()), From::Cursor(after));
        self.ask::<Subscribe>(&SubscribeParams { session, from, role, attach }).unwrap()
    }

    /// The next terminals that are told: candidates, observers, interviewers.
    pub fn presence(&mut self) -> [u32; 3] {
        loop {
            let Notice { method, params, .. } = self.notice();
            if method == PRESENCE {
                let told = PresenceNotice::from_json(params).unwrap();
                return [told.candidates, told.observers, told.interviewers];
            }
            assert_ne!(method, "end", "the stream ended: {params}");
        }
    }

    /// Waits until so many terminals are told: candidates, observers, interviewers.
    pub fn wait_for_presence(&mut self, wanted: [u32; 3]) {
        while self.presence() != wanted {}
    }

    /// The next event of a stream; progress and marks are passed over.
    pub fn event(&mut self) -> EventRecord {
        loop {
            let Notice { method, params, .. } = self.notice();
            if method == EVENT {
                return EventNotice::from_json(params).unwrap().record.record;
            }
            assert_ne!(method, "end", "the stream ended: {params}");
        }
    }

    /// The first event of this type from here on.
    pub fn wait_for_event(&mut self, event_type: &str) -> EventRecord {
        loop {
            let record = self.event();
            if record.event_type == event_type {
                return record;
            }
        }
    }

    /// Starts an LRU Cache drill and follows it from its beginning.
    pub fn start_drill(&mut self) -> SessionId {
        self.start(Kind::Drill)
    }

    /// Starts an interview about LRU Cache, not begun, and follows it from its beginning.
    pub fn start_interview(&mut self) -> SessionId {
        self.start(Kind::Interview)
    }

    /// Starts a session about LRU Cache and follows it from its beginning.
    pub fn start(&mut self, kind: Kind) -> SessionId {
        let session_id = new_session();
        let params = CreateParams { session_id, kind, beside: true, args: Json::Null };
        self.ask::<Create>(&params).unwrap();
        self.subscribe(session_id, EventId::ZERO);
        session_id
    }

    /// A command of an interview.
    pub fn interview(&mut self, name: &str, params: &DoParams) -> Result<Accepted, ErrorObject> {
        self.ask::<Do>(&named(Kind::Interview, name, params))
    }

    /// A command of a drill.
    pub fn drill(&mut self, name: &str, params: &DoParams) -> Result<Accepted, ErrorObject> {
        self.ask::<Do>(&named(Kind::Drill, name, params))
    }

    /// Submits a text as an intention of its own.
    pub fn submit(&mut self, session: SessionId, code: &str) -> Accepted {
        self.drill("submit", &submit_params(session, command(), code)).unwrap()
    }
}

fn write_to(stream: &mut UnixStream, bytes: &[u8]) {
    match stream.write_all(bytes) {
        Ok(()) => {}
        Err(error)
            if matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset) => {}
        Err(error) => panic!("writing to the daemon: {error}"),
    }
}
