//! `submit`: a file is judged; the command waits for the verdict and the feedback.
//!
//! Ctrl-C only stops the waiting: the run belongs to the daemon (DECISIONS 31).

use std::path::PathBuf;
use std::time::Duration;

use vosim_protocol::v1::attempt::{FailureTraced, OwnCasesRun};
use vosim_protocol::v1::commands::Commands as _;
use vosim_protocol::v1::drill::{AgentResponse, Command, Submitted};
use vosim_protocol::v1::judging::{EvalResult, Judged};
use vosim_protocol::v1::problem::CaseInfo;
use vosim_protocol::v1::service::DoParams;
use vosim_protocol::v1::talk::VariationAsked;
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{Kind, Role};

use crate::any_view::AnyView;
use crate::call::{named, payload, problem_of};
use crate::cli;
use crate::client::Client;
use crate::commands::interview::receipt;
use crate::commands::settle::{Awaited, Given, give};
use crate::commands::{Context, session};
use crate::errors::{Exit, Failure, code};
use crate::follow::{aborted, unjudged};
use crate::output::Output;
use crate::render::attempt::{completed, failing};
use crate::render::drill as screens;
use crate::render::look::{Icon, Look, Tone};
use crate::render::page::Page;
use crate::render::telling::sentence;

/// How long nothing at all may be heard of a run; its own limits are shorter.
const VERDICT: Awaited = Awaited { what: "a verdict", patience: Duration::from_secs(120) };

pub(crate) fn run(args: &cli::Submit, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    let meant = (args.file().map(PathBuf::as_path), args.language);
    let (mut client, _, file) = session::with_file(meant, None, context)?;
    let submit = Command::Submit {
        file_path: file.path,
        code: file.code.reference(),
        language: file.language,
        again: args.again,
    };
    // A submission has the same arguments in every kind that judges code.
    let params = named(context.session.as_deref(), None, submit.name());
    let params = DoParams { args: submit.args(), blobs: vec![file.code], ..params };
    let given = give(&mut client, params)?;
    client.catch_interrupts()?;
    receipt("Your submission", &given.accepted, output)?;
    if given.accepted.kind == Kind::Drill {
        let submitting = format!("Submitting code from: {}", file.shown);
        output.screen(|look| line(look, Icon::Submit, &submitting))?;
        output.screen(|look| line(look, Icon::Run, "Running evaluation..."))?;
    } else {
        output.progress("Running ...");
    }
    match wait_for_verdict(&mut client, &given, output) {
        Ok(passed) => Ok(exit(args, passed)),
        Err(Failure::Interrupted) => {
            output.progress_done();
            output.note(&detached(context));
            Ok(exit(args, false))
        }
        Err(failure) => Err(failure),
    }
}

/// A failing submission is a result, not an error (000: error handling).
fn exit(args: &cli::Submit, passed: bool) -> Exit {
    if args.exit_code && !passed { Exit::Fixable } else { Exit::Done }
}

fn detached(context: &Context) -> String {
    let flag = context.session_flag();
    format!(
        "Detached; the evaluation continues. See the result with: vosimctl {flag}result (or call it off \
         with: vosimctl {flag}cancel)"
    )
}

fn line(look: &Look, icon: Icon, text: &str) -> String {
    let mut page = Page::new(look);
    page.say(Tone::Plain, &format!("{}{text}", look.icon(icon)));
    page.finish()
}

/// Shows what becomes of an accepted submission; true for a pass.
fn wait_for_verdict(client: &mut Client, given: &Given, output: Output) -> Result<bool, Failure> {
    let card = problem_of(client, given.accepted.session_id)?;
    // A drill says something to each verdict, and measures a pass.
    if given.accepted.kind == Kind::Drill {
        return in_drill(client, given, &card.cases, output);
    }
    if given.accepted.kind == Kind::Attempt {
        return in_attempt(client, given, &card.cases, output);
    }
    let result: Option<Judged> = given.settled(client, VERDICT, output, |_| Ok(()))?;
    let result = verdict(result)?;
    output.screen(|look| screens::result(&result, &card.cases, look))?;
    Ok(result.passed)
}

fn verdict(judged: Option<Judged>) -> Result<EvalResult, Failure> {
    match judged {
        Some(Judged::Verdict(result)) => Ok(*result),
        Some(Judged::Aborted(told)) => Err(aborted(&told.reason)),
        None => Err(unjudged("the session was ended from another terminal")),
    }
}

/// The verdict is shown as it comes; then what became of the candidate's own cases, and the failure call
/// by call.
fn in_attempt(
    client: &mut Client,
    given: &Given,
    infos: &[CaseInfo],
    output: Output,
) -> Result<bool, Failure> {
    let mut passed = None;
    let result: Option<Judged> = given.settled(client, VERDICT, output, |record| {
        if let Some(result) = payload::<EvalResult>(record, "EVAL_RESULT")? {
            output.progress_done();
            passed = Some(result.passed);
            output.screen(|look| screens::result(&result, infos, look))?;
            output.progress("Looking for the shortest run that fails ...");
        } else if let Some(traced) = payload::<FailureTraced>(record, "FAILURE_TRACED")? {
            output.progress_done();
            output.screen(|look| failing::traced(&traced, look))?;
        } else if payload::<OwnCasesRun>(record, "OWN_CASES_RUN")?.is_some() {
            output.progress_done();
            output.screen(|look| sentence(record, Role::Candidate, look))?;
        }
        Ok(())
    })?;
    let passed = match passed {
        Some(passed) => passed,
        None => verdict(result)?.passed,
    };
    // An attempt of three steps is over with the pass.
    let session = given.accepted.session_id.to_string();
    if passed
        && let AnyView::Attempt(view) = session::find(client, Some(session), Role::Candidate)?
        && let Some(ended) = &view.ended
    {
        output.screen(|look| completed(ended, look))?;
    }
    Ok(passed)
}

/// The verdict, its feedback and the time per operation are shown as each of them comes.
fn in_drill(
    client: &mut Client,
    given: &Given,
    infos: &[CaseInfo],
    output: Output,
) -> Result<bool, Failure> {
    let mut shown = Shown { infos, output, judged: None };
    let settled = given.settled(client, VERDICT, output, |record| shown.event(record));
    let passed = shown.judged.map(|(_, passed)| passed);
    match (settled, passed) {
        (Ok(Some(Submitted { judged, growth, .. })), _) => {
            let result = verdict(Some(judged))?;
            if let Some(growth) = growth {
                output.screen(|look| format!("\n{}", screens::growth(&growth, look)))?;
            }
            output.screen(|look| screens::next_step(result.passed, look))?;
            Ok(result.passed)
        }
        (Ok(None), _) => Err(unjudged("the session was ended from another terminal")),
        // What is measured of a pass explains and decides nothing.
        (Err(failure), Some(true)) if failure.is(code::NO_ANSWER) => {
            let secs = VERDICT.patience.as_secs();
            output.note(&format!("The time per operation could not be measured within {secs} s."));
            output.screen(|look| screens::next_step(true, look))?;
            Ok(true)
        }
        (Err(failure), _) => Err(failure),
    }
}

/// What has been shown of a submission.
struct Shown<'i> {
    infos: &'i [CaseInfo],
    output: Output,
    /// Its number, and whether it passed.
    judged: Option<(u32, bool)>,
}

impl Shown<'_> {
    /// One submission is judged at a time, so the next verdict is its own.
    fn event(&mut self, record: &ToldRecord) -> Result<(), Failure> {
        let result = payload::<EvalResult>(record, "EVAL_RESULT")?;
        if let Some(result) = result.filter(|_| self.judged.is_none()) {
            self.output.progress_done();
            self.judged = Some((result.attempt_number, result.passed));
            return self.output.screen(|look| screens::result(&result, self.infos, look));
        }
        if payload::<VariationAsked>(record, "VARIATION_ASKED")?.is_some() {
            self.output.progress_done();
            let line = record.telling.as_ref().and_then(|telling| telling.line.as_ref());
            let told = line.map_or("", |line| line.text.as_str());
            return self.output.screen(|look| screens::variation(told, look));
        }
        let response = payload::<AgentResponse>(record, "AGENT_RESPONSE")?;
        let Some((number, passed)) = self.judged else { return Ok(()) };
        if let Some(response) = response.filter(|r| r.metadata.attempt_number == number) {
            self.output.screen(|look| screens::feedback(&response, look))?;
            if passed {
                self.output.progress("Measuring the time per operation ...");
            }
        }
        Ok(())
    }
}
