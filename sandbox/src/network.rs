//! A network that leads outside and not to this machine, for a run whose user has approved it.
//!
//! ```text
//! the program --- its namespace's tap0 --- filter --- slirp4netns --- the host's network
//! ```
//! `slirp4netns`, which the helper starts, makes the device in the network namespace of the run,
//! takes what leaves it, and speaks for the program as an ordinary process outside. Before anybody can
//! use the device the helper ties a filter to it, by which the kernel judges each frame on its way
//! out; a program without capabilities can neither change that nor go around it, whatever it says of
//! ways and addresses. Routes that lead nowhere stand in front of the filter so that the
//! program is told at once. There is no IPv6.

mod barred;
mod known;
mod packets;
mod server;
mod ways;

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use nix::sched::{CloneFlags, unshare};
use nix::unistd::Pid;
use vosim_sandbox_spec::{MAKING_NAMESPACES, NOT_INSTALLED, Network, RunSpec};

use self::barred::Range;
use self::known::{READY_MAX, RESOLVER};
pub(crate) use self::server::Server;
use crate::account::{self, Account};
use crate::fault::{At as _, Fault, errno_of, told};

/// Where such devices are asked for.
const TUN: &str = "/dev/net/tun";

/// Where packages put the program; the helper has no PATH.
const USUAL: [&str; 3] = ["/usr/bin/slirp4netns", "/usr/local/bin/slirp4netns", "/bin/slirp4netns"];

/// Public certificates by which a program knows whom it reaches, and where the links among them
/// lead.
const CERTIFICATES: [&str; 5] = [
    "/etc/ssl/certs",
    "/usr/share/ca-certificates",
    "/usr/local/share/ca-certificates",
    "/etc/pki/tls/certs",
    "/etc/pki/ca-trust/extracted",
];

/// The account of the helper in the namespace around that of a run with a network.
pub(crate) const AROUND: Account = Account { uid: 0, gid: 0 };

/// Returns the parts of the host that a run with a network sees beside those of every run.
pub(crate) fn certificates(spec: &RunSpec) -> impl Iterator<Item = PathBuf> {
    let wanted = spec.network == Network::Outside;
    let places = CERTIFICATES.map(PathBuf::from).into_iter();
    places.filter(move |place| wanted && place.is_dir())
}

/// Returns the files in `/etc` by which a program finds names, each with its content.
pub(crate) fn files(spec: &RunSpec) -> Vec<(&'static str, String)> {
    match spec.network {
        Network::None => Vec::new(),
        Network::Outside => vec![
            ("hosts", "127.0.0.1 localhost\n::1 localhost\n".to_owned()),
            ("nsswitch.conf", "hosts: files dns\n".to_owned()),
            // Both questions in one call would go through one that is refused.
            ("resolv.conf", format!("nameserver {RESOLVER}\noptions single-request\n")),
        ],
    }
}

/// A network that a run asks for, before there are namespaces.
#[derive(Debug)]
pub(crate) struct Approved {
    program: PathBuf,
    barred: Vec<Range>,
    ours: UnixStream,
    theirs: UnixStream,
}

impl Approved {
    /// Looks for what it takes; None where the run asks for no network.
    pub(crate) fn by(spec: &RunSpec, named: Option<&Path>) -> Result<Option<Self>, Fault> {
        if spec.network == Network::None {
            return Ok(None);
        }
        let usual = || USUAL.map(PathBuf::from).into_iter().find(|path| path.is_file());
        let program = named.map(Path::to_owned).filter(|path| path.is_file());
        let program = if named.is_some() { program } else { usual() };
        let program = program.ok_or_else(|| Fault::NoNetwork(NOT_INSTALLED.to_owned()))?;
        let barred = barred::barred()?;
        let (ours, theirs) = UnixStream::pair().at("making a line for the network")?;
        Ok(Some(Self { program, barred, ours, theirs }))
    }

    /// Makes this process the root of a user namespace with its account alone. From there
    /// `slirp4netns` shuts itself in, which it does as root only, and enters the run's, which
    /// is made inside and has no root.
    pub(crate) fn surround(&self) -> Result<(), Fault> {
        let own = account::current();
        let made = unshare(CloneFlags::CLONE_NEWUSER).at(MAKING_NAMESPACES);
        made.and_then(|()| account::map(own, AROUND.uid)).map_err(|refused| needs(&refused))?;
        // What slirp4netns itself says of it names neither.
        let opened = File::options().read(true).write(true).open(TUN);
        let why = |error| Fault::NoNetwork(format!("{TUN}: {}", told(errno_of(&error))));
        opened.map(drop).map_err(why)
    }

    /// Returns the side of pid 1.
    pub(crate) fn inside(self) -> Inside {
        Inside { line: self.theirs, barred: self.barred }
    }

    /// Leads the network of the new pid 1 outside; None where pid 1 has ended, which says why itself.
    pub(crate) fn lead(self, pid: Pid) -> Result<Option<Server>, Fault> {
        let Self { program, barred, mut ours, theirs } = self;
        drop(theirs);
        ours.set_read_timeout(Some(READY_MAX)).at("waiting for pid 1")?;
        match ours.read_exact(&mut [0]) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(_) => return Err(Fault::NoNetwork("pid 1 is not ready after 5 s".to_owned())),
        }
        let server = Server::start(&program, pid, &packets::filter(&barred))?;
        // If pid 1 has ended meanwhile, its message says why.
        drop(ours.write_all(&[0]));
        Ok(Some(server))
    }
}

/// Returns the fault where the kernel refuses a step without which nothing would hold a network.
pub(crate) fn needs(refused: &impl Display) -> Fault {
    Fault::NoNetwork(format!("it takes namespaces: {refused}"))
}

/// A network as pid 1 settles it.
#[derive(Debug)]
pub(crate) struct Inside {
    line: UnixStream,
    barred: Vec<Range>,
}

impl Inside {
    /// Has the network of this namespace lead outside. Takes the capabilities that pid 1 has there,
    /// and the host's `/proc`.
    pub(crate) fn settle(mut self) -> Result<(), Fault> {
        ways::bound_buffers()?;
        self.line.write_all(&[0]).at("asking for the network")?;
        self.line.read_exact(&mut [0]).at("waiting for the network")?;
        ways::close(&self.barred)
    }
}
