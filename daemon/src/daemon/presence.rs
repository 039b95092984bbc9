//! [`Presence`]: the terminals that are attached to each session (DECISIONS 12).
//!
//! Presence is kept in memory alone, and only counted. What the coming or going of a candidate
//! means is decided by the session, which `actors/presence.rs` tells.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use tokio::sync::Notify;
use vosim_protocol::{Role, SessionId};

/// The numbers of a session's terminals, by role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Terminals {
    /// Terminals of the candidate.
    pub(crate) candidates: u32,
    /// Terminals of those who read along.
    pub(crate) observers: u32,
    /// Terminals of those who take notes.
    pub(crate) interviewers: u32,
    /// Of agents.
    pub(crate) agents: u32,
}

impl Terminals {
    fn of(&mut self, role: Role) -> &mut u32 {
        match role {
            Role::Candidate => &mut self.candidates,
            Role::Observer => &mut self.observers,
            Role::Interviewer => &mut self.interviewers,
            Role::Agent => &mut self.agents,
        }
    }
}

/// The terminals of every session that has any.
#[derive(Debug, Default)]
pub(crate) struct Presence {
    terminals: RefCell<BTreeMap<SessionId, Terminals>>,
    /// The sessions that have not been told yet that their candidate has come or gone.
    untold: RefCell<BTreeSet<SessionId>>,
    told: Notify,
}

impl Presence {
    /// Returns the numbers of a session's terminals.
    pub(crate) fn of(&self, session: SessionId) -> Terminals {
        self.terminals.borrow().get(&session).copied().unwrap_or_default()
    }

    /// Waits until a candidate has come or gone, and returns the sessions that must be told.
    pub(crate) async fn untold(&self) -> BTreeSet<SessionId> {
        self.told.notified().await;
        std::mem::take(&mut *self.untold.borrow_mut())
    }

    /// Counts a terminal that comes or goes. If the candidate has come or gone with it, the session
    /// is among those that must be told.
    pub(crate) fn change(&self, session: SessionId, role: Role, change: Change) {
        if self.count(session, role, change) {
            self.untold.borrow_mut().insert(session);
            self.told.notify_one();
        }
    }

    /// Counts a terminal and returns whether it is the candidate's first or was the last one.
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

/// Whether a terminal comes or goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    More,
    Less,
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
        let terminals = Terminals { candidates: 2, observers: 1, interviewers: 1, agents: 0 };
        assert_eq!(presence.of(session), terminals);
        assert!(!presence.count(session, Role::Candidate, Change::Less));
        assert!(!presence.count(session, Role::Observer, Change::Less));
        assert!(presence.count(session, Role::Candidate, Change::Less));
        assert!(!presence.count(session, Role::Interviewer, Change::Less));
        assert_eq!(presence.of(session), Terminals::default());
        assert_eq!(presence.terminals.borrow().len(), 1, "who has gone leaves nothing behind");
    }
}
