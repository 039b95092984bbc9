//! What happened, in the sentences that every kind tells it with.

use vosim_protocol::v1::drill::{EvalAborted, EvalResult, HintGiven};

/// A file was taken for judging; `how` it was submitted.
pub(crate) fn submission(number: u32, path: &str, how: &str) -> String {
    format!("Submission {number}: {path} {how}.")
}

/// The judge's answer.
pub(crate) fn verdict(result: &EvalResult) -> String {
    let total = result.tests_passed + result.tests_failed;
    let (number, class) = (result.attempt_number, result.failure_type);
    let passed = result.tests_passed;
    format!("Submission {number}: {class}, {passed} of {total} tests passed.")
}

/// There is none.
pub(crate) fn not_judged(aborted: &EvalAborted) -> String {
    let (number, reason) = (aborted.attempt_number, &aborted.reason);
    format!("Submission {number} could not be judged and does not count: {reason}")
}

/// A hint.
pub(crate) fn hint(given: &HintGiven) -> String {
    format!("Hint of level {}: {}", given.hint_level, given.hint_text)
}
