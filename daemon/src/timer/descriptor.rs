//! A file descriptor that tokio waits for; unsafe code, of which the daemon has little.
//!
//! The wrapper reads bytes and does not know what they mean.

use std::io;
use std::os::fd::OwnedFd;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// A descriptor that can be waited for and read.
#[derive(Debug)]
pub(crate) struct Descriptor(AsyncFd<OwnedFd>);

impl Descriptor {
    /// Makes the descriptor non-blocking; needs a tokio runtime with I/O.
    pub(crate) fn new(fd: OwnedFd) -> io::Result<Self> {
        let flags = OFlag::from_bits_retain(fcntl(&fd, FcntlArg::F_GETFL)?);
        fcntl(&fd, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
        register(fd).map(Self)
    }

    /// Waits until there is something to read, which somebody else reads until there is nothing.
    pub(crate) async fn readable(&self) -> io::Result<()> {
        self.0.readable().await?.clear_ready();
        Ok(())
    }

    /// Waits until there is something to read and reads it; an error is the kernel's.
    ///
    /// Dropping the future loses nothing, since waiting does not read.
    pub(super) async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut read = |fd: &OwnedFd| loop {
            match nix::unistd::read(fd, buffer) {
                Err(Errno::EINTR) => {}
                answer => return answer.map_err(io::Error::from),
            }
        };
        self.0.async_io(Interest::READABLE, |fd| read(fd)).await
    }
}

#[expect(unsafe_code, reason = "tokio's safe registration is deprecated as unsound")]
fn register(fd: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` is open for as long as it lives, always returns the same number, and is
    // owned by the `AsyncFd` from here on; nothing in this file takes it out again.
    let registered = unsafe { AsyncFd::register_with_interest(fd, Interest::READABLE) };
    registered.map_err(io::Error::from)
}
