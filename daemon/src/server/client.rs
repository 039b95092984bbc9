//! [`Client`]: what the server knows of one client, for whoever answers a method.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use actix::Addr;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::actors::registry::Registry;
use crate::daemon::Daemon;
use crate::server::open::Open;
use crate::server::outgoing::Outgoing;

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
    /// The turn of the stream that reads its log; what it has read waits for room.
    pub(crate) reading: Arc<Semaphore>,
    /// Cancelled when the connection ends.
    pub(crate) closed: CancellationToken,
}
