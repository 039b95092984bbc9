//! Ending a run from another thread, and waiting that such an end wakes up. Nothing here knows what
//! is waited for.

use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// Ends a run from another thread.
#[derive(Debug)]
pub struct Cancel {
    called: AtomicBool,
    ours: UnixStream,
    theirs: UnixStream,
}

impl Cancel {
    /// A handle for one run; fails where no more descriptors can be had.
    pub fn new() -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        Ok(Self { called: AtomicBool::new(false), ours, theirs })
    }

    /// Ends the run; nothing of it is judged.
    pub fn cancel(&self) {
        self.called.store(true, Ordering::SeqCst);
        // A closed line wakes the thread that waits; it may have gone already.
        drop(self.ours.shutdown(std::net::Shutdown::Both));
    }

    /// True once the run is to end.
    pub fn is_cancelled(&self) -> bool {
        self.called.load(Ordering::SeqCst)
    }

    /// Waits until `fd` is ready for something, at most until the deadline.
    pub(super) fn wait(&self, fd: PollFd<'_>, deadline: Instant) -> Woken {
        let mut fds = [fd, PollFd::new(self.theirs.as_fd(), PollFlags::POLLIN)];
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let timeout = PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX);
            let woken = poll(&mut fds, timeout);
            if self.is_cancelled() {
                return Woken::Cancelled;
            }
            if left.is_zero() || matches!(woken, Ok(0)) {
                return Woken::Late;
            }
            // A signal makes nothing ready, and who reads then could wait for ever.
            if !matches!(woken, Err(Errno::EINTR)) {
                return Woken::Ready;
            }
        }
    }
}

/// Ends a run when it is dropped; a run that has ended does not mind.
#[derive(Debug)]
pub(crate) struct CancelGuard(Arc<Cancel>);

impl CancelGuard {
    /// A guard with what it ends.
    pub(crate) fn new() -> io::Result<(Self, Arc<Cancel>)> {
        let cancel = Arc::new(Cancel::new()?);
        Ok((Self(Arc::clone(&cancel)), cancel))
    }
}

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Why waiting is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Woken {
    Ready,
    Cancelled,
    Late,
}
