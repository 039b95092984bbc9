//! An agent in a candidate's place: it sits a drill through the daemon's own socket, by the public protocol,
//! in the role `agent` (DECISIONS 50). It is told what any candidate is told and nothing else.

use std::path::Path;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use vosim_agent::workspace::{FileName, Workspace};
use vosim_protocol::frame::FrameDecoder;
use vosim_protocol::hello::{HelloParams, Software, VERSIONS};
use vosim_protocol::message::{Notice, Request, Response};
use vosim_protocol::v1::agent::{Exam, TestError, TestReport, TestsOf};
use vosim_protocol::v1::commands::Commands as _;
use vosim_protocol::v1::drill::{Command, Start, Submitted};
use vosim_protocol::v1::effect::TestsRun;
use vosim_protocol::v1::judging::{EvalResult, Judged};
use vosim_protocol::v1::service::{
    Create, CreateParams, Do, DoParams, Hello, Method, SETTLED, SessionParams, SettledNotice, Use,
};
use vosim_protocol::{Blob, CommandId, ErrorObject, Hash, Json, Kind, Role, Wire as _};

use crate::effects::{Done, Run};

/// A connection to the daemon's own socket.
struct Seat {
    stream: UnixStream,
    decoder: FrameDecoder,
    asked: u64,
    /// Notices that came before they were asked for.
    notices: Vec<Notice>,
}

/// Why there is no answer.
enum NoAnswer {
    /// The daemon has refused.
    Refused(Box<ErrorObject>),
    /// The connection is lost, or what came is no answer.
    Lost(String),
}

impl From<NoAnswer> for String {
    fn from(none: NoAnswer) -> Self {
        match none {
            NoAnswer::Refused(refusal) => refusal.message,
            NoAnswer::Lost(why) => why,
        }
    }
}

impl Seat {
    async fn take(socket: &Path) -> Result<Self, NoAnswer> {
        let lost = |error| NoAnswer::Lost(format!("the daemon's own socket is away: {error}"));
        let stream = UnixStream::connect(socket).await.map_err(lost)?;
        let mut seat = Self { stream, decoder: FrameDecoder::new(), asked: 0, notices: Vec::new() };
        let (name, version) = ("vosim-agent".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        let client = Software { name, version };
        let hello = HelloParams { protocol: VERSIONS, client, need: Vec::new() };
        seat.ask::<Hello>(&hello).await?;
        Ok(seat)
    }

    async fn ask<M: Method>(&mut self, params: &M::Params) -> Result<M::Result, NoAnswer> {
        self.asked += 1;
        let request = Request {
            jsonrpc: "2.0".to_owned(),
            id: self.asked.into(),
            method: M::NAME.to_owned(),
            params: params.to_json(),
        };
        let mut line = request.to_line();
        line.push(b'\n');
        let lost = |error| NoAnswer::Lost(format!("the daemon's own socket is away: {error}"));
        self.stream.write_all(&line).await.map_err(lost)?;
        loop {
            let frame = self.frame().await?;
            if frame.get("method").is_some() {
                self.notices.extend(Notice::from_json(frame).ok());
                continue;
            }
            let response = Response::from_json(frame).map_err(garbled)?;
            return match (response.result, response.error) {
                (_, Some(refusal)) => Err(NoAnswer::Refused(Box::new(refusal))),
                (result, None) => M::Result::from_json(result.unwrap_or_default()).map_err(garbled),
            };
        }
    }

    /// Waits until a command has settled; none where the session ended before.
    async fn settled(&mut self, command: CommandId) -> Result<Option<Json>, NoAnswer> {
        loop {
            let notice = match self.notices.pop() {
                Some(notice) => notice,
                None => match Notice::from_json(self.frame().await?) {
                    Ok(notice) => notice,
                    Err(_) => continue,
                },
            };
            if notice.method != SETTLED {
                continue;
            }
            let settled = SettledNotice::from_json(notice.params).map_err(garbled)?;
            if settled.command_id == command {
                return Ok(settled.result);
            }
        }
    }

    async fn frame(&mut self) -> Result<Json, NoAnswer> {
        loop {
            let frame = self.decoder.next_frame();
            if let Some(frame) = frame.map_err(|error| NoAnswer::Lost(error.to_string()))? {
                return Json::from_bytes(frame).map_err(garbled);
            }
            let mut bytes = vec![0; 64 * 1024];
            let read = self.stream.read(&mut bytes).await;
            match read {
                Ok(read @ 1..) => self.decoder.push(&bytes[..read]),
                Ok(0) => return Err(NoAnswer::Lost("the daemon has hung up".to_owned())),
                Err(error) => return Err(NoAnswer::Lost(error.to_string())),
            }
        }
    }
}

fn garbled(error: vosim_protocol::wire::WireError) -> NoAnswer {
    NoAnswer::Lost(format!("what the daemon answered cannot be read: {error}"))
}

/// Opens the session that is sat; once more is the same session.
pub(super) async fn begin(run: &Run, exam: &Exam) -> Result<(), String> {
    let mut seat = Seat::take(&run.daemon.socket).await?;
    let params = CreateParams {
        session_id: exam.session,
        kind: Kind::Drill,
        beside: true,
        args: Start { problem: Some(exam.problem.clone()) }.to_json(),
    };
    seat.ask::<Create>(&params).await?;
    // A new session is the current one, and a person has begun the task.
    let task = SessionParams { session: Some(run.session.to_string()) };
    seat.ask::<Use>(&task).await?;
    Ok(())
}

/// Submits the file as it stands, and tells what the judge says of it. A pass ends the session.
pub(super) async fn submit(
    run: &Run,
    exam: &Exam,
    workspace: &str,
) -> Result<Done<TestsRun>, String> {
    let (workspace, file) = (workspace.to_owned(), exam.file.clone());
    let code = run.daemon.blocking(move |_| read(Path::new(&workspace), &file)).await?;
    let mut seat = Seat::take(&run.daemon.socket).await?;
    let (file_path, language) = (exam.file.clone(), exam.language);
    let command = Command::Submit { file_path, code: code.reference(), language, again: false };
    // The same step after a crash is the same submission.
    let submitted = give(&mut seat, run, exam, (&command, "submit"), vec![code]).await;
    let report = match submitted {
        Ok(Some(result)) => {
            let submitted = Submitted::from_json(result);
            let submitted = submitted.map_err(|error| format!("what the judge says: {error}"))?;
            report(submitted)?
        }
        Ok(None) => return Err("the session that judges has ended".to_owned()),
        // Nothing was judged: the same file, or nothing but the starter.
        Err(NoAnswer::Refused(refusal)) => refused(&refusal.message),
        Err(lost @ NoAnswer::Lost(_)) => return Err(lost.into()),
    };
    if report.proves() {
        give(&mut seat, run, exam, (&Command::End {}, "end"), Vec::new()).await?;
    }
    let output = Blob(report.to_line());
    let outcome = TestsRun { report, output: output.reference(), interrupted: false };
    Ok(Done { outcome, blobs: vec![output] })
}

/// Gives a command of the drill and waits for its result.
async fn give(
    seat: &mut Seat,
    run: &Run,
    exam: &Exam,
    (command, step): (&Command, &str),
    blobs: Vec<Blob>,
) -> Result<Option<Json>, NoAnswer> {
    let named = Hash::of(format!("{} {} {step}", run.session, run.effect).as_bytes());
    let mut id = [0; 16];
    id.copy_from_slice(&named.0[..16]);
    let command_id = CommandId(uuid::Builder::from_random_bytes(id).into_uuid());
    let params = DoParams {
        session: Some(exam.session.to_string()),
        kind: Some(Kind::Drill),
        command: command.name().to_owned(),
        command_id,
        role: Role::Agent,
        args: command.args(),
        blobs,
        if_cursor: None,
        follow: true,
    };
    let accepted = seat.ask::<Do>(&params).await?;
    match accepted.result {
        Some(result) => Ok(Some(result)),
        None => seat.settled(command_id).await,
    }
}

fn read(workspace: &Path, file: &str) -> Result<Blob, String> {
    let workspace = Workspace::open(workspace).map_err(|refusal| refusal.to_string())?;
    let file = FileName::parse(file).map_err(|refusal| refusal.to_string())?;
    let content = workspace.content(&file).map_err(|refusal| refusal.to_string())?;
    Ok(Blob(content.unwrap_or_default()))
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
        of: TestsOf::Problem,
        total: tests_passed + tests_failed,
        passed: tests_passed,
        failed: tests_failed,
        missing: Vec::new(),
        errors: failing_tests.iter().map(error).collect(),
        stopped: None,
        survivors: None,
        outdated: false,
    })
}

fn refused(why: &str) -> TestReport {
    let (test, error_type) = (String::new(), "Refused".to_owned());
    let error = TestError { test, error_type, message: why.to_owned(), place: String::new() };
    TestReport {
        of: TestsOf::Problem,
        total: 1,
        passed: 0,
        failed: 1,
        missing: Vec::new(),
        errors: vec![error],
        stopped: None,
        survivors: None,
        outdated: false,
    }
}
