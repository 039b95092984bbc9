//! What a session makes of an ended evaluation: a verdict, or nothing that counts (DECISIONS 15).

use vosim_protocol::v1::effect::Failure;
use vosim_protocol::v1::evaluation::{Evaluation, FailureType};
use vosim_protocol::v1::judging::{EvalAborted, EvalResult};
use vosim_protocol::v1::problem::{GENERAL_ISSUE, Problem};

use crate::parts::verdict::{self, Verdict};
use crate::parts::words::{self, MESSAGE_MAX_BYTES};

/// The verdict on a submission, or the reason why it does not count.
pub fn judge(
    problem: &Problem,
    attempt_number: u32,
    outcome: Result<&Evaluation, &Failure>,
) -> Result<EvalResult, EvalAborted> {
    let reason = match outcome {
        Ok(evaluation) if of_this_problem(problem, evaluation) => {
            return Ok(result(problem, attempt_number, evaluation));
        }
        Ok(_) => "the evaluator answered about other tests",
        Err(failure) => &failure.reason,
    };
    let reason = words::cut(reason.to_owned(), MESSAGE_MAX_BYTES);
    Err(EvalAborted { attempt_number, reason })
}

/// A verdict speaks of all tests of the problem, in their order (DECISIONS 16).
fn of_this_problem(problem: &Problem, evaluation: &Evaluation) -> bool {
    let names = problem.cases.iter().map(|case| &case.name);
    evaluation.cases.iter().map(|case| &case.name).eq(names)
}

fn result(problem: &Problem, attempt_number: u32, evaluation: &Evaluation) -> EvalResult {
    let evaluation = verdict::bounded(evaluation.clone());
    let verdict = verdict::classify(&evaluation);
    let passed = verdict.failure_type == FailureType::Pass;
    let issue = if passed { None } else { Some(issue_of(problem, &verdict)) };
    EvalResult {
        attempt_number,
        passed,
        failure_type: verdict.failure_type,
        tests_passed: verdict.tests_passed,
        tests_failed: verdict.tests_failed,
        failing_tests: verdict.failing_tests,
        exception: verdict.exception,
        runtime_ms: evaluation.runtime_ms,
        detail: verdict.detail,
        limit: verdict.limit,
        not_run: verdict.not_run,
        issue,
        evaluation: Box::new(evaluation),
    }
}

/// The issue a failing verdict is put down to; a problem's last one fits always.
fn issue_of(problem: &Problem, verdict: &Verdict) -> String {
    let issues = &problem.issues;
    let issue = verdict::issue(issues, verdict).or(issues.last());
    issue.map_or_else(|| GENERAL_ISSUE.to_owned(), |issue| issue.id.clone())
}

/// The rung of an issue's ladder, levels 1 to 3; empty where the problem has no such issue.
pub fn rung(problem: &Problem, issue: &str, level: u8) -> String {
    let rung = usize::from(level.saturating_sub(1)).min(2);
    let issue = problem.issues.iter().find(|known| known.id == issue);
    let text = issue.map_or_else(String::new, |issue| issue.hints[rung].clone());
    words::cut(text, words::TEXT_MAX_BYTES)
}
