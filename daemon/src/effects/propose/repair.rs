//! A model that invents nothing: it looks for one small change of a program, or two, with which all tests
//! pass (`vosim_agent::repair`). It needs a program and its tests. What it has found goes through the tools, the
//! scan and the graded run like any model's.

mod talk;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use vosim_agent::graded::{Suite, TestFile, TestLanguage, Tried, is_test_file};
use vosim_agent::model::{
    Again, Answer, Call, FaultKind, Message, Model, ModelFault, ModelId, ModelKind, Reply, Request,
    Said, Usage,
};
use vosim_agent::repair::{Bench, Budget, Fault, Outcome, Patience, Report, Stopped, Test, repair};
use vosim_agent::scan::{Ruling, ScannedLanguage, scan, strictest};
use vosim_agent::workspace::{FileName, Workspace};
use vosim_protocol::Json;
use vosim_protocol::v1::agent::{AgentRole, Sitting, TaskLanguage};
use vosim_protocol::v1::problem::{Interface, Op};

use crate::daemon::{Search, Searches};
use crate::effects::recall::language;
use crate::effects::sitting::TOOL;
use crate::evaluator::{Cancel, CancelGuard, Comparison, Evaluator, Tests};

use talk::Move;

/// How long it looks in the first iteration; in each later one twice as long.
const LOOKS: Duration = Duration::from_secs(30);
const CANDIDATES_MAX: u32 = 10_000;
/// Most programs of a workspace that are looked at.
const FILES_MAX: usize = 4;
/// What the tests of a workspace may take for one candidate: nearly all need less than the first.
const SHORT: Duration = Duration::from_secs(2);
const FULL: Duration = Duration::from_secs(10);

/// What candidates are tried against.
#[derive(Clone, Debug)]
pub(super) enum Against {
    /// The tests in the workspace.
    Workspace,
    /// The cases of a problem that a candidate sees, for this file.
    Visible {
        /// The file.
        file: String,
        /// What it must define.
        interface: Interface,
        /// The calls of each case.
        tests: Vec<Vec<Op>>,
    },
}

/// The model.
#[derive(Clone, Debug)]
pub(super) struct Repair {
    pub(super) evaluator: Arc<Evaluator>,
    pub(super) searches: Searches,
    pub(super) workspace: PathBuf,
    pub(super) against: Against,
    /// What the program is written in.
    pub(super) language: TaskLanguage,
    /// The session that it sits.
    pub(super) sitting: Sitting,
}

impl Model for Repair {
    fn id(&self) -> ModelId {
        ModelId { kind: ModelKind::Repair, name: String::new() }
    }

    fn ask<'a>(&'a self, request: &'a Request) -> Answer<'a> {
        Box::pin(async move {
            let said = match request.role {
                AgentRole::Planner => Said::Text { text: plan() },
                AgentRole::Coder => self.next(request).await?,
                AgentRole::Reflector => Said::Text { text: analysis() },
                AgentRole::Tester => {
                    let told = "repair writes no tests, and there are none in the workspace";
                    return Err(fault(told.to_owned()));
                }
            };
            Ok(Reply { said, usage: Usage::NOTHING, answered_by: None, warnings: Vec::new() })
        })
    }
}

fn call(request: &Request, tool: &str, arguments: &Json) -> Said {
    let (id, tool) = (request.next_call_id(), tool.to_owned());
    let call = Call { id, tool, arguments: arguments.to_string() };
    Said::Call { text: String::new(), call, left_out: 0 }
}

fn fault(told: String) -> ModelFault {
    ModelFault::new(FaultKind::Exhausted, Again::Never, told)
}

fn plan() -> String {
    let plan = json!({
        "subtasks": ["Find one small change, or two, with which all tests pass"],
        "expected_challenges": ["Nothing is invented: the program must be nearly right"],
        "testing_strategy": "The tests that are there.",
    });
    plan.to_string()
}

fn analysis() -> String {
    let analysis = json!({
        "root_cause": "No small change that was tried makes all tests pass.",
        "fix_hypothesis": "Look once more, for twice as long.",
        "confidence": "low",
    });
    analysis.to_string()
}

impl Repair {
    /// What it says next: in a session that is talked through what belongs there, else what belongs to the
    /// program.
    async fn next(&self, request: &Request) -> Result<Said, ModelFault> {
        let command =
            |name: &str, args: Json| call(request, TOOL, &json!({ "command": name, "args": args }));
        if !self.sitting.is_talk() {
            return self.work(request).await;
        }
        match talk::next(self.sitting, request) {
            Move::Command(name, args) => Ok(command(name, args)),
            Move::Over => Ok(Said::Text { text: "The session is over.".to_owned() }),
            Move::Work => match self.work(request).await? {
                Said::Text { .. } => Ok(command("submit", json!({}))),
                calls @ (Said::Call { .. } | Said::Cut { .. }) => Ok(calls),
            },
        }
    }

    /// Reads a program and looks for a change of it, then the next one; what is found is written.
    async fn work(&self, request: &Request) -> Result<Said, ModelFault> {
        let called = |wanted: &str| {
            let calls = request.messages.iter().filter_map(|said| match said {
                Message::Model { call: Some(call), .. } if call.tool == wanted => Some(call),
                Message::System { .. }
                | Message::User { .. }
                | Message::Model { .. }
                | Message::Result { .. } => None,
            });
            calls.filter_map(path_of).collect::<Vec<_>>()
        };
        let say = |text: String| Ok(Said::Text { text });
        if let Some(path) = called("create_file").pop() {
            return say(format!("{path} is changed so that all tests pass that repair could try."));
        }
        let read = called("read_file");
        let why = match read.last() {
            None => None,
            Some(path) => match self.look(path.clone(), request.iteration).await? {
                Looked::Found(content) => {
                    let arguments = json!({ "path": path, "content": content });
                    return Ok(call(request, "create_file", &arguments));
                }
                Looked::Closed(why) => return say(why),
                Looked::Nothing(why) => Some(why),
            },
        };
        let mut programs = self.programs().await?.into_iter().take(FILES_MAX);
        match (programs.find(|path| !read.contains(path)), why) {
            (Some(path), _) => Ok(call(request, "read_file", &json!({ "path": path }))),
            (None, Some(why)) => say(why),
            (None, None) => {
                let title = language(self.language).title();
                Err(fault(format!("repair needs a program in {title} to start from")))
            }
        }
    }

    /// The programs that may be at fault, the likeliest first.
    async fn programs(&self) -> Result<Vec<String>, ModelFault> {
        if let Against::Visible { file, .. } = &self.against {
            return Ok(vec![file.clone()]);
        }
        let (workspace, language) = (self.workspace.clone(), self.language.into());
        elsewhere(move || {
            let (mut programs, tests) = Sources::read(&workspace, language)?.halves();
            let named = |path: &str| {
                let name = path.rsplit('/').next().unwrap_or(path);
                let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
                let has = |text: &str| words(stem).all(|part| words(text).any(|word| word == part));
                tests.iter().any(|(_, text)| has(text))
            };
            programs.sort_by_key(|(path, text)| (!named(path), std::cmp::Reverse(text.len())));
            Ok(programs.into_iter().map(|(path, _)| path).collect())
        })
        .await
    }

    async fn look(&self, path: String, iteration: u32) -> Result<Looked, ModelFault> {
        let (_guard, cancel) =
            CancelGuard::new().map_err(|error| fault(vosim_protocol::trouble::cause(&error)))?;
        let (repair, search) = (self.clone(), self.searches.begin().await);
        let longer = 1 << iteration.saturating_sub(1).min(2);
        elsewhere(move || repair.search(&path, LOOKS * longer, &search, &cancel)).await
    }

    fn search(
        &self,
        path: &str,
        lasts: Duration,
        turns: &Search,
        cancel: &Cancel,
    ) -> Result<Looked, String> {
        let tested = TestLanguage::from(self.language);
        let sources = Sources::read(&self.workspace, tested)?;
        if let Some(closed) = sources.closed() {
            return Ok(Looked::Closed(closed));
        }
        let Some(text) = sources.files.get(path).cloned() else {
            return Ok(Looked::Nothing(format!("{path} cannot be read.")));
        };
        let budget = Budget { candidates: CANDIDATES_MAX, until: Some(Instant::now() + lasts) };
        let (report, confirmed) = match &self.against {
            Against::Workspace => {
                let (_, tests) = sources.halves();
                let tests = tests.into_iter().map(|(path, text)| TestFile { path, text });
                let suite = Suite::fix(tested, tests.collect());
                let (evaluator, names) = (&self.evaluator, Vec::new());
                let workspace = &self.workspace;
                let mut bench =
                    TestsBench { evaluator, suite: &suite, workspace, path, names, turns, cancel };
                // The graded run of the task confirms it.
                (repair(tested.grammar(), &text, &mut bench, budget), true)
            }
            Against::Visible { interface, tests, .. } => {
                let language = language(self.language);
                let tests = Tests { interface, language, tests, reading: Comparison::Exact };
                let bench = self.evaluator.bench(tests, cancel);
                let mut bench = InTurn { bench, turns };
                let report = repair(tested.grammar(), &text, &mut bench, budget);
                let patch = report.as_ref().ok().and_then(|report| report.patch.as_ref());
                let confirmed = patch.is_none_or(|patch| {
                    let _turn = turns.turn();
                    self.evaluator.passes(tests, patch.text.as_bytes(), cancel).unwrap_or(false)
                });
                (report, confirmed)
            }
        };
        let report = report.map_err(|fault| fault.to_string())?;
        Ok(looked((path, language(self.language).title()), report, confirmed))
    }
}

/// What a search of one program came to.
enum Looked {
    /// Its text with the change.
    Found(String),
    /// Nothing, in a sentence.
    Nothing(String),
    /// Nothing may be run before a person has allowed something, in a sentence.
    Closed(String),
}

fn looked((path, title): (&str, &str), report: Report, confirmed: bool) -> Looked {
    let Report { patch, stopped, tried, before: (passed, tests), best, .. } = report;
    if let Some(patch) = patch.filter(|_| confirmed) {
        return Looked::Found(patch.text);
    }
    Looked::Nothing(match stopped {
        Stopped::NothingWrong => format!("{path} passes all {tests} tests as it is."),
        Stopped::Unreadable => format!("{path} is no program in {title} that can be read."),
        Stopped::Found | Stopped::Exhausted | Stopped::Candidates | Stopped::Time => format!(
            "{tried} changes of {path} were tried, and none passes all {tests} tests: it passes \
             {passed} as it is, and {best} at best."
        ),
    })
}

/// Files by path and text.
type Files = Vec<(String, String)>;

/// The programs and tests of a workspace in one language, by their paths.
struct Sources {
    language: TestLanguage,
    files: BTreeMap<String, String>,
}

impl Sources {
    fn read(workspace: &std::path::Path, language: TestLanguage) -> Result<Self, String> {
        let workspace = Workspace::open(workspace).map_err(|refusal| refusal.to_string())?;
        let text = |name: FileName| {
            let bytes = workspace.content(&name).ok()??;
            Some((name.to_string(), String::from_utf8(bytes).ok()?))
        };
        let files = workspace.files().into_iter().filter(|name| language.has_file(name.as_str()));
        Ok(Self { language, files: files.filter_map(text).collect() })
    }

    /// Programs and tests.
    fn halves(self) -> (Files, Files) {
        let tests = |(path, _): &(String, String)| is_test_file(self.language, path);
        let (tests, programs) = self.files.into_iter().partition(tests);
        (programs, tests)
    }

    /// Why nothing is tried here: what must be asked about or is denied runs in no trial either.
    fn closed(&self) -> Option<String> {
        let found = self.files.iter().flat_map(|(path, text)| found(path, text));
        let strict =
            found.filter(|found| found.ruling > Ruling::Note).max_by_key(|it| it.ruling)?;
        let (file, line, of) = (strict.file, strict.line, strict.subject.of);
        Some(format!(
            "Repair runs nothing that a person has to allow first: {of} in {file}, line {line}."
        ))
    }
}

fn found(path: &str, text: &str) -> Vec<vosim_agent::scan::Finding> {
    ScannedLanguage::of(path).map_or_else(Vec::new, |language| scan(language, path, text))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

fn path_of(call: &Call) -> Option<String> {
    let arguments: Json = serde_json::from_str(&call.arguments).ok()?;
    Some(arguments["path"].as_str()?.to_owned())
}

/// Does work on a thread where it may wait.
async fn elsewhere<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, ModelFault> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result.map_err(fault),
        // The work panicked, and so does whoever asked for it.
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// A bench whose batches take turns.
struct InTurn<'a, B> {
    bench: B,
    turns: &'a Search,
}

impl<B: Bench> Bench for InTurn<'_, B> {
    fn run(&mut self, candidates: &[String], patience: Patience) -> Result<Vec<Outcome>, Fault> {
        let _turn = self.turns.turn();
        self.bench.run(candidates, patience)
    }
}

/// A bench of the tests in a workspace, which nothing is written to: each candidate is loaded in the
/// place of the file.
struct TestsBench<'a> {
    evaluator: &'a Evaluator,
    suite: &'a Suite,
    workspace: &'a std::path::Path,
    path: &'a str,
    /// The tests, as the first run has told them.
    names: Vec<String>,
    turns: &'a Search,
    cancel: &'a Cancel,
}

impl Bench for TestsBench<'_> {
    fn run(&mut self, candidates: &[String], patience: Patience) -> Result<Vec<Outcome>, Fault> {
        // A change may make something of a program that was asked about by nobody.
        let clean = |text: &String| strictest(&found(self.path, text)) <= Some(Ruling::Note);
        let texts: Vec<_> = candidates.iter().filter(|text| clean(text)).cloned().collect();
        let lasts = match patience {
            Patience::Short => SHORT,
            Patience::Full => FULL,
        };
        let tried = {
            let _turn = self.turns.turn();
            let what = (self.path, texts.as_slice());
            self.evaluator.tries(self.suite, self.workspace, what, lasts, self.cancel)
        };
        let mut tried = tried
            .map_err(|refusal| match self.cancel.is_cancelled() {
                true => Fault::Cancelled,
                false => Fault::Broken(refusal.to_string()),
            })?
            .into_iter();
        if self.names.is_empty() {
            let heard = tried.as_slice().iter().flat_map(|tried| tried.tests.keys());
            let names = heard.chain(self.suite.expected());
            let plain = |name: &str| name.split('[').next().unwrap_or(name).to_owned();
            let all: BTreeSet<_> = names.map(|name| plain(name)).collect();
            self.names = all.into_iter().collect();
        }
        let none = || Outcome { tests: vec![Test::NotRun; self.names.len()] };
        let outcome = |text| match clean(text) {
            true => tried.next().map_or_else(none, |tried| self.outcome(&tried)),
            false => none(),
        };
        Ok(candidates.iter().map(outcome).collect())
    }
}

impl TestsBench<'_> {
    /// A test with parameters has passed with all of them.
    fn outcome(&self, tried: &Tried) -> Outcome {
        let of = |name: &String| {
            let mine = tried.tests.iter().filter(|(id, _)| {
                id.strip_prefix(name.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
            });
            match mine.map(|(_, passed)| *passed).reduce(|all, one| all && one) {
                Some(true) => Test::Passed,
                Some(false) => Test::Wrong,
                None if tried.slow => Test::Slow,
                None => Test::NotRun,
            }
        };
        let mut tests: Vec<_> = self.names.iter().map(of).collect();
        // What the run itself does not call a success has not passed.
        if !tried.passed && tests.iter().all(|test| *test == Test::Passed) {
            tests.fill(Test::Raised);
        }
        Outcome { tests }
    }
}
