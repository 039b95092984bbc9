//! Sessions whose every byte follows from their number, so that what comes back can be compared.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use uuid::Uuid;
use vosim_protocol::Wire as _;
use vosim_protocol::blob::Blob;
use vosim_protocol::ids::{EventId, Hash, Kind, SessionId};
use vosim_protocol::record::{Actor, EventRecord, Head};
use vosim_protocol::time::Time;
use vosim_store::{Append, BackendKind, OpenError, Options, Store};

/// The databases this build knows.
pub(crate) const BACKENDS: &[BackendKind] = &[
    BackendKind::Sled,
    #[cfg(feature = "store-redb")]
    BackendKind::Redb,
];

pub(crate) fn options(backend: BackendKind) -> Options {
    Options { backend, ..Options::default() }
}

pub(crate) fn open(dir: &Path, backend: BackendKind) -> Store {
    Store::open(dir, options(backend)).unwrap()
}

pub(crate) fn try_open(dir: &Path) -> Result<Store, OpenError> {
    Store::open(dir, Options::default())
}

/// Runs a claim against every database and against memory.
pub(crate) fn for_each_store(claim: impl Fn(&Store)) {
    claim(&Store::in_memory());
    for_each_database(|_, store| claim(&store));
}

/// Runs a claim against every database.
pub(crate) fn for_each_database(claim: impl Fn(&TempDir, Store)) {
    for &backend in BACKENDS {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path(), backend);
        claim(&dir, store);
    }
}

pub(crate) fn session(number: u32) -> SessionId {
    SessionId(Uuid::from_u128(u128::from(number) + 1))
}

/// From this number on, sessions of the crash tests are ended ones.
pub(crate) const FIRST_ENDED: u32 = 1_000;

/// A session that can be continued from any event.
#[derive(Clone)]
pub(crate) struct Chain {
    pub(crate) number: u32,
    pub(crate) cursor: EventId,
    prev_hash: Hash,
}

impl Chain {
    pub(crate) fn new(number: u32) -> Self {
        Self { number, cursor: EventId::ZERO, prev_hash: Hash::NONE }
    }

    pub(crate) fn id(&self) -> SessionId {
        session(self.number)
    }

    /// The line of the next event.
    pub(crate) fn line(&mut self) -> Vec<u8> {
        self.cursor = self.cursor.next();
        let text = "vosim ".repeat(filler(self.number, self.cursor));
        let blob = blob_of(self.number, self.cursor).map(|blob| blob.reference());
        let record = EventRecord {
            session_id: self.id(),
            event_id: self.cursor,
            timestamp: Time::from_micros(self.cursor.0.cast_signed()),
            actor: Actor::Candidate,
            event_type: "NOTED".to_owned(),
            payload: serde_json::json!({ "text": text, "blob": blob }),
            v: 1,
            command_id: None,
            command_hash: None,
            prev_hash: self.prev_hash,
        };
        let (line, hash) = record.seal();
        self.prev_hash = hash;
        line
    }

    /// The next events as the store wants them.
    pub(crate) fn append(&mut self, events: u64) -> Append {
        let expected = self.cursor;
        let mut blobs = Vec::new();
        let lines = (0..events)
            .map(|_| {
                let line = self.line();
                blobs.extend(blob_of(self.number, self.cursor));
                line
            })
            .collect();
        Append {
            session: self.id(),
            expected,
            lines,
            head: self.head(),
            blobs,
            settings: Vec::new(),
        }
    }

    pub(crate) fn head(&self) -> Head {
        head(self.number, self.cursor)
    }
}

/// The head of a session of ours at some event.
pub(crate) fn head(number: u32, cursor: EventId) -> Head {
    Head {
        session_id: session(number),
        kind: Kind::Drill,
        phase: "working".to_owned(),
        ended: false,
        cursor,
        next_deadline: None,
        wants_waking: false,
        title: format!("Session {number}"),
        started: Time::from_micros(1),
        last: Time::from_micros(cursor.0.cast_signed()),
        spec: spec().reference().hash,
        finished: None,
        standing: None,
    }
}

/// What the engine would make of the lines of a session.
pub(crate) fn fold(session: SessionId, lines: &[Vec<u8>]) -> Option<Head> {
    let number = u32::try_from(session.0.as_u128() - 1).unwrap();
    let last = EventRecord::from_bytes(lines.last()?).unwrap();
    Some(Head { ended: true, ..head(number, last.event_id) })
}

pub(crate) fn spec() -> Blob {
    Blob(b"{\"spec\":1}".to_vec())
}

/// Every seventh event brings a small blob, and in odd sessions every hundredth a file.
pub(crate) fn blob_of(number: u32, id: EventId) -> Option<Blob> {
    let text = format!("{number} {id} ");
    if !number.is_multiple_of(2) && id.0.is_multiple_of(101) {
        Some(Blob(text.repeat(60 * 1024 / text.len()).into_bytes()))
    } else if id.0.is_multiple_of(7) {
        Some(Blob(text.repeat(150).into_bytes()))
    } else {
        None
    }
}

/// Most events are small; one in fifty fills most of what a record may hold.
fn filler(number: u32, id: EventId) -> usize {
    let mixed = u64::from(number).wrapping_mul(31).wrapping_add(id.0).wrapping_mul(0x9E37_79B9);
    if id.0.is_multiple_of(50) { 8_000 } else { usize::try_from(mixed % 60).unwrap() }
}

pub(crate) fn read_all(store: &Store, number: u32) -> Vec<Vec<u8>> {
    store.read(session(number), EventId::ZERO, usize::MAX, usize::MAX).unwrap()
}

/// An ended session of so many events.
pub(crate) fn ended(store: &Store, number: u32, events: u64) -> Chain {
    let mut chain = Chain::new(number);
    let mut append = chain.append(events);
    append.head.ended = true;
    append.blobs.push(spec());
    store.append_blocking(append).unwrap();
    chain
}

/// Says what is wrong with a store that should hold at least the acknowledged events.
pub(crate) fn check_acknowledged(store: &Store, acked: &BTreeMap<u32, u64>) -> Result<(), String> {
    for (&number, &acked) in acked {
        let wrong = |what: String| format!("session {number}, {acked} acknowledged: {what}");
        let lines = store
            .read(session(number), EventId::ZERO, usize::MAX, usize::MAX)
            .map_err(|error| wrong(error.to_string()))?;
        if (lines.len() as u64) < acked {
            return Err(wrong(format!("{} are left", lines.len())));
        }
        let mut chain = Chain::new(number);
        for line in &lines {
            if chain.line() != *line {
                return Err(wrong(format!("event {} is another", chain.cursor)));
            }
            if let Some(blob) = blob_of(number, chain.cursor) {
                let bytes = store.blob(Hash::of(&blob.0)).map_err(|e| wrong(e.to_string()))?;
                if bytes != blob.0 {
                    return Err(wrong(format!("the blob of event {} is another", chain.cursor)));
                }
            }
        }
        let head = store.head(session(number)).map_err(|error| wrong(error.to_string()))?;
        let expected = Head { ended: number >= FIRST_ENDED, ..chain.head() };
        if head != Some(expected) {
            return Err(wrong(format!("the head is {head:?}")));
        }
    }
    Ok(())
}

/// The hash of every file of a store.
pub(crate) fn hashes(dir: &Path) -> BTreeMap<PathBuf, Hash> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if let Ok(target) = fs::read_link(&path) {
            found.insert(path, Hash::of(target.to_str().unwrap().as_bytes()));
        } else if path.is_dir() {
            found.extend(hashes(&path));
        } else {
            found.insert(path.clone(), Hash::of(&fs::read(&path).unwrap()));
        }
    }
    found
}

pub(crate) fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// How often to do something: in `make test`, in `make soak`.
pub(crate) fn rounds(test: u32, soak: u32) -> u32 {
    if std::env::var("VOSIM_SOAK").is_ok_and(|soak| soak == "1") { soak } else { test }
}

/// Numbers that look random and follow from a seed.
pub(crate) struct Random(u64);

impl Random {
    /// Starts from `SEED` if that is set, and prints the seed, so that a failure can be repeated.
    pub(crate) fn seeded(what: &str) -> Self {
        let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
        let seed: u64 = seed.unwrap_or_else(|| Uuid::new_v4().as_u64_pair().1);
        println!("{what}: SEED={seed}");
        Self(seed)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }
}
