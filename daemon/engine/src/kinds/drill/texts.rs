//! The problem's own texts for a drill: what is right as it stands, before any model words it.

use vosim_protocol::v1::judging::EvalResult;

use vosim_protocol::v1::problem::Issue;

use super::state::State;
use crate::parts::hints::SUBMISSIONS_FOR_LEVEL_3;
use crate::parts::verdict;
use crate::parts::words::{self, SOLUTION_MAX_BYTES};

/// The offer of 000 from five submissions on: pseudocode, or going on.
const OFFER: &str = "\n\nWould you like pseudocode as a hint, or to try again?";

/// The reference solution, in the language of the last submission (DECISIONS 18).
pub(super) fn solution(state: &State) -> String {
    let solutions = &state.spec.problem.solutions;
    let last = state.submissions.last();
    let text = last.and_then(|submission| solutions.get(&submission.result.language));
    let text = text.or_else(|| solutions.values().next()).cloned().unwrap_or_default();
    words::cut(text, SOLUTION_MAX_BYTES)
}

/// Feedback on a verdict that has just been taken.
pub(super) fn feedback(state: &State, result: &EvalResult) -> String {
    let verdict = verdict::classify(&result.evaluation);
    let Some(id) = &result.issue else {
        return verdict::fill(&state.spec.problem.praise, &verdict);
    };
    let template = issue(state, id).map_or("", |issue| issue.feedback.as_str());
    let text = verdict::fill(template, &verdict);
    if offers_pseudocode(state) { text + OFFER } else { text }
}

fn offers_pseudocode(state: &State) -> bool {
    let level = state.hints.last().map_or(0, |hint| hint.request.hint_level);
    state.hint_context(false).submissions >= SUBMISSIONS_FOR_LEVEL_3 && level < 3
}

fn issue<'a>(state: &'a State, id: &str) -> Option<&'a Issue> {
    state.spec.problem.issues.iter().find(|issue| issue.id == id)
}
