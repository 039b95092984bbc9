//! Hidden inputs drawn by the shipped packages' generators, in the sandbox (DECISIONS 41).

use std::collections::BTreeSet;
use std::sync::Arc;

use vosim_needs::sandbox;
use vosim_protocol::v1::problem::{CaseData, Suite};
use vosim_sandbox_spec::Limits;

use super::judged::{evaluator, has_node, judge, of_every_package};
use crate::content::{Package, ProgramRole, check_ops, compare, find};
use crate::evaluator::{Cancel, Evaluator, Refusal, ToolPaths};

/// Judging what takes its whole time is tried with so many seeds in a long round.
const SEEDS_OF_SLOW: u64 = 2;
const SEEDS_IN_SOAK: u64 = 50;
/// Of the programs that are not right, every so many is judged in a short round; in their order the
/// languages take turns, so both are among them.
const EACH: usize = 3;

fn draw(evaluator: &Evaluator, package: &Package, seed: u64) -> Result<Suite, Refusal> {
    let draw = package.draw(seed).unwrap();
    let cancel = Cancel::new().unwrap();
    evaluator.draw(&draw, &package.problem, package.suite(), check_ops, &cancel)
}

fn drawn(package: &Package, seed: u64) -> Suite {
    draw(&evaluator(Limits::submission()), package, seed).unwrap()
}

fn lru_cache() -> Arc<Package> {
    find("lru_cache").unwrap()
}

#[test]
fn every_program_keeps_its_promise_whatever_is_drawn() {
    let soak = std::env::var_os("VOSIM_SOAK").is_some();
    let seeds = if soak { SEEDS_IN_SOAK } else { 1 };
    let evaluator = evaluator(Limits { cpu_ms: 3_000, idle_ms: 2_000, ..Limits::submission() });
    let node = has_node(&evaluator);
    of_every_package(|package| {
        for seed in (1..=seeds).take_while(|_| package.generator.is_some()) {
            let suite = draw(&evaluator, package, seed).unwrap();
            for (at, program) in package.programs.iter().enumerate() {
                let chosen = soak || program.role == ProgramRole::Right || at % EACH == 0;
                let skipped = !chosen
                    || (program.uses_its_limits_up() && (!soak || seed > SEEDS_OF_SLOW))
                    || (!node && program.language.extension() == "js");
                if skipped {
                    continue;
                }
                let judged = judge(&evaluator, package, &suite, program);
                let judged = judged.map_err(|refusal| refusal.to_string());
                let proved = compare(&package.problem.issues, program, judged);
                assert!(proved.ok, "{}, seed {seed}: {proved:?}", package.problem.id);
            }
        }
    });
}

#[test]
fn two_sessions_share_no_hidden_input_and_all_that_is_named() {
    let package = &*lru_cache();
    let embedded = package.suite();
    let (one, same, other) = (drawn(package, 1), drawn(package, 1), drawn(package, 2));
    assert_eq!(one, same, "a seed says all");
    let mut renewed = 0;
    for (at, info) in package.problem.cases.iter().enumerate() {
        let [was, one, other] = [&embedded, &one, &other].map(|suite| &suite.cases[at]);
        assert_eq!((&one.name, &one.twin, &other.twin), (&info.name, &was.twin, &was.twin));
        // What 000 fixes and what may be shown stays.
        if info.visible || info.name == "test_deterministic_random" {
            assert_eq!([&one.ops, &other.ops], [&was.ops, &was.ops], "{}", info.name);
            continue;
        }
        renewed += 1;
        for (first, second) in [(was, one), (was, other), (one, other)] {
            let (all, shared) = (inputs(first), inputs(second));
            let shared = all.intersection(&shared).count();
            assert!(shared * 50 <= all.len(), "{}: {shared} of {}", info.name, all.len());
        }
    }
    assert_eq!(renewed, 5);
}

/// The different calls that store something.
fn inputs(case: &CaseData) -> BTreeSet<String> {
    let stored = case.ops.iter().filter(|op| op.call == "put");
    stored.map(|op| serde_json::to_string(&op.args).unwrap()).collect()
}

/// Plays without the reference what it has answered.
#[test]
fn the_answers_to_drawn_inputs_are_those_of_a_model() {
    for seed in 0..3 {
        for case in drawn(&lru_cache(), seed).cases {
            assert!(case.ops.iter().any(|op| op.expect.is_some()), "{}", case.name);
            super::lru_cache::replay(&case.name, &case.ops);
        }
    }
}

#[test]
fn a_generator_that_does_not_do_its_part_is_named_with_its_fault() {
    let evaluator = evaluator(Limits { cpu_ms: 1_000, idle_ms: 1_000, ..Limits::submission() });
    let package = &*lru_cache();
    let told = |generator: &str, reference: &str| {
        let mut draw = package.draw(1).unwrap();
        generator.clone_into(&mut draw.generator);
        if !reference.is_empty() {
            reference.clone_into(&mut draw.reference);
        }
        let cancel = Cancel::new().unwrap();
        let drawn = evaluator.draw(&draw, &package.problem, package.suite(), check_ops, &cancel);
        drawn.unwrap_err().to_string()
    };
    let gives = |given: &str| format!("def generate(seed):\n    return {given}\n");
    for (generator, fault) in [
        ("", "generate is not defined"),
        ("def generate(): pass", "needed generate(seed)"),
        ("def generate(seed): return 1 / 0", "ZeroDivisionError"),
        ("def generate(seed):\n    while True: pass", "did not come to its end"),
        (&*gives("[1]"), "gives no calls by the names of cases"),
        (&*gives("{'test_basic_put_get': [['LRUCache', [2]]]}"), "no hidden case of this name"),
        (&*gives("{'test_all_same_key': [['get', [2]]]}"), "must construct the class"),
        (&*gives("{'test_all_same_key': [['LRUCache', [1]], ['get', [2], 2]]}"), "gives answers"),
        (&*gives("{'test_all_same_key': [['LRUCache', [1]], ['fetch', [2]]]}"), "no 'fetch'"),
    ] {
        let why = told(generator, "");
        assert!(why.starts_with("the problem's generator failed: "), "{why}");
        assert!(why.contains(fault), "{fault}: {why}");
    }
    let one = gives("{'test_all_same_key': [['LRUCache', [1]], ['get', [2]]]}");
    let why = told(
        &one,
        "class LRUCache:\n    def __init__(self, capacity): 1 / 0\n    def get(self, key): pass\n    def put(self, key, value): pass\n",
    );
    assert!(why.starts_with("the problem's reference failed: ZeroDivisionError"), "{why}");
}

#[test]
fn without_python_nothing_is_drawn_and_the_reason_is_what_is_missing() {
    let places = ToolPaths {
        sandbox: Some(sandbox()),
        python: Some("/no/such/python3".into()),
        search_path: Some("/no/such/folder".into()),
        ..ToolPaths::default()
    };
    match draw(&Evaluator::new(places), &lru_cache(), 1) {
        Err(Refusal::Interpreter(why)) => assert!(why.contains("Python"), "{why}"),
        // The usual places of a system are looked at too.
        Ok(suite) => assert_eq!(suite, drawn(&lru_cache(), 1)),
        Err(other) => panic!("{other:?}"),
    }
}
