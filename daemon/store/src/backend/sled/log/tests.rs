//! Sound logs, and logs of which a part is missing, at every point of a recorded sequence of writes.

use std::ops::Range;
use std::sync::RwLock;

use tempfile::TempDir;
use uuid::Uuid;
use vosim_protocol::ids::StoreId;

use super::*;
use crate::backend::sled::{SledBackend, open_db};
use crate::backend::{Backend as _, Batch};
use crate::options::Durability;
use crate::tally::Tally;

const FILE: &str = "db";
/// A block is written whole or not at all.
const BLOCK_BYTES: usize = 4096;
const ROWS: usize = 40;

/// A database that nothing writes to between two commits.
struct Recorded {
    dir: TempDir,
    backend: SledBackend,
    tally: Tally,
    commits: u64,
}

impl Recorded {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let backend = open(dir.path());
        let tally = Tally::resume(dir.path(), FILE, StoreId(Uuid::from_u128(7)), 0).unwrap();
        Self { dir, backend, tally, commits: 0 }
    }

    /// Opens the database again, which writes a snapshot.
    fn reopen(self) -> Self {
        let Self { dir, backend, tally, commits } = self;
        drop(backend);
        let backend = open(dir.path());
        Self { dir, backend, tally, commits }
    }

    /// Writes the same rows as every commit does, so that segments are soon used again.
    fn commit(&mut self) {
        let mut batch = Batch::default();
        for row in 0..ROWS {
            let value = format!("{} of {}", row, self.commits).repeat(200);
            batch.put(format!("row {row}").into_bytes(), value.into_bytes());
        }
        self.tally.count(&mut batch);
        self.backend.commit(batch).unwrap();
        self.tally.committed();
        self.commits += 1;
    }

    /// The file as it is at one moment: sled gives back room at its end while nobody commits.
    fn bytes(&self) -> Vec<u8> {
        let read = || fs::read(self.dir.path().join(FILE)).unwrap();
        let mut bytes = read();
        loop {
            match read() {
                again if again == bytes => return bytes,
                again => bytes = again,
            }
        }
    }

    fn segments(&self) -> Segments {
        let file = File::open(self.dir.path().join(FILE)).unwrap();
        Log { file }.segments().unwrap().0
    }

    fn snapshot_end(&self) -> u64 {
        let snapshot = newest_snapshot(self.dir.path()).unwrap();
        snapshot.map_or(0, |bytes| Snapshot::parse(&bytes).unwrap().stable)
    }

    /// Looks at what the file would be with other bytes in it.
    fn look_at(&self, bytes: &[u8]) -> Looked {
        let dir = tempfile::tempdir().unwrap();
        for path in entries(self.dir.path()).unwrap() {
            let name = path.file_name().unwrap();
            if name.to_str().unwrap().starts_with(SNAPSHOT) {
                fs::copy(&path, dir.path().join(name)).unwrap();
            }
        }
        fs::write(dir.path().join(FILE), bytes).unwrap();
        look(dir.path(), FILE).unwrap()
    }
}

fn open(path: &Path) -> SledBackend {
    let config = sled::Config::new().path(path).flush_every_ms(None);
    let db = open_db(path, &config).unwrap();
    let file = File::open(path.join(FILE)).unwrap();
    SledBackend { db, file, durability: Durability::Unsafe, applying: RwLock::default() }
}

/// The blocks in which two states of a file differ.
fn changed(before: &[u8], after: &[u8]) -> Vec<Range<usize>> {
    let blocks = (0..after.len()).step_by(BLOCK_BYTES);
    let blocks = blocks.map(|from| from..after.len().min(from + BLOCK_BYTES));
    blocks.filter(|block| before.get(block.clone()) != Some(&after[block.clone()])).collect()
}

/// The state in which some of the blocks of a commit have reached the disk.
fn partly(before: &[u8], after: &[u8], blocks: &[Range<usize>]) -> Vec<u8> {
    let mut bytes = before.to_vec();
    bytes.resize(before.len().max(after.len()), 0);
    for block in blocks {
        bytes[block.clone()].copy_from_slice(&after[block.clone()]);
    }
    bytes
}

#[test]
fn a_log_whose_segments_were_used_again_is_beyond_doubt_at_every_commit() {
    let mut recorded = Recorded::new();
    (0..5).for_each(|_| recorded.commit());
    recorded = recorded.reopen();
    let (mut drained, mut torn) = (0, 0);
    for _ in 0..120 {
        let (before, begun) = (recorded.bytes(), recorded.segments());
        recorded.commit();
        let after = recorded.bytes();
        let looked = recorded.look_at(&after);
        assert_eq!((looked.doubt, looked.whole), (None, recorded.commits));
        let (end, segments) = (recorded.snapshot_end(), recorded.segments());
        drained += u32::from(!segments.contains_key(&(end - end % SEGMENT_BYTES)));
        let blocks = changed(&before, &after);
        // A commit over two segments that is cut off in the first one is looked at more closely.
        if !recorded.commits.is_multiple_of(20) || !segments.keys().eq(begun.keys()) {
            continue;
        }
        // The blocks reach the disk in any order.
        for cut in (0..blocks.len()).step_by(5) {
            for some in [&blocks[..cut], &blocks[cut..]] {
                let looked = recorded.look_at(&partly(&before, &after, some));
                let (whole, behind) = (looked.whole, looked.behind);
                assert_eq!(looked.doubt, None, "{cut} of {} blocks", blocks.len());
                assert!(recorded.commits - whole <= 1 && behind <= whole + 1, "{whole} {behind}");
                torn += u32::from(looked.torn);
            }
        }
    }
    assert!(drained > 10 && torn > 2, "{drained} {torn}");
}

#[test]
fn a_log_that_lacks_a_segment_of_its_tail_is_doubted() {
    let mut recorded = Recorded::new();
    (0..20).for_each(|_| recorded.commit());
    recorded = recorded.reopen();
    recorded.commit();
    let (whole, segments) = (recorded.bytes(), recorded.segments());
    let newest = segments.values().map(|begun| begun.stable).max().unwrap();
    assert_eq!(recorded.look_at(&whole).doubt, None);
    for (number, begun) in segments.range(newest - newest % SEGMENT_BYTES..) {
        let mut bytes = whole.clone();
        let from = usize::try_from(begun.at).unwrap();
        let end = bytes.len().min(from + SEGMENT_LEN);
        bytes[from..end].fill(0);
        let looked = recorded.look_at(&bytes);
        assert!(looked.doubt.is_some(), "without {number}");
    }
}
