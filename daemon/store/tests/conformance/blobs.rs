//! Blobs: kept with their events, shared between sessions, gone when nobody refers to them.

use std::fs;

use vosim_protocol::blob::Blob;
use vosim_protocol::ids::{EventId, Hash};
use vosim_store::{BLOB_INLINE_MAX_BYTES, Store, StoreError};

use crate::support::{Chain, ended, for_each_database, for_each_store, session, spec};

fn small() -> Blob {
    Blob(b"print(1)\n".to_vec())
}

fn largest_inline() -> Blob {
    Blob(vec![b'a'; BLOB_INLINE_MAX_BYTES])
}

fn file() -> Blob {
    Blob(vec![b'b'; BLOB_INLINE_MAX_BYTES + 1])
}

fn hash(blob: &Blob) -> Hash {
    blob.reference().hash
}

fn append_with(store: &Store, chain: &mut Chain, blobs: Vec<Blob>) {
    let mut append = chain.append(1);
    append.blobs.extend(blobs);
    store.append_blocking(append).unwrap();
}

fn withheld(store: &Store, blob: &Blob) -> bool {
    assert_eq!(
        store.has_blob(hash(blob)).unwrap(),
        store.blob(hash(blob)).is_ok(),
        "has_blob and blob agree"
    );
    matches!(store.blob(hash(blob)), Err(StoreError::NoBlob { .. }))
}

#[test]
fn blobs_of_every_size_come_back_after_a_restart() {
    for_each_database(|dir, store| {
        let blobs = vec![Blob(Vec::new()), small(), largest_inline(), file()];
        append_with(&store, &mut Chain::new(0), blobs.clone());
        drop(store);
        let store = crate::support::try_open(dir.path()).unwrap();
        for blob in blobs {
            assert_eq!(store.blob(hash(&blob)).unwrap(), blob.0);
            assert!(store.refers(session(0), hash(&blob)).unwrap());
        }
        assert!(withheld(&store, &Blob(b"never seen".to_vec())));
        assert_eq!(store.verify(session(0)).unwrap().blobs, 4);
    });
}

#[test]
fn an_event_may_bring_any_number_of_blobs_and_the_same_one_twice() {
    for_each_database(|dir, store| {
        let many: Vec<_> = (0..100).map(|n| Blob(format!("{n} ").repeat(n).into_bytes())).collect();
        let blobs = [&many[..], &[file(), largest_inline(), file(), small(), small()]].concat();
        append_with(&store, &mut Chain::new(0), blobs.clone());
        append_with(&store, &mut Chain::new(1), vec![many[7].clone()]);
        drop(store);
        let store = crate::support::try_open(dir.path()).unwrap();
        assert!(blobs.iter().all(|blob| store.blob(hash(blob)).unwrap() == blob.0));
        assert_eq!(store.verify(session(0)).unwrap().blobs, 103);
        let (erased, kept) = blobs.split_at(50);
        store.delete_blobs(session(0), erased.iter().map(hash).collect()).unwrap();
        assert!(!withheld(&store, &many[7]), "the other session's stays");
        assert!(erased.iter().enumerate().all(|(n, blob)| n == 7 || withheld(&store, blob)));
        assert!(kept.iter().all(|blob| !withheld(&store, blob)));
        store.delete(session(0)).unwrap();
        assert!(kept.iter().all(|blob| withheld(&store, blob)));
    });
}

#[test]
fn a_damaged_blob_is_told_and_written_anew_when_its_bytes_come_again() {
    for_each_database(|dir, store| {
        append_with(&store, &mut Chain::new(0), vec![file(), small()]);
        assert_eq!(store.damaged_blobs().unwrap(), []);
        assert_eq!(store.referrers(hash(&file())).unwrap(), [session(0)]);
        assert_eq!(store.referrers(hash(&largest_inline())).unwrap(), []);
        let hex = hash(&file()).hex();
        let path = dir.path().join("blobs").join(&hex[..2]).join(&hex);
        for is_there in [true, false] {
            if is_there {
                fs::write(&path, "other").unwrap();
            } else {
                fs::remove_file(&path).unwrap();
            }
            assert_eq!(store.damaged_blobs().unwrap(), [hash(&file())]);
            assert!(store.blob(hash(&file())).is_err());
            let number = u32::try_from(store.heads().unwrap().heads.len()).unwrap();
            append_with(&store, &mut Chain::new(number), vec![file()]);
            assert_eq!(store.blob(hash(&file())).unwrap(), file().0);
            assert_eq!(store.damaged_blobs().unwrap(), []);
        }
    });
}

#[test]
fn a_folder_that_is_away_is_told_of_its_blobs_and_no_damage() {
    for_each_database(|dir, store| {
        append_with(&store, &mut Chain::new(0), vec![file(), small()]);
        let away = dir.path().with_extension("away");
        fs::rename(dir.path(), &away).unwrap();
        assert!(matches!(store.blob(hash(&file())), Err(StoreError::Away { .. })));
        fs::create_dir(dir.path()).unwrap();
        let other = store.blob(hash(&file())).unwrap_err().to_string();
        assert!(other.contains("another folder is in its place"), "{other}");
        fs::remove_dir(dir.path()).unwrap();
        fs::rename(&away, dir.path()).unwrap();
        assert_eq!(store.blob(hash(&file())).unwrap(), file().0);
    });
}

#[test]
fn who_knows_the_bytes_of_a_damaged_blob_can_have_its_file_written_anew_and_nothing_else() {
    for_each_database(|dir, store| {
        append_with(&store, &mut Chain::new(0), vec![file(), small()]);
        let hex = hash(&file()).hex();
        let path = dir.path().join("blobs").join(&hex[..2]).join(&hex);
        let spoils: [fn(&std::path::Path) -> std::io::Result<()>; 2] =
            [|path| fs::write(path, "x"), |path| fs::remove_file(path)];
        for spoil in spoils {
            spoil(&path).unwrap();
            assert!(matches!(store.blob(hash(&file())), Err(StoreError::Damaged { .. })));
            let wrong = store.mend_blob(hash(&file()), b"other bytes");
            assert!(matches!(wrong, Err(StoreError::Invalid { .. })));
            store.mend_blob(hash(&file()), &file().0).unwrap();
            assert_eq!(store.blob(hash(&file())).unwrap(), file().0);
        }
        let unknown = Blob(vec![b'c'; BLOB_INLINE_MAX_BYTES + 1]);
        let refused = store.mend_blob(hash(&unknown), &unknown.0);
        assert!(matches!(refused, Err(StoreError::NoBlob { .. })));
        assert!(withheld(&store, &unknown));
    });
}

#[test]
fn a_blob_is_kept_as_long_as_one_session_refers_to_it() {
    for_each_store(|store| {
        append_with(store, &mut Chain::new(0), vec![small(), file()]);
        append_with(store, &mut Chain::new(1), vec![small()]);
        store.put_blob_blocking(session(1), file()).unwrap();
        store.delete(session(0)).unwrap();
        assert!(!withheld(store, &small()) && !withheld(store, &file()));
        store.delete(session(1)).unwrap();
        assert!(withheld(store, &small()) && withheld(store, &file()));
    });
}

#[test]
fn a_deleted_session_leaves_its_id_and_nothing_else() {
    for_each_store(|store| {
        let mut chain = Chain::new(0);
        append_with(store, &mut chain, vec![small()]);
        store.delete(session(0)).unwrap();
        assert!(store.is_deleted(session(0)).unwrap());
        assert!(store.heads().unwrap().heads.is_empty());
        assert_eq!(store.head(session(0)).unwrap(), None);
        let deleted = [
            store.read(session(0), EventId::ZERO, 9, 9).map(drop),
            store.append_blocking(chain.append(1)),
            store.append_blocking(Chain::new(0).append(1)),
            store.put_blob_blocking(session(0), small()),
            store.delete(session(0)),
        ];
        for answer in deleted {
            assert!(matches!(answer, Err(StoreError::Deleted { .. })), "{answer:?}");
        }
        assert!(matches!(store.delete(session(5)), Err(StoreError::Unknown { .. })));
    });
}

#[test]
fn blobs_alone_can_be_deleted_but_not_the_spec() {
    for_each_store(|store| {
        append_with(store, &mut Chain::new(0), vec![spec(), small(), file()]);
        append_with(store, &mut Chain::new(1), vec![small()]);
        let refused = store.delete_blobs(session(0), vec![hash(&small()), hash(&spec())]);
        assert!(matches!(refused, Err(StoreError::Invalid { .. })));
        store.delete_blobs(session(0), vec![hash(&small()), hash(&file())]).unwrap();
        assert!(withheld(store, &file()) && !withheld(store, &small()));
        assert!(!store.refers(session(0), hash(&small())).unwrap());
        assert!(store.refers(session(1), hash(&small())).unwrap());
        assert_eq!(store.verify(session(0)).unwrap().events, 1, "the log stays");
        append_with(store, &mut Chain::new(2), vec![file()]);
        assert!(!withheld(store, &file()), "what comes back is stored again");
    });
}

#[test]
fn what_is_deleted_is_nowhere_in_the_directory_after_compaction() {
    for_each_database(|dir, store| {
        let secret = b"my secret code";
        let small = Blob(secret.repeat(10));
        let large = Blob(secret.repeat(10_000));
        let mut append = Chain::new(0).append(1);
        append.head.ended = true;
        append.blobs.extend([small, large]);
        store.append_blocking(append).unwrap();
        ended(&store, 1, 5);
        store.archive(session(0)).unwrap();
        assert!(holds(dir.path(), secret), "the search finds what is there");
        store.delete(session(0)).unwrap();
        store.compact().unwrap();
        store.close();
        assert!(!holds(dir.path(), secret));
        assert!(!holds(dir.path(), format!("{}.jsonl", session(0)).as_bytes()));
    });
}

#[test]
fn a_blob_file_whose_append_was_refused_goes_with_the_next_compaction() {
    for_each_database(|dir, store| {
        let mut append = Chain::new(0).append(1);
        append.expected = EventId(7);
        append.head.cursor = EventId(8);
        append.blobs.push(file());
        assert!(store.append_blocking(append.clone()).is_err());
        let hex = hash(&file()).hex();
        let path = dir.path().join("blobs").join(&hex[..2]).join(&hex);
        assert!(!path.exists(), "a conflict is found before anything is written");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &file().0).unwrap();
        append_with(&store, &mut Chain::new(1), vec![Blob(vec![b'c'; BLOB_INLINE_MAX_BYTES + 1])]);
        store.compact().unwrap();
        assert!(!path.exists());
        assert_eq!(store.verify(session(1)).unwrap().blobs, 1);
    });
}

fn holds(dir: &std::path::Path, needle: &[u8]) -> bool {
    fs::read_dir(dir).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_owned();
        let found = |bytes: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
        found(name.as_encoded_bytes())
            || if path.is_dir() { holds(&path, needle) } else { found(&fs::read(path).unwrap()) }
    })
}

/// sled writes tree nodes over 128 KiB to files that it never syncs; no value of ours may lead
/// there.
#[test]
fn large_values_never_end_in_side_files_of_sled() {
    let dir = tempfile::tempdir().unwrap();
    let store = crate::support::open(dir.path(), vosim_store::BackendKind::Sled);
    let mut chain = Chain::new(0);
    for n in 0..60u8 {
        let mut append = chain.append(10);
        append.blobs.push(Blob(vec![n; BLOB_INLINE_MAX_BYTES]));
        store.append_blocking(append).unwrap();
    }
    store.delete(session(0)).unwrap();
    store.append_blocking(Chain::new(1).append(200)).unwrap();
    let side_files = fs::read_dir(dir.path().join("db-1/blobs")).unwrap().count();
    assert_eq!(side_files, 0);
}
