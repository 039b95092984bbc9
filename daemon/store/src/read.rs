//! Reading: exact bytes or an error, never a wrong, missing or volatile event.
//!
//! sled shows a batch to readers before it is on disk. A reader therefore reads first and then
//! checks whether a commit is under way: what that commit adds to a session is left out of the
//! answer, since a power cut could still take it back.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use vosim_protocol::Wire as _;
use vosim_protocol::ids::{EventId, Hash, SessionId};
use vosim_protocol::misfit;
use vosim_protocol::record::{Head, LineHash};

use crate::archive::{archive_path_of, read_records};
use crate::blobs::BlobRow;
use crate::data::Data;
use crate::error::StoreError;
use crate::keys;
use crate::sealed::unseal;

/// The heads of all sessions.
#[derive(Clone, Debug, Default)]
pub struct Heads {
    /// The heads that can be read, by session id.
    pub heads: Vec<Head>,
    /// The sessions whose head is damaged; `rebuild_heads` makes it again from the log.
    pub damaged: Vec<SessionId>,
}

/// What remains in the database of a session whose log has been pruned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pruned {
    /// The last event.
    pub(crate) cursor: EventId,
    /// The hash of the last record.
    pub(crate) last: LineHash,
}

/// Whether and where a session can be appended to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    At(EventId),
    Pruned,
    Deleted,
}

impl Data {
    pub(crate) fn read(
        &self,
        session: SessionId,
        after: EventId,
        max_events: usize,
        max_bytes: usize,
    ) -> Result<Vec<Vec<u8>>, StoreError> {
        match self.standing(session)? {
            Standing::Deleted => return Err(StoreError::Deleted { session }),
            Standing::Pruned => {
                let lines = read_archive(self, session)?;
                return Ok(page(lines, after, max_events, max_bytes));
            }
            Standing::At(_) => {}
        }
        let read = self.read_log(session, after, max_events, max_bytes);
        match read {
            // A session that was pruned or deleted meanwhile is not damaged.
            Err(StoreError::Hole { .. }) if !matches!(self.standing(session)?, Standing::At(_)) => {
                self.read(session, after, max_events, max_bytes)
            }
            other => other,
        }
    }

    /// Reads all lines of a session, from the log or from its archive.
    pub(crate) fn whole_log(&self, session: SessionId) -> Result<Vec<Vec<u8>>, StoreError> {
        let lines = self.read(session, EventId::ZERO, usize::MAX, usize::MAX)?;
        if lines.is_empty() { Err(StoreError::Unknown { session }) } else { Ok(lines) }
    }

    fn read_log(
        &self,
        session: SessionId,
        after: EventId,
        max_events: usize,
        max_bytes: usize,
    ) -> Result<Vec<Vec<u8>>, StoreError> {
        // This is read before the scan, which must then find every event up to this one.
        let cursor = self.stored_head(session)?.and_then(Result::ok).map(|head| head.cursor);
        let mut lines = Vec::new();
        let mut bytes = 0;
        let mut fault = None;
        let mut next = after.next();
        let mut full = max_events == 0;
        let range = keys::events_after(session, after);
        self.backend().scan(&range.start..&range.end, &mut |key, value| {
            match checked_event(session, next, key, value) {
                // The first event is given whatever its size, so that a reader always advances.
                Ok(line) => {
                    full = full || (!lines.is_empty() && bytes + line.len() > max_bytes);
                    if full {
                        return ControlFlow::Break(());
                    }
                    bytes += line.len();
                    lines.push(line.to_vec());
                }
                Err(error) => {
                    fault = Some(error);
                    return ControlFlow::Break(());
                }
            }
            next = next.next();
            full = lines.len() >= max_events;
            if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if let Some(fault) = fault {
            return Err(fault);
        }
        if !full && cursor.is_some_and(|cursor| next <= cursor) {
            return Err(StoreError::Hole { session, missing: next });
        }
        if let Some(before) = self.unsettled().get(&session) {
            let durable = before.cursor.0.saturating_sub(after.0);
            lines.truncate(usize::try_from(durable).unwrap_or(usize::MAX));
        }
        Ok(lines)
    }

    /// Reads where a session stands from the database.
    pub(crate) fn standing(&self, session: SessionId) -> Result<Standing, StoreError> {
        let backend = self.backend();
        // Of a deleted session events may be left for a while.
        if backend.get(&keys::tombstone(session))?.is_some() {
            return Ok(Standing::Deleted);
        }
        let range = keys::events_after(session, EventId::ZERO);
        if let Some(key) = backend.last_key(&range.start..&range.end)? {
            let parsed = keys::parse_event(&key).map(|(_, id)| id);
            let id = parsed.ok_or_else(|| StoreError::damaged("the key of an event", "length"))?;
            return Ok(Standing::At(id));
        }
        Ok(match self.pruned(session)? {
            Some(_) => Standing::Pruned,
            None => Standing::At(EventId::ZERO),
        })
    }

    pub(crate) fn pruned(&self, session: SessionId) -> Result<Option<Pruned>, StoreError> {
        let key = keys::pruned(session);
        let what = || format!("the mark of the archived session {session}");
        let Some(bytes) = self.get(&key, what)? else { return Ok(None) };
        Pruned::from_bytes(&bytes)
            .map(Some)
            .map_err(|error| StoreError::damaged(what(), misfit::words(&error)))
    }

    pub(crate) fn heads(&self) -> Result<Heads, StoreError> {
        let mut rows = Vec::new();
        let range = keys::heads();
        self.backend().scan(&range.start..&range.end, &mut |key, value| {
            rows.push((key.to_vec(), value.to_vec()));
            ControlFlow::Continue(())
        })?;
        let unsettled = self.unsettled();
        let mut heads = Heads::default();
        for (key, value) in rows {
            let Some(session) = keys::parse_session(&key) else { continue };
            let settled = match unsettled.get(&session) {
                Some(before) => before.head.clone(),
                None => Some(value),
            };
            match settled.map(|value| parse_head(session, &value)) {
                Some(Ok(head)) => heads.heads.push(head),
                Some(Err(_)) => heads.damaged.push(session),
                // The session's first events are being written.
                None => {}
            }
        }
        Ok(heads)
    }

    pub(crate) fn head(&self, session: SessionId) -> Result<Option<Head>, StoreError> {
        let value = self.backend().get(&keys::head(session))?;
        let settled = match self.unsettled().get(&session) {
            Some(before) => before.head.clone(),
            None => value,
        };
        settled.map(|value| parse_head(session, &value)).transpose()
    }

    fn stored_head(
        &self,
        session: SessionId,
    ) -> Result<Option<Result<Head, StoreError>>, StoreError> {
        let value = self.backend().get(&keys::head(session))?;
        Ok(value.map(|value| parse_head(session, &value)))
    }

    pub(crate) fn blob(&self, hash: Hash) -> Result<Vec<u8>, StoreError> {
        let what = || format!("blob {hash}");
        let row = self.get(&keys::blob(hash), what)?.ok_or(StoreError::NoBlob { hash })?;
        let bytes = match BlobRow::parse(&row) {
            Some(BlobRow::Inline(bytes)) if Hash::of(bytes) == hash => Some(bytes.to_vec()),
            Some(BlobRow::File(_)) => match &self.files {
                Some(files) => {
                    let bytes = files.read(hash)?;
                    if bytes.is_none() {
                        // Of a folder that is away nothing is damaged.
                        self.check_there()?;
                    }
                    bytes
                }
                None => None,
            },
            Some(BlobRow::Inline(_)) | None => None,
        };
        bytes.ok_or_else(|| StoreError::damaged(what(), "its bytes are missing or changed"))
    }

    /// Writes the file of a known blob anew unless it is whole.
    pub(crate) fn mend_blob(&self, hash: Hash, bytes: &[u8]) -> Result<(), StoreError> {
        if Hash::of(bytes) != hash {
            return Err(StoreError::invalid(format!("these are not the bytes of {hash}")));
        }
        let row = self.get(&keys::blob(hash), || format!("blob {hash}"))?;
        match (row.as_deref().and_then(BlobRow::parse), &self.files) {
            (Some(BlobRow::File(_)), Some(files)) => files.write(hash, bytes),
            // There is nothing to be written, or a row that only a commit may replace.
            _ => Err(StoreError::NoBlob { hash }),
        }
    }

    /// Reads the value of a key and checks it.
    pub(crate) fn get(
        &self,
        key: &[u8],
        what: impl Fn() -> String,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(value) = self.backend().get(key)? else { return Ok(None) };
        let bytes = unseal(key, &value).map_err(|why| StoreError::unsealed(what(), &why))?;
        Ok(Some(bytes.to_vec()))
    }

    /// Lists the keys of a range.
    pub(crate) fn keys(&self, range: &keys::KeyRange) -> Result<Vec<Vec<u8>>, StoreError> {
        self.first_keys(range, usize::MAX)
    }

    /// Lists the first keys of a range, at most so many.
    pub(crate) fn first_keys(
        &self,
        range: &keys::KeyRange,
        most: usize,
    ) -> Result<Vec<Vec<u8>>, StoreError> {
        let mut keys = Vec::new();
        if most == 0 {
            return Ok(keys);
        }
        self.backend().scan(&range.start..&range.end, &mut |key, _| {
            keys.push(key.to_vec());
            if keys.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(keys)
    }

    /// Lists the blobs that a session refers to.
    pub(crate) fn references(&self, session: SessionId) -> Result<Vec<Hash>, StoreError> {
        let keys = self.keys(&keys::references(session))?;
        Ok(keys.iter().filter_map(|key| keys::parse_hash(key)).collect())
    }

    /// Lists the sessions that have events in the database; some may have been deleted.
    pub(crate) fn sessions_with_events(&self) -> Result<Vec<SessionId>, StoreError> {
        let mut sessions = Vec::new();
        let mut range = keys::all_events();
        loop {
            let mut first = None;
            self.backend().scan(&range.start..&range.end, &mut |key, _| {
                first = keys::parse_event(key).map(|(session, _)| session);
                ControlFlow::Break(())
            })?;
            let Some(session) = first else { return Ok(sessions) };
            sessions.push(session);
            range.start = keys::event(session, EventId(u64::MAX));
            range.start.push(0);
        }
    }
}

/// Reads the log of a pruned session and checks it against what the database remembers of it.
fn read_archive(data: &Data, session: SessionId) -> Result<Vec<Vec<u8>>, StoreError> {
    let mark = data.pruned(session)?.ok_or(StoreError::Unknown { session })?;
    let path = archive_path_of(data, session)?;
    let (lines, closing) = read_records(session, &path)?;
    if closing.records != mark.cursor.0 || closing.head != mark.last {
        let reason = "it is not what the store remembers of it";
        return Err(StoreError::damaged(path.display().to_string(), reason));
    }
    Ok(lines)
}

fn checked_event<'a>(
    session: SessionId,
    next: EventId,
    key: &[u8],
    value: &'a [u8],
) -> Result<&'a [u8], StoreError> {
    if key != keys::event(session, next) {
        return Err(StoreError::Hole { session, missing: next });
    }
    let what = || format!("event {next} of session {session}");
    unseal(key, value).map_err(|why| StoreError::unsealed(what(), &why))
}

fn parse_head(session: SessionId, value: &[u8]) -> Result<Head, StoreError> {
    let what = || format!("the head of session {session}");
    let bytes =
        unseal(&keys::head(session), value).map_err(|why| StoreError::unsealed(what(), &why))?;
    Head::from_bytes(bytes).map_err(|error| StoreError::damaged(what(), misfit::words(&error)))
}

/// Cuts the page that a reader asked for from a whole log.
fn page(lines: Vec<Vec<u8>>, after: EventId, max_events: usize, max_bytes: usize) -> Vec<Vec<u8>> {
    let skip = usize::try_from(after.0).unwrap_or(usize::MAX);
    let mut bytes = 0;
    lines
        .into_iter()
        .skip(skip)
        .take(max_events)
        .enumerate()
        .take_while(|(index, line)| {
            bytes += line.len();
            *index == 0 || bytes <= max_bytes
        })
        .map(|(_, line)| line)
        .collect()
}
