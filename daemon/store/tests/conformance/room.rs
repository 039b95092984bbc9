//! A full disk: refused in time if we see it coming, survived if we do not.

use std::collections::BTreeMap;
use std::fs;

use vosim_store::{BackendKind, Options, Store, StoreError};

use crate::mounts::{Mounted, has_private_mounts};
use crate::support::{BACKENDS, Chain, check_acknowledged, options, try_open};

fn on_a_small_disk(claim: impl Fn(&Mounted<'_>, &std::path::Path, BackendKind)) {
    if !has_private_mounts() {
        return;
    }
    for &backend in BACKENDS {
        let dir = tempfile::tempdir().unwrap();
        let disk = Mounted::memory(dir.path(), "24m").unwrap();
        claim(&disk, &dir.path().join("data"), backend);
    }
}

/// Appends until an append is refused; returns what was acknowledged, and the refusal.
fn fill(store: &Store, chain: &mut Chain) -> (BTreeMap<u32, u64>, StoreError) {
    loop {
        let before = chain.clone();
        if let Err(refused) = store.append_blocking(chain.append(20)) {
            let acked = BTreeMap::from([(before.number, before.cursor.0)]);
            *chain = before;
            return (acked, refused);
        }
    }
}

#[test]
fn a_disk_that_fills_up_is_refused_in_time_and_the_store_goes_on_when_there_is_room() {
    on_a_small_disk(|_, dir, backend| {
        let store = Store::open(dir, options(backend)).unwrap();
        let mut chain = Chain::new(0);
        store.append_blocking(chain.append(20)).unwrap();
        let ballast = dir.join("ballast");
        fs::write(&ballast, vec![1; 14 * 1024 * 1024]).unwrap();
        let (acked, refused) = fill(&store, &mut chain);
        assert!(matches!(refused, StoreError::DiskFull { .. }), "{refused}");
        assert!(refused.to_string().contains("make room"), "{refused}");
        check_acknowledged(&store, &acked).unwrap();
        fs::remove_file(ballast).unwrap();
        store.append_blocking(chain.append(20)).unwrap();
        check_acknowledged(&store, &BTreeMap::from([(0, chain.cursor.0)])).unwrap();
    });
}

#[test]
fn a_disk_that_takes_no_writes_any_more_is_named_and_the_store_goes_on_when_it_does() {
    on_a_small_disk(|_, dir, backend| {
        let store = Store::open(dir, options(backend)).unwrap();
        let mut chain = Chain::new(0);
        store.append_blocking(chain.append(20)).unwrap();
        // The same file system once more above itself, where no file is open for writing yet.
        let above = Mounted::again(dir, dir);
        above.make_read_only();
        for _ in 0..3 {
            let refused = store.append_blocking(chain.clone().append(1)).unwrap_err();
            let text = refused.to_string();
            assert!(text.contains("mounted read-only; mount it for writing"), "{text}");
            assert!(refused.passes(), "{text}");
        }
        check_acknowledged(&store, &BTreeMap::from([(0, chain.cursor.0)])).unwrap();
        drop(above);
        store.append_blocking(chain.append(20)).unwrap();
        check_acknowledged(&store, &BTreeMap::from([(0, chain.cursor.0)])).unwrap();
    });
}

#[test]
fn a_disk_full_in_the_middle_of_a_commit_loses_nothing_that_was_acknowledged() {
    on_a_small_disk(|disk, dir, backend| {
        let options = Options { reserve_bytes: 0, ..options(backend) };
        let store = Store::open(dir, options).unwrap();
        let mut chain = Chain::new(0);
        let (acked, refused) = fill(&store, &mut chain);
        let text = refused.to_string().to_lowercase();
        assert!(text.contains("disk is full") && !text.contains('{'), "{backend:?}: {refused}");
        if matches!(refused, StoreError::Failed { .. }) {
            let again = store.append_blocking(chain.clone().append(1));
            assert!(matches!(again, Err(StoreError::Failed { .. })), "{again:?}");
        }
        drop(store);
        disk.resize("96m");
        let store = try_open(dir).unwrap();
        check_acknowledged(&store, &acked).unwrap();
        // The refused append may or may not have taken effect; the store says which.
        let cursor = store.head(chain.id()).unwrap().unwrap().cursor;
        while chain.cursor < cursor {
            chain.line();
        }
        store.append_blocking(chain.append(20)).unwrap();
        check_acknowledged(&store, &BTreeMap::from([(0, chain.cursor.0)])).unwrap();
    });
}
