//! Proves the invariants of a package: runs bear out the right choices, and refute the others.

use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::problem::Suite;
use vosim_protocol::v1::service::ProvedInvariant;

use crate::content::{Package, Program, ProgramRole};
use crate::evaluator::{self, Cancel, Evaluator, ProvedWith};

/// Has the invariants of a package asked on runs of its right and its wrong programs (003: PLAN), of
/// those that shall be run.
pub(crate) fn invariants(
    package: &Package,
    suite: &Suite,
    (evaluator, cancel): (&Evaluator, &Cancel),
    run: impl Fn(&Program) -> bool,
) -> Result<Vec<ProvedInvariant>, String> {
    if package.coaching.checker.is_empty() {
        return Ok(Vec::new());
    }
    let sources: Vec<_> =
        package.programs.iter().map(|it| String::from_utf8_lossy(&it.source)).collect();
    let of = |wanted: fn(&Program) -> bool| -> Vec<ProvedWith<'_>> {
        let both = package
            .programs
            .iter()
            .zip(&sources)
            .filter(|(program, _)| wanted(program) && run(program));
        both.map(|(it, source)| ProvedWith { name: &it.path, language: it.language, source })
            .collect()
    };
    let right = of(|program| program.role == ProgramRole::Right);
    let wrong = of(answers_wrongly);
    let guide = package.guide();
    let proved =
        evaluator.prove_invariants(&package.problem, suite, &guide, &right, &wrong, cancel);
    let proved = proved.map_err(|refusal| refusal.to_string())?;
    Ok(proved.into_iter().map(told).collect())
}

/// Whether a program comes to an end and gives a wrong answer. The ones in Python are enough, since
/// those in other languages have the same mistakes.
fn answers_wrongly(program: &Program) -> bool {
    use vosim_protocol::v1::problem::Language;
    let class = program.promise.failure_type;
    program.role == ProgramRole::Wrong
        && program.language == Language::Python
        && matches!(class, FailureType::WrongAnswer | FailureType::PartialPass)
        && !program.uses_its_limits_up()
}

/// The wrong programs that no invariant notices.
pub(super) fn unnoticed(package: &Package, proved: &[ProvedInvariant]) -> Vec<String> {
    let noticed = |path: &String| proved.iter().any(|one| one.catches.contains(path));
    let wrong = package.programs.iter().filter(|program| answers_wrongly(program));
    let paths = wrong.map(|program| program.path.clone()).filter(|path| !noticed(path));
    if proved.is_empty() { Vec::new() } else { paths.collect() }
}

/// What runs say of an invariant, in words.
fn told(proved: evaluator::ProvedInvariant) -> ProvedInvariant {
    let evaluator::ProvedInvariant { template, holds, contradicted_by, unrefuted, others, catches } =
        proved;
    let mut faults = Vec::new();
    if let Some((program, run)) = contradicted_by {
        faults.push(format!("{program} contradicts the right choices in {run}"));
    } else if holds == 0 {
        faults.push("no run of a right program says anything of it".to_owned());
    }
    faults.extend(
        unrefuted.iter().map(|(gap, choice)| format!("no run refutes {gap} = \"{choice}\"")),
    );
    let ok = faults.is_empty();
    let got = if ok {
        format!(
            "holds in {holds} runs of right programs, runs refute all {others} other choices, notices \
             {} wrong programs",
            catches.len()
        )
    } else {
        faults.join("; ")
    };
    ProvedInvariant { invariant: template, got, catches, ok }
}
