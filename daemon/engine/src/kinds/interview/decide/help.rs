//! What a candidate asks for help with: the assistant, and hints.
//!
//! A hint in an interview stops at level 3, so the program of level 4 is never shown. The level is
//! chosen as in a drill (000, hint escalation policy). Hints are no answers and have no grace.

use vosim_protocol::BlobRef;
use vosim_protocol::blob::SUBMISSION_MAX_BYTES;
use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::hints::{HintGiven, HintRequested};
use vosim_protocol::v1::interview::{AssistantQuery, Event};

use super::bounds::{coding, open, room, text_of};
use crate::kinds::interview::state::{Draft, State};
use crate::parts::admission::bound;
use crate::parts::hints::HintLevel;
use crate::rejection::Rejection;

pub(super) fn ask(
    draft: &mut Draft<'_>,
    kind: AskKind,
    question: &str,
    code: Option<&BlobRef>,
) -> Result<(), Rejection> {
    let state = draft.state();
    // 001 8.1: a channel of its own. It names the section for the record and changes nothing in it.
    let section = open(state, "ask the assistant")?;
    if state.asked.is_some() {
        return Err(Rejection::InvalidTransition {
            command: "ask the assistant",
            because: "it is still answering the last question",
            next: vec![Next::wait_and_see("its answer", Action::Status)],
        });
    }
    text_of("the question", question)?;
    room(state)?;
    if let Some(code) = code {
        bound("the file", code.bytes, SUBMISSION_MAX_BYTES)?;
    } else if kind == AskKind::Code {
        return Err(Rejection::InvalidInput {
            message: "a question about your code needs the code".to_owned(),
            next: vec![Next::edit("name the file that it is about")],
        });
    }
    draft.push(Event::AssistantQuery(AssistantQuery {
        section_id: section.plan(&state.spec.schema).id.clone(),
        kind,
        question: question.to_owned(),
        code_hash: code.map(|code| code.hash),
        line_count: code.map(|code| code.line_count),
        bytes: code.map(|code| code.bytes),
    }));
    Ok(())
}

/// Hints as in a drill, but never the reference solution (001 8.2 disallows full solutions).
pub(super) fn hint(draft: &mut Draft<'_>) -> Result<(), Rejection> {
    let state = draft.state();
    let (number, issue) = failed(state)?;
    room(state)?;
    // 000, hint escalation policy: rules 1 to 4.
    let HintLevel::New(level, reason) = state.hint_context(&issue).level() else {
        return Err(Rejection::InvalidTransition {
            command: "request hint",
            because: "this hint has been given",
            next: vec![Next::run("see what has happened", Action::Log)],
        });
    };
    draft.push(Event::HintRequested(HintRequested {
        attempt_number: number,
        give_up: false,
        hint_level: level,
        trigger_reason: reason,
        issue,
    }));
    Ok(())
}

/// A hint that no rule raises is told again, and nothing happens.
pub(in crate::kinds::interview) fn recalled_hint(state: &State) -> Option<HintGiven> {
    let (_, issue) = failed(state).ok()?;
    match state.hint_context(&issue).level() {
        HintLevel::Again(level) => state.hints.told(&issue, level).cloned(),
        HintLevel::New(..) => None,
    }
}

/// The number and the issue of the submission that a hint would speak of, while code is written.
fn failed(state: &State) -> Result<(u32, String), Rejection> {
    coding(state, "request hint")?;
    if !state.judging.is_empty() {
        return Err(Rejection::InvalidTransition {
            command: "request hint",
            because: "a submission is being judged",
            next: vec![Next::wait_and_see("its verdict", Action::Status)],
        });
    }
    let Some(last) = state.submissions.last() else {
        return Err(Rejection::NothingSubmitted {
            command: "request hint",
            question: state.spec.problem.question.clone(),
        });
    };
    let Some(issue) = &last.issue else {
        // To end an interview is to leave it.
        let next = vec![Next::run("go on to the next section", Action::Done)];
        return Err(Rejection::AlreadyPassed { next });
    };
    if state.hints.pending().is_some() {
        return Err(Rejection::HintPending);
    }
    Ok((last.result.attempt_number, issue.clone()))
}
