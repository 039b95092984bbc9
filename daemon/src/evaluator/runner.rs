//! Runs the calls of many cases in as few processes as it takes, within limits that are summed
//! over all of them (DECISIONS 17). It compares nothing: it says what came back.
//!
//! Cases come in groups that share nothing: each group begins in a fresh process. The next group's
//! process is started while the one before runs, held back by the sandbox, so that its start costs
//! no time; only one of them runs the program at any moment.

use std::fmt;
use std::time::Duration;

use vosim_protocol::v1::evaluation::Detail;
use vosim_protocol::v1::problem::{GrowthProbe, Interface, Op};
use vosim_sandbox_spec::{Limit, Limits, RunReport, Verdict, Word};

use super::cancel::Cancel;
use super::driver_process::{Exchange, Process};
use super::frames::{self, Answer, Loaded};
use super::outcome::{End, Outcome, Ran};
use super::supply::{Origin, Supply};

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
    pub(super) supply: Supply<'a>,
    /// What the runtime complains of before it ends itself for want of memory.
    pub(super) out_of_memory: &'static [&'static str],
    pub(super) limits: Limits,
    pub(super) program: Program<'a>,
    pub(super) cancel: &'a Cancel,
    pub(super) progress: &'a mut dyn FnMut(usize, &str),
    /// Has said its end; its account is not in yet.
    pub(super) closing: Option<Process>,
}

/// How the driver stopped answering.
enum Silence {
    Gone,
    Nonsense,
    Flooded,
}

impl<'a> Runner<'a> {
    /// Runs all cases, group by group, restarting after each crash; gives the supply back.
    pub(super) fn run(
        mut self,
        groups: &[Vec<Calls<'_>>],
    ) -> Result<(Outcome, Supply<'a>), Refusal> {
        let mut outcome = Outcome::default();
        self.run_groups(groups, &mut outcome)?;
        self.settle(&mut outcome)?;
        let left = groups.iter().map(Vec::len).sum::<usize>().saturating_sub(outcome.cases.len());
        outcome.cases.extend((0..left).map(|_| Ran::ended(End::NotRun, String::new())));
        Ok((outcome, self.supply))
    }

    fn run_groups(
        &mut self,
        groups: &[Vec<Calls<'_>>],
        outcome: &mut Outcome,
    ) -> Result<(), Refusal> {
        let cases = groups.concat();
        let mut end = 0;
        for (at, group) in groups.iter().enumerate() {
            end += group.len();
            let last = at + 1 == groups.len();
            loop {
                if let Some(limit) = self.exhausted(outcome) {
                    outcome.broke(End::Limit(limit), String::new(), end);
                    return Ok(());
                }
                let broken = self.one_process(&cases[..end], last, outcome)?;
                if outcome.load != Some(Loaded::Ok) || matches!(broken, Some(End::Limit(_))) {
                    return Ok(());
                }
                if outcome.cases.len() >= end {
                    break;
                }
            }
        }
        Ok(())
    }

    /// The limit that earlier processes have left nothing of.
    fn exhausted(&self, outcome: &Outcome) -> Option<Detail> {
        if outcome.cpu >= Duration::from_millis(self.limits.cpu_ms) {
            return Some(Detail::Time);
        }
        let wall = self.wall_so_far(outcome);
        (wall >= Duration::from_millis(self.limits.wall_ms)).then_some(Detail::Wall)
    }

    fn wall_so_far(&self, outcome: &Outcome) -> Duration {
        outcome.wall + self.closing.as_ref().map(Process::elapsed).unwrap_or_default()
    }

    /// What the processes before have left of the limits.
    fn left(&self, outcome: &Outcome) -> Word {
        let left = |limit: u64, used: Duration| {
            limit.saturating_sub(u64::try_from(used.as_millis()).unwrap_or(u64::MAX)).max(1)
        };
        Word {
            cpu_ms: Some(left(self.limits.cpu_ms, outcome.cpu)),
            wall_ms: Some(left(self.limits.wall_ms, self.wall_so_far(outcome))),
            idle_ms: Some(self.limits.idle_ms),
        }
    }

    /// One process from its start to its end; says how it broke off, if it did.
    fn one_process(
        &mut self,
        cases: &[Calls<'_>],
        last: bool,
        outcome: &mut Outcome,
    ) -> Result<Option<End>, Refusal> {
        let mut head = String::new();
        let (origin, mut process) = self.begin(outcome)?;
        let end = match self.talk(&mut process, cases, last, outcome, &mut head)? {
            None => {
                process.close();
                self.closing = Some(process);
                return Ok(None);
            }
            Some(Silence::Gone) => {
                let report = process.report(self.cancel);
                if origin != Origin::Fresh && never_went(&report) && !self.cancel.is_cancelled() {
                    // It had gone while it waited, with nothing of the program inside.
                    outcome.origins.pop();
                    self.supply.distrust();
                    return self.one_process(cases, last, outcome);
                }
                let report = self.sound(report)?;
                let end = self.end_of(&report)?;
                outcome.account(report);
                end
            }
            Some(Silence::Nonsense) => {
                outcome.cut_off(&process);
                End::Nonsense
            }
            Some(Silence::Flooded) => {
                outcome.cut_off(&process);
                End::Limit(Detail::Output)
            }
        };
        outcome.broke(end.clone(), head, cases.len());
        Ok(Some(end))
    }

    /// A process that was given the word.
    fn begin(&mut self, outcome: &mut Outcome) -> Result<(Origin, Process), Refusal> {
        loop {
            let (origin, mut process) = self.supply.take().map_err(|error| self.failed(&error))?;
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

    fn failed(&self, error: &std::io::Error) -> Refusal {
        Refusal::Sandbox(format!("starting {}: {error}", self.supply.sandbox().display()))
    }

    /// Gets the account of the process before, if it is not in yet.
    fn settle(&mut self, outcome: &mut Outcome) -> Result<bool, Refusal> {
        let Some(before) = self.closing.take() else { return Ok(false) };
        let report = before.report(self.cancel);
        outcome.account(self.sound(report)?);
        Ok(true)
    }

    /// Loads the program and asks case after case, until something is in the way.
    fn talk(
        &mut self,
        process: &mut Process,
        cases: &[Calls<'_>],
        last: bool,
        outcome: &mut Outcome,
        head: &mut String,
    ) -> Result<Option<Silence>, Refusal> {
        let Program { file, code, interface } = self.program;
        process.post(frames::start(process.nonce(), file, code, interface));
        // Both in the shadow of the loading: the next group's process comes up, and what the one
        // before has used is taken off exactly.
        if !last {
            self.supply.prepare();
        }
        if self.settle(outcome)? {
            process.lower(self.left(outcome));
        }
        match self.hear(process, 0, head)? {
            Ok(answer) if outcome.load.is_none() => {
                outcome.load = answer.load;
                outcome.load_prints = std::mem::take(head);
            }
            // It did load before: what it does differently now is its own affair.
            Ok(answer) if answer.load != Some(Loaded::Ok) => return Ok(Some(Silence::Nonsense)),
            Ok(_) => head.clear(),
            Err(silence) => return Ok(Some(silence)),
        }
        if outcome.load != Some(Loaded::Ok) || cases.is_empty() {
            return Ok(None);
        }
        self.ask_all(process, cases, outcome, head)
    }

    /// Asks each case that has no end yet, once and in order, and then for the end mark.
    fn ask_all(
        &mut self,
        process: &mut Process,
        cases: &[Calls<'_>],
        outcome: &mut Outcome,
        head: &mut String,
    ) -> Result<Option<Silence>, Refusal> {
        let first = outcome.cases.len();
        for (index, calls) in cases.iter().enumerate().skip(first) {
            let Calls { name, ops } = *calls;
            (self.progress)(index, name);
            let seq = number(index + 1);
            let answer = match self.ask(process, frames::case(seq, ops), seq, head)? {
                Ok(answer) => answer,
                Err(silence) => return Ok(Some(silence)),
            };
            match Ran::answered(*answer, ops.len(), std::mem::take(head)) {
                Some(ran) => outcome.cases.push(ran),
                None => return Ok(Some(Silence::Nonsense)),
            }
        }
        let seq = number(cases.len() + 1);
        Ok(match self.ask(process, frames::end(seq), seq, head)? {
            Ok(answer) if answer.end == Some(number(cases.len() - first)) => None,
            Ok(_) => Some(Silence::Nonsense),
            Err(silence) => Some(silence),
        })
    }

    fn ask(
        &self,
        process: &mut Process,
        frame: Vec<u8>,
        seq: u32,
        head: &mut String,
    ) -> Result<Result<Box<Answer>, Silence>, Refusal> {
        process.post(frame);
        self.hear(process, seq, head)
    }

    fn hear(
        &self,
        process: &mut Process,
        seq: u32,
        head: &mut String,
    ) -> Result<Result<Box<Answer>, Silence>, Refusal> {
        Ok(match process.answer(seq, self.cancel, head) {
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

    /// The report of a run that was made.
    fn sound(&self, report: Result<RunReport, String>) -> Result<RunReport, Refusal> {
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
        let (_, mut process) = self.begin(&mut outcome)?;
        let mut head = String::new();
        let silence = self.talk(&mut process, &[], true, &mut outcome, &mut head)?;
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

/// True when it was never given the word, or nobody can say so any more.
fn never_went(report: &Result<RunReport, String>) -> bool {
    report.as_ref().map_or(true, |report| report.waited.is_none())
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
