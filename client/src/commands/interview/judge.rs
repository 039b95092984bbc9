//! `submit`, `test` and `hint` in an interview: the session takes note of each.

use std::time::Duration;

use vosim_protocol::v1::judging::{EvalAborted, EvalResult};

use vosim_protocol::v1::hints::HintGiven;
use vosim_protocol::v1::interview::{
    AllowedAction, CandidateCodeSubmission, Command, OwnTestsAborted, OwnTestsResult, View,
};
use vosim_protocol::v1::judging::OWN_CASES_MAX;
use vosim_protocol::v1::problem::{Interface, Language, Op};
use vosim_protocol::v1::service::{Accepted, OwnCase};
use vosim_protocol::{ErrorCode, EventId, SessionId};

use crate::case_syntax::{EXAMPLE, called, calls_of, misfit};
use crate::cli;
use crate::client::Client;
use crate::code_file::CodeFile;
use crate::commands::Context;
use crate::commands::call::{payload, problem_of};
use crate::commands::interview::sending::{receipt, send};
use crate::commands::interview::wait::{Awaited, wait_for};
use crate::errors::{Exit, Failure, user_error};
use crate::follow;
use crate::render::drill as verdicts;

/// How long nothing at all may be heard of a run; its own limits are shorter.
const VERDICT: Awaited = Awaited { what: "a verdict", patience: Duration::from_secs(120) };
const OWN: Awaited =
    Awaited { what: "the result of your cases", patience: Duration::from_secs(120) };
const HINT: Awaited = Awaited { what: "the hint", patience: Duration::from_secs(60) };

pub(crate) fn submit(
    client: &mut Client,
    view: &View,
    file: CodeFile,
    args: &cli::Submit,
    context: &Context,
) -> Result<Exit, Failure> {
    let output = context.output;
    let accepted = send_code(client, view.session_id, file, args.again)?;
    client.catch_interrupts()?;
    receipt("Your submission", &accepted, view, output)?;
    let passed = match verdict(client, &accepted, context) {
        Ok(result) => result.passed,
        Err(Failure::Interrupted) => {
            output.progress_done();
            let flag = context.session_flag();
            output.note(&format!(
                "Detached; the evaluation continues. See the result with: vosimctl {flag}result"
            ));
            false
        }
        Err(failure) => return Err(failure),
    };
    Ok(if args.exit_code && !passed { Exit::Fixable } else { Exit::Done })
}

/// Sends a file for judging.
pub(crate) fn send_code(
    client: &mut Client,
    session: SessionId,
    file: CodeFile,
    again: bool,
) -> Result<Accepted, Failure> {
    let CodeFile { path, language, code, .. } = file;
    let submit = Command::Submit { file_path: path, code: code.reference(), language, again };
    send(client, session, &submit, vec![code])
}

/// Waits for the verdict and shows it.
fn verdict(
    client: &mut Client,
    accepted: &Accepted,
    context: &Context,
) -> Result<EvalResult, Failure> {
    let mut submission = None;
    for record in &accepted.events {
        let submitted = payload::<CandidateCodeSubmission>(record, "CANDIDATE_CODE_SUBMISSION")?;
        submission = submitted.map(|code| code.attempt_number).or(submission);
    }
    let card = problem_of(client, accepted.session_id)?;
    context.output.progress("Running ...");
    let result = wait_for(client, accepted, VERDICT, context.output, |record| {
        if let Some(aborted) = payload::<EvalAborted>(record, "EVAL_ABORTED")?
            && Some(aborted.attempt_number) == submission
        {
            return Err(follow::aborted(&aborted.reason));
        }
        let result = payload::<EvalResult>(record, "EVAL_RESULT")?;
        Ok(result.filter(|result| Some(result.attempt_number) == submission))
    })?;
    context.output.screen(|look| verdicts::result(&result, &card.cases, look))?;
    Ok(result)
}

pub(crate) fn test(
    client: &mut Client,
    view: &View,
    file: CodeFile,
    cases: Vec<OwnCase>,
    context: &Context,
) -> Result<OwnTestsResult, Failure> {
    let card = problem_of(client, view.session_id)?;
    // Where nothing can be run now, the daemon's reason comes first.
    let cases = match view.allowed_actions.contains(&AllowedAction::Code) {
        true => operations(cases, &card.interface)?,
        false => cases.into_iter().map(|case| case.ops).collect(),
    };
    let CodeFile { path, language, code, .. } = file;
    let accepted = send_cases(client, view.session_id, (path, language), code, cases)?;
    receipt("Your run", &accepted, view, context.output)?;
    let asked = accepted.events.iter().find(|record| record.event_type == "OWN_TESTS_STARTED");
    let asked = asked.map(|record| record.event_id);
    let ours = |request: EventId| Some(request) == asked;
    let result = wait_for(client, &accepted, OWN, context.output, |record| {
        if let Some(aborted) = payload::<OwnTestsAborted>(record, "OWN_TESTS_ABORTED")?
            && ours(aborted.request)
        {
            return Err(follow::aborted(&aborted.reason));
        }
        let result = payload::<OwnTestsResult>(record, "OWN_TESTS_RESULT")?;
        Ok(result.filter(|result| ours(result.request)))
    })?;
    context.output.screen(|look| verdicts::tested(&result.evaluation, &card.cases, look))?;
    Ok(result)
}

fn send_cases(
    client: &mut Client,
    session: SessionId,
    (file_path, language): (String, Language),
    code: vosim_protocol::Blob,
    cases: Vec<Vec<Op>>,
) -> Result<Accepted, Failure> {
    let test = Command::Test { file_path, code: code.reference(), language, cases };
    send(client, session, &test, vec![code])
}

/// The cases as the session takes them: some, not too many, and each fits the problem.
fn operations(cases: Vec<OwnCase>, interface: &Interface) -> Result<Vec<Vec<Op>>, Failure> {
    let refused = |message: String| user_error(ErrorCode::InvalidCase, message);
    match cases.len() {
        0 => return Err(refused("no case of your own was given".to_owned()).hint(EXAMPLE)),
        1..=OWN_CASES_MAX => {}
        count => {
            return Err(refused(format!(
                "{count} cases were given; at most {OWN_CASES_MAX} are possible in one run"
            )));
        }
    }
    let fits = |OwnCase { name, ops }: OwnCase| match misfit(interface, &ops) {
        None => Ok(ops),
        Some(reason) => {
            Err(refused(format!("{} does not fit the problem: {reason}", called(&name)))
                .hint(format!("Its calls are: {}", calls_of(interface))))
        }
    };
    cases.into_iter().map(fits).collect()
}

pub(crate) fn hint(client: &mut Client, view: &View, context: &Context) -> Result<Exit, Failure> {
    let accepted = send(client, view.session_id, &Command::Hint {}, Vec::new())?;
    client.catch_interrupts()?;
    receipt("Your hint request", &accepted, view, context.output)?;
    let mut given = None;
    for record in &accepted.events {
        given = payload::<HintGiven>(record, "HINT_GIVEN")?.or(given);
    }
    let given = match given {
        Some(given) => given,
        None => wait_for(client, &accepted, HINT, context.output, |record| {
            payload::<HintGiven>(record, "HINT_GIVEN")
        })?,
    };
    context.output.screen(|look| verdicts::hint(&given, look))?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spelling::Spelling;

    #[test]
    fn a_run_takes_between_one_and_64_cases() {
        let interface = crate::render::samples::card().interface;
        let case = || OwnCase { name: "own case 1".to_owned(), ops: vec![] };
        let told = |n: usize| {
            let cases = std::iter::repeat_with(case).take(n).collect();
            operations(cases, &interface)
                .map(|cases| cases.len())
                .map_err(|failure| failure.to_string())
        };
        assert_eq!(told(0), Err("no case of your own was given".to_owned()));
        assert_eq!(told(1), Ok(1));
        assert_eq!(told(64), Ok(64));
        assert_eq!(
            told(65),
            Err("65 cases were given; at most 64 are possible in one run".to_owned())
        );
    }

    #[test]
    fn a_slip_in_a_case_is_the_user_s_to_mend() {
        let case = crate::case_syntax::parse("own case 2", "LRUCache(1) frob(1)").unwrap();
        let refused = operations(vec![case], &crate::render::samples::card().interface);
        let object = refused.unwrap_err().text(Spelling::CommandLine).unwrap();
        insta::assert_snapshot!(format!("{}\n{}", object.message, object.hint.unwrap()), @"
        own case 2 does not fit the problem: call 2, frob, is not one of its calls
        Its calls are: LRUCache(capacity), get(key), put(key, value)
        ");
    }
}
