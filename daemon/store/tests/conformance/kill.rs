//! kill -9: the process dies at any moment, the machine goes on.

use std::collections::BTreeMap;

use vosim_store::{BackendKind, Durability};

use crate::support::{Random, check_acknowledged, rounds, try_open};
use crate::writer::{Work, Writer};

fn survives(backend: BackendKind) {
    let mut random = Random::seeded("kill -9");
    let mut dir = tempfile::tempdir().unwrap();
    let mut acked = BTreeMap::new();
    let mut total = 0;
    for round in 0..rounds(10, 200) {
        // The same store goes on for a while, but checking all of it must not take ever longer.
        if round % 20 == 19 {
            dir = tempfile::tempdir().unwrap();
            total += acked.values().sum::<u64>();
            acked.clear();
        }
        let mut writer =
            Writer::start(dir.path(), backend, Durability::Disk, Work::AppendAndKeepHouse);
        writer.wait_for(1 + random.below(400), &mut acked);
        writer.kill();
        writer.drain(&mut acked);
        let store = try_open(dir.path()).unwrap();
        check_acknowledged(&store, &acked).unwrap_or_else(|lost| panic!("round {round}: {lost}"));
    }
    total += acked.values().sum::<u64>();
    println!("{backend:?}: {total} events acknowledged, none lost");
}

#[test]
fn sled_keeps_every_acknowledged_event_over_kill_9() {
    survives(BackendKind::Sled);
}

#[cfg(feature = "store-redb")]
#[test]
fn redb_keeps_every_acknowledged_event_over_kill_9() {
    survives(BackendKind::Redb);
}
