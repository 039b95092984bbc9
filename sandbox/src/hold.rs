//! Holding a program back: what bounds it until the caller's word, how the word is heard, and what
//! the limits are from then on. It watches and ends nothing itself.

use std::time::Duration;

use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;
use rustix::process::{Resource, Rlimit, prlimit};
use vosim_sandbox_spec::{Hold, Limits, Word};

/// Longest word in bytes: three numbers with their names are far below it.
const WORD_MAX: usize = 4096;

/// What the caller has said and was not understood as a word yet.
#[derive(Debug, Default)]
pub(crate) struct Heard(Vec<u8>);

impl Heard {
    /// Begins with what came together with the request.
    pub(crate) const fn new(first: Vec<u8>) -> Self {
        Self(first)
    }

    pub(crate) fn add(&mut self, more: &[u8]) {
        self.0.extend_from_slice(more);
    }

    /// The next word whose line is complete, or why it is none.
    pub(crate) fn word(&mut self) -> Option<Result<Word, String>> {
        let Some(end) = self.0.iter().position(|byte| *byte == b'\n') else {
            let long = self.0.len() > WORD_MAX;
            return long.then(|| Err(format!("the word is longer than {WORD_MAX} bytes")));
        };
        let line: Vec<u8> = self.0.drain(..=end).collect();
        let word = serde_json::from_slice(&line);
        Some(word.map_err(|error| format!("the word cannot be read: {error}")))
    }
}

/// What bounds a program until the word.
pub(crate) fn bounds(limits: &Limits, hold: Hold) -> Limits {
    Limits { cpu_ms: hold.cpu_ms, wall_ms: hold.wait_ms, idle_ms: 0, ..limits.clone() }
}

/// What bounds it from the word on: never more than was asked for.
pub(crate) fn limits_after(limits: &Limits, word: Word) -> Limits {
    let least = |asked: u64, named: Option<u64>| named.map_or(asked, |named| named.min(asked));
    let idle = match (limits.idle_ms, word.idle_ms) {
        // 0 stands for no such limit.
        (0, named) => named.unwrap_or_default(),
        (asked, named) => least(asked, named.filter(|named| *named > 0)),
    };
    Limits {
        cpu_ms: least(limits.cpu_ms, word.cpu_ms),
        wall_ms: least(limits.wall_ms, word.wall_ms),
        idle_ms: idle,
        ..limits.clone()
    }
}

/// What one process has computed so far, finer than /proc tells it; nothing when it has gone.
pub(crate) fn computed(pid: Pid) -> Duration {
    let clock = clock_getcpuclockid(pid).and_then(clock_gettime);
    clock.map_or(Duration::ZERO, Duration::from)
}

/// The kernel's own bound for one process: it only backs up the sum that is watched, so it stands a
/// second above, and one more before the kernel's own kill.
pub(crate) const fn cpu_bound_secs(cpu_ms: u64) -> (u64, u64) {
    let soft = cpu_ms.div_ceil(1000) + 1;
    (soft, soft + 1)
}

/// Draws the kernel's bound as near to the limit as in a run that was not held.
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

    fn heard(text: &str) -> Option<Result<Word, String>> {
        Heard::new(text.as_bytes().to_vec()).word()
    }

    #[test]
    fn a_word_counts_once_its_line_is_complete() {
        assert_eq!(heard(""), None);
        assert_eq!(heard("{}"), None);
        assert_eq!(heard("{}\n"), Some(Ok(Word::default())));
        let mut parts = Heard::new(b"{\"cpu".to_vec());
        parts.add(b"_ms\":7}\nmore");
        assert_eq!(parts.word(), Some(Ok(Word { cpu_ms: Some(7), ..Word::default() })));
        assert_eq!(parts.word(), None);
        parts.add(b"\n");
        assert!(parts.word().unwrap().is_err());
    }

    #[test]
    fn what_is_no_word_is_named() {
        assert!(heard("go\n").unwrap().unwrap_err().contains("cannot be read"));
        assert!(heard(&"x".repeat(WORD_MAX + 1)).unwrap().unwrap_err().contains("longer"));
    }

    #[test]
    fn a_word_lowers_limits_and_never_raises_them() {
        let asked = Limits { idle_ms: 0, ..Limits::submission() };
        let word = Word { cpu_ms: Some(1), wall_ms: Some(u64::MAX), idle_ms: Some(5) };
        let after = limits_after(&asked, word);
        assert_eq!((after.cpu_ms, after.wall_ms, after.idle_ms), (1, asked.wall_ms, 5));
        let asked = Limits { idle_ms: 9, ..asked };
        let unbounded = Word { idle_ms: Some(0), ..word };
        assert_eq!(limits_after(&asked, unbounded).idle_ms, 9);
        assert_eq!(limits_after(&asked, word).idle_ms, 5);
    }

    #[test]
    fn only_time_is_bounded_otherwise_before_the_word() {
        let hold = Hold { wait_ms: 3, cpu_ms: 2 };
        let bounds = bounds(&Limits::submission(), hold);
        assert_eq!((bounds.wall_ms, bounds.cpu_ms, bounds.idle_ms), (3, 2, 0));
        assert_eq!(bounds.memory, Limits::submission().memory);
    }
}
