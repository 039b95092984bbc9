//! Hears out a program of the system's that was started with a question: within bounds of time and
//! size, and only as long as somebody wants to know. What it answers means nothing here.

use std::io::{self, ErrorKind, Read as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags};
use nix::sys::signal::{Signal, killpg};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::cancel::{Cancel, Woken};

/// A program that was asked something; it is gone when this is dropped.
#[derive(Debug)]
pub(crate) struct Questioned(Child);

impl Questioned {
    /// Starts a program that reads nothing and answers on its standard output.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.process_group(0).spawn().map(Self)
    }

    /// Its answer to the end, and how it ended.
    pub(crate) fn answer(
        mut self,
        within: Duration,
        bytes_max: usize,
        cancel: &Cancel,
    ) -> io::Result<(Vec<u8>, ExitStatus)> {
        let until = Instant::now() + within;
        let wait = |fd: PollFd<'_>| match cancel.wait(fd, until) {
            Woken::Ready => Ok(()),
            Woken::Cancelled => Err(io::Error::other("nobody waits for its answer any more")),
            Woken::Late => {
                let late = format!("it did not answer within {} s", within.as_secs());
                Err(io::Error::new(ErrorKind::TimedOut, late))
            }
        };
        let no_output = || io::Error::other("its output cannot be read");
        let mut output = self.0.stdout.take().ok_or_else(no_output)?;
        let mut answer = Vec::new();
        let mut chunk = [0; 16 * 1024];
        loop {
            wait(PollFd::new(output.as_fd(), PollFlags::POLLIN))?;
            match output.read(&mut chunk)? {
                0 => break,
                count => answer.extend_from_slice(&chunk[..count]),
            }
            if answer.len() > bytes_max {
                return Err(io::Error::new(ErrorKind::FileTooLarge, "its answer is too long"));
            }
        }
        // One can say all and go on. Where the kernel does not tell, it is trusted not to.
        if let Some(end) = end_of(&self.0) {
            wait(PollFd::new(end.as_fd(), PollFlags::POLLIN))?;
        }
        Ok((answer, self.0.wait()?))
    }
}

impl Drop for Questioned {
    fn drop(&mut self) {
        end_group(&mut self.0);
    }
}

/// What can be read once a program has ended; none where the kernel has no such descriptors.
pub(super) fn end_of(child: &Child) -> Option<OwnedFd> {
    pidfd_open(Pid::from_child(child), PidfdFlags::empty()).ok()
}

/// Ends a program that has a group of its own, with what it has started there, and waits for it.
pub(super) fn end_group(child: &mut Child) {
    // Once it has been waited for, its number may be somebody else's.
    if matches!(child.try_wait(), Ok(None)) {
        let group = nix::unistd::Pid::from_raw(child.id().cast_signed());
        // It may end at this moment, or have no group of its own after all.
        killpg(group, Signal::SIGKILL).ok();
        child.kill().ok();
    }
    child.wait().ok();
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(200);

    fn shell(text: &str) -> Questioned {
        Questioned::start(Command::new("/bin/sh").args(["-c", text])).unwrap()
    }

    fn refused(text: &str, within: Duration, cancel: &Cancel) -> ErrorKind {
        shell(text).answer(within, 1024, cancel).unwrap_err().kind()
    }

    #[test]
    fn an_answer_comes_with_how_the_program_ended() {
        let cancel = Cancel::new().unwrap();
        let (answer, status) = shell("echo here; exit 3").answer(LONG, 1024, &cancel).unwrap();
        assert_eq!((answer.as_slice(), status.code()), (b"here\n".as_slice(), Some(3)));
    }

    #[test]
    fn what_never_ends_is_given_up_with_all_that_it_has_started() {
        let cancel = Cancel::new().unwrap();
        // Its child holds the output open, so this would wait for it.
        let mut asked = shell("sleep 1000; :");
        let mut held = asked.0.stdout.take().unwrap();
        drop(asked);
        assert_eq!(held.read(&mut [0; 8]).unwrap(), 0, "the child has gone too");
        for endless in ["sleep 1000; :", "exec >/dev/null; sleep 1000; :"] {
            assert_eq!(refused(endless, SHORT, &cancel), ErrorKind::TimedOut);
        }
        assert_eq!(refused("exec yes", LONG, &cancel), ErrorKind::FileTooLarge);
    }

    #[test]
    fn who_no_longer_waits_is_not_held_up() {
        let cancel = Arc::new(Cancel::new().unwrap());
        let other = Arc::clone(&cancel);
        let waits = std::thread::spawn(move || refused("sleep 1000; :", LONG, &other));
        cancel.cancel();
        assert_eq!(waits.join().unwrap(), ErrorKind::Other);
    }
}
