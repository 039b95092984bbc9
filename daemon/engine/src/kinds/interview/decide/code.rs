//! The candidate's code: submitted, run with own cases, watched.
//!
//! A submission has the grace of its section too, although 001 5.2 speaks of messages: a candidate
//! who submits a second late has finished just like one who speaks a second late. Such a
//! submission belongs to the coding section, is marked late, and is judged. Own tests are no
//! answers and have no grace.

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::interview::{
    CandidateCodeSubmission, Event, OWN_CALLS_MAX, Origin, OwnTestsStarted, SolutionUnwatched,
    SolutionWatched,
};

use vosim_protocol::v1::judging::OWN_CASES_MAX;
use vosim_protocol::v1::problem::{Language, Op};
use vosim_protocol::{BlobRef, Time};

use super::bounds::{WRITTEN_MAX_BYTES, coding, room};
use crate::kinds::interview::section::Contents;
use crate::kinds::interview::state::{Draft, State};
use crate::parts::admission::{self, at_most, bound};
use crate::rejection::Rejection;

pub(super) fn submit(
    draft: &mut Draft<'_>,
    file_path: &str,
    code: &BlobRef,
    language: Language,
    again: bool,
) -> Result<(), Rejection> {
    let state = draft.state();
    let (section, late) = judged_in(state, draft.at())?;
    if !state.judging.is_empty() {
        return Err(Rejection::InvalidTransition {
            command: "submit",
            because: "a submission is being judged",
            next: vec![Next::wait_and_see("its verdict", Action::Status)],
        });
    }
    if state.capture().is_some() {
        return Err(Rejection::InvalidTransition {
            command: "submit",
            because: "the watched file is being read as it stood when the section ended",
            next: vec![Next::wait("it to be read")],
        });
    }
    admission::file(&state.spec.problem, file_path, code, language)?;
    room(state)?;
    admission::work(&state.spec.problem, code, again)?;
    let earlier = admission::earlier(&state.submissions, code, again)?;
    let submission = CandidateCodeSubmission {
        section_id: section.plan(&state.spec.schema).id.clone(),
        attempt_number: state.next_submission(),
        file_path: file_path.to_owned(),
        code_hash: code.hash,
        line_count: code.line_count,
        bytes: code.bytes,
        language,
        origin: Origin::Candidate,
        captured_late: false,
        untaken: None,
        repeated: earlier.is_some(),
        late,
        until_deadline_micros: section.deadline.micros_since(draft.at()),
    };
    draft.push(Event::CandidateCodeSubmission(submission));
    Ok(())
}

/// Where a submission belongs, and whether it is late: the grace after an expired section is for
/// the file as it is for the message that was under way (001 5.2).
fn judged_in(state: &State, at: Time) -> Result<(&Contents, bool), Rejection> {
    let coded = |section: &Contents| section.plan(&state.spec.schema).coding;
    let late = state.in_grace().filter(|(section, until)| at <= *until && coded(section));
    match late {
        Some((section, _)) => Ok((section, true)),
        None => coding(state, "submit").map(|section| (&section.contents, false)),
    }
}

pub(super) fn test(
    draft: &mut Draft<'_>,
    file_path: &str,
    code: &BlobRef,
    language: Language,
    cases: &[Vec<Op>],
) -> Result<(), Rejection> {
    let state = draft.state();
    let section = coding(state, "run own tests")?;
    if state.testing.is_some() {
        return Err(Rejection::InvalidTransition {
            command: "run own tests",
            because: "the last ones are still being run",
            next: vec![Next::wait_and_see("them", Action::Status)],
        });
    }
    admission::file(&state.spec.problem, file_path, code, language)?;
    room(state)?;
    let ops: usize = cases.iter().map(Vec::len).sum();
    if cases.is_empty() || cases.iter().any(Vec::is_empty) {
        return Err(Rejection::InvalidInput {
            message: "there is no case to run, or an empty one".to_owned(),
            next: vec![Next::edit(format!(
                "name one, a run of {}",
                state.spec.problem.interface.calls()
            ))],
        });
    }
    at_most("the list", "cases", cases.len() as u64, OWN_CASES_MAX)?;
    at_most("the list", "operations", ops as u64, OWN_CALLS_MAX)?;
    let started = OwnTestsStarted {
        section_id: section.plan(&state.spec.schema).id.clone(),
        file_path: file_path.to_owned(),
        code_hash: code.hash,
        line_count: code.line_count,
        bytes: code.bytes,
        language,
        cases: cases.to_vec(),
    };
    let written = vosim_protocol::Wire::to_line(&started).len() as u64;
    bound("the text of the cases", written, WRITTEN_MAX_BYTES)?;
    draft.push(Event::OwnTestsStarted(started));
    Ok(())
}

pub(super) fn watch(
    draft: &mut Draft<'_>,
    file_path: &str,
    language: Language,
) -> Result<(), Rejection> {
    let state = draft.state();
    admission::path(&state.spec.problem, file_path, language)?;
    if state.coding_ended().is_some() {
        return Err(Rejection::InvalidTransition {
            command: "watch a file",
            because: "the section in which code is judged has ended",
            next: vec![Next::run("see the question of this section", Action::Status)],
        });
    }
    if !file_path.starts_with('/') {
        return Err(Rejection::InvalidInput {
            message: format!("the path {file_path:?} is not absolute"),
            next: vec![Next::edit("name the file by its whole path")],
        });
    }
    room(state)?;
    let before = state.watch.as_ref().map(|watch| watch.watched.file_path.clone());
    let instead_of = before.filter(|before| before != file_path);
    let file_path = file_path.to_owned();
    draft.push(Event::SolutionWatched(SolutionWatched { file_path, language, instead_of }));
    Ok(())
}

pub(super) fn unwatch(draft: &mut Draft<'_>) -> Result<(), Rejection> {
    if draft.state().watch.is_none() || draft.state().capture().is_some() {
        return Err(Rejection::InvalidTransition {
            command: "stop watching",
            because: "no file is watched",
            next: vec![Next::run("watch one", Action::Watch)],
        });
    }
    let unwatched = SolutionUnwatched { reason: None, not_submitted: None, untaken: None };
    draft.push(Event::SolutionUnwatched(unwatched));
    Ok(())
}
