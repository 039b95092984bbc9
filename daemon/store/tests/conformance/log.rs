//! The crash-free promises: order, conflict, paging, holes, heads, settings, reopening.

use std::collections::BTreeMap;

use proptest::prelude::*;
use vosim_protocol::ids::EventId;
use vosim_protocol::record::RECORD_MAX_BYTES;
use vosim_store::{Append, HEAD_MAX_BYTES, KEY_VALUE_MAX_BYTES, Store, StoreError};

use crate::support::{
    BACKENDS, Chain, check_acknowledged, fold, for_each_database, for_each_store, head, open,
    read_all, session,
};

#[test]
fn what_was_appended_is_read_byte_for_byte_and_in_order() {
    for_each_store(|store| {
        let mut chains = [Chain::new(0), Chain::new(1)];
        for events in [1, 2, 60] {
            for chain in &mut chains {
                store.append_blocking(chain.append(events)).unwrap();
            }
        }
        check_acknowledged(store, &BTreeMap::from([(0, 63), (1, 63)])).unwrap();
        assert_eq!(store.verify(session(0)).unwrap().events, 63);
    });
}

#[test]
fn an_append_that_expects_another_cursor_changes_nothing() {
    for_each_store(|store| {
        let mut chain = Chain::new(0);
        let first = chain.append(3);
        store.append_blocking(first.clone()).unwrap();
        let again = store.append_blocking(first).unwrap_err();
        assert!(
            matches!(again, StoreError::Conflict { expected: EventId(0), actual: EventId(3), .. }),
            "{again}"
        );
        let mut ahead = chain.clone();
        ahead.line();
        assert!(matches!(
            store.append_blocking(ahead.append(1)),
            Err(StoreError::Conflict { expected: EventId(4), actual: EventId(3), .. })
        ));
        assert_eq!(read_all(store, 0).len(), 3);
        store.append_blocking(chain.append(1)).unwrap();
        check_acknowledged(store, &BTreeMap::from([(0, 4)])).unwrap();
    });
}

#[test]
fn pages_end_at_either_limit_and_always_hold_an_event() {
    for_each_store(|store| {
        let mut chain = Chain::new(0);
        store.append_blocking(chain.append(60)).unwrap();
        let all = read_all(store, 0);
        let read = |after, events, bytes| store.read(session(0), EventId(after), events, bytes);
        assert_eq!(read(10, 5, usize::MAX).unwrap(), all[10..15]);
        assert_eq!(read(10, 5, 1).unwrap(), all[10..11]);
        let two = all[10].len() + all[11].len();
        assert_eq!(read(10, 5, two).unwrap(), all[10..12]);
        assert_eq!(read(10, 5, two - 1).unwrap(), all[10..11]);
        assert!(read(60, 5, usize::MAX).unwrap().is_empty());
        assert!(read(0, 0, usize::MAX).unwrap().is_empty());
        assert!(store.read(session(9), EventId::ZERO, 5, 5).unwrap().is_empty());
    });
}

#[test]
fn heads_tell_of_every_session_and_follow_it() {
    for_each_store(|store| {
        for number in 0..5 {
            store.append_blocking(Chain::new(number).append(2)).unwrap();
        }
        let heads = store.heads().unwrap();
        assert_eq!(heads.heads, (0..5).map(|n| head(n, EventId(2))).collect::<Vec<_>>());
        assert!(heads.damaged.is_empty());
        assert_eq!(store.head(session(3)).unwrap(), Some(head(3, EventId(2))));
        assert_eq!(store.head(session(7)).unwrap(), None);
        assert_eq!(store.rebuild_heads(fold).unwrap(), 0, "nothing is broken");
    });
}

#[test]
fn what_makes_no_sense_is_refused_before_it_is_written() {
    for_each_store(|store| {
        let good = Chain::new(0).append(1);
        let refused = |append: Append| {
            let refused = store.append_blocking(append);
            assert!(matches!(refused, Err(StoreError::Invalid { .. })), "{refused:?}");
        };
        refused(Append { lines: Vec::new(), ..good.clone() });
        refused(Append { lines: vec![vec![b' '; RECORD_MAX_BYTES + 1]], ..good.clone() });
        refused(Append { lines: vec![b"{}\n{}".to_vec()], ..good.clone() });
        refused(Append { head: head(1, EventId(1)), ..good.clone() });
        refused(Append { head: head(0, EventId(2)), ..good.clone() });
        let mut wordy = good.clone();
        wordy.head.title = "x".repeat(HEAD_MAX_BYTES);
        refused(wordy);
        assert!(store.heads().unwrap().heads.is_empty());
        store.append_blocking(good).unwrap();
    });
}

#[test]
fn the_largest_record_fits() {
    for_each_store(|store| {
        let line = vec![b'x'; RECORD_MAX_BYTES];
        for id in 1..=40 {
            let append = Append {
                session: session(0),
                expected: EventId(id - 1),
                lines: vec![line.clone()],
                head: head(0, EventId(id)),
                blobs: Vec::new(),
                settings: Vec::new(),
            };
            store.append_blocking(append).unwrap();
        }
        assert!(read_all(store, 0).iter().all(|read| *read == line));
    });
}

#[test]
fn settings_are_small_and_can_be_erased() {
    for_each_store(|store| {
        assert_eq!(store.key("current").unwrap(), None);
        store.set_key_blocking("current", Some(b"a".to_vec())).unwrap();
        store.set_key_blocking("current", Some(b"b".to_vec())).unwrap();
        assert_eq!(store.key("current").unwrap().unwrap(), b"b");
        store.set_key_blocking("current", None).unwrap();
        assert_eq!(store.key("current").unwrap(), None);
        let large = vec![0; KEY_VALUE_MAX_BYTES + 1];
        for (name, value) in [("", vec![]), ("a/b", vec![]), ("a", large)] {
            let refused = store.set_key_blocking(name, Some(value));
            assert!(matches!(refused, Err(StoreError::Invalid { .. })), "{name}");
        }
    });
}

#[test]
fn a_reopened_store_is_the_same_and_goes_on() {
    for_each_database(|dir, store| {
        let id = store.store_id();
        let mut chain = Chain::new(0);
        store.set_key_blocking("boot", Some(b"1".to_vec())).unwrap();
        for _ in 0..3 {
            store.append_blocking(chain.append(40)).unwrap();
        }
        drop(store);
        let store = crate::support::try_open(dir.path()).unwrap();
        assert_eq!(store.store_id(), id);
        assert_eq!(store.key("boot").unwrap().unwrap(), b"1");
        check_acknowledged(&store, &BTreeMap::from([(0, 120)])).unwrap();
        let stale = Chain::new(0).append(1);
        assert!(matches!(store.append_blocking(stale), Err(StoreError::Conflict { .. })));
        store.append_blocking(chain.append(1)).unwrap();
        check_acknowledged(&store, &BTreeMap::from([(0, 121)])).unwrap();
    });
}

/// A session as a reader of the model sees it.
#[derive(Clone, Debug)]
enum Step {
    Append { session: u32, events: u64, stale: bool },
    Delete { session: u32 },
    Reopen,
    Compact,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0..4u32, 1..9u64, prop::bool::weighted(0.2))
            .prop_map(|(session, events, stale)| Step::Append { session, events, stale }),
        1 => (0..4u32).prop_map(|session| Step::Delete { session }),
        1 => Just(Step::Reopen),
        1 => Just(Step::Compact),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn any_course_of_events_leaves_what_a_plain_list_would(
        steps in prop::collection::vec(step(), 1..25),
        backend in prop::sample::select(BACKENDS),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut store = open(dir.path(), backend);
        let mut model: BTreeMap<u32, Option<Chain>> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Append { session, events, stale } => {
                    append(&store, &mut model, session, events, stale)?;
                }
                Step::Delete { session: number } => {
                    let deleted = store.delete(session(number)).is_ok();
                    prop_assert_eq!(deleted, matches!(model.get(&number), Some(Some(_))));
                    if deleted {
                        model.insert(number, None);
                    }
                }
                Step::Reopen => {
                    drop(store);
                    store = open(dir.path(), backend);
                }
                Step::Compact => store.compact().unwrap(),
            }
            for (&number, chain) in &model {
                match chain {
                    Some(chain) => {
                        let acked = BTreeMap::from([(number, chain.cursor.0)]);
                        prop_assert_eq!(check_acknowledged(&store, &acked), Ok(()));
                        prop_assert_eq!(read_all(&store, number).len() as u64, chain.cursor.0);
                    }
                    None => {
                        let read = store.read(session(number), EventId::ZERO, 1, 1);
                        let deleted = matches!(read, Err(StoreError::Deleted { .. }));
                        prop_assert!(deleted);
                    }
                }
            }
        }
    }
}

fn append(
    store: &Store,
    model: &mut BTreeMap<u32, Option<Chain>>,
    number: u32,
    events: u64,
    stale: bool,
) -> Result<(), TestCaseError> {
    let Some(chain) = model.entry(number).or_insert_with(|| Some(Chain::new(number))) else {
        let refused = store.append_blocking(Chain::new(number).append(events));
        let deleted = matches!(refused, Err(StoreError::Deleted { .. }));
        prop_assert!(deleted);
        return Ok(());
    };
    if stale && chain.cursor > EventId::ZERO {
        let refused = store.append_blocking(Chain::new(number).append(events));
        let conflict = matches!(refused, Err(StoreError::Conflict { .. }));
        prop_assert!(conflict);
        return Ok(());
    }
    prop_assert!(store.append_blocking(chain.append(events)).is_ok());
    Ok(())
}
