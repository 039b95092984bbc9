//! Who is there: the terminals that are attached to each session (DECISIONS 12).
//!
//! Kept in memory only. When the daemon starts nobody is there, and a session whose log says
//! otherwise is told so; then its own rules decide what that means.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

use actix::Addr;
use tokio::sync::Notify;
use vosim_protocol::{Role, SessionId};

use crate::actors::hub::Published;
use crate::actors::registry::Registry;
use crate::actors::session::Attended;
use crate::actors::{Shared, timekeeper};
use crate::task;

/// Terminals of one session, by role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminals {
    /// Of the candidate.
    pub candidates: u32,
    /// Of those who read along.
    pub observers: u32,
    /// Of those who keep notes.
    pub interviewers: u32,
}

impl Terminals {
    fn of(&mut self, role: Role) -> &mut u32 {
        match role {
            Role::Candidate => &mut self.candidates,
            Role::Observer => &mut self.observers,
            Role::Interviewer => &mut self.interviewers,
        }
    }
}

/// The terminals of every session that has any.
#[derive(Debug, Default)]
pub struct Presence {
    terminals: RefCell<BTreeMap<SessionId, Terminals>>,
    /// Sessions that have not been told yet whether their candidate is there.
    untold: RefCell<BTreeSet<SessionId>>,
    told: Notify,
}

impl Presence {
    /// A session's terminals.
    pub fn of(&self, session: SessionId) -> Terminals {
        self.terminals.borrow().get(&session).copied().unwrap_or_default()
    }

    /// Has a session told whether its candidate is there.
    pub fn tell(&self, session: SessionId) {
        self.untold.borrow_mut().insert(session);
        self.told.notify_one();
    }

    /// A terminal more or less; true when that was the candidate's first or last one.
    fn count(&self, session: SessionId, role: Role, change: Change) -> bool {
        let mut all = self.terminals.borrow_mut();
        let terminals = all.entry(session).or_default();
        let before = terminals.candidates > 0;
        let count = terminals.of(role);
        *count = match change {
            Change::More => count.saturating_add(1),
            Change::Less => count.saturating_sub(1),
        };
        let after = terminals.candidates > 0;
        if *terminals == Terminals::default() {
            all.remove(&session);
        }
        before != after
    }
}

#[derive(Clone, Copy)]
enum Change {
    More,
    Less,
}

/// A terminal that is attached, for as long as this is kept.
pub struct Attachment {
    shared: Rc<Shared>,
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
    /// A terminal comes. It leaves when this is dropped, for whatever reason.
    pub fn new(shared: Rc<Shared>, session: SessionId, role: Role) -> Self {
        let attachment = Self { shared, session, role };
        attachment.change(Change::More);
        attachment
    }

    fn change(&self, change: Change) {
        let Self { shared, session, role } = self;
        if shared.presence.count(*session, *role, change) {
            shared.presence.tell(*session);
        }
        shared.hub.borrow().publish(*session, Published::Presence);
    }
}

impl Drop for Attachment {
    fn drop(&mut self) {
        self.change(Change::Less);
    }
}

/// Tells sessions whether their candidate is there, until the daemon goes down: nobody leaves
/// because of that. Whoever does not come back to the next daemon is missed by that one.
pub async fn keep_presence(shared: Rc<Shared>, registry: Addr<Registry>) {
    for head in shared.heads() {
        if head.present && !head.ended {
            let (shared, registry) = (Rc::clone(&shared), registry.clone());
            task::spawn("missed", async move {
                timekeeper::tell_in_turn(&shared, &registry, head.session_id, Attended).await;
            });
        }
    }
    loop {
        tokio::select! {
            () = shared.shutdown.cancelled() => return,
            () = shared.presence.told.notified() => {}
        }
        let untold = std::mem::take(&mut *shared.presence.untold.borrow_mut());
        for session in untold {
            let registry = registry.clone();
            task::spawn("presence", async move {
                timekeeper::tell(&registry, session, Attended).await;
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_and_the_last_terminal_of_the_candidate_make_a_difference() {
        let presence = Presence::default();
        let session = SessionId(uuid::Uuid::from_u128(1));
        let other = SessionId(uuid::Uuid::from_u128(2));
        assert!(!presence.count(session, Role::Observer, Change::More));
        assert!(presence.count(session, Role::Candidate, Change::More));
        assert!(!presence.count(session, Role::Candidate, Change::More));
        assert!(!presence.count(session, Role::Interviewer, Change::More));
        assert!(presence.count(other, Role::Candidate, Change::More));
        let terminals = Terminals { candidates: 2, observers: 1, interviewers: 1 };
        assert_eq!(presence.of(session), terminals);
        assert!(!presence.count(session, Role::Candidate, Change::Less));
        assert!(!presence.count(session, Role::Observer, Change::Less));
        assert!(presence.count(session, Role::Candidate, Change::Less));
        assert!(!presence.count(session, Role::Interviewer, Change::Less));
        assert_eq!(presence.of(session), Terminals::default());
        assert_eq!(presence.terminals.borrow().len(), 1, "who has gone leaves nothing behind");
    }
}
