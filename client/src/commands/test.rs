//! `test`: the visible cases and the user's own, without any submission being counted.

use vosim_protocol::Kind;
use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::service::{OwnCase, ProblemCard};

use crate::case_syntax::{self, OWN_CASE};
use crate::cli;
use crate::client::Client;
use crate::code_file::CodeFile;
use crate::commands::{Context, interview};
use crate::errors::{Exit, Failure};
use crate::files::text_file;
use crate::output::Output;
use crate::render::drill as screens;
use crate::render::progress;
use crate::trial::Trial;

/// Largest file of cases that is read.
const CASES_MAX_BYTES: u64 = 1024 * 1024;

pub(crate) fn run(args: &cli::Test, context: &Context) -> Result<Exit, Failure> {
    let file = CodeFile::read(&args.file, args.language)?;
    let cases = own_cases(args)?;
    let mut client = context.client()?;
    let problem = args.problem.clone();
    let trial = Trial { problem, session: context.session.clone(), cases: Vec::new() };
    let card = trial.card(&mut client)?;
    // Another problem than the session's is not the session's to take note of.
    if card.kind == Some(Kind::Interview) {
        let result = interview::test(&mut client, &card, file, cases, context)?;
        let passed = result.failed == 0;
        return Ok(if args.exit_code && !passed { Exit::Fixable } else { Exit::Done });
    }
    let trial = Trial { cases, ..trial };
    let evaluation = try_out((&trial, &card), &mut client, file, context.output, || true)?;
    let evaluation = evaluation.ok_or_else(Failure::lost)?;
    let passed = evaluation.cases.iter().all(|case| case.outcome.passed())
        && crate::render::evaluation::load(&evaluation.load).is_none();
    Ok(if args.exit_code && !passed { Exit::Fixable } else { Exit::Done })
}

/// Runs the cases and shows what became of them, unless that is no longer wanted.
pub(crate) fn try_out(
    (trial, card): (&Trial, &ProblemCard),
    client: &mut Client,
    file: CodeFile,
    output: Output,
    wanted: impl FnMut() -> bool,
) -> Result<Option<Evaluation>, Failure> {
    let on_progress = |progress| output.progress(&progress::line(&progress, output.look()));
    let tried = trial.run(client, file, on_progress, wanted);
    output.progress_done();
    let Some(evaluation) = tried? else { return Ok(None) };
    output.data(&evaluation, |look| screens::tested(&evaluation, &card.cases, look))?;
    Ok(Some(evaluation))
}

fn own_cases(args: &cli::Test) -> Result<Vec<OwnCase>, Failure> {
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
