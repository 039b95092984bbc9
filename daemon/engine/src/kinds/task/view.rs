//! What is seen of a task.

use std::collections::BTreeMap;

use vosim_protocol::Time;
use vosim_protocol::v1::task::{FileLine, IterationSums, PendingApproval, View};

use super::state::{Edit, Pause, Pending, State};

/// Most iterations and files that a view shows one by one.
const SHOWN_MAX: usize = 40;

pub(super) fn view(state: &State, at: Time) -> View {
    let mut spent = state.spent;
    spent.wall_ms = state.wall_ms(at);
    let (earlier, newest) = state.past.split_at(state.past.len().saturating_sub(SHOWN_MAX));
    View {
        session_id: state.id,
        task: state.spec.task.clone(),
        language: state.spec.language,
        model: state.model.clone(),
        judged_by: state.spec.exam.as_ref().map(|exam| exam.session),
        workspace: state.spec.workspace.clone(),
        state: state.at,
        goes_on_in: state.back.map(|(state, _)| state),
        because: state.because,
        fault: state.fault.clone(),
        over: state.over,
        at,
        iteration: state.iteration(),
        until: state.until(),
        busy: state.effect().is_some(),
        pausing: matches!(state.pause, Some(Pause::Soon(_))),
        approval: approval(state),
        plan: state.plan.clone(),
        tests: state.tests.clone(),
        analysis: state.analysis.clone(),
        remembered: state.remembered.first().cloned(),
        warnings: state.warnings.clone(),
        circle: state.circle.as_ref().map(|found| found.circle),
        spent,
        caps: state.caps,
        run: state.run,
        files: files(&state.edits),
        test_edits: state.test_edits(),
        iterations: newest.iter().map(|one| (**one).clone()).collect(),
        earlier: earlier.iter().map(|one| IterationSums::from(&**one)).reduce(IterationSums::and),
    }
}

fn approval(state: &State) -> Option<PendingApproval> {
    match &state.pending {
        Some(Pending::Approval(event_id, finding, places)) => Some(PendingApproval {
            event_id: *event_id,
            finding: (**finding).clone(),
            places: *places,
        }),
        Some(Pending::Effect(..)) | None => None,
    }
}

/// The files that the agent has written and that are there, by name.
fn files(edits: &[Edit]) -> Vec<FileLine> {
    let mut files = BTreeMap::<&str, FileLine>::new();
    for Edit { written, .. } in edits {
        let path = written.path.as_str();
        let first = files.get(path).map_or(written.before.is_none(), |file| file.created);
        if written.after.is_some() {
            let (path, lines, created) = (written.path.clone(), written.lines, first);
            files.insert(&written.path, FileLine { path, lines, created });
        } else {
            files.remove(path);
        }
    }
    files.into_values().take(SHOWN_MAX).collect()
}
