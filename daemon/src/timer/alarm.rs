//! What wakes the timer task at a point of wall-clock time: the kernel, or a test.

use std::io;

use nix::errno::Errno;
use nix::sys::time::TimeSpec;
use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};
use tokio::sync::watch;
use vosim_protocol::time::Time;

use super::descriptor::Descriptor;
use crate::clock::{Clock, ManualClock};

/// An alarm that nothing is due for, seconds since 1970: far off, but still told of a step.
const FAR_SECS: i64 = 8_000_000_000;

/// Why an alarm rang. Only a hint: whoever hears it looks at the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ring {
    /// The time has come.
    Expired,
    /// Somebody has set the clock.
    ClockSet,
}

/// Rings at a point of wall-clock time and when the wall clock is set.
pub trait Alarm {
    /// Rings at this time and no longer at the one before; without a time only for a set clock.
    fn arm(&mut self, at: Option<Time>) -> io::Result<()>;

    /// Waits for it to ring. Dropping the future loses no ring.
    fn ring(&mut self) -> impl Future<Output = io::Result<Ring>>;
}

/// The kernel's timer on `CLOCK_REALTIME`, which goes on counting while the machine sleeps.
#[derive(Debug)]
pub struct KernelAlarm {
    timer: TimerFd,
    expirations: Descriptor,
    /// Setting the timer was itself answered with "the clock was set".
    clock_set: bool,
}

impl KernelAlarm {
    /// An alarm that is not set; needs a tokio runtime with I/O.
    pub fn new() -> io::Result<Self> {
        let flags = TimerFlags::TFD_CLOEXEC | TimerFlags::TFD_NONBLOCK;
        let timer = TimerFd::new(ClockId::CLOCK_REALTIME, flags)?;
        // The same open file under a second number: nix sets timers through its own type only,
        // and its `wait` takes a set clock for an expiry, so reading is done here.
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
            // The kernel has set it, and tells of a step since it was set last.
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

/// What the answer of the kernel's timer means.
fn ring_of(read: io::Result<usize>) -> io::Result<Ring> {
    match read {
        Ok(_) => Ok(Ring::Expired),
        Err(error) if error.raw_os_error() == Some(Errno::ECANCELED as i32) => Ok(Ring::ClockSet),
        Err(error) => Err(error),
    }
}

/// Never zero, which would take the alarm away.
fn timespec(at: Option<Time>) -> TimeSpec {
    let micros = at.map_or(FAR_SECS * 1_000_000, Time::micros).clamp(1, FAR_SECS * 1_000_000);
    TimeSpec::new(micros / 1_000_000, micros % 1_000_000 * 1_000)
}

/// An alarm that rings by a [`ManualClock`], as the kernel's does by the machine's; for tests.
#[derive(Debug)]
pub struct ManualAlarm {
    clock: ManualClock,
    moves: watch::Receiver<u64>,
    steps: u64,
    armed: watch::Sender<Option<Time>>,
}

impl ManualAlarm {
    /// An alarm that is not set.
    pub fn new(clock: &ManualClock) -> Self {
        let moves = clock.moves();
        let steps = *moves.borrow();
        Self { clock: clock.clone(), moves, steps, armed: watch::Sender::new(None) }
    }

    /// Tells what it is set to, from now on.
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
            // The clock's other end lives as long as our own clone of it.
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
