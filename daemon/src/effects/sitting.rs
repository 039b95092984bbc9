//! An agent in a candidate's place: it sits a drill, an attempt or an interview through the daemon's own
//! socket, by the public protocol, in the role `agent` (DECISIONS 50). It is told what any candidate is told
//! and nothing else, under the same clock, hints and counts.
//!
//! Commands of the session are given by calls of a tool ([`tool`]). In a drill each run of the tests is a
//! submission; in the other two it looks how the session has come out.

mod seat;
mod tool;

use std::path::Path;

use serde::Deserialize;
use vosim_agent::workspace::{FileName, Workspace};
use vosim_protocol::misfit;
use vosim_protocol::v1::agent::{Exam, Sitting, TestError, TestReport, TestsOf};
use vosim_protocol::v1::commands::Commands as _;
use vosim_protocol::v1::drill::{Command, Start, Submitted};
use vosim_protocol::v1::effect::TestsRun;
use vosim_protocol::v1::judging::{EvalResult, Judged, ResultLine};
use vosim_protocol::v1::service::{
    Create, CreateParams, DoParams, SessionParams, Use, View, ViewParams,
};
use vosim_protocol::v1::{attempt, interview};
use vosim_protocol::{Blob, CommandId, Hash, Json, Role, Wire as _};

use crate::effects::{Done, Run};

use seat::{NoAnswer, Seat};
pub(super) use tool::{TOOL, described, take_part};

/// Opens the session that is sat; once more is the same session.
pub(super) async fn begin(run: &Run, exam: &Exam) -> Result<(), String> {
    let mut seat = Seat::take(&run.daemon.socket).await?;
    let problem = Some(exam.problem.clone());
    let args = match exam.sitting {
        Sitting::Drill => Start { problem }.to_json(),
        Sitting::Attempt => attempt::Start { problem, ..attempt::Start::default() }.to_json(),
        Sitting::Interview => {
            let candidate = Some("agent".to_owned());
            interview::Start { problem, candidate, ..interview::Start::default() }.to_json()
        }
    };
    let params =
        CreateParams { session_id: exam.session, kind: exam.sitting.kind(), beside: true, args };
    seat.ask::<Create>(&params).await?;
    // A new session is the current one, and a person has begun the task.
    let task = SessionParams { session: Some(run.session.to_string()) };
    seat.ask::<Use>(&task).await?;
    Ok(())
}

/// What the session that is sat says of the file: a drill judges it as it stands, and a pass ends it.
pub(super) async fn judged(
    run: &Run,
    exam: &Exam,
    workspace: &str,
) -> Result<Done<TestsRun>, String> {
    let mut seat = Seat::take(&run.daemon.socket).await?;
    let report = match exam.sitting {
        Sitting::Drill => submitted(run, exam, workspace, &mut seat).await?,
        Sitting::Attempt | Sitting::Interview => {
            let params = ViewParams { session: Some(exam.session.to_string()), role: Role::Agent };
            let view = seat.ask::<View>(&params).await?.view;
            standing(serde_json::from_value(view).map_err(|error| misfit::words(&error))?)
        }
    };
    let output = Blob(report.to_line());
    let outcome = TestsRun { report, output: output.reference(), trace: None, interrupted: false };
    Ok(Done { outcome, blobs: vec![output] })
}

async fn submitted(
    run: &Run,
    exam: &Exam,
    workspace: &str,
    seat: &mut Seat,
) -> Result<TestReport, String> {
    let code = file(run, exam, workspace).await?;
    let (file_path, language) = (exam.file.clone(), exam.language);
    let command = Command::Submit { file_path, code: code.reference(), language, again: false };
    let submit = params(run, exam, "submit", command.name(), command.args(), vec![code]);
    let report = match seat.give(&submit).await {
        Ok(given) => {
            let result = given.result.ok_or("the session that judges has ended")?;
            let submitted = misfit::read::<Submitted>(&result);
            report(submitted.map_err(|why| format!("what the judge says: {why}"))?)?
        }
        // Nothing was judged: the same file, or nothing but the starter.
        Err(NoAnswer::Refused(refusal)) => unproved("Refused", &refusal.message),
        Err(lost @ NoAnswer::Lost(_)) => return Err(lost.into()),
    };
    if report.proves() {
        let end = Command::End {};
        seat.give(&params(run, exam, "end", end.name(), end.args(), Vec::new())).await?;
    }
    Ok(report)
}

/// A command of the session that is sat. The same step after a crash is the same command.
fn params(
    run: &Run,
    exam: &Exam,
    step: &str,
    command: &str,
    args: Json,
    blobs: Vec<Blob>,
) -> DoParams {
    let named = Hash::of(format!("{} {} {step}", run.session, run.effect).as_bytes());
    let mut id = [0; 16];
    id.copy_from_slice(&named.0[..16]);
    DoParams {
        session: Some(exam.session.to_string()),
        kind: Some(exam.sitting.kind()),
        command: command.to_owned(),
        command_id: CommandId(uuid::Builder::from_random_bytes(id).into_uuid()),
        role: Role::Agent,
        args,
        blobs,
        if_cursor: None,
        follow: true,
    }
}

/// The file that is submitted, as it stands.
async fn file(run: &Run, exam: &Exam, workspace: &str) -> Result<Blob, String> {
    let (workspace, file) = (workspace.to_owned(), exam.file.clone());
    run.daemon
        .blocking(move |_| {
            let workspace =
                Workspace::open(Path::new(&workspace)).map_err(|refusal| refusal.to_string())?;
            let file = FileName::parse(&file).map_err(|refusal| refusal.to_string())?;
            let content = workspace.content(&file).map_err(|refusal| refusal.to_string())?;
            Ok(Blob(content.unwrap_or_default()))
        })
        .await
}

/// What views of attempts and interviews have in common.
#[derive(Deserialize)]
struct Standing {
    phase: String,
    #[serde(default)]
    ended: Option<Json>,
    #[serde(default)]
    history: Vec<ResultLine>,
}

/// A session that is over, with a last submission that passed, proves what the agent can.
fn standing(standing: Standing) -> TestReport {
    let Standing { phase, ended, history } = standing;
    if ended.is_none() {
        let what =
            format!("the session is not over: it stands at {phase}, and goes on by its commands");
        return unproved("NotOver", &what);
    }
    let Some(last) = history.last() else {
        return unproved(
            "NothingSubmitted",
            "the session is over, and nothing was submitted in it",
        );
    };
    let (passed, failed) = (last.tests_passed, last.tests_failed);
    let why = format!("the last submission was {}, and the session is over", last.failure_type);
    let failing = unproved(&last.failure_type.to_string(), &why);
    TestReport {
        total: passed + failed,
        passed,
        failed,
        errors: if failed == 0 { Vec::new() } else { failing.errors },
        ..failing
    }
}

/// What a candidate is told of a verdict.
fn report(submitted: Submitted) -> Result<TestReport, String> {
    let verdict = match submitted.judged {
        Judged::Verdict(verdict) => verdict,
        Judged::Aborted(aborted) => return Err(aborted.reason),
    };
    let EvalResult { tests_passed, tests_failed, failing_tests, failure_type, exception, .. } =
        *verdict;
    let said = submitted.feedback.map(|feedback| feedback.message);
    let message = exception.or(said).unwrap_or_default();
    let error = |test: &String| TestError {
        test: test.clone(),
        error_type: failure_type.to_string(),
        message: message.clone(),
        place: String::new(),
    };
    Ok(TestReport {
        total: tests_passed + tests_failed,
        passed: tests_passed,
        failed: tests_failed,
        errors: failing_tests.iter().map(error).collect(),
        ..unproved("", "")
    })
}

fn unproved(error_type: &str, why: &str) -> TestReport {
    let (error_type, message) = (error_type.to_owned(), why.to_owned());
    let error = TestError { test: String::new(), error_type, message, place: String::new() };
    TestReport {
        of: TestsOf::Problem,
        total: 1,
        passed: 0,
        failed: 1,
        missing: Vec::new(),
        errors: vec![error],
        stopped: None,
        survivors: None,
        coverage: None,
        outdated: false,
    }
}
