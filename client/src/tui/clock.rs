//! The daemon's clock as it must read now: its time in the last view, and how long that is ago.
//!
//! The machine's wall clock has no say (001 5.1).

use std::time::Duration;

use vosim_protocol::Time;

/// The daemon's time at a moment of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    /// The session's time, that of its deadlines.
    pub(crate) session: Time,
    /// The daemon's wall time.
    pub(crate) wall: Time,
    /// When we learned of it, since the start of this terminal.
    pub(crate) learned: Duration,
}

impl Clock {
    /// Milliseconds until a deadline; 0 after it.
    pub(crate) fn left(&self, deadline: Time, now: Duration) -> u64 {
        let left = deadline.micros_since(self.session) - self.passed(now);
        u64::try_from(left).unwrap_or(0) / 1000
    }

    /// The time of day there.
    pub(crate) fn time(&self, now: Duration) -> Time {
        self.wall.plus_micros(self.passed(now))
    }

    fn passed(&self, now: Duration) -> i64 {
        i64::try_from(now.saturating_sub(self.learned).as_micros()).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_the_deadline_less_the_daemon_s_time_less_what_passed_since() {
        let clock = Clock {
            session: Time::from_micros(1_000_000_000),
            wall: Time::from_micros(5_000_000_000),
            learned: Duration::from_secs(10),
        };
        let deadline = Time::from_micros(1_060_000_000);
        let secs = Duration::from_secs;
        assert_eq!(clock.left(deadline, secs(10)), 60_000);
        assert_eq!(clock.left(deadline, secs(40)), 30_000);
        assert_eq!(clock.left(deadline, secs(70)), 0);
        assert_eq!(clock.left(deadline, secs(7000)), 0);
        // A reading before the view was learned does not make time run backwards.
        assert_eq!(clock.left(deadline, secs(0)), 60_000);
        assert_eq!(clock.time(secs(12)), Time::from_micros(5_002_000_000));
    }
}
