//! Watches a running program until it ends or reaches a limit, then ends everything it started.
//!
//! One thread, one `poll` over the streams, a signalfd for ended children and the caller's line.
//! The clock is the monotonic one. Nothing is decided from figures taken after the end: a program
//! that left by itself before a limit was seen has left by itself.

use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::signal::{Signal, kill};
use nix::sys::signalfd::SignalFd;
use nix::sys::time::TimeSpec;
use nix::unistd::Pid;
use rustix::buffer::spare_capacity;
use rustix::process::{WaitOptions, WaitStatus, wait};
use vosim_sandbox_spec::{Limit, Limits, Output, Usage, Waited};

use crate::cgroup::Group;
use crate::meter::Meter;
use crate::output::Kept;
use crate::proc_tree::{ProcTree, Sums};
use crate::standby::{self, Inbox};
use crate::verdict::{self, Ended, Seen, Signs};

/// How often computing and memory are looked at. Pages are touched at about 2 GB/s, so a run can
/// be some 20 MB over its memory before it is seen.
const TICK: Duration = Duration::from_millis(10);

/// The same while the program is on standby: it prepares itself and then waits, perhaps for minutes.
const STANDBY_TICK: Duration = Duration::from_secs(1);

/// Less computing than this in a whole idle limit is none: a sleep loop is idle too.
const IDLE_CPU: Duration = Duration::from_millis(10);

/// Bytes of one read. The room is not cleared, only filled.
const READ_MAX: usize = 32 * 1024;

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

/// One stream of the program: both ends of its pipe and what is kept.
#[derive(Debug)]
pub(crate) struct Stream {
    reader: OwnedFd,
    /// Held open, so that it is never the end of the stream which wakes us: that is told by the
    /// end of the program, and whoever has closed its output may still run.
    _writer: OwnedFd,
    kept: Kept,
}

impl Stream {
    /// `reader` must not block.
    pub(crate) fn new(reader: OwnedFd, writer: OwnedFd, keep: u64) -> Self {
        Self { reader, _writer: writer, kept: Kept::new(keep) }
    }

    /// Takes what is there, up to `reads` reads.
    fn drain(&mut self, buffer: &mut Vec<u8>, reads: usize) {
        for _ in 0..reads {
            buffer.clear();
            match rustix::io::read(&self.reader, spare_capacity(buffer)) {
                Ok(1..) => self.kept.push(buffer),
                Err(rustix::io::Errno::INTR) => {}
                // EAGAIN: there is no more for now.
                Ok(0) | Err(_) => return,
            }
        }
    }
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
    pub(crate) seen: Seen,
    /// The limit that probably stands behind the end, where nothing proves it.
    pub(crate) suspected: Option<Limit>,
    pub(crate) usage: Usage,
    pub(crate) stdout: Output,
    pub(crate) stderr: Output,
    /// Present once a program on standby was given the go signal.
    pub(crate) waited: Option<Waited>,
    /// Why a line of the caller is no go signal.
    pub(crate) misunderstood: Option<String>,
}

/// One run being watched.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    /// Those in force now.
    pub(crate) limits: Limits,
    /// While the program is on standby: the limits from the go signal on.
    pub(crate) after_go: Option<Limits>,
    /// The caller's signals, where they are expected.
    pub(crate) inbox: Option<Inbox>,
    /// What was used before the go signal.
    pub(crate) before_go: BeforeGo,
    pub(crate) target: Pid,
    pub(crate) scope: Scope,
    /// The program's start, or its go signal.
    pub(crate) started: Instant,
    pub(crate) stdout: Stream,
    pub(crate) stderr: Stream,
    pub(crate) children: SignalFd,
    /// Brings go signals, and ends when nobody waits for the report any more.
    pub(crate) lifeline: BorrowedFd<'a>,
    pub(crate) meter: Meter<'a>,
    /// True once the program has been waited for: its number may belong to somebody else.
    pub(crate) target_gone: bool,
}

/// What a program used on standby.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BeforeGo {
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
        let mut buffer = Vec::with_capacity(READ_MAX);
        let mut progress = Progress {
            ended: None,
            peak: Sums::default(),
            active: (self.started, Duration::ZERO),
            next_tick: self.started + TICK,
            abandoned: false,
            misunderstood: None,
        };
        let mut reached = Vec::new();
        // It may have come together with the request.
        self.obey(&mut progress);
        while progress.goes_on() && reached.is_empty() {
            let wall = self.started + Duration::from_millis(self.limits.wall_ms);
            self.wait_until(progress.next_tick.min(wall), &mut progress);
            self.stdout.drain(&mut buffer, READS_PER_TURN);
            self.stderr.drain(&mut buffer, READS_PER_TURN);
            progress.ended = progress.ended.or_else(|| self.reap());
            let now = Instant::now();
            let mut sums = None;
            if now >= progress.next_tick {
                sums = self.look(&mut progress, now);
                progress.next_tick =
                    now + if self.after_go.is_some() { STANDBY_TICK } else { TICK };
            }
            if progress.ended.is_none() {
                reached = self.reached(sums, &progress, now);
            }
        }
        self.count_the_left(&mut progress);
        let internal = !self.end_everything();
        self.stdout.drain(&mut buffer, usize::MAX);
        self.stderr.drain(&mut buffer, usize::MAX);
        let seen = Seen { internal, reached, ended: progress.ended };
        let misunderstood = progress.misunderstood;
        (!progress.abandoned)
            .then(|| Outcome { misunderstood, ..self.outcome(seen, progress.peak) })
    }

    /// Reads from the caller: a go signal, or the end of the line.
    fn listen(&mut self, progress: &mut Progress) {
        let mut chunk = [0; 512];
        match nix::unistd::read(self.lifeline, &mut chunk) {
            Ok(0) => progress.abandoned = true,
            Ok(count) => {
                self.inbox.iter_mut().for_each(|inbox| inbox.add(&chunk[..count]));
                self.obey(progress);
            }
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            Err(_) => progress.abandoned = true,
        }
    }

    /// Follows the signals: the first begins the run, each one after it lowers limits once more.
    fn obey(&mut self, progress: &mut Progress) {
        while let Some(signal) = self.inbox.as_mut().and_then(Inbox::next_signal) {
            match (signal, self.after_go.take()) {
                (Err(why), _) => progress.misunderstood = Some(why),
                (Ok(go), Some(limits)) => {
                    self.limits = standby::limits_after(&limits, go);
                    self.begin(progress);
                }
                (Ok(go), None) => self.limits = standby::limits_after(&self.limits, go),
            }
            standby::tighten(self.target, self.before_go.cpu, &self.limits);
        }
    }

    /// The limits of the run count from now.
    fn begin(&mut self, progress: &mut Progress) {
        let now = Instant::now();
        let seen = self.look(progress, now).unwrap_or_default().cpu;
        let cpu = seen.max(standby::computed(self.target));
        let wall_us = micros(now.saturating_duration_since(self.started));
        self.before_go = BeforeGo { cpu, waited: Some(Waited { wall_us, cpu_us: micros(cpu) }) };
        self.started = now;
        progress.active = (now, seen);
        progress.next_tick = now + TICK;
    }

    /// Sleeps until something can be read, a child has ended or the time has come.
    fn wait_until(&mut self, wake: Instant, progress: &mut Progress) {
        let left = TimeSpec::from_duration(wake.saturating_duration_since(Instant::now()));
        let streams = [self.stdout.reader.as_fd(), self.stderr.reader.as_fd()];
        let watched = [self.lifeline, self.children.as_fd(), streams[0], streams[1]];
        let mut fds = watched.map(|fd| PollFd::new(fd, PollFlags::POLLIN));
        let woken = ppoll(&mut fds, Some(left), None).is_ok();
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
        let sums = self.meter.take()?;
        progress.peak.resident = progress.peak.resident.max(sums.resident);
        progress.peak.tasks = progress.peak.tasks.max(sums.tasks);
        if sums.cpu >= progress.active.1 + IDLE_CPU {
            progress.active = (now, sums.cpu);
        }
        Some(sums)
    }

    /// A program that went wrong in the first moments was perhaps never looked at: whoever it has
    /// left behind is counted, and itself.
    fn count_the_left(&mut self, progress: &mut Progress) {
        let bad = progress.ended.is_some_and(|ended| ended != Ended::Exit(0));
        if bad && !self.meter.bounds_tasks() {
            let left = self.meter.take().map_or(0, |sums| sums.tasks);
            progress.peak.tasks = progress.peak.tasks.max(left + 1);
        }
    }

    /// Every limit that has been reached.
    fn reached(&mut self, sums: Option<Sums>, progress: &Progress, now: Instant) -> Vec<Limit> {
        let mut reached = Vec::new();
        let mut check = |limit: Limit, so: bool| {
            if so {
                reached.push(limit);
            }
        };
        let limits = self.limits.clone();
        let millis = Duration::from_millis;
        let written = self.stdout.kept.bytes() + self.stderr.kept.bytes();
        check(Limit::Output, written > limits.output_max);
        check(Limit::Memory, sums.is_some_and(|sums| self.over_memory(sums)));
        check(Limit::Wall, now.saturating_duration_since(self.started) >= millis(limits.wall_ms));
        let idle = now.saturating_duration_since(progress.active.0);
        let watched = limits.idle_ms > 0 && self.meter.sees_cpu();
        check(Limit::Idle, watched && idle >= millis(limits.idle_ms));
        let computed = sums.map(|sums| sums.cpu.saturating_sub(self.before_go.cpu));
        check(Limit::Cpu, computed.is_some_and(|cpu| cpu >= millis(limits.cpu_ms)));
        reached
    }

    /// Several processes may share pages, so their sum is confirmed before it counts. Where the
    /// kernel keeps the sum nothing is read from ours: it acts by itself, and says so.
    fn over_memory(&mut self, sums: Sums) -> bool {
        let limit = self.limits.memory;
        if self.meter.bounds_memory() || sums.resident <= limit {
            return false;
        }
        let proc_tree = self.meter.proc_tree.as_mut().filter(|_| sums.processes > 1);
        proc_tree.is_none_or(|tree| tree.proportional() > limit)
    }

    /// Kills until nobody is left, and waits for each.
    fn end_everything(&mut self) -> bool {
        // At once, so that nobody can start another meanwhile; older kernels do without.
        self.meter.group.map(Group::kill);
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
        let below = self.meter.proc_tree.as_mut().map(ProcTree::descendants).unwrap_or_default();
        let target = (!self.target_gone).then_some(self.target);
        for pid in below.into_iter().map(Pid::from_raw).chain(target) {
            // ESRCH: gone meanwhile. Its number is not reused before it was waited for, by us
            // or by a parent below us.
            kill(pid, Signal::SIGKILL).ok();
        }
    }

    /// A namespace is empty when its pid 1 has no child left: whoever loses its parent becomes one.
    fn nobody_left(&mut self) -> bool {
        self.scope == Scope::Namespace
            || self.meter.proc_tree.as_mut().is_none_or(|tree| tree.descendants().is_empty())
    }

    fn outcome(self, mut seen: Seen, peak: Sums) -> Outcome {
        let written = self.stdout.kept.bytes() + self.stderr.kept.bytes();
        if written > self.limits.output_max {
            seen.reached.push(Limit::Output);
        }
        let (user, sys) = self.meter.computed();
        let total = (user + sys).saturating_sub(self.before_go.cpu);
        // How the time before the go signal divides is not known.
        let user = total.saturating_sub(sys);
        // The kernel's own bound backs up ours: its signal is the same limit. It counts by ticks,
        // which on a busy machine run ahead of the time that was really computed.
        if seen.reached.is_empty() && seen.ended == Some(Ended::Signal(Signal::SIGXCPU as i32)) {
            let nearly = Duration::from_millis(self.limits.cpu_ms) * 4 / 5;
            seen.reached.extend((total >= nearly).then_some(Limit::Cpu));
        }
        let usage = Usage {
            wall_us: micros(self.started.elapsed()),
            cpu_user_us: micros(user),
            cpu_sys_us: micros(total - user),
            peak_memory: self.meter.memory_peak(peak.resident),
            processes_peak: self.meter.tasks_peak(peak.tasks),
        };
        let stderr = self.stderr.kept.finish();
        let group = self.meter.group;
        let signs = Signs {
            limits: &self.limits,
            memory_killed: group.is_some_and(Group::out_of_memory),
            tasks_refused: group.filter(|group| group.bounds.pids).map(Group::refused_tasks),
            resident_peak: (!self.meter.bounds_memory()).then_some(usage.peak_memory),
            tasks_peak: usage.processes_peak,
            stderr: &stderr,
        };
        let suspected = verdict::explain(&mut seen, &signs);
        Outcome {
            seen,
            suspected,
            usage,
            waited: self.before_go.waited,
            misunderstood: None,
            stdout: self.stdout.kept.finish(),
            stderr,
        }
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
