//! The only place that reads a clock; everything else is told the time.
//!
//! It also sees what a wall clock hides: that it was stepped, and that the machine slept. It
//! decides nothing from that and never sets a clock.
//!
//! `CLOCK_REALTIME - CLOCK_BOOTTIME` stays the same while the clock runs, is slewed or the machine
//! sleeps; only a step changes it. `CLOCK_BOOTTIME - CLOCK_MONOTONIC` grows in a suspend only.

#[doc(hidden)]
pub mod file;
mod manual;
mod system;
mod watch;

use std::fmt;

use vosim_protocol::time::Time;

pub use manual::ManualClock;
pub use system::SystemClock;
pub use watch::{ClockWatch, Look, SavedClock};

/// Source of the time.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The three clocks at one moment.
    fn now(&self) -> Reading;

    /// Names the boot in which readings of `boottime_micros` may be compared.
    fn boot_id(&self) -> &str;
}

/// What the three clocks say at one moment, microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// `CLOCK_REALTIME`: what people mean by the time.
    pub time: Time,
    /// `CLOCK_BOOTTIME`: since the machine started, sleep included.
    pub boottime_micros: i64,
    /// `CLOCK_MONOTONIC`: since the machine started, sleep left out.
    pub monotonic_micros: i64,
}

impl Reading {
    /// Changes by a step of the wall clock and by nothing else.
    pub fn offset_micros(self) -> i64 {
        self.time.micros().saturating_sub(self.boottime_micros)
    }

    /// How long the machine has slept since it started.
    pub fn asleep_micros(self) -> i64 {
        self.boottime_micros.saturating_sub(self.monotonic_micros)
    }
}
