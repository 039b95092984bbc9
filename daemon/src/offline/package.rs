//! Checks a problem package for its author: runs all its programs and reads its texts.
//!
//! A package is proved when each program ends as the package says it does, with the package's own cases
//! and with as many draws of hidden inputs as are asked for. Nothing is changed.

use std::fmt::Write as _;
use std::path::Path;

use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::problem::Suite;
use vosim_protocol::v1::service::ProvedProgram;

use crate::content::{Package, Program, check_ops, compare, lint, prove};
use crate::evaluator::{Cancel, Evaluator, Submission};

/// The result of checking a problem package.
#[derive(Debug)]
pub struct CheckedPackage {
    /// The problem's title.
    pub title: String,
    /// What its texts should do better, one finding each.
    pub findings: Vec<String>,
    /// The programs, with their results.
    pub programs: Vec<ProvedProgram>,
}

impl CheckedPackage {
    /// Whether every program gave the promised result and the texts have no findings.
    pub fn proved(&self) -> bool {
        self.findings.is_empty() && self.programs.iter().all(|program| program.ok)
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
    Ok(CheckedPackage { title: package.problem.title, findings, programs })
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
