//! The machine's clocks, read so that a reading is not torn.
use std::sync::OnceLock;

use nix::time::{ClockId, clock_gettime};
use vosim_protocol::time::Time;

use super::{Clock, Reading};

/// The longest time between the first and the last call of a good reading, in microseconds.
const TORN_MICROS: i64 = 1_000;

/// How often a reading is tried; after that the least torn one is used.
const TRIES: usize = 8;

/// The machine's clocks.
#[derive(Debug, Default)]
pub struct SystemClock {
    boot_id: OnceLock<String>,
}

impl SystemClock {
    /// Makes a clock that reads the machine's.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Clock for SystemClock {
    /// Reads the three clocks, again if the reading is torn: a process may lose the processor
    /// between two calls, and such a reading would look like a step of the clock and then like one
    /// back.
    fn now(&self) -> Reading {
        let mut best = read();
        for _ in 1..TRIES {
            if best.1 <= TORN_MICROS {
                break;
            }
            let next = read();
            if next.1 < best.1 {
                best = next;
            }
        }
        best.0
    }

    /// Returns the kernel's boot id; an empty one, where there is none, is never compared.
    fn boot_id(&self) -> &str {
        self.boot_id.get_or_init(|| {
            let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
            text.map(|text| text.trim().to_owned()).unwrap_or_default()
        })
    }
}

/// Returns a reading and how far it may be torn, in microseconds.
fn read() -> (Reading, i64) {
    let before = micros(ClockId::CLOCK_BOOTTIME);
    let reading = Reading {
        time: Time::from_micros(micros(ClockId::CLOCK_REALTIME)),
        monotonic_micros: micros(ClockId::CLOCK_MONOTONIC),
        boottime_micros: before,
    };
    (reading, micros(ClockId::CLOCK_BOOTTIME) - before)
}

fn micros(clock: ClockId) -> i64 {
    let time = clock_gettime(clock).expect("Linux has these clocks since 2.6.39");
    let (secs, nanos) = (time.tv_sec(), time.tv_nsec());
    secs.saturating_mul(1_000_000).saturating_add(nanos / 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_readings_of_a_running_machine_differ_by_no_step_and_no_suspend() {
        let clock = SystemClock::new();
        let (first, second) = (clock.now(), clock.now());
        assert!(second.monotonic_micros >= first.monotonic_micros);
        assert!((second.offset_micros() - first.offset_micros()).abs() < 1_000_000);
        assert!((second.asleep_micros() - first.asleep_micros()).abs() < 1_000_000);
        assert!(first.asleep_micros() > -1_000_000);
    }

    #[test]
    fn the_boot_has_a_name() {
        assert_eq!(SystemClock::new().boot_id().len(), 36);
    }
}
