//! What each step does and what must be seen of it. A mechanism that was accepted and has no effect
//! does not hold, so every step looks for the effect, where it can with a control before.

use std::fs::{self, File};
use std::io;
use std::net::UdpSocket;
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::path::{Path, PathBuf};

use landlock::{AccessFs, LandlockStatus, Ruleset, RulesetAttr as _, RulesetCreated};
use nix::errno::Errno;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::statvfs::{FsFlags, statvfs};
use serde::{Deserialize, Serialize};
use vosim_sandbox_spec::{Limits, RunSpec};

use crate::account::Account;
use crate::cgroup::{Group, Place};
use crate::fault::{At as _, Fault};
use crate::fence;
use crate::filter::{Children, Locks, filter};
use crate::init;
use crate::root::{self, Outside};
use crate::sys::{self, Side};
use crate::target;

/// A file that everybody may read, until the files are closed.
const READABLE: &str = "/proc/self/status";

/// An address of this machine; connecting a datagram socket to it sends nothing.
const NEARBY: &str = "127.0.0.1:9";

/// The bound on processes in its trial.
pub(super) const COUNTED: u32 = 4;

fn seen(so: bool, otherwise: &str) -> Result<(), Fault> {
    if so { Ok(()) } else { Err(Fault::Request(otherwise.to_owned())) }
}

/// In a user namespace: maps the account as a run does.
pub(super) fn map(outside: Account) -> Result<(), Fault> {
    init::map_account(outside)?;
    seen(nix::unistd::geteuid().as_raw() == init::INSIDE, "the map has no effect")
}

/// In user and mount namespaces: enters a root with nothing of the host in it.
pub(super) fn private_root(outside: Account, spec: &RunSpec) -> Result<(), Fault> {
    map(outside)?;
    root::enter(spec, &Outside::default())?;
    let ours = fs::read_to_string("/etc/passwd").at("reading the root's account file")?;
    seen(ours.starts_with("vosim:") && !Path::new("/usr").exists(), "the host's root is seen")
}

/// The same with what a run is shown; `trees` are those that only root can open.
pub(super) fn binds(outside: Account, spec: &RunSpec, trees: Option<Outside>) -> Result<(), Fault> {
    map(outside)?;
    let trees = trees.map_or_else(|| root::open_trees(spec), Ok)?;
    root::enter(spec, &trees)?;
    for mount in &spec.mounts {
        let flags = statvfs(&mount.path).at("looking at a bind")?.flags();
        seen(flags.contains(FsFlags::ST_RDONLY | FsFlags::ST_NOSUID), "a bind can be written to")?;
    }
    Ok(())
}

/// In a pid namespace.
pub(super) fn first_process() -> Result<(), Fault> {
    seen(nix::unistd::getpid().as_raw() == 1, "it is not process 1")
}

/// Which namespace of this kind a process is in.
pub(super) fn namespace(kind: &str) -> Result<PathBuf, Fault> {
    fs::read_link(Path::new("/proc/self/ns").join(kind)).at("looking at /proc/self/ns")
}

/// In a network namespace other than `before`.
pub(super) fn no_network(before: &Path) -> Result<(), Fault> {
    seen(namespace("net")? != before, "it is the same namespace")?;
    let socket = UdpSocket::bind("0.0.0.0:0").at("making a socket")?;
    let unreachable = |error: io::Error| error.raw_os_error() == Some(Errno::ENETUNREACH as i32);
    seen(socket.connect(NEARBY).is_err_and(unreachable), "an interface is up")
}

/// In an ipc namespace other than `before`.
pub(super) fn own_ipc(before: &Path) -> Result<(), Fault> {
    seen(namespace("ipc")? != before, "it is the same namespace")
}

/// In a uts namespace.
pub(super) fn own_name() -> Result<(), Fault> {
    nix::unistd::sethostname("vosim").at("naming the host")?;
    let name = nix::unistd::gethostname().at("asking for the host's name")?;
    seen(name == "vosim", "the name has no effect")
}

/// How Landlock stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Standing {
    /// The kernel does not know it.
    Unknown,
    /// The kernel knows it, and was not booted with it.
    Disabled,
    /// It closes the files.
    Closed {
        /// Version of the kernel's side.
        abi: u8,
        /// True when everything asked for is in force.
        whole: bool,
    },
}

/// Closes all files.
pub(super) fn landlock() -> Result<Standing, Fault> {
    drop(File::open(READABLE).at("reading a file before")?);
    match landlock_status()? {
        LandlockStatus::NotImplemented => return Ok(Standing::Unknown),
        LandlockStatus::NotEnabled => return Ok(Standing::Disabled),
        LandlockStatus::Available { .. } => {}
    }
    let fenced = fence::close(fence::build(&[])?)?;
    let denied = |error: io::Error| error.kind() == io::ErrorKind::PermissionDenied;
    seen(File::open(READABLE).is_err_and(denied), "a closed file can be read")?;
    Ok(Standing::Closed { abi: fenced.abi, whole: fenced.whole })
}

/// By a fence with nothing behind it but the right to execute.
fn landlock_status() -> Result<LandlockStatus, Fault> {
    let attempt = Ruleset::default().handle_access(AccessFs::Execute);
    let status = attempt.and_then(Ruleset::create).and_then(RulesetCreated::restrict_self);
    let told = |error| Fault::Request(format!("asking for Landlock: {error}"));
    Ok(status.map_err(told)?.landlock)
}

/// Installs the filter of a run; false where the calls of this machine are not known.
pub(super) fn call_filter() -> Result<bool, Fault> {
    let Some(mut filter) = filter(Children::Allowed, Locks::Refused) else { return Ok(false) };
    drop(UnixDatagram::unbound().at("making a socket before")?);
    nix::sys::prctl::set_no_new_privs().at("setting no_new_privs")?;
    sys::install_filter(&mut filter).at("installing the system call filter")?;
    let denied = |error: io::Error| error.raw_os_error() == Some(Errno::EACCES as i32);
    seen(UnixDatagram::unbound().is_err_and(denied), "a socket can be made")?;
    drop(UnixStream::pair().at("making a pair of sockets")?);
    Ok(true)
}

/// Takes the limits of a run.
pub(super) fn limits(limits: &Limits) -> Result<(), Fault> {
    target::limit(limits, 0)?;
    let mut large = Vec::<u8>::new();
    let memory = usize::try_from(limits.memory).unwrap_or(usize::MAX);
    seen(large.try_reserve_exact(memory).is_err(), "more memory can be had")?;
    let open: Vec<_> = (0..limits.open_files).map(|_| File::open("/dev/null")).collect();
    seen(open.iter().any(Result::is_err), "more files can be opened")
}

/// In user and pid namespaces: how many processes can be started with [`COUNTED`] as the bound,
/// which counts this one too.
pub(super) fn processes(outside: Account) -> Result<u32, Fault> {
    map(outside)?;
    let bound = u64::from(COUNTED);
    setrlimit(Resource::RLIMIT_NPROC, bound, bound).at("setting resource limits")?;
    let mut started = 0;
    while started <= COUNTED {
        match sys::fork() {
            Ok(Side::Child) => {
                // Until process 1 of the namespace, which has started it, ends.
                nix::unistd::pause();
                sys::exit_now(0)
            }
            Ok(Side::Parent { .. }) => started += 1,
            Err(Errno::EAGAIN) => break,
            Err(errno) => return Err(errno).at("forking"),
        }
    }
    Ok(started)
}

/// What came of a control group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Grouped {
    /// It bounds memory and processes.
    Bounded,
    /// It is there, and lacks something.
    InPart(String),
    /// There is none, and why.
    Not(String),
}

/// Makes a group as for a run, and removes it.
pub(super) fn group(place: Result<Place, String>) -> Grouped {
    match place.and_then(|place| Group::make(&place, &Limits::submission())) {
        Ok(group) if group.bounds.all() => Grouped::Bounded,
        Ok(group) => Grouped::InPart(group.lacking.clone()),
        Err(why) => Grouped::Not(why),
    }
}

/// In a user namespace: allows no further one from here on.
pub(super) fn close_namespaces(outside: Account) -> Result<(), Fault> {
    map(outside)?;
    fs::write("/proc/sys/user/max_user_namespaces", "0").at("closing further namespaces")
}
