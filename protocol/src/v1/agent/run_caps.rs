//! What one run of the tests may use up (002 6.4), and how far a person may raise that (002 7.1).

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RunLimit;

/// What one run of the tests may use up; the usual holds for what is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunCaps {
    /// Memory, MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// Time on the clock, and of computing, minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u64>,
    /// Processes and threads at one time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<u64>,
}

/// What holds for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunBounds {
    /// Memory, MiB.
    pub memory_mib: u64,
    /// Time on the clock, and of computing, minutes.
    pub minutes: u64,
    /// Processes and threads at one time.
    pub processes: u64,
}

impl RunCaps {
    /// How much memory may be set.
    pub const MEMORY_MIB: RangeInclusive<u64> = 128..=8_192;
    /// How much time.
    pub const MINUTES: RangeInclusive<u64> = 1..=60;
    /// How many processes.
    pub const PROCESSES: RangeInclusive<u64> = 10..=1_000;

    /// Whether nothing is set.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the bounds of 002 6.4 hold: 1 GiB, five minutes, 100 processes.
    pub fn is_usual(&self) -> bool {
        self.in_force() == Self::default().in_force()
    }

    /// What holds, with the usual for what is absent.
    pub fn in_force(&self) -> RunBounds {
        RunBounds {
            memory_mib: self.memory_mib.unwrap_or(1_024),
            minutes: self.minutes.unwrap_or(5),
            processes: self.processes.unwrap_or(100),
        }
    }

    /// With some of them changed.
    #[must_use]
    pub fn changed(self, by: Self) -> Self {
        Self {
            memory_mib: by.memory_mib.or(self.memory_mib),
            minutes: by.minutes.or(self.minutes),
            processes: by.processes.or(self.processes),
        }
    }

    /// Why these cannot be set, in a sentence.
    pub fn fault(&self) -> Option<String> {
        let rows = [
            ("MiB of memory", self.memory_mib, Self::MEMORY_MIB),
            ("minutes", self.minutes, Self::MINUTES),
            ("processes", self.processes, Self::PROCESSES),
        ];
        rows.into_iter().find_map(|(what, asked, may)| {
            let asked = asked.filter(|asked| !may.contains(asked))?;
            let (least, most) = (may.start(), may.end());
            Some(format!("a run may have {least} to {most} {what}; this is {asked}"))
        })
    }

    /// What to change after a run was stopped by this limit: twice as much of it, as far as that may be. None
    /// where it is as much as may be, or where more of anything would not have helped.
    pub fn more(&self, stopped: RunLimit) -> Option<Self> {
        let twice = |now: u64, may: RangeInclusive<u64>| {
            let more = now.saturating_mul(2).min(*may.end());
            (more > now).then_some(more)
        };
        let now = self.in_force();
        let more = match stopped {
            RunLimit::Memory => {
                Self { memory_mib: twice(now.memory_mib, Self::MEMORY_MIB), ..Self::default() }
            }
            RunLimit::Cpu | RunLimit::Wall => {
                Self { minutes: twice(now.minutes, Self::MINUTES), ..Self::default() }
            }
            RunLimit::Processes => {
                Self { processes: twice(now.processes, Self::PROCESSES), ..Self::default() }
            }
            RunLimit::Output | RunLimit::Signal | RunLimit::Early | RunLimit::Foreign => {
                Self::default()
            }
        };
        (!more.is_none()).then_some(more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_offered_twice_as_much_of_what_it_lacked_up_to_a_bound() {
        let usual = RunCaps::default();
        assert!(usual.is_usual() && RunCaps { minutes: Some(5), ..usual }.is_usual());
        let mut caps = usual;
        let mut memory = Vec::new();
        while let Some(more) = caps.more(RunLimit::Memory) {
            memory.extend(more.memory_mib);
            caps = caps.changed(more);
            assert_eq!(caps.fault(), None);
        }
        assert_eq!(memory, [2_048, 4_096, 8_192]);
        assert_eq!((caps.minutes, caps.is_usual()), (None, false));
        let minutes = |minutes| RunCaps { minutes: Some(minutes), ..usual };
        assert_eq!(usual.more(RunLimit::Wall), Some(minutes(10)));
        assert_eq!(minutes(40).more(RunLimit::Cpu), Some(minutes(60)));
        assert_eq!(minutes(60).more(RunLimit::Wall), None);
        let processes = usual.more(RunLimit::Processes).and_then(|more| more.processes);
        assert_eq!(processes, Some(200));
        assert_eq!(usual.more(RunLimit::Output), None);
    }

    #[test]
    fn what_lies_outside_of_the_bounds_is_refused_with_them() {
        let caps = RunCaps { memory_mib: Some(100_000), ..RunCaps::default() };
        let told = "a run may have 128 to 8192 MiB of memory; this is 100000";
        assert_eq!(caps.fault().as_deref(), Some(told));
        let caps = RunCaps { minutes: Some(0), ..RunCaps::default() };
        assert!(caps.fault().is_some());
    }
}
