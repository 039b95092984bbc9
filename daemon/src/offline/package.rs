//! Checks a problem package for its author: runs all its programs and reads its texts.
//!
//! A package is proved when each program ends as the package says it does, with the package's own cases
//! and with as many draws of hidden inputs as are asked for, and when runs bear out the right choices of
//! its invariants and refute the others. Nothing is changed.

use std::fmt::Write as _;
use std::path::Path;

use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::problem::Suite;
use vosim_protocol::v1::service::{ProvedInvariant, ProvedProgram};

use crate::content::{Package, Program, ProgramRole, check_ops, compare, lint, prove};
use crate::evaluator::{self, Cancel, Evaluator, ProvedWith, Submission};

/// The result of checking a problem package.
#[derive(Debug)]
pub struct CheckedPackage {
    /// The problem's title.
    pub title: String,
    /// What its texts should do better, one finding each.
    pub findings: Vec<String>,
    /// The programs, with their results.
    pub programs: Vec<ProvedProgram>,
    /// The invariants, with what runs say of them; or why they could not be asked.
    pub invariants: Result<Vec<ProvedInvariant>, String>,
    /// The wrong programs that no invariant notices.
    pub unnoticed: Vec<String>,
}

impl CheckedPackage {
    /// Whether every program gave the promised result, the invariants hold, and the texts have no
    /// findings.
    pub fn proved(&self) -> bool {
        let sound = |proved: &Vec<ProvedInvariant>| proved.iter().all(|one| one.ok);
        self.findings.is_empty()
            && self.programs.iter().all(|program| program.ok)
            && self.invariants.as_ref().is_ok_and(sound)
    }

    /// Tells the result to a person.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for ProvedProgram { program, promised, got, ok } in &self.programs {
            let word = if *ok { "ok  " } else { "FAIL" };
            // Writing to a string does not fail.
            writeln!(text, "{word} {program}: {got}").ok();
            if !ok {
                writeln!(text, "     expected: {promised}").ok();
            }
        }
        match &self.invariants {
            Ok(proved) => {
                for ProvedInvariant { invariant, got, ok, .. } in proved {
                    let word = if *ok { "ok  " } else { "FAIL" };
                    writeln!(text, "{word} invariant {invariant}: {got}").ok();
                }
            }
            Err(why) => {
                writeln!(text, "FAIL invariants: not checked: {why}").ok();
            }
        }
        if !self.unnoticed.is_empty() {
            writeln!(text, "note no invariant notices {}", self.unnoticed.join(", ")).ok();
        }
        for finding in &self.findings {
            writeln!(text, "TEXT {finding}").ok();
        }
        let good = self.programs.iter().filter(|program| program.ok).count();
        let proved = if self.proved() { "proved" } else { "not proved" };
        let total = self.programs.len();
        writeln!(text, "{}: {proved}, {good} of {total} programs as expected", self.title).ok();
        text
    }
}

/// Programs that use their time up are judged with so many draws at most.
const DRAWS_OF_SLOW: u64 = 2;

/// Reads a problem package and has all its programs judged, also with the hidden inputs of so many seeds.
pub fn check(dir: &Path, seeds: u64, evaluator: &Evaluator) -> anyhow::Result<CheckedPackage> {
    let package = Package::from_dir(dir)?;
    let suite = package.suite();
    let mut programs = prove(&package, |program| judge(evaluator, &package, &suite, program));
    for seed in 1..=if package.generator.is_some() { seeds } else { 0 } {
        let drawn = draw(evaluator, &package, seed);
        for (program, proved) in package.programs.iter().zip(&mut programs) {
            if !proved.ok || (seed > DRAWS_OF_SLOW && program.uses_its_limits_up()) {
                continue;
            }
            let judged = drawn.as_ref().map_err(String::clone);
            let judged = judged.and_then(|suite| judge(evaluator, &package, suite, program));
            let again = compare(&package.problem.issues, program, judged);
            if !again.ok {
                *proved =
                    ProvedProgram { got: format!("with seed {seed}: {}", again.got), ..again };
            }
        }
    }
    let findings = lint(&package).iter().map(ToString::to_string).collect();
    let invariants = invariants(&package, &suite, evaluator, |_| true);
    let unnoticed = invariants.as_ref().map(|proved| unnoticed(&package, proved));
    let unnoticed = unnoticed.unwrap_or_default();
    let title = package.problem.title;
    Ok(CheckedPackage { title, findings, programs, invariants, unnoticed })
}

/// Has the invariants of a package asked on runs of its right and its wrong programs (003: PLAN), of
/// those that shall be run.
pub(crate) fn invariants(
    package: &Package,
    suite: &Suite,
    evaluator: &Evaluator,
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
    let cancel = Cancel::new().map_err(|error| error.to_string())?;
    let guide = package.guide();
    let proved =
        evaluator.prove_invariants(&package.problem, suite, &guide, &right, &wrong, &cancel);
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

fn unnoticed(package: &Package, proved: &[ProvedInvariant]) -> Vec<String> {
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

fn judge(
    evaluator: &Evaluator,
    package: &Package,
    suite: &Suite,
    program: &Program,
) -> Result<Evaluation, String> {
    let file_path = Path::new(&program.path).file_name().unwrap_or_default().to_string_lossy();
    let submission = Submission {
        problem: &package.problem,
        suite,
        code: &program.source,
        file_path: &file_path,
        language: program.language,
    };
    let cancel = Cancel::new().map_err(|error| error.to_string())?;
    let judged = evaluator.evaluate(&submission, &cancel, &mut |_, _| ());
    judged.map_err(|refusal| refusal.to_string())
}

fn draw(evaluator: &Evaluator, package: &Package, seed: u64) -> Result<Suite, String> {
    let draw = package.draw(seed).ok_or("the package has no generator")?;
    let cancel = Cancel::new().map_err(|error| error.to_string())?;
    let drawn = evaluator.draw(&draw, &package.problem, package.suite(), check_ops, &cancel);
    drawn.map_err(|refusal| refusal.to_string())
}
