//! Many candidates in one process: what each comes to, whatever the others do.

use serde_json::json;
use vosim_agent::repair::{Bench as _, Budget, Fault, Grammar, Outcome, Patience, Test, repair};
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

fn outcomes(language: Language, candidates: &[&str], patience: Patience) -> Vec<Outcome> {
    let (evaluator, interface, tests, cancel) =
        (evaluator(), interface(), tests(), Cancel::new().unwrap());
    let reading = Comparison::Exact;
    let tests = Tests { interface: &interface, language, tests: &tests, reading };
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
    let found = outcomes(Language::Python, &texts, Patience::Full);
    for ((text, expected), found) in rows.iter().zip(found) {
        assert_eq!(found.tests, expected, "{text}");
    }
}

#[test]
fn each_candidate_in_javascript_comes_to_its_own_whatever_the_others_do() {
    use Test::{NotRun, Passed, Raised, Slow, Wrong};
    let rows: &[(&str, [Test; 2])] = &[
        ("function f(a, b) { return a + b; }", [Passed, Passed]),
        ("const f = (a, b) => a * b + 1;", [Passed, Wrong]),
        ("module.exports = { f: (a, b) => a + b };", [Passed, Passed]),
        ("export function f(a, b) { return a + b; }", [Passed, Passed]),
        ("function f(a, b) { while (true); }", [Slow, NotRun]),
        ("function f(a, b) { for (;;) { try { f(a, b); } catch {} } }", [Slow, NotRun]),
        ("function f(a, b) { return /^(a+)+$/.test('a'.repeat(40) + 'b'); }", [Slow, NotRun]),
        ("function f(a, b) { return f(a, b); }", [Raised, Raised]),
        ("function f(a, b) { process.exit(0); }", [Raised, NotRun]),
        ("function f(a, b) { return new Array(2 ** 40); }", [Raised, Raised]),
        ("function f(a, b) { console.log('x'.repeat(1e7)); return a + b; }", [Passed, Passed]),
        ("setInterval(() => {}, 1); function f(a, b) { return a + b; }", [Passed, Passed]),
        ("process.exit(0); function f(a, b) {}", [NotRun, NotRun]),
        ("while (true);", [Slow, NotRun]),
        ("function g(a, b) { return a + b; }", [NotRun, NotRun]),
        ("function f(a, b) return a + b", [NotRun, NotRun]),
        ("throw new Error();", [NotRun, NotRun]),
        // What one leaves behind another does not find.
        ("Math.PI = 3; Math.sign = null; const f = (a, b) => a + b;", [Passed, Passed]),
        ("const f = (a, b) => (Math.sign(b) === 1 ? a + b : 0);", [Passed, Passed]),
        ("function f(a, b) { return String(a + b); }", [Wrong, Wrong]),
        ("function* f(a, b) { yield a + b; }", [Wrong, Wrong]),
    ];
    let texts: Vec<_> = rows.iter().map(|(text, _)| *text).collect();
    let found = outcomes(Language::Javascript, &texts, Patience::Full);
    for ((text, expected), found) in rows.iter().zip(found) {
        assert_eq!(found.tests, expected, "{text}");
    }
}

#[test]
fn a_candidate_that_ends_the_process_is_found_and_the_others_are_judged() {
    let (right, bad) = ("def f(a, b): return a + b", "import posix\ndef f(a, b): posix.kill(0, 9)");
    let passed = outcomes(Language::Python, &[right, bad, right], Patience::Short);
    let passed: Vec<_> = passed.iter().map(Outcome::passed).collect();
    assert_eq!(passed, [true, false, true]);
    let (right, bad) =
        ("const f = (a, b) => a + b;", "const f = (a, b) => process.kill(process.pid, 9);");
    let passed = outcomes(Language::Javascript, &[right, bad, right], Patience::Full);
    let passed: Vec<_> = passed.iter().map(Outcome::passed).collect();
    assert_eq!(passed, [true, false, true]);
}

#[test]
fn a_repair_ends_with_a_program_that_passes() {
    let python = "def f(a, b):\n    total = a\n    for _ in range(1, b):\n        total += 1\n    return total\n";
    let script = "function f(a, b) {\n  let total = a;\n  for (let at = 1; at < b; at++) {\n    total += 1;\n  }\n  return total;\n}\n";
    let rows = [
        (Language::Python, Grammar::Python, python),
        (Language::Javascript, Grammar::Javascript, script),
    ];
    for (language, grammar, text) in rows {
        let (evaluator, interface, tests, cancel) =
            (evaluator(), interface(), tests(), Cancel::new().unwrap());
        let reading = Comparison::Exact;
        let tests = Tests { interface: &interface, language, tests: &tests, reading };
        let mut bench = evaluator.bench(tests, &cancel);
        let budget = Budget { candidates: 2_000, until: None };
        let report = repair(grammar, text, &mut bench, budget).unwrap();
        let patch = report.patch.unwrap();
        assert!(outcomes(language, &[&patch.text], Patience::Full)[0].passed(), "{}", patch.text);
        assert_eq!(report.before, (0, 2));
        assert!(evaluator.passes(tests, patch.text.as_bytes(), &cancel).unwrap());
    }
}

#[test]
fn nothing_is_repaired_whose_grammar_is_not_read() {
    let (evaluator, interface, tests, cancel) =
        (evaluator(), interface(), tests(), Cancel::new().unwrap());
    let (language, reading) = (Language::Typescript, Comparison::Exact);
    let tests = Tests { interface: &interface, language, tests: &tests, reading };
    let error = evaluator.bench(tests, &cancel).run(&[String::new()], Patience::Full).unwrap_err();
    // There may be no Node.js for it, either.
    assert!(matches!(error, Fault::Broken(_)), "{error}");
}
