//! One file gets one verdict: what could differ between two runs of it does not.

use super::pool::{filled, warm};
use super::*;

/// What a call returns, three times with a fresh driver and once with one that has waited.
fn returned(language: Language, code: &str) -> Vec<String> {
    let waiting = filled(language);
    let run = |evaluator: &Evaluator| {
        let suite = serde_json::json!({ "cases": [
            { "name": "own", "ops": [["LRUCache", [1]], ["get", [1]], ["get", [2]]] },
        ] });
        let suite: Suite = serde_json::from_value(suite).unwrap();
        let problem = problem();
        let file_path = "a.py";
        let submission = Submission {
            problem: &problem,
            suite: &suite,
            code: code.as_bytes(),
            file_path,
            language,
        };
        let evaluation =
            evaluator.evaluate(&submission, &Cancel::new().unwrap(), &mut |_, _| ()).unwrap();
        assert_eq!(ends(&evaluation), ["passed"], "{code}");
        evaluation.cases[0].returned.clone().unwrap()
    };
    let cold = warm();
    let mut all: Vec<_> = (0..3).map(|_| run(&evaluator())).collect();
    all.extend([run(&cold), run(&waiting)]);
    all
}

#[test]
fn in_python_chance_time_and_names_are_the_same_in_every_run() {
    let looked_at = [
        "random.random(), random.Random().random(), random.SystemRandom().random()",
        "os.urandom(8), uuid.uuid4(), uuid.uuid1(), secrets.token_hex()",
        "time.time(), time.time_ns(), time.monotonic(), time.perf_counter_ns(), time.process_time()",
        "datetime.datetime.now(), datetime.datetime.utcnow(), datetime.date.today(), time.ctime()",
        "list({'a', 'bc', 'def', 'g', 'hi'}), hash('text'), hash(b'bytes'), hash(None)",
        "os.getpid(), os.getppid(), sorted(os.environ.items()), os.getcwd(), next(tempfile._get_candidate_names())",
        "os.times(), os.getloadavg(), resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)",
        "[os.path.sameopenfile(a, b) for a in os.pipe() for b in os.pipe()], [os.fstat(fd).st_ino for fd in os.pipe()]",
        "[os.stat('.'), os.stat('/tmp'), os.lstat('/tmp'), os.fstat(0), os.fstat(1), os.fstat(2)]",
        "os.stat('.').st_mtime_ns, os.fstat(1).st_ctime_ns, os.path.getmtime('/tmp'), own_file()",
        "os.sysconf('SC_AVPHYS_PAGES'), os.sysconf('SC_PAGE_SIZE')",
        "threading.get_ident() > 0, sys.argv, sys.path, locale.setlocale(locale.LC_ALL, '')",
    ]
    .join(",\n        ");
    let code = format!(
        "import datetime, locale, os, random, resource, secrets, shutil, sys, tempfile, threading, time, uuid
def own_file():
    try:
        for name in 'ab': open('/tmp/' + name, 'w').write(name)
        shutil.copy('/tmp/a', '/tmp/b')
        return [os.stat('/tmp/' + name) for name in 'ab'], os.path.samefile('/tmp/a', '/tmp/b')
    except OSError as error: return repr(error)
class LRUCache:
    def __init__(self, capacity): pass
    def get(self, key): return repr([
        {looked_at}
    ])
    def put(self, key, value): pass
"
    );
    let all = returned(Language::Python, &code);
    assert!(all.iter().all(|one| *one == all[0]), "{all:#?}");
}

#[test]
fn in_python_a_module_that_was_read_ahead_gives_the_same_chance_wherever_it_is_imported() {
    let code = "import datetime
class LRUCache:
    def __init__(self, capacity): pass
    def get(self, key):
        import random, uuid
        return [random.random(), random.Random().choice(range(99)), uuid.uuid4().int % 97,
                datetime.datetime.now().microsecond]
    def put(self, key, value): pass
";
    let all = returned(Language::Python, code);
    assert!(all.iter().all(|one| *one == all[0]), "{all:#?}");
}

/// What replaces a clock is kept in classes as the clock is: `logging.Formatter` keeps `time.localtime`.
#[test]
fn in_python_a_clock_that_a_class_keeps_is_no_method_of_it() {
    let code = "import copy, logging, os, time
class LRUCache:
    secs, steady, cpu, at = time.time, time.monotonic, time.process_time, time.clock_gettime
    copied = copy.copy(time.time)
    local, text, shown, nap, drawn = time.localtime, time.strftime, time.ctime, time.sleep, os.getrandom
    def __init__(self, capacity): pass
    def get(self, key):
        self.nap(0)
        line = logging.Formatter('%(asctime)s').format(logging.makeLogRecord({}))
        return repr([self.secs(), self.copied(), self.steady(), self.cpu(), self.at(1), self.local(), self.local(0),
                     self.text('%H'), self.shown(), self.drawn(4), line])
    def put(self, key, value): pass
";
    let all = returned(Language::Python, code);
    assert!(all.iter().all(|one| *one == all[0]), "{all:#?}");
}

#[test]
fn in_python_objects_lie_at_the_same_addresses() {
    let code = "
class Node: pass
class LRUCache:
    def __init__(self, capacity): self.nodes = []
    def get(self, key):
        self.nodes += [Node() for _ in range(100)]
        return [id(one) for one in (self, object(), bytearray(2000), *set(self.nodes))]
    def put(self, key, value): pass
";
    let all = returned(Language::Python, code);
    assert!(all.iter().all(|one| *one == all[0]), "{all:#?}");
}

#[test]
fn in_javascript_chance_and_time_are_the_same_in_every_run() {
    if !javascript::can_run() {
        return;
    }
    let looked_at = [
        "Math.random(), Math.random()",
        "Date.now(), new Date().toISOString(), Date(), performance.now(), process.hrtime()",
        "require('crypto').randomUUID(), require('node:crypto').randomBytes(4).toString('hex')",
        "require('crypto').randomInt(1e6), process.pid, process.ppid, process.cwd(), process.argv",
        "process.uptime(), require('perf_hooks').performance.timeOrigin, Object.keys(process.env)",
        "process.cpuUsage(), process.cpuUsage({ user: 5, system: 0 }), process.resourceUsage()",
        "require('os').uptime(), require('node:os').loadavg(), require('os').freemem()",
        "new Intl.DateTimeFormat('en', { fractionalSecondDigits: 3 }).format()",
        "performance.mark('x').startTime, performance.mark('y', { startTime: 3 }).startTime",
        "performance.measure('m').duration, performance.measure('m', 'x').duration",
        "performance.measure('m', 'x', 'y').duration, performance.measure('m', { start: 1, end: 3 }).duration",
        "performance.measure('m', { duration: 2, end: 3 }).startTime, performance.nodeTiming, performance.toJSON()",
        "performance.eventLoopUtilization(), new Event('x').timeStamp, process.report, process.memoryUsage()",
        "typeof File === 'function' ? [new File(['x'], 'y').lastModified, new File([], 'z', { lastModified: 4 }).lastModified] : 0",
        "new (require('buffer').File ?? Object)(['x'], 'y').lastModified, process.memoryUsage.rss()",
        "new (require('perf_hooks').PerformanceMark)('p').startTime, deltas()",
        "vm.runInNewContext('[Date.now(), new Date(), Math.random()]'), new vm.Script('Date.now()').runInNewContext()",
        "vm.runInContext('Date()', vm.createContext({ a: 1 })), vm.runInNewContext('a + 1', { a: 1 })",
        "[0, 1, 2].map((fd) => fs.fstatSync(fd)), fs.statSync('/tmp'), fs.lstatSync('/tmp', { bigint: true }).mtimeNs + ''",
        "fs.statSync('/absent', { throwIfNoEntry: false }) ?? 0",
        "class D extends Date {}, new Date(5).getTime(), new Date() instanceof Date, Date.length",
    ]
    .join(",\n    ");
    let code = format!(
        "function deltas() {{
  const histogram = require('perf_hooks').createHistogram();
  for (let i = 0; i < 3; i++) histogram.recordDelta();
  return [histogram.count, histogram.min, histogram.max];
}}
class LRUCache {{
  constructor(capacity) {{}}
  get(key) {{ const fs = require('fs'), vm = require('vm'); return JSON.stringify([
    {looked_at}
  ]); }}
  put(key, value) {{}}
}}"
    );
    let all = returned(Language::Javascript, &code);
    assert!(all.iter().all(|one| *one == all[0]), "{all:#?}");
}

#[test]
fn in_javascript_what_is_fixed_is_otherwise_as_it_was() {
    if !javascript::can_run() {
        return;
    }
    let code = "const crypto = require('crypto'), vm = require('vm'), { PerformanceMark } = require('perf_hooks');
const refused = (call) => { try { call(); return false; } catch (error) { return error.code ?? error.name; } };
class Own extends File { constructor() { super(['ab'], 'own'); } }
const wrong = [];
const is = (what, holds) => { if (!holds) wrong.push(what); };
class LRUCache {
  constructor(capacity) {}
  get(key) {
    is('offset', crypto.randomFillSync(Buffer.alloc(8), 4).subarray(0, 4).every((byte) => byte === 0));
    is('size', crypto.randomFillSync(Buffer.alloc(8), 0, 4).subarray(4).every((byte) => byte === 0));
    is('units', crypto.randomFillSync(new Uint32Array(4), 2)[1] === 0);
    is('buffer', new Uint8Array(crypto.randomFillSync(new ArrayBuffer(64))).some((byte) => byte !== 0));
    for (const args of [[5, 5], [7, 3], ['x'], [0], [1.5], [0, 2 ** 50]]) {
      is('int ' + args, refused(() => crypto.randomInt(...args)));
    }
    for (const size of [-1, '4', 2 ** 31]) is('bytes ' + size, refused(() => crypto.randomBytes(size)));
    is('uuid', refused(() => crypto.randomUUID(5)));
    is('values', refused(() => crypto.getRandomValues(new Float64Array(2))));
    is('range', crypto.randomInt(3) < 3 && crypto.randomInt(4, 6) >= 4);
    is('clock', vm.runInNewContext('Date.now()', { Date: { now() { return 5; } } }) === 5);
    is('none', vm.runInNewContext('typeof Date', { Date: undefined }) === 'undefined');
    is('options', refused(() => vm.runInNewContext('eval(\"1\")', {}, { contextCodeGeneration: { strings: false } })));
    is('mark', performance.mark('a') instanceof PerformanceMark && new PerformanceMark('b').constructor === PerformanceMark);
    is('no name', refused(() => performance.mark()) && refused(() => new PerformanceMark()));
    is('mixed', refused(() => performance.measure('m', { start: 1 }, 'a')));
    is('event', new CustomEvent('x') instanceof Event && new Event('x').constructor === Event);
    const before = performance.now(), event = new Event('x'), after = performance.now();
    is('between', before <= event.timeStamp && event.timeStamp <= after);
    is('file', new Own() instanceof File && new Own() instanceof Own && new Own().size === 2);
    is('no file', refused(() => new File()) && refused(() => new File(['a'], 'n', 3)) && File.length === 2);
    is('undefined', new File([], 'a', { lastModified: undefined }).lastModified > 1.7e12);
    return wrong.join(', ');
  }
  put(key, value) {}
}";
    let all = returned(Language::Javascript, code);
    assert!(all.iter().all(|one| one.contains("''") || one.contains("\"\"")), "{all:#?}");
}

#[test]
fn in_javascript_what_is_fixed_can_be_imported_by_its_name() {
    if !javascript::can_run() {
        return;
    }
    let code = "import { randomUUID, randomInt } from 'node:crypto';
import { File } from 'buffer';
import { performance, PerformanceMark } from 'perf_hooks';
import { freemem } from 'os';
import { statSync } from 'fs';
import { stat } from 'fs/promises';
const early = await stat('/tmp');
export class LRUCache {
  constructor(capacity) {}
  get(key) {
    return JSON.stringify([randomUUID(), randomInt(1e6), typeof File, performance.now(),
      new PerformanceMark('x').startTime, freemem(), statSync('/tmp'), early]);
  }
  put(key, value) {}
}";
    let all = returned(Language::Javascript, code);
    assert!(all.iter().all(|one| *one == all[0]), "{all:#?}");
}

#[test]
fn who_waits_for_a_time_gets_there() {
    for wait in [
        "time.sleep(0.01); begun + 0.01 <= time.time() < begun + 1 or 1 / 0",
        "while time.perf_counter() < later: pass",
        "while time.process_time() < later: pass",
        "queue.Queue().get(timeout=0.01)",
        "threading.Event().wait(0.01)",
        "asyncio.run(asyncio.sleep(0.01))",
        "asyncio.run(asyncio.wait_for(asyncio.Event().wait(), 0.01))",
    ] {
        let code = changed(
            "        self.entries.pop(key, None)",
            &format!(
                "        import asyncio, queue, threading, time
        begun, later = time.time(), time.perf_counter() + 0.01
        try:
            {wait}
        except (queue.Empty, TimeoutError): pass
        self.entries.pop(key, None)"
            ),
        );
        let evaluator = evaluator_within(Limits::submission());
        let evaluation = evaluator.judged(&code);
        assert_eq!(ends(&evaluation), ["passed"; 4], "{wait}");
        // A clock that follows its own readings lags behind the real one by two seconds at most.
        assert!(evaluation.runtime_ms < 9_000, "{wait}: {} ms", evaluation.runtime_ms);
    }
}
