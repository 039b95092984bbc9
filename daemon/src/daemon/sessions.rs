//! [`Sessions`]: what is known about every session without waking it.
//!
//! The heads are those in the store: whoever appends to a log sets the session's head here once the
//! events are durable. Lists and names that people type are answered from them, and so is what a
//! start must do, however many sessions sleep. Nothing here is written to the store.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::iter;
use std::ops::RangeInclusive;

use uuid::Uuid;
use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::service::ListResult;
use vosim_protocol::{ErrorCode, ErrorObject, Head, SessionId};
use vosim_store::Heads;

/// How many hexadecimal digits an id has.
const ID_DIGITS: usize = 32;

/// How many sessions one page of a list has; a head has a few hundred bytes at most.
const LIST_PAGE: usize = 1000;

/// The sessions of one daemon.
#[derive(Debug)]
pub(crate) struct Sessions {
    heads: RefCell<BTreeMap<SessionId, Head>>,
    current: Cell<Option<SessionId>>,
}

impl Sessions {
    /// Takes over the sessions of a store; `current` is the value of its setting of that name.
    pub(crate) fn new(heads: Heads, current: Option<&[u8]>) -> Self {
        for session in &heads.damaged {
            tracing::error!(%session, "a session's head cannot be read");
        }
        let heads = heads.heads.into_iter().map(|head| (head.session_id, head)).collect();
        Self { heads: RefCell::new(heads), current: Cell::new(current.and_then(parse_id)) }
    }

    /// Returns every session's head.
    pub(crate) fn heads(&self) -> Vec<Head> {
        self.heads.borrow().values().cloned().collect()
    }

    /// Returns the number of sessions.
    pub(crate) fn count(&self) -> usize {
        self.heads.borrow().len()
    }

    /// Returns one session's head.
    pub(crate) fn head(&self, id: SessionId) -> Option<Head> {
        self.heads.borrow().get(&id).cloned()
    }

    /// Keeps a session's new head.
    pub(crate) fn set(&self, head: Head) {
        self.heads.borrow_mut().insert(head.session_id, head);
    }

    /// Forgets a session.
    pub(crate) fn remove(&self, id: SessionId) {
        self.heads.borrow_mut().remove(&id);
    }

    /// Returns the current session.
    pub(crate) fn current(&self) -> Option<SessionId> {
        self.current.get()
    }

    /// Notes which session is the current one now.
    pub(crate) fn set_current(&self, id: Option<SessionId>) {
        self.current.set(id);
    }

    /// Returns the head of the current session, if that has not ended.
    pub(crate) fn in_progress(&self) -> Option<Head> {
        self.current().and_then(|id| self.head(id)).filter(|head| !head.ended)
    }

    /// Returns a page of the sessions, newest first.
    pub(crate) fn list(&self, skip: u64) -> ListResult {
        let heads = self.heads.borrow();
        let mut sessions: Vec<_> = heads.values().collect();
        sessions.sort_by_key(|head| (Reverse(head.started), head.session_id));
        let total = sessions.len() as u64;
        let skip = usize::try_from(skip).unwrap_or(usize::MAX);
        let sessions = sessions.into_iter().skip(skip).take(LIST_PAGE).cloned().collect();
        ListResult { sessions, current: self.current(), total }
    }

    /// Finds a session by its id or by a beginning that only its id has; without a name, finds the
    /// current session.
    pub(crate) fn locate(&self, name: Option<&str>) -> Result<Head, ErrorObject> {
        let Some(name) = name else {
            return self.current().and_then(|id| self.head(id)).ok_or_else(|| {
                ErrorObject::new(ErrorCode::NoActiveSession, "no active interview session")
                    .next(Next::run("start a new session", Action::StartDrill))
            });
        };
        let heads = self.heads.borrow();
        let mut found = beginning(name).into_iter().flat_map(|ids| heads.range(ids));
        match (found.next(), found.next()) {
            (Some((_, head)), None) => Ok(head.clone()),
            (Some(_), Some(_)) => Err(ErrorObject::new(
                ErrorCode::AmbiguousSession,
                format!("several sessions begin with {name:?}"),
            )
            .next(Next::run("see whole ids", Action::List))),
            _ => Err(ErrorObject::new(
                ErrorCode::UnknownSession,
                format!("no session begins with {name:?}"),
            )
            .next(Next::run("see them all", Action::List))),
        }
    }
}

/// Returns the range of ids that begin with these digits, with or without dashes; `None` if no id
/// can. With a range the map finds them at once, however many sessions there are.
fn beginning(name: &str) -> Option<RangeInclusive<SessionId>> {
    let digits: Vec<u8> = name.bytes().filter(|byte| *byte != b'-').collect();
    if digits.is_empty() || digits.len() > ID_DIGITS {
        return None;
    }
    let padded = |with: u8| {
        let bytes: Vec<u8> =
            digits.iter().copied().chain(iter::repeat(with)).take(ID_DIGITS).collect();
        Uuid::try_parse_ascii(&bytes).ok().map(SessionId)
    };
    Some(padded(b'0')?..=padded(b'f')?)
}

fn parse_id(text: &[u8]) -> Option<SessionId> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begins(name: &str, id: u128) -> bool {
        beginning(name).is_some_and(|ids| ids.contains(&SessionId(Uuid::from_u128(id))))
    }

    #[test]
    fn an_id_is_found_by_any_beginning_of_it_however_it_is_spelled() {
        let id = 0x1f2e_3d4c_5b6a_4798_8a9b_acbd_cedf_e0f1;
        let (plain, dashed) = (format!("{id:032x}"), Uuid::from_u128(id).to_string());
        for digits in 1..=plain.len() {
            assert!(begins(&plain[..digits], id), "{digits}");
            assert!(begins(&plain[..digits].to_uppercase(), id), "{digits}");
        }
        for letters in 1..=dashed.len() {
            assert!(begins(&dashed[..letters], id), "{letters}");
        }
    }

    #[test]
    fn ids_next_to_those_that_begin_so_are_not_among_them() {
        let first = 0x1f20 << 112;
        let last = first | (u128::MAX >> 16);
        assert!(begins("1f20", first) && begins("1f20", last));
        assert!(!begins("1f20", first - 1) && !begins("1f20", last + 1));
        assert!(begins("0", 0) && begins("f", u128::MAX));
        assert!(!begins(&format!("{first:032x}"), first + 1));
    }

    #[test]
    fn what_no_id_begins_with_finds_nothing() {
        for name in ["", "-", "g", "+1", " 1", "1 ", "ä", "0x1", &"0".repeat(33)] {
            assert_eq!(beginning(name), None, "{name:?}");
        }
    }
}
