//! Starts the program in a child of this process, and learns from the child whether it became the
//! program. Nothing is watched here.

use std::convert::Infallible;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::{BorrowedFd, OwnedFd};

use nix::fcntl::OFlag;
use nix::unistd::{Pid, pipe2};
use vosim_sandbox_spec::Level;

use crate::cgroup::{Given, Group};
use crate::fault::{self, At as _, Fault};
use crate::landlock_status::LandlockStatus;
use crate::request::Request;
use crate::sys::{self, Side};
use crate::target::{self, Narrowing, Streams, clear_of_streams};

/// A program that runs.
pub(crate) struct Started<'a> {
    pub(crate) target: Pid,
    pub(crate) landlock: LandlockStatus,
    /// The group it was born into.
    pub(crate) group: Result<&'a Group, String>,
}

/// Starts the program in the group, or without it where level A is not demanded.
pub(crate) fn start<'a>(
    request: &Request,
    streams: &Streams,
    proc: BorrowedFd<'_>,
    narrowing: Narrowing<'_>,
    group: &'a Given,
) -> Result<Started<'a>, Fault> {
    let child = Child { request, streams, proc, narrowing };
    let group = match group {
        Ok(group) => group,
        Err(why) => return child.begin_here(why.clone()),
    };
    let alone = child.narrowing.alone;
    let (word, told) = pipe2(OFlag::O_CLOEXEC).at("making a pipe")?;
    let told = clear_of_streams(told)?;
    match sys::clone_into(0, Some(group.entrance())) {
        Ok(Side::Child) => child.live_inside(group, told),
        Ok(Side::Parent { pid: target, .. }) => {
            drop(told);
            let landlock = hear(word, alone)?;
            Ok(Started { target, landlock, group: Ok(group) })
        }
        Err(errno) if request.spec.require_level == Some(Level::A) => {
            Err(Fault::Refused { step: "entering the control group", errno })
        }
        Err(errno) => {
            child.begin_here(format!("entering the control group: {}", fault::told(errno)))
        }
    }
}

/// The child that becomes the program.
struct Child<'a> {
    request: &'a Request,
    streams: &'a Streams,
    proc: BorrowedFd<'a>,
    narrowing: Narrowing<'a>,
}

impl Child<'_> {
    /// Becomes the program and reports Landlock on the way; returns only with the fault that
    /// prevents it.
    fn live(self, told: impl FnOnce(LandlockStatus)) -> Fault {
        let Self { request, streams, proc, narrowing } = self;
        let Err::<Infallible, _>(fault) =
            target::become_program(request, streams, proc, narrowing, told);
        fault
    }

    /// Begins in this process's memory, which is several times cheaper than a copy of it.
    fn begin_here<'a>(self, no_group: String) -> Result<Started<'a>, Fault> {
        let (mut said, mut fault) = (None, None);
        let target = sys::start_child(|| fault = Some(self.live(|landlock| said = Some(landlock))))
            .at("forking the program")?;
        match (said, fault) {
            (Some(landlock), None) => Ok(Started { target, landlock, group: Err(no_group) }),
            (_, Some(fault @ Fault::LandlockTooWeak(_))) => Err(fault),
            (_, Some(fault)) => Err(Fault::Start(fault.to_string())),
            (None, None) => Err(no_word()),
        }
    }

    /// Goes on as the child that was born into the group, which has its own copy of the memory.
    fn live_inside(mut self, group: &Group, told: OwnedFd) -> ! {
        self.narrowing.counted = group.bounds.pids;
        let told = File::from(told);
        // If the parent has gone there is nobody to tell.
        let fault = self.live(|landlock| drop((&told).write_all(&landlock.to_bytes())));
        drop((&told).write_all(fault.to_string().as_bytes()));
        sys::exit_now(1)
    }
}

/// Reads the message of a child with its own memory, up to the end: exec closes the other side, or
/// the child has written its fault.
fn hear(word: OwnedFd, alone: bool) -> Result<LandlockStatus, Fault> {
    let mut said = Vec::new();
    File::from(word).read_to_end(&mut said).at("waiting for the program's start")?;
    match *said {
        [abi, standing] => Ok(LandlockStatus::from_bytes([abi, standing])),
        // The child failed before it reported Landlock, so there is only text.
        [first, ..] if first.is_ascii_graphic() => Err(start_fault(&said)),
        [abi, standing, ref fault @ ..] => {
            let landlock = LandlockStatus::from_bytes([abi, standing]);
            let weak = alone && !landlock.enough_alone();
            Err(if weak { Fault::LandlockTooWeak(landlock) } else { start_fault(fault) })
        }
        _ => Err(no_word()),
    }
}

fn start_fault(text: &[u8]) -> Fault {
    Fault::Start(String::from_utf8_lossy(text).into_owned())
}

fn no_word() -> Fault {
    Fault::Start("its child ended without a word".to_owned())
}
