//! Failing runs of the shipped packages' wrong programs, made as short as they will go.

use vosim_protocol::v1::effect::Trace;
use vosim_protocol::v1::problem::{Language, Op};
use vosim_sandbox_spec::Limits;

use super::judged::{evaluator, has_node, judge, of_every_package};
use crate::content::{Package, Program, ProgramRole, check_ops, find};
use crate::evaluator::{self, Cancel, Differing, Evaluator, public_run, public_runs};

/// Most calls of the shortest run of a wrong LRU cache, where there is one as short as that.
const CALLS_MAX: usize = 10;
/// These fail only when they hold more than a hundred keys, or after a thousand calls.
const LONG: [&str; 4] =
    ["hundred_at_most.py", "hundred_at_most.js", "large_only.py", "wrong_after_many.py"];

/// What a failing submission leads to: the first test that failed, made short; none where the file
/// cannot be loaded.
fn shrunk(evaluator: &Evaluator, package: &Package, program: &Program) -> Option<Trace> {
    let suite = package.suite();
    let evaluation = judge(evaluator, package, &suite, program).unwrap();
    let failed = evaluation.cases.iter().find(|case| !case.outcome.passed())?;
    let run = public_run(&package.problem, &suite, &failed.name).unwrap();
    shrink(evaluator, package, program, run)
}

fn shrink(
    evaluator: &Evaluator,
    package: &Package,
    program: &Program,
    run: &[Op],
) -> Option<Trace> {
    let Program { source, path, language, .. } = program;
    let (guide, draw) = (package.guide(), package.draw(0));
    let differing = Differing {
        problem: &package.problem,
        program: evaluator::Contender { code: source, file_path: path, language: *language },
        right: evaluator::Contender {
            code: guide.reference.as_bytes(),
            file_path: "reference.py",
            language: Language::Python,
        },
        known: &public_runs(&package.problem, &package.suite()),
        draw: draw.as_ref(),
        check: check_ops,
    };
    evaluator.shrink(differing, run, &Cancel::new().unwrap()).unwrap()
}

/// A trace ends on the one call that differs, and its run fails when it is made again.
fn holds(evaluator: &Evaluator, package: &Package, program: &Program, trace: &Trace) {
    let what = format!("{}, {}: {:#?}", package.problem.id, program.path, trace.lines());
    let marked: Vec<_> = trace.calls.iter().map(|call| call.differs).collect();
    assert!(marked.ends_with(&[true]) && marked.iter().filter(|it| **it).count() == 1, "{what}");
    let last = trace.calls.last().unwrap();
    assert!(last.actual.is_some() && last.actual != last.expected, "{what}");
    if !trace.ops.is_empty() {
        let again = shrink(evaluator, package, program, &trace.ops).unwrap();
        assert!(again.calls.len() <= trace.calls.len(), "{what}");
    }
}

fn is_wrong(program: &Program) -> bool {
    program.role != ProgramRole::Right && !program.uses_its_limits_up()
}

#[test]
fn wrong_lru_caches_are_shown_in_ten_calls_at_most() {
    let soak = std::env::var_os("VOSIM_SOAK").is_some();
    let evaluator = evaluator(Limits::submission());
    let node = has_node(&evaluator);
    let package = find("lru_cache").unwrap();
    // What its entries, its keys, its order, an exception and its words are about.
    let few = ["shared_entries.py", "keys_in_buckets.py", "get_keeps_order.js", "full_raises.py"];
    for program in package.programs.iter().filter(|program| is_wrong(program)) {
        let name = program.path.rsplit('/').next().unwrap();
        let chosen = soak || few.contains(&name);
        if !chosen || (!node && program.language == Language::Javascript) {
            continue;
        }
        let Some(trace) = shrunk(&evaluator, &package, program) else {
            assert!(name.contains("while_loading"), "{}", program.path);
            continue;
        };
        let short = trace.omitted == 0 && trace.calls.len() <= CALLS_MAX;
        assert!(short || LONG.contains(&name), "{}: {:#?}", program.path, trace.lines());
        assert!(!trace.cut_short || LONG.contains(&name), "{}", program.path);
        holds(&evaluator, &package, program, &trace);
    }
}

#[test]
fn the_same_failure_is_always_told_in_the_same_calls() {
    let evaluator = evaluator(Limits::submission());
    let package = find("loan_desk").unwrap();
    let mut wrong = package.programs.iter().filter(|program| is_wrong(program));
    let program = wrong.find(|program| program.language == Language::Python).unwrap();
    let first = shrunk(&evaluator, &package, program).unwrap();
    assert_eq!(shrunk(&evaluator, &package, program).unwrap(), first);
}

/// A long round, since there are hundreds of them.
#[test]
fn every_wrong_program_is_shown_call_by_call_in_a_long_round() {
    if std::env::var_os("VOSIM_SOAK").is_none() {
        return;
    }
    let evaluator = evaluator(Limits::submission());
    let node = has_node(&evaluator);
    of_every_package(|package| {
        for program in package.programs.iter().filter(|program| is_wrong(program)) {
            if !node && program.language == Language::Javascript {
                continue;
            }
            if let Some(trace) = shrunk(&evaluator, package, program) {
                holds(&evaluator, package, program, &trace);
            }
        }
    });
}
