//! Which side log: its owner and its name.

use std::fmt;

use vosim_protocol::ids::SessionId;

/// Who a side log belongs to; it is erased with its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A session, which must be there before anything is appended.
    Session(SessionId),
    /// The store itself.
    Store,
}

/// Which side log, and how long it may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideLog {
    /// Who it belongs to.
    pub owner: Owner,
    /// Its name among the logs of its owner: at most 64 letters, digits, `.`, `_` and `-`.
    pub name: &'static str,
    /// Most lines it takes; the next is refused with [`crate::StoreError::Full`].
    pub lines_max: u64,
}

impl fmt::Display for SideLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.owner {
            Owner::Session(session) => write!(f, "{} of session {session}", self.name),
            Owner::Store => write!(f, "{} of the store", self.name),
        }
    }
}
