//! The ways back: from a backup, and from the archives alone.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use vosim_protocol::blob::Blob;
use vosim_protocol::ids::Hash;
use vosim_protocol::record::Head;
use vosim_store::{
    OpenError, Options, StoreError, asides, erase_aside, put_back, quarantine, rebuild, restore,
};

use crate::support::{
    BACKENDS, Chain, blob_of, check_acknowledged, copy_tree, ended, fold, for_each_database,
    options, read_all, session, try_open,
};

#[test]
fn a_restored_backup_is_the_store_of_that_moment_under_a_new_identity() {
    for_each_database(|_, store| {
        let mut chain = Chain::new(0);
        for _ in 0..5 {
            store.append_blocking(chain.append(60)).unwrap();
        }
        ended(&store, 1, 120);
        store.archive(session(1)).unwrap();
        store.prune(session(1)).unwrap();
        ended(&store, 2, 3);
        store.delete(session(2)).unwrap();
        store.set_key_blocking("current", Some(b"x".to_vec())).unwrap();
        let out = tempfile::tempdir().unwrap();
        let file = out.path().join("new/backup");
        store.backup(&file).unwrap();
        let id = store.store_id();
        store.append_blocking(chain.append(1)).unwrap();
        let archived = read_all(&store, 1);
        drop(store);

        for &backend in BACKENDS {
            let other = tempfile::tempdir().unwrap();
            let restored = restore(&file, other.path(), &options(backend)).unwrap();
            assert_eq!((restored.sessions, &restored.aside), (2, &None));
            let store = try_open(other.path()).unwrap();
            assert_eq!(store.store_id(), restored.store_id);
            assert_ne!(store.store_id(), id);
            check_acknowledged(&store, &BTreeMap::from([(0, 300)])).unwrap();
            assert_eq!(read_all(&store, 0).len(), 300);
            assert_eq!(read_all(&store, 1), archived);
            store.verify(session(1)).unwrap();
            assert!(store.is_deleted(session(2)).unwrap());
            assert_eq!(store.key("current").unwrap().unwrap(), b"x");
        }
    });
}

fn number_of(head: &Head) -> u32 {
    u32::try_from(head.session_id.0.as_u128() - 1).unwrap()
}

/// Others write, delete and archive while a backup is taken: it holds one moment all the same.
#[test]
fn a_backup_is_of_one_moment_whatever_others_do_meanwhile() {
    for_each_database(|_, store| {
        let blob = |number: u32| Blob(format!("{number} ").repeat(20_000).into_bytes());
        for number in 0..12 {
            let mut append = Chain::new(number).append(40);
            append.blobs.push(blob(number));
            store.append_blocking(append).unwrap();
        }
        ended(&store, 12, 30);
        store.archive(session(12)).unwrap();
        store.prune(session(12)).unwrap();
        let out = tempfile::tempdir().unwrap();
        let backup = |name: &str| {
            let file = out.path().join(name);
            store.backup(&file).unwrap();
            file
        };
        let files: Vec<_> = std::thread::scope(|scope| {
            let others = scope.spawn(|| {
                for number in (0..=12).step_by(2) {
                    store.delete(session(number)).unwrap();
                    store.append_blocking(Chain::new(100 + number).append(40)).unwrap();
                }
                store.compact().unwrap();
            });
            let mut files = Vec::new();
            while !others.is_finished() {
                files.push(backup(&files.len().to_string()));
            }
            others.join().unwrap();
            files
        });
        for file in files.iter().step_by(files.len().div_ceil(3)).chain([&backup("last")]) {
            let other = tempfile::tempdir().unwrap();
            restore(file, other.path(), &Options::default()).unwrap();
            let restored = try_open(other.path()).unwrap();
            let ids: Vec<u32> = restored.heads().unwrap().heads.iter().map(number_of).collect();
            let begun: Vec<_> = ids.iter().copied().filter(|number| *number >= 100).collect();
            let gone = (0..=12).step_by(2).filter(|number| !ids.contains(number)).count();
            // One is deleted, then one is written: no other moment was there.
            assert!(gone == begun.len() || gone == begun.len() + 1, "{gone} gone, then {begun:?}");
            for number in ids {
                assert!(restored.verify(session(number)).unwrap().events >= 30);
            }
        }
        // What a backup has held up is gone as well.
        let blobs = store.damaged_blobs().unwrap();
        assert!(blobs.is_empty() && !store.has_blob(Hash::of(&blob(0).0)).unwrap());
        assert!(!store.archive_path(session(12)).unwrap().exists());
    });
}

#[test]
fn a_crash_at_any_step_of_a_restore_leaves_the_old_store_or_the_new_one() {
    let filled = |events: u64| {
        let dir = tempfile::tempdir().unwrap();
        let store = try_open(dir.path()).unwrap();
        for number in 0..3 {
            ended(&store, number, events + u64::from(number));
            store.archive(session(number)).unwrap();
            store.prune(session(number)).unwrap();
        }
        (dir, store)
    };
    let ((old, old_store), (_other, new_store)) = (filled(20), filled(40));
    let file = tempfile::tempdir().unwrap().path().join("backup");
    new_store.backup(&file).unwrap();
    let old_id = old_store.store_id();
    drop((old_store, new_store));
    let done = tempfile::tempdir().unwrap();
    copy_tree(old.path(), done.path());
    let new_id = restore(&file, done.path(), &Options::default()).unwrap().store_id;

    // What lies in the folder after each step.
    let begun = tempfile::tempdir().unwrap();
    let at = |name: &str| begun.path().join(name);
    copy_tree(old.path(), begun.path());
    copy_tree(&done.path().join("db-2"), &at("db-2"));
    copy_tree(&done.path().join("exports"), &at("db-2/exports"));
    let steps: [(&str, &dyn Fn()); 5] = [
        ("filled", &|| ()),
        ("a folder to put things aside", &|| {
            fs::create_dir(at("quarantine-1")).unwrap();
            fs::copy(at("store.json"), at("quarantine-1/store.json")).unwrap();
        }),
        ("the old put aside", &|| fs::rename(at("db-1"), at("quarantine-1/db-1")).unwrap()),
        ("the new in force", &|| {
            fs::copy(done.path().join("store.json"), at("store.json")).unwrap();
        }),
        ("one archive in place", &|| {
            let name = format!("exports/{}.jsonl", session(1));
            fs::rename(at("db-2").join(&name), at(&name)).unwrap();
        }),
    ];
    for (number, (what, step)) in steps.iter().enumerate() {
        step();
        let dir = tempfile::tempdir().unwrap();
        copy_tree(begun.path(), dir.path());
        let store = try_open(dir.path()).unwrap_or_else(|error| panic!("{what}: {error}"));
        let (id, events) = if number < 3 { (old_id, 20) } else { (new_id, 40) };
        assert_eq!(store.store_id(), id, "{what}");
        for number in 0..3 {
            let verified = store.verify(session(number)).unwrap();
            assert_eq!(verified.events, events + u64::from(number), "{what}");
        }
    }
}

#[test]
fn a_restore_over_an_unreadable_store_puts_it_aside() {
    for_each_database(|dir, store| {
        store.append_blocking(Chain::new(0).append(5)).unwrap();
        let out = tempfile::tempdir().unwrap();
        let file = out.path().join("backup");
        store.backup(&file).unwrap();
        drop(store);
        fs::write(dir.path().join("store.json"), "{").unwrap();
        let refused = try_open(dir.path()).unwrap_err();
        assert!(matches!(refused, OpenError::Unreadable { .. }), "{refused}");
        let restored = restore(&file, dir.path(), &Options::default()).unwrap();
        assert!(restored.aside.unwrap().join("db-1").is_dir());
        assert_eq!(read_all(&try_open(dir.path()).unwrap(), 0).len(), 5);
    });
}

#[test]
fn a_damaged_backup_is_refused_before_anything_is_touched() {
    let dir = tempfile::tempdir().unwrap();
    let store = try_open(dir.path()).unwrap();
    store.append_blocking(Chain::new(0).append(9)).unwrap();
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("backup");
    store.backup(&file).unwrap();
    let good = fs::read(&file).unwrap();
    let other = tempfile::tempdir().unwrap();
    let refuse = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let refused = restore(&file, other.path(), &Options::default());
        assert!(matches!(refused, Err(OpenError::BadBackup { .. })), "{refused:?}");
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
    };
    let mut random = crate::support::Random::seeded("flipped bits in a backup");
    for _ in 0..100 {
        let bit = usize::try_from(random.below(good.len() as u64 * 8)).unwrap();
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        refuse(&bad);
    }
    for cut in [0, 5, 40, good.len() / 2, good.len() - 1] {
        refuse(&good[..cut]);
    }
    refuse(&[&good[..], b"x"].concat());
    fs::write(&file, &good).unwrap();
    restore(&file, other.path(), &Options::default()).unwrap();
}

/// Writes the checksum of a backup anew, as somebody who makes one by hand would.
fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let entry = bytes.len() - 32 - 13;
    let digest = Hash::of(&bytes[..entry]).0;
    bytes[entry + 13..].copy_from_slice(&digest);
    bytes
}

#[test]
fn every_row_blob_and_archive_of_a_backup_is_looked_at_before_it_is_used() {
    let dir = tempfile::tempdir().unwrap();
    let store = try_open(dir.path()).unwrap();
    let mut append = Chain::new(0).append(9);
    append.blobs.push(vosim_protocol::blob::Blob(vec![7; 60 * 1024]));
    store.append_blocking(append).unwrap();
    ended(&store, 1, 9);
    store.archive(session(1)).unwrap();
    store.prune(session(1)).unwrap();
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("backup");
    store.backup(&file).unwrap();
    let good = fs::read(&file).unwrap();
    let other = tempfile::tempdir().unwrap();
    let places: [(&[u8], usize); 4] =
        [(b"NOTED", 0), (&[7; 64], 0), (b"\"event_id\":9,", 1), (b"Session 0", 0)];
    for (what, nth) in places {
        let found = good.windows(what.len()).enumerate().filter(|(_, window)| *window == what);
        let at = found.map(|(at, _)| at).nth(nth).unwrap();
        let mut bad = good.clone();
        bad[at] ^= 1;
        fs::write(&file, resealed(bad)).unwrap();
        let refused = restore(&file, other.path(), &Options::default());
        assert!(matches!(refused, Err(OpenError::BadBackup { .. })), "{what:?}: {refused:?}");
    }
    // An entry that is as long as it says, but nothing like a row.
    fs::write(&file, &good[..15]).unwrap();
    let sparse = fs::File::options().append(true).open(&file).unwrap();
    std::io::Write::write_all(&mut &sparse, b"k\0\0\0\x01\0\0\0\x01\0\0\0\0k").unwrap();
    sparse.set_len(5 << 30).unwrap();
    let refused = restore(&file, other.path(), &Options::default());
    assert!(matches!(refused, Err(OpenError::BadBackup { .. })), "{refused:?}");
    fs::remove_file(&file).unwrap();
    nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).unwrap();
    for path in [&file, std::path::Path::new("/dev/zero"), dir.path()] {
        let refused = restore(path, other.path(), &Options::default());
        assert!(matches!(refused, Err(OpenError::BadBackup { .. })), "{refused:?}");
    }
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
}

#[test]
fn people_s_own_problems_come_along_and_are_put_where_nothing_stands() {
    let dir = tempfile::tempdir().unwrap();
    let store = try_open(dir.path()).unwrap();
    store.append_blocking(Chain::new(0).append(3)).unwrap();
    let files = |root: &Path, id: &str, text: &str| {
        let package = root.join("problems").join(id);
        fs::create_dir_all(package.join(".vosim")).unwrap();
        fs::write(package.join("problem.yaml"), text).unwrap();
        fs::write(package.join(".vosim/cases.json"), text).unwrap();
    };
    files(dir.path(), "birds", "new");
    files(dir.path(), "boats", "new");
    files(dir.path(), ".half", "of a package");
    std::os::unix::fs::symlink("/etc/passwd", dir.path().join("problems/birds/link")).unwrap();
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("backup");
    store.backup(&file).unwrap();
    let other = tempfile::tempdir().unwrap();
    files(other.path(), "boats", "mine");
    files(other.path(), ".restored-1", "mine");
    let restored = restore(&file, other.path(), &Options::default()).unwrap();
    assert_eq!(restored.packages.back, ["birds"]);
    assert_eq!(restored.packages.left, ["boats"]);
    let problems = other.path().join("problems");
    let text = |path: &str| fs::read_to_string(problems.join(path)).unwrap();
    assert_eq!((text("birds/problem.yaml"), text("birds/.vosim/cases.json")), both("new"));
    assert_eq!((text("boats/problem.yaml"), text("boats/.vosim/cases.json")), both("mine"));
    assert!(!problems.join("birds/link").exists());
    assert_eq!(text(".restored-1/problem.yaml"), "mine");
    assert_eq!(fs::read_dir(&problems).unwrap().count(), 3);
    // An entry that would leave the folder.
    let mut bad = fs::read(&file).unwrap();
    let name = b"birds/problem.yaml";
    let at = bad.windows(name.len()).position(|window| window == name).unwrap();
    bad[at..at + 9].copy_from_slice(b"../birds/");
    fs::write(&file, resealed(bad)).unwrap();
    let refused = restore(&file, other.path(), &Options::default());
    assert!(matches!(refused, Err(OpenError::BadBackup { .. })), "{refused:?}");
}

fn both(text: &str) -> (String, String) {
    (text.to_owned(), text.to_owned())
}

#[test]
fn a_backup_is_written_over_nothing_and_never_among_the_store_s_files() {
    for_each_database(|dir, store| {
        store.append_blocking(Chain::new(0).append(5)).unwrap();
        let out = tempfile::tempdir().unwrap();
        let at = |name: &str| out.path().join(name);
        fs::write(at("code.py"), "precious").unwrap();
        std::os::unix::fs::symlink(at("nowhere"), at("link")).unwrap();
        std::os::unix::fs::symlink(dir.path(), at("data")).unwrap();
        nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        let before = fs::read(dir.path().join("store.json")).unwrap();
        let names = ["code.py", "link", "pipe", "data", "data/new", "data/store.json", "data/x/y"];
        for path in names.map(at).iter().chain([&dir.path().join("vosim.lock")]) {
            assert!(store.backup(path).is_err(), "{}", path.display());
        }
        // What stands there may be dear to somebody, and another name costs nothing.
        let told = store.backup(&at("code.py")).unwrap_err().to_string();
        assert!(told.ends_with("something else stands in its place; name another file"), "{told}");
        assert_eq!(fs::read(at("code.py")).unwrap(), b"precious");
        assert_eq!(fs::read(dir.path().join("store.json")).unwrap(), before);
        assert_eq!(fs::read_dir(out.path()).unwrap().count(), 4);
        store.backup(&at("new/folder/copy")).unwrap();
    });
}

#[test]
fn archived_sessions_come_back_without_the_database() {
    for_each_database(|dir, store| {
        for number in 0..3 {
            ended(&store, number, 210);
            store.archive(session(number)).unwrap();
        }
        store.prune(session(1)).unwrap();
        store.append_blocking(Chain::new(3).append(5)).unwrap();
        let exports = dir.path().join("exports");
        let open = store.export(session(3), &exports).unwrap();
        ended(&store, 4, 9);
        let cut = store.archive(session(4)).unwrap();
        let before: Vec<_> = (0..2).map(|number| read_all(&store, number)).collect();
        let damaged = store.archive_path(session(2)).unwrap();
        drop(store);
        let text = fs::read_to_string(&damaged).unwrap();
        fs::write(&damaged, text.replacen("NOTED", "NOTER", 1)).unwrap();
        let text = fs::read_to_string(&cut).unwrap();
        fs::write(&cut, text.split_inclusive('\n').take(8).collect::<String>()).unwrap();
        fs::remove_dir_all(dir.path().join("db-1")).unwrap();
        assert!(matches!(try_open(dir.path()), Err(OpenError::Unreadable { .. })));

        let folded = |id, lines: &[Vec<u8>]| {
            fold(id, lines).map(|head| Head { ended: id != session(3), ..head })
        };
        let rebuilt = rebuild(dir.path(), &Options::default(), folded).unwrap();
        assert_eq!(rebuilt.sessions, 2);
        let left_out: HashMap<_, _> = rebuilt.unreadable.into_iter().collect();
        assert_eq!(left_out.len(), 3);
        assert!(left_out[&damaged].contains("event 1"), "{left_out:?}");
        assert!(left_out[&open].contains("had not ended"), "{left_out:?}");
        assert!(left_out[&cut].contains("cut off"), "{left_out:?}");
        let store = try_open(dir.path()).unwrap();
        for (number, lines) in (0..).zip(before) {
            assert_eq!(read_all(&store, number), lines);
            assert_eq!(store.head(session(number)).unwrap(), fold(session(number), &lines));
            let blob = blob_of(number, vosim_protocol::ids::EventId(7)).unwrap();
            assert_eq!(store.blob(Hash::of(&blob.0)).unwrap(), blob.0);
            assert!(store.verify(session(number)).unwrap().blobs >= 30);
        }
    });
}

#[test]
fn quarantine_puts_everything_aside_and_only_when_asked() {
    for_each_database(|dir, store| {
        store.append_blocking(Chain::new(0).append(5)).unwrap();
        drop(store);
        let aside = quarantine(dir.path()).unwrap();
        assert!(aside.join("db-1").is_dir() && aside.join("store.json").is_file());
        let store = try_open(dir.path()).unwrap();
        assert!(store.heads().unwrap().heads.is_empty());
        drop(store);
        assert_ne!(quarantine(dir.path()).unwrap(), aside, "the first is not overwritten");
    });
}

#[test]
fn what_was_put_aside_is_listed_put_back_and_erased() {
    for_each_database(|dir, store| {
        store.append_blocking(Chain::new(0).append(5)).unwrap();
        let id = store.store_id();
        drop(store);
        assert_eq!(asides(dir.path()).unwrap(), []);
        quarantine(dir.path()).unwrap();
        try_open(dir.path()).unwrap().append_blocking(Chain::new(1).append(2)).unwrap();
        let listed = asides(dir.path()).unwrap();
        assert_eq!(listed.iter().map(|aside| aside.number).collect::<Vec<_>>(), [1]);
        assert!(listed[0].bytes > 0);
        let present = put_back(dir.path(), 1).unwrap().unwrap();
        assert!(present.join("store.json").is_file());
        let store = try_open(dir.path()).unwrap();
        assert_eq!((store.store_id(), read_all(&store, 0).len()), (id, 5));
        drop(store);
        assert!(matches!(put_back(dir.path(), 1), Err(OpenError::NoAside { number: 1, .. })));
        erase_aside(dir.path(), 2).unwrap();
        assert_eq!(asides(dir.path()).unwrap(), []);
        // One that could not be opened is not put in the place of one that can.
        let spoilt = quarantine(dir.path()).unwrap();
        fs::remove_dir_all(spoilt.join("db-1")).unwrap();
        drop(try_open(dir.path()).unwrap());
        assert!(put_back(dir.path(), 1).is_err());
        try_open(dir.path()).unwrap();
    });
}

#[test]
fn a_store_that_is_put_back_finds_its_own_archives() {
    for_each_database(|dir, store| {
        let copy = dir.path().with_extension("copy");
        let archive = store.archive_path(session(0)).unwrap();
        ended(&store, 0, 7);
        store.archive(session(0)).unwrap();
        store.backup(&copy).unwrap();
        let backup = fs::read(&archive).unwrap();
        // In this store the session has another history than in the restored one.
        fs::write(&archive, "its own\n").unwrap();
        ended(&store, 1, 9);
        store.archive(session(1)).unwrap();
        drop(store);
        let files = || entries_of(&dir.path().join("exports"));
        let own = files();
        restore(&copy, dir.path(), &Options::default()).unwrap();
        assert_eq!(fs::read(&archive).unwrap(), backup);
        let restored = files();
        for (number, expected) in [(1, &own), (2, &restored), (3, &own)] {
            put_back(dir.path(), number).unwrap();
            assert_eq!(files(), *expected);
        }
        fs::remove_file(copy).unwrap();
    });
}

/// Names and contents of the files in a folder.
fn entries_of(dir: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let entries = fs::read_dir(dir).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn damage_stops_a_backup_rather_than_being_carried_along() {
    let dir = tempfile::tempdir().unwrap();
    let store = try_open(dir.path()).unwrap();
    let mut chain = Chain::new(0);
    let mut append = chain.append(1);
    let blob = vosim_protocol::blob::Blob(vec![7; 60 * 1024]);
    append.blobs.push(blob.clone());
    store.append_blocking(append).unwrap();
    let hex = blob.reference().hash.hex();
    fs::write(dir.path().join("blobs").join(&hex[..2]).join(&hex), b"other").unwrap();
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("backup");
    assert!(matches!(store.backup(&file), Err(StoreError::Damaged { .. })));
    assert!(!file.exists());
}

#[test]
fn what_only_bears_the_name_of_a_store_put_aside_is_left_alone() {
    for_each_database(|dir, store| {
        drop(store);
        let at = |name: &str| dir.path().join(name);
        let aside = quarantine(dir.path()).unwrap();
        copy_tree(&aside, &at("quarantine-011"));
        copy_tree(&aside, &at("quarantine-+12"));
        copy_tree(&aside, &at("foreign"));
        std::os::unix::fs::symlink(at("foreign"), at("quarantine-7")).unwrap();
        fs::create_dir(at("quarantine-10")).unwrap();
        fs::write(at("quarantine-10/mine"), "precious").unwrap();
        copy_tree(&aside, &at("quarantine-8"));
        fs::write(at("quarantine-8/mine"), "precious").unwrap();
        // This one was put aside when its manifest was missing.
        copy_tree(&aside, &at("quarantine-5"));
        fs::remove_file(at("quarantine-5/store.json")).unwrap();
        let listed = asides(dir.path()).unwrap();
        let listed: Vec<_> = listed.iter().map(|it| (it.number, it.has_manifest)).collect();
        assert_eq!(listed, [(1, true), (5, false)]);
        assert!(matches!(put_back(dir.path(), 5), Err(OpenError::Unreadable { .. })));
        erase_aside(dir.path(), 5).unwrap();
        for number in [5, 7, 8, 10, 11, 12] {
            let erased = erase_aside(dir.path(), number);
            assert!(matches!(erased, Err(OpenError::NoAside { .. })), "{erased:?}");
            let back = put_back(dir.path(), number);
            assert!(matches!(back, Err(OpenError::NoAside { .. })), "{back:?}");
        }
        assert!(at("quarantine-7").is_symlink() && at("quarantine-10/mine").is_file());
        assert!(at("quarantine-011/store.json").is_file());
    });
}

/// A start that comes between the steps of putting a store back finds one of the two whole.
#[test]
fn a_put_back_that_is_cut_off_leaves_a_store_that_opens_and_both_can_be_had() {
    for_each_database(|dir, store| {
        store.append_blocking(Chain::new(0).append(5)).unwrap();
        let out = tempfile::tempdir().unwrap();
        let backup = out.path().join("backup");
        store.backup(&backup).unwrap();
        let old = store.store_id();
        drop(store);
        let present = restore(&backup, dir.path(), &Options::default()).unwrap().store_id;
        let at = |name: &str| dir.path().join(name);
        // The steps: the present database aside with a copy of the manifest, then the old one in its place.
        fs::create_dir(at("quarantine-2")).unwrap();
        fs::copy(at("store.json"), at("quarantine-2/store.json")).unwrap();
        let opens = |id, what: &str| {
            let store = try_open(dir.path()).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(store.store_id(), id, "{what}");
            assert_eq!(read_all(&store, 0).len(), 5, "{what}");
        };
        opens(present, "the manifest copied");
        fs::rename(at("db-2"), at("quarantine-2/db-2")).unwrap();
        opens(present, "the database aside");
        fs::create_dir_all(at("quarantine-3")).unwrap();
        fs::copy(at("store.json"), at("quarantine-3/store.json")).unwrap();
        fs::rename(at("db-2"), at("quarantine-3/db-2")).unwrap();
        fs::rename(at("quarantine-1/db-1"), at("db-1")).unwrap();
        opens(present, "the old one in its place");
        put_back(dir.path(), 1).unwrap();
        opens(old, "put back");
        let listed = asides(dir.path()).unwrap();
        put_back(dir.path(), listed.last().unwrap().number).unwrap();
        opens(present, "and the other again");
    });
}
