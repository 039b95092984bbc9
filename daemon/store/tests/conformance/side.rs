//! Side logs: ordered, with one line for each command, part of backups and of no export, and erased
//! with their owner.

use std::fs;

use uuid::Uuid;
use vosim_protocol::ids::CommandId;
use vosim_store::{
    Appended, Options, Owner, SIDE_LINE_MAX_BYTES, SideLog, Store, StoreError, restore,
};

use crate::support::{
    Chain, ended, for_each_database, for_each_store, read_all, session, try_open,
};

const LINES_MAX: u64 = 6;

fn notes(of: u32) -> SideLog {
    SideLog { owner: Owner::Session(session(of)), name: "notes", lines_max: LINES_MAX }
}

const STORES_OWN: SideLog = SideLog { owner: Owner::Store, name: "notes", lines_max: LINES_MAX };

fn command(number: u128) -> CommandId {
    CommandId(Uuid::from_u128(number))
}

fn add(store: &Store, log: SideLog, number: u128, text: &str) -> Result<Appended, StoreError> {
    let text = text.to_owned();
    store.side_append(log, command(number), move |n| format!("{n}: {text}").into_bytes())
}

fn lines(store: &Store, log: SideLog) -> Vec<String> {
    let lines = store.side_read(log, 0, usize::MAX).unwrap();
    lines.into_iter().map(|line| String::from_utf8(line).unwrap()).collect()
}

#[test]
fn lines_are_numbered_and_one_command_makes_one_line() {
    for_each_store(|store| {
        store.append_blocking(Chain::new(0).append(3)).unwrap();
        store.append_blocking(Chain::new(1).append(3)).unwrap();
        assert_eq!(lines(store, notes(0)), [""; 0]);
        let first = add(store, notes(0), 1, "a").unwrap();
        assert_eq!(first, Appended { line: b"1: a".to_vec(), replayed: false });
        add(store, notes(0), 2, "b").unwrap();
        // The command counts, whatever is said the second time, and it counts within one log.
        let again = add(store, notes(0), 1, "other").unwrap();
        assert_eq!(again, Appended { line: b"1: a".to_vec(), replayed: true });
        add(store, notes(1), 1, "c").unwrap();
        assert_eq!(lines(store, notes(0)), ["1: a", "2: b"]);
        assert_eq!(lines(store, notes(1)), ["1: c"]);
        assert_eq!([0, 1, 2].map(|of| store.side_last(notes(of)).unwrap()), [2, 1, 0]);
    });
}

#[test]
fn logs_of_one_owner_and_logs_of_one_name_are_kept_apart() {
    for_each_store(|store| {
        store.append_blocking(Chain::new(0).append(1)).unwrap();
        let named = |name| SideLog { name, ..notes(0) };
        let logs = [named("note"), named("notes"), named("notes.1"), STORES_OWN];
        for (index, log) in logs.into_iter().enumerate() {
            (0..=index).for_each(|n| drop(add(store, log, n as u128, log.name).unwrap()));
        }
        for (index, log) in logs.into_iter().enumerate() {
            let expected: Vec<_> = (1..=index + 1).map(|n| format!("{n}: {}", log.name)).collect();
            assert_eq!(lines(store, log), expected, "{log}");
            assert_eq!(store.side_last(log).unwrap(), index as u64 + 1, "{log}");
        }
    });
}

#[test]
fn lines_are_read_in_pages_that_get_on() {
    for_each_store(|store| {
        for number in 1..=5 {
            add(store, STORES_OWN, number, "x").unwrap();
        }
        let page = |after, bytes| store.side_read(STORES_OWN, after, bytes).unwrap().len();
        assert_eq!([page(0, 0), page(0, 8), page(3, 8), page(4, 0), page(5, 99)], [1, 2, 2, 1, 0]);
        assert_eq!(page(u64::MAX, 99), 0);
    });
}

#[test]
fn what_is_appended_is_bounded_and_needs_its_owner() {
    for_each_store(|store| {
        let unknown = add(store, notes(0), 1, "a");
        assert!(matches!(unknown, Err(StoreError::Unknown { .. })), "{unknown:?}");
        store.append_blocking(Chain::new(0).append(1)).unwrap();
        let large = |bytes| store.side_append(notes(0), command(0), move |_| vec![b'x'; bytes]);
        let refused = large(SIDE_LINE_MAX_BYTES + 1);
        assert!(matches!(refused, Err(StoreError::Invalid { .. })), "{refused:?}");
        large(SIDE_LINE_MAX_BYTES).unwrap();
        (2..=LINES_MAX).for_each(|n| drop(add(store, notes(0), n.into(), "x").unwrap()));
        let full = add(store, notes(0), 99, "x");
        assert!(matches!(full, Err(StoreError::Full { lines_max: LINES_MAX, .. })), "{full:?}");
        assert!(add(store, notes(0), 2, "x").unwrap().replayed, "what is there is answered");
        assert_eq!(store.side_last(notes(0)).unwrap(), LINES_MAX);
        for name in ["", "a b", "a\0", &*"x".repeat(65)] {
            let named = SideLog { name: name.to_owned().leak(), ..STORES_OWN };
            let refused = add(store, named, 1, "x");
            assert!(matches!(refused, Err(StoreError::Invalid { .. })), "{name:?}: {refused:?}");
        }
    });
}

#[test]
fn lines_survive_a_restart_a_compaction_and_a_backup_and_stand_in_no_archive() {
    for_each_database(|dir, store| {
        ended(&store, 0, 5);
        add(&store, STORES_OWN, 1, "of the store").unwrap();
        add(&store, notes(0), 1, "nobody but the interviewer").unwrap();
        store.archive(session(0)).unwrap();
        store.prune(session(0)).unwrap();
        // The session's log has been pruned, and its side log still takes lines.
        add(&store, notes(0), 2, "b").unwrap();
        store.compact().unwrap();
        let out = tempfile::tempdir().unwrap();
        let backup = out.path().join("backup");
        store.backup(&backup).unwrap();
        let kept = |store: &Store| {
            assert_eq!(lines(store, notes(0)), ["1: nobody but the interviewer", "2: b"]);
            assert_eq!(lines(store, STORES_OWN), ["1: of the store"]);
        };
        kept(&store);
        let archive = fs::read_to_string(store.archive_path(session(0)).unwrap()).unwrap();
        assert!(!archive.contains("nobody"));
        assert!(read_all(&store, 0).iter().all(|line| !line.windows(6).any(|w| w == b"nobody")));
        drop(store);
        let store = try_open(dir.path()).unwrap();
        kept(&store);
        assert!(add(&store, notes(0), 1, "again").unwrap().replayed);
        let other = tempfile::tempdir().unwrap();
        restore(&backup, other.path(), &Options::default()).unwrap();
        let restored = try_open(other.path()).unwrap();
        kept(&restored);
        assert!(add(&restored, notes(0), 2, "again").unwrap().replayed);
    });
}

#[test]
fn side_logs_go_with_their_session_and_those_of_others_stay() {
    for_each_database(|_, store| {
        store.append_blocking(Chain::new(0).append(1)).unwrap();
        store.append_blocking(Chain::new(1).append(1)).unwrap();
        let others = SideLog { name: "history", ..notes(0) };
        add(&store, notes(0), 1, "secret of the first").unwrap();
        add(&store, others, 1, "secret of the first").unwrap();
        add(&store, notes(1), 1, "kept").unwrap();
        add(&store, STORES_OWN, 1, "kept").unwrap();
        store.delete(session(0)).unwrap();
        let deleted = add(&store, notes(0), 2, "too late");
        assert!(matches!(deleted, Err(StoreError::Deleted { .. })), "{deleted:?}");
        for log in [notes(0), others] {
            assert_eq!(lines(&store, log), [""; 0], "{log}");
        }
        for log in [notes(1), STORES_OWN] {
            assert_eq!(lines(&store, log), ["1: kept"], "{log}");
        }
        store.compact().unwrap();
        let out = tempfile::tempdir().unwrap();
        let backup = out.path().join("backup");
        store.backup(&backup).unwrap();
        let bytes = fs::read(&backup).unwrap();
        assert!(!bytes.windows(6).any(|window| window == b"secret"));
    });
}
