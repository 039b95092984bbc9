//! Checks that a package makes sense, as the engine and the evaluator rely on afterwards.

mod coaching;
mod interface;
mod issues;
mod limits;
mod rules;
mod suite;

use std::collections::BTreeSet;

use vosim_protocol::v1::problem::{Interface, Op, Suite};

use super::files::ContentError;
use super::layout::{HINTS, STATEMENT, TEMPLATES, VERDICTS};
use super::package::{Package, ProgramRole};

/// Longest statement, bytes.
const STATEMENT_BYTES_MAX: usize = 64 << 10;

/// Returns the first mistake, file by file.
pub(super) fn package(package: &Package, suite: &Suite) -> Result<(), ContentError> {
    let problem = &package.problem;
    if problem.statement.trim().is_empty() || problem.statement.len() > STATEMENT_BYTES_MAX {
        return Err(ContentError::invalid(STATEMENT, "text", "must be 1 byte to 64 KiB"));
    }
    interface::check(problem)?;
    suite::check(problem, suite)?;
    limits::check(problem, suite)?;
    issues::check(problem)?;
    languages(package)?;
    promises(package)?;
    rules::check(package)?;
    coaching::check(&package.coaching)
}

/// Checks that calls, such as those of a user's own case, can be made through an interface. The
/// text names the first one that cannot, counted from 1. Expected results may be left open.
pub fn check_ops(interface: &Interface, ops: &[Op]) -> Result<(), String> {
    if ops.is_empty() {
        return Err("has no calls".to_owned());
    }
    suite::calls(interface, ops).map_err(|(at, problem)| format!("call {}: {problem}", at + 1))
}

/// Checks that every language offered has a solution to show and one to prove.
fn languages(package: &Package) -> Result<(), ContentError> {
    let problem = &package.problem;
    if problem.starters.is_empty() {
        return Err(ContentError::invalid(TEMPLATES, "folder", "has no starter file"));
    }
    for language in problem.starters.keys() {
        if !problem.solutions.contains_key(language) {
            let key = format!("solution.{language}");
            return Err(ContentError::invalid(HINTS, key, "is missing"));
        }
        let right = |role: ProgramRole| role == ProgramRole::Right;
        if !package.programs.iter().any(|p| p.language == *language && right(p.role)) {
            let problem = format!("no accepted program in {language}");
            return Err(ContentError::invalid(VERDICTS, "submissions/accepted", problem));
        }
    }
    Ok(())
}

fn promises(package: &Package) -> Result<(), ContentError> {
    let total = package.problem.cases.len();
    let issues: BTreeSet<_> = package.problem.issues.iter().map(|i| i.id.as_str()).collect();
    for program in &package.programs {
        let wrong = |problem: String| ContentError::invalid(VERDICTS, &program.path, problem);
        let promise = &program.promise;
        if promise.passed.is_some_and(|passed| passed as usize > total) {
            return Err(wrong(format!("passed is more than the {total} cases")));
        }
        if let Some(issue) = promise.issue.as_deref().filter(|issue| !issues.contains(issue)) {
            return Err(wrong(format!("there is no issue '{issue}'")));
        }
    }
    Ok(())
}
