//! Runs the calls of many cases in as few processes as it takes, within limits that are summed
//! over all of them (DECISIONS 17). It compares nothing: it says what came back.
//!
//! Cases come in groups, one after the other in the same process for as long as nothing breaks. The
//! end mark of a group seals it: whatever the program says later belongs to no case of it. So what
//! a program learns in one group cannot be told in the results of those before.

use std::fmt;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use vosim_protocol::trouble::Location;
use vosim_protocol::v1::evaluation::Detail;
use vosim_protocol::v1::problem::{GrowthProbe, Interface, Op};
use vosim_sandbox_spec::{Go, Limit, Limits, RunReport, Verdict};

use super::cancel::Cancel;
use super::driver_process::{Exchange, Process};
use super::frames::{self, Answer, Loaded};
use super::outcome::{End, Ran, RunOutcome, computed};
use super::supply::{Origin, Supply};
use crate::runtime_dir::trouble;

/// How long a shortage may take to pass, and how long until the next attempt.
const SHORTAGE_WITHIN: Duration = Duration::from_secs(5);
const SHORTAGE_STEP: Duration = Duration::from_millis(50);

/// Whether files, processes or memory are short just now, which others give back.
fn is_shortage(error: &std::io::Error) -> bool {
    let errno = error.raw_os_error().map(Errno::from_raw);
    matches!(errno, Some(Errno::EMFILE | Errno::ENFILE | Errno::EAGAIN | Errno::ENOMEM))
}

/// A submission in the form in which it is run.
#[derive(Clone, Copy)]
pub(super) struct Solution<'a> {
    /// The candidate's own name for the file.
    pub file: &'a str,
    /// The bytes.
    pub code: &'a [u8],
    /// What it must define.
    pub interface: &'a Interface,
}

/// Shows the size only: code stays out of logs.
impl fmt::Debug for Solution<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solution").field("bytes", &self.code.len()).finish_non_exhaustive()
    }
}

/// The calls of one case.
#[derive(Clone, Copy, Debug)]
pub struct Calls<'a> {
    /// The name, for progress.
    pub name: &'a str,
    /// What is called; what must come back is not looked at.
    pub ops: &'a [Op],
}

/// What cases are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Their outcome counts, and what they return and print may be shown.
    Shown,
    /// They explain hidden cases; what becomes of them counts for nothing.
    Twins,
    /// Their outcome counts, and nothing of them may be shown.
    Hidden,
}

/// Cases that are asked one after the other and then sealed.
#[derive(Clone, Debug)]
pub(super) struct Group<'a> {
    pub(super) purpose: Purpose,
    pub(super) cases: Vec<Calls<'a>>,
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
    /// A part of the problem that takes part in drawing did not do its own.
    #[error("{0}")]
    Draw(String),
    /// There is no interpreter to run it with.
    #[error("{0}")]
    Interpreter(String),
    /// There is one, and something that can be mended keeps it from being used.
    #[error("{0}")]
    Defective(String),
    /// A program that others are compared with, or that is compared, answers nothing.
    #[error("{0}")]
    Unusable(String),
}

/// Runs drivers with one program.
pub(super) struct Runner<'a> {
    pub(super) supply: Supply<'a>,
    /// What the runtime complains of before it ends itself for want of memory.
    pub(super) out_of_memory: &'static [&'static str],
    pub(super) limits: Limits,
    pub(super) solution: Solution<'a>,
    pub(super) cancel: &'a Cancel,
    pub(super) progress: &'a mut dyn FnMut(usize, &str),
}

/// How the driver stopped answering.
enum Silence {
    Gone,
    Nonsense,
    Flooded,
    /// A twin took longer than it may: so long.
    Slow(Duration),
    /// A driver from the pool asks for one that has not waited.
    Anew,
}

/// How long a twin may take on the clock, as a part of the computing time that a submission has. It
/// counts for nothing, so the time of one that takes longer is not the submission's either.
const TWIN_PART: u64 = 5;

/// The report of a run that was made.
pub(super) fn sound(
    report: Result<RunReport, String>,
    cancel: &Cancel,
) -> Result<RunReport, Refusal> {
    if cancel.is_cancelled() {
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

/// The word for a limit that ended a run.
pub(super) const fn detail(limit: Limit) -> Detail {
    match limit {
        Limit::Cpu => Detail::Time,
        Limit::Wall => Detail::Wall,
        Limit::Idle => Detail::Idle,
        Limit::Memory => Detail::Memory,
        Limit::Output => Detail::Output,
        Limit::Processes => Detail::Processes,
    }
}

/// The cases of all groups in the order in which they are asked, each question with its number.
struct Plan<'a> {
    cases: Vec<(Purpose, Calls<'a>)>,
    /// After how many cases each group ends.
    ends: Vec<usize>,
}

impl<'a> Plan<'a> {
    fn new(groups: &[Group<'a>]) -> Self {
        let ends = groups.iter().scan(0, |count, group| {
            *count += group.cases.len();
            Some(*count)
        });
        let cases = groups
            .iter()
            .flat_map(|Group { purpose, cases }| cases.iter().map(|calls| (*purpose, *calls)));
        Self { ends: ends.collect(), cases: cases.collect() }
    }

    /// The number of a case's question: one for each case and each end mark before it, and itself.
    fn seq_of_case(&self, index: usize) -> u32 {
        number(index + 1 + self.ends.iter().filter(|end| **end <= index).count())
    }

    /// The number of the end mark after so many cases; None where no group ends there.
    fn seq_of_mark(&self, cases: usize) -> Option<u32> {
        let before = self.ends.iter().position(|end| *end == cases)?;
        Some(number(cases + 1 + before))
    }

    /// What is sent at once, from this case on: the questions of a group and its end mark. Nobody waits
    /// for an answer in between; only the next group waits until this one is sealed.
    fn questions(&self, from: usize) -> Vec<Vec<u8>> {
        let open: Vec<_> = self.ends.iter().copied().filter(|end| *end > from).collect();
        let mut from = from;
        let group = |end: usize| {
            let cases = std::mem::replace(&mut from, end)..end;
            let cases = cases.map(|at| frames::case(self.seq_of_case(at), self.cases[at].1.ops));
            cases.chain(self.seq_of_mark(end).map(frames::end)).collect::<Vec<_>>().concat()
        };
        open.into_iter().map(group).collect()
    }

    fn is_twin(&self, index: usize) -> bool {
        self.cases.get(index).is_some_and(|(purpose, _)| *purpose == Purpose::Twins)
    }

    /// What is told when a case begins: its number among those that count, and its name. Of hidden
    /// ones only that they begin, since each step could be a message by its time.
    fn step(&self, index: usize) -> Option<(usize, &'a str)> {
        let (before, from) = self.cases.split_at(index);
        let ((purpose, calls), _) = from.split_first()?;
        let counted = before.iter().filter(|(purpose, _)| *purpose != Purpose::Twins).count();
        match purpose {
            Purpose::Shown => Some((counted, calls.name)),
            Purpose::Twins => None,
            Purpose::Hidden => {
                let first = before.last().is_none_or(|(before, _)| before != purpose);
                first.then_some((counted, HIDDEN_STEP))
            }
        }
    }
}

/// What progress says of all hidden cases together.
const HIDDEN_STEP: &str = "hidden tests";

impl Runner<'_> {
    /// Runs all cases, group by group, restarting after each crash.
    pub(super) fn run(mut self, groups: &[Group<'_>]) -> Result<RunOutcome, Refusal> {
        let mut outcome = RunOutcome::default();
        let plan = Plan::new(groups);
        if !groups.is_empty() {
            self.run_all(&plan, &mut outcome)?;
        }
        let left = plan.cases.len().saturating_sub(outcome.cases.len());
        outcome.cases.extend((0..left).map(|_| Ran::ended(End::NotRun, String::new())));
        Ok(outcome)
    }

    fn run_all(&mut self, plan: &Plan<'_>, outcome: &mut RunOutcome) -> Result<(), Refusal> {
        loop {
            if let Some(limit) = self.exhausted(outcome) {
                outcome.broke(End::Limit(limit), String::new(), true);
                return Ok(());
            }
            let broken = self.one_process(plan, outcome)?;
            let done = outcome.cases.len() >= plan.cases.len();
            let lost = outcome.load != Some(Loaded::Ok);
            let spent = matches!(broken, Some(End::Limit(_)));
            let in_twin = outcome.cases.len().checked_sub(1).is_some_and(|at| plan.is_twin(at));
            if done || lost || (spent && !in_twin) {
                return Ok(());
            }
            // What the others explain is told without them.
            while spent && plan.is_twin(outcome.cases.len()) {
                outcome.cases.push(Ran::ended(End::NotRun, String::new()));
            }
        }
    }

    /// The limit that earlier processes have left nothing of.
    fn exhausted(&self, outcome: &RunOutcome) -> Option<Detail> {
        if outcome.cpu >= Duration::from_millis(self.limits.cpu_ms) {
            return Some(Detail::Time);
        }
        (outcome.wall >= Duration::from_millis(self.limits.wall_ms)).then_some(Detail::Wall)
    }

    /// What the processes before have left of the limits.
    fn left(&self, outcome: &RunOutcome) -> Go {
        let left = |limit: u64, used: Duration| {
            limit.saturating_sub(u64::try_from(used.as_millis()).unwrap_or(u64::MAX)).max(1)
        };
        Go {
            cpu_ms: Some(left(self.limits.cpu_ms, outcome.cpu)),
            wall_ms: Some(left(self.limits.wall_ms, outcome.wall)),
            idle_ms: Some(self.limits.idle_ms),
        }
    }

    /// One process from its start to its end; says how it broke off, if it did.
    fn one_process(
        &mut self,
        plan: &Plan<'_>,
        outcome: &mut RunOutcome,
    ) -> Result<Option<End>, Refusal> {
        let mut head = String::new();
        let (origin, mut process) = self.begin(outcome)?;
        let broken = self.talk(&mut process, plan, outcome, &mut head)?;
        let Some((silence, in_case)) = broken else {
            let report = process.report(self.cancel);
            outcome.account(sound(report, self.cancel)?);
            return Ok(None);
        };
        let end = match silence {
            Silence::Gone => {
                let report = process.report(self.cancel);
                if origin != Origin::Fresh && never_went(&report) && !self.cancel.is_cancelled() {
                    // It had gone while it waited, with nothing of the program inside.
                    return self.one_afresh(plan, outcome);
                }
                let report = sound(report, self.cancel)?;
                let end = self.end_of(&report)?;
                outcome.account(report);
                end
            }
            Silence::Nonsense => {
                self.cut_off(process, Duration::ZERO, outcome)?;
                End::Nonsense
            }
            Silence::Flooded => {
                self.cut_off(process, Duration::ZERO, outcome)?;
                End::Limit(Detail::Output)
            }
            Silence::Slow(twin) => {
                self.cut_off(process, twin, outcome)?;
                End::Limit(Detail::Wall)
            }
            Silence::Anew => {
                outcome.account(sound(process.report(self.cancel), self.cancel)?);
                return self.one_afresh(plan, outcome);
            }
        };
        outcome.broke(end.clone(), head, in_case);
        Ok(Some(end))
    }

    /// Ends a process and accounts for it, but for its last part, which took so long and does not count. On
    /// a busy machine the clock goes on while it computes nothing, so what it has computed is asked of the
    /// sandbox.
    fn cut_off(
        &self,
        process: Process,
        last: Duration,
        outcome: &mut RunOutcome,
    ) -> Result<(), Refusal> {
        let wall = process.elapsed();
        let report = process.stop(self.cancel);
        if self.cancel.is_cancelled() {
            return Err(Refusal::Cancelled);
        }
        let cpu = report.map_or(wall, |report| computed(&report));
        outcome.cut_off(wall.saturating_sub(last), cpu.saturating_sub(last));
        Ok(())
    }

    /// One process in place of one from the pool.
    fn one_afresh(
        &mut self,
        plan: &Plan<'_>,
        outcome: &mut RunOutcome,
    ) -> Result<Option<End>, Refusal> {
        outcome.origins.pop();
        self.supply.distrust();
        self.one_process(plan, outcome)
    }

    /// A process that was let go.
    fn begin(&mut self, outcome: &mut RunOutcome) -> Result<(Origin, Process), Refusal> {
        loop {
            let (origin, mut process) = self.taken()?;
            match process.go(self.left(outcome)) {
                Ok(()) => {
                    outcome.origins.push(origin);
                    return Ok((origin, process));
                }
                Err(error) if origin == Origin::Fresh => return Err(self.failed(&error)),
                Err(_) => self.supply.distrust(),
            }
        }
    }

    /// A process that waits, with a little patience where the machine is short of what others give back
    /// soon.
    fn taken(&mut self) -> Result<(Origin, Process), Refusal> {
        let until = Instant::now() + SHORTAGE_WITHIN;
        loop {
            match self.supply.take() {
                Ok(taken) => return Ok(taken),
                Err(error) if is_shortage(&error) && Instant::now() < until => {
                    if self.cancel.is_cancelled() {
                        return Err(Refusal::Cancelled);
                    }
                    std::thread::park_timeout(SHORTAGE_STEP);
                }
                Err(error) => return Err(self.failed(&error)),
            }
        }
    }

    fn failed(&self, error: &std::io::Error) -> Refusal {
        let sandbox = self.supply.sandbox();
        let trouble = trouble(error, sandbox, Location::Program);
        Refusal::Sandbox(format!("starting {}: {trouble}", sandbox.display()))
    }

    /// Loads the program and asks case after case, until something is in the way: what, and whether
    /// a case (or the loading) was on, not an end mark.
    fn talk(
        &mut self,
        process: &mut Process,
        plan: &Plan<'_>,
        outcome: &mut RunOutcome,
        head: &mut String,
    ) -> Result<Option<(Silence, bool)>, Refusal> {
        self.hand_over(process);
        // While the interpreter starts or the program is loaded.
        let questions = plan.questions(outcome.cases.len());
        if let Some(silence) = self.hear_load(process, outcome, head)? {
            return Ok(Some((silence, true)));
        }
        if outcome.load != Some(Loaded::Ok) {
            return Ok(None);
        }
        self.ask_all(process, plan, questions, outcome, head)
    }

    /// Gives the process its program.
    fn hand_over(&self, process: &mut Process) {
        let Solution { file, code, interface } = self.solution;
        process.post(frames::start(process.nonce(), file, code, interface));
    }

    fn hear_load(
        &self,
        process: &mut Process,
        outcome: &mut RunOutcome,
        head: &mut String,
    ) -> Result<Option<Silence>, Refusal> {
        let answer = match self.hear(process, 0, None, head)? {
            Ok(answer) => answer,
            Err(silence) => return Ok(Some(silence)),
        };
        if answer.anew && outcome.origins.last() == Some(&Origin::Pool) {
            return Ok(Some(Silence::Anew));
        }
        if outcome.load.is_none() {
            outcome.load = answer.load;
            outcome.load_prints = std::mem::take(head);
        } else if answer.load != Some(Loaded::Ok) {
            // It did load before: what it does differently now is its own affair.
            return Ok(Some(Silence::Nonsense));
        }
        head.clear();
        Ok(None)
    }

    /// Hears each case that has no end yet, once and in order, and after each group its end mark.
    fn ask_all(
        &mut self,
        process: &mut Process,
        plan: &Plan<'_>,
        questions: Vec<Vec<u8>>,
        outcome: &mut RunOutcome,
        head: &mut String,
    ) -> Result<Option<(Silence, bool)>, Refusal> {
        let first = outcome.cases.len();
        let mut questions = questions.into_iter();
        process.post(questions.next().unwrap_or_default());
        let mut posted = Instant::now();
        for (index, (purpose, Calls { ops, .. })) in plan.cases.iter().enumerate().skip(first) {
            if let Some((number, name)) = plan.step(index) {
                (self.progress)(number, name);
            }
            let seq = plan.seq_of_case(index);
            let longest = Duration::from_millis(self.limits.cpu_ms / TWIN_PART);
            let patience = (*purpose == Purpose::Twins).then(|| Instant::now() + longest);
            let mut answer = match self.hear(process, seq, patience, head)? {
                Ok(answer) => answer,
                Err(silence) => return Ok(Some((silence, true))),
            };
            // A figure that does not fit into the time it took was made up.
            answer.micros = answer.micros.min(micros(posted.elapsed()));
            match Ran::answered(*answer, ops.len(), std::mem::take(head)) {
                Some(ran) => outcome.cases.push(ran),
                None => return Ok(Some((Silence::Nonsense, true))),
            }
            let Some(seq) = plan.seq_of_mark(index + 1) else { continue };
            match self.hear(process, seq, None, head)? {
                Ok(answer) if answer.end == Some(number(index + 1 - first)) => process.seal(seq),
                Ok(_) => return Ok(Some((Silence::Nonsense, false))),
                Err(silence) => return Ok(Some((silence, false))),
            }
            // Printed between the case and its end mark, which may be shown of no case.
            head.clear();
            process.post(questions.next().unwrap_or_default());
            posted = Instant::now();
        }
        Ok(None)
    }

    fn ask(
        &self,
        process: &mut Process,
        frame: Vec<u8>,
        seq: u32,
        head: &mut String,
    ) -> Result<Result<Box<Answer>, Silence>, Refusal> {
        process.post(frame);
        self.hear(process, seq, None, head)
    }

    fn hear(
        &self,
        process: &mut Process,
        seq: u32,
        until: Option<Instant>,
        head: &mut String,
    ) -> Result<Result<Box<Answer>, Silence>, Refusal> {
        let asked = Instant::now();
        Ok(match process.answer(seq, until, self.cancel, head) {
            Exchange::Answered(answer) => Ok(answer),
            Exchange::Gone => Err(Silence::Gone),
            Exchange::Nonsense => Err(Silence::Nonsense),
            Exchange::Flooded => Err(Silence::Flooded),
            Exchange::Slow => Err(Silence::Slow(asked.elapsed())),
            Exchange::Cancelled => return Err(Refusal::Cancelled),
            Exchange::Stuck => {
                return Err(Refusal::Sandbox("it did not end the run in time".to_owned()));
            }
        })
    }

    fn end_of(&self, report: &RunReport) -> Result<End, Refusal> {
        Ok(match report.verdict {
            Verdict::Limit { limit } => End::Limit(detail(limit)),
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
        let mut outcome = RunOutcome::default();
        let (_, mut process) = self.begin(&mut outcome)?;
        let mut head = String::new();
        self.hand_over(&mut process);
        let silence = self.hear_load(&mut process, &mut outcome, &mut head)?;
        if silence.is_some() || outcome.load != Some(Loaded::Ok) {
            return Ok(None);
        }
        let before = process.elapsed();
        let answer = self.ask(&mut process, frames::probe(1, probe), 1, &mut head)?;
        let most = (process.elapsed() - before).as_nanos();
        let Ok(answer) = answer else { return Ok(None) };
        // A figure that does not fit into the time it took was made up.
        let plausible = answer.nanos.iter().all(|nanos| u128::from(*nanos) <= most);
        let whole = answer.error.is_none() && answer.nanos.len() == probe.sizes.len();
        Ok((plausible && whole).then_some(answer.nanos))
    }
}

/// Whether it was never let go, or nobody can say so any more.
fn never_went(report: &Result<RunReport, String>) -> bool {
    report.as_ref().map_or(true, |report| report.waited.is_none())
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
