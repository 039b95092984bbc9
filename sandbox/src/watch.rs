//! Watches a running program until it ends or reaches a limit, then ends everything it started.
//!
//! One thread, one `poll` over the streams, a signalfd for ended children and the caller's line.
//! The clock is the monotonic one. Nothing is decided from figures taken after the end: a program
//! that left by itself before a limit was seen has left by itself.

use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::signalfd::SignalFd;
use nix::unistd::Pid;
use rustix::process::{WaitOptions, WaitStatus, wait};
use vosim_sandbox_spec::{Limit, Limits, Output, Usage, Waited};

use crate::census::{self, Census, Sums};
use crate::hold::{self, Heard};
use crate::output::Kept;

/// How often computing and memory are looked at. Pages are touched at about 2 GB/s, so a run can
/// be some 20 MB over its memory before it is seen.
const TICK: Duration = Duration::from_millis(10);

/// The same while the program is held: it prepares itself and then waits, perhaps for minutes.
const HELD_TICK: Duration = Duration::from_secs(1);

/// Less computing than this in a whole idle limit is none: a sleep loop is idle too.
const IDLE_CPU: Duration = Duration::from_millis(10);

/// Reads of one stream before the others get their turn.
const READS_PER_TURN: usize = 16;

/// Sweeps over what is left after the end, each of which kills all that the last one found.
const SWEEPS_MAX: usize = 1000;

/// Who must be gone before the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// This process is pid 1 of a namespace: everybody else in it.
    Namespace,
    /// This process is the subreaper: everybody below it.
    Descendants,
}

/// One stream of the program: the reading end and what is kept.
#[derive(Debug)]
pub(crate) struct Stream {
    fd: Option<OwnedFd>,
    kept: Kept,
}

impl Stream {
    /// `fd` must not block.
    pub(crate) fn new(fd: OwnedFd, keep: u64) -> Self {
        Self { fd: Some(fd), kept: Kept::new(keep) }
    }

    /// Takes what is there, up to `reads` reads; closes at the end of the stream.
    fn drain(&mut self, buffer: &mut [u8], reads: usize) {
        for _ in 0..reads {
            let Some(fd) = &self.fd else { return };
            match nix::unistd::read(fd, buffer) {
                Ok(0) => self.fd = None,
                Ok(count) => self.kept.push(&buffer[..count]),
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => return,
                Err(_) => self.fd = None,
            }
        }
    }
}

/// How the program itself ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Exit(i32),
    Signal(i32),
}

impl From<WaitStatus> for Ended {
    fn from(status: WaitStatus) -> Self {
        let signal = status.terminating_signal().map(Self::Signal);
        signal.unwrap_or_else(|| Self::Exit(status.exit_status().unwrap_or_default()))
    }
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) ended: Option<Ended>,
    pub(crate) limit: Option<Limit>,
    pub(crate) usage: Usage,
    pub(crate) stdout: Output,
    pub(crate) stderr: Output,
    /// Present once a held program was given the word.
    pub(crate) waited: Option<Waited>,
    /// Why the caller's word for a held program is none.
    pub(crate) misunderstood: Option<String>,
    /// False when something was still alive after the last sweep.
    pub(crate) clean: bool,
}

/// One run being watched.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    /// Those in force now.
    pub(crate) limits: Limits,
    /// While the program is held: the limits from the word on.
    pub(crate) held: Option<Limits>,
    /// What was heard of the caller's words, where they are expected.
    pub(crate) heard: Option<Heard>,
    /// What was used before the word.
    pub(crate) before: Before,
    pub(crate) target: Pid,
    pub(crate) scope: Scope,
    /// The program's start, or the word for a held one.
    pub(crate) started: Instant,
    pub(crate) stdout: Stream,
    pub(crate) stderr: Stream,
    pub(crate) children: SignalFd,
    /// Brings the word, and ends when nobody waits for the report any more.
    pub(crate) lifeline: BorrowedFd<'a>,
    pub(crate) census: Option<Census>,
    /// True once the program has been waited for: its number may belong to somebody else.
    pub(crate) target_gone: bool,
}

/// What a held program used before the word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Before {
    cpu: Duration,
    waited: Option<Waited>,
}

/// What changes while watching.
#[derive(Debug)]
struct Progress {
    ended: Option<Ended>,
    peak: Sums,
    /// The last moment at which computing had visibly moved on, and how far.
    active: (Instant, Duration),
    next_tick: Instant,
    abandoned: bool,
    misunderstood: Option<String>,
}

impl Progress {
    const fn goes_on(&self) -> bool {
        self.ended.is_none() && !self.abandoned && self.misunderstood.is_none()
    }
}

impl Watch<'_> {
    /// Watches to the end. None when the caller has gone: then there is nobody to report to.
    pub(crate) fn run(mut self) -> Option<Outcome> {
        let mut buffer = vec![0; 64 * 1024];
        let mut progress = Progress {
            ended: None,
            peak: Sums::default(),
            active: (self.started, Duration::ZERO),
            next_tick: self.started + TICK,
            abandoned: false,
            misunderstood: None,
        };
        let mut limit = None;
        // It may have come together with the request.
        self.obey(&mut progress);
        while progress.goes_on() && limit.is_none() {
            let wall = self.started + Duration::from_millis(self.limits.wall_ms);
            self.wait_until(progress.next_tick.min(wall), &mut progress);
            self.stdout.drain(&mut buffer, READS_PER_TURN);
            self.stderr.drain(&mut buffer, READS_PER_TURN);
            progress.ended = progress.ended.or_else(|| self.reap());
            let now = Instant::now();
            let mut sums = None;
            if now >= progress.next_tick {
                sums = self.look(&mut progress, now);
                progress.next_tick = now + if self.held.is_some() { HELD_TICK } else { TICK };
            }
            if progress.ended.is_none() {
                limit = self.limit_reached(sums, &progress, now);
            }
        }
        let clean = self.end_everything();
        let ended = progress.ended;
        self.stdout.drain(&mut buffer, usize::MAX);
        self.stderr.drain(&mut buffer, usize::MAX);
        let misunderstood = progress.misunderstood;
        (!progress.abandoned)
            .then(|| Outcome { misunderstood, ..self.outcome(ended, limit, progress.peak, clean) })
    }

    /// Hears the caller: words for a program that was held, or that nobody is there any more.
    fn listen(&mut self, progress: &mut Progress) {
        let mut chunk = [0; 512];
        match nix::unistd::read(self.lifeline, &mut chunk) {
            Ok(0) => progress.abandoned = true,
            Ok(count) => {
                self.heard.iter_mut().for_each(|heard| heard.add(&chunk[..count]));
                self.obey(progress);
            }
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            Err(_) => progress.abandoned = true,
        }
    }

    /// The first word lets a held program go; each one after it lowers limits once more.
    fn obey(&mut self, progress: &mut Progress) {
        while let Some(word) = self.heard.as_mut().and_then(Heard::word) {
            match (word, self.held.take()) {
                (Err(why), _) => progress.misunderstood = Some(why),
                (Ok(word), Some(limits)) => {
                    self.limits = hold::limits_after(&limits, word);
                    self.let_go(progress);
                }
                (Ok(word), None) => self.limits = hold::limits_after(&self.limits, word),
            }
            hold::tighten(self.target, self.before.cpu, &self.limits);
        }
    }

    /// The limits of the run count from now.
    fn let_go(&mut self, progress: &mut Progress) {
        let now = Instant::now();
        let seen = self.look(progress, now).unwrap_or_default().cpu;
        let cpu = seen.max(hold::computed(self.target));
        let wall_us = micros(now.saturating_duration_since(self.started));
        self.before = Before { cpu, waited: Some(Waited { wall_us, cpu_us: micros(cpu) }) };
        self.started = now;
        progress.active = (now, seen);
        progress.next_tick = now + TICK;
    }

    /// Sleeps until something can be read, a child has ended or the time has come.
    fn wait_until(&mut self, wake: Instant, progress: &mut Progress) {
        let left = wake.saturating_duration_since(Instant::now());
        let millis = u16::try_from(left.as_micros().div_ceil(1000)).unwrap_or(u16::MAX);
        let streams = [&self.stdout.fd, &self.stderr.fd].into_iter().flatten();
        let fixed = [self.lifeline, self.children.as_fd()];
        let mut fds: Vec<_> = fixed
            .into_iter()
            .chain(streams.map(OwnedFd::as_fd))
            .map(|fd| PollFd::new(fd, PollFlags::POLLIN))
            .collect();
        let woken = poll(&mut fds, PollTimeout::from(millis)).is_ok();
        let called = fds[0].revents().unwrap_or(PollFlags::empty());
        if !woken {
            return;
        }
        progress.abandoned |= called.intersects(PollFlags::POLLHUP | PollFlags::POLLERR);
        if called.contains(PollFlags::POLLIN) {
            self.listen(progress);
        }
    }

    /// Waits for all children that have ended; says how the program itself ended, once.
    fn reap(&mut self) -> Option<Ended> {
        while matches!(self.children.read_signal(), Ok(Some(_))) {}
        let mut ended = None;
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if pid.as_raw_pid() == self.target.as_raw() {
                self.target_gone = true;
                ended = Some(Ended::from(status));
            }
        }
        ended
    }

    fn look(&mut self, progress: &mut Progress, now: Instant) -> Option<Sums> {
        let sums = self.census.as_mut()?.take();
        progress.peak.resident = progress.peak.resident.max(sums.resident);
        progress.peak.tasks = progress.peak.tasks.max(sums.tasks);
        if sums.cpu >= progress.active.1 + IDLE_CPU {
            progress.active = (now, sums.cpu);
        }
        Some(sums)
    }

    /// The first of the fixed order that has been reached.
    fn limit_reached(
        &mut self,
        sums: Option<Sums>,
        progress: &Progress,
        now: Instant,
    ) -> Option<Limit> {
        let limits = self.limits.clone();
        if self.stdout.kept.bytes() + self.stderr.kept.bytes() > limits.output_max {
            return Some(Limit::Output);
        }
        let millis = Duration::from_millis;
        let over = |sums: Sums| sums.resident > limits.memory;
        if sums.is_some_and(over) && self.really_over_memory(sums.unwrap_or_default()) {
            return Some(Limit::Memory);
        }
        if now.saturating_duration_since(self.started) >= millis(limits.wall_ms) {
            return Some(Limit::Wall);
        }
        let idle = now.saturating_duration_since(progress.active.0);
        if limits.idle_ms > 0 && self.census.is_some() && idle >= millis(limits.idle_ms) {
            return Some(Limit::Idle);
        }
        let computed = |sums: &Sums| sums.cpu.saturating_sub(self.before.cpu);
        sums.filter(|sums| computed(sums) >= millis(limits.cpu_ms)).map(|_| Limit::Cpu)
    }

    /// Several processes may share pages, so their sum is confirmed before it counts.
    fn really_over_memory(&mut self, sums: Sums) -> bool {
        let limit = self.limits.memory;
        sums.processes < 2
            || self.census.as_mut().is_none_or(|census| census.proportional() > limit)
    }

    /// Kills until nobody is left, and waits for each.
    fn end_everything(&mut self) -> bool {
        for _ in 0..SWEEPS_MAX {
            match self.scope {
                // ESRCH: nobody else is there.
                Scope::Namespace => drop(kill(Pid::from_raw(-1), Signal::SIGKILL).ok()),
                Scope::Descendants => self.kill_descendants(),
            }
            // Everybody below has been sent a SIGKILL, so this cannot wait for long.
            match wait(WaitOptions::empty()) {
                Err(rustix::io::Errno::CHILD) => return self.nobody_left(),
                Ok(Some((pid, _))) if pid.as_raw_pid() == self.target.as_raw() => {
                    self.target_gone = true;
                }
                Ok(_) | Err(_) => {}
            }
        }
        false
    }

    fn kill_descendants(&mut self) {
        let below = self.census.as_mut().map(Census::descendants).unwrap_or_default();
        let target = (!self.target_gone).then_some(self.target);
        for pid in below.into_iter().map(Pid::from_raw).chain(target) {
            // ESRCH: gone meanwhile. Its number is not reused before it was waited for, by us
            // or by a parent below us.
            kill(pid, Signal::SIGKILL).ok();
        }
    }

    fn nobody_left(&mut self) -> bool {
        self.census.as_mut().is_none_or(|census| census.descendants().is_empty())
    }

    fn outcome(
        mut self,
        ended: Option<Ended>,
        mut limit: Option<Limit>,
        peak: Sums,
        clean: bool,
    ) -> Outcome {
        let written = self.stdout.kept.bytes() + self.stderr.kept.bytes();
        if written > self.limits.output_max {
            limit = Some(Limit::Output);
        }
        let account = census::reaped_usage();
        let (user, sys) = census::reaped_parts(account.as_ref());
        let polled = self.census.as_mut().map(|census| census.cpu()).unwrap_or_default();
        // What no wait reported is added to the user part; nobody knows how it divides.
        let unreported = polled.saturating_sub(user + sys);
        let total = (user + sys + unreported).saturating_sub(self.before.cpu);
        // Nobody knows either how the time before the word divides.
        let user = total.saturating_sub(sys);
        let sys = total - user;
        let largest = account.map_or(0, |usage| usage.max_rss());
        let largest = u64::try_from(largest).unwrap_or_default() * 1024;
        let usage = Usage {
            wall_us: micros(self.started.elapsed()),
            cpu_user_us: micros(user),
            cpu_sys_us: micros(sys),
            peak_memory: peak.resident.max(largest),
            processes_peak: peak.tasks.max(1),
        };
        // The kernel's own bound backs up ours: its signal is the same limit. It counts by ticks,
        // which on a busy machine run ahead of the time that was really computed.
        if limit.is_none() && ended == Some(Ended::Signal(Signal::SIGXCPU as i32)) {
            let nearly = Duration::from_millis(self.limits.cpu_ms) * 4 / 5;
            limit = (total >= nearly).then_some(Limit::Cpu);
        }
        Outcome {
            ended,
            limit,
            usage,
            waited: self.before.waited,
            misunderstood: None,
            stdout: self.stdout.kept.finish(),
            stderr: self.stderr.kept.finish(),
            clean,
        }
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
