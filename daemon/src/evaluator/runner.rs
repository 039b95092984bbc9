//! Runs the calls of many cases in as few processes as it takes, within limits that are summed
//! over all of them (DECISIONS 17). It compares nothing: it says what came back.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use vosim_protocol::v1::evaluation::Detail;
use vosim_protocol::v1::problem::{GrowthProbe, Interface, Op};
use vosim_sandbox_spec::{Limit, Limits, RunReport, RunSpec, Verdict};

use super::driver_process::{Cancel, Exchange, Process};
use super::frames::{self, Answer, Loaded, Raised};
use super::value::Value;

/// A submission in the form in which it is run.
#[derive(Clone, Copy)]
pub struct Program<'a> {
    /// The candidate's own name for the file.
    pub file: &'a str,
    /// Its bytes.
    pub code: &'a [u8],
    /// What it must define.
    pub interface: &'a Interface,
}

/// Shows the size only: code stays out of logs.
impl fmt::Debug for Program<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("bytes", &self.code.len()).finish_non_exhaustive()
    }
}

/// The calls of one case.
#[derive(Clone, Copy, Debug)]
pub struct Calls<'a> {
    /// Its name, for progress.
    pub name: &'a str,
    /// What is called; what must come back is not looked at.
    pub ops: &'a [Op],
}

/// How one case ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Every call returned.
    Returned(Vec<Value>),
    /// A call raised; the values are those of the calls before it.
    Raised(Vec<Value>, Raised),
    /// It was running when this limit was reached.
    Limit(Detail),
    /// Its process ended by this signal.
    Signal(i32),
    /// Its process left with this status.
    Exit(i32),
    /// It disturbed the conversation with the driver.
    Nonsense,
    /// A limit was reached before its turn.
    NotRun,
}

/// What came of one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// Its time, microseconds.
    pub micros: u64,
    /// The first part of what it printed.
    pub head: String,
    /// The last part, where there is more.
    pub tail: String,
    /// Bytes printed in all, as far as known.
    pub printed: u64,
}

/// What came of a whole submission.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What loading came to; absent when the process went away meanwhile.
    pub load: Option<Loaded>,
    /// How loading ended where it did not come to an answer.
    pub load_end: Option<End>,
    /// What was printed while loading.
    pub load_prints: String,
    /// One for each case.
    pub cases: Vec<Ran>,
    /// Time on the clock.
    pub wall: Duration,
    /// Computing time.
    pub cpu: Duration,
    /// Most memory at one time.
    pub peak_memory: u64,
    /// The reports of all processes, in order.
    pub reports: Vec<RunReport>,
}

/// Why nothing could be judged: never the candidate's fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Ended by whoever asked for it.
    #[error("the run was cancelled")]
    Cancelled,
    /// The sandbox did not do its part.
    #[error("the sandbox failed: {0}")]
    Sandbox(String),
    /// There is no interpreter to run it with.
    #[error("{0}")]
    Interpreter(String),
}

/// Runs drivers with one program.
pub(super) struct Runner<'a> {
    pub(super) sandbox: PathBuf,
    pub(super) user: Option<String>,
    /// Everything but what is left of the limits.
    pub(super) spec: RunSpec,
    /// What the runtime complains of before it ends itself for want of memory.
    pub(super) out_of_memory: &'static [&'static str],
    pub(super) limits: Limits,
    pub(super) program: Program<'a>,
    pub(super) cancel: &'a Cancel,
    pub(super) progress: &'a mut dyn FnMut(usize, &str),
}

/// How the driver stopped answering.
enum Silence {
    Gone,
    Nonsense,
    Flooded,
}

impl Runner<'_> {
    /// Runs all cases, restarting after each crash.
    pub(super) fn run(mut self, cases: &[Calls<'_>]) -> Result<Outcome, Refusal> {
        let mut outcome = Outcome::default();
        loop {
            if let Some(limit) = self.exhausted(&outcome) {
                outcome.broke(End::Limit(limit), String::new());
                break;
            }
            let end = self.one_process(cases, &mut outcome)?;
            let over = end.is_none() || matches!(end, Some(End::Limit(_)));
            if over || outcome.load != Some(Loaded::Ok) || outcome.cases.len() == cases.len() {
                break;
            }
        }
        let left = cases.len().saturating_sub(outcome.cases.len());
        outcome.cases.extend((0..left).map(|_| Ran::ended(End::NotRun, String::new())));
        Ok(outcome)
    }

    /// The limit that earlier processes have left nothing of.
    fn exhausted(&self, outcome: &Outcome) -> Option<Detail> {
        if outcome.cpu >= Duration::from_millis(self.limits.cpu_ms) {
            return Some(Detail::Time);
        }
        (outcome.wall >= Duration::from_millis(self.limits.wall_ms)).then_some(Detail::Wall)
    }

    /// One process from its start to its end; says how it broke off, if it did.
    fn one_process(
        &mut self,
        cases: &[Calls<'_>],
        outcome: &mut Outcome,
    ) -> Result<Option<End>, Refusal> {
        let mut process = self.start(outcome)?;
        let mut head = String::new();
        let silence = self.talk(&mut process, cases, outcome, &mut head)?;
        let end = match silence {
            None => {
                outcome.account(self.report(process)?);
                return Ok(None);
            }
            Some(Silence::Gone) => {
                let report = self.report(process)?;
                let end = self.end_of(&report)?;
                outcome.account(report);
                end
            }
            // Ended from here, so there is no account but the clock.
            Some(Silence::Nonsense) => outcome.cut_off(&process, End::Nonsense),
            Some(Silence::Flooded) => outcome.cut_off(&process, End::Limit(Detail::Output)),
        };
        outcome.broke(end.clone(), head);
        Ok(Some(end))
    }

    fn start(&mut self, outcome: &Outcome) -> Result<Process, Refusal> {
        let left = |limit: u64, used: Duration| {
            limit.saturating_sub(u64::try_from(used.as_millis()).unwrap_or(u64::MAX)).max(1)
        };
        let mut spec = self.spec.clone();
        spec.limits.cpu_ms = left(self.limits.cpu_ms, outcome.cpu);
        spec.limits.wall_ms = left(self.limits.wall_ms, outcome.wall);
        let nonce = uuid::Uuid::new_v4().as_fields().0;
        Process::start(&self.sandbox, self.user.as_deref(), &spec, nonce).map_err(|error| {
            Refusal::Sandbox(format!("starting {}: {error}", self.sandbox.display()))
        })
    }

    /// Loads the program and asks case after case, until something is in the way.
    fn talk(
        &mut self,
        process: &mut Process,
        cases: &[Calls<'_>],
        outcome: &mut Outcome,
        head: &mut String,
    ) -> Result<Option<Silence>, Refusal> {
        let Program { file, code, interface } = self.program;
        let frame = frames::start(process.nonce(), file, code, interface);
        match self.ask(process, &frame, 0, head)? {
            Ok(answer) if outcome.load.is_none() => {
                outcome.load = answer.load;
                outcome.load_prints = std::mem::take(head);
            }
            // It did load before: what it does differently now is its own affair.
            Ok(answer) if answer.load != Some(Loaded::Ok) => return Ok(Some(Silence::Nonsense)),
            Ok(_) => head.clear(),
            Err(silence) => return Ok(Some(silence)),
        }
        if outcome.load != Some(Loaded::Ok) {
            return Ok(None);
        }
        for (index, calls) in cases.iter().enumerate().skip(outcome.cases.len()) {
            let Calls { name, ops } = *calls;
            (self.progress)(index, name);
            let seq = u32::try_from(index + 1).unwrap_or(u32::MAX);
            match self.ask(process, &frames::case(seq, ops), seq, head)? {
                Ok(answer) => match Ran::answered(*answer, ops.len(), std::mem::take(head)) {
                    Some(ran) => outcome.cases.push(ran),
                    None => return Ok(Some(Silence::Nonsense)),
                },
                Err(silence) => return Ok(Some(silence)),
            }
        }
        Ok(None)
    }

    fn ask(
        &self,
        process: &mut Process,
        frame: &[u8],
        seq: u32,
        head: &mut String,
    ) -> Result<Result<Box<Answer>, Silence>, Refusal> {
        Ok(match process.ask(frame, seq, self.cancel, head) {
            Exchange::Answered(answer) => Ok(answer),
            Exchange::Gone => Err(Silence::Gone),
            Exchange::Nonsense => Err(Silence::Nonsense),
            Exchange::Flooded => Err(Silence::Flooded),
            Exchange::Cancelled => return Err(Refusal::Cancelled),
            Exchange::Stuck => {
                return Err(Refusal::Sandbox("it did not end the run in time".to_owned()));
            }
        })
    }

    fn report(&self, process: Process) -> Result<RunReport, Refusal> {
        let report = process.report(self.cancel);
        if self.cancel.is_cancelled() {
            return Err(Refusal::Cancelled);
        }
        let report = report.map_err(Refusal::Sandbox)?;
        match report.verdict {
            Verdict::Internal | Verdict::NotStarted => {
                Err(Refusal::Sandbox(report.error.unwrap_or_else(|| "no reason given".to_owned())))
            }
            Verdict::Ok | Verdict::Exit | Verdict::Signal | Verdict::Limit { .. } => Ok(report),
        }
    }

    fn end_of(&self, report: &RunReport) -> Result<End, Refusal> {
        Ok(match report.verdict {
            Verdict::Limit { limit } => End::Limit(match limit {
                Limit::Cpu => Detail::Time,
                Limit::Wall => Detail::Wall,
                Limit::Idle => Detail::Idle,
                Limit::Memory => Detail::Memory,
                Limit::Output => Detail::Output,
                Limit::Processes => Detail::Processes,
            }),
            Verdict::Signal if self.complains_of_memory(report) => End::Limit(Detail::Memory),
            Verdict::Signal => End::Signal(report.signal.unwrap_or_default()),
            Verdict::Ok | Verdict::Exit => End::Exit(report.exit_code.unwrap_or_default()),
            Verdict::NotStarted | Verdict::Internal => {
                return Err(Refusal::Sandbox(report.error.clone().unwrap_or_default()));
            }
        })
    }

    /// A runtime whose heap is full ends itself by a signal that says nothing of memory.
    fn complains_of_memory(&self, report: &RunReport) -> bool {
        let said = [&report.stderr.head, &report.stderr.tail];
        self.out_of_memory.iter().any(|words| said.iter().any(|text| text.contains(words)))
    }

    /// Measures the time per operation at growing sizes; None when the program would not have it.
    pub(super) fn probe(mut self, probe: &GrowthProbe) -> Result<Option<Vec<u64>>, Refusal> {
        let mut outcome = Outcome::default();
        let mut process = self.start(&outcome)?;
        let mut head = String::new();
        if self.talk(&mut process, &[], &mut outcome, &mut head)?.is_some() {
            return Ok(None);
        }
        let before = process.elapsed();
        let answer = self.ask(&mut process, &frames::probe(1, probe), 1, &mut head)?;
        let most = (process.elapsed() - before).as_nanos();
        let Ok(answer) = answer else { return Ok(None) };
        // A figure that does not fit into the time it took was made up.
        let plausible = answer.nanos.iter().all(|nanos| u128::from(*nanos) <= most);
        let whole = answer.error.is_none() && answer.nanos.len() == probe.sizes.len();
        Ok((plausible && whole).then_some(answer.nanos))
    }
}

impl Outcome {
    fn account(&mut self, report: RunReport) {
        let usage = &report.usage;
        self.wall += Duration::from_micros(usage.wall_us);
        self.cpu += Duration::from_micros(usage.cpu_user_us + usage.cpu_sys_us);
        self.peak_memory = self.peak_memory.max(usage.peak_memory);
        self.reports.push(report);
    }

    fn cut_off(&mut self, process: &Process, end: End) -> End {
        self.wall += process.elapsed();
        self.cpu += process.elapsed();
        end
    }

    /// What was going on when it broke off ended like this.
    fn broke(&mut self, end: End, head: String) {
        if self.load.is_none() {
            self.load_prints = head;
            self.load_end = Some(end);
        } else {
            self.cases.push(Ran::ended(end, head));
        }
    }
}

impl Ran {
    fn ended(end: End, head: String) -> Self {
        let printed = head.len() as u64;
        Self { end, micros: 0, head, tail: String::new(), printed }
    }

    /// None when the answer is not one to that many calls.
    fn answered(answer: Answer, calls: usize, head: String) -> Option<Self> {
        let count = answer.returns.len();
        let end = match answer.error {
            Some(error) if count < calls => End::Raised(answer.returns, error),
            None if count == calls => End::Returned(answer.returns),
            Some(_) | None => return None,
        };
        let (micros, printed, tail) = (answer.micros, answer.printed, answer.tail);
        Some(Self { end, micros, head, tail, printed })
    }
}
