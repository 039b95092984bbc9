//! Checks a problem package for its author: runs all its programs, reads its texts, and names the parts
//! that it does without. Writes one to begin with.

mod scaffold;

use std::fmt::Write as _;
use std::path::Path;

use vosim_protocol::ProblemId;
use vosim_protocol::v1::service::{ProvedInvariant, ProvedProgram};

use crate::content::{Package, catalog, missing};
use crate::evaluator::{Cancel, Evaluator};
use crate::proving::{Proven, prove};

pub use scaffold::{Form, write};

/// The result of checking a problem package.
#[derive(Debug)]
pub struct CheckedPackage {
    /// The problem's title.
    pub title: String,
    /// The programs and texts.
    pub proven: Proven,
    /// Its id where a problem that comes with vosim has it already.
    pub taken: Option<ProblemId>,
    /// The parts that it does without, and what is missing then.
    pub missing: Vec<String>,
}

impl CheckedPackage {
    /// Whether all is proved and the texts have no findings.
    pub fn flawless(&self) -> bool {
        self.proven.findings.is_empty() && self.proven.proved() && self.taken.is_none()
    }

    /// Tells the result to a person.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let Proven { programs, invariants, unnoticed, findings } = &self.proven;
        for ProvedProgram { program, promised, got, ok } in programs {
            let word = if *ok { "ok  " } else { "FAIL" };
            // Writing to a string does not fail.
            writeln!(text, "{word} {program}: {got}").ok();
            if !ok {
                writeln!(text, "     expected: {promised}").ok();
            }
        }
        match invariants {
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
        if let Some(id) = &self.taken {
            let advice = "give yours another one in .vosim/interface.toml";
            writeln!(text, "FAIL id {id}: a problem that comes with vosim has it; {advice}").ok();
        }
        if !unnoticed.is_empty() {
            writeln!(text, "note no invariant notices {}", unnoticed.join(", ")).ok();
        }
        for finding in findings {
            writeln!(text, "TEXT {finding}").ok();
        }
        for part in &self.missing {
            writeln!(text, "none {part}").ok();
        }
        let good = programs.iter().filter(|program| program.ok).count();
        let proved = match (self.proven.proved(), &self.taken) {
            (false, _) => "not proved",
            (true, Some(_)) => "proved, but its id is taken",
            (true, None) => "proved",
        };
        let total = programs.len();
        write!(text, "{}: {proved}, {good} of {total} programs as expected", self.title).ok();
        match findings.len() {
            0 => writeln!(text).ok(),
            1 => writeln!(text, ", 1 text to look at again").ok(),
            count => writeln!(text, ", {count} texts to look at again").ok(),
        };
        text
    }
}

/// Reads a problem package and has all its programs judged, also with the hidden inputs of so many seeds.
pub fn check(dir: &Path, seeds: u64, evaluator: &Evaluator) -> anyhow::Result<CheckedPackage> {
    let package = Package::from_dir(dir)?;
    let cancel = Cancel::new()?;
    let taken = catalog().is_mistaken_for(&package).then(|| package.problem.id.clone());
    let proven = prove(&package, seeds, (evaluator, &cancel), |_| Ok(()));
    Ok(CheckedPackage { taken, missing: missing(&package), title: package.problem.title, proven })
}
