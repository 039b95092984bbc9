//! The problem's own texts for a drill: what is right as it stands, before any model words it.

use vosim_protocol::phrase;
use vosim_protocol::v1::hints::SOLUTION_LEVEL;
use vosim_protocol::v1::judging::EvalResult;
use vosim_protocol::v1::phrase::Phrase;

use super::state::State;
use crate::parts::hints::SUBMISSIONS_FOR_LEVEL_3;
use crate::parts::verdict;
use crate::parts::words::{self, SOLUTION_MAX_BYTES};

/// The reference solution, in the language of the last submission (DECISIONS 18).
pub(super) fn solution(state: &State) -> String {
    let solutions = &state.spec.problem.solutions;
    let last = state.submissions.last();
    let text = last.and_then(|submission| solutions.get(&submission.result.language));
    let text = text.or_else(|| solutions.values().next()).cloned().unwrap_or_default();
    words::cut(text, SOLUTION_MAX_BYTES)
}

/// Feedback on a verdict that has just been taken: what the run left, the issue it is put down to, the
/// small run that shows it, and what is offered.
pub(super) fn feedback(state: &State, result: &EvalResult) -> String {
    let problem = &state.spec.problem;
    let Some(id) = &result.issue else {
        return verdict::fill(&problem.praise, problem, &result.evaluation);
    };
    let issue = problem.issues.iter().find(|issue| issue.id == *id);
    let template = issue.map_or("", |issue| issue.feedback.as_str());
    let text = verdict::fill(template, problem, &result.evaluation);
    let verdict = verdict::classify(&result.evaluation);
    let shown = issue.and_then(|issue| verdict::evidence(&problem.runs, issue, &verdict));
    let behind = shown.into_iter().chain(offer(state, id)).map(|phrase| phrase.text);
    [text].into_iter().chain(behind).collect::<Vec<_>>().join("\n\n")
}

/// What is offered beside going on: from five submissions on pseudocode (000), from seven on the
/// reference solution, each until it has been had.
fn offer(state: &State, issue: &str) -> Option<Phrase> {
    let context = state.hint_context(issue);
    let had = context.last_hint.is_some_and(|(_, level)| level >= 3);
    let pseudocode = context.submissions >= SUBMISSIONS_FOR_LEVEL_3 && !had;
    let mut given = state.hints.given();
    let shown = given.any(|hint| hint.request.hint_level == SOLUTION_LEVEL);
    match (pseudocode, context.offers_solution() && !shown) {
        (true, true) => Some(phrase!("offer.both")),
        (true, false) => Some(phrase!("offer.pseudocode")),
        (false, true) => Some(phrase!("offer.solution")),
        (false, false) => None,
    }
}
