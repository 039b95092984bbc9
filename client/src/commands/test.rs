//! `test`: the visible cases and the user's own, without any submission being counted.

use std::time::Duration;

use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::service::{
    OwnCase, PROGRESS, ProblemShow, ProblemShowParams, ProblemTest, ProblemTestParams,
    ProgressNotice,
};

use crate::any_view::AnyView;
use crate::case_syntax::{self, OWN_CASE};
use crate::cli;
use crate::client::Client;
use crate::code_file::CodeFile;
use crate::commands::session::named;
use crate::commands::{Context, interview};
use crate::connection::Notice;
use crate::errors::{Exit, Failure};
use crate::files::unreadable;
use crate::follow::read;
use crate::output::Output;
use crate::render::drill as screens;
use crate::render::progress;

/// Longer than any run's own limits, with some time to wait for its turn.
const RUN: Duration = Duration::from_secs(120);

pub(crate) fn run(args: &cli::Test, context: &Context) -> Result<Exit, Failure> {
    let file = CodeFile::read(&args.file, args.language)?;
    let cases = own_cases(args)?;
    let mut client = context.client()?;
    // Another problem than the session's is not the session's to take note of.
    if args.problem.is_none()
        && let AnyView::Interview(view) = named(&mut client, context)?
    {
        let result = interview::test(&mut client, &view, file, cases, context)?;
        let passed = result.failed == 0;
        return Ok(if args.exit_code && !passed { Exit::Fixable } else { Exit::Done });
    }
    let trial = Trial { problem: args.problem.clone(), session: context.session.clone(), cases };
    let evaluation = trial.run(&mut client, file, context.output)?;
    let passed = evaluation.cases.iter().all(|case| case.outcome.passed())
        && crate::render::evaluation::load(&evaluation.load).is_none();
    Ok(if args.exit_code && !passed { Exit::Fixable } else { Exit::Done })
}

/// What a file is tried against.
#[derive(Debug)]
pub(crate) struct Trial {
    pub(crate) problem: Option<String>,
    pub(crate) session: Option<String>,
    pub(crate) cases: Vec<OwnCase>,
}

impl Trial {
    /// Runs the cases and shows what became of them.
    pub(crate) fn run(
        &self,
        client: &mut Client,
        file: CodeFile,
        output: Output,
    ) -> Result<Evaluation, Failure> {
        self.run_while(client, file, output, || true)?.ok_or_else(Failure::lost)
    }

    /// The same until the verdict is no longer wanted; then there is none.
    pub(crate) fn run_while(
        &self,
        client: &mut Client,
        file: CodeFile,
        output: Output,
        wanted: impl FnMut() -> bool,
    ) -> Result<Option<Evaluation>, Failure> {
        let Self { problem, session, cases } = self;
        let params = ProblemTestParams {
            problem: problem.clone(),
            session: session.clone(),
            file_path: file.path,
            code: file.code,
            language: file.language,
            cases: cases.clone(),
        };
        let on_notice = |notice: &Notice| {
            if notice.method == PROGRESS
                && let Ok(progress) = read::<ProgressNotice>(notice)
            {
                output.progress(&progress::line(&progress, output.look()));
            }
        };
        let evaluation = client.call_while::<ProblemTest>(&params, RUN, on_notice, wanted);
        output.progress_done();
        let Some(evaluation) = evaluation? else { return Ok(None) };
        let card = ProblemShowParams { problem: problem.clone(), session: session.clone() };
        let infos = client.call::<ProblemShow>(&card)?.cases;
        output.data(&evaluation, |look| screens::tested(&evaluation, &infos, look))?;
        Ok(Some(evaluation))
    }
}

fn own_cases(args: &cli::Test) -> Result<Vec<OwnCase>, Failure> {
    let numbered = args.cases.iter().enumerate();
    let mut cases = numbered
        .map(|(i, text)| case_syntax::parse(&format!("{OWN_CASE} {}", i + 1), text))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(path) = &args.file_of_cases {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
        cases.extend(case_syntax::parse_file(&shown, &text)?);
    }
    Ok(cases)
}
