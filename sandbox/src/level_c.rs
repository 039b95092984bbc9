//! A run without namespaces (level C): Landlock hides the files, the system call filter the
//! network and other processes. Where one of them does not hold, nothing is run.

use std::os::fd::AsFd as _;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

use nix::fcntl::{OFlag, open};
use nix::sys::stat::Mode;
use vosim_sandbox_spec::{Level, Refusal, RunReport};

use crate::account::Account;
use crate::cgroup::Given;
use crate::fault::{At as _, Fault};
use crate::layers::Held;
use crate::request::Request;
use crate::root;
use crate::run::{self, Stage};
use crate::sys::Access;
use crate::watch::Scope;
use crate::workdir::WorkDir;

/// Runs the program without namespaces of its own. Returns None when the caller has gone.
pub(crate) fn run(
    request: &Request,
    control: &UnixStream,
    channel: OwnedFd,
    outside: Account,
    group: &Given,
    refused: Refusal,
) -> Result<Option<RunReport>, Fault> {
    let work = WorkDir::new(request)?;
    nix::unistd::chdir(&work.path).at("entering the working directory")?;
    // A process that loses its parent becomes our child, so that the sweep finds it.
    nix::sys::prctl::set_child_subreaper(true).at("becoming the reaper")?;
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    let proc = open("/proc", flags, Mode::empty()).at("opening /proc")?;
    let mut places = root::places_outside(&request.spec);
    let writable = request.spec.limits.file_size > 0;
    places.push((work.path.clone(), if writable { Access::Write } else { Access::Read }));
    let stage = Stage {
        scope: Scope::Descendants,
        channel: request.spec.channel.then_some(channel),
        lifeline: control.as_fd(),
        proc,
        places,
        held: Held::new(Level::C, format!("uid {}", outside.uid), Some(refused)),
        group,
        announce: None,
    };
    run::run(request, stage)
}
