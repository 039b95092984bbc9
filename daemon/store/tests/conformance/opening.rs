//! Opening: what is there is opened, refused with a way out, or new; never replaced.

use std::fs;
use std::path::Path;

use vosim_store::{Lock, LockError, OpenError, STORE_FORMAT};

use crate::support::{Chain, copy_tree, for_each_database, hashes, read_all, try_open};

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
        let leftovers = ["store.json.1.unfinished", "exports/x.jsonl.unfinished"];
        let leftovers = leftovers.map(|name| dir.path().join(name));
        leftovers.iter().for_each(|path| fs::write(path, "{").unwrap());
        for name in ["db-2/conf", "db-3", "db-4/snap.old", "db-1/blobs/mine"] {
            fs::create_dir_all(dir.path().join(name)).unwrap();
        }
        let foreign = [dir.path().join("db-8/mine"), dir.path().join("db-9")];
        fs::create_dir(dir.path().join("db-8")).unwrap();
        foreign.iter().for_each(|path| fs::write(path, "mine").unwrap());
        let store = try_open(dir.path()).unwrap();
        assert_eq!(read_all(&store, 0).len(), 3);
        assert!(leftovers.iter().all(|path| !path.exists()));
        assert!(foreign.iter().all(|path| path.exists()), "what is not ours stays");
        store.compact().unwrap();
        for name in ["db-2/conf", "db-3", "db-4/snap.old", "db-1/blobs/mine"] {
            assert!(dir.path().join(name).exists(), "{name}");
        }
    });
}

#[test]
fn what_a_compaction_was_cut_off_in_is_swept_and_what_somebody_has_copied_is_not() {
    for_each_database(|dir, store| {
        store.append_blocking(Chain::new(0).append(5)).unwrap();
        // A compaction that ended before it could remove the old one, with something of another's in it.
        let old = tempfile::tempdir().unwrap();
        copy_tree(&dir.path().join("db-1"), &old.path().join("db-1"));
        fs::write(dir.path().join("db-1/mine.txt"), "mine").unwrap();
        store.compact().unwrap();
        assert_eq!(fs::read_dir(dir.path().join("db-1")).unwrap().count(), 1, "only that stays");
        drop(store);
        let at = |name: &str| dir.path().join(name);
        copy_tree(&old.path().join("db-1"), &at("db-1"));
        copy_tree(&at("db-2"), &at("db-9"));
        copy_tree(&at("db-2"), &at("db-8"));
        fs::write(at("db-8/mine.txt"), "mine").unwrap();
        fs::create_dir_all(at("db-7/exports")).unwrap();
        fs::write(at("db-7/exports/x.txt"), "mine").unwrap();
        let others = ["db-9", "db-8", "db-7"].map(|name| hashes(&at(name)));
        let store = try_open(dir.path()).unwrap();
        assert_eq!(read_all(&store, 0).len(), 5);
        assert_eq!(["db-9", "db-8", "db-7"].map(|name| hashes(&at(name))), others);
        assert_eq!(hashes(&at("db-1")).len(), 1, "what was ours is gone, and nothing else");
        store.compact().unwrap();
        assert!(!at("db-2").exists() && at("db-10").exists());
    });
}

#[test]
fn what_stands_in_the_place_of_something_of_ours_is_refused_before_anything_is_changed() {
    let in_the_way: [(&str, Spoil); 9] = [
        ("blobs is a file", |dir| file_at(&dir.join("blobs"))),
        ("blobs leads in a circle", |dir| link_at("blobs", &dir.join("blobs"))),
        ("blobs leads nowhere", |dir| link_at("away", &dir.join("blobs"))),
        ("a folder of blobs is a file", |dir| file_at(&dir.join("blobs/18"))),
        ("exports is a file", |dir| file_at(&dir.join("exports"))),
        ("the witness is a folder", |dir| {
            fs::remove_file(dir.join("db-1/commits")).unwrap();
            fs::create_dir(dir.join("db-1/commits")).unwrap();
        }),
        ("the witness is missing, exports is a file", |dir| {
            fs::remove_file(dir.join("db-1/commits")).unwrap();
            file_at(&dir.join("exports"));
        }),
        ("the database's own blobs are a file", |dir| {
            let blobs = if dir.join("db-1/db").exists() { "db-1/blobs" } else { "blobs" };
            file_at(&dir.join(blobs));
        }),
        ("the database's exports are a file", |dir| file_at(&dir.join("db-1/exports"))),
    ];
    for (what, spoil) in in_the_way {
        for_each_database(|dir, store| {
            store.append_blocking(Chain::new(0).append(5)).unwrap();
            drop(store);
            spoil(dir.path());
            let before = hashes(dir.path());
            let refused = try_open(dir.path()).expect_err(what).to_string();
            assert_eq!(hashes(dir.path()), before, "{what}: {refused}");
            let named = ["move it away", "see where they lead", "see where it leads"];
            assert!(named.iter().any(|step| refused.contains(step)), "{what}: {refused}");
        });
    }
}

/// A doubt leads to a copy of the database, for which nobody's pipe is opened and no link is followed.
#[test]
fn what_others_have_put_into_the_database_s_folder_is_in_no_copy_and_in_nobody_s_way() {
    for_each_database(|dir, store| {
        store.append_blocking(Chain::new(0).append(5)).unwrap();
        drop(store);
        let at = |name: &str| dir.path().join("db-1").join(name);
        nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        link_at(".", &at("circle"));
        link_at("nowhere", &at("link"));
        file_at(&at("mine/deep"));
        fs::remove_file(at("commits")).unwrap();
        let store = try_open(dir.path()).unwrap();
        assert_eq!(read_all(&store, 0).len(), 5);
        let left: Vec<_> = fs::read_dir(dir.path().join("db-1")).unwrap().flatten().collect();
        assert_eq!(left.len(), 4, "what was ours is in db-2: {left:?}");
        assert!(!dir.path().join("checking").exists());
    });
}

#[test]
fn archives_that_came_with_a_database_replace_no_file_of_anybody_else() {
    for_each_database(|dir, store| {
        store.append_blocking(Chain::new(0).append(5)).unwrap();
        drop(store);
        let at = |name: &str| dir.path().join(name);
        file_at(&at("exports/mine"));
        fs::create_dir_all(at("db-1/exports")).unwrap();
        fs::write(at("db-1/exports/mine"), "other").unwrap();
        drop(try_open(dir.path()).unwrap());
        assert_eq!(fs::read_to_string(at("exports/mine")).unwrap(), "mine");
        assert_eq!(fs::read_to_string(at("db-1/exports/mine")).unwrap(), "other");
    });
}

#[test]
fn a_restore_puts_aside_what_was_the_store_s_and_leaves_the_rest() {
    for_each_database(|dir, store| {
        store.append_blocking(Chain::new(0).append(5)).unwrap();
        let out = tempfile::tempdir().unwrap();
        let backup = out.path().join("backup");
        store.backup(&backup).unwrap();
        drop(store);
        let at = |name: &str| dir.path().join(name);
        copy_tree(&at("db-1"), &at("db-9"));
        link_at(out.path().to_str().unwrap(), &at("db-31"));
        let copy = hashes(&at("db-9"));
        vosim_store::restore(&backup, dir.path(), &vosim_store::Options::default()).unwrap();
        assert_eq!(hashes(&at("db-9")), copy);
        assert!(at("db-31").is_symlink() && backup.is_file());
        assert_eq!(vosim_store::asides(dir.path()).unwrap().len(), 1);
        file_at(&at("quarantine-1/db-1/mine"));
        vosim_store::erase_aside(dir.path(), 1).unwrap();
        assert_eq!(hashes(&at("quarantine-1")).len(), 1, "only that stays");
    });
}

#[test]
fn what_others_have_put_beside_what_is_ours_is_in_nobodys_way() {
    for_each_database(|dir, store| {
        store.append_blocking(Chain::new(0).append(5)).unwrap();
        drop(store);
        let foreign = ["blobs/README", "blobs/zz", "exports/README", "db-1/README", "checking"];
        foreign.iter().for_each(|name| file_at(&dir.path().join(name)));
        let store = try_open(dir.path()).unwrap();
        store.compact().unwrap();
        assert_eq!(read_all(&store, 0).len(), 5);
        assert!(foreign.iter().all(|name| dir.path().join(name).exists()));
    });
}

fn file_at(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    if path.is_dir() {
        fs::remove_dir_all(path).unwrap();
    }
    fs::write(path, "mine").unwrap();
}

fn link_at(to: &str, path: &Path) {
    if path.is_dir() {
        fs::remove_dir_all(path).unwrap();
    }
    std::os::unix::fs::symlink(to, path).unwrap();
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
