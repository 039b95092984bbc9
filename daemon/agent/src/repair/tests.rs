//! The search against benches that know which texts are right.

use super::*;

const GCD: &str = "def gcd(a, b):\n    if b == 0:\n        return a\n    return gcd(a % b, b)\n";

/// Passes the texts that are known to be right, and nothing else.
struct Known {
    right: Vec<&'static str>,
    /// What makes one more of three tests pass.
    helps: Vec<&'static str>,
    asked: Vec<String>,
}

impl Known {
    fn new(right: &[&'static str]) -> Self {
        Self { right: right.to_vec(), helps: Vec::new(), asked: Vec::new() }
    }
}

impl Bench for Known {
    fn run(&mut self, candidates: &[String], _: Patience) -> Result<Vec<Outcome>, Fault> {
        self.asked.extend(candidates.iter().cloned());
        let outcome = |text: &String| {
            let passed = if self.right.iter().any(|right| text.contains(right)) {
                3
            } else {
                self.helps.iter().filter(|part| text.contains(**part)).count()
            };
            let of = |at: usize| if at < passed { Test::Passed } else { Test::Wrong };
            Outcome { tests: (0..3).map(of).collect() }
        };
        Ok(candidates.iter().map(outcome).collect())
    }
}

const PLENTY: Budget = Budget { candidates: 100_000, until: None };

#[test]
fn every_text_is_tried_once_and_in_the_same_order() {
    let asked = || {
        let mut bench = Known::new(&[]);
        let budget = Budget { candidates: 3_000, until: None };
        let report = repair(Grammar::Python, GCD, &mut bench, budget).unwrap();
        assert!(report.patch.is_none());
        bench.asked
    };
    let first = asked();
    let once: std::collections::BTreeSet<_> = first.iter().collect();
    assert_eq!(once.len(), first.len());
    assert_eq!(first, asked());
}

#[test]
fn the_patch_says_what_was_changed_and_when_it_was_tried() {
    let mut bench = Known::new(&["gcd(b, a % b)"]);
    let report = repair(Grammar::Python, GCD, &mut bench, PLENTY).unwrap();
    let patch = report.patch.unwrap();
    let step = &patch.steps[0];
    assert_eq!((step.operator, step.line), (Operator::SwapArguments, 4));
    assert_eq!(step.before, "    return gcd(a % b, b)");
    assert_eq!(step.after, "    return gcd(b, a % b)");
    assert_eq!(report.stopped, Stopped::Found);
    assert!(patch.rank < 40, "{}", patch.rank);
}

#[test]
fn what_passes_already_is_left_alone() {
    let mut bench = Known::new(&["gcd"]);
    let report = repair(Grammar::Python, GCD, &mut bench, PLENTY).unwrap();
    assert_eq!((report.stopped, report.tried), (Stopped::NothingWrong, 0));
}

#[test]
fn two_changes_are_found_where_one_of_them_helps() {
    let text = "def f(n):\n    while n > 0:\n        n -= 2\n    return n - 1\n";
    let mut bench = Known::new(&["n >= 0:\n        n -= 1\n"]);
    bench.helps = vec!["n -= 1"];
    let report = repair(Grammar::Python, text, &mut bench, PLENTY).unwrap();
    let operators: Vec<_> = report.patch.unwrap().steps.iter().map(|step| step.operator).collect();
    assert_eq!(operators, [Operator::Number, Operator::Compare]);
}

#[test]
fn the_budget_is_never_overspent() {
    for candidates in [1, 199, 200, 450] {
        let mut bench = Known::new(&[]);
        let budget = Budget { candidates, until: None };
        let report = repair(Grammar::Python, GCD, &mut bench, budget).unwrap();
        assert_eq!((report.tried, report.stopped), (candidates, Stopped::Candidates));
        // The program itself comes first.
        assert_eq!(bench.asked.len(), candidates as usize + 1);
    }
}

/// Those that the figures measure in JavaScript.
#[test]
fn each_wrong_line_in_javascript_is_one_change_from_the_right_one() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bugs");
    let mut tried = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "js") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let about = std::fs::read_to_string(path.with_extension("json")).unwrap();
        let about: serde_json::Value = serde_json::from_str(&about).unwrap();
        let at = usize::try_from(about["line"].as_u64().unwrap()).unwrap() - 1;
        let mut lines: Vec<_> = text.lines().collect();
        lines[at] = about["right"].as_str().unwrap();
        let right = lines.join("\n") + "\n";
        let found = mutants(Grammar::Javascript, &text);
        assert!(found.iter().any(|mutant| mutant.text == right), "{}", path.display());
        tried += 1;
    }
    assert_eq!(tried, 20);
}

/// What is required and exported is no part of the program, and an arrow's own statements are.
#[test]
fn a_module_is_changed_only_where_it_computes() {
    let text = "const { max } = require('./max');\nconst f = (a) => {\n  max(a);\n};\n\
                module.exports = { f };\n";
    let made = mutants(Grammar::Javascript, text);
    assert!(!made.is_empty());
    for mutant in made {
        assert!(mutant.text.starts_with("const { max } = require('./max');\n"), "{}", mutant.text);
        assert!(mutant.text.ends_with("module.exports = { f };\n"), "{}", mutant.text);
    }
}

/// Each change of it would be one that no test can notice.
#[test]
fn what_a_program_says_of_itself_is_left_as_it_is() {
    let python = "def total(xs):\n    \"\"\"Add them up.\"\"\"\n    n = sum(xs)\n    return n\n";
    let javascript =
        "function total(xs) {\n  'use strict';\n  const n = xs.length;\n  return n;\n}\n";
    for (grammar, text, said) in [
        (Grammar::Python, python, "    \"\"\"Add them up.\"\"\"\n"),
        (Grammar::Javascript, javascript, "  'use strict';\n"),
    ] {
        let made = mutants(grammar, text);
        assert!(!made.is_empty());
        for Mutant { text, operator, .. } in made {
            assert_eq!(text.matches(said).count(), 1, "{operator:?}: {text}");
            let stays = !matches!(operator, Operator::Guard)
                || text.lines().nth(1) == Some(said.trim_end());
            assert!(stays, "a guard stands behind it: {text}");
        }
    }
}

/// The one line that each mistake is mended by, in both languages.
#[test]
fn mistakes_of_many_sorts_are_one_change_away() {
    let rows: &[(Grammar, &str, &str)] = &[
        (Grammar::Python, "a[lo:hi]", "a[hi:lo]"),
        (Grammar::Python, "x = y + 1", "x = max(x, y + 1)"),
        (Grammar::Python, "return a.b < c", "return c < a.b"),
        (Grammar::Python, "if n:\n        n -= 1", "while n:\n        n -= 1"),
        (Grammar::Python, "return (a + b) * c", "return a + b * c"),
        (Grammar::Python, "return a - b - c", "return a - (b - c)"),
        (
            Grammar::Python,
            "for i in range(n):\n        pass",
            "for i in range(n + 1):\n        pass",
        ),
        (
            Grammar::Python,
            "if n.next.prev:\n        pass",
            "if not n.next or n.next.prev:\n        pass",
        ),
        (
            Grammar::Python,
            "for x in n:\n        m(x)\n        return x",
            "for x in n:\n        m(x)\n    return x",
        ),
        (Grammar::Python, "f(n)", "return f(n)"),
        (Grammar::Python, "yield f(n)", "yield from f(n)"),
        (Grammar::Python, "return n", "if not n:\n        return []\n    return n"),
        (Grammar::Python, "return [0] * n", "return [0] * (n + 1)"),
        (Grammar::Python, "return 1 + f(n)", "return f(n)"),
        (Grammar::Python, "return any(n)", "return all(n)"),
        (Grammar::Python, "m = []\n    return m", "m = [[]]\n    return m"),
        (Grammar::Python, "d[n] = 1\n    return d[n]", "d[n] += 1\n    return d[n]"),
        (Grammar::Python, "return d[n]", "return d.get(n, 0)"),
        (Grammar::Javascript, "return a < b;", "return a <= b;"),
        (Grammar::Javascript, "return a && b;", "return a || b;"),
        (Grammar::Javascript, "return f(a, b);", "return f(b, a);"),
        (Grammar::Javascript, "let x = a.length;", "let x = a.length - 1;"),
        (Grammar::Javascript, "if (a === b) { f(a); }", "if (a !== b) { f(a); }"),
        (Grammar::Javascript, "x = a;", "x = Math.max(x, a);"),
        (Grammar::Javascript, "a.push(b);", "a.unshift(b);"),
        (Grammar::Javascript, "while (a) { f(b); }", "if (a) { f(b); }"),
        (Grammar::Javascript, "do { f(b); } while (a < b);", "do { f(b); } while (a <= b);"),
        (Grammar::Javascript, "a++;", "a--;"),
        (Grammar::Javascript, "for (const c in a) f(c);", "for (const c of a) f(c);"),
        (Grammar::Javascript, "x = a[b] + 1;", "x = (a[b] ?? 0) + 1;"),
        (Grammar::Javascript, "return a.get(b);", "return a.get(b) ?? 0;"),
        (Grammar::Javascript, "return a;", "if (a.length === 0) return [];\n  return a;"),
        (
            Grammar::Javascript,
            "return a.map((c) => {\n    x = c;\n    f(c);\n  });",
            "return a.map((c) => {\n    x = c;\n    return f(c);\n  });",
        ),
    ];
    let whole = |grammar, line: &str| match grammar {
        Grammar::Python => format!("def f(n, a, b, c, lo, hi, x, y, d):\n    {line}\n"),
        Grammar::Javascript => format!("function f(a, b, x) {{\n  {line}\n}}\n"),
    };
    for (grammar, wrong, right) in rows {
        let wanted = whole(*grammar, right);
        let found = mutants(*grammar, &whole(*grammar, wrong));
        assert!(found.iter().any(|mutant| mutant.text == wanted), "{wrong} -> {right}");
    }
}
