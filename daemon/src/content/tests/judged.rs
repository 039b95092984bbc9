//! The shipped packages proved for real: every program judged in the sandbox.

use vosim_needs::{Need, needs, sandbox};
use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::problem::{Language, Suite};
use vosim_sandbox_spec::Limits;

use crate::content::{Package, Program, catalog, prove};
use crate::evaluator::{Cancel, Evaluator, Refusal, Submission, ToolPaths};

#[test]
fn every_program_of_the_shipped_packages_keeps_its_promise() {
    // Less time than 000 grants: the promises name the limit, not its value.
    let limits = Limits { cpu_ms: 3_000, idle_ms: 2_000, ..Limits::submission() };
    let evaluator = evaluator(limits);
    let missing = !has_node(&evaluator);
    for package in catalog().list() {
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
        assert!(proved.iter().filter(|program| program.ok).count() >= 30, "{proved:#?}");
    }
}

/// Whether JavaScript can be judged.
#[track_caller]
fn has_node(evaluator: &Evaluator) -> bool {
    needs(Need::Node, evaluator.runtime(Language::Javascript)).is_some()
}

#[test]
fn the_growth_of_a_list_is_told_from_that_of_a_map() {
    let evaluator = evaluator(Limits::submission());
    let package = catalog().list().next().unwrap();
    let suite = package.suite();
    let times = |path: &str| {
        let program = package.programs.iter().find(|program| program.path == path).unwrap();
        let submission = submission(package, &suite, program);
        let points = evaluator.probe(&submission, &Cancel::new().unwrap()).unwrap().unwrap();
        let sizes: Vec<_> = points.iter().map(|point| point.size).collect();
        assert_eq!(sizes, package.problem.growth.as_ref().unwrap().sizes);
        points.last().unwrap().nanos as f64 / points[0].nanos as f64
    };
    // Sixteen times the size: a list takes about sixteen times as long, a map about as long.
    let (list, map) = (
        times("submissions/accepted/linear_list.py"),
        times("submissions/accepted/linked_list.py"),
    );
    assert!(list > 6.0, "list {list}, map {map}");
    assert!(map < 4.0, "list {list}, map {map}");
    if has_node(&evaluator) {
        for path in ["linked_list.js", "map_order.js"] {
            let map = times(&format!("submissions/accepted/{path}"));
            assert!(map < 4.0, "{path} {map}");
        }
    }
}

fn judge(
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

fn evaluator(limits: Limits) -> Evaluator {
    let places = ToolPaths {
        sandbox: Some(sandbox()),
        search_path: std::env::var_os("PATH"),
        ..ToolPaths::default()
    };
    Evaluator::with_limits(places, limits)
}
