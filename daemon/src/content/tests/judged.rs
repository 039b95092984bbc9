//! The shipped packages proved for real: every program judged in the sandbox.

use std::borrow::Cow;
use std::sync::Mutex;

use vosim_engine::parts::growth::growth;
use vosim_needs::{Need, needs, newer_node, sandbox};
use vosim_protocol::v1::evaluation::{Evaluation, Growth};
use vosim_protocol::v1::problem::{Language, Suite};
use vosim_sandbox_spec::Limits;

use crate::content::{Package, Program, ProgramRole, catalog, compare, find, prove};
use crate::evaluator::{Cancel, Evaluator, Refusal, Submission, ToolPaths};
use crate::proving::invariants;

#[test]
fn every_program_of_the_shipped_packages_keeps_its_promise() {
    // Less time than 000 grants: the promises name the limit, not its value.
    let limits = Limits { cpu_ms: 3_000, idle_ms: 2_000, ..Limits::submission() };
    let evaluator = evaluator(limits);
    let missing = !has_node(&evaluator);
    of_every_package(|package| {
        let suite = package.suite();
        let proved = prove(package, |program| {
            judge(&evaluator, package, &suite, program).map_err(|refusal| refusal.to_string())
        });
        let judged = proved.iter().filter(|proved| {
            let program = package.programs.iter().find(|it| it.path == proved.program).unwrap();
            !(missing && program.language == Language::Javascript)
        });
        let broken: Vec<_> = judged.filter(|program| !program.ok).collect();
        assert!(broken.is_empty(), "{}: {broken:#?}", package.problem.id);
    });
}

#[test]
fn runs_bear_out_every_invariant_of_the_shipped_packages_and_refute_every_other_choice() {
    let soak = std::env::var_os("VOSIM_SOAK").is_some();
    let evaluator = evaluator(Limits::submission());
    let found = Mutex::new(Vec::new());
    of_every_package(|package| {
        // A short round takes the reference's language alone, and no wrong programs.
        let run = |program: &Program| {
            soak || (program.language == Language::Python && program.role == ProgramRole::Right)
        };
        let cancel = Cancel::new().unwrap();
        let proved = invariants(package, &package.suite(), (&evaluator, &cancel), run).unwrap();
        let unsound = proved.into_iter().filter(|one| !one.ok || (soak && one.catches.is_empty()));
        let told = unsound.map(|one| format!("{} {one:?}", package.problem.id));
        found.lock().unwrap().extend(told);
    });
    let found = found.into_inner().unwrap();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A starter passes nothing; what is right in JavaScript is right in TypeScript.
#[test]
fn what_every_shipped_package_offers_in_typescript_is_judged_like_its_javascript() {
    let Some(node) = newer_node() else { return };
    let places = ToolPaths { sandbox: Some(sandbox()), node: Some(node), ..ToolPaths::default() };
    let evaluator = Evaluator::with_limits(places, Limits::submission());
    of_every_package(|package| {
        let (problem, suite) = (&package.problem, package.suite());
        let mut of_javascript =
            package.programs.iter().filter(|it| it.language == Language::Javascript);
        let right = of_javascript.clone().find(|it| it.role == ProgramRole::Right).unwrap();
        let stub = of_javascript.find(|it| it.role == ProgramRole::Stub).unwrap();
        let starter = Cow::Owned(problem.starters[&Language::Typescript].clone().into_bytes());
        for program in [right.clone(), Program { source: starter, ..stub.clone() }] {
            let path = program.path.replace(".js", ".ts");
            let program = Program { path, language: Language::Typescript, ..program };
            let judged = judge(&evaluator, package, &suite, &program);
            let proved = compare(&problem.issues, &program, judged.map_err(|why| why.to_string()));
            assert!(proved.ok, "{}: {proved:?}", problem.id);
        }
    });
}

/// Does something with every shipped package, on every core.
pub(super) fn of_every_package(check: impl Fn(&Package) + Sync) {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let packages = Mutex::new(catalog().list());
    let next = || packages.lock().unwrap().next();
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(package) = next() {
                    check(package);
                }
            });
        }
    });
}

/// Whether JavaScript can be judged.
#[track_caller]
pub(super) fn has_node(evaluator: &Evaluator) -> bool {
    needs(Need::Node, evaluator.runtime(Language::Javascript)).is_some()
}

/// Structures that take the same time at every size, and such as are searched at C speed, from the
/// head, or not at all where the searched key stands first.
#[test]
fn the_growth_of_what_is_searched_is_told_from_that_of_a_map() {
    const DEQUE: &str = "from collections import deque
class LRUCache:
    def __init__(self, capacity):
        self.capacity, self.values, self.order = capacity, {}, deque()
    def get(self, key):
        if key not in self.values:
            return -1
        self.order.remove(key)
        self.order.append(key)
        return self.values[key]
    def put(self, key, value):
        if key in self.values:
            self.order.remove(key)
        elif len(self.values) == self.capacity:
            del self.values[self.order.popleft()]
        self.values[key] = value
        self.order.append(key)
";
    const CHAIN: &str = "class LRUCache:
    def __init__(self, capacity):
        self.capacity, self.head, self.count = capacity, None, 0
    def take(self, key):
        before, node = None, self.head
        while node is not None and node[0] != key:
            before, node = node, node[2]
        if node is not None:
            self.count -= 1
            if before is None:
                self.head = node[2]
            else:
                before[2] = node[2]
        return node
    def get(self, key):
        node = self.take(key)
        if node is None:
            return -1
        self.put(key, node[1])
        return node[1]
    def put(self, key, value):
        self.take(key)
        if self.count == self.capacity:
            before, node = None, self.head
            while node[2] is not None:
                before, node = node, node[2]
            if before is None:
                self.head = None
            else:
                before[2] = None
            self.count -= 1
        self.head = [key, value, self.head]
        self.count += 1
";
    const ARRAY: &str = "class LRUCache {
  constructor(capacity) { this.capacity = capacity; this.keys = []; this.values = new Map(); }
  get(key) {
    const at = this.keys.indexOf(key);
    if (at < 0) return -1;
    this.keys.splice(at, 1);
    this.keys.push(key);
    return this.values.get(key);
  }
  put(key, value) {
    const at = this.keys.indexOf(key);
    if (at >= 0) this.keys.splice(at, 1);
    else if (this.keys.length === this.capacity) this.values.delete(this.keys.shift());
    this.keys.push(key);
    this.values.set(key, value);
  }
}
module.exports = { LRUCache };
";
    let evaluator = evaluator(Limits::submission());
    let package = find("lru_cache").unwrap();
    let suite = package.suite();
    let told = |code: &[u8], language| {
        let submission =
            Submission { problem: &package.problem, suite: &suite, code, file_path: "a", language };
        let points = evaluator.probe(&submission, &Cancel::new().unwrap()).unwrap().unwrap();
        let sizes: Vec<_> = points.iter().map(|point| point.size).collect();
        assert_eq!(sizes, package.problem.growth.as_ref().unwrap().sizes);
        (growth(&points), points)
    };
    let right = |path: &str| {
        let path = format!("submissions/accepted/{path}");
        package.programs.iter().find(|program| program.path == path).unwrap()
    };
    let mut expected = vec![
        (DEQUE.as_bytes(), Language::Python, Growth::Linear),
        (CHAIN.as_bytes(), Language::Python, Growth::Linear),
    ];
    for (path, growth) in [
        ("linear_list.py", Growth::Linear),
        ("linked_list.py", Growth::Constant),
        ("ordered_dict.py", Growth::Constant),
        ("plain_dict.py", Growth::Constant),
    ] {
        expected.push((&right(path).source, Language::Python, growth));
    }
    if has_node(&evaluator) {
        expected.push((ARRAY.as_bytes(), Language::Javascript, Growth::Linear));
        for path in ["linked_list.js", "map_order.js"] {
            expected.push((&right(path).source, Language::Javascript, Growth::Constant));
        }
    }
    for (code, language, expected) in expected {
        let (told, points) = told(code, language);
        // A machine that is busy may leave it open; nothing wrong is said.
        let code = String::from_utf8_lossy(code);
        assert!([expected, Growth::Unclear].contains(&told), "{told:?} {points:?} {code}");
    }
}

pub(super) fn judge(
    evaluator: &Evaluator,
    package: &Package,
    suite: &Suite,
    program: &Program,
) -> Result<Evaluation, Refusal> {
    let submission = submission(package, suite, program);
    evaluator.evaluate(&submission, &Cancel::new().unwrap(), &mut |_, _| ())
}

fn submission<'a>(package: &'a Package, suite: &'a Suite, program: &'a Program) -> Submission<'a> {
    Submission {
        problem: &package.problem,
        suite,
        code: &program.source,
        file_path: &program.path,
        language: program.language,
    }
}

pub(super) fn evaluator(limits: Limits) -> Evaluator {
    let places = ToolPaths {
        sandbox: Some(sandbox()),
        search_path: std::env::var_os("PATH"),
        ..ToolPaths::default()
    };
    Evaluator::with_limits(places, limits)
}
