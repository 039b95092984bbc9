//! Many candidates in one process: what each comes to, whatever the others do.

use serde_json::json;
use vosim_agent::repair::{Bench as _, Budget, Grammar, Outcome, Patience, Test, repair};
use vosim_protocol::v1::problem::{Function, Interface, Language, Op, Param};

use super::{Cancel, evaluator};
use crate::evaluator::{Comparison, Tests};

fn interface() -> Interface {
    let param = |name: &str| Param { name: name.to_owned(), kind: "int".to_owned() };
    Interface::Function(Function {
        name: "f".to_owned(),
        params: vec![param("a"), param("b")],
        returns: None,
    })
}

fn tests() -> Vec<Vec<Op>> {
    let ops = [json!([["f", [1, 2], 3]]), json!([["f", [5, 7], 12]])];
    ops.into_iter().map(|ops| serde_json::from_value(ops).unwrap()).collect()
}

fn outcomes(candidates: &[&str], patience: Patience) -> Vec<Outcome> {
    let (evaluator, interface, tests, cancel) =
        (evaluator(), interface(), tests(), Cancel::new().unwrap());
    let tests = Tests {
        interface: &interface,
        language: Language::Python,
        tests: &tests,
        reading: Comparison::Exact,
    };
    let candidates: Vec<_> = candidates.iter().map(|text| (*text).to_owned()).collect();
    evaluator.bench(tests, &cancel).run(&candidates, patience).unwrap()
}

#[test]
fn each_candidate_comes_to_its_own_whatever_the_others_do() {
    use Test::{NotRun, Passed, Raised, Slow, Wrong};
    let rows: &[(&str, [Test; 2])] = &[
        ("def f(a, b): return a + b", [Passed, Passed]),
        ("def f(a, b): return a * b + 1", [Passed, Wrong]),
        ("def f(a, b):\n  while True: pass", [Slow, NotRun]),
        ("def f(a, b):\n  while True:\n    try: f(a, b)\n    except: pass", [Slow, NotRun]),
        ("def f(a, b): return 10 ** 10 ** 10 ** 10", [Slow, NotRun]),
        ("def f(a, b): return f(a, b)", [Raised, Raised]),
        ("def f(a, b): raise SystemExit(0)", [Raised, Raised]),
        ("import posix\ndef f(a, b): posix._exit(0)", [Raised, NotRun]),
        ("def f(a, b): return [0] * 10 ** 12", [Raised, Raised]),
        ("def f(a, b): print('x' * 10 ** 7); return a + b", [Passed, Passed]),
        ("while True: pass", [Slow, NotRun]),
        ("def g(a, b): return a + b", [NotRun, NotRun]),
        ("def f(a, b) return a + b", [NotRun, NotRun]),
        ("raise ValueError", [NotRun, NotRun]),
        // What one leaves behind another does not find.
        ("import math\nmath.pi = 3\ndef f(a, b): return a + b", [Passed, Passed]),
        ("import math\ndef f(a, b): return a + b if math.pi > 3 else 0", [Passed, Passed]),
        ("class Any(int):\n  __eq__ = lambda *_: True\ndef f(a, b): return Any()", [Wrong, Wrong]),
        ("def f(a, b): return float(a + b)", [Wrong, Wrong]),
    ];
    let texts: Vec<_> = rows.iter().map(|(text, _)| *text).collect();
    let found = outcomes(&texts, Patience::Full);
    for ((text, expected), found) in rows.iter().zip(found) {
        assert_eq!(found.tests, expected, "{text}");
    }
}

#[test]
fn a_candidate_that_ends_the_process_is_found_and_the_others_are_judged() {
    let (right, bad) = ("def f(a, b): return a + b", "import posix\ndef f(a, b): posix.kill(0, 9)");
    let passed: Vec<_> =
        outcomes(&[right, bad, right], Patience::Short).iter().map(Outcome::passed).collect();
    assert_eq!(passed, [true, false, true]);
}

#[test]
fn a_repair_ends_with_a_program_that_passes() {
    let text = "def f(a, b):\n    total = a\n    for _ in range(1, b):\n        total += 1\n    return total\n";
    let (evaluator, interface, tests, cancel) =
        (evaluator(), interface(), tests(), Cancel::new().unwrap());
    let tests = Tests {
        interface: &interface,
        language: Language::Python,
        tests: &tests,
        reading: Comparison::Exact,
    };
    let mut bench = evaluator.bench(tests, &cancel);
    let budget = Budget { candidates: 2_000, until: None };
    let report = repair(Grammar::Python, text, &mut bench, budget).unwrap();
    let patch = report.patch.unwrap();
    assert!(outcomes(&[&patch.text], Patience::Full)[0].passed());
    assert_eq!(report.before, (0, 2));
}
