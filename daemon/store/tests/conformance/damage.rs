//! Flipped bits: noticed, and never a wrong payload.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uuid::Uuid;
use vosim_protocol::ids::{CommandId, EventId};
use vosim_store::{
    Backend as _, BackendKind, Batch, MemoryBackend, OpenError, Options, Owner, SideLog, Store,
    StoreError, rescue,
};

use crate::support::{
    BACKENDS, Chain, Random, check_acknowledged, copy_tree, ended, fold, for_each_database, open,
    read_all, rounds, session, try_open,
};

const SESSIONS: u32 = 6;
const EVENTS: u64 = 200;

/// What became of one flipped bit.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// An error somewhere.
    Noticed,
    /// Nothing that is read was hit.
    Harmless,
}

fn database_file(dir: &Path) -> PathBuf {
    let sled = dir.join("db-1/db");
    if sled.exists() { sled } else { dir.join("db-1/store.redb") }
}

fn filled(backend: BackendKind) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path(), backend);
    for number in 0..SESSIONS {
        let mut chain = Chain::new(number);
        (0..20).for_each(|_| store.append_blocking(chain.append(EVENTS / 20)).unwrap());
    }
    drop(store);
    dir
}

/// Copies a store, flips one bit of its database and reads everything.
fn flip(from: &Path, byte: usize, bit: usize) -> Outcome {
    let dir = tempfile::tempdir().unwrap();
    copy_tree(from, dir.path());
    let path = database_file(dir.path());
    let mut bytes = fs::read(&path).unwrap();
    bytes[byte] ^= 1 << bit;
    fs::write(&path, bytes).unwrap();
    match try_open(dir.path()) {
        Ok(store) => read_everything(&store),
        Err(_) => Outcome::Noticed,
    }
}

fn read_everything(store: &Store) -> Outcome {
    let mut outcome = Outcome::Harmless;
    let heads = store.heads();
    if !heads.as_ref().is_ok_and(|heads| heads.damaged.is_empty()) {
        outcome = Outcome::Noticed;
    }
    let heads = heads.unwrap_or_default().heads;
    for number in 0..SESSIONS {
        let mut chain = Chain::new(number);
        match store.read(session(number), EventId::ZERO, usize::MAX, usize::MAX) {
            Ok(lines) => {
                assert!(lines.iter().all(|line| *line == chain.line()), "a wrong payload");
                if chain.cursor != EventId(EVENTS) {
                    panic!("session {number} ends at {} without an error", chain.cursor);
                }
                let head = heads.iter().find(|head| head.session_id == session(number));
                assert!(head.is_none_or(|head| *head == chain.head()), "a wrong head");
            }
            Err(_) => outcome = Outcome::Noticed,
        }
        if store.verify(session(number)).is_err() {
            outcome = Outcome::Noticed;
        }
    }
    outcome
}

#[test]
fn a_flipped_bit_in_an_event_is_noticed() {
    for &backend in BACKENDS {
        let dir = filled(backend);
        let bytes = fs::read(database_file(dir.path())).unwrap();
        let places: Vec<usize> = bytes
            .windows(11)
            .enumerate()
            .filter(|(_, w)| w == b"vosim vosim")
            .map(|(at, _)| at)
            .collect();
        let mut random = Random::seeded("flipped bits in events");
        let mut noticed = 0;
        for _ in 0..rounds(15, 100) {
            let place = places[usize::try_from(random.below(places.len() as u64)).unwrap()];
            let bit = usize::try_from(random.below(8)).unwrap();
            noticed += u32::from(flip(dir.path(), place, bit) == Outcome::Noticed);
        }
        println!("{backend:?}: {noticed} noticed, the others in dead space");
        assert!(noticed > 0, "some of these bytes are alive");
    }
}

#[test]
fn a_flipped_bit_anywhere_never_gives_a_wrong_or_missing_event() {
    for &backend in BACKENDS {
        let dir = filled(backend);
        let length = fs::metadata(database_file(dir.path())).unwrap().len();
        let mut random = Random::seeded("flipped bits anywhere");
        for _ in 0..rounds(15, 200) {
            let byte = usize::try_from(random.below(length)).unwrap();
            flip(dir.path(), byte, usize::try_from(random.below(8)).unwrap());
        }
    }
}

/// What sled makes of damage in its newest segment: an end, as after an interrupted write.
#[test]
fn a_log_that_has_lost_its_end_is_refused_until_what_is_left_and_archived_is_rescued() {
    for_each_database(|dir, store| {
        let mut chain = Chain::new(0);
        store.append_blocking(chain.append(5)).unwrap();
        store.close();
        drop(store);
        let (database, before) = (dir.path().join("db-1"), dir.path().join("before"));
        copy_tree(&database, &before);
        let store = try_open(dir.path()).unwrap();
        (0..3).for_each(|_| store.append_blocking(chain.append(2)).unwrap());
        // One that has ended meanwhile is in its archive as well.
        let whole = ended(&store, 1, 4);
        store.archive(session(1)).unwrap();
        drop(store);
        fs::copy(database.join("commits"), before.join("commits")).unwrap();
        fs::remove_dir_all(&database).unwrap();
        fs::rename(&before, &database).unwrap();

        let refused = try_open(dir.path()).unwrap_err();
        let OpenError::Damaged { lost: commits, whole: 1, sessions: 1, .. } = refused else {
            panic!("{refused}");
        };
        assert!(commits >= 4, "{refused}");
        let again = try_open(dir.path());
        assert!(matches!(again, Err(OpenError::Damaged { lost, .. }) if lost == commits));
        let rescued = rescue(dir.path(), &Options::default(), |id, lines, _| fold(id, lines));
        let rescued = rescued.unwrap();
        assert_eq!((rescued.whole, rescued.archived, rescued.lost_commits), (1, 1, commits));
        let store = try_open(dir.path()).unwrap();
        assert_eq!(EventId(read_all(&store, 1).len() as u64), whole.cursor);
        let acked = BTreeMap::from([(0, 5)]);
        check_acknowledged(&store, &acked).unwrap();
    });
}

#[test]
fn damaged_snapshots_and_settings_of_sled_do_not_keep_its_log_from_opening() {
    let spoil: [fn(&mut Vec<u8>); 3] =
        [|bytes| bytes.clear(), |bytes| bytes[3] ^= 1, |bytes| bytes.truncate(bytes.len() / 2)];
    for spoil in spoil {
        let dir = filled(BackendKind::Sled);
        // A snapshot is made only once there is a log to take one of.
        drop(try_open(dir.path()).unwrap());
        let files = fs::read_dir(dir.path().join("db-1")).unwrap();
        let dispensable = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.starts_with("snap.") || name == "conf"
        };
        let victims: Vec<PathBuf> =
            files.map(|entry| entry.unwrap().path()).filter(dispensable).collect();
        assert!(victims.len() > 1);
        for path in victims {
            let mut bytes = fs::read(&path).unwrap();
            spoil(&mut bytes);
            fs::write(path, bytes).unwrap();
        }
        let store = try_open(dir.path()).unwrap();
        assert_eq!(read_everything(&store), Outcome::Harmless);
    }
}

#[test]
fn damage_at_the_very_end_of_sled_s_log_leaves_all_that_was_written_before() {
    let good = filled(BackendKind::Sled);
    // The last message is one that the snapshot has seen.
    drop(try_open(good.path()).unwrap());
    let bytes = fs::read(database_file(good.path())).unwrap();
    let last = bytes.iter().rposition(|byte| *byte != 0).unwrap();
    for back in [0, 9, 40, 200] {
        let dir = tempfile::tempdir().unwrap();
        copy_tree(good.path(), dir.path());
        let mut bytes = bytes.clone();
        bytes[last - back] ^= 1;
        fs::write(database_file(dir.path()), bytes).unwrap();
        match try_open(dir.path()) {
            Ok(store) => assert_eq!(read_everything(&store), Outcome::Harmless),
            Err(error) => {
                let rescued =
                    rescue(dir.path(), &Options::default(), |id, lines, _| fold(id, lines));
                let rescued = rescued.unwrap_or_else(|why| panic!("{error}\n{why}"));
                assert!(rescued.whole + 1 >= u64::from(SESSIONS), "{back}: {rescued:?}");
            }
        }
    }
}

/// A store in memory whose rows a test can reach.
fn exposed() -> (Arc<MemoryBackend>, Store) {
    let rows = Arc::new(MemoryBackend::default());
    let store = Store::on_backend(Arc::clone(&rows) as _, Options::default()).unwrap();
    (rows, store)
}

fn key(letter: u8, number: u32, id: Option<u64>) -> Vec<u8> {
    let mut key = vec![letter];
    key.extend_from_slice(session(number).0.as_bytes());
    key.extend(id.into_iter().flat_map(u64::to_be_bytes));
    key
}

fn change(rows: &MemoryBackend, change: impl FnOnce(&mut Batch)) {
    let mut batch = Batch::default();
    change(&mut batch);
    rows.commit(batch).unwrap();
}

#[test]
fn an_event_that_is_missing_or_in_the_wrong_place_is_noticed() {
    for (missing, expected) in [(1, 1), (3, 3), (5, 5)] {
        let (rows, store) = exposed();
        store.append_blocking(Chain::new(0).append(5)).unwrap();
        change(&rows, |batch| batch.remove(key(b'e', 0, Some(missing))));
        let read = store.read(session(0), EventId::ZERO, usize::MAX, usize::MAX);
        assert!(
            matches!(read, Err(StoreError::Hole { missing: EventId(id), .. }) if id == expected),
            "{read:?}"
        );
    }
    let (rows, store) = exposed();
    store.append_blocking(Chain::new(0).append(5)).unwrap();
    let third = rows.get(&key(b'e', 0, Some(3))).unwrap().unwrap();
    change(&rows, |batch| batch.put(key(b'e', 0, Some(4)), third));
    let read = store.read(session(0), EventId(3), 1, usize::MAX);
    assert!(matches!(read, Err(StoreError::Damaged { .. })), "{read:?}");
    assert_eq!(store.read(session(0), EventId::ZERO, 3, usize::MAX).unwrap().len(), 3);
}

#[test]
fn damaged_and_missing_heads_are_told_and_made_again_from_the_log() {
    let (rows, store) = exposed();
    for number in 0..3 {
        store.append_blocking(Chain::new(number).append(4)).unwrap();
    }
    change(&rows, |batch| {
        batch.put(key(b'h', 0, None), b"rubbish".to_vec());
        batch.remove(key(b'h', 1, None));
    });
    let heads = store.heads().unwrap();
    assert_eq!((heads.heads.len(), heads.damaged), (1, vec![session(0)]));
    assert!(store.head(session(0)).is_err());
    assert_eq!(store.rebuild_heads(fold).unwrap(), 2);
    let heads = store.heads().unwrap();
    assert_eq!((heads.heads.len(), heads.damaged.len()), (3, 0));
    let folded = store.read(session(0), EventId::ZERO, 9, usize::MAX).unwrap();
    assert_eq!(store.head(session(0)).unwrap(), fold(session(0), &folded));
}

#[test]
fn whatever_is_damaged_is_named_with_the_log_that_it_stands_in() {
    let (rows, store) = exposed();
    store.append_blocking(Chain::new(0).append(2)).unwrap();
    for owner in [Owner::Session(session(0)), Owner::Store] {
        let notes = SideLog { owner, name: "notes", lines_max: 9 };
        store.side_append(notes, CommandId(Uuid::nil()), |_| b"a".to_vec()).unwrap();
    }
    assert_eq!(store.damaged_values().unwrap(), [""; 0]);
    let mut keys = Vec::new();
    rows.scan(&b"e"[..]..&b"t"[..], &mut |key, _| {
        keys.push(key.to_vec());
        ControlFlow::Continue(())
    })
    .unwrap();
    change(&rows, |batch| keys.into_iter().for_each(|key| batch.put(key, b"rubbish".to_vec())));
    let of = session(0);
    let named = [
        format!("event 1 of session {of}"),
        format!("event 2 of session {of}"),
        "a value of the heads".to_owned(),
        // The count of commits.
        "a value of the database".to_owned(),
        "line 1 of notes of the store".to_owned(),
        format!("line 1 of notes of session {of}"),
    ];
    let told = named.map(|what| format!("{what}: its checksum does not fit"));
    assert_eq!(store.damaged_values().unwrap(), told);
}
