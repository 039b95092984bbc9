//! The process that is killed, stopped or cut off: it writes and says what has been acknowledged.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use vosim_protocol::ids::EventId;
use vosim_store::{BackendKind, Durability, Options, Store};

use crate::support::{Chain, FIRST_ENDED, Random, ended, session};

const DIR: &str = "VOSIM_STORE_WRITER_DIR";
const REDB: &str = "VOSIM_STORE_WRITER_REDB";
const KEEP_HOUSE: &str = "VOSIM_STORE_WRITER_KEEPS_HOUSE";
const UNSAFE: &str = "VOSIM_STORE_WRITER_UNSAFE";
/// Sessions (of even numbers), each with a thread of its own, so that commits are shared.
const SESSIONS: u32 = 8;
const ACK_BYTES: usize = 12;

/// What a writer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Appends, and nothing that would sync any other file: one sync may carry another's data
    /// along.
    Append,
    /// Archives, prunes, deletes and compacts meanwhile.
    AppendAndKeepHouse,
}

/// A writer and its acknowledgements.
pub(crate) struct Writer {
    pub(crate) child: Child,
    acks: UnixStream,
    partial: Vec<u8>,
}

impl Writer {
    /// Starts this test binary again as a writer on `dir`.
    pub(crate) fn start(
        dir: &Path,
        backend: BackendKind,
        durability: Durability,
        work: Work,
    ) -> Self {
        let (acks, theirs) = UnixStream::pair().unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "writer::writes_when_started_as_a_writer", "--nocapture"])
            .env(DIR, dir)
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null());
        if backend == BackendKind::Redb {
            command.env(REDB, "1");
        }
        if work == Work::AppendAndKeepHouse {
            command.env(KEEP_HOUSE, "1");
        }
        if durability == Durability::Unsafe {
            command.env(UNSAFE, "1");
        }
        Self { child: command.spawn().unwrap(), acks, partial: Vec::new() }
    }

    /// Waits for so many more acknowledgements.
    pub(crate) fn wait_for(&mut self, acks: u64, acked: &mut BTreeMap<u32, u64>) {
        for _ in 0..acks {
            let mut ack = [0; ACK_BYTES];
            self.acks.read_exact(&mut ack).expect("the writer goes on until it is stopped");
            note(&ack, acked);
        }
    }

    /// Reads what a writer that was stopped or killed has acknowledged up to now.
    pub(crate) fn drain(&mut self, acked: &mut BTreeMap<u32, u64>) {
        self.acks.set_nonblocking(true).unwrap();
        let mut buffer = [0; 64 * 1024];
        loop {
            match self.acks.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => self.partial.extend_from_slice(&buffer[..read]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
                Err(error) => panic!("reading acknowledgements: {error}"),
            }
        }
        let (whole, _) = self.partial.as_chunks::<ACK_BYTES>();
        whole.iter().for_each(|ack| note(ack, acked));
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // The writer may have been killed already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn note(ack: &[u8; ACK_BYTES], acked: &mut BTreeMap<u32, u64>) {
    let (number, id) = ack.split_at(4);
    let id = u64::from_be_bytes(id.try_into().unwrap());
    let last = acked.entry(u32::from_be_bytes(number.try_into().unwrap())).or_default();
    *last = id.max(*last);
}

/// Does nothing unless [`Writer::start`] has started it.
#[test]
fn writes_when_started_as_a_writer() {
    let Some(dir) = std::env::var_os(DIR) else { return };
    let given = |name| std::env::var_os(name).is_some();
    let options = Options {
        backend: if given(REDB) { BackendKind::Redb } else { BackendKind::Sled },
        durability: if given(UNSAFE) { Durability::Unsafe } else { Durability::Disk },
        ..Options::default()
    };
    let store = Store::open(Path::new(&dir), options).unwrap();
    let stdin = std::io::stdin().as_fd().try_clone_to_owned().unwrap();
    let acks = Arc::new(Mutex::new(UnixStream::from(stdin)));
    let mut threads: Vec<_> = (0..SESSIONS)
        .map(|number| {
            let (store, acks) = (store.clone(), Arc::clone(&acks));
            thread::spawn(move || write(&store, 2 * number, &acks))
        })
        .collect();
    if given(KEEP_HOUSE) {
        threads.push(thread::spawn(move || keep_house(&store, &acks)));
    }
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

/// Appends to one session until nobody listens any more.
fn write(store: &Store, number: u32, acks: &Mutex<UnixStream>) {
    let cursor = store.head(session(number)).unwrap().map_or(EventId::ZERO, |head| head.cursor);
    let mut chain = Chain::new(number);
    while chain.cursor < cursor {
        chain.line();
    }
    loop {
        let events = 1 + chain.cursor.0 % 3;
        store.append_blocking(chain.append(events)).unwrap();
        if acknowledge(acks, &chain).is_err() {
            return;
        }
    }
}

/// Lets crashes hit everything else that the store does.
fn keep_house(store: &Store, acks: &Mutex<UnixStream>) {
    // A new number for every session of every process: deleted ids stay taken.
    let room = u64::from(u32::MAX - FIRST_ENDED) / 2;
    let first = FIRST_ENDED + u32::try_from(Random::seeded("keeping house").below(room)).unwrap();
    for number in first.. {
        let chain = ended(store, number, 1 + u64::from(number % 120));
        store.archive(session(number)).unwrap();
        store.prune(session(number)).unwrap();
        if number.is_multiple_of(2) {
            store.delete(session(number)).unwrap();
        } else if acknowledge(acks, &chain).is_err() {
            return;
        }
        if number.is_multiple_of(10) {
            store.compact().unwrap();
        }
    }
}

fn acknowledge(acks: &Mutex<UnixStream>, chain: &Chain) -> std::io::Result<()> {
    let ack = [&chain.number.to_be_bytes()[..], &chain.cursor.0.to_be_bytes()].concat();
    acks.lock().unwrap().write_all(&ack)
}
