//! Notes of a session: a numbered log of their own, beside the session's and never part of it.
//!
//! No event, archive or export names them; they come along in backups and compactions and go with
//! the session. The store interprets the bytes of a note as little as those of a record.

use std::ops::ControlFlow;

use vosim_protocol::ids::{CommandId, SessionId};

use crate::backend::Batch;
use crate::committer::{Committer, put};
use crate::error::StoreError;
use crate::keys;
use crate::sealed::unseal;
use crate::store::{Shared, Store};

/// Most bytes of one note as it is stored.
pub const NOTE_MAX_BYTES: usize = 63 * 1024;
/// Most notes of one session.
pub const NOTES_MAX: u64 = 4096;

/// What adding a note has led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// The note as it is stored.
    pub line: Vec<u8>,
    /// True when a note of the same intention was there already: this is that one.
    pub replayed: bool,
}

impl Store {
    /// Adds a note to a session, durably, unless the same intention has added one before; blocks.
    ///
    /// `line` makes the note's bytes from its number: 1, 2, 3 …
    pub fn add_note(
        &self,
        session: SessionId,
        command: CommandId,
        line: impl FnOnce(u64) -> Vec<u8> + Send + 'static,
    ) -> Result<Noted, StoreError> {
        self.alone(move |committer| committer.add_note(session, command, line))
    }

    /// A session's notes behind a number, in order: checked and without a gap.
    ///
    /// No more than `max_bytes`, except that one note is always given.
    pub fn notes(
        &self,
        session: SessionId,
        after: u64,
        max_bytes: usize,
    ) -> Result<Vec<Vec<u8>>, StoreError> {
        self.shared().notes(session, after, max_bytes)
    }

    /// The number of a session's last note; 0 when it has none.
    pub fn last_note(&self, session: SessionId) -> Result<u64, StoreError> {
        self.shared().last_note(session)
    }
}

impl Committer {
    fn add_note(
        &mut self,
        session: SessionId,
        command: CommandId,
        line: impl FnOnce(u64) -> Vec<u8>,
    ) -> Result<Noted, StoreError> {
        self.writable()?;
        if self.shared.backend().get(&keys::tombstone(session))?.is_some() {
            return Err(StoreError::Deleted { session });
        }
        if self.shared.backend().get(&keys::head(session))?.is_none() {
            return Err(StoreError::Unknown { session });
        }
        let intention = keys::note_intention(session, command);
        let what = || format!("the intention of a note of session {session}");
        if let Some(number) = self.shared.get(&intention, what)? {
            let cut = |_| StoreError::damaged(what(), "it is cut short");
            let number = u64::from_be_bytes(number.try_into().map_err(cut)?);
            return Ok(Noted { line: self.shared.note(session, number)?, replayed: true });
        }
        let number = self.shared.last_note(session)? + 1;
        if number > NOTES_MAX {
            return Err(StoreError::invalid(format!("a session has at most {NOTES_MAX} notes")));
        }
        let line = line(number);
        let bytes = line.len();
        if bytes > NOTE_MAX_BYTES {
            return Err(StoreError::invalid(format!(
                "a note of {bytes} bytes; the limit is {NOTE_MAX_BYTES}"
            )));
        }
        self.shared.check_room(bytes as u64)?;
        let mut batch = Batch::default();
        put(&mut batch, keys::note(session, number), &line);
        put(&mut batch, intention, &number.to_be_bytes());
        self.apply(batch)?;
        Ok(Noted { line, replayed: false })
    }
}

impl Shared {
    fn note(&self, session: SessionId, number: u64) -> Result<Vec<u8>, StoreError> {
        let what = || format!("note {number} of session {session}");
        let line = self.get(&keys::note(session, number), what)?;
        line.ok_or_else(|| StoreError::damaged(what(), "it is missing"))
    }

    fn last_note(&self, session: SessionId) -> Result<u64, StoreError> {
        let range = keys::notes_after(session, 0);
        let Some(key) = self.backend().last_key(&range.start..&range.end)? else { return Ok(0) };
        keys::parse_note(&key).ok_or_else(|| StoreError::damaged("the key of a note", "length"))
    }

    fn notes(
        &self,
        session: SessionId,
        after: u64,
        max_bytes: usize,
    ) -> Result<Vec<Vec<u8>>, StoreError> {
        let mut lines: Vec<Vec<u8>> = Vec::new();
        let mut bytes = 0;
        let mut fault = None;
        let mut number = after;
        let range = keys::notes_after(session, after);
        self.backend().scan(&range.start..&range.end, &mut |key, value| {
            number = number.saturating_add(1);
            let what = || format!("note {number} of session {session}");
            let line = if key == keys::note(session, number) {
                unseal(key, value).map_err(|why| StoreError::unsealed(what(), &why))
            } else {
                Err(StoreError::damaged(what(), "it is missing"))
            };
            match line {
                Ok(line) if lines.is_empty() || bytes + line.len() <= max_bytes => {
                    bytes += line.len();
                    lines.push(line.to_vec());
                    ControlFlow::Continue(())
                }
                Ok(_) => ControlFlow::Break(()),
                Err(error) => {
                    fault = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        fault.map_or(Ok(lines), Err)
    }
}
