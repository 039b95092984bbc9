//! Deadlines in the order in which they fire, which is that of (deadline, session).
//!
//! The schedule reads no clock: it is told the time at which something may be due.

use std::collections::{BTreeSet, HashMap};

use vosim_protocol::ids::SessionId;
use vosim_protocol::time::Time;

/// A deadline that has been reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Due {
    /// The deadline.
    pub deadline: Time,
    /// The session that set it.
    pub session: SessionId,
}

/// The deadlines, at most one for each session.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    by_time: BTreeSet<Due>,
    by_session: HashMap<SessionId, Time>,
}

impl Schedule {
    /// Sets or removes a session's deadline; returns whether the earliest deadline is earlier now.
    pub(super) fn set(&mut self, session: SessionId, deadline: Option<Time>) -> bool {
        let first = self.first();
        let before = match deadline {
            Some(deadline) => self.by_session.insert(session, deadline),
            None => self.by_session.remove(&session),
        };
        if let Some(deadline) = before {
            self.by_time.remove(&Due { deadline, session });
        }
        if let Some(deadline) = deadline {
            self.by_time.insert(Due { deadline, session });
        }
        deadline.is_some_and(|deadline| first.is_none_or(|first| deadline < first))
    }

    /// Returns the earliest deadline.
    pub(super) fn first(&self) -> Option<Time> {
        self.by_time.first().map(|due| due.deadline)
    }

    /// Removes and returns the earliest deadline if it is due.
    pub(super) fn take_due(&mut self, at: Time) -> Option<Due> {
        let due = *self.by_time.first().filter(|due| due.deadline <= at)?;
        self.by_time.remove(&due);
        self.by_session.remove(&due.session);
        Some(due)
    }

    pub(super) fn len(&self) -> usize {
        self.by_time.len()
    }
}
