//! `slirp4netns` beside a run. It ends with the run, and also when the helper is killed.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _};
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::libc::sock_filter;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::unistd::{Pid, pipe2};
use rustix::process::{
    PidfdFlags, PidfdGetfdFlags, Resource, Rlimit, pidfd_getfd, pidfd_open, prlimit,
};

use super::known::{DEVICE, READY_MAX};
use crate::fault::{At as _, Fault, errno_of, told};
use crate::sys::network::filter_frames;

/// What it may hold, whatever a program asks of it: open files, which are connections, and memory
/// of its own in bytes.
const BOUNDS: [(Resource, u64); 2] = [(Resource::Nofile, 256), (Resource::Data, 256 << 20)];

/// Longest part of its last words that is told on.
const WORDS_MAX: usize = 200;

/// The running program.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    /// Its other end tells the program that this process has ended.
    _alive: OwnedFd,
}

impl Server {
    /// Starts it for the network of a process, waits until it is ready, and ties the filter to the
    /// device that it holds.
    pub(super) fn start(program: &Path, pid: Pid, filter: &[sock_filter]) -> Result<Self, Fault> {
        const STARTING: &str = "starting slirp4netns";
        let (ready, its_ready) = pipe2(OFlag::O_CLOEXEC).at(STARTING)?;
        let (its_end, alive) = pipe2(OFlag::O_CLOEXEC).at(STARTING)?;
        for fd in [&its_ready, &its_end] {
            // This process has one thread, which starts nothing else meanwhile.
            fcntl(fd, FcntlArg::F_SETFD(FdFlag::empty())).at(STARTING)?;
        }
        let mut said = File::from(memfd_create("said", MFdFlags::MFD_CLOEXEC).at(STARTING)?);
        let child = Command::new(program)
            .args(["--configure", "--mtu=65520", "--disable-host-loopback"])
            .args(["--enable-sandbox", "--enable-seccomp"])
            .arg(format!("--ready-fd={}", its_ready.as_raw_fd()))
            .arg(format!("--exit-fd={}", its_end.as_raw_fd()))
            .args([pid.to_string().as_str(), DEVICE])
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::from(said.try_clone().at(STARTING)?))
            .spawn()
            .map_err(|error| Fault::NoNetwork(format!("{STARTING}: {}", told(errno_of(&error)))))?;
        drop((its_ready, its_end));
        let server = Self { child, _alive: alive };
        match server.wait(ready)? {
            Answer::Ready => server.restrict(filter).map(|()| server),
            Answer::Late => Err(Fault::NoNetwork("slirp4netns is not ready after 5 s".to_owned())),
            Answer::Ended => {
                let why = last_words(&mut said);
                Err(Fault::NoNetwork(format!("slirp4netns did not start: {why}")))
            }
        }
    }

    /// Bounds what it holds, and ties the filter to the device. The kernel keeps it with the open file,
    /// which is the program's own, and a device that was made beforehand would lose it.
    fn restrict(&self, filter: &[sock_filter]) -> Result<(), Fault> {
        const RESTRICTING: &str = "restricting slirp4netns";
        let refused = |errno| Fault::NoNetwork(format!("{RESTRICTING}: {}", told(errno)));
        let number = self.child.id();
        let pid = i32::try_from(number).ok().and_then(rustix::process::Pid::from_raw);
        let pid = pid.ok_or_else(|| refused(Errno::ESRCH))?;
        for (resource, most) in BOUNDS {
            let bound = Rlimit { current: Some(most), maximum: Some(most) };
            prlimit(Some(pid), resource, bound).at(RESTRICTING)?;
        }
        let process = pidfd_open(pid, PidfdFlags::empty()).at(RESTRICTING)?;
        let mut devices = 0_usize;
        let open = fs::read_dir(format!("/proc/{number}/fd"))
            .map_err(|error| refused(errno_of(&error)))?;
        for entry in open.flatten() {
            let Some(fd) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            let fd = match pidfd_getfd(&process, fd, PidfdGetfdFlags::empty()) {
                Ok(fd) => fd,
                // It was closed meanwhile.
                Err(rustix::io::Errno::BADF) => continue,
                Err(errno) => return Err(refused(Errno::from_raw(errno.raw_os_error()))),
            };
            // Whatever is no device of a network does not know the request.
            devices += usize::from(filter_frames(fd.as_fd(), &mut filter.to_vec()).is_ok());
        }
        match devices {
            1.. => Ok(()),
            0 => Err(Fault::NoNetwork("slirp4netns holds no device to be restricted".to_owned())),
        }
    }

    fn wait(&self, ready: OwnedFd) -> Result<Answer, Fault> {
        let deadline = Instant::now() + READY_MAX;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let timeout = PollTimeout::try_from(left.as_millis()).unwrap_or(PollTimeout::MAX);
            let mut fds = [PollFd::new(ready.as_fd(), PollFlags::POLLIN)];
            match poll(&mut fds, timeout) {
                Ok(0) => return Ok(Answer::Late),
                Ok(_) => break,
                Err(Errno::EINTR) => {}
                Err(errno) => return Err(errno).at("waiting for slirp4netns"),
            }
        }
        let told = File::from(ready).read(&mut [0]).at("waiting for slirp4netns")?;
        Ok(if told == 0 { Answer::Ended } else { Answer::Ready })
    }
}

impl Drop for Server {
    /// Leaves neither a process nor what the kernel keeps of one.
    fn drop(&mut self) {
        // It fails only where the program has ended by itself.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

enum Answer {
    Ready,
    Late,
    Ended,
}

/// Returns the last line that it has said, or that it has said nothing.
fn last_words(said: &mut File) -> String {
    let mut text = Vec::new();
    // Without its words the reader has only the fact.
    said.rewind().and_then(|()| said.read_to_end(&mut text)).ok();
    let text = String::from_utf8_lossy(&text);
    let last = text.lines().rev().find(|line| !line.trim().is_empty());
    last.unwrap_or("it has not said why").chars().take(WORDS_MAX).collect()
}
