//! What durability costs: a plain `fdatasync` append against an append through the store, in one
//! interleaved run on one disk; then the committer with many writers; then the idle memory.
//!
//! `cargo run --release -p vosim-store --example bench_append [DIR]`

use std::error::Error;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use uuid::Uuid;
use vosim_protocol::ids::{EventId, Hash, Kind, SessionId};
use vosim_protocol::record::Head;
use vosim_protocol::time::Time;
use vosim_store::{Append, BackendKind, Options, Store, StoreError};

const ROUNDS: usize = 2_000;
const WARM_UP: usize = 200;
const WRITERS: u32 = 64;
const EVENTS_PER_WRITER: u64 = 400;
const RECORD_BYTES: usize = 250;

type Outcome = Result<(), Box<dyn Error>>;

#[expect(clippy::print_stdout, reason = "a bench prints what it measured")]
fn main() -> Outcome {
    let parent = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let dir = parent.join(format!("vosim-bench-{}", Uuid::new_v4().simple()));
    for &backend in BACKENDS {
        let dir = dir.join(backend.name());
        fs::create_dir_all(&dir)?;
        println!("{}", backend.name());
        let options = Options { backend, ..Options::default() };
        let begun = Instant::now();
        let store = Store::open(&dir.join("data"), options.clone())?;
        println!("  open, new store                {:>9.2} ms", millis(begun.elapsed()));
        println!("  idle, new store                {:>9.1} MiB resident", resident_mib()?);
        ten_small_sessions(&store)?;
        println!("  idle, ten small sessions       {:>9.1} MiB resident", resident_mib()?);
        let begun = Instant::now();
        store.close();
        drop(store);
        println!("  close                          {:>9.2} ms", millis(begun.elapsed()));
        let begun = Instant::now();
        let store = Store::open(&dir.join("data"), options.clone())?;
        println!("  open, ten small sessions       {:>9.2} ms", millis(begun.elapsed()));
        one_by_one(&store, &dir)?;
        grouped(&store)?;
        println!("  after the run                  {:>9.1} MiB resident", resident_mib()?);
        let stats = store.stats()?;
        let disk = stats.database_bytes as f64 / stats.live_bytes as f64;
        println!("  on disk                        {disk:>9.1} times the live bytes");
        let begun = Instant::now();
        store.close();
        drop(store);
        println!("  close                          {:>9.2} ms", millis(begun.elapsed()));
        let begun = Instant::now();
        drop(Store::open(&dir.join("data"), options)?);
        println!("  open and close, filled store   {:>9.2} ms", millis(begun.elapsed()));
    }
    fs::remove_dir_all(dir)?;
    Ok(())
}

const BACKENDS: &[BackendKind] = &[
    BackendKind::Sled,
    #[cfg(feature = "store-redb")]
    BackendKind::Redb,
];

fn ten_small_sessions(store: &Store) -> Outcome {
    for number in 1_000..1_010 {
        for event in 0..30 {
            store.append_blocking(append(number, event, vec![b'x'; RECORD_BYTES]))?;
        }
    }
    Ok(())
}

/// Alternates between the floor and the store, so that both meet the same disk.
#[expect(clippy::print_stdout, reason = "a bench prints what it measured")]
fn one_by_one(store: &Store, dir: &Path) -> Outcome {
    let mut plain = File::create(dir.join("plain"))?;
    let (mut floor, mut ours) = (Vec::new(), Vec::new());
    for round in 0..WARM_UP + ROUNDS {
        let line = vec![b'x'; RECORD_BYTES];
        let begun = Instant::now();
        plain.write_all(&line)?;
        plain.sync_data()?;
        let plain_took = begun.elapsed();
        let append = append(0, round as u64, line);
        let begun = Instant::now();
        store.append_blocking(append)?;
        if round >= WARM_UP {
            floor.push(plain_took);
            ours.push(begun.elapsed());
        }
    }
    let (floor, ours) = (quantiles(floor), quantiles(ours));
    println!("  plain fdatasync append, p50    {:>9.3} ms (p99 {:.3})", floor.0, floor.1);
    println!("  durable store append, p50      {:>9.3} ms (p99 {:.3})", ours.0, ours.1);
    println!("  ratio                          {:>9.2}", ours.0 / floor.0);
    Ok(())
}

/// Many writers, each waiting for its own events.
#[expect(clippy::print_stdout, reason = "a bench prints what it measured")]
fn grouped(store: &Store) -> Outcome {
    let begun = Instant::now();
    let writers: Vec<_> = (1..=WRITERS)
        .map(|number| {
            let store = store.clone();
            thread::spawn(move || -> Result<Vec<Duration>, StoreError> {
                (0..EVENTS_PER_WRITER)
                    .map(|event| {
                        let begun = Instant::now();
                        store.append_blocking(append(number, event, vec![b'x'; RECORD_BYTES]))?;
                        Ok(begun.elapsed())
                    })
                    .collect()
            })
        })
        .collect();
    let mut took = Vec::new();
    for writer in writers {
        took.extend(writer.join().map_err(|_| "a writer panicked")??);
    }
    let rate = took.len() as f64 / begun.elapsed().as_secs_f64();
    let (p50, p99) = quantiles(took);
    println!(
        "  {WRITERS} writers                     {rate:>9.0} events/s (p50 {p50:.2} ms, p99 {p99:.2})"
    );
    Ok(())
}

fn append(number: u32, after: u64, line: Vec<u8>) -> Append {
    let session = SessionId(Uuid::from_u128(u128::from(number) << 64));
    let head = Head {
        session_id: session,
        kind: Kind::Drill,
        phase: "attempting".to_owned(),
        ended: false,
        cursor: EventId(after + 1),
        next_deadline: None,
        wants_waking: false,
        title: "LRU Cache".to_owned(),
        started: Time::from_micros(0),
        last: Time::from_micros(0),
        spec: Hash::NONE,
        finished: None,
        standing: None,
    };
    Append {
        session,
        expected: EventId(after),
        lines: vec![line],
        head,
        blobs: Vec::new(),
        settings: Vec::new(),
    }
}

fn quantiles(mut took: Vec<Duration>) -> (f64, f64) {
    took.sort_unstable();
    (millis(took[took.len() / 2]), millis(took[took.len() * 99 / 100]))
}

fn millis(took: Duration) -> f64 {
    took.as_secs_f64() * 1_000.0
}

/// Resident memory of this process, as the kernel counts it.
fn resident_mib() -> Result<f64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    let kib: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kib / 1_024.0)
}
