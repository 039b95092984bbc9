//! `test` in an interview: the session takes note of it.

use std::time::Duration;

use vosim_protocol::Role;
use vosim_protocol::v1::interview::{AllowedAction, Command, OwnTestsResult, Tested};
use vosim_protocol::v1::problem::Op;
use vosim_protocol::v1::service::{OwnCase, ProblemCard};

use crate::any_view::AnyView;
use crate::case_syntax::operations;
use crate::client::Client;
use crate::code_file::CodeFile;
use crate::commands::interview::sending::{give, receipt};
use crate::commands::settle::{Awaited, ended_before};
use crate::commands::{Context, session};
use crate::errors::Failure;
use crate::follow;
use crate::render::drill as verdicts;

/// How long nothing at all may be heard of a run; its own limits are shorter.
const OWN: Awaited =
    Awaited { what: "the result of your cases", patience: Duration::from_secs(120) };

pub(crate) fn test(
    client: &mut Client,
    card: &ProblemCard,
    file: CodeFile,
    cases: Vec<OwnCase>,
    context: &Context,
) -> Result<OwnTestsResult, Failure> {
    let raw: Vec<Vec<Op>> = cases.iter().map(|case| case.ops.clone()).collect();
    let cases = match operations(cases, &card.interface) {
        // Where nothing can be run now, the daemon's reason comes first.
        Err(_) if !takes_code(client, context)? => raw,
        cases => cases?,
    };
    let CodeFile { path: file_path, language, code, .. } = file;
    let test = Command::Test { file_path, code: code.reference(), language, cases };
    let given = give(client, &test, vec![code], context)?;
    receipt("Your run", &given.accepted, context.output)?;
    match given.settled(client, OWN, context.output, |_| Ok(()))? {
        Some(Tested::Cases(result)) => {
            let evaluation = &result.evaluation;
            context.output.screen(|look| verdicts::tested(evaluation, &card.cases, look))?;
            Ok(result)
        }
        Some(Tested::Aborted(aborted)) => Err(follow::aborted(&aborted.reason)),
        None => Err(ended_before(OWN.what)),
    }
}

/// Whether code can be run in the interview now.
fn takes_code(client: &mut Client, context: &Context) -> Result<bool, Failure> {
    Ok(match session::find(client, context.session.clone(), Role::Candidate)? {
        AnyView::Interview(view) => view.allowed_actions.contains(&AllowedAction::Code),
        AnyView::Drill(_) | AnyView::Attempt(_) | AnyView::Task(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spelling::Spelling;

    #[test]
    fn a_run_takes_between_one_and_64_cases() {
        let interface = crate::render::samples::card().interface;
        let case = || OwnCase { name: "own case 1".to_owned(), ops: vec![], by_reference: false };
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
    fn who_gives_no_case_is_told_how_one_is_written_and_with_which_calls() {
        let refused = operations(Vec::new(), &crate::render::samples::card().interface);
        let object = refused.unwrap_err().text(Spelling::CommandLine).unwrap();
        assert_eq!(
            object.hint.unwrap(),
            "Write it like: --case 'LRUCache(1) put(1,1) get(1)==1', with the calls of the \
             problem: LRUCache(capacity), get(key), put(key, value)"
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
