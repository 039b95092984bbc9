//! Fills the few placeholders of a problem's own texts.

use crate::parts::verdict::Verdict;

/// Puts figures of a verdict into a feedback text: `{passed}`, `{failed}`, `{total}`, `{first}`
/// (the first test that did not pass) and `{limit}`. Anything else stays as it is.
pub fn fill(template: &str, verdict: &Verdict) -> String {
    let limit = verdict.limit.as_ref().map_or("", |limit| limit.value.as_str());
    let first = verdict.failing_tests.first().map_or("", String::as_str);
    template
        .replace("{passed}", &verdict.tests_passed.to_string())
        .replace("{failed}", &verdict.tests_failed.to_string())
        .replace("{total}", &(verdict.tests_passed + verdict.tests_failed).to_string())
        .replace("{limit}", limit)
        .replace("{first}", first)
}
