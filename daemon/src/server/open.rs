//! [`Open`]: the connections and streams that the server has open.
//!
//! It is what the server counts while it runs, and tells and waits for when the daemon goes down.
//! Who they are and what they are sent is theirs to know.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use vosim_protocol::v1::service::limits::SILENT_MAX;

use crate::server::outgoing::Shared;

/// What is open.
#[derive(Debug, Default)]
pub(crate) struct Open {
    /// The number of connections.
    pub(crate) connections: Cell<u64>,
    /// Those that have not said hello, by the order in which they came, and how each is hurried.
    silent: RefCell<BTreeMap<u64, CancellationToken>>,
    /// The number of connections that there have been.
    came: Cell<u64>,
    /// What all of them share for answers that wait to be read.
    pub(crate) unread: Shared,
    /// The streams of all connections.
    pub(crate) streams: TaskTracker,
    /// Cancelled when connections are to close, once streams have been told.
    pub(crate) closing: CancellationToken,
}

impl Open {
    /// How many connections have said hello.
    pub(crate) fn greeted(&self) -> u64 {
        let silent = u64::try_from(self.silent.borrow().len()).unwrap_or(u64::MAX);
        self.connections.get().saturating_sub(silent)
    }

    /// Takes in a connection that has not said hello; beyond the limit the oldest of them goes, so that
    /// whoever only connects keeps nobody out.
    pub(crate) fn enter(self: &Rc<Self>) -> Silent {
        let (number, hurried) = (self.came.get(), CancellationToken::new());
        self.came.set(number + 1);
        let mut silent = self.silent.borrow_mut();
        silent.insert(number, hurried.clone());
        if silent.len() > SILENT_MAX {
            silent.pop_first().inspect(|(_, oldest)| oldest.cancel());
        }
        Silent { open: Rc::clone(self), number, hurried }
    }
}

/// A connection that has not said hello, until this is dropped.
#[derive(Debug)]
pub(crate) struct Silent {
    open: Rc<Open>,
    number: u64,
    /// Cancelled when it has to make room: what it has not said by then nobody hears.
    pub(crate) hurried: CancellationToken,
}

impl Drop for Silent {
    fn drop(&mut self) {
        self.open.silent.borrow_mut().remove(&self.number);
    }
}
