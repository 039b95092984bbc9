//! Tells sessions when their candidate comes and goes (DECISIONS 12).
//!
//! Which terminals are attached is kept in memory alone. When the daemon starts, nobody is there,
//! and a session whose head says otherwise is told so. What that means is decided by the session's
//! rules.

use std::fmt;
use std::rc::Rc;

use actix::Addr;
use vosim_protocol::{Role, SessionId};

use crate::actors::delivery;
use crate::actors::registry::Registry;
use crate::actors::session::Attended;
use crate::background;
use crate::daemon::Daemon;
use crate::daemon::hub::Published;
use crate::daemon::presence::Change;

/// A terminal's attachment to a session, which lasts until this is dropped.
pub struct Attachment {
    daemon: Rc<Daemon>,
    session: SessionId,
    role: Role,
}

impl fmt::Debug for Attachment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (session, role) = (&self.session, &self.role);
        f.debug_struct("Attachment").field("session", session).field("role", role).finish()
    }
}

impl Attachment {
    /// Attaches a terminal.
    pub fn new(daemon: Rc<Daemon>, session: SessionId, role: Role) -> Self {
        let attachment = Self { daemon, session, role };
        attachment.change(Change::More);
        attachment
    }

    fn change(&self, change: Change) {
        let Self { daemon, session, role } = self;
        daemon.presence.change(*session, *role, change);
        daemon.hub.borrow().publish(*session, Published::Presence);
    }
}

impl Drop for Attachment {
    fn drop(&mut self) {
        self.change(Change::Less);
    }
}

/// Tells sessions whether their candidate is there, until the daemon goes down. Nobody counts as
/// gone because of that: whoever does not come back is missed by the next daemon.
pub async fn keep_presence(daemon: Rc<Daemon>, registry: Addr<Registry>) {
    loop {
        let untold = tokio::select! {
            () = daemon.shutdown.cancelled() => return,
            untold = daemon.presence.untold() => untold,
        };
        for session in untold {
            let registry = registry.clone();
            background::spawn("presence", async move {
                delivery::tell(&registry, session, Attended).await;
            });
        }
    }
}
