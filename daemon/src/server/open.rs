//! [`Open`]: the connections and streams that the server has open.
//!
//! It is what the server counts while it runs, and tells and waits for when the daemon goes down.
//! Who they are and what they are sent is theirs to know.

use std::cell::Cell;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What is open.
#[derive(Debug, Default)]
pub(crate) struct Open {
    /// The number of connections.
    pub(crate) connections: Cell<u64>,
    /// The streams of all connections.
    pub(crate) streams: TaskTracker,
    /// Cancelled when connections are to close, once streams have been told.
    pub(crate) closing: CancellationToken,
}
