//! Deadlines in the order in which they fire: by (deadline, session), one for each session.

use std::collections::{BTreeSet, HashMap};

use vosim_protocol::ids::SessionId;
use vosim_protocol::time::Time;

/// A deadline that has been reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Due {
    /// What was set.
    pub deadline: Time,
    /// For whom.
    pub session: SessionId,
}

/// At most one deadline for each session, so its size is bounded by the sessions.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    by_time: BTreeSet<Due>,
    by_session: HashMap<SessionId, Time>,
}

impl Schedule {
    /// Sets or takes away a session's deadline; true when there is now an earlier one than before.
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

    /// The earliest deadline.
    pub(super) fn first(&self) -> Option<Time> {
        self.by_time.first().map(|due| due.deadline)
    }

    /// Takes the earliest deadline out if it is due.
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
