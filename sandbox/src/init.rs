//! pid 1 of a run: finishes the namespaces it was born into, enters the private root, runs the
//! program and sends the report up. Its end is the end of every process in the namespace.

use std::io::Write as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;

use nix::fcntl::{OFlag, open};
use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use vosim_sandbox_spec::{Level, RunReport};

use crate::account::{self, Account};
use crate::cgroup::Given;
use crate::fault::{At as _, Fault, refusal};
use crate::layers::Held;
use crate::network::{self, Inside};
use crate::request::Request;
use crate::root::{self, Outside};
use crate::run::{self, Stage};
use crate::sys;
use crate::target;
use crate::watch::Scope;

/// The account inside, the same in every run.
pub(crate) const INSIDE: u32 = 1000;

/// First byte of a message to the helper: the kernel refused a step, which follows as JSON.
pub(crate) const REFUSED: u8 = b'R';
/// First byte of a message to the helper: the program did not start, and the reason follows.
pub(crate) const UNSTARTED: u8 = b'U';
/// First byte of a message to the helper: the network could not be made, and the reason follows.
pub(crate) const OFFLINE: u8 = b'N';

/// Lives as pid 1 until the run is over.
pub(crate) fn live(
    request: &Request,
    trees: Option<Outside>,
    outside: Account,
    group: &Given,
    mut up: UnixStream,
    channel: OwnedFd,
    network: Option<Inside>,
) -> ! {
    // Without this the hang-up of `up` says the same, only later.
    nix::sys::prctl::set_pdeathsig(Signal::SIGKILL).ok();
    let said = match settle(request, trees, outside, network) {
        Ok(proc) => isolated(request, outside, group, &up, channel, proc),
        Err(fault) => Err(fault),
    };
    let message = match said {
        Ok(None) => Vec::new(),
        Ok(Some(report)) => run::line(&report),
        Err(Fault::Refused { step, errno }) => {
            // A string and a number: serializing cannot fail.
            let refusal = serde_json::to_vec(&refusal(step, errno)).unwrap_or_default();
            told(REFUSED, &refusal)
        }
        Err(Fault::Start(why)) => told(UNSTARTED, why.as_bytes()),
        Err(Fault::NoNetwork(why)) => told(OFFLINE, why.as_bytes()),
        Err(fault) => told(UNSTARTED, fault.to_string().as_bytes()),
    };
    // If the helper has gone there is nobody to report to.
    drop(up.write_all(&message));
    sys::exit_now(0)
}

fn told(kind: u8, why: &[u8]) -> Vec<u8> {
    [&[kind], why].concat()
}

/// Makes the namespaces usable and enters the private root. Returns the host's /proc, which cannot
/// be opened from then on.
fn settle(
    request: &Request,
    trees: Option<Outside>,
    outside: Account,
    network: Option<Inside>,
) -> Result<OwnedFd, Fault> {
    let around = network.as_ref().map_or(outside, |_| network::AROUND);
    account::map(around, INSIDE)?;
    // While the host's files can be named, and this process be looked into.
    network.map_or(Ok(()), Inside::settle)?;
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    let proc = open("/proc", flags, Mode::empty()).at("opening /proc")?;
    let trees = match trees {
        Some(trees) => trees,
        None => root::open_trees(&request.spec)?,
    };
    root::enter(&request.spec, &trees)?;
    nix::unistd::sethostname("vosim").at("naming the host")?;
    // After the next step this process cannot open its own files in /proc.
    target::prefer_for_oom(proc.as_fd());
    // No process inside may look into this one or take its place.
    nix::sys::prctl::set_dumpable(false).at("closing pid 1")?;
    Ok(proc)
}

fn isolated(
    request: &Request,
    outside: Account,
    group: &Given,
    up: &UnixStream,
    channel: OwnedFd,
    proc: OwnedFd,
) -> Result<Option<RunReport>, Fault> {
    let account = format!("uid {} outside, {INSIDE} inside", outside.uid);
    let held = Held { network: request.spec.network, ..Held::new(Level::B, account, None) };
    let channel = request.spec.channel.then_some(channel);
    let lifeline = up.as_fd();
    let places = root::places_inside(&request.spec);
    let announce = Some(up);
    let stage =
        Stage { scope: Scope::Namespace, channel, lifeline, proc, places, held, group, announce };
    run::run(request, stage)
}
