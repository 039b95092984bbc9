//! Checks that the programs of a package keep their promises. The caller judges the programs.

use vosim_engine::parts::verdict::{self, Verdict};
use vosim_protocol::v1::evaluation::{Evaluation, FailureType};
use vosim_protocol::v1::problem::Issue;
use vosim_protocol::v1::service::ProvedProgram;

use super::package::{Package, Program};

/// Has every program judged, starters first, and compares. The package is proved if all agree.
///
/// A judge that fails says why in one sentence; that program then counts as not proved.
pub fn prove(
    package: &Package,
    mut judge: impl FnMut(&Program) -> Result<Evaluation, String>,
) -> Vec<ProvedProgram> {
    package
        .programs
        .iter()
        .map(|program| compare(&package.problem.issues, program, judge(program)))
        .collect()
}

/// Compares one program's promise with its verdict.
pub fn compare(
    issues: &[Issue],
    program: &Program,
    outcome: Result<Evaluation, String>,
) -> ProvedProgram {
    let (got, ok) = match outcome {
        Ok(evaluation) => {
            let verdict = verdict::classify(&evaluation);
            let issue = verdict::issue(issues, &verdict).filter(|_| !passes(&verdict));
            let issue = issue.map(|issue| issue.id.as_str());
            let slips: Vec<_> = passed_by(program, &verdict).map(String::as_str).collect();
            let mut got = sentence(&verdict, issue);
            if !slips.is_empty() {
                got = format!("{got}, and passes {}", slips.join(", "));
            }
            (got, keeps(program, &verdict, issue))
        }
        Err(reason) => (format!("not judged: {reason}"), false),
    };
    ProvedProgram { program: program.path.clone(), promised: program.promise.failure_type, got, ok }
}

fn keeps(program: &Program, verdict: &Verdict, issue: Option<&str>) -> bool {
    let promise = &program.promise;
    promise.failure_type == verdict.failure_type
        && promise.detail.is_none_or(|detail| verdict.detail == Some(detail))
        && promise.passed.is_none_or(|passed| verdict.tests_passed == passed)
        && promise.issue.as_deref().is_none_or(|promised| issue == Some(promised))
        && passed_by(program, verdict).next().is_none()
}

/// The cases of the rules that a program breaks which it passes all the same.
fn passed_by<'a>(program: &'a Program, verdict: &Verdict) -> impl Iterator<Item = &'a String> {
    let cases = program.promise.caught_by.iter();
    cases.filter(|case| !verdict.failing_tests.contains(case))
}

fn passes(verdict: &Verdict) -> bool {
    verdict.failure_type == FailureType::Pass
}

/// Returns a verdict in words, for example `EXCEPTION (time), 2/12, time_limit`.
fn sentence(verdict: &Verdict, issue: Option<&str>) -> String {
    let detail = verdict.detail.map(|detail| format!(" ({})", detail.word())).unwrap_or_default();
    let total = verdict.tests_passed + verdict.tests_failed;
    let issue = issue.map(|issue| format!(", {issue}")).unwrap_or_default();
    format!("{}{detail}, {}/{total}{issue}", verdict.failure_type, verdict.tests_passed)
}
