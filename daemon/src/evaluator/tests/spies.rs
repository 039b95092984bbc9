//! Programs that keep what a hidden case hands them and try every way to have it shown.
//!
//! Each returns to the public twin whatever it finds of it, and says it wherever it has a voice.

use vosim_protocol::v1::evaluation::CaseResult;

use super::*;

/// What a hidden case of the suite knows, in the forms in which it may come back.
const SECRETS: [&str; 4] = ["4711", "4712", "0x1267", "47_11"];

/// Nothing of the hidden case is told; gives its result back. Durations are the machine's own.
fn kept(mut evaluation: Evaluation) -> CaseResult {
    let times = evaluation.cases.iter_mut().filter(|case| case.name != "secret");
    times.for_each(|case| case.micros = 0);
    let told = serde_json::to_string(&evaluation).unwrap();
    for secret in SECRETS {
        assert!(!told.contains(secret), "{secret}: {told}");
    }
    evaluation.cases.swap_remove(2)
}

/// A program that does `spying` with each key and value, and returns `found()` from each call.
fn spy(before: &str, spying: &str) -> String {
    format!(
        "
import atexit, builtins, os, sys, threading
{before}
class LRUCache:
    def __init__(self, capacity): self.capacity = capacity
    def put(self, key, value):
        if key == 4711:
            {spying}
    def get(self, key):
        return found()
"
    )
}

/// Judges such a program: its hidden case fails, so that its twin shows what it returned.
fn spied(before: &str, spying: &str) -> CaseResult {
    let secret = kept(judged(&spy(before, spying)));
    assert_eq!(secret.outcome, CaseOutcome::Failed);
    assert!(secret.twin.is_some(), "{secret:?}");
    secret
}

#[test]
fn what_a_module_keeps_comes_too_late_for_the_twin() {
    let secret = spied(
        "seen = []\ndef found(): return [seen, getattr(builtins, 'seen', None), sys.modules.get('seen')]",
        "seen.append((key, value)); builtins.seen = key; sys.modules['seen'] = key",
    );
    assert_eq!(secret.twin.unwrap().actual, "[[], None, None]");
}

#[test]
fn no_file_outlives_the_process() {
    let places = "
PLACES = ['.', '/work', '/tmp', '/var/tmp', '/dev/shm', '/run', '/', os.path.expanduser('~')]
def keep(key):
    kept = 0
    for place in PLACES:
        try:
            with open(place + '/kept', 'w') as file: file.write(str(key))
            kept += 1
        except OSError: pass
    return kept
def found():
    texts = []
    for place in PLACES:
        try: texts.append(open(place + '/kept').read())
        except OSError: pass
    return texts
";
    let secret = spied(places, "keep(key)");
    assert_eq!(secret.twin.unwrap().actual, "[]");
}

#[test]
fn no_process_outlives_it() {
    let server = "
import socket
NAME = '\\0kept'
def serve(key):
    server = None
    try:
        server = socket.socket(socket.AF_UNIX)
        server.bind(NAME); server.listen()
    except OSError: pass
    if os.fork(): return
    os.setsid(); os.write(1, str(key).encode())
    while True:
        if server: server.accept()[0].send(str(key).encode())
        else: threading.Event().wait()
def found():
    try:
        client = socket.socket(socket.AF_UNIX)
        client.connect(NAME)
    except OSError: return [text for text in os.listdir('/proc') if text.isdigit() and int(text) != os.getpid()]
    return client.recv(99)
";
    let secret = spied(server, "serve(key)");
    assert_eq!(secret.twin.unwrap().actual, "[]");
}

#[test]
fn what_is_printed_when_hidden_cases_run_is_shown_nowhere() {
    let last_words = "
class Last:
    def __init__(self, key): self.key = key
    def __del__(self): say(self.key)
def say(key):
    print(key); print(key, file=sys.stderr); sys.stdout.flush()
    os.write(1, str(key).encode()); os.write(2, str(key).encode())
def found(): return 0
";
    let secret = spied(
        last_words,
        "builtins.last = Last(key); Last(key); atexit.register(say, key); say(key); sys.stdout.buffer.write(b'%d' % key)",
    );
    assert_eq!(secret.prints, None);
}

#[test]
fn a_stream_that_was_kept_from_a_visible_case_leads_nowhere() {
    let secret = spied(
        "out = sys.stdout\nout.write('begun')\ndef found(): return 0",
        "out.write(str(key)); out.flush(); sys.__stdout__ and sys.__stdout__.write(str(key))",
    );
    assert_eq!(secret.prints, None);
}

/// Finds the driver's own objects, as any program in its process can.
const INSIDE: &str = "
import json
above = sys._getframe()
while above.f_back: above = above.f_back
def inside(name): return above.f_globals[name.lower()]
def send(**body):
    body = dict(dict(nonce=inside('Frames').nonce, prints=dict(bytes=0, tail='')), **body)
    os.write(60, json.dumps(body).encode() + b'\\n')
def found(): return 0
";

#[test]
fn late_words_for_a_visible_case_are_refused() {
    for seq in 0..=6 {
        let late = format!("send(seq={seq}, print=str(key), prints=None)");
        assert_eq!(spied(INSIDE, &late).prints, None, "question {seq}");
        let instead =
            format!("send(seq={seq}, returns=[None, key], prints=dict(bytes=9, tail=str(key)))");
        let secret = kept(judged(&spy(INSIDE, &instead)));
        let CaseOutcome::Crashed { message, .. } = &secret.outcome else { panic!("{secret:?}") };
        assert!(message.contains("disturbed"), "{message}");
    }
}

#[test]
fn a_thread_that_waits_for_the_data_speaks_for_no_visible_case() {
    let thread = format!(
        "{INSIDE}
there = threading.Event()
box = []
def wait():
    there.wait()
    for seq in range(7):
        send(seq=seq, print=str(box[0]), prints=None)
    inside('Prints').seq = 1
    print(box[0], flush=True)
    said.set()
said = threading.Event()
threading.Thread(target=wait, daemon=True).start()
"
    );
    let secret = spied(&thread, "box.append(key); there.set(); said.wait()");
    assert_eq!(secret.prints, None);
}

#[test]
fn figures_that_a_program_makes_up_are_held_against_the_clock() {
    let secret = kept(judged(&spy(
        INSIDE,
        "send(seq=7, returns=[None, None, 0], micros=4711_000_000_000); sys.stdin or os.read(0, 1)",
    )));
    assert!(secret.micros < 10_000_000, "{secret:?}");
    // Of any figure one digit is left.
    assert_eq!(secret.micros.to_string().trim_end_matches('0').len().max(1), 1, "{secret:?}");
}

#[test]
fn what_is_written_beside_the_channel_is_counted_roughly() {
    let evaluation = judged(&spy("def found(): return 0", "os.write(1, b'x' * key)"));
    let notes = evaluation.notes.clone();
    kept(evaluation);
    assert_eq!(notes, ["Beside `print`, some 4000 bytes were written to the process's output."]);
}

#[test]
fn an_exception_is_no_envelope() {
    let nothing = "def found(): return 0";
    let raise = |how: &str| kept(judged(&spy(nothing, how))).outcome;
    let exception = |told: &str| CaseOutcome::Raised { exception: told.to_owned() };
    for how in [
        "raise type('E%d' % key, (Exception,), {})(key)",
        "raise Exception(key)",
        "raise type('KeyError %d' % key, (KeyError,), {})",
        "raise SyntaxError('no', ('solution.py', key, key, 'x'))",
    ] {
        assert_eq!(raise(how), exception("an exception of another kind"), "{how}");
    }
    let place = "raise_ = (lambda: 1 / 0).__code__; exec(raise_.replace(co_name='k%d' % key, co_firstlineno=key))";
    assert_eq!(raise(place), exception("ZeroDivisionError"));
    let chained = "raise KeyError(key) from ValueError(value)";
    assert_eq!(raise(chained), exception("KeyError"));
    let import = "raise NameError(\"name 'heapq' is not defined\")";
    assert_eq!(judged(&spy(nothing, import)).notes, Vec::<String>::new());
}

/// The file holds every word and every line that might be needed; which ones a hidden case picks of
/// them would be its data.
#[test]
fn no_word_and_no_line_of_the_file_is_picked_for_a_hidden_case() {
    let words = (0..100).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
    let lines = "#\n".repeat(100);
    let python = spy(
        "def found(): return 0",
        "
            kind = type('w%d' % (key // 100), (Exception,), {})
            code = compile('\\n' * (key % 100) + 'raise kind', 'solution.py', 'exec')
            exec(code.replace(co_name='w%d w%d' % (key % 100, value % 100)), {'kind': kind})",
    );
    let evaluation = judged(&format!("{python}\n# {words}\n{lines}"));
    assert_eq!(evaluation.load, Load::Loaded);
    assert_eq!(ends(&evaluation)[2], "raised an exception of another kind");
    let told = serde_json::to_string(&evaluation).unwrap();
    assert!(!["w47", "w11", "w12", "line 1"].iter().any(|picked| told.contains(picked)), "{told}");
    if !javascript::can_run() {
        return;
    }
    let lines = lines.replace('#', "//");
    let script = format!(
        "
class LRUCache {{
  constructor(capacity) {{}}
  get(key) {{ return 0; }}
  put(key, value) {{
    if (key !== 4711) return;
    const name = `w${{Math.floor(key / 100)}}`;
    const error = new ({{ [name]: class extends RangeError {{}} }}[name])();
    error.stack = `E\\n    at w${{key % 100}} (a.js:${{key % 100}}:1)\\n    at new w${{value % 100}} (a.js:2:1)`;
    throw error;
  }}
}}
// {words}
{lines}"
    );
    let evaluation = judged_in(Language::Javascript, "a.js", script.as_bytes(), &suite());
    assert_eq!(evaluation.load, Load::Loaded);
    assert_eq!(ends(&evaluation)[2], "raised an exception of another kind");
    let told = serde_json::to_string(&evaluation).unwrap();
    assert!(!["w47", "w11", "w12", "line 1"].iter().any(|picked| told.contains(picked)), "{told}");
}

#[test]
fn neither_is_the_way_in_which_a_process_ends() {
    let ended = |how: &str| kept(judged(&spy("def found(): return 0", how))).outcome;
    let crashed =
        |detail, message: &str| CaseOutcome::Crashed { detail, message: message.to_owned() };
    for how in ["os._exit(key & 255)", "os._exit(0)", "sys.exit(key & 255)", "sys.exit(str(key))"] {
        assert_eq!(ended(how), crashed(Detail::Exit, "left before its end"), "{how}");
    }
    assert_eq!(
        ended("os.kill(os.getpid(), 34 + key % 30)"),
        crashed(Detail::Signal, "ended by a signal")
    );
    assert_eq!(
        ended("os.kill(os.getpid(), 11)"),
        crashed(Detail::Signal, "ended by signal 11 (SIGSEGV)")
    );
}

#[test]
fn a_case_of_the_user_s_own_is_over_before_hidden_data_come() {
    let code = spy("seen = []\ndef found(): print(seen); return seen", "seen.append(key)");
    let mut suite = suite();
    // It stands behind the hidden one.
    suite.cases[3].name = "own".to_owned();
    let evaluation = judged_in(Language::Python, "a.py", code.as_bytes(), &suite);
    assert_eq!(evaluation.cases[3].returned.as_deref(), Some("[None, []]"));
    kept(evaluation);
}

/// Hidden data also lie in what the kernel remembers of files and counts for the account; so what is
/// shown has been said before there are any.
#[test]
fn nothing_that_is_shown_runs_once_hidden_data_have_been_there() {
    let order = "
order = []
def found():
    order.append('called')
    return order
";
    let mut suite = suite();
    // Two hidden cases, and after each of them the process has to be started again.
    suite.cases.push(suite.cases[2].clone());
    "second".clone_into(&mut suite.cases[4].name);
    let mut problem = problem();
    problem.cases.push(problem.cases[2].clone());
    "second".clone_into(&mut problem.cases[4].name);
    let code = spy(order, "order.append(key); os._exit(0)");
    let submission = Submission {
        problem: &problem,
        suite: &suite,
        code: code.as_bytes(),
        file_path: "a.py",
        language: Language::Python,
    };
    let mut steps = Vec::new();
    let evaluation = evaluator()
        .evaluate(&submission, &Cancel::new().unwrap(), &mut |at, name| {
            steps.push((at, name.to_owned()));
        })
        .unwrap();
    // Five calls of get before: two visible cases of one, one of two, and the first twin.
    for (case, called) in [(2, 5), (4, 6)] {
        let twin = evaluation.cases[case].twin.as_ref().unwrap();
        assert_eq!(twin.actual, format!("[{}]", vec!["'called'"; called].join(", ")));
    }
    assert_eq!(ends(&evaluation)[2], "exit left before its end");
    // Of the hidden ones it is not even told when each begins.
    let steps: Vec<_> = steps.iter().map(|(at, name)| (*at, name.as_str())).collect();
    assert_eq!(steps, [(0, "miss"), (1, "order"), (2, "last"), (3, "hidden tests")]);
}

#[test]
fn after_a_crash_no_visible_case_meets_a_process_that_saw_hidden_data() {
    // The second visible case ends the process; the rest of them, and then the hidden one, share
    // the next.
    let code = spy("seen = []\ndef found(): print(seen); return seen", "seen.append(key)").replace(
        "self.capacity = capacity",
        "seen.append(capacity); capacity == 2 and os._exit(7)",
    );
    let evaluation = judged(&code);
    let left = "exit left with status 7";
    assert_eq!(ends(&evaluation), [left, left, "failed", "failed"]);
    assert_eq!(evaluation.cases[3].prints.as_ref().unwrap().text, "[1]\n");
    kept(evaluation);
}

#[test]
fn a_javascript_program_has_no_other_way() {
    if !javascript::can_run() {
        return;
    }
    for spying in [
        "globalThis.seen = key; console.log(key); process.stdout.write(`${key}`)",
        "require('fs').writeSync(1, 'x'.repeat(key))",
        "require('fs').writeFileSync('/tmp/kept', `${key}`)",
        "process.on('exit', () => console.log(key)); Promise.resolve().then(() => console.log(key))",
        "throw new (class extends Error { name = `E${key}` })(`${key}`)",
        "const f = () => { throw new Error(`${key}`) }; Object.defineProperty(f, 'name', { value: `f${key}` }); f()",
        "throw key",
        "process.exit(key & 255)",
    ] {
        let code = format!(
            "
const old = console;
class LRUCache {{
  constructor(capacity) {{}}
  put(key, value) {{ if (key === 4711) {{ {spying} }} }}
  get(key) {{ old.log('called'); try {{ return require('fs').readFileSync('/tmp/kept', 'utf8'); }} catch {{ return [globalThis.seen]; }} }}
}}"
        );
        kept(judged_in(Language::Javascript, "a.js", code.as_bytes(), &suite()));
    }
}
