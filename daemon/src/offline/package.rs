//! Checks a problem package for its author: runs all its programs and reads its texts.
//!
//! A package is proved when each program ends as the package says it does. Nothing is changed.

use std::fmt::Write as _;
use std::path::Path;

use vosim_protocol::v1::service::ProvedProgram;

use crate::content::{Package, lint, prove};
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

/// Reads a problem package and has all its programs judged.
pub fn check(dir: &Path, evaluator: &Evaluator) -> anyhow::Result<CheckedPackage> {
    let package = Package::from_dir(dir)?;
    let suite = package.suite();
    let programs = prove(&package, |program| {
        let file_path = Path::new(&program.path).file_name().unwrap_or_default().to_string_lossy();
        let submission = Submission {
            problem: &package.problem,
            suite: &suite,
            code: &program.source,
            file_path: &file_path,
            language: program.language,
        };
        let cancel = Cancel::new().map_err(|error| error.to_string())?;
        evaluator
            .evaluate(&submission, &cancel, &mut |_, _| ())
            .map_err(|refusal| refusal.to_string())
    });
    let findings = lint(&package).iter().map(ToString::to_string).collect();
    Ok(CheckedPackage { title: package.problem.title, findings, programs })
}
