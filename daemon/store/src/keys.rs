//! The layout of the keys: a prefix letter, then ids whose bytes sort in the order of reading.
//!
//! No other module knows how a key is made, and a change of the layout is a change of the store's
//! format.

use std::ops::Range;

use uuid::Uuid;
use vosim_protocol::ids::{CommandId, EventId, Hash, SessionId};

use crate::owner::{Owner, SideLog};

/// The key under which the database says which store it belongs to.
pub(crate) const META: &[u8] = b"m";

/// The key that is there while the bytes of something that was erased are still in the file.
pub(crate) const ERASED: &[u8] = b"md";

/// The key of the number of commits.
pub(crate) const COMMITS: &[u8] = b"mc";

const EVENT: u8 = b'e';
const HEAD: u8 = b'h';
const PRUNED: u8 = b'p';
const TOMBSTONE: u8 = b't';
const BLOB: u8 = b'b';
/// By session and hash: which blobs a session refers to.
const REFERENCE: u8 = b'r';
/// By hash and session: which sessions refer to a blob.
const REFERRER: u8 = b'u';
/// Blobs that have been deleted and whose files are still to be unlinked.
const DOOMED: u8 = b'x';
/// By owner, name and number: the lines of side logs.
const SIDE_LINE: u8 = b's';
/// By owner, name and command: the number of the line that a command has appended.
const SIDE_COMMAND: u8 = b'c';
const SETTING: u8 = b'k';

/// A half-open range of keys.
pub(crate) type KeyRange = Range<Vec<u8>>;

pub(crate) fn event(session: SessionId, id: EventId) -> Vec<u8> {
    join(EVENT, &[session.0.as_bytes(), &id.0.to_be_bytes()])
}

pub(crate) fn head(session: SessionId) -> Vec<u8> {
    join(HEAD, &[session.0.as_bytes()])
}

pub(crate) fn pruned(session: SessionId) -> Vec<u8> {
    join(PRUNED, &[session.0.as_bytes()])
}

pub(crate) fn tombstone(session: SessionId) -> Vec<u8> {
    join(TOMBSTONE, &[session.0.as_bytes()])
}

pub(crate) fn blob(hash: Hash) -> Vec<u8> {
    join(BLOB, &[&hash.0])
}

pub(crate) fn reference(session: SessionId, hash: Hash) -> Vec<u8> {
    join(REFERENCE, &[session.0.as_bytes(), &hash.0])
}

pub(crate) fn referrer(hash: Hash, session: SessionId) -> Vec<u8> {
    join(REFERRER, &[&hash.0, session.0.as_bytes()])
}

pub(crate) fn doomed(hash: Hash) -> Vec<u8> {
    join(DOOMED, &[&hash.0])
}

pub(crate) fn setting(name: &str) -> Vec<u8> {
    join(SETTING, &[name.as_bytes()])
}

pub(crate) fn side_line(log: SideLog, number: u64) -> Vec<u8> {
    let mut key = of_side_log(SIDE_LINE, log);
    key.extend_from_slice(&number.to_be_bytes());
    key
}

pub(crate) fn side_command(log: SideLog, command: CommandId) -> Vec<u8> {
    let mut key = of_side_log(SIDE_COMMAND, log);
    key.extend_from_slice(command.0.as_bytes());
    key
}

/// The lines of a side log after a number.
pub(crate) fn side_lines_after(log: SideLog, after: u64) -> KeyRange {
    side_line(log, after.saturating_add(1))..end(&of_side_log(SIDE_LINE, log))
}

/// Everything that belongs to the side logs of an owner.
pub(crate) fn side_logs(owner: Owner) -> [KeyRange; 2] {
    [SIDE_LINE, SIDE_COMMAND].map(|prefix| prefixed(&of_owner(prefix, owner)))
}

/// The beginning of the keys of a side log. Its name ends in a zero, so that no name is a prefix of
/// another.
fn of_side_log(prefix: u8, log: SideLog) -> Vec<u8> {
    let mut key = of_owner(prefix, log.owner);
    key.extend_from_slice(log.name.as_bytes());
    key.push(0);
    key
}

fn of_owner(prefix: u8, owner: Owner) -> Vec<u8> {
    match owner {
        Owner::Store => join(prefix, &[&[0]]),
        Owner::Session(session) => join(prefix, &[&[1], session.0.as_bytes()]),
    }
}

/// The events of a session after a cursor.
pub(crate) fn events_after(session: SessionId, after: EventId) -> KeyRange {
    let first = EventId(after.0.saturating_add(1));
    event(session, first)..end(&join(EVENT, &[session.0.as_bytes()]))
}

pub(crate) fn all_events() -> KeyRange {
    prefixed(&[EVENT])
}

pub(crate) fn heads() -> KeyRange {
    prefixed(&[HEAD])
}

pub(crate) fn all_pruned() -> KeyRange {
    prefixed(&[PRUNED])
}

pub(crate) fn tombstones() -> KeyRange {
    prefixed(&[TOMBSTONE])
}

pub(crate) fn blobs() -> KeyRange {
    prefixed(&[BLOB])
}

pub(crate) fn references(session: SessionId) -> KeyRange {
    prefixed(&join(REFERENCE, &[session.0.as_bytes()]))
}

pub(crate) fn referrers(hash: Hash) -> KeyRange {
    prefixed(&join(REFERRER, &[&hash.0]))
}

pub(crate) fn all_doomed() -> KeyRange {
    prefixed(&[DOOMED])
}

pub(crate) fn settings() -> KeyRange {
    prefixed(&[SETTING])
}

/// Every key.
pub(crate) fn everything() -> KeyRange {
    Vec::new()..vec![u8::MAX]
}

/// The session and event that the key of an event names.
pub(crate) fn parse_event(key: &[u8]) -> Option<(SessionId, EventId)> {
    let (session, id) = key.strip_prefix(&[EVENT])?.split_first_chunk::<16>()?;
    Some((SessionId(Uuid::from_bytes(*session)), EventId(u64::from_be_bytes(id.try_into().ok()?))))
}

/// The session and the blob that it refers to, as the key of a reference names them.
pub(crate) fn parse_reference(key: &[u8]) -> Option<(SessionId, Hash)> {
    let (session, hash) = key.strip_prefix(&[REFERENCE])?.split_first_chunk::<16>()?;
    Some((SessionId(Uuid::from_bytes(*session)), Hash(hash.try_into().ok()?)))
}

/// The number that the key of a line of a side log names.
pub(crate) fn parse_side_line(key: &[u8]) -> Option<u64> {
    key.strip_prefix(&[SIDE_LINE])?.last_chunk::<8>().map(|number| u64::from_be_bytes(*number))
}

/// The session that a key ends in.
pub(crate) fn parse_session(key: &[u8]) -> Option<SessionId> {
    key.last_chunk::<16>().map(|bytes| SessionId(Uuid::from_bytes(*bytes)))
}

/// The hash that a key ends in.
pub(crate) fn parse_hash(key: &[u8]) -> Option<Hash> {
    key.last_chunk::<32>().map(|bytes| Hash(*bytes))
}

/// Describes what a key stands for, for use in a message.
pub(crate) fn describe(key: &[u8]) -> String {
    match parse_event(key) {
        Some((session, EventId(id))) => format!("event {id} of session {session}"),
        None => side(key).unwrap_or_else(|| format!("a value of {}", name(key))),
    }
}

/// Describes a line of a side log.
fn side(key: &[u8]) -> Option<String> {
    let number = parse_side_line(key)?;
    let (owner, log) = key.get(1..key.len() - 8)?.split_first()?;
    let (session, log) = match owner {
        0 => (None, log),
        _ => log.split_first_chunk::<16>().map(|(session, log)| (Some(*session), log))?,
    };
    let log = std::str::from_utf8(log.strip_suffix(&[0])?).ok()?;
    Some(match session.map(Uuid::from_bytes) {
        Some(session) => format!("line {number} of {log} of session {session}"),
        None => format!("line {number} of {log} of the store"),
    })
}

fn name(key: &[u8]) -> &'static str {
    match key.first() {
        Some(&EVENT) => "the log",
        Some(&HEAD) => "the heads",
        Some(&PRUNED) => "the archived sessions",
        Some(&TOMBSTONE | &DOOMED) => "the deletions",
        Some(&BLOB) => "the blobs",
        Some(&REFERENCE | &REFERRER) => "the references to blobs",
        Some(&SIDE_LINE | &SIDE_COMMAND) => "the side logs",
        Some(&SETTING) => "the settings",
        Some(_) | None => "the database",
    }
}

fn prefixed(prefix: &[u8]) -> KeyRange {
    prefix.to_vec()..end(prefix)
}

fn end(prefix: &[u8]) -> Vec<u8> {
    behind(prefix).expect("a prefix letter is below 255")
}

/// The first key after all those that begin with `prefix`; `None` if there can be none.
pub(crate) fn behind(prefix: &[u8]) -> Option<Vec<u8>> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < u8::MAX {
            end.push(last + 1);
            return Some(end);
        }
    }
    None
}

fn join(prefix: u8, parts: &[&[u8]]) -> Vec<u8> {
    let mut key = vec![prefix];
    parts.iter().for_each(|part| key.extend_from_slice(part));
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_sort_by_session_and_then_by_event(
            a in any::<(u128, u64)>(), b in any::<(u128, u64)>()
        ) {
            let key = |(s, e): (u128, u64)| event(SessionId(Uuid::from_u128(s)), EventId(e));
            prop_assert_eq!(key(a).cmp(&key(b)), a.cmp(&b));
            let parsed = parse_event(&key(a)).unwrap();
            prop_assert_eq!((parsed.0.0.as_u128(), parsed.1.0), a);
        }

        #[test]
        fn a_range_holds_its_session_and_no_other(
            session in any::<u128>(), other in any::<u128>(), after in any::<u64>(), id in any::<u64>()
        ) {
            let ids = [session, other].map(|id| SessionId(Uuid::from_u128(id)));
            let range = events_after(ids[0], EventId(after));
            prop_assert_eq!(
                range.contains(&event(ids[0], EventId(id))),
                id > after || (id == u64::MAX && after == u64::MAX)
            );
            prop_assert!(session == other || !range.contains(&event(ids[1], EventId(id))));
        }
    }

    #[test]
    fn a_session_of_all_ones_has_an_end() {
        let session = SessionId(Uuid::max());
        assert!(events_after(session, EventId::ZERO).contains(&event(session, EventId(u64::MAX))));
    }
}
