//! Candidates' programs, judged by the real driver in the real sandbox. Here those in Python.

mod bench;
mod chance;
mod groups;
mod javascript;
mod pool;
mod spies;
mod typescript;
mod values;

use serde_json::json;
use vosim_needs::sandbox;
use vosim_protocol::v1::evaluation::{CaseOutcome, Detail, Evaluation, Load};
use vosim_protocol::v1::problem::{Language, Problem, Suite};
use vosim_sandbox_spec::{Level, Limits};

use super::graded::tests::FORGERIES;
use super::languages::profile;
use super::{Cancel, Evaluator, Refusal, Submission, ToolPaths};

/// A right solution; what a test changes is put before or after it.
const RIGHT: &str = "
class LRUCache:
    def __init__(self, capacity):
        self.capacity, self.entries = capacity, {}

    def get(self, key):
        if key not in self.entries:
            return -1
        self.entries[key] = value = self.entries.pop(key)
        return value

    def put(self, key, value):
        self.entries.pop(key, None)
        self.entries[key] = value
        if len(self.entries) > self.capacity:
            del self.entries[next(iter(self.entries))]
";

fn problem() -> Problem {
    let case = |name: &str, visible: bool| json!({ "name": name, "category": "c", "description": "d", "visible": visible });
    let param = |name: &str| json!({ "name": name, "type": "int" });
    serde_json::from_value(json!({
        "id": "lru_cache", "title": "LRU Cache", "statement": "s", "licence": "l",
        "rung": 2, "cpu_ms": 10_000,
        "interface": { "form": "class", "name": "LRUCache", "constructor": [param("capacity")],
            "methods": [
                { "name": "get", "params": [param("key")], "returns": "int" },
                { "name": "put", "params": [param("key"), param("value")] },
            ] },
        "starters": {}, "solutions": {}, "praise": "p", "question": "q", "issues": [],
        "cases": [case("miss", true), case("order", true), case("secret", false), case("last", true)],
        "growth": { "sizes": [100, 400, 1600], "write": "put", "read": "get" },
    }))
    .unwrap()
}

fn suite() -> Suite {
    serde_json::from_value(json!({ "cases": [
        { "name": "miss", "ops": [["LRUCache", [2]], ["get", [1], -1]] },
        { "name": "order", "ops": [["LRUCache", [2]], ["put", [1, 1]], ["put", [2, 2]],
            ["get", [1], 1], ["put", [3, 3]], ["get", [2], -1]] },
        { "name": "secret", "ops": [["LRUCache", [1]], ["put", [4711, 4712]], ["get", [4711], 4712]],
            "twin": [["LRUCache", [1]], ["put", [1, 2]], ["get", [1], 2]] },
        { "name": "last", "ops": [["LRUCache", [1]], ["get", [9], -1]] },
    ] }))
    .unwrap()
}

fn limits() -> Limits {
    Limits { cpu_ms: 1_000, idle_ms: 700, memory: 160 << 20, ..Limits::submission() }
}

fn evaluator() -> Evaluator {
    evaluator_within(limits())
}

/// With time for a program that fills its memory, also on a machine that is slow.
fn patient() -> Evaluator {
    evaluator_within(Limits { cpu_ms: Limits::submission().cpu_ms, ..limits() })
}

fn evaluator_within(limits: Limits) -> Evaluator {
    let search_path = std::env::var_os("PATH");
    let places = ToolPaths { sandbox: Some(sandbox()), search_path, ..ToolPaths::default() };
    Evaluator::with_limits(places, limits)
}

fn judged_as(file_path: &str, code: &[u8]) -> Evaluation {
    judged_in(Language::Python, file_path, code, &suite())
}

fn judged_in(language: Language, file_path: &str, code: &[u8], suite: &Suite) -> Evaluation {
    let problem = problem();
    let submission = Submission { problem: &problem, suite, code, file_path, language };
    let cancel = Cancel::new().unwrap();
    evaluator().evaluate(&submission, &cancel, &mut |_, _| ()).unwrap()
}

impl Evaluator {
    fn judged(&self, code: &str) -> Evaluation {
        self.judged_in(Language::Python, code)
    }

    /// Judges a program against the usual suite.
    fn judged_in(&self, language: Language, code: &str) -> Evaluation {
        let (problem, suite) = (problem(), suite());
        let file_path = profile(language).file;
        let code = code.as_bytes();
        let submission = Submission { problem: &problem, suite: &suite, code, file_path, language };
        self.evaluate(&submission, &Cancel::new().unwrap(), &mut |_, _| ()).unwrap()
    }
}

fn judged(code: &str) -> Evaluation {
    judged_as("solution.py", code.as_bytes())
}

/// How each case ended, in short words.
fn ends(evaluation: &Evaluation) -> Vec<String> {
    let word = |outcome: &CaseOutcome| match outcome {
        CaseOutcome::Passed => "passed".to_owned(),
        CaseOutcome::Failed => "failed".to_owned(),
        CaseOutcome::Raised { exception } => format!("raised {exception}"),
        CaseOutcome::Crashed { detail, message } => format!("{} {message}", detail.word()),
        CaseOutcome::Limit { detail } => format!("limit {}", detail.word()),
        CaseOutcome::NotRun => "not run".to_owned(),
    };
    evaluation.cases.iter().map(|case| word(&case.outcome)).collect()
}

fn changed(from: &str, to: &str) -> String {
    assert!(RIGHT.contains(from));
    RIGHT.replace(from, to)
}

#[test]
fn a_right_solution_passes_every_case() {
    let evaluation = judged(RIGHT);
    assert_eq!(evaluation.load, Load::Loaded);
    assert_eq!(ends(&evaluation), ["passed"; 4]);
    assert_eq!(evaluation.limit, None);
    assert!(evaluation.runtime.starts_with("3."), "{}", evaluation.runtime);
    assert!(evaluation.peak_memory > 1 << 20 && evaluation.cpu_ms < 1_000);
}

#[test]
fn a_wrong_answer_shows_the_call_that_differs() {
    let evaluation = judged(&changed(
        "self.entries[key] = value = self.entries.pop(key)",
        "value = self.entries[key]",
    ));
    assert_eq!(ends(&evaluation), ["passed", "failed", "passed", "passed"]);
    let shown = evaluation.cases[1].shown.as_ref().unwrap();
    assert_eq!(shown.input, "LRUCache(2)  put(1, 1)  put(2, 2)  get(1)  put(3, 3)  get(2)");
    assert_eq!((shown.call, shown.expected.as_str(), shown.actual.as_str()), (6, "-1", "2"));
}

#[test]
fn a_hidden_case_shows_its_twin_and_none_of_its_data() {
    let code = changed("            return -1", "            return -1\n        print(key)")
        .replace("        return value", "        return {value}");
    let evaluation = judged(&code);
    let secret = &evaluation.cases[2];
    assert_eq!(
        (&secret.outcome, &secret.shown, &secret.prints),
        (&CaseOutcome::Failed, &None, &None)
    );
    let twin = secret.twin.as_ref().unwrap();
    assert_eq!((twin.expected.as_str(), twin.actual.as_str()), ("2", "{2}"));
    assert!(!serde_json::to_string(&evaluation).unwrap().contains("471"));
}

#[test]
fn the_text_of_an_exception_in_a_hidden_case_is_withheld() {
    let evaluation = judged(&changed("        return value", "        raise KeyError(key)"));
    assert_eq!(ends(&evaluation)[1], "raised KeyError: 1 (solution.py, line 10, in get)");
    assert_eq!(ends(&evaluation)[2], "raised KeyError");
    assert!(!serde_json::to_string(&evaluation).unwrap().contains("471"));
    let twin = evaluation.cases[2].twin.as_ref().unwrap();
    assert_eq!(twin.actual, "KeyError: 1 (solution.py, line 10, in get)");
}

#[test]
fn an_exception_costs_only_its_own_case() {
    let evaluation = judged(&changed("            return -1", "            return 1 // 0"));
    let raised = "raised ZeroDivisionError: integer division or modulo by zero (solution.py, line 8, in get)";
    assert_eq!(ends(&evaluation)[0], raised);
    assert_eq!(ends(&evaluation)[2], "passed");
    let shown = evaluation.cases[0].shown.as_ref().unwrap();
    assert_eq!((shown.call, shown.expected.as_str()), (2, "-1"));
}

#[test]
fn a_crash_costs_only_its_own_case() {
    let crash = |code: &str| {
        let code = changed(
            "        self.capacity, self",
            &format!("        if capacity == 2: {code}\n        self.capacity, self"),
        );
        ends(&judged(&code))
    };
    let segv = crash("import os; os.kill(os.getpid(), 11)");
    let signal = "signal ended by signal 11 (SIGSEGV)";
    assert_eq!(segv, [signal, signal, "passed", "passed"]);
    let left = crash("import os; os._exit(0)");
    assert_eq!(left[..3], ["exit left with status 0", "exit left with status 0", "passed"]);
    let exits = crash("raise SystemExit(3)");
    assert!(exits[0].starts_with("exit left with status 3"), "{exits:?}");
}

#[test]
fn an_endless_loop_keeps_what_was_judged_and_leaves_the_rest() {
    let code = changed(
        "    def put(self, key, value):",
        "    def put(self, key, value):\n        while True: pass",
    );
    let evaluation = judged(&code);
    assert_eq!(ends(&evaluation), ["passed", "limit time", "not run", "not run"]);
    let limit = evaluation.limit.unwrap();
    assert_eq!(
        (limit.detail, limit.value.as_str(), limit.case.as_deref()),
        (Detail::Time, "1 s", Some("order"))
    );
}

#[test]
fn waiting_is_told_apart_from_computing() {
    let code = changed(
        "    def put(self, key, value):",
        "    def put(self, key, value):\n        import time; time.sleep(60)",
    );
    assert_eq!(ends(&judged(&code))[1], "limit idle");
}

#[test]
fn limits_are_summed_over_restarts() {
    let code = changed(
        "        self.capacity, self",
        "        sum(range(5_000_000))\n        import os; os._exit(1)\n        self.capacity, self",
    );
    let evaluation = judged_with_cases(&code, 30);
    let ends = ends(&evaluation);
    assert!(ends[0].starts_with("exit") && ends.contains(&"limit time".to_owned()), "{ends:?}");
    assert!(evaluation.cpu_ms < 3_000, "{} ms", evaluation.cpu_ms);
}

fn judged_with_cases(code: &str, count: usize) -> Evaluation {
    let (problem, mut suite) = (problem(), suite());
    let first = suite.cases[0].clone();
    suite.cases = vec![first; count];
    let submission = Submission {
        problem: &problem,
        suite: &suite,
        code: code.as_bytes(),
        file_path: "solution.py",
        language: Language::Python,
    };
    evaluator().evaluate(&submission, &Cancel::new().unwrap(), &mut |_, _| ()).unwrap()
}

#[test]
fn memory_is_told_as_memory_in_a_case_and_while_loading() {
    let code = changed(
        "    def put(self, key, value):",
        "    def put(self, key, value):\n        while True: self.spare = [getattr(self, 'spare', 0), b'x' * (16 << 20)]",
    );
    let evaluation = patient().judged(&code);
    assert_eq!(ends(&evaluation)[..2], ["passed", "limit memory"]);
    assert_eq!(evaluation.limit.unwrap().value, "160 MB");
    let loading = patient().judged("x = 'x'\nwhile True: x += x");
    assert!(matches!(loading.load, Load::Crashed { detail: Detail::Memory, .. }), "{loading:?}");
}

#[test]
fn an_exception_of_ones_own_is_no_limit() {
    for how in ["raise MemoryError('full')", "raise type('Full', (MemoryError,), {})"] {
        let code = changed("            return -1", &format!("            {how}"));
        let raised = &ends(&judged(&code))[0];
        assert!(raised.starts_with("raised "), "{how}: {raised}");
    }
    let again =
        "            try: [0] * 10 ** 15\n            except MemoryError as full: raise full";
    assert_eq!(ends(&judged(&changed("            return -1", again)))[0], "limit memory");
}

#[test]
fn processes_and_threads_that_are_refused_are_told_as_their_limit() {
    let storing = |lines: &str| {
        let lines = lines.replace('\n', "\n        ");
        changed(
            "    def put(self, key, value):",
            &format!("    def put(self, key, value):\n        {lines}"),
        )
    };
    let naps = "import os, subprocess, threading, time\nfor _ in range(200):\n";
    for how in [
        " if os.fork() == 0: time.sleep(30), os._exit(0)",
        " threading.Thread(target=time.sleep, args=(30,), daemon=True).start()",
    ] {
        let roomy = evaluator_within(Limits { memory: 512 << 20, ..limits() });
        let evaluation = roomy.judged(&storing(&format!("{naps}{how}")));
        assert_eq!(ends(&evaluation)[1], "limit processes", "{how}: {evaluation:?}");
        assert!(evaluation.limit.unwrap().value.ends_with(" processes"), "{how}");
    }
    for how in [
        "raise RuntimeError(\"can't start new thread\")",
        "raise BlockingIOError(11, 'Resource temporarily unavailable')",
        "import os\nr, w = os.pipe()\nos.set_blocking(r, False)\nos.read(r, 1)",
    ] {
        let told = ends(&judged(&storing(how)))[1].clone();
        assert!(told.starts_with("raised "), "{how}: {told}");
    }
}

#[test]
fn texts_are_written_as_the_language_writes_them_and_cut_with_a_mark() {
    let code = changed("            return -1", "            raise KeyError('\\x1b[31m\\x9b')");
    let told = ends(&judged(&code))[0].clone();
    assert!(told.starts_with(r"raised KeyError: '\x1b[31m\x9b'"), "{told}");
    let storing =
        changed("    def put(self, key, value):", "    def put(self, key, value):\n        1 / 0");
    let evaluation = judged(&storing);
    assert_eq!(evaluation.cases[1].shown.as_ref().unwrap().expected, "no exception");
    let notes = judged(&format!("print('x' * 300)\n{RIGHT}")).notes.join("\n");
    assert_eq!(notes, format!("Printed while the file was loaded: {}…", "x".repeat(200)));
}

#[test]
fn an_asynchronous_method_is_named_and_warns_of_nothing_of_ours() {
    let evaluation = judged(&changed("    def get(", "    async def get("));
    let prints = evaluation.cases.iter().filter_map(|case| case.prints.as_ref());
    assert_eq!(prints.count(), 0, "{evaluation:?}");
    assert_eq!(evaluation.notes, ["`get` returned a coroutine: return the value itself."]);
}

#[test]
fn bytes_that_python_refuses_are_judged() {
    let utf16: Vec<u8> = RIGHT.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [b"\xff\xfe".as_slice(), &utf16].concat();
    for code in [b"x = 1\0\n".as_slice(), &utf16, &marked] {
        let load = judged_as("a.py", code).load;
        assert!(matches!(load, Load::ImportError { detail: Detail::Syntax, .. }), "{load:?}");
    }
}

#[test]
fn small_pieces_can_fill_memory_too() {
    let code = changed(
        "    def put(self, key, value):",
        "    def put(self, key, value):\n        x = None\n        while True: x = [x] + [None] * 49",
    );
    assert_eq!(ends(&patient().judged(&code))[1], "limit memory");
}

#[test]
fn a_file_that_cannot_be_used_says_why_and_where() {
    let import_error = |code: &str| match judged(code).load {
        Load::ImportError { detail, message } => (detail, message),
        other => panic!("{other:?}"),
    };
    let (detail, message) = import_error("x = 1\ndef f(:\n");
    assert_eq!(
        (detail, message.as_str()),
        (Detail::Syntax, "SyntaxError: invalid syntax (solution.py, line 2)")
    );
    let (detail, message) = import_error("\nimport numpy\n");
    assert_eq!(detail, Detail::Exception);
    assert_eq!(message, "ModuleNotFoundError: No module named 'numpy' (solution.py, line 2)");
    assert_eq!(
        import_error("class LruCache: pass").1,
        "the class LRUCache is not defined in solution.py; found LruCache"
    );
    assert_eq!(
        import_error(""),
        (Detail::Missing, "the class LRUCache is not defined in solution.py".to_owned())
    );
}

#[test]
fn loading_that_never_ends_is_a_limit() {
    let evaluation = judged("while True: pass");
    assert_eq!(
        evaluation.load,
        Load::Crashed {
            detail: Detail::Time,
            message: "timed out (1 s limit) while the file was loaded".to_owned(),
        }
    );
    assert_eq!(evaluation.limit.unwrap().case, None);
    for leaving in ["import sys\nsys.exit(0)", "import os\nos._exit(0)", "raise SystemExit"] {
        let left = judged(leaving).load;
        assert!(matches!(left, Load::ImportError { detail: Detail::Exit, .. }), "{left:?}");
    }
}

#[test]
fn a_wrong_signature_says_what_was_found_and_what_is_needed() {
    let told = |code: &str| match judged(code).load {
        Load::WrongSignature { message } => message,
        other => panic!("{other:?}"),
    };
    assert_eq!(told(&changed("def get(", "def Get(")), "found Get, needed get(key)");
    assert_eq!(
        told(&changed("def put(self, key, value)", "def put(self, key)")),
        "found put(key), needed put(key, value)"
    );
    assert_eq!(
        told(&changed("(self, capacity):", "(self):")),
        "found LRUCache(), needed LRUCache(capacity)"
    );
    let push = told(&changed("def put(", "def push("));
    assert_eq!(push, "put(key, value) is missing; found push");
    assert_eq!(
        ends(&judged(&changed("def put(self, key, value)", "def put(self, key, value, more=1)"))),
        ["passed"; 4]
    );
    let selfless = told(&changed("def get(self, key)", "def get(key)"));
    assert_eq!(selfless, "found get(key) without self, needed get(self, key)");
    assert_eq!(
        told(&changed("def put(self, key, value)", "def put(self, *, key, value)")),
        "found put(*, key, value), needed put(key, value)"
    );
    assert_eq!(told(&format!("{RIGHT}\n    get = 5\n")), "found get = int, needed get(key)");
    let short = "    get = property(lambda self: lambda: 1)\n";
    assert_eq!(told(&format!("{RIGHT}{short}")), "found get(), needed get(key)");
}

/// How a method is written makes no difference.
#[test]
fn whatever_accepts_the_calls_is_a_method() {
    let (get, put) = ("    def get(self, key):", "    def put(self, key, value):");
    let head =
        "from functools import lru_cache, partial, partialmethod, singledispatchmethod, wraps
class Decorated:
    def __init__(self, function): self.function = function
    def __get__(self, instance, owner=None): return lambda *args: self.function(instance, *args)
class Called:
    def __call__(self, *args): return -1
def timed(function):
    @wraps(function)
    def wrapper(*args, **named): return function(*args, **named)
    return wrapper
";
    let renamed = |tail: &str| {
        let code = changed("def get(", "def _get(").replace("def put(", "def _put(");
        format!("{head}{code}{tail}")
    };
    for code in [
        renamed("    get, put = _get, _put\n"),
        renamed(
            "    def _at(self, more, key): return self._get(key)\n    get, put = partialmethod(_at, 0), _put\n",
        ),
        renamed(
            "    def _at(self, key, more): return self._get(key)\n    get, put = partialmethod(_at, more=0), _put\n",
        ),
        renamed(
            "    get = property(lambda self: self._get)\n    put = property(lambda self: self._put)\n",
        ),
        renamed(
            "    def __getattr__(self, name):\n        if name in ('get', 'put'): return getattr(self, '_' + name)\n        raise AttributeError(name)\n",
        ),
        renamed(
            "    def __new__(cls, capacity):\n        self = super().__new__(cls)\n        self.get, self.put = partial(self._get), self._put\n        return self\n",
        ),
        format!("{head}{}", changed(get, &format!("    @singledispatchmethod\n{get}"))),
        format!("{head}{}", changed(get, &format!("    @Decorated\n{get}"))),
        format!("{head}{}", changed(put, &format!("    @timed\n{put}"))),
    ] {
        assert_eq!(ends(&judged(&code)), ["passed"; 4], "{code}");
    }
    let never = format!("{head}{}", changed(get, "    get = Called()\n    def other(self, key):"));
    assert_eq!(ends(&judged(&never))[0], "passed", "what is called has the say");
    assert_eq!(
        judged("def LRUCache(capacity): return {}").load,
        Load::ImportError {
            detail: Detail::Missing,
            message: "LRUCache in solution.py must be a class, but its type is function".to_owned(),
        }
    );
}

#[test]
fn every_form_of_source_that_python_takes_is_taken() {
    let text = format!("# -*- coding: latin-1 -*-\nname = 'gr\u{f6}\u{df}e'\x0c\n{RIGHT}");
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    assert_eq!(ends(&judged_as("lösung 1.py", &latin)), ["passed"; 4]);
    let marked = format!("\u{feff}{}", RIGHT.replace('\n', "\r\n"));
    assert_eq!(ends(&judged(&marked)), ["passed"; 4]);
    assert!(matches!(
        judged_as("a.py", b"x = '\xff'\n").load,
        Load::ImportError { detail: Detail::Syntax, .. }
    ));
}

#[test]
fn prints_stand_beside_the_case_in_which_they_were_made() {
    let code = changed(
        "        if key not in",
        "        import sys; print('größe', key); sys.stderr.write('!')\n        sys.stdout.buffer.write(b'\\xff\\0')\n        if key not in",
    );
    let evaluation = judged(&format!("print('loading')\n{code}"));
    assert_eq!(ends(&evaluation), ["passed"; 4]);
    let prints = evaluation.cases[0].prints.as_ref().unwrap();
    assert!(prints.text.contains("größe 1\n") && prints.text.contains("\\xff\0"), "{prints:?}");
    assert!(evaluation.notes.iter().any(|note| note.contains("loading")));
}

#[test]
fn much_printing_is_cut_and_passes() {
    let code = changed(
        "        if key not in",
        "        for n in range(20_000): print('line', n)\n        if key not in",
    );
    let evaluation = judged(&code);
    assert_eq!(ends(&evaluation), ["passed"; 4]);
    let prints = evaluation.cases[0].prints.as_ref().unwrap();
    assert!(prints.truncated && prints.text.starts_with("line 0\n"));
    assert!(prints.text.ends_with("line 19999\n") && prints.text.len() < 25_000);
    assert_eq!(prints.bytes, 208_890);
}

/// Printing on every call, with each of the usual ways to do so.
#[test]
fn printing_costs_a_program_no_more_than_it_does_elsewhere() {
    for (way, most_ms) in [
        ("print('line', n)", 900),
        ("print('line', n, file=sys.stderr)", 900),
        ("print('line', n, flush=True)", 2_500),
        ("kept.write(f'line {n}\\n')", 2_500),
    ] {
        let code = changed(
            "        if key not in",
            &format!("        for n in range(400_000): {way}\n        if key not in"),
        );
        let mut suite = suite();
        suite.cases.truncate(1);
        let code = format!("import sys\nkept = sys.stdout\n{code}");
        let (problem, limits) = (problem(), Limits::submission());
        let submission = Submission {
            problem: &problem,
            suite: &suite,
            code: code.as_bytes(),
            file_path: "a.py",
            language: Language::Python,
        };
        let evaluator = evaluator_within(limits);
        let evaluation =
            evaluator.evaluate(&submission, &Cancel::new().unwrap(), &mut |_, _| ()).unwrap();
        assert_eq!(ends(&evaluation), ["passed"], "{way}");
        let prints = evaluation.cases[0].prints.as_ref().unwrap();
        assert!(prints.truncated && prints.text.starts_with("line 0\nline 1\n"), "{way}");
        assert!(prints.text.ends_with("line 399999\n") && prints.text.len() < 25_000, "{way}");
        // Printing them to nowhere takes some 200 ms.
        assert!(evaluation.cpu_ms < most_ms, "{way}: {} ms", evaluation.cpu_ms);
    }
}

#[test]
fn what_was_printed_before_a_limit_is_kept() {
    let code = changed(
        "    def put(self, key, value):",
        "    def put(self, key, value):\n        print('so far')\n        while True: pass",
    );
    assert_eq!(judged(&code).cases[1].prints.as_ref().unwrap().text, "so far\n");
}

#[test]
fn forgery_gains_nothing() {
    let forged = "import os, sys\nprint('PASSED 12/12')\nfor fd in range(3, 64):\n    try: os.write(fd, b'{\"nonce\":1,\"seq\":1,\"returns\":[null,-1]}\\n')\n    except OSError: pass\n";
    let evaluation = judged(&format!("{forged}{}", changed("return -1", "return 7")));
    assert!(
        !ends(&evaluation).contains(&"passed".to_owned()) || evaluation.load != Load::Loaded,
        "{evaluation:?}"
    );

    let equal = "class Any(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__\n\nclass LRUCache:\n    def __init__(self, capacity): pass\n    def get(self, key): return Any()\n    def put(self, key, value): pass\n";
    assert_eq!(ends(&judged(equal)), ["failed"; 4]);

    let truth = changed("            return -1", "            return True");
    assert_eq!(ends(&judged(&truth))[0], "failed");

    // What looks right to tests in its own process looks wrong to who compares from outside.
    for (name, program, _) in FORGERIES.iter().filter(|(_, program, _)| !program.is_empty()) {
        let wrong = changed("return -1", "return 7");
        let evaluation = judged(&format!("{program}{wrong}"));
        assert!(ends(&evaluation).iter().any(|end| end != "passed"), "{name}: {evaluation:?}");
    }
}

#[test]
fn patching_what_the_driver_uses_changes_nothing() {
    let patch = "import builtins, json, sys, time, os, posix, _json\n\
                 builtins.len = builtins.isinstance = builtins.type = lambda *a: 1 / 0\n\
                 builtins.repr = builtins.str = builtins.quit = None\n\
                 json.dumps = sys.exit = os._exit = posix._exit = posix.write = posix.read = None\n\
                 time.perf_counter_ns = _json.encode_basestring_ascii = None\n\
                 sys.stdout = sys.stderr = None\nsys.setrecursionlimit(60)\n";
    let code = RIGHT.replace(
        "if len(self.entries) > self.capacity:",
        "if self.entries.__len__() > self.capacity:",
    );
    assert_eq!(ends(&judged(&format!("{patch}{code}"))), ["passed"; 4]);
}

#[test]
fn closing_or_flooding_the_channel_ends_in_bounds() {
    let closing = changed(
        "    def put(self, key, value):",
        "    def put(self, key, value):\n        import os; os.closerange(0, 64)",
    );
    let evaluation = judged(&closing);
    assert_eq!(ends(&evaluation)[0], "passed");
    assert!(ends(&evaluation)[1].starts_with("exit"), "{evaluation:?}");
    let flooding = changed(
        "    def put(self, key, value):",
        "    def put(self, key, value):\n        import os\n        while True: os.write(60, b'x' * 65536)",
    );
    assert_eq!(ends(&judged(&flooding))[..3], ["passed", "limit output", "not run"]);
    let nonsense = changed(
        "    def put(self, key, value):",
        "    def put(self, key, value):\n        import os; os.write(60, b'PASSED\\n')",
    );
    let evaluation = judged(&nonsense);
    assert!(ends(&evaluation)[1].contains("disturbed"), "{evaluation:?}");
    assert_eq!(ends(&evaluation)[3], "passed");
}

#[test]
fn values_that_cannot_be_sent_are_wrong_answers() {
    for value in [
        "object()",
        "10 ** 100_000",
        "float('nan')",
        "'\\ud800'",
        "'x' * (5 << 20)",
        "[0] * 300_000",
        "(lambda a: a.append(a) or a)([])",
        "type('T', (), {'__repr__': lambda self: 1 / 0})()",
        "type('T', (type,), {'__name__': property(lambda self: 1 / 0)})('U', (), {})()",
        "(n for n in ())",
    ] {
        let evaluation =
            judged(&changed("            return -1", &format!("            return {value}")));
        assert_eq!(ends(&evaluation)[0], "failed", "{value}");
        assert!(evaluation.cases[0].shown.as_ref().unwrap().actual.len() < 2_000, "{value}");
    }
}

#[test]
fn a_case_may_construct_the_class_again() {
    let evaluation = judged_in(Language::Python, "a.py", RIGHT.as_bytes(), &two_instances());
    assert_eq!(ends(&evaluation), ["passed"]);
    let shared = format!("entries = {{}}\n{}", RIGHT.replace("capacity, {}", "capacity, entries"));
    let evaluation = judged_in(Language::Python, "a.py", shared.as_bytes(), &two_instances());
    let shown = evaluation.cases[0].shown.as_ref().unwrap();
    assert_eq!(shown.input, "LRUCache(1)  put(1, 10)  get(1)  LRUCache(1)  get(1)");
    assert_eq!((shown.call, shown.actual.as_str()), (5, "10"));
}

/// One case on two caches, the second of which must know nothing of the first.
fn two_instances() -> Suite {
    let ops = json!([
        ["LRUCache", [1]],
        ["put", [1, 10]],
        ["get", [1], 10],
        ["LRUCache", [1]],
        ["get", [1], -1]
    ]);
    serde_json::from_value(json!({ "cases": [{ "name": "order", "ops": ops }] })).unwrap()
}

#[test]
fn mutating_what_was_returned_does_not_change_the_answer() {
    let code = "class LRUCache:\n    def __init__(self, capacity): self.seen = []\n    def get(self, key): self.seen.append(key); return self.seen\n    def put(self, key, value): self.seen.clear()\n";
    let shown = judged(code).cases[1].shown.clone().unwrap();
    assert_eq!((shown.call, shown.actual.as_str()), (4, "[1]"));
}

#[test]
fn a_name_that_some_sites_import_silently_is_noted() {
    let evaluation = judged(&changed("{}", "OrderedDict()"));
    assert!(
        evaluation.notes.iter().any(|note| note.contains("from collections import OrderedDict"))
    );
}

#[test]
fn data_classes_and_other_modules_of_the_library_work() {
    let head = "from __future__ import annotations\n\
                import dataclasses, typing, collections, heapq, asyncio, re, random, zoneinfo\n\
                @dataclasses.dataclass(slots=True)\nclass Node:\n    key: int = 0\n";
    let code = format!("{head}{RIGHT}");
    assert_eq!(ends(&judged(&code)), ["passed"; 4]);
}

#[test]
fn a_case_of_the_user_s_own_shows_what_came_back() {
    let (problem, mut suite) = (problem(), suite());
    suite.cases.truncate(1);
    suite.cases[0].name = "own".to_owned();
    suite.cases[0].ops[1].expect = None;
    let submission = Submission {
        problem: &problem,
        suite: &suite,
        code: RIGHT.as_bytes(),
        file_path: "a.py",
        language: Language::Python,
    };
    let evaluation =
        evaluator().evaluate(&submission, &Cancel::new().unwrap(), &mut |_, _| ()).unwrap();
    assert_eq!(evaluation.cases[0].returned.as_deref(), Some("[None, -1]"));
}

#[test]
fn growth_is_measured_in_the_sandbox() {
    let (problem, suite) = (problem(), suite());
    let measured = |code: &str| {
        let submission = Submission {
            problem: &problem,
            suite: &suite,
            code: code.as_bytes(),
            file_path: "a.py",
            language: Language::Python,
        };
        evaluator().probe(&submission, &Cancel::new().unwrap()).unwrap()
    };
    let points = measured(RIGHT).unwrap();
    assert_eq!(points.iter().map(|point| point.size).collect::<Vec<_>>(), [100, 400, 1600]);
    let linear = changed(
        "        if key not in self.entries:",
        "        sum(1 for _ in self.entries)\n        if key not in self.entries:",
    );
    let slow = measured(&linear).unwrap();
    assert!(slow[2].nanos > 4 * slow[0].nanos, "{slow:?}");
    assert_eq!(measured("class LRUCache: pass"), None);
}

#[test]
fn a_cancelled_run_ends_at_once_and_is_not_judged() {
    let (problem, suite) = (problem(), suite());
    let code = changed(
        "    def put(self, key, value):",
        "    def put(self, key, value):\n        import time; time.sleep(60)",
    );
    let submission = Submission {
        problem: &problem,
        suite: &suite,
        code: code.as_bytes(),
        file_path: "a.py",
        language: Language::Python,
    };
    let cancel = Cancel::new().unwrap();
    let mut seen = Vec::new();
    let refusal = evaluator().evaluate(&submission, &cancel, &mut |at, name| {
        seen.push(name.to_owned());
        if at == 1 {
            cancel.cancel();
        }
    });
    assert_eq!(refusal, Err(Refusal::Cancelled));
    assert_eq!(seen, ["miss", "order"]);
}

#[test]
fn a_missing_sandbox_or_interpreter_is_not_the_candidate_s_fault() {
    let places = ToolPaths { sandbox: Some("/no/such/helper".into()), ..ToolPaths::default() };
    let Err(Refusal::Sandbox(why)) = Evaluator::new(places).python() else { panic!("refused") };
    let start = "starting /no/such/helper: it is not there";
    assert!(why.starts_with(start) && why.contains("evaluator.sandbox"), "{why}");
}

#[test]
fn a_helper_that_is_no_helper_is_blamed_and_no_interpreter() {
    for path in ["/bin/true", "/dev/null"] {
        let places = ToolPaths { sandbox: Some(path.into()), ..ToolPaths::default() };
        let Err(Refusal::Sandbox(why)) = Evaluator::new(places).python() else { panic!("{path}") };
        assert!(why.contains(path) && why.contains("evaluator.sandbox"), "{why}");
    }
}

#[test]
fn a_helper_that_others_could_change_is_named_with_the_step_that_mends_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let helper = dir.path().join("helper");
    std::fs::write(&helper, "").unwrap();
    std::fs::set_permissions(&helper, std::fs::Permissions::from_mode(0o777)).unwrap();
    let places = ToolPaths { sandbox: Some(helper.clone()), ..ToolPaths::default() };
    let Err(Refusal::Sandbox(why)) = Evaluator::new(places).python() else { panic!("refused") };
    let shown = helper.display();
    let told = format!("{shown} is not started: others may write to it (mode 777); ");
    assert!(why.starts_with(&format!("{told}chmod go-w {shown}. ")), "{why}");
}

#[test]
fn a_configured_interpreter_that_goes_away_is_missed_and_the_one_that_judged_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let configured = dir.path().join("python3");
    let real = evaluator().python().unwrap().path;
    std::os::unix::fs::symlink(&real, &configured).unwrap();
    let places = ToolPaths {
        sandbox: Some(sandbox()),
        python: Some(configured.clone()),
        search_path: std::env::var_os("PATH"),
        ..ToolPaths::default()
    };
    let evaluator = Evaluator::with_limits(places, limits());
    assert_eq!(evaluator.judged(RIGHT).notes, Vec::<String>::new());
    let told = |reason: &str| {
        let evaluation = evaluator.judged(RIGHT);
        assert_eq!(ends(&evaluation), ["passed"; 4]);
        let notes = evaluation.notes.join(" ");
        assert!(
            notes.starts_with(&format!("{} was passed over: {reason}", configured.display())),
            "{notes}"
        );
        assert!(notes.ends_with(" was used.") && notes.contains(&evaluation.runtime), "{notes}");
    };
    std::fs::remove_file(&configured).unwrap();
    told("it cannot be started");
    std::fs::write(&configured, "broken").unwrap();
    told("it cannot be started");
    std::fs::remove_file(&configured).unwrap();
    std::os::unix::fs::symlink(&real, &configured).unwrap();
    assert_eq!(evaluator.judged(RIGHT).notes, Vec::<String>::new());
}

#[test]
fn the_interpreter_is_real_and_starts_in_the_sandbox() {
    let evaluator = evaluator();
    let python = evaluator.python().unwrap();
    assert!(
        python.path.is_absolute() && !python.path.to_string_lossy().contains("shims"),
        "{python:?}"
    );
    let cancel = Cancel::new().unwrap();
    assert_eq!(evaluator.try_out(&python, &cancel).unwrap().level, Level::B);
}

#[test]
fn a_forked_child_that_comes_back_does_not_answer() {
    let code = changed(
        "        self.entries.pop(key, None)",
        "        import os; os.fork()\n        self.entries.pop(key, None)",
    );
    assert_eq!(ends(&judged(&code)), ["passed"; 4]);
}

#[test]
fn printing_threads_do_not_disturb_the_answers() {
    let code = "import threading\ndef talk():\n    while True: print('x' * 50)\n\
                for n in range(3): threading.Thread(target=talk, daemon=True).start()\n";
    let evaluation = judged(&format!("{code}{RIGHT}"));
    assert_eq!(ends(&evaluation), ["passed"; 4]);
}

#[test]
fn neither_code_nor_cases_show_in_a_debug_text() {
    let (problem, suite) = (problem(), suite());
    let submission = Submission {
        problem: &problem,
        suite: &suite,
        code: b"secret = 1",
        file_path: "a.py",
        language: Language::Python,
    };
    let text = format!("{submission:?}");
    assert!(!text.contains("secret") && !text.contains("4711"), "{text}");
}

#[test]
fn what_code_keeps_of_a_hidden_case_cannot_be_shown_in_a_visible_one() {
    let spy = "
seen = []
class LRUCache:
    def __init__(self, capacity): seen.append(capacity)
    def put(self, key, value): seen.append((key, value))
    def get(self, key):
        print(seen)
        return repr(seen)
";
    let evaluation = judged(spy);
    let names: Vec<_> = evaluation.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["miss", "order", "secret", "last"], "told in the suite's order");
    let told = serde_json::to_string(&evaluation).unwrap();
    assert!(told.contains("(3, 3)"), "the spy does see what came before: {told}");
    assert!(!told.contains("4711"), "{told}");
}

#[test]
fn code_that_raises_while_it_is_looked_at_is_named_and_nothing_of_ours() {
    let evaluation = judged(
        "
class Meta(type):
    def __getattribute__(cls, name):
        raise RuntimeError('look away')
class LRUCache(metaclass=Meta):
    pass
",
    );
    let told = serde_json::to_string(&evaluation).unwrap();
    assert!(matches!(evaluation.load, Load::ImportError { .. }), "{told}");
    assert!(told.contains("look away") && told.contains("line 4"), "{told}");
    assert!(!told.contains("vosim-driver"), "{told}");
}
