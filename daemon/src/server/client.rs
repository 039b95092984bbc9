//! [`Client`]: what the server knows of one client, and [`Outgoing`], the way to it.
//!
//! Whoever answers a method needs both; only the connection reads and writes the socket.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use actix::Addr;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use vosim_protocol::message::{Notice, Response};
use vosim_protocol::{ErrorCode, ErrorObject, Json, Wire, frame};

use crate::actors::registry::Registry;
use crate::daemon::Daemon;
use crate::server::open::Open;

/// Frames that may wait for the writer.
const OUTGOING: usize = 64;

/// Where frames for one client go.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    frames: mpsc::Sender<Vec<u8>>,
}

/// The client is gone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gone;

impl Outgoing {
    /// The way to a client, and its other end, from which the writer takes frames.
    pub(crate) fn new() -> (Self, mpsc::Receiver<Vec<u8>>) {
        let (frames, queued) = mpsc::channel(OUTGOING);
        (Self { frames }, queued)
    }

    /// Sends an answer; one that is too large is replaced by an error.
    pub(crate) async fn respond(&self, response: &Response) -> Result<(), Gone> {
        match frame::encode(response.to_line()) {
            Ok(frame) => self.send(frame).await,
            Err(oversize) => {
                let error = ErrorObject::new(ErrorCode::TooLarge, oversize.to_string());
                let response = Response::error(response.id.clone(), error);
                self.send(frame::encode(response.to_line()).unwrap_or_default()).await
            }
        }
    }

    /// Sends a notice; waits while the queue is full.
    pub(crate) async fn notify(&self, method: &str, params: Json) -> Result<(), Gone> {
        match frame::encode(Notice::new(method, params).to_line()) {
            Ok(frame) => self.send(frame).await,
            // Records are bounded far below a frame.
            Err(_) => Ok(()),
        }
    }

    /// Sends a notice if there is room: for what may be missed.
    pub(crate) fn mention(&self, method: &str, params: Json) {
        if let Ok(frame) = frame::encode(Notice::new(method, params).to_line()) {
            // A full queue means a slow client, which can do without.
            drop(self.frames.try_send(frame));
        }
    }

    async fn send(&self, frame: Vec<u8>) -> Result<(), Gone> {
        self.frames.send(frame).await.map_err(|_| Gone)
    }
}

/// How far the handshake has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Greeting {
    /// Nothing has been said.
    None,
    /// No common version: only what is frozen forever is answered, so that a client of any age
    /// can see and end a daemon of any other.
    Frozen,
    /// There is a common version.
    Done,
}

/// What a connection knows of its client.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) daemon: Rc<Daemon>,
    pub(crate) registry: Addr<Registry>,
    pub(crate) open: Rc<Open>,
    pub(crate) out: Outgoing,
    pub(crate) greeting: Greeting,
    /// Streams by number; cancelling one ends it.
    pub(crate) streams: BTreeMap<u64, CancellationToken>,
    pub(crate) next_stream: u64,
    /// Turns for requests that are answered later.
    pub(crate) later: Arc<Semaphore>,
    /// Cancelled when the connection ends.
    pub(crate) closed: CancellationToken,
}
