//! Runs the tests of a workspace in the sandbox (002 6.4): which they are is fixed before the run, and what
//! came of them is believed as far as `vosim_agent::graded` believes it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use vosim_agent::graded::{
    Covered, FailedTest, GradedRun, RunEnd, Suite, TestFile, TestLanguage, is_test_file,
};
use vosim_agent::scan::ScannedLanguage;
use vosim_agent::workspace::{FileCall, FileName, Seen, Workspace};
use vosim_protocol::Blob;
use vosim_protocol::v1::agent::{
    Category, RunBounds, RunCaps, RunLimit, TaskLanguage, TestError, TestReport, TestsOf,
};
use vosim_protocol::v1::effect::{RunTests, TestsRun};
use vosim_sandbox_spec::{Network, RunReport};

use crate::daemon::hub::{Progress, Published};
use crate::effects::step::TaskStep;
use crate::effects::{CarryOut, Done, Run, sitting};
use crate::evaluator::{Cancel, CancelGuard, Evaluator};

/// Most of what the tests wrote that is kept of each of their outputs, bytes.
const OUTPUT_MAX: usize = 64 * 1024;

impl CarryOut for RunTests {
    async fn carry_out(self, run: &Run) -> Result<Done<TestsRun>, String> {
        let daemon = &run.daemon;
        let at = daemon.now();
        let done = match &self.exam {
            Some(exam) => sitting::judged(run, exam, &self.workspace).await,
            None => of_workspace(self, run).await,
        };
        // It is time at work of the day as well, and the next call of a model is held against it.
        let took = u64::try_from(daemon.now().micros_since(at) / 1_000).unwrap_or(0);
        if let Err(error) = daemon.spend_time(at, took).await {
            tracing::warn!(%error, "the time of a run of tests is not counted");
        }
        done
    }
}

async fn of_workspace(asked: RunTests, run: &Run) -> Result<Done<TestsRun>, String> {
    let network = match asked.allowed.contains(&Category::Network) {
        true => Network::Outside,
        false => Network::None,
    };
    let daemon = &run.daemon;
    let (folder, mark) = run.mark();
    let step = daemon.blocking(move |_| TaskStep::begin(&folder, &mark)).await?;
    let progress = Progress { text: "the tests".to_owned(), done: 0, of: None };
    daemon.hub.borrow().publish(run.session, Published::Progress(progress));
    let _turn = daemon.turns.run().await;
    let (_guard, cancel) = CancelGuard::new().map_err(|error| error.to_string())?;
    let evaluator = Arc::clone(&daemon.evaluator);
    let interrupted = step.before.is_some();
    let tested = daemon.blocking(move |_| {
        let run = (asked.language, asked.run, network);
        tests(&evaluator, Path::new(&asked.workspace), run, &cancel)
    });
    let (report, output, trace) = tested.await?;
    let output = Blob(output.into_bytes());
    let trace = trace.map(|trace| Blob(trace.into_bytes()));
    let (written, told) = (output.reference(), trace.as_ref().map(Blob::reference));
    let outcome = TestsRun { report, output: written, trace: told, interrupted };
    Ok(Done { outcome, blobs: [output].into_iter().chain(trace).collect() })
}

/// The code of a workspace by its paths.
type Code = BTreeMap<String, String>;

fn code(workspace: &Workspace) -> Code {
    let told = workspace.foresee(&Seen::default(), &FileCall::List).answer.told;
    let paths = told["files"].as_array().into_iter().flatten().filter_map(|f| f["path"].as_str());
    let paths = paths.filter(|path| ScannedLanguage::of(path).is_some());
    let read = |path: &str| {
        let name = FileName::parse(path).ok()?;
        let bytes = workspace.content(&name).ok()??;
        Some((path.to_owned(), String::from_utf8(bytes).ok()?))
    };
    paths.filter_map(read).collect()
}

fn tests(
    evaluator: &Evaluator,
    workspace: &Path,
    (language, caps, network): (TaskLanguage, RunCaps, Network),
    cancel: &Cancel,
) -> Result<(TestReport, String, Option<String>), String> {
    let workspace = Workspace::open(workspace).map_err(|refusal| refusal.to_string())?;
    let language = TestLanguage::from(language);
    let before = code(&workspace);
    let files = before.iter().filter(|(path, _)| is_test_file(language, path));
    let files = files.map(|(path, text)| TestFile { path: path.clone(), text: text.clone() });
    let suite = Suite::fix(language, files.collect());
    let refused = |refusal: crate::evaluator::Refusal| refusal.to_string();
    let (run, report) =
        evaluator.graded(&suite, workspace.path(), (caps, network), cancel).map_err(refused)?;
    let mut told = report_of(&run, caps);
    told.outdated = code(&workspace) != before;
    // More runs with a network were not approved, and without it tests would fail for that alone.
    if told.proves()
        && network == Network::None
        && let Some((path, text)) = largest(&before, language)
    {
        let strength = evaluator.strength(&suite, workspace.path(), (path, text), caps, cancel);
        // What could not be tried says nothing about the tests.
        if let Ok(strength) = strength {
            let unnoticed = u32::try_from(strength.unnoticed.len()).unwrap_or(u32::MAX);
            told.survivors = Some(if strength.is_too_weak() { unnoticed } else { 0 });
            told.coverage = strength.covered.and_then(Covered::percent);
        }
    }
    let trace = run.failed.first().map(|first| first.trace.clone());
    Ok((told, written(&report), trace.filter(|trace| !trace.is_empty())))
}

/// The file that most of the program stands in.
fn largest(code: &Code, language: TestLanguage) -> Option<(&str, &str)> {
    let program = code.iter().filter(|(path, _)| !is_test_file(language, path));
    let largest = program.max_by_key(|(_, text)| text.len());
    largest.map(|(path, text)| (path.as_str(), text.as_str()))
}

fn report_of(run: &GradedRun, caps: RunCaps) -> TestReport {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut errors: Vec<_> = run.failed.iter().map(error).collect();
    // A run that ends early for a reason of its own has that for an error.
    if errors.is_empty()
        && let Some(reason) = run.reason()
    {
        let (test, error_type) = (String::new(), "TestRun".to_owned());
        let message = match bound(&run.end, caps) {
            Some(bound) => format!("{reason}: {bound}"),
            None => reason,
        };
        errors.push(TestError { test, error_type, message, place: String::new() });
    }
    TestReport {
        of: TestsOf::Workspace,
        total: number(run.total()),
        passed: number(run.passed.len()),
        failed: number(run.failed.len()),
        missing: run.missing.clone(),
        errors,
        stopped: stopped(&run.end),
        survivors: None,
        coverage: None,
        outdated: false,
    }
}

/// How much a run may have of what it had too much of.
fn bound(end: &RunEnd, caps: RunCaps) -> Option<String> {
    let RunBounds { memory_mib, minutes, processes } = caps.in_force();
    match end {
        RunEnd::Memory => Some(format!("{memory_mib} MiB")),
        RunEnd::Cpu | RunEnd::Wall => Some(format!("{minutes} min")),
        RunEnd::Processes => Some(processes.to_string()),
        RunEnd::Whole
        | RunEnd::Early
        | RunEnd::Foreign
        | RunEnd::Idle
        | RunEnd::Output
        | RunEnd::Signal
        | RunEnd::NotMade(_) => None,
    }
}

fn error(failed: &FailedTest) -> TestError {
    let FailedTest { id, error_type, message, file, line, .. } = failed;
    let place = line.map_or_else(|| file.clone(), |line| format!("{file}:{line}"));
    // pytest says the type in front of the message as well.
    let bare = message.strip_prefix(error_type.as_str()).and_then(|rest| rest.strip_prefix(": "));
    let message = bare.unwrap_or(message).to_owned();
    TestError { test: id.clone(), error_type: error_type.clone(), message, place }
}

/// What ended a run before it was through.
fn stopped(end: &RunEnd) -> Option<RunLimit> {
    match end {
        RunEnd::Whole => None,
        RunEnd::Early | RunEnd::NotMade(_) => Some(RunLimit::Early),
        RunEnd::Foreign => Some(RunLimit::Foreign),
        RunEnd::Memory => Some(RunLimit::Memory),
        RunEnd::Cpu => Some(RunLimit::Cpu),
        RunEnd::Wall | RunEnd::Idle => Some(RunLimit::Wall),
        RunEnd::Processes => Some(RunLimit::Processes),
        RunEnd::Output => Some(RunLimit::Output),
        RunEnd::Signal => Some(RunLimit::Signal),
    }
}

/// What the tests wrote, both outputs one after the other.
fn written(report: &RunReport) -> String {
    let mut text = String::new();
    for output in [&report.stdout, &report.stderr] {
        text.push_str(&output.head);
        if output.truncated {
            text.push_str("\n[...]\n");
        }
        text.push_str(&output.tail);
    }
    let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= OUTPUT_MAX);
    text.truncate(end.unwrap_or(text.len()));
    text
}
