//! A connection to the daemon's own socket, by the public protocol.

use std::collections::VecDeque;
use std::path::Path;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use vosim_protocol::frame::FrameDecoder;
use vosim_protocol::hello::{HelloParams, Software, VERSIONS};
use vosim_protocol::message::{Notice, Request, Response};
use vosim_protocol::misfit;
use vosim_protocol::v1::service::{
    Accepted, Do, DoParams, EVENT, EventNotice, Hello, Method, SETTLED, SettledNotice,
};
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{ErrorObject, Json, Wire as _};

/// A connection to the daemon's own socket.
pub(super) struct Seat {
    stream: UnixStream,
    decoder: FrameDecoder,
    asked: u64,
    /// Notices that came before they were asked for.
    notices: VecDeque<Notice>,
}

/// What a command came to.
pub(super) struct GivenCommand {
    /// What happened, as whoever gave it may see it.
    pub(super) events: Vec<ToldRecord>,
    /// Its result.
    pub(super) result: Option<Json>,
}

/// Why there is no answer.
pub(super) enum NoAnswer {
    /// The daemon has refused.
    Refused(Box<ErrorObject>),
    /// The connection is lost, or what came is no answer.
    Lost(String),
}

impl From<NoAnswer> for String {
    fn from(none: NoAnswer) -> Self {
        match none {
            NoAnswer::Refused(refusal) => refusal.message,
            NoAnswer::Lost(why) => why,
        }
    }
}

impl Seat {
    pub(super) async fn take(socket: &Path) -> Result<Self, NoAnswer> {
        let stream = UnixStream::connect(socket).await.map_err(away)?;
        let mut seat =
            Self { stream, decoder: FrameDecoder::new(), asked: 0, notices: VecDeque::new() };
        let (name, version) = ("vosim-agent".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        let client = Software { name, version };
        let hello = HelloParams { protocol: VERSIONS, client, need: Vec::new() };
        seat.ask::<Hello>(&hello).await?;
        Ok(seat)
    }

    pub(super) async fn ask<M: Method>(
        &mut self,
        params: &M::Params,
    ) -> Result<M::Result, NoAnswer> {
        self.asked += 1;
        let request = Request {
            jsonrpc: "2.0".to_owned(),
            id: self.asked.into(),
            method: M::NAME.to_owned(),
            params: params.to_json(),
        };
        let mut line = request.to_line();
        line.push(b'\n');
        self.stream.write_all(&line).await.map_err(away)?;
        loop {
            let frame = self.frame().await?;
            if frame.get("method").is_some() {
                self.notices.extend(Notice::from_json(frame).ok());
                continue;
            }
            let response = Response::from_json(frame).map_err(garbled)?;
            return match (response.result, response.error) {
                (_, Some(refusal)) => Err(NoAnswer::Refused(Box::new(refusal))),
                (result, None) => M::Result::from_json(result.unwrap_or_default()).map_err(garbled),
            };
        }
    }

    /// Gives a command that is followed, and waits until it has settled: what happened meanwhile, and its
    /// result; none where the session ended before.
    pub(super) async fn give(&mut self, params: &DoParams) -> Result<GivenCommand, NoAnswer> {
        let Accepted { events, result, .. } = self.ask::<Do>(params).await?;
        let mut given = GivenCommand { events, result };
        while given.result.is_none() {
            let notice = match self.notices.pop_front() {
                Some(notice) => notice,
                None => match Notice::from_json(self.frame().await?) {
                    Ok(notice) => notice,
                    Err(_) => continue,
                },
            };
            if notice.method == EVENT {
                let event = EventNotice::from_json(notice.params).map_err(garbled)?;
                given.events.push(event.record);
            } else if notice.method == SETTLED {
                let settled = SettledNotice::from_json(notice.params).map_err(garbled)?;
                if settled.command_id == params.command_id {
                    given.result = settled.result;
                    break;
                }
            }
        }
        Ok(given)
    }

    async fn frame(&mut self) -> Result<Json, NoAnswer> {
        loop {
            let frame = self.decoder.next_frame();
            if let Some(frame) = frame.map_err(|error| NoAnswer::Lost(error.to_string()))? {
                return Json::from_bytes(frame).map_err(garbled);
            }
            let mut bytes = vec![0; 64 * 1024];
            let read = self.stream.read(&mut bytes).await;
            match read {
                Ok(read @ 1..) => self.decoder.push(&bytes[..read]),
                Ok(0) => return Err(NoAnswer::Lost("the daemon has hung up".to_owned())),
                Err(error) => return Err(NoAnswer::Lost(error.to_string())),
            }
        }
    }
}

fn away(error: std::io::Error) -> NoAnswer {
    NoAnswer::Lost(format!("the daemon's own socket is away: {error}"))
}

fn garbled(error: vosim_protocol::wire::WireError) -> NoAnswer {
    NoAnswer::Lost(format!("what the daemon answered cannot be read: {}", misfit::words(&error)))
}
