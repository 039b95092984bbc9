//! Watches a running program until it ends or reaches a limit, then ends all processes it started.
//!
//! One thread, one `poll` over the streams, a signalfd for ended children and the caller's line.
//! The clock is the monotonic one. Nothing is decided from figures taken after the end: a program
//! that ended before a limit was seen to be reached has ended by itself.

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
use crate::proc_tree::{Machine, ProcTree, Sums};
use crate::standby::{self, Inbox};
use crate::verdict::{self, Ended, Seen, Signs};

/// Time between two looks at computing and memory. Pages are touched at about 2 GB/s, so a run can
/// be some 20 MB over its memory before that is seen.
const TICK: Duration = Duration::from_millis(10);

/// Time between two looks at a program on standby, which may wait for minutes.
const STANDBY_TICK: Duration = Duration::from_secs(1);

/// Time between two looks at the memory of the machine, which other programs use as well.
const MACHINE_TICK: Duration = Duration::from_millis(50);

/// Less computing than this counts as none for the idle limit: a sleep loop is idle too.
const IDLE_CPU: Duration = Duration::from_millis(10);

/// Bytes of one read. The buffer is not cleared, only filled.
const READ_MAX: usize = 32 * 1024;

/// Reads of one stream before the other gets its turn.
const READS_PER_TURN: usize = 16;

/// Most rounds of killing after the end; each kills all processes that it finds.
const SWEEPS_MAX: usize = 1000;

/// The processes that must be gone before the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All others of the namespace of which this process is pid 1.
    Namespace,
    /// All below this process, which is the subreaper.
    Descendants,
}

/// One stream of the program: both ends of its pipe, and the part that is kept.
#[derive(Debug)]
pub(crate) struct Stream {
    reader: OwnedFd,
    /// Held open, so that the end of the stream never wakes us: a program that has closed its
    /// output may still run, and its end is told otherwise.
    _writer: OwnedFd,
    kept: Kept,
}

impl Stream {
    /// Takes both ends of the pipe; `reader` must not block.
    pub(crate) fn new(reader: OwnedFd, writer: OwnedFd, keep: u64) -> Self {
        Self { reader, _writer: writer, kept: Kept::new(keep) }
    }

    /// Reads what is there, with at most `reads` reads.
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

/// The outcome of a run.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) seen: Seen,
    /// The limit that probably caused the end, where nothing proves it.
    pub(crate) suspected: Option<Limit>,
    pub(crate) usage: Usage,
    pub(crate) stdout: Output,
    pub(crate) stderr: Output,
    /// Present once a program on standby was given the go signal.
    pub(crate) waited: Option<Waited>,
    /// The reason why the run could not go on, for which it is not to blame: the caller's line is no
    /// go signal, or the machine runs out of memory.
    pub(crate) broken: Option<String>,
}

/// One run being watched.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    /// The limits in force now.
    pub(crate) limits: Limits,
    /// While the program is on standby: the limits from the go signal on.
    pub(crate) after_go: Option<Limits>,
    /// The caller's signals, where they are expected.
    pub(crate) inbox: Option<Inbox>,
    /// The use of resources before the go signal.
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
    /// Whether the program has been waited for: its number may now belong to another process.
    pub(crate) target_gone: bool,
}

/// The use of resources on standby.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BeforeGo {
    cpu: Duration,
    waited: Option<Waited>,
}

/// The state that changes while watching.
#[derive(Debug)]
struct Progress {
    ended: Option<Ended>,
    peak: Sums,
    /// The last moment at which more computing was seen or waited for, and how much there was in all.
    active: (Instant, Duration),
    next_tick: Instant,
    /// The next look at the memory of the machine, and the least that must be left of it.
    next_of_machine: Instant,
    floor: u64,
    abandoned: bool,
    broken: Option<String>,
}

impl Progress {
    const fn goes_on(&self) -> bool {
        self.ended.is_none() && !self.abandoned && self.broken.is_none()
    }
}

impl Watch<'_> {
    /// Watches to the end; returns None when the caller has gone, and with it the report's reader.
    pub(crate) fn run(mut self) -> Option<Outcome> {
        let mut buffer = Vec::with_capacity(READ_MAX);
        let mut progress = Progress {
            ended: None,
            peak: Sums::default(),
            active: (self.started, Duration::ZERO),
            next_tick: self.started + TICK,
            next_of_machine: self.started + MACHINE_TICK,
            floor: self.meter.machine().map_or(0, Machine::floor),
            abandoned: false,
            broken: None,
        };
        let mut reached = Vec::new();
        // The go signal may have come together with the request.
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
        let broken = progress.broken;
        (!progress.abandoned).then(|| Outcome { broken, ..self.outcome(seen, progress.peak) })
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
                (Err(why), _) => progress.broken = Some(why),
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

    /// Waits for all children that have ended; returns the end of the program itself, once.
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
        if now >= progress.next_of_machine {
            progress.next_of_machine = now + MACHINE_TICK;
            let short = self.meter.machine().filter(|left| left.available < progress.floor);
            let told = |left: Machine| {
                format!("the machine has {} MiB of memory left", left.available >> 20)
            };
            progress.broken = progress.broken.take().or_else(|| short.map(told));
        }
        let sums = self.meter.take()?;
        progress.peak.resident = progress.peak.resident.max(sums.resident);
        progress.peak.tasks = progress.peak.tasks.max(sums.tasks);
        // On a busy machine what is ready to compute may get nothing for long, and is not idle.
        let more = sums.cpu >= progress.active.1 + IDLE_CPU;
        if more || (self.seems_idle(progress, now) && self.meter.is_ready()) {
            progress.active = (now, sums.cpu);
        }
        Some(sums)
    }

    /// Whether no computing has been seen for as long as the limit allows.
    fn seems_idle(&self, progress: &Progress, now: Instant) -> bool {
        let limit = self.limits.idle_ms;
        let idle = now.saturating_duration_since(progress.active.0);
        limit > 0 && self.meter.sees_cpu() && idle >= Duration::from_millis(limit)
    }

    /// Counts the processes that a failed program has left behind, and itself: one that failed in
    /// the first moments was perhaps never looked at.
    fn count_the_left(&mut self, progress: &mut Progress) {
        let bad = progress.ended.is_some_and(|ended| ended != Ended::Exit(0));
        if bad && !self.meter.bounds_tasks() {
            let left = self.meter.take().map_or(0, |sums| sums.tasks);
            progress.peak.tasks = progress.peak.tasks.max(left + 1);
        }
    }

    /// Returns every limit that has been reached.
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
        check(Limit::Idle, self.seems_idle(progress, now));
        let computed = sums.map(|sums| sums.cpu.saturating_sub(self.before_go.cpu));
        check(Limit::Cpu, computed.is_some_and(|cpu| cpu >= millis(limits.cpu_ms)));
        reached
    }

    /// Whether the limit of memory is passed. Several processes may share pages, so their sum is
    /// confirmed before it counts. Where the kernel bounds the sum, it acts and tells by itself.
    fn over_memory(&mut self, sums: Sums) -> bool {
        let limit = self.limits.memory;
        if self.meter.bounds_memory() || sums.resident <= limit {
            return false;
        }
        let proc_tree = self.meter.proc_tree.as_mut().filter(|_| sums.processes > 1);
        proc_tree.is_none_or(|tree| tree.proportional() > limit)
    }

    /// Kills until no process is left, and waits for each.
    fn end_everything(&mut self) -> bool {
        // All at once, so that none can start another meanwhile; older kernels cannot.
        self.meter.group.map(Group::kill);
        for _ in 0..SWEEPS_MAX {
            match self.scope {
                // ESRCH: there is no other process.
                Scope::Namespace => drop(kill(Pid::from_raw(-1), Signal::SIGKILL).ok()),
                Scope::Descendants => self.kill_descendants(),
            }
            // All processes below have been sent a SIGKILL, so this cannot wait for long.
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
            // ESRCH: the process has gone. Its number is not reused before it was waited for, by us
            // or by a parent below us.
            kill(pid, Signal::SIGKILL).ok();
        }
    }

    /// Whether all processes have gone. A namespace is empty when its pid 1 has no child left,
    /// since a process that loses its parent becomes its child.
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
            broken: None,
            stdout: self.stdout.kept.finish(),
            stderr,
        }
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
