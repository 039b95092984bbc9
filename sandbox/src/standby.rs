//! A program on standby: what bounds it until the caller's go signal, how the signal is read, and
//! what the limits are from then on. Nothing here watches or ends a program.

use std::time::Duration;

use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;
use rustix::process::{Resource, Rlimit, prlimit};
use vosim_sandbox_spec::{Go, Limits, Standby};

/// Longest go signal in bytes: three numbers with their names are far below it.
const SIGNAL_MAX: usize = 4096;

/// The bytes that came on the control channel behind the request and were not read as a signal yet.
#[derive(Debug, Default)]
pub(crate) struct Inbox(Vec<u8>);

impl Inbox {
    /// Begins with what came together with the request.
    pub(crate) const fn new(first: Vec<u8>) -> Self {
        Self(first)
    }

    pub(crate) fn add(&mut self, more: &[u8]) {
        self.0.extend_from_slice(more);
    }

    /// The next signal whose line is complete, or why that line is none.
    pub(crate) fn next_signal(&mut self) -> Option<Result<Go, String>> {
        let Some(end) = self.0.iter().position(|byte| *byte == b'\n') else {
            let long = self.0.len() > SIGNAL_MAX;
            return long.then(|| Err(format!("the go signal is longer than {SIGNAL_MAX} bytes")));
        };
        let line: Vec<u8> = self.0.drain(..=end).collect();
        let signal = serde_json::from_slice(&line);
        Some(signal.map_err(|error| format!("the go signal cannot be read: {error}")))
    }
}

/// The limits until the go signal.
pub(crate) fn limits_before(limits: &Limits, standby: Standby) -> Limits {
    Limits { cpu_ms: standby.cpu_ms, wall_ms: standby.wait_ms, idle_ms: 0, ..limits.clone() }
}

/// The limits from the go signal on: never more than was asked for.
pub(crate) fn limits_after(limits: &Limits, go: Go) -> Limits {
    let least = |asked: u64, named: Option<u64>| named.map_or(asked, |named| named.min(asked));
    let idle = match (limits.idle_ms, go.idle_ms) {
        // 0 stands for no such limit.
        (0, named) => named.unwrap_or_default(),
        (asked, named) => least(asked, named.filter(|named| *named > 0)),
    };
    Limits {
        cpu_ms: least(limits.cpu_ms, go.cpu_ms),
        wall_ms: least(limits.wall_ms, go.wall_ms),
        idle_ms: idle,
        ..limits.clone()
    }
}

/// Computing time of one process so far, finer than in /proc; zero when the process has gone.
pub(crate) fn computed(pid: Pid) -> Duration {
    let clock = clock_getcpuclockid(pid).and_then(clock_gettime);
    clock.map_or(Duration::ZERO, Duration::from)
}

/// The kernel's own bound for one process. It only backs up the sum that is watched, so it stands a
/// second above the limit, and the kernel kills one second later.
pub(crate) const fn cpu_bound_secs(cpu_ms: u64) -> (u64, u64) {
    let soft = cpu_ms.div_ceil(1000) + 1;
    (soft, soft + 1)
}

/// Lowers the kernel's bound as near to the limit as in a run that was never on standby.
pub(crate) fn tighten(pid: Pid, used: Duration, limits: &Limits) {
    let used_ms = u64::try_from(used.as_millis()).unwrap_or(u64::MAX);
    let (soft, hard) = cpu_bound_secs(limits.cpu_ms.saturating_add(used_ms));
    let pid = rustix::process::Pid::from_raw(pid.as_raw());
    // Refused only when it has gone meanwhile; the looser bound of the start holds in any case.
    prlimit(pid, Resource::Cpu, Rlimit { current: Some(soft), maximum: Some(hard) }).ok();
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Result<Go, String>> {
        Inbox::new(text.as_bytes().to_vec()).next_signal()
    }

    #[test]
    fn a_signal_counts_once_its_line_is_complete() {
        assert_eq!(read(""), None);
        assert_eq!(read("{}"), None);
        assert_eq!(read("{}\n"), Some(Ok(Go::default())));
        let mut parts = Inbox::new(b"{\"cpu".to_vec());
        parts.add(b"_ms\":7}\nmore");
        assert_eq!(parts.next_signal(), Some(Ok(Go { cpu_ms: Some(7), ..Go::default() })));
        assert_eq!(parts.next_signal(), None);
        parts.add(b"\n");
        assert!(parts.next_signal().unwrap().is_err());
    }

    #[test]
    fn what_is_no_signal_is_named() {
        assert!(read("go\n").unwrap().unwrap_err().contains("cannot be read"));
        assert!(read(&"x".repeat(SIGNAL_MAX + 1)).unwrap().unwrap_err().contains("longer"));
    }

    #[test]
    fn a_signal_lowers_limits_and_never_raises_them() {
        let asked = Limits { idle_ms: 0, ..Limits::submission() };
        let go = Go { cpu_ms: Some(1), wall_ms: Some(u64::MAX), idle_ms: Some(5) };
        let after = limits_after(&asked, go);
        assert_eq!((after.cpu_ms, after.wall_ms, after.idle_ms), (1, asked.wall_ms, 5));
        let asked = Limits { idle_ms: 9, ..asked };
        let unbounded = Go { idle_ms: Some(0), ..go };
        assert_eq!(limits_after(&asked, unbounded).idle_ms, 9);
        assert_eq!(limits_after(&asked, go).idle_ms, 5);
    }

    #[test]
    fn only_time_is_bounded_otherwise_before_the_signal() {
        let standby = Standby { wait_ms: 3, cpu_ms: 2 };
        let bounds = limits_before(&Limits::submission(), standby);
        assert_eq!((bounds.wall_ms, bounds.cpu_ms, bounds.idle_ms), (3, 2, 0));
        assert_eq!(bounds.memory, Limits::submission().memory);
    }
}
