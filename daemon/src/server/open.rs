//! [`Open`]: the connections and streams that the server has open.
//!
//! It is what the server counts while it runs, and tells and waits for when the daemon goes down.
//! Who they are and what they are sent is theirs to know.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use nix::sys::resource::{Resource, getrlimit};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use vosim_protocol::v1::service::limits::{CONNECTIONS_MAX, SILENT_MAX};

use crate::server::outgoing::Shared;

/// Files of everything but clients: two dozen while one program is judged, and as many again for a
/// second run, an export and what the database opens.
const FILES_OWN: u64 = 64;

/// How many connections there may be, so that one file is left for whatever has to be done for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    /// Of those that have said hello.
    pub(crate) greeted: u64,
    /// Of those that have not.
    silent: usize,
}

impl Default for Room {
    /// By the files that this process may have open.
    fn default() -> Self {
        let limit = getrlimit(Resource::RLIMIT_NOFILE);
        // A limit that cannot be asked for is none.
        Self::within(limit.map_or(u64::MAX, |(limit, _)| limit))
    }
}

impl Room {
    fn within(files: u64) -> Self {
        let room = files.saturating_sub(FILES_OWN);
        let silent = usize::try_from(room / 4).unwrap_or(SILENT_MAX).clamp(1, SILENT_MAX);
        let others = u64::try_from(silent).unwrap_or(u64::MAX);
        Self { greeted: room.saturating_sub(others).clamp(1, CONNECTIONS_MAX), silent }
    }
}

/// What is open.
#[derive(Debug, Default)]
pub(crate) struct Open {
    /// How much may be.
    pub(crate) room: Room,
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
        if silent.len() > self.room.silent {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connections_follow_from_the_files_that_may_be_open() {
        let most = Room { greeted: CONNECTIONS_MAX, silent: SILENT_MAX };
        assert_eq!((Room::within(16_384), Room::within(u64::MAX)), (most, most));
        assert_eq!(Room::within(128), Room { greeted: 48, silent: 16 });
        // Too few for anything are enough for one that may stop it.
        assert_eq!(Room::within(10), Room { greeted: 1, silent: 1 });
        for files in [128, 256, 1024, 4096] {
            let Room { greeted, silent } = Room::within(files);
            assert!(greeted + u64::try_from(silent).unwrap() + FILES_OWN <= files);
        }
    }
}
