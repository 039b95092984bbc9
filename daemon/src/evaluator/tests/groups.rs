//! Visible cases come first and are sealed; the hidden ones follow in the same process. The limits
//! are those of one submission all the same.

use super::*;

#[test]
fn a_program_that_breaks_nothing_is_loaded_once_for_all_its_cases() {
    let code = "
import builtins
class LRUCache:
    def __init__(self, capacity): self.entries = {}
    def put(self, key, value): self.entries[key] = value
    def get(self, key):
        builtins.calls = getattr(builtins, 'calls', 0) + 1
        return builtins.calls if key == 4711 else -1
";
    let mut suite = suite();
    // Four calls of get are made in the visible cases and one in the twin, which all came before.
    suite.cases[2].ops[2].expect = Some(json!(6));
    let evaluation = judged_in(Language::Python, "a.py", code.as_bytes(), &suite);
    assert_eq!(ends(&evaluation)[2], "passed", "{evaluation:?}");
}

#[test]
fn a_group_that_crashes_does_not_take_the_other_along() {
    let code = changed(
        "        self.entries.pop(key, None)",
        "        import os\n        if key == 1: os._exit(7)\n        self.entries.pop(key, None)",
    );
    let ends = ends(&judged(&code));
    assert_eq!(ends, ["passed", "exit left with status 7", "passed", "passed"]);
}

#[test]
fn computing_is_summed_over_both_groups() {
    let code = changed(
        "        if key not in",
        "        if key in (2, 4711):
            import signal
            rung = []
            signal.signal(signal.SIGPROF, lambda *_: rung.append(1))
            signal.setitimer(signal.ITIMER_PROF, 0.7)
            while not rung: pass
        if key not in",
    );
    let evaluation = judged(&code);
    assert_eq!(ends(&evaluation), ["passed", "passed", "limit time", "passed"]);
    assert!((900..2_000).contains(&evaluation.cpu_ms), "{} ms", evaluation.cpu_ms);
    assert_eq!(evaluation.limit.unwrap().case.as_deref(), Some("secret"));
}

#[test]
fn what_becomes_of_a_twin_counts_for_nothing() {
    let suite = suite();
    // The twin alone stores 2.
    for spoils in [
        "while True: pass",
        "import time; time.sleep(60)",
        "import os; os._exit(1)",
        "self.waste = [b'x' * (1 << 20) for n in range(400)]",
        "import os; os.kill(os.getpid(), 11)",
        "raise ValueError",
    ] {
        let code = changed(
            "        self.entries.pop(key, None)",
            &format!(
                "        if (key, value) == (1, 2):\n            {spoils}\n        self.entries.pop(key, None)"
            ),
        );
        let evaluation = judged_in(Language::Python, "a.py", code.as_bytes(), &suite);
        assert_eq!(ends(&evaluation), ["passed"; 4], "{spoils}");
        assert_eq!((evaluation.limit, &evaluation.cases[2].twin), (None, &None), "{spoils}");
        assert!(evaluation.cpu_ms < 1_000, "{spoils}: {} ms", evaluation.cpu_ms);
    }
}

/// What a busy machine makes of every case.
#[test]
fn waiting_before_a_twin_that_is_cut_off_is_no_computing() {
    let code = changed(
        "        self.entries.pop(key, None)",
        "        import time\n        if (key, value) == (1, 2): time.sleep(60)\n        \
         self.entries.pop(key, None)",
    );
    let code = code.replace(
        "        if key not in",
        "        import time; time.sleep(0.4)\n        if key not in",
    );
    let evaluator = Evaluator {
        limits: Limits { wall_ms: 20_000, idle_ms: 20_000, ..limits() },
        ..evaluator()
    };
    let evaluation = evaluator.judged(&code);
    assert_eq!(ends(&evaluation), ["passed"; 4], "{evaluation:?}");
    assert!(evaluation.cpu_ms < 500, "{} ms", evaluation.cpu_ms);
    assert!(evaluation.runtime_ms > 1_200, "{} ms", evaluation.runtime_ms);
}

#[test]
fn the_clock_is_summed_over_both_groups() {
    let code = changed(
        "        if key not in",
        "        import time; time.sleep(0.4 if key in (2, 4711) else 0)\n        if key not in",
    );
    let evaluator = Evaluator { limits: Limits { wall_ms: 700, ..limits() }, ..evaluator() };
    let evaluation = evaluator.judged(&code);
    assert_eq!(ends(&evaluation)[2], "limit wall");
    assert!(evaluation.runtime_ms < 2_000, "{} ms", evaluation.runtime_ms);
}

/// What a program needs to answer in the driver's place.
const FORGER: &str = "
import json, os, sys
above = sys._getframe()
while above.f_back: above = above.f_back
frames = above.f_globals['frames']
def answer(seq, **body):
    body = dict(nonce=frames.nonce, seq=seq, prints=dict(bytes=0, tail=''), **body)
    os.write(60, json.dumps(body).encode() + b'\\n')
";

#[test]
fn without_the_end_mark_the_last_case_has_broken_the_conversation() {
    let code = changed(
        "        if key not in",
        "        if key == 9:\n            answer(3, returns=[None, -1])\n            os._exit(0)\n        if key not in",
    );
    let evaluation = judged(&format!("{FORGER}{code}"));
    assert_eq!(ends(&evaluation), ["passed", "passed", "passed", "exit left with status 0"]);
}

#[test]
fn an_end_mark_with_another_count_is_none() {
    let code = changed(
        "        if key not in",
        "        if key == 9:\n            answer(3, returns=[None, -1]); answer(4, end=2); os.read(0, 1)\n        if key not in",
    );
    let evaluation = judged(&format!("{FORGER}{code}"));
    assert!(ends(&evaluation)[3].contains("disturbed"), "{evaluation:?}");
}

#[test]
fn an_answer_that_comes_twice_is_not_taken_for_the_next_case() {
    let code = changed(
        "        if key not in",
        "        answer(1, returns=[None, -1])\n        if key not in",
    );
    let evaluation = judged(&format!("{FORGER}{code}"));
    assert_eq!(ends(&evaluation)[0], "passed");
    assert!(ends(&evaluation)[1].contains("disturbed"), "{evaluation:?}");
}

#[test]
fn an_end_mark_is_no_answer_to_a_case() {
    let code = changed(
        "        if key not in",
        "        if key == 1: answer(1, returns=[None, -1], end=1)\n        if key not in",
    );
    assert!(ends(&judged(&format!("{FORGER}{code}")))[0].contains("disturbed"));
}

#[test]
fn what_loading_prints_is_told_once() {
    let evaluation = judged(&format!("print('loading')\n{RIGHT}"));
    let told: Vec<_> = evaluation.notes.iter().filter(|note| note.contains("loading")).collect();
    assert_eq!(told, ["Printed while the file was loaded: loading"]);
}

#[test]
fn a_file_that_cannot_be_loaded_is_loaded_once() {
    let evaluation = judged("import os\nos.write(1, b'x')\nraise OSError('no')");
    assert!(matches!(evaluation.load, Load::ImportError { .. }));
    assert!(evaluation.notes.iter().any(|note| note.contains(" 1 bytes ")), "{evaluation:?}");
}

#[test]
fn the_last_visible_case_answers_for_what_it_leaves_behind() {
    // A thread that ends the process once the last visible case is answered: before the first
    // hidden one is asked comes the end mark, so that the right case is to blame.
    let code = changed(
        "        if key not in",
        "        if key == 9:\n            answer(3, returns=[None, -1])\n            os._exit(3)\n        if key not in",
    );
    let evaluation = judged(&format!("{FORGER}{code}"));
    assert_eq!(ends(&evaluation), ["passed", "passed", "passed", "exit left with status 3"]);
}

#[test]
fn in_javascript_one_process_runs_all_cases_too() {
    if !javascript::can_run() {
        return;
    }
    let code = "
globalThis.count = 0;
class LRUCache {
  constructor(capacity) {}
  put(key, value) {}
  get(key) { globalThis.count++; return key === 4711 ? globalThis.count : -1; }
}";
    let mut suite = suite();
    suite.cases[2].ops[2].expect = Some(json!(6));
    let evaluation = judged_in(Language::Javascript, "a.js", code.as_bytes(), &suite);
    assert_eq!(ends(&evaluation)[2], "passed", "{evaluation:?}");
}
