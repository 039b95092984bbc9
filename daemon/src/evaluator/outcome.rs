//! What came of running the calls of many cases: facts, in the order in which they were run.
//! Nothing here knows what should have come back.

use std::time::Duration;

use vosim_protocol::v1::evaluation::Detail;
use vosim_sandbox_spec::RunReport;

use super::frames::{Answer, Loaded, Raised};
use super::supply::Origin;
use super::value::Value;

/// How one case ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Every call returned.
    Returned(Vec<Value>),
    /// A call raised; the values are those of the calls before it.
    Raised(Vec<Value>, Raised),
    /// The case was running when this limit was reached.
    Limit(Detail),
    /// The process ended by this signal.
    Signal(i32),
    /// The process left with this status.
    Exit(i32),
    /// The case disturbed the conversation with the driver.
    Nonsense,
    /// A limit was reached before the case's turn.
    NotRun,
}

/// What came of one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// The time, microseconds.
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
pub struct RunOutcome {
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
    /// Most processes and threads at one time.
    pub processes_peak: u32,
    /// The reports of all processes, in order.
    pub reports: Vec<RunReport>,
    /// Where the processes came from that were given the program, in order.
    pub(super) origins: Vec<Origin>,
}

impl RunOutcome {
    pub(super) fn account(&mut self, report: RunReport) {
        self.wall += Duration::from_micros(report.usage.wall_us);
        self.cpu += computed(&report);
        self.peak_memory = self.peak_memory.max(report.usage.peak_memory);
        self.processes_peak = self.processes_peak.max(report.usage.processes_peak);
        self.reports.push(report);
    }

    /// One that was ended from here: what it had used up when what counts was over.
    pub(super) fn cut_off(&mut self, wall: Duration, cpu: Duration) {
        self.wall += wall;
        self.cpu += cpu;
    }

    /// What was going on when it broke off ended like this. Where no case was on, it is the last
    /// one that left something behind which broke it off.
    pub(super) fn broke(&mut self, end: End, head: String, in_case: bool) {
        if self.load.is_none() {
            self.load_prints = head;
            self.load_end = Some(end);
        } else if in_case {
            self.cases.push(Ran::ended(end, head));
        } else if let Some(last) = self.cases.last_mut() {
            last.end = end;
        }
    }
}

/// The computing time of a run.
pub(super) fn computed(report: &RunReport) -> Duration {
    Duration::from_micros(report.usage.cpu_user_us + report.usage.cpu_sys_us)
}

impl Ran {
    pub(super) fn ended(end: End, head: String) -> Self {
        let printed = head.len() as u64;
        Self { end, micros: 0, head, tail: String::new(), printed }
    }

    /// The exception that a call of it raised.
    pub(super) const fn raised(&self) -> Option<&Raised> {
        match &self.end {
            End::Raised(_, raised) => Some(raised),
            End::Returned(_)
            | End::Limit(_)
            | End::Signal(_)
            | End::Exit(_)
            | End::Nonsense
            | End::NotRun => None,
        }
    }

    /// None when the answer is not one to that many calls.
    pub(super) fn answered(answer: Answer, calls: usize, head: String) -> Option<Self> {
        let count = answer.returns.len();
        let end = match answer.error {
            _ if answer.end.is_some() => return None,
            Some(error) if count < calls => End::Raised(answer.returns, error),
            None if count == calls => End::Returned(answer.returns),
            Some(_) | None => return None,
        };
        let (micros, printed, tail) = (answer.micros, answer.printed, answer.tail);
        Some(Self { end, micros, head, tail, printed })
    }
}
