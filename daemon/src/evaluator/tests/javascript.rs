//! JavaScript: the same claims, and what only JavaScript can try.

use serde_json::json;
use vosim_needs::{Need, needs};
use vosim_protocol::v1::evaluation::{Detail, Evaluation, Load};
use vosim_protocol::v1::problem::{Interface, Language, Suite};

use super::{
    Cancel, Evaluator, Refusal, Submission, ToolPaths, ends, evaluator, judged_in, patient,
    problem, sandbox, suite, two_instances,
};

/// A right solution; what a test changes is put before or after it.
const RIGHT: &str = "
class LRUCache {
  constructor(capacity) {
    this.capacity = capacity; this.entries = new Map();
  }

  get(key) {
    if (!this.entries.has(key)) {
      return -1;
    }
    const value = this.entries.get(key);
    this.entries.delete(key); this.entries.set(key, value);
    return value;
  }

  put(key, value) {
    this.entries.delete(key); this.entries.set(key, value);
    if (this.entries.size > this.capacity) {
      this.entries.delete(this.entries.keys().next().value);
    }
  }
}
module.exports = { LRUCache };
";

const MISS: &str = "      return -1;";
const PUT: &str = "  put(key, value) {";

/// Whether there is a Node to try this with.
#[track_caller]
pub(super) fn can_run() -> bool {
    needs(Need::Node, evaluator().runtime(Language::Javascript)).is_some()
}

fn judged_as(file_path: &str, code: &str) -> Evaluation {
    judged_in(Language::Javascript, file_path, code.as_bytes(), &suite())
}

fn judged(code: &str) -> Evaluation {
    judged_as("solution.js", code)
}

fn changed(from: &str, to: &str) -> String {
    assert!(RIGHT.contains(from));
    RIGHT.replace(from, to)
}

/// With a line that runs at the beginning of every `put`.
fn on_put(line: &str) -> String {
    changed(PUT, &format!("{PUT}\n    {line}"))
}

/// With a line that runs where a key is not found.
fn on_miss(line: &str) -> String {
    changed(MISS, line)
}

#[test]
fn a_right_solution_passes_every_case() {
    if !can_run() {
        return;
    }
    let evaluation = judged(RIGHT);
    assert_eq!(evaluation.load, Load::Loaded);
    assert_eq!(ends(&evaluation), ["passed"; 4]);
    assert_eq!((evaluation.limit, evaluation.notes), (None, Vec::new()));
    let major: u32 = evaluation.runtime.split('.').next().unwrap().parse().unwrap();
    assert!(major >= 18, "{}", evaluation.runtime);
}

#[test]
fn every_usual_way_to_define_the_class_is_taken() {
    if !can_run() {
        return;
    }
    let bare = RIGHT.replace("module.exports = { LRUCache };\n", "");
    let prototype = "var LRUCache = function(capacity) { this.c = capacity; this.m = new Map() };
        LRUCache.prototype.get = function(key) {
            if (!this.m.has(key)) return -1;
            const v = this.m.get(key); this.m.delete(key); this.m.set(key, v); return v; };
        LRUCache.prototype.put = function(key, value) {
            this.m.delete(key); this.m.set(key, value);
            if (this.m.size > this.c) this.m.delete(this.m.keys().next().value); };";
    let fields = bare
        .replace("get(key) {", "get = (key) => {")
        .replace(PUT, "put = (...args) => {\n    const [key, value] = args;");
    let closure = "function LRUCache(capacity) { const m = new Map();
        return { get(key) { if (!m.has(key)) return -1; const v = m.get(key); m.delete(key); m.set(key, v); return v; },
          put: (key, value) => { m.delete(key); m.set(key, value); if (m.size > capacity) m.delete(m.keys().next().value); } } }";
    let ways = [
        bare.clone(),
        format!("\u{feff}#!/usr/bin/env node\r\n{}", bare.replace('\n', "\r\n")),
        format!("{bare}exports.LRUCache = LRUCache; // the end"),
        format!("{bare}module.exports = LRUCache"),
        bare.replace("class LRUCache", "const LRUCache = module.exports = class"),
        format!("'use strict';{bare}\nif (require.main === module) process.exit(3);"),
        prototype.to_owned(),
        fields,
        closure.to_owned(),
    ];
    for code in ways {
        let evaluation = judged(&code);
        assert_eq!(ends(&evaluation), ["passed"; 4], "{code}\n{:?}", evaluation.load);
    }
}

#[test]
fn es_modules_are_taken_too() {
    if !can_run() {
        return;
    }
    let bare = RIGHT.replace("module.exports = { LRUCache };\n", "");
    let head = "import assert, { equal } from 'node:assert';\nimport * as fs from 'fs';\n\
                assert(fs.readSync && equal); const one = await Promise.resolve(1);\n";
    for code in [
        bare.replace("class", "export class"),
        bare.replace("class", "export default class"),
        format!("{head}{bare}"),
        format!("{bare}\nexport {{ LRUCache }};"),
    ] {
        let evaluation = judged(&code);
        assert_eq!(ends(&evaluation), ["passed"; 4], "{code}\n{:?}", evaluation.load);
    }
    let raised = bare.replace("class", "export class").replace(MISS, "      return key.x.y;");
    let told = &ends(&judged_as("größe 1.mjs", &raised))[0];
    assert!(told.contains("(größe 1.mjs, line 9, in LRUCache.get)"), "{told}");
    let message = |code: &str| match judged(code).load {
        Load::ImportError { detail, message } => (detail, message),
        other => panic!("{other:?}"),
    };
    let (detail, told) = message("export class LRUCache {\n  get(key) {\n");
    assert_eq!((detail, told.contains("(solution.js, line 3)")), (Detail::Syntax, true), "{told}");
    assert!(message("import _ from 'lodash';\n").1.contains("Cannot find module 'lodash'"));
    assert!(message("export {};\nnull.x;\n").1.ends_with("(solution.js, line 2)"));
    assert!(
        message("export {};\nawait new Promise(() => 0);\n").1.contains("never comes to an end")
    );
}

#[test]
fn a_case_may_construct_the_class_again() {
    if !can_run() {
        return;
    }
    let judged =
        |code: &str| judged_in(Language::Javascript, "a.js", code.as_bytes(), &two_instances());
    assert_eq!(ends(&judged(RIGHT)), ["passed"]);
    let shared =
        changed("new Map()", "shared").replace("\nclass", "const shared = new Map();\nclass");
    assert_eq!(ends(&judged(&shared)), ["failed"]);
}

#[test]
fn a_wrong_answer_shows_the_call_that_differs_as_the_language_writes_it() {
    if !can_run() {
        return;
    }
    let evaluation = judged(&on_miss("      return;"));
    let shown = evaluation.cases[0].shown.as_ref().unwrap();
    assert_eq!((shown.expected.as_str(), shown.actual.as_str()), ("-1", "undefined"));
    for (value, told) in [
        ("1n", "1n (bigint)"),
        ("NaN", "NaN"),
        ("-Infinity", "-Infinity"),
        ("'-1'", "'-1'"),
        ("null", "null"),
        ("new Number(-1)", "[Number: -1]"),
        ("{ valueOf() { return -1; } }", "{valueOf: [Function: valueOf]}"),
        (
            "{ equals: () => true, 'a b': [1, { c: null }] }",
            "{equals: [Function: equals], 'a b': [1, {c: null}]}",
        ),
        ("new Map([[1, { a: 2 }]])", "Map {1 => {a: 2}}"),
        ("new Set([1, undefined])", "Set {1, undefined}"),
        ("Symbol('s')", "Symbol(s) (symbol)"),
        ("LRUCache", "[class LRUCache] (Function)"),
        ("new (class Own { x = 1 })()", "Own { x: 1 }"),
        ("Promise.resolve(-1)", "Promise { -1 }"),
        ("new Proxy([-1], {})", "Proxy [ [ -1 ], {} ]"),
        ("new Int8Array(1)", "Int8Array(1) [ 0 ]"),
        ("Object.create(null)", "{}"),
    ] {
        let evaluation = judged(&on_miss(&format!("      return {value};")));
        assert_eq!(ends(&evaluation)[0], "failed", "{value}");
        assert_eq!(evaluation.cases[0].shown.as_ref().unwrap().actual, told, "{value}");
    }
}

#[test]
fn minus_one_is_minus_one_however_it_was_reckoned() {
    if !can_run() {
        return;
    }
    for value in ["-1.0", "~0", "0.5 * -2", "Number('-1')", "parseInt('-1px')"] {
        let evaluation = judged(&on_miss(&format!("      return {value};")));
        assert_eq!(ends(&evaluation), ["passed"; 4], "{value}");
    }
}

#[test]
fn values_that_cannot_be_sent_are_wrong_answers() {
    if !can_run() {
        return;
    }
    for value in [
        "'x'.repeat(5 << 20)",
        "'\\ud800'",
        "new Array(300_000).fill(0)",
        "new Array(4294967295)",
        "10n ** 100_000n",
        "(() => { const a = []; a.push(a); return a; })()",
        "new Proxy({}, { getPrototypeOf() { throw 1; }, ownKeys() { throw 2; } })",
        "{ get x() { throw new Error('no'); } }",
        "{ [Symbol.toPrimitive]() { throw 1; }, toJSON() { return -1; } }",
        "{ [require('util').inspect.custom]() { return '-1'; } }",
        "Object.assign(Object.create({ constructor: { name: 4 } }), { a: 1 })",
        "(async () => -1)()",
    ] {
        let evaluation = judged(&on_miss(&format!("      return {value};")));
        assert_eq!(ends(&evaluation)[0], "failed", "{value}");
        assert!(evaluation.cases[0].shown.as_ref().unwrap().actual.len() < 4_000, "{value}");
    }
}

#[test]
fn a_promise_is_not_waited_for_and_noted() {
    if !can_run() {
        return;
    }
    let evaluation = judged(&changed("  get(key)", "  async get(key)"));
    assert_eq!(ends(&evaluation), ["failed"; 4]);
    let note = "`get` returned a promise: return the value itself.";
    assert!(evaluation.notes.iter().any(|found| found == note), "{:?}", evaluation.notes);
    let rejecting =
        changed(PUT, "  async put(key, value) {\n    if (key) throw new Error('nobody sees it');");
    assert_eq!(ends(&judged(&rejecting))[0], "passed");
}

#[test]
fn a_hidden_case_shows_its_twin_and_none_of_its_data() {
    if !can_run() {
        return;
    }
    let code =
        changed("    return value;", "    console.log(key);\n    throw new Error(`no ${key}`);");
    let evaluation = judged(&code);
    assert_eq!(ends(&evaluation)[1], "raised Error: no 1 (solution.js, line 14, in LRUCache.get)");
    assert_eq!(ends(&evaluation)[2], "raised Error");
    let secret = &evaluation.cases[2];
    assert_eq!((&secret.shown, &secret.prints), (&None, &None));
    assert!(secret.twin.as_ref().unwrap().actual.starts_with("Error: no 1"));
    assert!(!serde_json::to_string(&evaluation).unwrap().contains("471"));
}

#[test]
fn a_case_of_the_user_s_own_shows_what_came_back() {
    if !can_run() {
        return;
    }
    let mut own = suite();
    own.cases.truncate(1);
    own.cases[0].name = "own".to_owned();
    own.cases[0].ops[1].expect = None;
    let evaluation = judged_in(Language::Javascript, "a.js", RIGHT.as_bytes(), &own);
    assert_eq!(evaluation.cases[0].returned.as_deref(), Some("[null, -1]"));
}

#[test]
fn whatever_is_thrown_is_told_with_the_candidate_s_line() {
    if !can_run() {
        return;
    }
    let told = |line: &str| ends(&judged(&on_miss(line)))[0].clone();
    assert_eq!(
        told("      return key.a.b;"),
        "raised TypeError: Cannot read properties of undefined (reading 'b') (solution.js, line 9, in LRUCache.get)"
    );
    assert_eq!(told("      throw 'text';"), "raised Thrown value: 'text'");
    assert_eq!(told("      throw null;"), "raised Thrown value: null");
    assert_eq!(told("      throw { code: 1 };"), "raised Thrown value: { code: 1 }");
    assert_eq!(
        told("      class Own extends Error {}\n throw new Own('mine');"),
        "raised Own: mine (solution.js, line 10, in LRUCache.get)"
    );
    let nameless =
        told("      throw Object.defineProperty(new Error('x'), 'stack', { get() { throw 1; } });");
    assert_eq!(nameless, "raised Error: x");
    let deep = told("      return this.get(key);");
    assert!(deep.starts_with("raised RangeError: Maximum call stack size exceeded"), "{deep}");
    let printing = told("      console.log('deeper'); return this.get(key);");
    assert!(printing.starts_with("raised RangeError"), "{printing}");
    let patched = format!(
        "Error.prepareStackTrace = () => ({{}}); Error.stackTraceLimit = 0;{}",
        on_miss("      return key.a.b;")
    );
    assert!(ends(&judged(&patched))[0].starts_with("raised TypeError: Cannot read"));
    let built = ends(&judged(&changed("    this.capacity", "    null.x; this.capacity")));
    assert!(built[0].ends_with("(solution.js, line 4, in new LRUCache)"), "{built:?}");
}

#[test]
fn a_file_that_cannot_be_used_says_why_and_where() {
    if !can_run() {
        return;
    }
    let import_error = |code: &str| match judged(code).load {
        Load::ImportError { detail, message } => (detail, message),
        other => panic!("{other:?}"),
    };
    let (detail, message) = import_error("let x = 1;\nclass {\n");
    assert_eq!(detail, Detail::Syntax);
    assert_eq!(message, "SyntaxError: Unexpected token '{' (solution.js, line 2)");
    let (detail, message) = import_error("\nconst _ = require('lodash');\n");
    assert_eq!(detail, Detail::Exception);
    let found = "Error: Cannot find module 'lodash': only Node's own modules are here";
    assert_eq!(message, format!("{found} (solution.js, line 2)"));
    assert_eq!(
        import_error("\n\nnope();").1,
        "ReferenceError: nope is not defined (solution.js, line 3)"
    );
    assert_eq!(import_error("JSON.parse('{');").0, Detail::Exception);
    for code in
        ["class LruCache {}", "module.exports = class LruCache {}", "exports.LruCache = class {}"]
    {
        let expected = "the class LRUCache is not defined in solution.js; found LruCache";
        assert_eq!(import_error(code), (Detail::Missing, expected.to_owned()));
    }
    for code in ["", "const LRUCache = 4;", "const LRUCache = (capacity) => ({});"] {
        let (detail, message) = import_error(code);
        assert_eq!(detail, Detail::Missing, "{code}");
        let expected = if code.contains("=>") {
            "LRUCache in solution.js must be a class, but its type is function"
        } else {
            "the class LRUCache is not defined in solution.js"
        };
        assert_eq!(message, expected);
    }
    let forgotten = judged(&format!("const q = new MinPriorityQueue();{RIGHT}"));
    assert!(
        forgotten.notes.iter().any(|note| note.contains("@datastructures-js")),
        "{forgotten:?}"
    );
}

#[test]
fn a_wrong_signature_says_what_was_found_and_what_is_needed() {
    if !can_run() {
        return;
    }
    let told = |code: &str| match judged(code).load {
        Load::WrongSignature { message } => message,
        other => panic!("{code}: {other:?}"),
    };
    assert_eq!(told(&changed("  get(key)", "  Get(key)")), "found Get, needed get(key)");
    assert_eq!(
        told(&changed("put(key, value)", "put( key )")),
        "found put(key), needed put(key, value)"
    );
    assert_eq!(
        told(&changed("constructor(capacity) {", "constructor() {\n    let capacity = 9;")),
        "found LRUCache(), needed LRUCache(capacity)"
    );
    assert_eq!(
        told(&changed("constructor(", "construct(")),
        "found LRUCache(), needed LRUCache(capacity)"
    );
    assert_eq!(told(&changed("  put(", "  push(")), "put(key, value) is missing; found push");
    assert_eq!(
        told(&changed(PUT, "  put = 5;\n  Put(key, value) {")),
        "found put = number, needed put(key, value)"
    );
    for (from, to) in [
        ("put(key, value)", "put(key, value, more)"),
        ("put(key, value)", "put(key, value = 0)"),
        ("put(key, value) {", "put() {\n    const [key, value] = arguments;"),
        ("get(key) {", "get(...keys) {\n    const [key] = keys;"),
    ] {
        let evaluation = judged(&changed(from, to));
        assert_eq!(ends(&evaluation), ["passed"; 4], "{to}: {:?}", evaluation.load);
    }
}

#[test]
fn leaving_costs_only_its_own_case() {
    if !can_run() {
        return;
    }
    let leaving = |line: &str| {
        ends(&judged(&changed(
            "    this.capacity =",
            &format!("    if (capacity == 2) {line};\n    this.capacity ="),
        )))
    };
    let left = leaving("process.exit(0)");
    assert_eq!(left, ["exit left with status 0", "exit left with status 0", "passed", "passed"]);
    let left = leaving("process.kill(process.pid, 'SIGSEGV')");
    assert_eq!(left[0], "signal ended by signal 11 (SIGSEGV)");
    assert_eq!(left[3], "passed");
    assert_eq!(leaving("process.abort()")[0], "signal ended by signal 6 (SIGABRT)");
}

#[test]
fn leaving_while_loading_is_no_pass() {
    if !can_run() {
        return;
    }
    for code in [
        "process.exit(0);",
        "process.on('exit', () => process.reallyExit(0)); process.exit(0);",
        "process.reallyExit(0);",
    ] {
        let left = judged(&format!("{code}{RIGHT}"));
        assert!(matches!(left.load, Load::ImportError { detail: Detail::Exit, .. }), "{left:?}");
        assert!(!ends(&left).contains(&"passed".to_owned()));
    }
}

#[test]
fn limits_end_it_by_their_own_names() {
    if !can_run() {
        return;
    }
    assert_eq!(ends(&judged(&on_put("for (;;);"))), ["passed", "limit time", "not run", "not run"]);
    let waiting = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
    assert_eq!(ends(&judged(&on_put(waiting)))[1], "limit idle");
    let loading = judged("for (;;);");
    assert!(matches!(loading.load, Load::Crashed { detail: Detail::Time, .. }), "{loading:?}");
    let timer = judged("export {}; await new Promise((go) => setTimeout(go, 60_000));");
    assert!(matches!(timer.load, Load::Crashed { detail: Detail::Idle, .. }), "{timer:?}");
    // Nothing waits for a timer: what only it would do is never done.
    let late = on_put("setTimeout(() => process.exit(1), 0); setInterval(() => 0, 1);");
    assert_eq!(ends(&judged(&late)), ["passed"; 4]);
}

#[test]
fn memory_is_told_as_memory() {
    if !can_run() {
        return;
    }
    for line in [
        "for (const a = [];;) a.push({ a });",
        "for (const a = [];;) a.push(Buffer.alloc(1 << 20, 1));",
        "for (let m = new Map(), i = 0;; i++) m.set(i, new Array(100).fill(i));",
        "return new ArrayBuffer(2 ** 31);",
    ] {
        let evaluation = patient().judged_in(Language::Javascript, &on_put(line));
        assert_eq!(ends(&evaluation)[..2], ["passed", "limit memory"], "{line}");
    }
    let by_hand = on_put("throw new RangeError('Array buffer allocation failed');");
    let told = ends(&judged(&by_hand))[1].clone();
    assert!(told.starts_with("raised RangeError"), "{told}");
    let workers = on_put(
        "for (const w = [];;) w.push(new (require('worker_threads').Worker)('for(;;);', { eval: true }));",
    );
    let evaluation = patient().judged_in(Language::Javascript, &workers);
    assert!(ends(&evaluation)[1].starts_with("limit "), "{evaluation:?}");
    let endless = "for (const a = [];;) a.push(new Array(1000).fill(0));";
    let loading = patient().judged_in(Language::Javascript, endless);
    assert!(matches!(loading.load, Load::Crashed { detail: Detail::Memory, .. }), "{loading:?}");
}

#[test]
fn prints_stand_beside_the_case_in_which_they_were_made() {
    if !can_run() {
        return;
    }
    let line = "console.log('größe', key, { a: [1] }); console.error('!'); console.table([[1]]);\n\
                process.stdout.write(Buffer.from([0xff, 0x0a])); process.stderr.write('ab', 'utf8');\n\
                process.stdout.end(); process.stdout.destroy(); console.info('still'); return -1;";
    let evaluation = judged(&format!("console.log('loading');{}", on_miss(line)));
    assert_eq!(ends(&evaluation), ["passed"; 4]);
    let prints = evaluation.cases[0].prints.as_ref().unwrap();
    assert!(prints.text.starts_with("größe 1 { a: [ 1 ] }\n!\n"), "{prints:?}");
    assert!(prints.text.ends_with("\u{fffd}\nabstill\n"), "{prints:?}");
    assert!(evaluation.notes.iter().any(|note| note.contains("loading")));
    let past = judged(&on_miss("require('fs').writeSync(1, 'past'); return -1;"));
    assert!(past.notes.iter().any(|note| note.starts_with("Beside `console`")), "{:?}", past.notes);
}

#[test]
fn much_printing_is_cut_and_passes_and_endless_printing_ends() {
    if !can_run() {
        return;
    }
    let evaluation =
        judged(&on_miss("for (let n = 0; n < 20_000; n++) console.log('line', n); return -1;"));
    assert_eq!(ends(&evaluation), ["passed"; 4]);
    let prints = evaluation.cases[0].prints.as_ref().unwrap();
    assert!(prints.truncated && prints.text.starts_with("line 0\n"));
    assert!(prints.text.ends_with("line 19999\n") && prints.text.len() < 25_000);
    assert_eq!(prints.bytes, 208_890);
    let endless = judged(&on_put("for (;;) console.log('so far');"));
    assert_eq!(ends(&endless)[1], "limit time");
    assert!(endless.cases[1].prints.as_ref().unwrap().text.starts_with("so far\n"));
}

#[test]
fn patching_what_the_driver_uses_changes_nothing() {
    if !can_run() {
        return;
    }
    let patch = "
        const no = () => { throw new Error('patched'); };
        const files = require('fs');
        for (const name of ['parse', 'stringify']) JSON[name] = no;
        for (const kind of [Array, String, Function, Number, BigInt, RegExp, Promise, Error, Buffer, Uint8Array]) {
          for (const name of Object.getOwnPropertyNames(kind.prototype)) {
            if (name === 'constructor') continue;
            try { Object.defineProperty(kind.prototype, name, { get: no, set: no }); } catch {}
          }
        }
        for (const name of ['0', '1', 'probe', 'methods', 'length', 'then', 'toJSON', 'depth']) {
          Object.defineProperty(Object.prototype, name, { get: no, set: no, configurable: true });
        }
        Object.keys = Object.hasOwn = Reflect.apply = Reflect.construct = Array.isArray = Buffer.from = no;
        process.hrtime = process.exit = process.reallyExit = process.nextTick = no;
        files.writeSync = files.readSync = no;
        Object.defineProperty(process, 'stdout', { get: no });
        for (const name of ['log', 'error']) console[name] = no;
        globalThis.Map = globalThis.JSON = globalThis.Error = globalThis.BigInt = undefined;
        class LRUCache {
          constructor(capacity) { this.keysHeld = null; this.capacity = capacity; }
          get(key) {
            let before = null;
            for (let node = this.keysHeld; node; before = node, node = node.rest) {
              if (node.key === key) { this.take(before, node); this.keysHeld = { key, kept: node.kept, rest: this.keysHeld }; return node.kept; }
            }
            return -1;
          }
          take(before, node) { if (before) before.rest = node.rest; else this.keysHeld = node.rest; }
          put(key, kept) {
            this.get(key) === -1 || (this.keysHeld = this.keysHeld.rest);
            this.keysHeld = { key, kept, rest: this.keysHeld };
            let count = 1;
            for (let node = this.keysHeld; node; node = node.rest) { if (count++ === this.capacity) node.rest = null; }
          }
        }";
    let evaluation = judged(patch);
    assert_eq!(ends(&evaluation), ["passed"; 4], "{evaluation:?}");
}

#[test]
fn forging_frames_gains_nothing() {
    if !can_run() {
        return;
    }
    let wrong = |line: &str| changed(MISS, &format!("      {line}\n      return 7;"));
    let frame =
        r#"'{"nonce":1,"seq":1,"returns":[null,-1],"micros":1,"prints":{"bytes":0,"tail":""}}\n'"#;
    for line in [
        format!("require('fs').writeSync(3, {frame});"),
        "require('fs').writeSync(3, 'PASSED\\n');".to_owned(),
        "require('fs').closeSync(3);".to_owned(),
        "const fs = require('fs'); fs.closeSync(3); fs.openSync('/dev/null', 'r+');".to_owned(),
        "const fs = require('fs'); const b = process.binding('fs'); for (const k in b) try { b[k] = () => 0; } catch {}".to_owned(),
        "console.log('PASSED 12/12'); process.exitCode = 0;".to_owned(),
    ] {
        let evaluation = judged(&wrong(&line));
        assert_ne!(ends(&evaluation)[0], "passed", "{line}: {evaluation:?}");
    }
    let nonsense = ends(&judged(&on_put("require('fs').writeSync(3, 'PASSED\\n');")));
    assert!(nonsense[1].contains("disturbed"), "{nonsense:?}");
    assert_eq!(nonsense[3], "passed");
    let flood =
        on_put("for (const b = Buffer.alloc(1 << 16, 'x');;) require('fs').writeSync(3, b);");
    assert_eq!(ends(&judged(&flood))[..3], ["passed", "limit output", "not run"]);
    let listening = on_put("require('fs').readSync(3, Buffer.alloc(9));");
    assert_eq!(ends(&judged(&listening))[1], "limit idle");
}

#[test]
fn the_driver_is_not_found_by_looking_for_it() {
    if !can_run() {
        return;
    }
    let line = "const seen = [process.mainModule, require.main, process.argv[1], Object.keys(require.cache).length,\n\
                (() => { try { return (function f() { return f.caller; })(); } catch { return 'hidden'; } })()];\n\
                console.log(seen.map(String).join(' ')); return -1;";
    let evaluation = judged(&format!("'use strict';{}", on_miss(line)));
    let prints = evaluation.cases[0].prints.as_ref().unwrap();
    assert_eq!(prints.text, "undefined undefined /work/solution.js 0 hidden\n");
}

#[test]
fn nothing_of_the_machine_can_be_reached() {
    if !can_run() {
        return;
    }
    let line = "const fs = require('fs'); const can = (what, how) => { try { how(); console.log(what); } catch {} };\n\
        can('home', () => fs.readdirSync('/root')); can('etc', () => fs.readFileSync('/etc/hostname'));\n\
        can('write', () => fs.writeFileSync('/work/x', 'x')); can('tmp', () => fs.writeFileSync('/tmp/x', 'x'));\n\
        can('proc', () => fs.readFileSync('/proc/self/status')); can('shell', () => { if (require('child_process').spawnSync('/bin/sh').error) throw 1; });\n\
        can('dlopen', () => process.dlopen({ exports: {} }, '/work/x.node'));\n\
        console.log(Object.keys(process.env).sort().join()); return -1;";
    let evaluation = judged(&on_miss(line));
    let prints = evaluation.cases[0].prints.as_ref().unwrap();
    assert_eq!(prints.text, "HOME,LC_ALL,MALLOC_ARENA_MAX\n");
}

#[test]
fn modules_of_the_library_work() {
    if !can_run() {
        return;
    }
    let head = "const assert = require('node:assert'); const { EventEmitter } = require('events');\n\
                const { performance } = require('perf_hooks'); const zlib = require('zlib');\n\
                new EventEmitter().on('x', () => 0); performance.now(); structuredClone({}); new URL('http://a/b');\n\
                assert.deepStrictEqual(new TextEncoder().encode('a'), new Uint8Array([97]));\n\
                assert(zlib.gzipSync('x').length); assert(require('crypto').createHash('sha256').update('x').digest('hex'));\n\
                assert(new Intl.NumberFormat('en').format(1000) === '1,000'); assert(new WebAssembly.Memory({ initial: 1 }));\n";
    let evaluation = judged(&format!("{head}{RIGHT}"));
    assert_eq!(ends(&evaluation), ["passed"; 4], "{:?}", evaluation.load);
}

#[test]
fn a_function_can_be_asked_for_as_well() {
    if !can_run() {
        return;
    }
    let mut problem = problem();
    problem.interface = serde_json::from_value::<Interface>(json!({ "form": "function",
        "name": "sum", "params": [{ "name": "list", "type": "list" }, { "name": "by", "type": "float" }] }))
    .unwrap();
    let suite: Suite = serde_json::from_value(json!({ "cases": [{ "name": "miss", "ops": [
        ["sum", [[1, 2], 0.5], 1.5], ["sum", [[], 1.0], 0.0], ["sum", [[4], 0.25], 1.0] ] }] }))
    .unwrap();
    let judged = |code: &str| {
        let (code, language) = (code.as_bytes(), Language::Javascript);
        let submission =
            Submission { problem: &problem, suite: &suite, code, file_path: "a.js", language };
        evaluator().evaluate(&submission, &Cancel::new().unwrap(), &mut |_, _| ()).unwrap()
    };
    for code in [
        "const sum = (list, by) => list.reduce((a, b) => a + b, 0) * by;",
        "exports.sum = function (list, by) { let t = 0; for (const n of list) t += n; return t * by; }",
        "export default function sum(list, by) { return list.length ? by * list.reduce((a, b) => a + b) : 0; }",
    ] {
        let evaluation = judged(code);
        assert_eq!(ends(&evaluation), ["passed"], "{code}: {evaluation:?}");
    }
    let few = judged("function sum(list) {}").load;
    let message = "found sum(list), needed sum(list, by)".to_owned();
    assert_eq!(few, Load::WrongSignature { message });
    let other = judged("function total(list) {}").load;
    assert!(matches!(other, Load::ImportError { message, .. } if message.ends_with("found total")));
}

#[test]
fn growth_is_measured_in_the_sandbox() {
    if !can_run() {
        return;
    }
    let (problem, suite) = (problem(), suite());
    let measured = |code: &str| {
        let (code, language) = (code.as_bytes(), Language::Javascript);
        let submission =
            Submission { problem: &problem, suite: &suite, code, file_path: "a.js", language };
        evaluator().probe(&submission, &Cancel::new().unwrap()).unwrap()
    };
    let points = measured(RIGHT).unwrap();
    assert_eq!(points.iter().map(|point| point.size).collect::<Vec<_>>(), [100, 400, 1600]);
    let linear = "let n = 0; for (const k of this.entries.keys()) n += k;";
    let slow = measured(&changed("    const value =", &format!("    {linear}\n    const value =")))
        .unwrap();
    assert!(slow[2].nanos > 4 * slow[0].nanos, "{slow:?}");
    assert_eq!(measured("class LRUCache {}"), None);
}

#[test]
fn a_missing_node_is_not_the_candidate_s_fault() {
    let places = ToolPaths {
        sandbox: Some(sandbox()),
        node: Some("/no/node".into()),
        ..ToolPaths::default()
    };
    match Evaluator::new(places).runtime(Language::Javascript) {
        Ok(found) => assert!(found.passed_over[0].contains("/no/node"), "{found:?}"),
        Err(Refusal::Interpreter(why)) => assert!(why.contains("`nodejs`"), "{why}"),
        Err(other) => panic!("{other}"),
    }
}
