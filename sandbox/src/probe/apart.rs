//! A step of the chain in a process of its own, so that what it closes is closed for it alone. The
//! process leaves root first, as a run does, and a step that hangs is ended.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::{Pid, pipe2};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::account::{self, Account};
use crate::fault::{At as _, Fault};
use crate::sys::{self, Side};

/// Longest time that one step may take: one of them is a whole run.
const STEP_WITHIN: Duration = Duration::from_secs(30);

/// Most bytes that a step says.
const SAID_MAX: usize = 1 << 20;

/// Why a step did not work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Trouble {
    /// What was attempted, with the answer.
    pub(super) said: String,
    /// The kernel's answer; 0 where it gave none.
    errno: i32,
    /// True when the process could not even be put into its namespaces.
    pub(super) unborn: bool,
}

impl Trouble {
    pub(super) fn new(said: &str) -> Self {
        Self { said: said.to_owned(), errno: 0, unborn: false }
    }

    /// One that the kernel answered.
    #[cfg(test)]
    pub(super) fn answered(said: &str, errno: Errno, unborn: bool) -> Self {
        Self { said: said.to_owned(), errno: errno as i32, unborn }
    }

    pub(super) fn errno(&self) -> Errno {
        Errno::from_raw(self.errno)
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        let errno = match &fault {
            Fault::Refused { errno, .. } | Fault::Missing { errno, .. } => *errno as i32,
            Fault::Start(_) | Fault::Request(_) => 0,
        };
        Self { said: fault.to_string(), errno, unborn: false }
    }
}

/// Where a step is done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Apart {
    /// As whom, where we are root.
    pub(super) account: Account,
    /// In which new namespaces, as flags of clone; 0 for none.
    pub(super) namespaces: i32,
}

impl Apart {
    /// Does a step and gives what it found.
    pub(super) fn run<T>(self, step: impl FnOnce() -> Result<T, Fault>) -> Result<T, Trouble>
    where
        T: Serialize + DeserializeOwned,
    {
        self.run_prepared(|| Ok(()), |()| step())
    }

    /// The same with something that is done before root is left.
    pub(super) fn run_prepared<P, T>(
        self,
        prepare: impl FnOnce() -> Result<P, Fault>,
        step: impl FnOnce(P) -> Result<T, Fault>,
    ) -> Result<T, Trouble>
    where
        T: Serialize + DeserializeOwned,
    {
        let (heard, said) = pipe2(OFlag::O_CLOEXEC).at("making a pipe").map_err(Trouble::from)?;
        match sys::fork().at("forking a step").map_err(Trouble::from)? {
            Side::Child => {
                drop(heard);
                // Nobody is left to be told when the probe has gone.
                set_pdeathsig(Signal::SIGKILL).ok();
                self.be_apart(prepare, step, said)
            }
            Side::Parent { pid, .. } => {
                drop(said);
                hear(heard, pid)
            }
        }
    }

    fn be_apart<P, T: Serialize>(
        self,
        prepare: impl FnOnce() -> Result<P, Fault>,
        step: impl FnOnce(P) -> Result<T, Fault>,
        said: OwnedFd,
    ) -> ! {
        let prepared = match prepare().and_then(|prepared| {
            account::leave_root(self.account)?;
            Ok(prepared)
        }) {
            Ok(prepared) => prepared,
            Err(fault) => tell::<T>(said, Err(Trouble::from(fault))),
        };
        if self.namespaces == 0 {
            tell(said, step(prepared).map_err(Trouble::from));
        }
        match sys::clone_into(self.namespaces, None).at("making namespaces") {
            Ok(Side::Child) => {
                set_pdeathsig(Signal::SIGKILL).ok();
                tell(said, step(prepared).map_err(Trouble::from))
            }
            Ok(Side::Parent { pid, .. }) => {
                drop(said);
                // It has said itself what there is to say.
                waitpid(pid, None).ok();
                sys::exit_now(0)
            }
            Err(fault) => {
                let unborn = Trouble { unborn: true, ..Trouble::from(fault) };
                tell::<T>(said, Err(unborn))
            }
        }
    }
}

fn tell<T: Serialize>(said: OwnedFd, result: Result<T, Trouble>) -> ! {
    // Plain strings and numbers: serializing cannot fail. When nobody listens, nobody is told.
    let text = serde_json::to_vec(&result).unwrap_or_default();
    drop(File::from(said).write_all(&text));
    sys::exit_now(0)
}

fn hear<T: DeserializeOwned>(heard: OwnedFd, pid: Pid) -> Result<T, Trouble> {
    let said = listen(heard, STEP_WITHIN);
    // It may be waiting for something that does not come; its own child goes with it.
    kill(pid, Signal::SIGKILL).ok();
    waitpid(pid, None).ok();
    understand(said)
}

/// Everything up to the end; None when that does not come in time.
fn listen(heard: OwnedFd, within: Duration) -> Option<Vec<u8>> {
    let deadline = Instant::now() + within;
    let mut said = Vec::new();
    let mut chunk = [0; 4096];
    let mut heard = File::from(heard);
    while said.len() < SAID_MAX {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = PollTimeout::try_from(left.as_millis()).unwrap_or(PollTimeout::MAX);
        match poll(&mut [PollFd::new(heard.as_fd(), PollFlags::POLLIN)], timeout) {
            Ok(0) => return None,
            Ok(_) => match heard.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => said.extend_from_slice(&chunk[..count]),
                Err(_) => break,
            },
            Err(Errno::EINTR) => {}
            Err(_) => return None,
        }
    }
    Some(said)
}

fn understand<T: DeserializeOwned>(said: Option<Vec<u8>>) -> Result<T, Trouble> {
    let said = said.ok_or_else(|| Trouble::new("the step did not end"))?;
    serde_json::from_slice(&said)
        .unwrap_or_else(|_| Err(Trouble::new("the step ended without a word")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_hangs_or_dies_is_told_apart_from_one_that_was_refused() {
        let (heard, said) = pipe2(OFlag::O_CLOEXEC).unwrap();
        let again = heard.try_clone().unwrap();
        assert_eq!(listen(heard, Duration::ZERO), None, "nobody has said anything yet");
        assert_eq!(understand::<()>(None).unwrap_err().said, "the step did not end");
        drop(said);
        let nothing = listen(again, Duration::from_secs(30));
        assert_eq!(nothing, Some(Vec::new()));
        assert_eq!(understand::<()>(nothing).unwrap_err().said, "the step ended without a word");
    }

    #[test]
    fn what_a_step_was_refused_is_heard_as_it_was_said() {
        let refused = Err::<(), _>(Errno::EPERM).at("trying").map_err(Trouble::from);
        let said = serde_json::to_vec(&refused).unwrap();
        let trouble = understand::<()>(Some(said)).unwrap_err();
        assert_eq!((trouble.errno(), trouble.unborn), (Errno::EPERM, false));
        assert_eq!(trouble.said, "trying: EPERM: Operation not permitted");
    }
}
