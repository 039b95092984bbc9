//! The only place that reads a clock; everything else is told the time.
//!
//! It also notices what a wall clock hides: that it was stepped, and that the machine slept. What
//! follows from that is decided by the timer and by sessions. No clock is ever set here.
//!
//! `CLOCK_REALTIME - CLOCK_BOOTTIME` stays the same while the clock runs or is slewed and while the
//! machine sleeps; only a step changes it. `CLOCK_BOOTTIME - CLOCK_MONOTONIC` grows only while the
//! machine sleeps.

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

/// A source of the time.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Reads the three clocks at one moment.
    fn now(&self) -> Reading;

    /// Identifies the boot within which values of `boottime_micros` can be compared.
    fn boot_id(&self) -> &str;
}

/// What the three clocks say at one moment, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// `CLOCK_REALTIME`: what people mean by the time.
    pub time: Time,
    /// `CLOCK_BOOTTIME`: the time since the machine started, including sleep.
    pub boottime_micros: i64,
    /// `CLOCK_MONOTONIC`: the time since the machine started, without sleep.
    pub monotonic_micros: i64,
}

impl Reading {
    /// The offset of the wall clock, which only a step changes.
    pub fn offset_micros(self) -> i64 {
        self.time.micros().saturating_sub(self.boottime_micros)
    }

    /// How long the machine has slept since it started.
    pub fn asleep_micros(self) -> i64 {
        self.boottime_micros.saturating_sub(self.monotonic_micros)
    }
}
