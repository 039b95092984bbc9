//! Counts what the processes of a run use, from /proc, while they run. No process is signalled.
//!
//! The descriptor of /proc is opened before the private root hides it; the walk starts at our own
//! children, so the numbers are those of the host and no foreign process is looked at.

use std::collections::BTreeMap;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::fcntl::{OFlag, openat};
use nix::sched::{CpuSet, sched_getaffinity};
use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::stat::Mode;
use nix::sys::time::TimeValLike;
use nix::unistd::{Pid, SysconfVar, sysconf};

use crate::sys;

/// Most processes of one walk, far above the limits of a run.
const WALK_MAX: usize = 8192;

/// Sums at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) cpu: Duration,
    pub(crate) resident: u64,
    pub(crate) tasks: u32,
    pub(crate) processes: u32,
}

/// The memory of the machine, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Machine {
    pub(crate) available: u64,
    pub(crate) total: u64,
    /// What the kernel keeps for itself and cannot give up.
    pub(crate) kept: u64,
}

impl Machine {
    /// The least that must be left, given what was available at the start of a run: with less, the
    /// kernel would soon end processes of its own choice.
    pub(crate) fn floor(self) -> u64 {
        FLOOR_MAX.min(self.total / 32).min(self.available / 2)
    }
}

/// Highest floor.
const FLOOR_MAX: u64 = 128 << 20;

/// The kernel keeps so much more than when the run began, bytes: its mappings may be the reason.
const KEPT_MORE: u64 = 64 << 20;

/// What the kernel keeps of a mapping, and of its link to one process that it was handed down by,
/// bytes (Linux 6.18).
const MAPPING: u64 = 256;
const LINK: u64 = 64;

/// The fields of /proc/PID/stat that are needed.
#[derive(Clone, Copy, Debug)]
struct Stat {
    running: bool,
    parent: i32,
    own_ticks: u64,
    children_ticks: u64,
    threads: u32,
    start: u64,
    resident_pages: u64,
}

/// A process as it was at the last look.
#[derive(Clone, Copy, Debug)]
struct Glimpse {
    own_ticks: u64,
    running: bool,
    first: bool,
}

/// Longest time between two looks that counts: a watcher that was kept waiting knows nothing of the
/// rest.
const GAP_MAX: Duration = Duration::from_millis(50);

/// An estimate is charged only beyond this multiple of the reported time, and this much more: on a
/// busy machine a process that is ready to run may be waiting.
const GUESS_FACTOR: u32 = 4;
const GUESS_SLACK: Duration = Duration::from_millis(500);

/// The walker, and its memory of processes that have gone.
#[derive(Debug)]
pub(crate) struct ProcTree {
    proc: OwnedFd,
    tick: Duration,
    page: u64,
    /// Processes that were alive at the last walk, by host number and start time.
    seen: BTreeMap<(i32, u64), Glimpse>,
    looked: Instant,
    cores: u32,
    /// Own computing of processes that have gone: no `wait` reports it when the parent ignores
    /// SIGCHLD.
    gone_ticks: u64,
    /// An estimate of the computing of processes that came and went between two looks. A look meets
    /// one short life in (time between looks) / (length of a life), so each process that was seen
    /// running, once, stands for as much computing as there is time between looks.
    between: Duration,
    cpu: Duration,
    /// What the kernel kept for itself at the first look, and whether it keeps far more now.
    kept_before: Option<u64>,
    keeps_more: bool,
    buffer: Vec<u8>,
}

impl ProcTree {
    /// Takes an open /proc; returns None when the kernel does not list children there.
    pub(crate) fn new(proc: OwnedFd) -> Option<Self> {
        let tick_hz = u64::try_from(sysconf(SysconfVar::CLK_TCK).ok()??).ok()?;
        let page = u64::try_from(sysconf(SysconfVar::PAGE_SIZE).ok()??).ok()?;
        let mut tree = Self {
            proc,
            tick: Duration::from_secs(1) / u32::try_from(tick_hz).ok()?,
            page,
            seen: BTreeMap::new(),
            looked: Instant::now(),
            cores: cores(),
            gone_ticks: 0,
            between: Duration::ZERO,
            cpu: Duration::ZERO,
            kept_before: None,
            keeps_more: false,
            buffer: vec![0; 4096],
        };
        tree.read("thread-self/children")?;
        Some(tree)
    }

    /// Looks at all processes once.
    pub(crate) fn take(&mut self) -> Sums {
        let mut sums = Sums::default();
        let mut alive = BTreeMap::new();
        let (mut own, mut of_children) = (0, 0);
        for pid in self.descendants() {
            let Some(stat) = self.stat(pid) else { continue };
            own += stat.own_ticks;
            of_children += stat.children_ticks;
            sums.resident += self.resident_pages(pid, stat) * self.page + self.page_tables(pid);
            sums.tasks += stat.threads;
            sums.processes += 1;
            let who = (pid, stat.start);
            let (own_ticks, running) = (stat.own_ticks, stat.running);
            let first = !self.seen.contains_key(&who);
            alive.insert(who, Glimpse { own_ticks, running, first });
        }
        sums.resident += self.mappings();
        self.count_the_gone(alive);
        let seen = self.time(self.gone_ticks + own);
        let waited_for = self.time(of_children) + reaped();
        self.cpu = self.cpu.max(seen).max(self.time(own) + waited_for);
        if self.between > waited_for * GUESS_FACTOR + GUESS_SLACK {
            self.cpu = self.cpu.max(seen + self.between);
        }
        sums.cpu = self.cpu;
        sums
    }

    /// Counts the processes that were there at the last look and are not now.
    fn count_the_gone(&mut self, alive: BTreeMap<(i32, u64), Glimpse>) {
        let now = Instant::now();
        let gap = now.duration_since(std::mem::replace(&mut self.looked, now)).min(GAP_MAX);
        let mut half_gaps = 0;
        for (who, glimpse) in std::mem::replace(&mut self.seen, alive) {
            if !self.seen.contains_key(&who) {
                self.gone_ticks += glimpse.own_ticks;
                // Only the end of a longer life fell between two looks.
                half_gaps += match (glimpse.running, glimpse.first) {
                    (true, true) => 2,
                    (true, false) => 1,
                    (false, _) => 0,
                };
            }
        }
        // More processes cannot have computed than there are cores.
        self.between += gap / 2 * half_gaps.min(2 * self.cores);
    }

    /// Returns the resident pages. A process whose first thread has ended shows none of its own;
    /// its other threads do.
    fn resident_pages(&mut self, pid: i32, stat: Stat) -> u64 {
        if stat.resident_pages > 0 || stat.threads < 2 {
            return stat.resident_pages;
        }
        let threads = self.threads(pid);
        let of_thread = |thread| self.stat_at(&format!("{pid}/task/{thread}/stat"));
        threads.into_iter().filter_map(of_thread).map(|stat| stat.resident_pages).max().unwrap_or(0)
    }

    /// Returns the size of a process's page tables, which may be many times what they describe.
    fn page_tables(&mut self, pid: i32) -> u64 {
        self.kib_at(&format!("{pid}/status"), "VmPTE:").unwrap_or_default()
    }

    /// Returns what the machine has left of memory, and all it has.
    pub(crate) fn machine(&mut self) -> Option<Machine> {
        let text = self.read("meminfo")?;
        let available = kib_of(&text, "MemAvailable:")?;
        let kept = kib_of(&text, "SUnreclaim:").unwrap_or_default();
        let before = *self.kept_before.get_or_insert(kept);
        self.keeps_more = kept > before.saturating_add(KEPT_MORE);
        Some(Machine { available, total: kib_of(&text, "MemTotal:")?, kept })
    }

    /// Returns what the kernel keeps of the mappings of all processes: a mapping that was handed
    /// down is linked to each ancestor that had it, so many generations of many mappings take far
    /// more than their pages. It is costly, so only done when something of the machine takes much.
    fn mappings(&mut self) -> u64 {
        if !self.keeps_more {
            return 0;
        }
        let mut generations = BTreeMap::new();
        // Of one that has lost its parent the ancestors are not known.
        let oldest = self.children("thread-self/children").len() as u64;
        let mut total = 0;
        for pid in self.descendants() {
            let parent = self.stat(pid).and_then(|stat| generations.get(&stat.parent));
            let generation = parent.map_or(oldest, |parent| parent + 1);
            generations.insert(pid, generation);
            let text = self.read(&format!("{pid}/maps")).unwrap_or_default();
            total += text.lines().count() as u64 * (MAPPING + LINK * generation);
        }
        total
    }

    /// Returns the memory with every shared page counted once; costly, so only asked near the
    /// limit.
    pub(crate) fn proportional(&mut self) -> u64 {
        let mut total = 0;
        for pid in self.descendants() {
            if self.borrows_memory(pid) {
                continue;
            }
            let threads = self.threads(pid);
            let of_thread = |thread| self.share(&format!("{pid}/task/{thread}/smaps_rollup"));
            total += threads.into_iter().find_map(of_thread).unwrap_or(0) + self.page_tables(pid);
        }
        total + self.mappings()
    }

    /// Whether a child runs in its parent's memory, as between `vfork` and `exec`: its pages do not
    /// even count as shared.
    fn borrows_memory(&mut self, pid: i32) -> bool {
        let Some(parent) = self.stat(pid).map(|stat| stat.parent) else { return false };
        match (self.number_here(pid), self.number_here(parent)) {
            (Some(child), Some(parent)) => sys::same_memory(child, parent),
            _ => false,
        }
    }

    /// Whether a thread computes, or would if it had a processor.
    pub(crate) fn is_ready(&mut self) -> bool {
        self.descendants().into_iter().any(|pid| {
            let mut threads = self.threads(pid).into_iter();
            threads.any(|thread| {
                self.stat_at(&format!("{pid}/task/{thread}/stat")).is_some_and(|stat| stat.running)
            })
        })
    }

    /// Translates a process number of the host into this process's namespace.
    fn number_here(&mut self, pid: i32) -> Option<i32> {
        let text = self.read(&format!("{pid}/status"))?;
        let numbers = text.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
        numbers.split_ascii_whitespace().last()?.parse().ok()
    }

    /// Returns the proportional size; None for a thread that has ended.
    fn share(&mut self, path: &str) -> Option<u64> {
        self.kib_at(path, "Pss:")
    }

    fn kib_at(&mut self, path: &str, name: &str) -> Option<u64> {
        kib_of(&self.read(path)?, name)
    }

    /// Returns all processes below this one, nearest first.
    pub(crate) fn descendants(&mut self) -> Vec<i32> {
        let mut found = self.children("thread-self/children");
        let mut next = 0;
        while next < found.len() && found.len() < WALK_MAX {
            let pid = found[next];
            next += 1;
            for thread in self.threads(pid) {
                found.extend(self.children(&format!("{pid}/task/{thread}/children")));
            }
        }
        found
    }

    fn children(&mut self, path: &str) -> Vec<i32> {
        let text = self.read(path).unwrap_or_default();
        text.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect()
    }

    fn threads(&mut self, pid: i32) -> Vec<i32> {
        match self.stat(pid) {
            Some(stat) if stat.threads > 1 => {
                let path = format!("{pid}/task");
                let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
                let dir =
                    nix::dir::Dir::openat(self.proc.as_fd(), path.as_str(), flags, Mode::empty());
                let Ok(mut dir) = dir else { return Vec::new() };
                let names = dir.iter().filter_map(Result::ok);
                names.filter_map(|entry| entry.file_name().to_str().ok()?.parse().ok()).collect()
            }
            Some(_) => vec![pid],
            None => Vec::new(),
        }
    }

    fn stat(&mut self, pid: i32) -> Option<Stat> {
        self.stat_at(&format!("{pid}/stat"))
    }

    fn stat_at(&mut self, path: &str) -> Option<Stat> {
        parse_stat(&self.read(path)?)
    }

    fn read(&mut self, path: &str) -> Option<String> {
        let flags = OFlag::O_RDONLY | OFlag::O_CLOEXEC;
        let file = openat(self.proc.as_fd(), path, flags, Mode::empty()).ok()?;
        let mut filled = 0;
        loop {
            if filled == self.buffer.len() {
                self.buffer.resize(filled * 2, 0);
            }
            match nix::unistd::read(&file, &mut self.buffer[filled..]).ok()? {
                0 => break,
                count => filled += count,
            }
        }
        Some(String::from_utf8_lossy(&self.buffer[..filled]).into_owned())
    }

    fn time(&self, ticks: u64) -> Duration {
        let micros = u64::try_from(self.tick.as_micros()).unwrap_or(u64::MAX);
        Duration::from_micros(ticks.saturating_mul(micros))
    }

    /// Returns the most computing seen so far, for when all processes have gone.
    pub(crate) const fn cpu(&self) -> Duration {
        self.cpu
    }
}

/// Reads the line of that name, in bytes.
fn kib_of(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? * 1024)
}

/// Reads a line of stat. The name in brackets may contain anything, so the fields are counted from
/// its last bracket.
fn parse_stat(text: &str) -> Option<Stat> {
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    // proc(5) numbers from 1 and the state is field 3.
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    Some(Stat {
        running: fields.first() == Some(&"R"),
        parent: i32::try_from(number(4)?).ok()?,
        own_ticks: number(14)? + number(15)?,
        children_ticks: number(16)? + number(17)?,
        threads: u32::try_from(number(20)?).ok()?,
        start: number(22)?,
        resident_pages: number(24)?,
    })
}

/// Counts the processors that this process may use.
fn cores() -> u32 {
    let Ok(allowed) = sched_getaffinity(Pid::from_raw(0)) else { return 1 };
    let usable = (0..CpuSet::count()).filter(|&core| allowed.is_set(core) == Ok(true));
    u32::try_from(usable.count()).unwrap_or(u32::MAX).max(1)
}

/// Returns the computing of all children that were waited for, and of theirs.
pub(crate) fn reaped() -> Duration {
    let (user, sys) = reaped_parts(reaped_usage().as_ref());
    user + sys
}

/// Returns the kernel's account of all children that were waited for.
pub(crate) fn reaped_usage() -> Option<Usage> {
    getrusage(UsageWho::RUSAGE_CHILDREN).ok()
}

/// Returns the user and kernel part of an account.
pub(crate) fn reaped_parts(usage: Option<&Usage>) -> (Duration, Duration) {
    let micros = |value: i64| Duration::from_micros(u64::try_from(value).unwrap_or_default());
    usage.map_or_else(Default::default, |usage| {
        (
            micros(usage.user_time().num_microseconds()),
            micros(usage.system_time().num_microseconds()),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_blanks_does_not_shift_the_fields() {
        let text = "7 (a) b) (c) S 1 7 7 0 -1 4194304 94 0 0 0 3 4 5 6 20 0 2 0 9999 2500000 321 1";
        let stat = parse_stat(text).unwrap();
        assert_eq!((stat.own_ticks, stat.children_ticks), (7, 11));
        assert!(!stat.running);
        assert_eq!((stat.threads, stat.start, stat.resident_pages), (2, 9999, 321));
    }

    #[test]
    fn the_floor_is_never_above_what_the_machine_had() {
        let text = "MemTotal:       24683544 kB\nMemFree: 1 kB\nMemAvailable:   23851364 kB\n";
        assert_eq!(kib_of(text, "MemAvailable:"), Some(23_851_364 * 1024));
        assert_eq!(kib_of(text, "SwapFree:"), None);
        let floor = |available, total| Machine { available, total, kept: 0 }.floor();
        assert_eq!(floor(20 << 30, 24 << 30), 128 << 20);
        assert_eq!(floor(900 << 20, 1 << 30), 32 << 20);
        assert_eq!(floor(20 << 20, 1 << 30), 10 << 20);
    }

    #[test]
    fn a_cut_line_is_no_stat() {
        assert!(parse_stat("7 (a) S 1 7").is_none());
        assert!(parse_stat("").is_none());
    }
}
