//! The committer against a database that waits or fails when it is told to.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use vosim_protocol::ids::EventId;
use vosim_store::{Backend, BackendError, Batch, MemoryBackend, Options, Store, StoreError, Visit};

use crate::support::{Chain, check_acknowledged, head, session};

/// Shows a commit to readers first, as sled does, and ends it in the way the test says.
#[derive(Debug)]
struct Stubborn {
    rows: MemoryBackend,
    begun: Sender<usize>,
    verdicts: Mutex<Receiver<Result<(), BackendError>>>,
}

impl Backend for Stubborn {
    fn commit(&self, batch: Batch) -> Result<(), BackendError> {
        let changes = batch.ops.len();
        self.rows.commit(batch)?;
        self.begun.send(changes).unwrap();
        self.verdicts.lock().unwrap().recv().unwrap_or(Ok(()))
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        self.rows.get(key)
    }

    fn scan(&self, range: Range<&[u8]>, visit: &mut Visit<'_>) -> Result<(), BackendError> {
        self.rows.scan(range, visit)
    }

    fn last_key(&self, range: Range<&[u8]>) -> Result<Option<Vec<u8>>, BackendError> {
        self.rows.last_key(range)
    }
}

type Answer = Result<(), StoreError>;

struct Bench {
    store: Store,
    begun: Receiver<usize>,
    verdicts: Sender<Result<(), BackendError>>,
    answers: (Sender<Answer>, Receiver<Answer>),
}

impl Bench {
    fn new(queue_max: usize) -> Self {
        let (begin, begun) = channel();
        let (verdicts, receiver) = channel();
        let backend = Stubborn {
            rows: MemoryBackend::default(),
            begun: begin,
            verdicts: Mutex::new(receiver),
        };
        let options = Options { queue_max, ..Options::default() };
        let store = Store::on_backend(Arc::new(backend), options).unwrap();
        Self { store, begun, verdicts, answers: channel() }
    }

    fn append(&self, chain: &mut Chain, events: u64) {
        let answer = self.answers.0.clone();
        self.store.append(chain.append(events), move |result| answer.send(result).unwrap());
    }

    fn answer(&self) -> Result<(), StoreError> {
        self.answers.1.recv().unwrap()
    }

    fn events(&self, number: u32) -> usize {
        self.store.read(session(number), EventId::ZERO, 99, usize::MAX).unwrap().len()
    }
}

#[test]
fn nobody_sees_an_event_before_it_is_durable() {
    let bench = Bench::new(8);
    let mut chain = Chain::new(0);
    bench.append(&mut chain, 2);
    bench.begun.recv().unwrap();
    assert_eq!(bench.events(0), 0);
    assert_eq!(bench.store.head(session(0)).unwrap(), None);
    assert!(bench.store.heads().unwrap().heads.is_empty());
    bench.verdicts.send(Ok(())).unwrap();
    bench.answer().unwrap();
    assert_eq!(bench.events(0), 2);

    bench.append(&mut chain, 3);
    bench.begun.recv().unwrap();
    assert_eq!(bench.events(0), 2);
    assert_eq!(bench.store.head(session(0)).unwrap(), Some(head(0, EventId(2))));
    assert_eq!(bench.store.heads().unwrap().heads, [head(0, EventId(2))]);
    bench.verdicts.send(Ok(())).unwrap();
    bench.answer().unwrap();
    assert_eq!(bench.events(0), 5);
}

#[test]
fn what_queues_up_during_a_commit_shares_the_next() {
    let bench = Bench::new(64);
    let mut chains: Vec<_> = (0..20).map(Chain::new).collect();
    bench.append(&mut chains[0], 1);
    bench.begun.recv().unwrap();
    for chain in &mut chains[1..] {
        bench.append(chain, 1);
    }
    // Two appends of one session in a row, with a refused one between them.
    bench.append(&mut chains[1], 1);
    bench.append(&mut Chain::new(1), 1);
    (0..2).for_each(|_| bench.verdicts.send(Ok(())).unwrap());
    let (done, refused): (Vec<_>, Vec<_>) =
        (0..22).map(|_| bench.answer()).partition(Result::is_ok);
    assert_eq!((done.len(), refused.len()), (21, 1));
    assert!(matches!(refused[0], Err(StoreError::Conflict { actual: EventId(2), .. })));
    assert_eq!(bench.begun.try_iter().count(), 1, "one commit for all that waited");
    assert_eq!(bench.events(1), 2);
}

#[test]
fn a_full_queue_answers_busy_at_once_and_recovers() {
    let bench = Bench::new(2);
    let mut chains: Vec<_> = (0..4).map(Chain::new).collect();
    bench.append(&mut chains[0], 1);
    bench.begun.recv().unwrap();
    bench.append(&mut chains[1], 1);
    bench.append(&mut chains[2], 1);
    let refused = chains[3].clone();
    bench.append(&mut chains[3], 1);
    assert!(matches!(bench.answer(), Err(StoreError::Busy { queued: 2 })));
    (0..3).for_each(|_| bench.verdicts.send(Ok(())).unwrap());
    (0..3).for_each(|_| bench.answer().unwrap());
    bench.append(&mut refused.clone(), 1);
    bench.verdicts.send(Ok(())).unwrap();
    bench.answer().unwrap();
    assert_eq!(bench.events(3), 1);
}

#[test]
fn after_a_failed_commit_nothing_is_written_and_what_was_durable_stays() {
    let bench = Bench::new(8);
    let mut chain = Chain::new(0);
    bench.append(&mut chain, 2);
    bench.verdicts.send(Ok(())).unwrap();
    bench.answer().unwrap();
    bench.append(&mut chain, 1);
    bench.verdicts.send(Err(BackendError::Failed("no space left".to_owned()))).unwrap();
    let failed = bench.answer().unwrap_err();
    assert!(failed.to_string().contains("no space left"), "{failed}");
    bench.append(&mut Chain::new(1), 1);
    assert!(matches!(bench.answer(), Err(StoreError::Failed { .. })));
    let set = bench.store.set_key_blocking("current", Some(Vec::new()));
    assert!(matches!(set, Err(StoreError::Failed { .. })));
    assert!(matches!(bench.store.delete(session(0)), Err(StoreError::Failed { .. })));
    assert_eq!(bench.events(0), 2);
    assert_eq!(bench.store.head(session(0)).unwrap(), Some(head(0, EventId(2))));
    assert_eq!(bench.begun.try_iter().count(), 2, "no third commit was tried");
}

/// A disk with a cache of its own, whose syncs fail when it is told so: what was written stands in
/// the cache, and nobody knows whether it stands on the disk.
#[derive(Debug, Default)]
struct Disk {
    cache: Arc<MemoryBackend>,
    platter: Arc<MemoryBackend>,
    fails: AtomicBool,
}

impl Backend for Disk {
    fn commit(&self, batch: Batch) -> Result<(), BackendError> {
        self.cache.commit(batch.clone())?;
        if self.fails.load(Ordering::Relaxed) {
            return Err(io::Error::from_raw_os_error(5).into());
        }
        self.platter.commit(batch)
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        self.cache.get(key)
    }

    fn scan(&self, range: Range<&[u8]>, visit: &mut Visit<'_>) -> Result<(), BackendError> {
        self.cache.scan(range, visit)
    }

    fn last_key(&self, range: Range<&[u8]>) -> Result<Option<Vec<u8>>, BackendError> {
        self.cache.last_key(range)
    }
}

#[test]
fn a_disk_that_fails_at_a_sync_takes_nothing_more_and_costs_nothing_that_was_answered() {
    let disk = Arc::new(Disk::default());
    let store = Store::on_backend(Arc::<Disk>::clone(&disk), Options::default()).unwrap();
    let mut chain = Chain::new(0);
    store.append_blocking(chain.append(2)).unwrap();
    disk.fails.store(true, Ordering::Relaxed);
    let before = chain.clone();
    let failed = store.append_blocking(chain.append(3)).unwrap_err().to_string();
    assert!(failed.contains("its disk reports a fault (input/output error)"), "{failed}");
    assert!(failed.contains("answered before is safe"), "{failed}");
    // It answers again and may have lost what it was given: a second sync that succeeds would say
    // nothing of the first.
    disk.fails.store(false, Ordering::Relaxed);
    let again = store.append_blocking(before.clone().append(1));
    assert!(matches!(again, Err(StoreError::Failed { .. })), "{again:?}");
    let events =
        |store: &Store| store.read(session(0), EventId::ZERO, 99, usize::MAX).unwrap().len();
    assert_eq!(events(&store), 2, "nobody sees what may be lost");
    drop(store);
    // Whether the machine was switched off meanwhile or not, the next start finds a log that goes on.
    for (found, mut chain, kept) in [(&disk.platter, before, 2), (&disk.cache, chain, 5)] {
        let store = Store::on_backend(Arc::<MemoryBackend>::clone(found), Options::default());
        let store = store.unwrap();
        assert_eq!(events(&store), kept);
        store.append_blocking(chain.append(1)).unwrap();
        check_acknowledged(&store, &BTreeMap::from([(0, chain.cursor.0)])).unwrap();
    }
}

#[test]
fn every_write_is_answered_when_the_store_closes() {
    let bench = Bench::new(8);
    let mut chains: Vec<_> = (0..3).map(Chain::new).collect();
    bench.append(&mut chains[0], 1);
    bench.begun.recv().unwrap();
    bench.append(&mut chains[1], 1);
    drop(bench.verdicts);
    bench.store.close();
    let answer = || bench.answers.1.recv().unwrap();
    assert!(answer().is_ok() && answer().is_ok());
    let sender = bench.answers.0.clone();
    bench.store.append(chains[2].append(1), move |result| sender.send(result).unwrap());
    assert!(matches!(answer(), Err(StoreError::Closed)));
    assert!(matches!(bench.store.compact(), Err(StoreError::Closed)));
}

#[test]
fn a_callback_that_panics_or_would_deadlock_harms_nobody() {
    let bench = Bench::new(8);
    (0..4).for_each(|_| bench.verdicts.send(Ok(())).unwrap());
    let mut chain = Chain::new(0);
    bench.store.append(chain.append(1), |_| panic!("a careless caller"));
    let (store, answer) = (bench.store.clone(), bench.answers.0.clone());
    bench.store.append(chain.append(1), move |_| {
        answer.send(store.set_key_blocking("a", None)).unwrap();
    });
    assert!(matches!(bench.answer(), Err(StoreError::Invalid { .. })));
    let (store, answer) = (bench.store.clone(), bench.answers.0.clone());
    let mut next = chain.clone();
    next.line();
    let second = next.append(1);
    bench.store.append(chain.append(1), move |_| {
        store.append(second, move |result| answer.send(result).unwrap());
    });
    bench.answer().unwrap();
    assert_eq!(bench.events(0), 4);
}
