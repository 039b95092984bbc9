//! [`Census`]: looks at every row of a store and says which sessions are whole.
//!
//! The rows may come from a database, from a copy of a damaged one or from a backup, in the order of
//! their keys. A session is whole if its log has no gap and an unbroken chain and reaches its head,
//! or lies in its archive, and if every blob that it refers to is there. Nothing is changed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use vosim_protocol::Wire as _;
use vosim_protocol::ids::{EventId, Hash, SessionId};
use vosim_protocol::record::{EventRecord, Head, LineHash};

use crate::backend::Backend;
use crate::blobs::BlobRow;
use crate::keys;
use crate::read::Pruned;
use crate::sealed::unseal;

/// What has been seen of a store's rows.
#[derive(Debug, Default)]
pub(crate) struct Census {
    sessions: BTreeMap<SessionId, Seen>,
    blobs: BTreeSet<Hash>,
    files: BTreeMap<Hash, u64>,
    references: BTreeSet<(SessionId, Hash)>,
    last_key: Vec<u8>,
    faults: Vec<String>,
}

/// What has been seen of one session.
#[derive(Debug)]
struct Seen {
    head: Option<EventId>,
    log: EventId,
    last: LineHash,
    pruned: Option<Pruned>,
    whole: bool,
}

impl Default for Seen {
    fn default() -> Self {
        Self { head: None, log: EventId::ZERO, last: Hash::NONE, pruned: None, whole: true }
    }
}

/// The result of a census.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    /// How many sessions there are.
    pub(crate) sessions: u64,
    /// Those of them that are not whole.
    pub(crate) damaged: Vec<SessionId>,
    /// What is wrong; empty if nothing is.
    pub(crate) faults: Vec<String>,
}

impl Counted {
    /// How many sessions are whole.
    pub(crate) fn whole(&self) -> u64 {
        self.sessions - self.damaged.len() as u64
    }
}

impl Census {
    /// Looks at one row and returns whether it is intact.
    pub(crate) fn row(&mut self, key: &[u8], value: &[u8]) -> bool {
        let before = self.faults.len();
        if *key <= *self.last_key && !self.last_key.is_empty() {
            self.fault(None, "the rows are not in order".to_owned());
        }
        self.last_key = key.to_vec();
        match unseal(key, value) {
            Ok(bytes) => self.intact(key, bytes),
            Err(why) => {
                let session = keys::parse_event(key).map(|(session, _)| session);
                self.fault(session, format!("{}: {why}", keys::describe(key)));
            }
        }
        self.faults.len() == before
    }

    /// Notes that rows could not be read at all.
    pub(crate) fn unreadable(&mut self, why: String) {
        self.fault(None, why);
    }

    fn intact(&mut self, key: &[u8], bytes: &[u8]) {
        if let Some((session, id)) = keys::parse_event(key) {
            self.event(session, id, bytes);
        } else if within(key, &keys::blobs()) {
            self.blob(key, bytes);
        } else if within(key, &keys::heads()) {
            let head = keys::parse_session(key).zip(Head::from_bytes(bytes).ok());
            match head.filter(|(session, head)| head.session_id == *session) {
                Some((session, head)) => self.session(session).head = Some(head.cursor),
                None => self.fault(keys::parse_session(key), "a head is of no session".to_owned()),
            }
        } else if within(key, &keys::all_pruned()) {
            match keys::parse_session(key).zip(Pruned::from_bytes(bytes).ok()) {
                Some((session, mark)) => self.session(session).pruned = Some(mark),
                None => self.fault(None, "the mark of an archived session is unknown".to_owned()),
            }
        } else if let Some(reference) = keys::parse_reference(key) {
            self.references.insert(reference);
        } else if within(key, &keys::tombstones())
            && let Some(session) = keys::parse_session(key)
        {
            // What is left of it will be erased.
            self.sessions.remove(&session);
            self.references.retain(|(of, _)| *of != session);
        }
    }

    fn event(&mut self, session: SessionId, id: EventId, line: &[u8]) {
        let seen = self.session(session);
        let fits = EventRecord::from_bytes(line).is_ok_and(|record| {
            record.session_id == session && record.event_id == id && record.prev_hash == seen.last
        });
        let expected = seen.log.next();
        seen.log = id;
        seen.last = Hash::of(line);
        if id != expected {
            self.fault(Some(session), format!("event {expected} of session {session} is missing"));
        } else if !fits {
            let what = format!("event {id} of session {session} is not the one that was written");
            self.fault(Some(session), what);
        }
    }

    fn blob(&mut self, key: &[u8], bytes: &[u8]) {
        let hash = keys::parse_hash(key);
        match (hash, BlobRow::parse(bytes)) {
            (Some(hash), Some(BlobRow::Inline(blob))) if Hash::of(blob) == hash => {
                self.blobs.insert(hash);
            }
            (Some(hash), Some(BlobRow::File(length))) => {
                self.files.insert(hash, length);
            }
            (_, _) => self.fault(None, "a blob has other bytes than its name".to_owned()),
        }
    }

    fn session(&mut self, session: SessionId) -> &mut Seen {
        self.sessions.entry(session).or_default()
    }

    fn fault(&mut self, session: Option<SessionId>, what: String) {
        if let Some(session) = session {
            self.session(session).whole = false;
        }
        self.faults.push(what);
    }

    /// Ends the census. `file` says of a blob's file whether it is there and has the right bytes,
    /// `archive` says of a session's archive whether it is what the database remembers of it.
    pub(crate) fn count(
        mut self,
        mut file: impl FnMut(Hash) -> bool,
        mut archive: impl FnMut(SessionId, Pruned) -> bool,
    ) -> Counted {
        for (hash, _) in std::mem::take(&mut self.files) {
            if file(hash) {
                self.blobs.insert(hash);
            } else {
                self.fault(None, format!("the file of blob {hash} is missing or changed"));
            }
        }
        for (session, hash) in std::mem::take(&mut self.references) {
            if !self.blobs.contains(&hash) {
                let what = format!("a blob of session {session} is missing");
                self.fault(Some(session), what);
            }
        }
        let ids: Vec<SessionId> = self.sessions.keys().copied().collect();
        for id in ids {
            let Seen { head, log, pruned, whole, .. } = *self.session(id);
            let reached = match pruned {
                Some(mark) if archive(id, mark) => mark.cursor,
                Some(_) => EventId::ZERO,
                None => log,
            };
            // A head that is ahead has seen events that are no longer there.
            if whole && head != Some(reached) {
                self.fault(Some(id), format!("session {id} ends at event {reached}, too early"));
            }
        }
        let damaged = self.sessions.iter().filter(|(_, seen)| !seen.whole);
        Counted {
            sessions: self.sessions.len() as u64,
            damaged: damaged.map(|(id, _)| *id).collect(),
            faults: self.faults,
        }
    }
}

fn within(key: &[u8], range: &keys::KeyRange) -> bool {
    *range.start <= *key && *key < *range.end
}

/// Shows every intact row that can be read, and counts what there is.
///
/// Where the database cannot read on, the scan goes on behind: first with the next session, then
/// farther and farther away, until rows can be read again.
pub(crate) fn past_damage(backend: &dyn Backend, visit: &mut dyn FnMut(&[u8], &[u8])) -> Counted {
    /// So much of the last key is kept, and the scan goes on behind all that begin like it.
    const KEPT: [usize; 5] = [17, 4, 3, 2, 1];
    let everything = keys::everything();
    let mut census = Census::default();
    let mut from = everything.start;
    let mut step = 0;
    loop {
        let mut last = None;
        let scanned = backend.scan(&from..&everything.end, &mut |key, value| {
            last = Some(key.to_vec());
            if census.row(key, value) {
                visit(key, value);
            }
            ControlFlow::Continue(())
        });
        let Err(error) = scanned else { break };
        census.unreadable(error.to_string());
        if let Some(last) = last {
            (from, step) = (last, 0);
        }
        let Some(kept) = KEPT.get(step) else { break };
        step += 1;
        from.truncate(*kept);
        let Some(next) = keys::behind(&from) else { break };
        from = next;
    }
    census.count(|_| true, |_, _| true)
}
