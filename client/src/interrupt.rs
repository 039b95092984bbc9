//! Signals as something that can be waited for, and the one place where the client waits.
//!
//! The signal is blocked and read from a descriptor, so there is no handler and no second thread.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal, raise};
use nix::sys::signalfd::{SfdFlags, SignalFd};

/// Ctrl-C, and other signals where they are wanted, caught for as long as this lives.
#[derive(Debug)]
pub(crate) struct Interrupt {
    signals: SignalFd,
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woke {
    /// There is something to read.
    Ready,
    /// Ctrl-C, or another signal that is caught.
    Interrupted(Signal),
    /// Somebody has typed.
    Typed,
    /// Time is up.
    TimedOut,
}

impl Interrupt {
    /// From now on Ctrl-C does not end the process. Programs started later get it as usual.
    pub(crate) fn catch() -> io::Result<Self> {
        Self::catch_also(&[])
    }

    /// The same for these signals, too.
    pub(crate) fn catch_also(others: &[Signal]) -> io::Result<Self> {
        let mask: SigSet = others.iter().copied().chain([Signal::SIGINT]).collect();
        mask.thread_block()?;
        let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
        Ok(Self { signals: SignalFd::with_flags(&mask, flags)? })
    }

    /// From now on Ctrl-C ends the process again; one that has not been looked at yet is over.
    pub(crate) fn release(self) -> io::Result<()> {
        while self.take().is_some() {}
        let mut mask = SigSet::empty();
        mask.add(Signal::SIGINT);
        Ok(mask.thread_unblock()?)
    }

    fn take(&self) -> Option<Signal> {
        let taken = self.signals.read_signal().ok().flatten()?;
        i32::try_from(taken.ssi_signo).ok().and_then(|number| Signal::try_from(number).ok())
    }
}

/// Ends the process by a signal that was taken and not obeyed yet, so that whoever started it sees
/// what ended it. It comes back only where the process was started to ignore the signal.
pub(crate) fn end_by(signal: Signal) {
    let mut mask = SigSet::empty();
    mask.add(signal);
    // What goes wrong here leaves the exit status to tell it.
    if mask.thread_unblock().is_ok() {
        raise(signal).ok();
    }
}

/// Waits until a descriptor can be read, Ctrl-C comes or time is up, whichever is first.
pub(crate) fn wait(
    interrupt: Option<&Interrupt>,
    readable: Option<BorrowedFd<'_>>,
    within: Duration,
) -> io::Result<Woke> {
    wait_or_typed(interrupt, readable, None, within)
}

/// The same, and until `typing` can be read or has ended; what can be read comes before it.
pub(crate) fn wait_or_typed(
    interrupt: Option<&Interrupt>,
    readable: Option<BorrowedFd<'_>>,
    typing: Option<BorrowedFd<'_>>,
    within: Duration,
) -> io::Result<Woke> {
    let until = Instant::now() + within;
    loop {
        let mut fds = Vec::with_capacity(3);
        fds.extend(interrupt.map(|i| PollFd::new(i.signals.as_fd(), PollFlags::POLLIN)));
        fds.extend(typing.map(|fd| PollFd::new(fd, PollFlags::POLLIN)));
        fds.extend(readable.map(|fd| PollFd::new(fd, PollFlags::POLLIN)));
        match poll(&mut fds, timeout(until)) {
            Ok(0) if Instant::now() >= until => return Ok(Woke::TimedOut),
            Ok(0) | Err(Errno::EINTR) => continue,
            Ok(_) => {}
            Err(errno) => return Err(errno.into()),
        }
        if let Some(signal) = interrupt.and_then(Interrupt::take) {
            return Ok(Woke::Interrupted(signal));
        }
        let ready = fds.last().is_some_and(|fd| fd.any() == Some(true));
        if readable.is_some() && ready {
            return Ok(Woke::Ready);
        }
        let typed = fds.get(usize::from(interrupt.is_some())).and_then(PollFd::any);
        if typing.is_some() && typed == Some(true) {
            return Ok(Woke::Typed);
        }
    }
}

/// The rest of the time, rounded up so that a wait never ends early in a busy loop.
fn timeout(until: Instant) -> PollTimeout {
    let left = until.saturating_duration_since(Instant::now());
    let millis = left.as_micros().div_ceil(1000);
    PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn a_wait_ends_by_what_comes_or_by_its_time() {
        let (near, mut far) = UnixStream::pair().unwrap();
        let soon = Duration::from_millis(5);
        assert_eq!(wait(None, Some(near.as_fd()), soon).unwrap(), Woke::TimedOut);
        far.write_all(b"x").unwrap();
        assert_eq!(wait(None, Some(near.as_fd()), soon).unwrap(), Woke::Ready);
        assert_eq!(wait(None, None, soon).unwrap(), Woke::TimedOut);
    }

    #[test]
    fn what_is_typed_ends_a_wait_but_comes_after_what_can_be_read() {
        let (near, mut far) = UnixStream::pair().unwrap();
        let (keys, mut fingers) = UnixStream::pair().unwrap();
        let soon = Duration::from_millis(5);
        let waited = || wait_or_typed(None, Some(near.as_fd()), Some(keys.as_fd()), soon).unwrap();
        assert_eq!(waited(), Woke::TimedOut);
        fingers.write_all(b"x").unwrap();
        assert_eq!(waited(), Woke::Typed);
        far.write_all(b"x").unwrap();
        assert_eq!(waited(), Woke::Ready);
        let (keys, fingers) = UnixStream::pair().unwrap();
        drop(fingers);
        let ended = wait_or_typed(None, None, Some(keys.as_fd()), soon).unwrap();
        assert_eq!(ended, Woke::Typed, "an end is something to read, too");
    }

    #[test]
    fn ctrl_c_ends_a_wait_and_is_told_once() {
        let interrupt = Interrupt::catch().unwrap();
        nix::sys::pthread::pthread_kill(nix::sys::pthread::pthread_self(), Signal::SIGINT).unwrap();
        let soon = Duration::from_millis(5);
        let woke = wait(Some(&interrupt), None, soon).unwrap();
        assert_eq!(woke, Woke::Interrupted(Signal::SIGINT));
        assert_eq!(wait(Some(&interrupt), None, soon).unwrap(), Woke::TimedOut);
    }
}
