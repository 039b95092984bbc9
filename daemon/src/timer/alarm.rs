//! Alarms, which wake the timer at a point of wall-clock time: the kernel's, and one for tests.
//!
//! An alarm knows one time and not what it is for.

use std::io;

use nix::errno::Errno;
use nix::sys::time::TimeSpec;
use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};
use tokio::sync::watch;
use vosim_protocol::time::Time;

use super::descriptor::Descriptor;
use crate::clock::{Clock, ManualClock};

/// When an alarm rings for which nothing is due, in seconds since 1970: never in practice, but an
/// alarm that is set is still told of a step.
const FAR_SECS: i64 = 8_000_000_000;

/// Why an alarm rang; only a hint, since whoever hears it looks at the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ring {
    /// The time has come.
    Expired,
    /// The clock was set.
    ClockSet,
}

/// Something that rings at a point of wall-clock time and when the wall clock is set.
pub trait Alarm {
    /// Sets the alarm to a time, in place of the previous one; without a time it rings only when
    /// the clock is set.
    fn arm(&mut self, at: Option<Time>) -> io::Result<()>;

    /// Waits until the alarm rings. Dropping the future loses no ring.
    fn ring(&mut self) -> impl Future<Output = io::Result<Ring>>;
}

/// The kernel's timer on `CLOCK_REALTIME`, which counts on while the machine sleeps.
#[derive(Debug)]
pub struct KernelAlarm {
    timer: TimerFd,
    expirations: Descriptor,
    /// Whether setting the timer was itself answered with "the clock was set".
    clock_set: bool,
}

impl KernelAlarm {
    /// Makes an alarm that is not set; needs a tokio runtime with I/O.
    pub fn new() -> io::Result<Self> {
        let flags = TimerFlags::TFD_CLOEXEC | TimerFlags::TFD_NONBLOCK;
        let timer = TimerFd::new(ClockId::CLOCK_REALTIME, flags)?;
        // The same open file under a second number: nix sets timers only through its own type,
        // whose `wait` takes a set clock for an expiry, so the reading is done here.
        let readable = nix::unistd::dup(&timer)?;
        nix::fcntl::fcntl(
            &readable,
            nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::FD_CLOEXEC),
        )?;
        Ok(Self { timer, expirations: Descriptor::new(readable)?, clock_set: false })
    }
}

impl Alarm for KernelAlarm {
    fn arm(&mut self, at: Option<Time>) -> io::Result<()> {
        let flags =
            TimerSetTimeFlags::TFD_TIMER_ABSTIME | TimerSetTimeFlags::TFD_TIMER_CANCEL_ON_SET;
        match self.timer.set(Expiration::OneShot(timespec(at)), flags) {
            // The kernel has set the timer, and says that the clock was set since the last time.
            Err(Errno::ECANCELED) => self.clock_set = true,
            answer => answer?,
        }
        Ok(())
    }

    async fn ring(&mut self) -> io::Result<Ring> {
        if std::mem::take(&mut self.clock_set) {
            return Ok(Ring::ClockSet);
        }
        let mut count = [0; 8];
        ring_of(self.expirations.read(&mut count).await)
    }
}

/// Returns what the answer of the kernel's timer means.
fn ring_of(read: io::Result<usize>) -> io::Result<Ring> {
    match read {
        Ok(_) => Ok(Ring::Expired),
        Err(error) if error.raw_os_error() == Some(Errno::ECANCELED as i32) => Ok(Ring::ClockSet),
        Err(error) => Err(error),
    }
}

/// Converts a time for the kernel; never to zero, which would disarm the timer.
fn timespec(at: Option<Time>) -> TimeSpec {
    let micros = at.map_or(FAR_SECS * 1_000_000, Time::micros).clamp(1, FAR_SECS * 1_000_000);
    TimeSpec::new(micros / 1_000_000, micros % 1_000_000 * 1_000)
}

/// An alarm that follows a [`ManualClock`] as the kernel's follows the machine's clock; for tests.
#[derive(Debug)]
pub struct ManualAlarm {
    clock: ManualClock,
    moves: watch::Receiver<u64>,
    steps: u64,
    armed: watch::Sender<Option<Time>>,
}

impl ManualAlarm {
    /// Makes an alarm that is not set.
    pub fn new(clock: &ManualClock) -> Self {
        let moves = clock.moves();
        let steps = *moves.borrow();
        Self { clock: clock.clone(), moves, steps, armed: watch::Sender::new(None) }
    }

    /// Returns a receiver of the times that the alarm is set to.
    pub fn armed(&self) -> watch::Receiver<Option<Time>> {
        self.armed.subscribe()
    }
}

impl Alarm for ManualAlarm {
    fn arm(&mut self, at: Option<Time>) -> io::Result<()> {
        self.armed.send_replace(at);
        Ok(())
    }

    async fn ring(&mut self) -> io::Result<Ring> {
        loop {
            let steps = *self.moves.borrow_and_update();
            if std::mem::replace(&mut self.steps, steps) != steps {
                return Ok(Ring::ClockSet);
            }
            let armed = *self.armed.borrow();
            if armed.is_some_and(|at| at <= self.clock.now().time) {
                return Ok(Ring::Expired);
            }
            // The sender lives as long as our own clone of the clock.
            self.moves.changed().await.map_err(io::Error::other)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_read_is_a_set_clock_and_no_expiry() {
        assert_eq!(ring_of(Ok(8)).unwrap(), Ring::Expired);
        assert_eq!(ring_of(Err(Errno::ECANCELED.into())).unwrap(), Ring::ClockSet);
        assert!(ring_of(Err(Errno::EBADF.into())).is_err());
    }

    #[test]
    fn an_alarm_is_never_set_to_the_zero_that_would_take_it_away() {
        for at in [None, Some(0), Some(-5), Some(7), Some(i64::MAX)] {
            let spec = timespec(at.map(Time::from_micros));
            assert!(spec.tv_sec() > 0 || spec.tv_nsec() > 0, "{at:?}");
            assert!(spec.tv_sec() <= FAR_SECS);
        }
    }
}
