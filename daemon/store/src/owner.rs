//! Names of side logs: an owner and a name within it.
//!
//! The keys of the lines are made from these; reading and writing them is in `side.rs`.

use std::fmt;

use vosim_protocol::ids::SessionId;

/// What a side log belongs to, and is erased with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A session, which must exist before anything is appended.
    Session(SessionId),
    /// The store itself.
    Store,
}

/// A side log, and how long it may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideLog {
    /// The owner.
    pub owner: Owner,
    /// The name among the logs of the owner: at most 64 letters, digits, `.`, `_` and `-`.
    pub name: &'static str,
    /// The most lines; the next one is refused with [`crate::StoreError::Full`].
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
