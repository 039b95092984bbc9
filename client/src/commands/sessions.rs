//! `list` and `use`: the sessions there are, and which one is current.

use std::collections::BTreeSet;

use vosim_protocol::v1::service::{List, ListParams, ListResult, SessionParams, Use};
use vosim_protocol::{Head, Outcome};

use crate::cli::{self, Named, ResultWanted};
use crate::client::Client;
use crate::commands::Context;
use crate::errors::{Exit, Failure};
use crate::render::sessions as screens;

pub(crate) fn list(args: &cli::List, context: &Context) -> Result<Exit, Failure> {
    let mut result = pages(&mut context.client()?)?;
    let there = !result.sessions.is_empty();
    result.sessions.retain(|head| is_wanted(head, args));
    if there && result.sessions.is_empty() {
        context
            .output
            .screen(|_| "No session is like that. All of them: vosimctl list\n".to_owned())?;
        return Ok(Exit::Done);
    }
    result.sessions.iter().try_for_each(|head| context.output.json(head))?;
    context.output.screen(|look| screens::list(&result, look))?;
    Ok(Exit::Done)
}

/// Whether a list that is narrowed shows a session.
fn is_wanted(head: &Head, args: &cli::List) -> bool {
    let standing = head.standing.as_ref();
    let problem = standing.map(|standing| &standing.problem);
    args.kind.is_none_or(|kind| kind == head.kind)
        && args.problem.as_ref().is_none_or(|wanted| problem == Some(wanted))
        && args.state.as_deref().is_none_or(|state| is_in(head, state))
        && args.result.is_none_or(|wanted| came_to(head, wanted))
}

/// Whether a session is in a state, or in a phase of its kind.
fn is_in(head: &Head, state: &str) -> bool {
    match state {
        "open" => !head.ended,
        "ended" => head.ended,
        phase => head.phase == phase.replace([' ', '-'], "_"),
    }
}

/// Whether a session has come to a result; one that goes on is taken by its last submission.
fn came_to(head: &Head, wanted: ResultWanted) -> bool {
    let outcome = head.finished.as_ref().map(|finished| finished.outcome);
    let last = head.standing.as_ref().and_then(|last| Some((last.tests_passed?, last.tests?)));
    let passed = last.map(|(passed, of)| passed == of);
    match wanted {
        ResultWanted::Solved => match outcome {
            Some(outcome) => !matches!(outcome, Outcome::Failed | Outcome::Abandoned),
            None => passed == Some(true),
        },
        ResultWanted::Unaided => outcome == Some(Outcome::Unaided),
        ResultWanted::Hinted => outcome == Some(Outcome::Hinted),
        ResultWanted::Assisted => outcome == Some(Outcome::Assisted),
        ResultWanted::Level4 => outcome == Some(Outcome::Level4),
        ResultWanted::Failed => match outcome {
            Some(outcome) => outcome == Outcome::Failed,
            None => passed == Some(false),
        },
        ResultWanted::Abandoned => outcome == Some(Outcome::Abandoned),
        ResultWanted::None => last.is_none(),
    }
}

/// Asks page by page until all are there. A session that begins meanwhile moves the pages on by
/// one, so what comes a second time is left out.
pub(crate) fn pages(client: &mut Client) -> Result<ListResult, Failure> {
    let mut all = ListResult { sessions: Vec::new(), current: None, total: 0 };
    let (mut seen, mut skip) = (BTreeSet::new(), 0);
    loop {
        let page = client.call::<List>(&ListParams { skip })?;
        skip += page.sessions.len() as u64;
        (all.current, all.total) = (page.current, page.total);
        let nothing_came = page.sessions.is_empty();
        all.sessions.extend(page.sessions.into_iter().filter(|head| seen.insert(head.session_id)));
        if nothing_came || skip >= page.total {
            return Ok(all);
        }
    }
}

pub(crate) fn make_current(args: &Named, context: &Context) -> Result<Exit, Failure> {
    let params = SessionParams { session: Some(args.named.clone()) };
    let head = context.client()?.call::<Use>(&params)?;
    let current = Some(head.session_id);
    let result = ListResult { sessions: vec![head], current, total: 1 };
    context.output.data(&result.sessions[0], |look| screens::list(&result, look))?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use vosim_protocol::{Finished, Kind};

    use super::*;
    use crate::render::samples;

    #[test]
    fn a_list_is_narrowed_by_kind_problem_state_and_result() {
        let all = samples::sessions().sessions;
        let found =
            |args: cli::List| -> Vec<_> { all.iter().map(|head| is_wanted(head, &args)).collect() };
        let any = || cli::List { kind: None, problem: None, state: None, result: None };
        let problem = |id: &str| Some(id.parse().unwrap());
        let state = |state: &str| Some(state.to_owned());
        assert_eq!(found(any()), [true, true]);
        assert_eq!(found(cli::List { kind: Some(Kind::Task), ..any() }), [false, false]);
        assert_eq!(found(cli::List { problem: problem("lru_cache"), ..any() }), [true, true]);
        assert_eq!(found(cli::List { problem: problem("other"), ..any() }), [false, false]);
        assert_eq!(found(cli::List { state: state("open"), ..any() }), [true, false]);
        assert_eq!(found(cli::List { state: state("ended"), ..any() }), [false, true]);
        assert_eq!(found(cli::List { state: state("awaiting-action"), ..any() }), [true, false]);
        let result = |wanted| found(cli::List { result: Some(wanted), ..any() });
        assert_eq!(result(ResultWanted::Solved), [false, true]);
        assert_eq!(result(ResultWanted::Hinted), [false, true]);
        assert_eq!(result(ResultWanted::Unaided), [false, false]);
        assert_eq!(result(ResultWanted::Failed), [true, false]);
        assert_eq!(result(ResultWanted::None), [false, false]);
    }

    #[test]
    fn how_a_session_ended_counts_more_than_its_last_submission() {
        let mut head = samples::sessions().sessions.swap_remove(0);
        let problem = head.standing.as_ref().unwrap().problem.clone();
        head.finished = Some(Finished { problem, outcome: Outcome::Abandoned });
        assert!(came_to(&head, ResultWanted::Abandoned) && !came_to(&head, ResultWanted::Failed));
    }
}
