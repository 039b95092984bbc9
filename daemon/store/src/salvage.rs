//! The rows of a database that does not open or lacks something, read from its pages.
//!
//! A file holds more than the rows in force: earlier versions of them, and what was never committed.
//! An event is proved by the chain that goes on from it, a blob by its hash; of other rows the latest
//! counts where something tells which that is, and none where nothing does. Whatever was erased must
//! not come back, so nothing is read where the file may still hold such bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use vosim_protocol::Wire as _;
use vosim_protocol::ids::{EventId, Hash, SessionId};
use vosim_protocol::record::{EventRecord, Head};

use crate::backend::memory::MemoryBackend;
use crate::backend::{Backend, Batch};
use crate::blobs::BlobRow;
use crate::census::{Counted, past_damage};
use crate::error::{OpenError, StoreError};
use crate::keys;
use crate::manifest::{self, Manifest, PageOrder};
use crate::sealed::unseal;
use crate::tally::Mark;

/// The versions of each row that were found, all of them intact.
type Versions = BTreeMap<Vec<u8>, Vec<Vec<u8>>>;

/// The intact events of a database, and what else was found in it.
#[derive(Debug, Default)]
pub(crate) struct Intact {
    events: u64,
    pub(crate) found: Counted,
}

impl Intact {
    pub(crate) fn of(rows: &dyn Backend) -> Self {
        let mut events = 0;
        let found = past_damage(rows, &mut |key, _| {
            events += u64::from(keys::parse_event(key).is_some());
        });
        Self { events, found }
    }
}

/// Reads what can be proved of a database that lacks something, or does not open, if that is more than
/// what it shows when it is opened: what is left out then, or cannot be reached through a damaged
/// page, may well stand in other pages.
pub(crate) fn more_in_pages(
    dir: &Path,
    of: &Manifest,
    opened: &Intact,
) -> Result<Option<(MemoryBackend, Intact)>, OpenError> {
    let in_pages = salvage(dir, of)?.map(|rows| {
        let intact = Intact::of(&rows);
        (rows, intact)
    });
    Ok(in_pages.filter(|(_, intact)| intact.events > opened.events))
}

/// Reads what can be proved of a database by its pages alone; none where no event stands in its pages,
/// and where something was erased whose bytes may still be there.
fn salvage(dir: &Path, of: &Manifest) -> Result<Option<MemoryBackend>, OpenError> {
    let mut found = Versions::new();
    let order = manifest::each_row_in_pages(dir, of, &mut |key, value| {
        if unseal(key, value).is_ok() {
            note(&mut found, key, value);
        }
    })?;
    if found.contains_key(keys::ERASED) {
        return Ok(None);
    }
    let chosen = choose(found, order);
    if !chosen.keys().any(|key| keys::parse_event(key).is_some()) {
        return Ok(None);
    }
    let mut batch = Batch::default();
    chosen.into_iter().for_each(|(key, value)| batch.put(key, value));
    let rows = MemoryBackend::default();
    rows.commit(batch).map_err(StoreError::from)?;
    Ok(Some(rows))
}

/// Keeps a version of a row; of what counts upwards only the highest.
fn note(found: &mut Versions, key: &[u8], value: &[u8]) {
    let versions = found.entry(key.to_vec()).or_default();
    let rank_here = rank(key, value);
    match versions.first() {
        Some(known) if rank_here.is_some() => {
            if rank_here > rank(key, known) {
                *versions = vec![value.to_vec()];
            }
        }
        Some(_) | None => {
            versions.retain(|known| known != value);
            versions.push(value.to_vec());
        }
    }
}

/// How far a row had come that counts upwards.
fn rank(key: &[u8], value: &[u8]) -> Option<(u64, bool)> {
    let bytes = unseal(key, value).ok()?;
    if key == keys::COMMITS {
        Mark::parse(bytes).map(|mark| (mark.commits, false))
    } else if keys::heads().contains(&key.to_vec()) {
        Head::from_bytes(bytes).ok().map(|head| (head.cursor.0, head.ended))
    } else {
        None
    }
}

/// One version of each row that belongs to a store.
fn choose(mut found: Versions, order: PageOrder) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let sessions = |range: keys::KeyRange| -> BTreeSet<SessionId> {
        found.range(range).filter_map(|(key, _)| keys::parse_session(key)).collect()
    };
    let (erased, archived) = (sessions(keys::tombstones()), sessions(keys::all_pruned()));
    let mut logs: BTreeMap<SessionId, BTreeMap<EventId, Vec<Vec<u8>>>> = BTreeMap::new();
    let mut chosen = BTreeMap::new();
    let settings = keys::settings();
    while let Some((key, versions)) = found.pop_first() {
        if let Some((session, id)) = keys::parse_event(&key) {
            // Of an archived session the archive has them all.
            if !erased.contains(&session) && !archived.contains(&session) {
                logs.entry(session).or_default().insert(id, versions);
            }
        } else if let [value] = &*versions {
            chosen.insert(key, value.clone());
        } else if settings.contains(&key) {
            let last = versions.last().filter(|_| order == PageOrder::Written);
            chosen.extend(last.map(|value| (key, value.clone())));
        } else {
            // A blob that lies in the row is better than the name of its file.
            let is_inline = |value: &&Vec<u8>| {
                let bytes = unseal(&key, value).ok();
                matches!(bytes.and_then(BlobRow::parse), Some(BlobRow::Inline(_)))
            };
            let value = versions.iter().find(is_inline).or(versions.first()).cloned();
            chosen.extend(value.map(|value| (key, value)));
        }
    }
    for (session, log) in logs {
        for (id, value) in longest_chain(session, log) {
            chosen.insert(keys::event(session, id), value);
        }
    }
    chosen
}

/// Of the versions of each event the one from which the longest chain goes on.
fn longest_chain(
    session: SessionId,
    log: BTreeMap<EventId, Vec<Vec<u8>>>,
) -> BTreeMap<EventId, Vec<u8>> {
    /// How many events follow the one with a hash, and which is the next of them.
    type Follows = BTreeMap<Hash, (u64, Hash)>;
    let mut follows = Follows::new();
    let line = |id: EventId, value: &[u8]| -> Option<(Hash, Hash)> {
        let key = keys::event(session, id);
        let line = unseal(&key, value).ok()?;
        let record = EventRecord::from_bytes(line).ok()?;
        Some((Hash::of(line), record.prev_hash))
    };
    for (id, versions) in log.iter().rev() {
        for (hash, before) in versions.iter().filter_map(|value| line(*id, value)) {
            let behind = follows.get(&hash).map_or(0, |(behind, _)| *behind) + 1;
            let best = follows.entry(before).or_insert((behind, hash));
            if best.0 < behind {
                *best = (behind, hash);
            }
        }
    }
    let mut before = Hash::NONE;
    let mut chosen = BTreeMap::new();
    for (id, versions) in log {
        let next = follows.get(&before).map(|(_, hash)| *hash);
        let fits = |value: &&Vec<u8>| line(id, value).is_some_and(|(hash, _)| Some(hash) == next);
        // Behind a gap there is nothing to be proved by; what stands there is cut off later.
        let value = versions.iter().find(fits).or(versions.first()).cloned();
        before = next.unwrap_or(before);
        chosen.extend(value.map(|value| (id, value)));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;
    use vosim_protocol::record::Actor;
    use vosim_protocol::time::Time;

    use super::*;
    use crate::sealed::seal;

    const SESSION: SessionId = SessionId(Uuid::from_u128(7));

    /// An event behind another, sealed as a row, and its hash.
    fn event(id: u64, text: &str, before: Hash) -> (Vec<u8>, Hash) {
        let record = EventRecord {
            session_id: SESSION,
            event_id: EventId(id),
            timestamp: Time::from_micros(1),
            actor: Actor::System,
            event_type: "X".to_owned(),
            payload: text.into(),
            v: 1,
            command_id: None,
            command_hash: None,
            prev_hash: before,
        };
        let (line, hash) = record.seal();
        (seal(&keys::event(SESSION, EventId(id)), &line), hash)
    }

    #[test]
    fn of_two_events_in_one_place_the_one_counts_from_which_the_log_goes_on() {
        let (one, first) = event(1, "a", Hash::NONE);
        let (given_up, _) = event(2, "never committed", first);
        let (two, second) = event(2, "b", first);
        let (three, _) = event(3, "c", second);
        for at_two in [[&given_up, &two], [&two, &given_up]] {
            let mut found = Versions::new();
            let mut add =
                |id, value: &[u8]| note(&mut found, &keys::event(SESSION, EventId(id)), value);
            add(1, &one);
            at_two.iter().for_each(|value| add(2, value));
            add(3, &three);
            let chosen: Vec<_> = choose(found, PageOrder::Unknown).into_values().collect();
            assert_eq!(chosen, [one.clone(), two.clone(), three.clone()]);
        }
    }

    #[test]
    fn the_events_of_an_erased_session_stay_away_and_of_a_setting_that_changed_there_is_none() {
        let (one, _) = event(1, "a", Hash::NONE);
        let mut found = Versions::new();
        for (key, values) in [
            (keys::event(SESSION, EventId(1)), vec![one]),
            (keys::tombstone(SESSION), vec![seal(&keys::tombstone(SESSION), b"")]),
            (
                keys::setting("a"),
                ["1", "2", "1"].map(|at| seal(&keys::setting("a"), at.as_bytes())).into(),
            ),
            (keys::setting("b"), vec![seal(&keys::setting("b"), b"3")]),
        ] {
            values.iter().for_each(|value| note(&mut found, &key, value));
        }
        let left: Vec<_> = choose(found.clone(), PageOrder::Unknown).into_keys().collect();
        assert_eq!(left, [keys::setting("b"), keys::tombstone(SESSION)]);
        let left = choose(found, PageOrder::Written);
        assert_eq!(left[&keys::setting("a")], seal(&keys::setting("a"), b"1"), "the last of them");
    }
}
