//! Exports and archives: the form that outlives the database.

use std::fs;

use vosim_protocol::Wire as _;
use vosim_protocol::ids::EventId;
use vosim_protocol::record::{Closing, check_chain};
use vosim_store::{Store, StoreError};

use crate::support::{
    Chain, ended, for_each_database, for_each_store, read_all, session, try_open,
};

#[test]
fn an_export_is_the_log_line_by_line_and_leaves_nothing_beside_it() {
    for_each_store(|store| {
        ended(store, 0, 60);
        let out = tempfile::tempdir().unwrap();
        let path = store.export(session(0), &out.path().join("new/folder")).unwrap();
        let text = fs::read(&path).unwrap();
        let lines: Vec<&[u8]> = text.strip_suffix(b"\n").unwrap().split(|&b| b == b'\n').collect();
        let (closing, records) = lines.split_last().unwrap();
        assert_eq!(records, read_all(store, 0));
        let head = check_chain(records.iter().copied()).unwrap();
        let expected = Closing { session_id: session(0), records: 60, head };
        assert_eq!(Closing::from_bytes(closing).unwrap(), expected);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        let unknown = store.export(session(1), out.path());
        assert!(matches!(unknown, Err(StoreError::Unknown { .. })));
    });
}

#[test]
fn only_an_ended_session_with_a_whole_archive_is_pruned() {
    for_each_database(|_, store| {
        let mut open = Chain::new(0);
        store.append_blocking(open.append(3)).unwrap();
        assert!(matches!(store.archive(session(0)), Err(StoreError::NotEnded { .. })));
        assert!(matches!(store.prune(session(0)), Err(StoreError::NotEnded { .. })));
        ended(&store, 1, 9);
        assert!(matches!(store.prune(session(1)), Err(StoreError::NotArchived { .. })));
        let path = store.archive(session(1)).unwrap();
        let text = fs::read(&path).unwrap();
        fs::write(&path, &text[..text.len() / 2]).unwrap();
        assert!(matches!(store.prune(session(1)), Err(StoreError::NotArchived { .. })));
        assert!(store.lacks_archive(session(1), EventId(9)));
        store.archive(session(1)).unwrap();
        assert!(!store.lacks_archive(session(1), EventId(9)));
        assert!(store.lacks_archive(session(1), EventId(10)), "it went on since then");
        store.prune(session(1)).unwrap();
        store.prune(session(1)).unwrap();
    });
}

#[test]
fn a_pruned_session_reads_as_before_and_takes_no_more_events() {
    for_each_database(|dir, store| {
        let mut chain = ended(&store, 0, 120);
        ended(&store, 1, 1);
        let (before, head) = (read_all(&store, 0), store.head(session(0)).unwrap());
        store.archive(session(0)).unwrap();
        store.prune(session(0)).unwrap();
        store.compact().unwrap();
        drop(store);
        let store = try_open(dir.path()).unwrap();
        assert_eq!(read_all(&store, 0), before);
        let page = store.read(session(0), EventId(7), 3, usize::MAX).unwrap();
        assert_eq!(page, before[7..10]);
        assert_eq!(store.head(session(0)).unwrap(), head);
        assert_eq!(store.verify(session(0)).unwrap().events, 120);
        assert_eq!(store.stats().unwrap().events, 1);
        let more = store.append_blocking(chain.append(1));
        assert!(matches!(more, Err(StoreError::Pruned { .. })));
        store.archive(session(0)).unwrap();
        assert_eq!(read_all(&store, 0), before);
    });
}

#[test]
fn an_edited_or_shortened_archive_is_noticed() {
    for_each_database(|_, store| {
        ended(&store, 0, 9);
        let path = store.archive(session(0)).unwrap();
        store.prune(session(0)).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<_> = text.split_inclusive('\n').collect();
        let last_changed = text
            .replace("\"event_id\":9,\"timestamp\":\"1970", "\"event_id\":9,\"timestamp\":\"1971");
        assert_ne!(last_changed, text);
        let closed_too_early = lines[..8].concat() + lines[9];
        let added = text.clone() + lines[8];
        let cut = [&lines[..8], &lines[..9]].map(<[&str]>::concat);
        let edited = [text.replace("Z\"", "z\""), last_changed, closed_too_early, added];
        assert!(!store.lacks_archive(session(0), EventId(9)));
        for edited in cut.into_iter().chain(edited) {
            fs::write(&path, edited).unwrap();
            let read = store.read(session(0), EventId::ZERO, 99, usize::MAX);
            assert!(
                matches!(read, Err(StoreError::Damaged { .. } | StoreError::Chain { .. })),
                "{read:?}"
            );
        }
        fs::remove_file(&path).unwrap();
        assert!(store.read(session(0), EventId::ZERO, 99, 99).is_err());
        assert!(store.lacks_archive(session(0), EventId(9)));
        assert!(!Store::in_memory().lacks_archive(session(0), EventId(9)));
    });
}

#[test]
fn a_session_deleted_after_pruning_takes_its_archive_along() {
    for_each_database(|_, store| {
        ended(&store, 0, 9);
        let path = store.archive(session(0)).unwrap();
        store.prune(session(0)).unwrap();
        store.delete(session(0)).unwrap();
        assert!(!path.exists());
        assert!(store.is_deleted(session(0)).unwrap());
    });
}

#[test]
fn compaction_gives_back_what_pruning_has_freed() {
    for_each_database(|dir, store| {
        for number in 0..20 {
            ended(&store, number, 100);
            store.archive(session(number)).unwrap();
        }
        ended(&store, 20, 10);
        let before = store.stats().unwrap();
        (0..20).for_each(|number| store.prune(session(number)).unwrap());
        store.compact().unwrap();
        let after = store.stats().unwrap();
        assert!(
            after.database_bytes * 2 < before.database_bytes,
            "{} of {} bytes are left",
            after.database_bytes,
            before.database_bytes
        );
        assert_eq!((after.sessions, after.events), (21, 10));
        store.append_blocking(Chain::new(21).append(5)).unwrap();
        drop(store);
        let store = try_open(dir.path()).unwrap();
        assert_eq!(read_all(&store, 21).len(), 5);
        assert_eq!(read_all(&store, 0).len(), 100);
        let databases = fs::read_dir(dir.path()).unwrap();
        let databases = databases
            .filter(|e| e.as_ref().unwrap().file_name().as_encoded_bytes().starts_with(b"db-"));
        assert_eq!(databases.count(), 1);
    });
}

#[test]
fn writes_go_on_during_a_compaction_and_none_is_lost() {
    for_each_database(|dir, store| {
        for number in 1..30 {
            ended(&store, number, 100);
        }
        let mut chain = Chain::new(0);
        store.append_blocking(chain.append(1)).unwrap();
        let compacting = std::thread::spawn({
            let store = store.clone();
            move || (0..3).for_each(|_| store.compact().unwrap())
        });
        let (mut slowest, mut writes) = (std::time::Duration::ZERO, 0);
        while !compacting.is_finished() {
            let begun = std::time::Instant::now();
            store.append_blocking(chain.append(1)).unwrap();
            (slowest, writes) = (slowest.max(begun.elapsed()), writes + 1);
        }
        compacting.join().unwrap();
        println!("{writes} writes meanwhile, the slowest took {slowest:?}");
        assert!(writes > 10, "{writes} writes during three compactions");
        store.delete(session(1)).unwrap();
        assert!(store.has_erased_bytes().unwrap());
        store.compact().unwrap();
        assert!(!store.has_erased_bytes().unwrap());
        drop(store);
        let store = try_open(dir.path()).unwrap();
        assert_eq!(read_all(&store, 0).len() as u64, chain.cursor.0);
        assert_eq!(store.verify(session(0)).unwrap().events, chain.cursor.0);
        assert!((2..30).all(|number| read_all(&store, number).len() == 100));
    });
}

#[test]
fn a_session_edited_behind_our_back_is_found_by_its_chain() {
    for_each_store(|store| {
        let mut chain = Chain::new(0);
        let mut append = chain.append(5);
        append.lines[2] = String::from_utf8(append.lines[2].clone())
            .unwrap()
            .replace("NOTED", "FORGED")
            .into_bytes();
        store.append_blocking(append).unwrap();
        let found = store.verify(session(0));
        let Err(StoreError::Chain { broken, .. }) = found else { panic!("{found:?}") };
        assert_eq!(broken.event_id, EventId(3));
    });
}
