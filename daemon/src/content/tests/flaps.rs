//! One file, one verdict: programs that depend on order, identity, time or chance, that print much
//! or are slow, are judged again and again, half of the time beside busy cores.

use std::sync::atomic::{AtomicBool, Ordering};

use vosim_engine::parts::verdict;
use vosim_protocol::v1::problem::{Language, Suite};
use vosim_sandbox_spec::Limits;

use super::judged::{evaluator, has_node};
use crate::content::{Package, find};
use crate::evaluator::{Cancel, Evaluator, Submission};

/// How often each program is judged, in a long round and otherwise.
const TIMES_IN_SOAK: usize = 20;
const TIMES: usize = 4;
/// Of the programs below, every so many is judged in a short round.
const EACH: usize = 5;

/// A cache of nodes that drops whatever `VICTIM` says.
const PYTHON: &str = "
import datetime, gc, hashlib, itertools, logging, os, queue, random, secrets, sys, threading, time, uuid, warnings, weakref
random_of_its_own = random.Random()
born = time.time()
class Node:
    def __init__(self, key, value): self.key, self.value, self.used = key, value, STAMP
class LRUCache:
    def __init__(self, capacity): self.capacity, self.nodes = capacity, {}
    def get(self, key):
        SAY
        if key not in self.nodes: return -1
        self.nodes[key].used = STAMP
        return self.nodes[key].value
    def put(self, key, value):
        SAY
        if key in self.nodes:
            self.nodes[key].value, self.nodes[key].used = value, STAMP
            return
        if len(self.nodes) >= self.capacity:
            nodes = self.nodes
            del nodes[VICTIM]
        self.nodes[key] = Node(key, value)
";

/// What is dropped: by the order of a set, by identity, by chance.
const VICTIMS: [&str; 16] = [
    "int(next(iter({str(key) for key in nodes})))",
    "min(nodes, key=lambda key: hash(str(key)))",
    "min(nodes, key=lambda key: hash((str(key), 'x')))",
    "int(list(frozenset(map(str, nodes)))[-1])",
    "int(({str(key) for key in nodes} | {'a', 'b'}).difference({'a', 'b'}).pop())",
    "next(iter(set(nodes.values()))).key",
    "min(nodes.values(), key=id).key",
    "max(nodes.values(), key=hash).key",
    "min(nodes, key=lambda key: repr(nodes[key]))",
    "random.choice(list(nodes))",
    "random_of_its_own.choice(list(nodes))",
    "random.SystemRandom().choice(list(nodes))",
    "secrets.choice(list(nodes))",
    "list(nodes)[os.urandom(1)[0] % len(nodes)]",
    "min(nodes, key=lambda key: uuid.uuid4().hex)",
    "list(nodes)[hash(object()) // 16 % len(nodes)]",
];

/// When a node was used, as a clock or a counter says.
const STAMPS: [&str; 12] = [
    "time.time()",
    "time.monotonic()",
    "time.perf_counter_ns()",
    "time.process_time()",
    "time.thread_time_ns()",
    "time.clock_gettime(time.CLOCK_REALTIME)",
    "datetime.datetime.now()",
    "datetime.datetime.now(datetime.timezone.utc)",
    "int(time.time() * 1000)",
    "round(time.perf_counter(), 4)",
    "time.strftime('%H:%M:%S')",
    "(time.time() - born) // 0.00001",
];

/// What is done beside the work: noise, waiting, loose ends.
const SAYINGS: [&str; 12] = [
    "print('called', key)",
    "print('called', key, file=sys.stderr, flush=True)",
    "for other in list(self.nodes)[:20]: print(other, '->', self.nodes[other].value)",
    "sys.stdout.write('x' * 200)",
    "os.write(1, b'called ')",
    "logging.getLogger().warning('called %s', key)",
    "warnings.warn('called')",
    "time.sleep(0.00002)",
    "if time.perf_counter() - born > 1e9: return 7",
    "if time.time() - born > 0.004: return 7",
    "gc.collect(0)",
    "thread = threading.Thread(target=int); thread.start(); thread.join()",
];

const JAVASCRIPT: &str = "
class LRUCache {
  constructor(capacity) { this.capacity = capacity; this.nodes = new Map(); }
  get(key) {
    SAY;
    const node = this.nodes.get(key);
    if (node === undefined) return -1;
    node.used = STAMP;
    return node.value;
  }
  put(key, value) {
    SAY;
    if (!this.nodes.has(key) && this.nodes.size >= this.capacity) {
      const keys = [...this.nodes.keys()];
      this.nodes.delete(VICTIM);
    }
    this.nodes.set(key, { value, used: STAMP });
  }
}
module.exports = { LRUCache };
";

const OLDEST_IN_PYTHON: &str = "min(nodes, key=lambda key: nodes[key].used)";
const OLDEST_IN_JAVASCRIPT: &str =
    "keys.reduce((a, b) => (this.nodes.get(b).used < this.nodes.get(a).used ? b : a))";

const IN_JAVASCRIPT: [(&str, &str, &str); 12] = [
    ("keys[Math.floor(Math.random() * keys.length)]", "0", "0"),
    ("keys[require('crypto').randomInt(keys.length)]", "0", "0"),
    ("keys[crypto.getRandomValues(new Uint8Array(1))[0] % keys.length]", "0", "0"),
    (OLDEST_IN_JAVASCRIPT, "Date.now()", "0"),
    (OLDEST_IN_JAVASCRIPT, "new Date().getTime()", "0"),
    (OLDEST_IN_JAVASCRIPT, "performance.now()", "0"),
    (OLDEST_IN_JAVASCRIPT, "process.hrtime()[1]", "0"),
    (OLDEST_IN_JAVASCRIPT, "process.hrtime.bigint()", "console.log('called', key)"),
    (OLDEST_IN_JAVASCRIPT, "performance.now()", "console.error('x'.repeat(300))"),
    (OLDEST_IN_JAVASCRIPT, "performance.now()", "if (performance.now() > 4) return 7"),
    ("[...new Set(keys.map(String))].map(Number).sort()[0]", "0", "0"),
    (OLDEST_IN_JAVASCRIPT, "process.uptime()", "new WeakRef({}); globalThis.gc?.()"),
];

/// Fifty programs and two.
fn programs() -> Vec<(Language, String)> {
    let python = |victim: &str, stamp: &str, say: &str| {
        let code = PYTHON.replace("VICTIM", victim).replace("STAMP", stamp).replace("SAY", say);
        (Language::Python, code)
    };
    let mut all = Vec::new();
    all.extend(VICTIMS.map(|victim| python(victim, "0", "pass")));
    all.extend(STAMPS.map(|stamp| python(OLDEST_IN_PYTHON, stamp, "pass")));
    all.extend(SAYINGS.map(|say| python(OLDEST_IN_PYTHON, "time.perf_counter_ns()", say)));
    all.extend(IN_JAVASCRIPT.map(|(victim, stamp, say)| {
        let code = JAVASCRIPT.replace("VICTIM", victim);
        (Language::Javascript, code.replace("STAMP", stamp).replace("SAY", say))
    }));
    assert!(all.len() >= 50);
    all
}

/// How each case ended, in the words of its outcome.
fn verdict(
    evaluator: &Evaluator,
    package: &Package,
    suite: &Suite,
    (language, code): (Language, &[u8]),
) -> String {
    let submission =
        Submission { problem: &package.problem, suite, code, file_path: "a.txt", language };
    let evaluation = evaluator.evaluate(&submission, &Cancel::new().unwrap(), &mut |_, _| ());
    let evaluation = evaluation.unwrap();
    let verdict = verdict::classify(&evaluation);
    format!("{} {:?} {:?}", verdict.failure_type, verdict.detail, verdict.failing_tests)
}

#[test]
fn one_file_gets_one_verdict_however_often_and_however_busy_the_machine_is() {
    let soak = std::env::var_os("VOSIM_SOAK").is_some();
    let package = find("lru_cache").unwrap();
    let suite = package.suite();
    // The first of each language is judged cold, and the next as the pool has it.
    let evaluator = evaluator(Limits::submission()).keep_warm(2);
    let node = has_node(&evaluator);
    let mut all = programs();
    if soak {
        let programs = package.programs.iter().map(|program| {
            (program.language, String::from_utf8_lossy(&program.source).into_owned())
        });
        all.extend(programs);
    }
    let (every, times) = if soak { (1, TIMES_IN_SOAK) } else { (EACH, TIMES) };
    let mut flapping = Vec::new();
    for (language, code) in all.iter().step_by(every) {
        if *language == Language::Javascript && !node {
            continue;
        }
        let judged = |_| verdict(&evaluator, &package, &suite, (*language, code.as_bytes()));
        let mut verdicts: Vec<_> = (0..times / 2).map(judged).collect();
        verdicts.extend(beside_busy_cores(|| (0..times / 2).map(judged).collect::<Vec<_>>()));
        if verdicts.iter().any(|verdict| *verdict != verdicts[0]) {
            flapping.push(format!("{verdicts:#?}\n{code}"));
        }
    }
    assert!(flapping.is_empty(), "{} programs: {}", flapping.len(), flapping.join("\n"));
}

/// Has every core compute something else meanwhile.
fn beside_busy_cores<T>(work: impl FnOnce() -> T) -> T {
    let ended = AtomicBool::new(false);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while !ended.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        // Also where the work panics.
        let _end = End(&ended);
        work()
    })
}

/// Ends what is computed beside.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
