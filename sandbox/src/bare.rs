//! A run without namespaces (level C): Landlock hides the files, the system call filter the
//! network and other processes. It is made only where both hold; else nothing is run.

use std::fs;
use std::os::fd::AsFd as _;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use nix::fcntl::{OFlag, open};
use nix::sys::stat::Mode;
use vosim_sandbox_spec::{Level, RunReport};

use crate::account::Account;
use crate::fault::{At as _, Fault};
use crate::layers::Held;
use crate::request::Request;
use crate::root;
use crate::run::{self, Stage};
use crate::sys::Access;
use crate::watch::Scope;

/// Runs the program in this process's own surroundings. None when the caller has gone.
pub(crate) fn run(
    request: &Request,
    control: &UnixStream,
    channel: OwnedFd,
    outside: Account,
    refused: String,
) -> Result<Option<RunReport>, Fault> {
    let work = WorkDir::new(request)?;
    nix::unistd::chdir(&work.path).at("entering the working directory")?;
    // Whoever loses its parent becomes our child, so that the sweep finds it.
    nix::sys::prctl::set_child_subreaper(true).at("becoming the reaper")?;
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    let proc = open("/proc", flags, Mode::empty()).at("opening /proc")?;
    let mut places = root::wanted(&request.spec);
    let writable = request.spec.limits.file_size > 0;
    places.push((work.path.clone(), if writable { Access::Write } else { Access::Read }));
    let stage = Stage {
        scope: Scope::Descendants,
        channel: request.spec.channel.then_some(channel),
        lifeline: control.as_fd(),
        proc,
        places,
        held: Held::new(Level::C, format!("uid {}", outside.uid), refused),
        announce: None,
    };
    run::run(request, stage)
}

/// A private directory for the request's files, gone with this value.
struct WorkDir {
    path: PathBuf,
}

impl WorkDir {
    fn new(request: &Request) -> Result<Self, Fault> {
        let template = std::env::temp_dir().join("vosim-XXXXXX");
        let path = nix::unistd::mkdtemp(&template).at("making the working directory")?;
        let dir = Self { path };
        for (name, text) in &request.spec.files {
            root::write_new(&dir.path.join(name), text).at("writing the run's files")?;
        }
        Ok(dir)
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own cleaning of temporary files.
        drop(fs::remove_dir_all(Path::new(&self.path)));
    }
}
