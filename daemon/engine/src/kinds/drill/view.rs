//! What a terminal may show of a drill: the same for every role, but for what it may ask for.

use vosim_protocol::v1::drill::{Command, Phase, View};
use vosim_protocol::{Role, Time};

use crate::parts::permission::permitted;

use super::state::{Stage, State};

/// The view at a time.
pub(super) fn view(state: &State, role: Role, at: Time) -> View {
    let (until, ended) = match &state.stage {
        Stage::Done { at, ended } => (*at, Some(ended.clone())),
        Stage::Presented | Stage::Evaluating(_) | Stage::Awaiting => (at, None),
    };
    let evaluating = match &state.stage {
        Stage::Evaluating(submission) => Some(submission.submitted.attempt_number),
        Stage::Presented | Stage::Awaiting | Stage::Done { .. } => None,
    };
    let (history, history_omitted) = state.submissions.newest();
    View {
        session_id: state.id,
        problem_id: state.spec.problem.id.clone(),
        title: state.spec.problem.title.clone(),
        phase: state.phase(),
        started: state.started,
        duration_seconds: until.secs_since(state.started),
        submissions: state.submissions.count(),
        evaluating,
        last_result: state.submissions.last().map(|submission| submission.result.clone()),
        best_tests_passed: state.submissions.best_passed(),
        hint_levels: state.hints.given().map(|hint| hint.request.hint_level).collect(),
        history,
        history_omitted,
        growth: state.probes.latest().cloned(),
        variation: state.variation.as_ref().map(|(_, asked)| asked.clone()),
        ended,
        allowed: permitted::<Command>(role, &allowed(state)),
    }
}

fn allowed(state: &State) -> Vec<&'static str> {
    let commands: &[&'static str] = match state.phase() {
        Phase::ProblemPresented => &["submit", "end"],
        Phase::Evaluating => &["end"],
        Phase::AwaitingAction if state.submissions.solved() || state.hints.pending().is_some() => {
            &["submit", "end"]
        }
        Phase::AwaitingAction => &["submit", "hint", "give_up", "end"],
        Phase::Done => return Vec::new(),
    };
    let say = state.variation.as_ref().map(|_| "say");
    say.iter().chain(commands).copied().collect()
}
