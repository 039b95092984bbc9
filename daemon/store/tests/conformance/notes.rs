//! Notes: in order, once for each intention, in backups and in no export.

use std::fs;

use uuid::Uuid;
use vosim_protocol::ids::CommandId;
use vosim_store::{NOTE_MAX_BYTES, NOTES_MAX, Noted, Options, Store, StoreError, restore};

use crate::support::{
    Chain, ended, for_each_database, for_each_store, read_all, session, try_open,
};

fn intention(number: u128) -> CommandId {
    CommandId(Uuid::from_u128(number))
}

fn add(store: &Store, of: u32, number: u128, text: &str) -> Result<Noted, StoreError> {
    let text = text.to_owned();
    store.add_note(session(of), intention(number), move |n| format!("{n}: {text}").into_bytes())
}

fn notes(store: &Store, of: u32) -> Vec<String> {
    let lines = store.notes(session(of), 0, usize::MAX).unwrap();
    lines.into_iter().map(|line| String::from_utf8(line).unwrap()).collect()
}

#[test]
fn notes_are_numbered_and_one_intention_makes_one_note() {
    for_each_store(|store| {
        store.append_blocking(Chain::new(0).append(3)).unwrap();
        store.append_blocking(Chain::new(1).append(3)).unwrap();
        assert_eq!(notes(store, 0), [""; 0]);
        let first = add(store, 0, 1, "a").unwrap();
        assert_eq!(first, Noted { line: b"1: a".to_vec(), replayed: false });
        add(store, 0, 2, "b").unwrap();
        // The intention counts, whatever is said the second time, and it is of one session only.
        let again = add(store, 0, 1, "other").unwrap();
        assert_eq!(again, Noted { line: b"1: a".to_vec(), replayed: true });
        add(store, 1, 1, "c").unwrap();
        assert_eq!(notes(store, 0), ["1: a", "2: b"]);
        assert_eq!(notes(store, 1), ["1: c"]);
        assert_eq!([0, 1, 2].map(|of| store.last_note(session(of)).unwrap()), [2, 1, 0]);
    });
}

#[test]
fn notes_are_read_in_pages_that_get_on() {
    for_each_store(|store| {
        store.append_blocking(Chain::new(0).append(1)).unwrap();
        for number in 1..=5 {
            add(store, 0, number, "x").unwrap();
        }
        let page = |after, bytes| store.notes(session(0), after, bytes).unwrap().len();
        assert_eq!([page(0, 0), page(0, 8), page(3, 8), page(4, 0), page(5, 99)], [1, 2, 2, 1, 0]);
        assert_eq!(page(u64::MAX, 99), 0);
    });
}

#[test]
fn notes_have_limits_and_need_a_session() {
    for_each_store(|store| {
        let unknown = add(store, 0, 1, "a");
        assert!(matches!(unknown, Err(StoreError::Unknown { .. })), "{unknown:?}");
        store.append_blocking(Chain::new(0).append(1)).unwrap();
        let large = |bytes| store.add_note(session(0), intention(2), move |_| vec![b'x'; bytes]);
        let refused = large(NOTE_MAX_BYTES + 1);
        assert!(matches!(refused, Err(StoreError::Invalid { .. })), "{refused:?}");
        large(NOTE_MAX_BYTES).unwrap();
    });
    let store = Store::in_memory();
    store.append_blocking(Chain::new(0).append(1)).unwrap();
    for number in 0..NOTES_MAX {
        add(&store, 0, number.into(), "x").unwrap();
    }
    assert!(add(&store, 0, NOTES_MAX.into(), "x").is_err());
    assert_eq!(store.last_note(session(0)).unwrap(), NOTES_MAX);
}

#[test]
fn notes_survive_a_restart_a_compaction_and_a_backup_and_stand_in_no_archive() {
    for_each_database(|dir, store| {
        ended(&store, 0, 5);
        add(&store, 0, 1, "nobody but the interviewer").unwrap();
        store.archive(session(0)).unwrap();
        store.prune(session(0)).unwrap();
        // The session's log has moved, and there is more to be said.
        add(&store, 0, 2, "b").unwrap();
        store.compact().unwrap();
        let backup = dir.path().join("backup");
        store.backup(&backup).unwrap();
        let expected = ["1: nobody but the interviewer", "2: b"];
        assert_eq!(notes(&store, 0), expected);
        let archive = fs::read_to_string(store.archive_path(session(0)).unwrap()).unwrap();
        assert!(!archive.contains("nobody"));
        assert!(read_all(&store, 0).iter().all(|line| !line.windows(6).any(|w| w == b"nobody")));
        drop(store);
        let store = try_open(dir.path()).unwrap();
        assert_eq!(notes(&store, 0), expected);
        assert!(add(&store, 0, 1, "again").unwrap().replayed);
        let other = tempfile::tempdir().unwrap();
        restore(&backup, other.path(), &Options::default()).unwrap();
        let restored = try_open(other.path()).unwrap();
        assert_eq!(notes(&restored, 0), expected);
        assert!(add(&restored, 0, 2, "again").unwrap().replayed);
    });
}

#[test]
fn notes_go_with_their_session() {
    for_each_database(|dir, store| {
        store.append_blocking(Chain::new(0).append(1)).unwrap();
        store.append_blocking(Chain::new(1).append(1)).unwrap();
        add(&store, 0, 1, "secret of the first").unwrap();
        add(&store, 1, 1, "kept").unwrap();
        store.delete(session(0)).unwrap();
        let deleted = add(&store, 0, 2, "too late");
        assert!(matches!(deleted, Err(StoreError::Deleted { .. })), "{deleted:?}");
        assert_eq!(notes(&store, 0), [""; 0]);
        assert_eq!(notes(&store, 1), ["1: kept"]);
        store.compact().unwrap();
        let backup = dir.path().join("backup");
        store.backup(&backup).unwrap();
        let bytes = fs::read(&backup).unwrap();
        assert!(!bytes.windows(6).any(|window| window == b"secret"));
    });
}
