//! Opening: what is there is opened, refused with a way out, or new; never replaced.

use std::fs;
use std::path::Path;

use vosim_store::{Lock, LockError, OpenError, STORE_FORMAT};

use crate::support::{Chain, for_each_database, read_all, try_open};

fn manifest(dir: &Path, change: impl Fn(&mut serde_json::Value)) {
    let path = dir.join("store.json");
    let mut manifest = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut manifest);
    fs::write(&path, serde_json::to_vec(&manifest).unwrap()).unwrap();
}

#[test]
fn another_format_is_refused_with_a_way_out_and_left_alone() {
    for_each_database(|dir, store| {
        store.append_blocking(Chain::new(0).append(5)).unwrap();
        drop(store);
        let ways_out =
            [(STORE_FORMAT + 1, "install the newer vosimd"), (STORE_FORMAT - 1, "--from-exports")];
        for (format, way_out) in ways_out {
            manifest(dir.path(), |manifest| {
                manifest["format"] = format.into();
                manifest["backend"] = "something else".into();
            });
            let refused = try_open(dir.path()).unwrap_err();
            assert!(
                matches!(
                    refused,
                    OpenError::Newer { found, known: STORE_FORMAT, .. }
                    | OpenError::Older { found, known: STORE_FORMAT, .. } if found == format
                ),
                "{refused}"
            );
            let text = refused.to_string();
            assert!(text.contains(way_out), "{text}");
        }
        manifest(dir.path(), |manifest| {
            manifest["format"] = STORE_FORMAT.into();
            manifest["backend"] =
                if dir.path().join("db-1/db").exists() { "sled" } else { "redb" }.into();
        });
        assert_eq!(read_all(&try_open(dir.path()).unwrap(), 0).len(), 5);
    });
}

type Spoil = fn(&Path);

#[test]
fn an_unreadable_store_is_refused_with_a_way_out_and_never_becomes_empty() {
    let spoil: [(&str, Spoil); 6] = [
        ("the manifest is gone", |dir| fs::remove_file(dir.join("store.json")).unwrap()),
        ("the manifest is empty", |dir| fs::write(dir.join("store.json"), "").unwrap()),
        ("the manifest is a pipe", |dir| {
            fs::remove_file(dir.join("store.json")).unwrap();
            let pipe = dir.join("store.json");
            nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        }),
        ("the database is gone", |dir| fs::remove_dir_all(dir.join("db-1")).unwrap()),
        ("the database is empty", |dir| truncate(dir, |_| 0)),
        ("half of the database is gone", |dir| truncate(dir, |length| length / 2)),
    ];
    for (what, spoil) in spoil {
        for_each_database(|dir, store| {
            let mut chain = Chain::new(0);
            (0..20).for_each(|_| store.append_blocking(chain.append(100)).unwrap());
            drop(store);
            spoil(dir.path());
            match try_open(dir.path()) {
                Err(error) => {
                    let is_pipe = what.ends_with("pipe");
                    let way_out = if is_pipe { "move it away" } else { "vosimctl restore" };
                    assert!(error.to_string().contains(way_out), "{what}: {error}");
                    println!("{what}: {error}");
                    assert!(try_open(dir.path()).is_err(), "{what}: it stays refused");
                }
                // A log that ends early is only noticed by reading it.
                Ok(store) => {
                    assert!(what.starts_with("half"), "{what}: opened");
                    let missing = store.verify(crate::support::session(0));
                    assert!(missing.is_err(), "{what}: {missing:?}");
                }
            }
        });
    }
}

fn truncate(dir: &Path, length: impl Fn(u64) -> u64) {
    let sled = dir.join("db-1/db");
    let path = if sled.exists() { sled } else { dir.join("db-1/store.redb") };
    let file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(length(file.metadata().unwrap().len())).unwrap();
}

#[test]
fn a_first_start_that_was_interrupted_is_begun_again() {
    for_each_database(|dir, store| {
        drop(store);
        manifest(dir.path(), |manifest| manifest["complete"] = false.into());
        fs::write(dir.path().join("db-1/db"), "half-written").unwrap();
        let store = try_open(dir.path()).unwrap();
        store.append_blocking(Chain::new(0).append(1)).unwrap();
    });
}

#[test]
fn what_interrupted_work_has_left_is_swept() {
    for_each_database(|dir, store| {
        crate::support::ended(&store, 0, 3);
        store.archive(crate::support::session(0)).unwrap();
        drop(store);
        let leftovers = [dir.path().join("db-2"), dir.path().join("exports/x.jsonl.unfinished")];
        fs::create_dir(&leftovers[0]).unwrap();
        fs::write(&leftovers[1], "{").unwrap();
        let foreign = [dir.path().join("db-8/mine"), dir.path().join("db-9")];
        fs::create_dir(dir.path().join("db-8")).unwrap();
        foreign.iter().for_each(|path| fs::write(path, "mine").unwrap());
        let store = try_open(dir.path()).unwrap();
        assert_eq!(read_all(&store, 0).len(), 3);
        assert!(leftovers.iter().all(|path| !path.exists()));
        assert!(foreign.iter().all(|path| path.exists()), "what is not ours stays");
    });
}

#[cfg(not(feature = "store-redb"))]
#[test]
fn a_store_of_a_backend_that_is_not_built_in_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    drop(try_open(dir.path()).unwrap());
    manifest(dir.path(), |manifest| manifest["backend"] = "redb".into());
    fs::write(dir.path().join("db-1/store.redb"), "").unwrap();
    let refused = try_open(dir.path()).unwrap_err();
    assert!(refused.to_string().contains("`redb`"), "{refused}");
}

#[cfg(not(feature = "store-redb"))]
#[test]
fn a_new_store_of_a_backend_that_is_not_built_in_is_refused_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let backend = vosim_store::BackendKind::Redb;
    let options = vosim_store::Options { backend, ..Default::default() };
    let refused = vosim_store::Store::open(dir.path(), options).unwrap_err();
    assert!(refused.to_string().contains("`redb`"), "{refused}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    drop(try_open(dir.path()).unwrap());
}

#[test]
fn a_store_open_elsewhere_is_said_to_be_in_use_and_not_to_be_damaged() {
    for_each_database(|dir, store| {
        let refused = try_open(dir.path()).unwrap_err();
        assert!(matches!(refused, OpenError::InUse { .. }), "{refused}");
        store.append_blocking(Chain::new(0).append(1)).unwrap();
    });
}

#[test]
fn the_lock_outlives_the_store_and_names_its_holder() {
    let dir = tempfile::tempdir().unwrap();
    let lock = Lock::take(&dir.path().join("data"), "pid 1").unwrap();
    drop(try_open(&dir.path().join("data")).unwrap());
    let refused = Lock::take(&dir.path().join("data"), "pid 2").unwrap_err();
    assert!(matches!(&refused, LockError::Held { holder, .. } if holder == "pid 1"), "{refused}");
    drop(lock);
}
