//! What a start refuses it has not changed, and what is intact can be brought back.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use vosim_protocol::ids::EventId;
use vosim_store::{
    BackendKind, OpenError, Options, Rescued, RescuedFrom, STORE_FORMAT, Store, rescue,
};

use crate::support::{
    BACKENDS, Chain, Random, copy_tree, ended, fold, hashes, open, read_all, rounds, session,
    try_open,
};

const SESSIONS: u32 = 14;
const EVENTS: u64 = 60;

/// A store that has been opened several times, with blobs in files and archives.
fn used(backend: BackendKind) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let mut chains: Vec<_> = (0..SESSIONS).map(Chain::new).collect();
    for part in 0..3 {
        let store = open(dir.path(), backend);
        for _ in 0..EVENTS / 3 / 5 {
            for chain in &mut chains {
                store.append_blocking(chain.append(5)).unwrap();
            }
        }
        if part == 1 {
            ended(&store, SESSIONS, 120);
            store.archive(session(SESSIONS)).unwrap();
            store.prune(session(SESSIONS)).unwrap();
        }
    }
    dir
}

fn database_file(dir: &Path) -> PathBuf {
    let sled = dir.join("db-1/db");
    if sled.exists() { sled } else { dir.join("db-1/store.redb") }
}

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

const HALF_A_MANIFEST: &str = "half a manifest";

/// Does something to a copy of a store and says what.
fn damage(dir: &Path, other: &Path, random: &mut Random) -> String {
    let file = database_file(dir);
    let length = fs::metadata(&file).unwrap().len();
    let at = usize::try_from(random.below(length)).unwrap();
    let few = usize::try_from(1 + random.below(4096)).unwrap();
    let bit = 1 << random.below(8);
    let manifest = |key: &str, value: serde_json::Value| {
        change(&dir.join("store.json"), |bytes| {
            let mut manifest: serde_json::Value = serde_json::from_slice(bytes).unwrap();
            manifest[key] = value;
            *bytes = serde_json::to_vec(&manifest).unwrap();
        });
    };
    match random.below(12) {
        0..4 => {
            change(&file, |bytes| bytes[at] ^= bit);
            format!("bit {bit} of byte {at} flipped")
        }
        4 => {
            change(&file, |bytes| bytes[at..].iter_mut().take(few).for_each(|byte| *byte = 0));
            format!("{few} bytes from {at} zeroed")
        }
        5 => {
            change(&file, |bytes| bytes.truncate(at));
            format!("cut at {at}")
        }
        6 => {
            let files: Vec<_> = hashes(&dir.join("db-1")).into_keys().collect();
            let victim = &files[usize::try_from(random.below(files.len() as u64)).unwrap()];
            fs::remove_file(victim).unwrap();
            format!("{} removed", victim.display())
        }
        7 => {
            fs::remove_file(dir.join("db-1/commits")).unwrap();
            change(&file, |bytes| bytes[at] ^= bit);
            format!("the witness removed, bit {bit} of byte {at} flipped")
        }
        8 => {
            fs::remove_dir_all(dir.join("db-1")).unwrap();
            copy_tree(&other.join("db-1"), &dir.join("db-1"));
            "the database of another store".to_owned()
        }
        9 => {
            let format = if bit > 8 { STORE_FORMAT + 1 } else { STORE_FORMAT - 1 };
            manifest("format", format.into());
            format!("format {format}")
        }
        10 => {
            change(&dir.join("store.json"), |bytes| bytes.truncate(bytes.len() / 2));
            HALF_A_MANIFEST.to_owned()
        }
        _ => {
            change(&file, |bytes| {
                let old = bytes[at..].iter().take(few).rev().copied().collect::<Vec<_>>();
                bytes[at..at + old.len()].copy_from_slice(&old);
            });
            format!("{few} bytes from {at} in another order")
        }
    }
}

/// Checks that whatever can be read is right and whatever is missing is noticed.
fn nothing_is_missing_silently(store: &Store, what: &str) {
    let Ok(heads) = store.heads() else { return };
    if !heads.damaged.is_empty() {
        return;
    }
    assert_eq!(heads.heads.len(), SESSIONS as usize + 1, "{what}: a session is gone");
    for number in 0..SESSIONS {
        let mut chain = Chain::new(number);
        let read = store.read(session(number), EventId::ZERO, usize::MAX, usize::MAX);
        if let Ok(lines) = read {
            assert!(lines.iter().all(|line| *line == chain.line()), "{what}: a wrong event");
            assert_eq!(chain.cursor, EventId(EVENTS), "{what}: session {number} ends early");
        }
    }
}

/// Brings back what is intact and checks that it is as much as was said.
fn what_is_intact_comes_back(dir: &Path, what: &str) -> Result<Rescued, OpenError> {
    let rescued = rescue(dir, &Options::default(), |id, lines, _| fold(id, lines))?;
    let store = try_open(dir).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(store.store_id(), rescued.store_id);
    let heads = store.heads().unwrap().heads;
    let back = rescued.whole + rescued.archived + rescued.shortened.len() as u64;
    assert_eq!(heads.len() as u64, back, "{what}");
    for head in heads {
        let number = u32::try_from(head.session_id.0.as_u128() - 1).unwrap();
        let mut chain = Chain::new(number);
        let lines = read_all(&store, number);
        assert!(lines.iter().all(|line| *line == chain.line()), "{what}: a wrong event");
        assert_eq!(chain.cursor, head.cursor, "{what}");
    }
    assert!(rescued.aside.as_ref().unwrap().join("store.json").is_file());
    Ok(rescued)
}

#[test]
fn nothing_that_a_start_refuses_has_been_changed_and_what_is_intact_comes_back() {
    for &backend in BACKENDS {
        let (good, other) = (used(backend), used(backend));
        let mut random = Random::seeded("damaged copies");
        let (mut refused, mut back) = (0, 0);
        let copies = rounds(30, 300);
        for _ in 0..copies {
            let dir = tempfile::tempdir().unwrap();
            copy_tree(good.path(), dir.path());
            let what = damage(dir.path(), other.path(), &mut random);
            let before = hashes(dir.path());
            match try_open(dir.path()) {
                Ok(store) => nothing_is_missing_silently(&store, &what),
                Err(error) => {
                    assert_eq!(hashes(dir.path()), before, "{what}: {error}");
                    refused += 1;
                    println!("{what}: {error}");
                    let half = what == HALF_A_MANIFEST;
                    if half || matches!(error, OpenError::Damaged { .. }) {
                        let is_back = what_is_intact_comes_back(dir.path(), &what).is_ok();
                        assert!(is_back || !half, "the database says what it is");
                        back += u32::from(is_back);
                    }
                }
            }
        }
        println!("{backend:?}: {refused} of {copies} refused, {back} brought back");
    }
}

#[test]
fn a_witness_that_is_missing_costs_a_look_and_no_start() {
    for &backend in BACKENDS {
        let good = used(backend);
        fs::remove_file(good.path().join("db-1/commits")).unwrap();
        nothing_is_missing_silently(&try_open(good.path()).unwrap(), "no witness");
        let databases = fs::read_dir(good.path()).unwrap().filter(|entry| {
            entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("db-")
        });
        assert_eq!(databases.count(), 1, "a copy takes the place of what it was made of");
        assert!(good.path().join("db-2").is_dir() && !good.path().join("checking").exists());
    }
}

#[test]
fn where_no_database_can_be_opened_the_archives_come_back() {
    for &backend in BACKENDS {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path(), backend);
        ended(&store, 0, 9);
        store.archive(session(0)).unwrap();
        drop(store);
        fs::write(database_file(dir.path()), "garbage").unwrap();
        try_open(dir.path()).unwrap_err();
        let rescued = rescue(dir.path(), &Options::default(), |id, lines, _| fold(id, lines));
        let rescued = rescued.unwrap();
        assert_eq!((rescued.whole, rescued.archived), (0, 1));
        let store = try_open(dir.path()).unwrap();
        assert_eq!(store.heads().unwrap().heads.len(), 1);
    }
}

#[cfg(feature = "store-redb")]
#[test]
fn a_redb_file_that_cannot_be_opened_gives_back_what_its_pages_prove() {
    let good = used(BackendKind::Redb);
    // Its head, its middle and its end: what redb looks at first, and rows.
    for spoilt in [0..4096, 64..200, 12_288..13_000] {
        let dir = tempfile::tempdir().unwrap();
        copy_tree(good.path(), dir.path());
        change(&database_file(dir.path()), |bytes| bytes[spoilt.clone()].fill(0xAA));
        let what = format!("{spoilt:?}");
        if try_open(dir.path()).is_ok() {
            continue;
        }
        let rescued = rescue(dir.path(), &Options::default(), |id, lines, _| fold(id, lines));
        let rescued = rescued.unwrap_or_else(|error| panic!("{what}: {error}"));
        println!("{what}: {rescued:?}");
        let back = rescued.whole + rescued.archived;
        assert!(back >= u64::from(SESSIONS), "{what}: {rescued:?}");
        nothing_is_missing_silently(&try_open(dir.path()).unwrap(), &what);
        assert!(spoilt.start > 0 || rescued.source == RescuedFrom::Pages, "{rescued:?}");
    }
}

/// sled gives up behind a damaged place, and without the pages behind it cannot even open the others.
#[test]
fn a_damaged_place_in_sled_s_log_costs_what_stands_there_and_not_what_was_written_later() {
    let good = used(BackendKind::Sled);
    let file = database_file(good.path());
    let length = usize::try_from(fs::metadata(&file).unwrap().len()).unwrap();
    let places = rounds(24, 160) as usize;
    let (mut refused, mut by_page) = (0, 0);
    for place in 0..places {
        let dir = tempfile::tempdir().unwrap();
        copy_tree(good.path(), dir.path());
        let at = length / places * place;
        change(&database_file(dir.path()), |bytes| bytes[at..at + 100].fill(0xAA));
        let Err(error) = try_open(dir.path()) else { continue };
        let what = format!("{at}: {error}");
        let rescued = what_is_intact_comes_back(dir.path(), &what);
        let rescued = rescued.unwrap_or_else(|why| panic!("{what}\n{why}"));
        println!("{at}: {rescued:?}");
        refused += 1;
        by_page += u32::from(rescued.source == RescuedFrom::Pages);
        let store = try_open(dir.path()).unwrap();
        // One whose head stood there is said to be shortened, since nothing else tells its end.
        let complete = (0..SESSIONS).filter(|number| {
            let lines = store.read(session(*number), EventId::ZERO, usize::MAX, usize::MAX);
            lines.is_ok_and(|lines| lines.len() as u64 == EVENTS)
        });
        let complete = complete.count();
        // A page holds rows of at most three sessions.
        assert!(complete + 3 >= SESSIONS as usize, "{at}: {complete} of {rescued:?}");
    }
    assert!(by_page * 2 > refused, "{by_page} of {refused} were read page by page");
}

#[test]
fn the_pages_of_a_file_in_which_something_was_erased_are_not_read() {
    for &backend in BACKENDS {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path(), backend);
        store.append_blocking(Chain::new(0).append(9)).unwrap();
        ended(&store, 1, 9);
        store.archive(session(1)).unwrap();
        store.append_blocking(Chain::new(2).append(9)).unwrap();
        store.delete(session(2)).unwrap();
        drop(store);
        // So that neither opens: the head of a file, and what the log of the other goes on from.
        change(&database_file(dir.path()), |bytes| {
            let spoilt = if backend == BackendKind::Sled { 20..60 } else { 0..4096 };
            bytes[spoilt].fill(0xAA);
        });
        let rescued = rescue(dir.path(), &Options::default(), |id, lines, _| fold(id, lines));
        let rescued = rescued.unwrap();
        assert_ne!(rescued.source, RescuedFrom::Pages, "{backend:?}");
        assert_eq!((rescued.whole, rescued.archived), (0, 1), "{backend:?}");
    }
}

#[test]
fn without_a_database_the_archives_come_back_and_without_archives_it_is_said_what_helps() {
    for &backend in BACKENDS {
        for also in ["", "store.json"] {
            let dir = tempfile::tempdir().unwrap();
            let store = open(dir.path(), backend);
            ended(&store, 0, 9);
            store.archive(session(0)).unwrap();
            drop(store);
            fs::remove_dir_all(dir.path().join("db-1")).unwrap();
            if !also.is_empty() {
                fs::remove_file(dir.path().join(also)).unwrap();
            }
            let rescued = rescue(dir.path(), &Options::default(), |id, lines, _| fold(id, lines));
            let rescued = rescued.unwrap();
            assert_eq!((rescued.archived, rescued.source), (1, RescuedFrom::NoDatabase));
            let store = try_open(dir.path()).unwrap();
            assert_eq!(read_all(&store, 0).len(), 9);
            drop(store);
            fs::remove_dir_all(dir.path().join("exports")).unwrap();
            let entries = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap());
            for entry in entries.filter(|it| it.file_name().to_string_lossy().starts_with("db-")) {
                fs::remove_dir_all(entry.path()).unwrap();
            }
            let before = hashes(dir.path());
            let refused = rescue(dir.path(), &Options::default(), |id, lines, _| fold(id, lines));
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains("restore FILE") && refused.contains("mv "), "{refused}");
            assert_eq!(hashes(dir.path()), before);
        }
    }
}

#[test]
fn of_several_databases_without_a_manifest_the_one_with_the_most_commits_is_taken() {
    for &backend in BACKENDS {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path(), backend);
        let mut chain = Chain::new(0);
        (0..20).for_each(|_| store.append_blocking(chain.append(1)).unwrap());
        drop(store);
        let other = tempfile::tempdir().unwrap();
        open(other.path(), backend).append_blocking(Chain::new(1).append(2)).unwrap();
        copy_tree(&other.path().join("db-1"), &dir.path().join("db-2"));
        fs::remove_file(dir.path().join("store.json")).unwrap();
        let rescued = rescue(dir.path(), &Options::default(), |id, lines, _| fold(id, lines));
        let rescued = rescued.unwrap();
        assert_eq!((rescued.whole, rescued.source), (1, RescuedFrom::Database));
        assert_eq!(read_all(&try_open(dir.path()).unwrap(), 0).len(), 20);
    }
}
