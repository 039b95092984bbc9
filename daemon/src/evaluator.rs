//! Judges code: has it run in the sandbox and compares what came back with what must.
//!
//! What must come back never leaves the daemon (DESIGN 7). A run is blocking and belongs on a
//! thread of its own; [`Cancel`] ends it from another. What this module refuses to do is decide
//! a class: it collects facts, the engine classifies them.

mod allowed;
mod asked;
mod bench;
mod cancel;
mod draw;
mod driver_process;
mod examine;
mod execute;
mod frames;
mod graded;
mod invariants;
mod judge;
mod languages;
mod limits;
mod order;
mod outcome;
mod places;
mod pool;
mod runner;
mod runtime;
mod shrink;
mod stress;
mod submission;
mod supply;
mod value;
mod withheld;
mod words;

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use vosim_protocol::trouble::{Location, cause};
use vosim_protocol::v1::evaluation::{Evaluation, GrowthPoint};
use vosim_protocol::v1::problem::Language;
use vosim_sandbox_spec::{LANDLOCK_TOO_WEAK, Limits, RunReport, RunSpec, TOO_STRICT, Verdict};

use crate::config::EvaluatorConfig;
use crate::runtime_dir::{check_started, trouble};

pub(crate) use asked::Questioned;
pub use bench::{Comparison, SandboxBench, Tests};
pub use cancel::Cancel;
pub(crate) use cancel::CancelGuard;
pub use execute::FolderProgram;
pub use frames::{Loaded, Problem as InterfaceProblem, Raised};
pub use invariants::{ProvedInvariant, ProvedWith};
pub use outcome::{End, Ran, RunOutcome};
pub use places::ToolPaths;
pub use runner::{Calls, Refusal};
pub use runtime::Runtime;
pub use shrink::{Contender, Differing, public_run, public_runs};
pub use stress::Bounds;
pub use submission::Submission;
pub use value::Value;

use driver_process::Process;
use judge::Running;
use languages::{Profile, profile};
use order::{FileId, Order};
use pool::Pool;
use runner::{Group, Purpose, Runner, Solution};
use supply::Supply;

/// Name of the helper that runs code, beside our own program.
const SANDBOX_NAME: &str = "vosim-sandbox";

/// How long the helper may take to tell whether an interpreter starts, on a machine that may be busy.
const TRIAL_WITHIN: Duration = Duration::from_secs(5);

/// How long nobody else waits for a helper that has not answered, or for a runtime that was not found: one command
/// tries several languages.
const SILENT_FOR: Duration = Duration::from_secs(10);

/// Most that the measurement of the time per operation may compute and take. What wants more, such
/// as code that prints at each call, is not worth the wait of whoever has just passed.
const PROBE_CPU_MS: u64 = 3_000;
const PROBE_WALL_MS: u64 = 6_000;

/// The evaluator that the settings ask for; PATH is the one that this process was started with.
pub fn open(config: &EvaluatorConfig) -> Evaluator {
    let EvaluatorConfig { python, node, sandbox, user, warm: _ } = config;
    Evaluator::new(ToolPaths {
        sandbox: sandbox.clone(),
        python: python.clone(),
        node: node.clone(),
        search_path: std::env::var_os("PATH"),
        user: user.map(|user| user.to_string()),
    })
}

/// What people are told of a language's interpreter, whether there is one or not.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter {
    /// The key of the configuration that names one.
    pub setting: &'static str,
    /// Whether vosim is of no use without it.
    pub required: bool,
    /// What to do where there is none.
    pub fix: &'static str,
}

impl Interpreter {
    /// The interpreter of a language.
    pub fn of(language: Language) -> Self {
        let &Profile { setting, required, fix, .. } = profile(language);
        Self { setting, required, fix }
    }
}

/// A runtime that was found, and the files as which it was found: its own and the configured one.
#[derive(Debug)]
struct Known {
    runtime: Runtime,
    seen: [Option<FileId>; 2],
}

/// What a search for runtimes has found.
#[derive(Debug, Default)]
struct Searched {
    /// Found once, and again when its file or the one that the settings name is another one.
    known: BTreeMap<Language, Known>,
    /// Of these languages there is none.
    absent: BTreeMap<Language, Absent>,
    silent: Option<Silent>,
}

/// What is said where no runtime was found, as long as the programs that were asked are the same: installing one is
/// enough. For a while alone, since a shim becomes another program by a setting of its own.
#[derive(Debug)]
struct Absent {
    asked: Vec<(PathBuf, Option<FileId>)>,
    until: Instant,
    told: String,
}

/// A helper that has not answered, and what is said of it until then.
#[derive(Debug)]
struct Silent {
    helper: Option<FileId>,
    until: Instant,
    told: String,
}

/// Why the helper has given no report.
#[derive(Clone, Debug)]
struct Unreported {
    why: String,
    fault: HelperFault,
}

/// What is wrong with a helper, as far as it decides what else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HelperFault {
    /// It was given up.
    Late,
    /// Others could change it; the step that mends this is told with it.
    Untrusted,
    /// It is not there, or no helper.
    Other,
}

/// The programs that are asked something on behalf of no run.
#[derive(Debug, Default)]
struct Asking {
    closed: bool,
    under_way: Vec<Weak<Cancel>>,
}

/// The one place where code is run.
#[derive(Debug)]
pub struct Evaluator {
    places: ToolPaths,
    limits: Limits,
    runtimes: Mutex<Searched>,
    asking: Mutex<Asking>,
    pool: Option<Pool>,
}

impl From<runtime::NoRuntime> for Refusal {
    fn from(runtime::NoRuntime { told, is_there }: runtime::NoRuntime) -> Self {
        if is_there { Self::Defective(told) } else { Self::Interpreter(told) }
    }
}

impl Evaluator {
    /// An evaluator with the limits of 000 (DECISIONS 17).
    pub fn new(places: ToolPaths) -> Self {
        Self::with_limits(places, Limits::submission())
    }

    /// An evaluator with other limits, for tests and for other kinds.
    pub fn with_limits(places: ToolPaths, limits: Limits) -> Self {
        Self { places, limits, runtimes: Mutex::default(), asking: Mutex::default(), pool: None }
    }

    /// Keeps so many interpreters of each language waiting for submissions, from the first one of
    /// that language on; none with 0.
    pub fn keep_warm(mut self, most: usize) -> Self {
        self.pool = (most > 0).then(|| Pool::new(most));
        self
    }

    /// A handle for programs that are asked something on behalf of no run: the end of the evaluator
    /// cancels it.
    pub(crate) fn until_closed(&self) -> Result<Arc<Cancel>, Refusal> {
        let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        if asking.closed {
            return Err(Refusal::Cancelled);
        }
        let cancel = Cancel::new().map_err(|error| Refusal::Sandbox(cause(&error)))?;
        let cancel = Arc::new(cancel);
        asking.under_way.retain(|other| other.strong_count() > 0);
        asking.under_way.push(Arc::downgrade(&cancel));
        Ok(cancel)
    }

    /// Waits for no program any more that was asked something on behalf of no run, and asks none.
    pub(crate) fn call_off(&self) {
        let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        asking.closed = true;
        for cancel in asking.under_way.drain(..).filter_map(|cancel| cancel.upgrade()) {
            cancel.cancel();
        }
    }

    /// Ends everything that waits for submissions; blocks until it has gone.
    pub fn close(&self) {
        self.call_off();
        if let Some(pool) = &self.pool {
            pool.close();
        }
    }

    /// Judges a submission; `progress` hears the number and the name of each case as it begins, in
    /// the order in which they are run.
    pub fn evaluate(
        &self,
        submission: &Submission<'_>,
        cancel: &Cancel,
        progress: &mut dyn FnMut(usize, &str),
    ) -> Result<Evaluation, Refusal> {
        let runtime = self.runtime(submission.language)?;
        let judged = self.judge_all(submission, &runtime, cancel, progress);
        if let Some(pool) = &self.pool {
            pool.fill(submission.language, &self.order(&runtime));
        }
        judged
    }

    fn judge_all(
        &self,
        submission: &Submission<'_>,
        runtime: &Runtime,
        cancel: &Cancel,
        progress: &mut dyn FnMut(usize, &str),
    ) -> Result<Evaluation, Refusal> {
        let running = Running::of(submission);
        let limits = self.limits_of(submission);
        let runner = self.runner(submission, runtime, &limits, cancel, progress);
        let outcome = runner.run(&running.groups(submission))?;
        Ok(judge::judge(submission, &running, outcome, &limits, runtime))
    }

    /// Runs calls without judging them.
    pub fn run(
        &self,
        submission: &Submission<'_>,
        cases: &[Calls<'_>],
        cancel: &Cancel,
    ) -> Result<RunOutcome, Refusal> {
        self.run_within(submission, cases, &self.limits_of(submission), cancel)
    }

    fn run_within(
        &self,
        submission: &Submission<'_>,
        cases: &[Calls<'_>],
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<RunOutcome, Refusal> {
        let runtime = self.runtime(submission.language)?;
        let mut quiet = |_: usize, _: &str| ();
        let runner = self.runner(submission, &runtime, limits, cancel, &mut quiet);
        runner.run(&[Group { purpose: Purpose::Shown, cases: cases.to_vec() }])
    }

    /// Measures the time per operation at growing sizes; None when the problem has no such probe
    /// or the code does not go through with it. The figures are the word of a process that the code
    /// shares, so nothing is decided by them.
    pub fn probe(
        &self,
        submission: &Submission<'_>,
        cancel: &Cancel,
    ) -> Result<Option<Vec<GrowthPoint>>, Refusal> {
        let Some(probe) = &submission.problem.growth else { return Ok(None) };
        let runtime = self.runtime(submission.language)?;
        let mut quiet = |_: usize, _: &str| ();
        // No verdict waits for it: what waits in the pool is left for the next submission.
        let cold = self.order(&runtime);
        let supply = Supply::new(submission.language, cold, None);
        let limits = Limits {
            cpu_ms: PROBE_CPU_MS.min(self.limits.cpu_ms),
            wall_ms: PROBE_WALL_MS.min(self.limits.wall_ms),
            ..self.limits.clone()
        };
        let runner = Self::runner_with(supply, submission, &limits, cancel, &mut quiet);
        let points = |nanos: Vec<u64>| {
            let pairs = probe.sizes.iter().zip(nanos);
            pairs.map(|(&size, nanos)| GrowthPoint { size, nanos }).collect()
        };
        Ok(runner.probe(probe)?.map(points))
    }

    /// The runtime that code of this language is run with.
    pub fn runtime(&self, language: Language) -> Result<Runtime, Refusal> {
        let mut searched = self.runtimes.lock().unwrap_or_else(PoisonError::into_inner);
        let Searched { known, absent, silent } = &mut *searched;
        let configured = self.wanted(language);
        let files = |runtime: &Runtime| {
            [Some(runtime.path.as_path()), configured].map(|path| FileId::of(path?))
        };
        let same = |known: &&Known| files(&known.runtime) == known.seen;
        if let Some(Known { runtime, .. }) = known.get(&language).filter(same) {
            return Ok(runtime.clone());
        }
        let helper = FileId::of(&self.sandbox());
        let is_same = |silent: &&Silent| silent.helper == helper && Instant::now() < silent.until;
        if let Some(Silent { told, .. }) = silent.as_ref().filter(is_same) {
            return Err(Refusal::Sandbox(told.clone()));
        }
        let asked = runtime::candidates(profile(language), configured, self.search_path());
        let asked: Vec<_> = asked
            .into_iter()
            .map(|path| {
                let file = FileId::of(&path);
                (path, file)
            })
            .collect();
        let is_same = |absent: &&Absent| absent.asked == asked && Instant::now() < absent.until;
        if let Some(Absent { told, .. }) = absent.get(&language).filter(is_same) {
            return Err(Refusal::Interpreter(told.clone()));
        }
        let cancel = self.until_closed()?;
        let mut late = None;
        let found = self.search(language, &cancel, &mut late);
        if cancel.is_cancelled() {
            return Err(Refusal::Cancelled);
        }
        let until = Instant::now() + SILENT_FOR;
        *silent = late.map(|told| Silent { helper, until, told });
        match &found {
            Err(Refusal::Interpreter(told)) => {
                absent.insert(language, Absent { asked, until, told: told.clone() });
            }
            Ok(_) | Err(_) => drop(absent.remove(&language)),
        }
        let mut found = found?;
        if configured.is_some() && !found.passed_over.is_empty() {
            let path = found.path.display();
            tracing::warn!(%path, version = %found.version, passed_over = ?found.passed_over, "not the configured interpreter is used");
        }
        let seen = files(&found);
        found.packed = self.packed(&found, &cancel);
        known.insert(language, Known { runtime: found.clone(), seen });
        Ok(found)
    }

    fn search_path(&self) -> Option<&OsStr> {
        self.places.search_path.as_deref()
    }

    /// Looks for a runtime; `late` becomes what is told of a helper that has not answered.
    fn search(
        &self,
        language: Language,
        cancel: &Cancel,
        late: &mut Option<String>,
    ) -> Result<Runtime, Refusal> {
        let search_path = self.search_path();
        let mut helpless: Option<Unreported> = None;
        let mut tried = Vec::new();
        let configured = self.wanted(language);
        let found = runtime::find(profile(language), configured, search_path, cancel, |found| {
            if let Some(Unreported { why, .. }) = &helpless {
                return Err(why.clone());
            }
            let report = self.try_out(found, cancel);
            helpless = report.as_ref().err().cloned();
            let report = report.map_err(|unreported| unreported.why)?;
            tried.push(sandbox_fault(&report));
            starts(&report)
        });
        // What keeps each of them from starting lies in none of them.
        let at_fault = tried.first().cloned().flatten().filter(|_| {
            let (first, rest) = (&tried[0], &tried[1..]);
            rest.iter().all(|why| why == first)
        });
        match (found, helpless) {
            (Ok(found), _) => Ok(found),
            // No runtime can be tried without a helper, however many there are.
            (Err(_), Some(unreported)) => {
                let told = self.helper_fault(&unreported);
                *late = (unreported.fault == HelperFault::Late).then(|| told.clone());
                Err(Refusal::Sandbox(told))
            }
            (Err(none), None) => Err(at_fault.map_or_else(|| none.into(), Refusal::Sandbox)),
        }
    }

    /// Whose fault it is that no helper answers.
    fn helper_fault(&self, Unreported { why, fault }: &Unreported) -> String {
        match &self.places.sandbox {
            Some(path) => {
                format!(
                    "{why}. The setting evaluator.sandbox names {}: correct it.",
                    path.display()
                )
            }
            None if *fault == HelperFault::Untrusted => format!("{why}."),
            None if own_program().is_none() => format!(
                "{why}. It is looked for beside vosimd, and without /proc nothing says where that is: \
                 mount /proc, or name it as evaluator.sandbox in the configuration."
            ),
            None if self.sandbox().is_absolute() => {
                format!("{why}. Put the {SANDBOX_NAME} of this version in its place.")
            }
            None => format!("{why}. The program {SANDBOX_NAME} belongs beside vosimd."),
        }
    }

    /// The interpreter that Python code is run with.
    pub fn python(&self) -> Result<Runtime, Refusal> {
        self.runtime(Language::Python)
    }

    /// The interpreter that the settings name for a language.
    pub fn wanted(&self, language: Language) -> Option<&Path> {
        (profile(language).configured)(&self.places)
    }

    fn try_out(&self, runtime: &Runtime, cancel: &Cancel) -> Result<RunReport, Unreported> {
        self.report_of(&runtime.trial(), cancel)
    }

    /// What it writes belongs to it: nobody else's code was inside.
    fn packed(&self, runtime: &Runtime, cancel: &Cancel) -> Option<String> {
        let report = self.report_of(&runtime.packing()?, cancel).ok()?;
        let whole = report.verdict == Verdict::Ok && !report.stdout.truncated;
        whole.then_some(report.stdout.head)
    }

    /// What became of a small run, which the helper must tell soon.
    fn report_of(&self, spec: &RunSpec, cancel: &Cancel) -> Result<RunReport, Unreported> {
        let sandbox = self.sandbox();
        check_started(&sandbox).map_err(|why| {
            let step = sandbox.is_file().then(|| format!("; {}", why.remedy(&sandbox)));
            let step = step.unwrap_or_default();
            let why = format!("{} is not started: {why}{step}", sandbox.display());
            Unreported { why, fault: HelperFault::Untrusted }
        })?;
        let began = Instant::now();
        let report = Process::start(&sandbox, self.user(), spec)
            .map_err(|error| {
                let trouble = trouble(&error, &sandbox, Location::Program);
                format!("starting {}: {trouble}", sandbox.display())
            })
            .and_then(|process| process.within(TRIAL_WITHIN).report(cancel));
        report.map_err(|why| match began.elapsed() < TRIAL_WITHIN {
            true => Unreported { why, fault: HelperFault::Other },
            false => {
                let secs = TRIAL_WITHIN.as_secs();
                let why = format!("{} has not answered within {secs} s", sandbox.display());
                Unreported { why, fault: HelperFault::Late }
            }
        })
    }

    /// Our limits, with the CPU time that the problem grants where that is less.
    fn limits_of(&self, submission: &Submission<'_>) -> Limits {
        let cpu_ms = self.limits.cpu_ms.min(submission.problem.cpu_ms);
        Limits { cpu_ms, ..self.limits.clone() }
    }

    fn order(&self, runtime: &Runtime) -> Arc<Order> {
        // The go signal may lower these limits.
        Arc::new(Order::new(self.sandbox(), self.user(), runtime, &self.limits))
    }

    fn runner<'a>(
        &'a self,
        submission: &Submission<'a>,
        runtime: &Runtime,
        limits: &Limits,
        cancel: &'a Cancel,
        progress: &'a mut dyn FnMut(usize, &str),
    ) -> Runner<'a> {
        let supply = Supply::new(submission.language, self.order(runtime), self.pool.as_ref());
        Self::runner_with(supply, submission, limits, cancel, progress)
    }

    fn runner_with<'a>(
        supply: Supply<'a>,
        submission: &Submission<'a>,
        limits: &Limits,
        cancel: &'a Cancel,
        progress: &'a mut dyn FnMut(usize, &str),
    ) -> Runner<'a> {
        Runner {
            supply,
            out_of_memory: profile(submission.language).out_of_memory,
            limits: limits.clone(),
            solution: Solution {
                file: submission.file_name(),
                code: submission.code,
                interface: &submission.problem.interface,
            },
            cancel,
            progress,
        }
    }

    /// The account that runs code when the daemon itself runs as root.
    pub(crate) fn user(&self) -> Option<&str> {
        self.places.user.as_deref()
    }

    /// The configured helper, else the one beside this program (in a build: one level up).
    pub(crate) fn sandbox(&self) -> PathBuf {
        if let Some(path) = &self.places.sandbox {
            return path.clone();
        }
        let own = own_program().unwrap_or_default();
        let beside = own.ancestors().skip(1).take(2).map(|dir| dir.join(SANDBOX_NAME));
        beside.into_iter().find(|path| path.is_file()).unwrap_or_else(|| SANDBOX_NAME.into())
    }
}

/// This program's own file. Without /proc the system does not tell, and whoever started it does where
/// they named the whole path.
fn own_program() -> Option<PathBuf> {
    let named = || std::env::args_os().next().map(PathBuf::from).filter(|own| own.is_absolute());
    std::env::current_exe().ok().or_else(named)
}

/// What the sandbox met, whatever program it was to start.
fn sandbox_fault(report: &RunReport) -> Option<String> {
    let of_the_machine =
        |error: &String| [TOO_STRICT, LANDLOCK_TOO_WEAK].iter().any(|part| error.contains(part));
    match report.verdict {
        Verdict::Internal => report.error.clone(),
        Verdict::NotStarted => report.error.clone().filter(of_the_machine),
        Verdict::Ok | Verdict::Exit | Verdict::Signal | Verdict::Limit { .. } => None,
    }
}

fn starts(report: &RunReport) -> Result<(), String> {
    match (&report.verdict, &report.error) {
        (Verdict::Ok, _) => Ok(()),
        (_, Some(error)) => Err(format!("it does not start in the sandbox: {error}")),
        (verdict, None) => Err(format!("it does not start in the sandbox: {verdict:?}")),
    }
}
