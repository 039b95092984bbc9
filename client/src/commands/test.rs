//! `test`: the visible cases and the user's own, without any submission being counted.

use vosim_protocol::Kind;
use vosim_protocol::v1::service::OwnCase;

use crate::case_syntax::{self, OWN_CASE};
use crate::cli;
use crate::commands::{Context, interview, package, session};
use crate::errors::{Exit, Failure};
use crate::files::text_file;
use crate::render::drill as screens;
use crate::render::progress;
use crate::trial::Trial;

/// Largest file of cases that is read.
const CASES_MAX_BYTES: u64 = 1024 * 1024;

pub(crate) fn run(args: &cli::Test, context: &Context) -> Result<Exit, Failure> {
    let tried = &args.tried;
    let cases = own_cases(tried)?;
    let problem = package::named(args.problem.as_deref())?;
    let named = (tried.file.as_deref(), tried.language);
    let (mut client, _, file) = session::with_file(named, problem.as_deref(), context)?;
    let trial = Trial { problem, session: context.session.clone(), cases: Vec::new() };
    let card = trial.card(&mut client)?;
    // Another problem than the session's is not the session's to take note of.
    if card.kind == Some(Kind::Interview) {
        let result = interview::test(&mut client, &card, file, cases, context)?;
        let passed = result.failed == 0;
        return Ok(if args.exit_code && !passed { Exit::Fixable } else { Exit::Done });
    }
    let output = context.output;
    let on_progress = |progress| output.progress(&progress::line(&progress, output.look()));
    let evaluation = Trial { cases, ..trial }.with_kept(&mut client, &card);
    let evaluation = evaluation.and_then(|trial| trial.run(&mut client, file, on_progress));
    output.progress_done();
    let evaluation = evaluation?;
    output.data(&evaluation, |look| screens::tested(&evaluation, &card.cases, look))?;
    let passed = evaluation.cases.iter().all(|case| case.outcome.passed())
        && crate::render::evaluation::load(&evaluation.load).is_none();
    Ok(if args.exit_code && !passed { Exit::Fixable } else { Exit::Done })
}

/// The cases that are given along, and those of a file.
pub(crate) fn own_cases(args: &cli::Tried) -> Result<Vec<OwnCase>, Failure> {
    let numbered = args.cases.iter().enumerate();
    let mut cases = numbered
        .map(|(i, text)| case_syntax::parse(&format!("{OWN_CASE} {}", i + 1), text))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(path) = &args.file_of_cases {
        let shown = path.display().to_string();
        let text = text_file(path, "a file of cases", CASES_MAX_BYTES)?;
        cases.extend(case_syntax::parse_file(&shown, &text)?);
    }
    Ok(cases)
}
