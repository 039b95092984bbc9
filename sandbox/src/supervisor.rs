//! The helper's own process: holds the control channel, starts pid 1 of the run, ends all processes
//! when the caller leaves, and passes the report on once none is left but pid 1, which then ends.

use std::io::Write as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::Pid;
use rustix::buffer::spare_capacity;
use rustix::io::{Errno as ReadError, read};
use vosim_sandbox_spec::{
    Level, MAKING_NAMESPACES, Network, Refusal, RunReport, RunSpec, Shortfall, Verdict,
};

use crate::account::{self, Account};
use crate::cgroup::{Given, Group, Place};
use crate::fault::{self, At as _, Fault};
use crate::init;
use crate::level_c;
use crate::network::{self, Server};
use crate::options::Options;
use crate::private;
use crate::request::{self, Request};
use crate::root;
use crate::run::{self, REPORT_GRACE, RUNNING};
use crate::sys::{self, Side, Turns};

/// Longest message from pid 1: two kept streams with every byte escaped.
const MESSAGE_MAX: usize = 64 * 1024 * 1024;

/// Bytes of one read; an ordinary report is far shorter. The buffer is not cleared, only filled.
const READ_MAX: usize = 16 * 1024;

/// Reads the request, has it run and writes the report.
pub(crate) fn supervise(
    control: UnixStream,
    channel: OwnedFd,
    options: &Options,
) -> Result<(), Fault> {
    // A wall limit should be sharp beside programs that compute, also within the run.
    sys::take_turns(Turns::Short);
    let report = match request::read(&control) {
        Ok(None) => return Ok(()),
        Ok(Some(request)) => carry_out(&request, &control, channel, options),
        Err(fault) => Err(fault),
    };
    let report = report.unwrap_or_else(|fault| Some(run::line(&failed(&fault))));
    report.map_or(Ok(()), |report| tell(&control, &report))
}

fn tell(mut control: &UnixStream, report: &[u8]) -> Result<(), Fault> {
    control.write_all(report).at("writing the report")
}

/// Returns the report of a run that was not made.
fn failed(fault: &Fault) -> RunReport {
    let verdict = match fault {
        Fault::Missing { .. }
        | Fault::TooStrict { .. }
        | Fault::Start(_)
        | Fault::NoNetwork(_)
        | Fault::LandlockTooWeak(_) => Verdict::NotStarted,
        Fault::Refused { .. } | Fault::Request(_) => Verdict::Internal,
    };
    run::unstarted(verdict, fault.to_string(), Level::D)
}

/// Makes the run and returns the report as a line; None when the caller has it, or has gone meanwhile.
fn carry_out(
    request: &Request,
    control: &UnixStream,
    channel: OwnedFd,
    options: &Options,
) -> Result<Option<Vec<u8>>, Fault> {
    private::check(&request.spec)?;
    let network = network::Approved::by(&request.spec, options.slirp.as_deref())?;
    // Below a closed home only root can open the interpreter, so trees come before the change.
    let root = nix::unistd::geteuid().is_root();
    let trees = match root.then(|| root::open_trees(&request.spec)).transpose() {
        Ok(trees) => Ok(trees),
        // Where root may not mount, for example in a container, no account may: no namespaces then.
        Err(Fault::Refused { step, errno }) => Err(fault::refusal(step, errno)),
        Err(fault) => return Err(fault),
    };
    let place = place(options, root);
    let _account = account::leave_root(options.accounts)?;
    let group = place.and_then(|place| Group::make(&place, &request.spec.limits));
    if let Some(why) = short_of_a(&request.spec, &group) {
        return Ok(Some(run::line(&run::unstarted(Verdict::Internal, why, Level::B))));
    }
    let outside = account::current();
    let (ours, theirs) = UnixStream::pair().at("making a line to pid 1")?;
    let open = Open { request, control, outside, group: &group };
    let trees = match trees {
        Ok(trees) => trees,
        Err(refused) => return open.run(channel, refused),
    };
    network.as_ref().map_or(Ok(()), network::Approved::surround)?;
    let side = match sys::clone_into(sys::NAMESPACES, None) {
        Ok(side) => side,
        Err(errno) => return open.run(channel, fault::refusal(MAKING_NAMESPACES, errno)),
    };
    let Side::Parent { pid, pidfd } = side else {
        drop(ours);
        let network = network.map(network::Approved::inside);
        init::live(request, trees, outside, &group, theirs, channel, network)
    };
    drop((theirs, trees));
    let standby_ms = request.spec.standby.map_or(0, |standby| standby.wait_ms);
    let longest = Duration::from_millis(request.spec.limits.wall_ms.saturating_add(standby_ms));
    let mut first = Run { control, up: ours, init: pidfd, channel: Some(channel) };
    let _server = first.lead(network, pid)?;
    let Some(message) = first.follow(Instant::now() + longest + REPORT_GRACE)? else {
        return Ok(None);
    };
    if let Some(report) = whole_report(&message) {
        // No process of the program's is left. What pid 1 takes down with itself, its mounts above
        // all, takes some milliseconds, and nobody need wait for it.
        let told = tell(control, report);
        first.end()?;
        return told.map(|()| None);
    }
    first.end()?;
    match (judge(message), first.channel) {
        (Message::Report(line), _) => Ok(Some(line)),
        (Message::Unstarted(fault @ Fault::Start(_)), _) => {
            let bounded = group.as_ref().is_ok_and(|group| group.bounds.all());
            let level = if bounded { Level::A } else { Level::B };
            Ok(Some(run::line(&run::unstarted(Verdict::NotStarted, fault.to_string(), level))))
        }
        (Message::Unstarted(fault), _) => Err(fault),
        (Message::Refused(refused), Some(channel)) => open.run(channel, refused),
        (Message::Refused(refused), None) => Err(Fault::Request(fault::words(&refused))),
    }
}

/// Finds the place for a control group; as root it is handed to the account of the run first.
fn place(options: &Options, root: bool) -> Result<Place, String> {
    let place = Place::find(Path::new("/"), options.place.as_deref())?;
    if root {
        place.hand_over(options.accounts.gid)?;
        // Those that another account has left.
        Group::sweep_all(&place);
    }
    Ok(place)
}

/// Returns why the machine does not give level A, where that is demanded.
fn short_of_a(spec: &RunSpec, group: &Given) -> Option<String> {
    let why = match group {
        _ if spec.require_level != Some(Level::A) => return None,
        Ok(group) if group.bounds.all() => return None,
        Ok(group) => &group.lacking,
        Err(why) => why,
    };
    Some(format!("level A is wanted, B is the most this machine gives: {why}"))
}

/// A run where namespaces were refused.
struct Open<'a> {
    request: &'a Request,
    control: &'a UnixStream,
    outside: Account,
    group: &'a Given,
}

impl Open<'_> {
    /// Runs at level C where that is wanted and possible, and never without isolation.
    fn run(&self, channel: OwnedFd, refused: Refusal) -> Result<Option<Vec<u8>>, Fault> {
        if self.request.spec.network == Network::Outside {
            return Err(network::needs(&fault::words(&refused)));
        }
        let wanted = self.request.spec.require_level;
        if let Some(wanted) = wanted.filter(|wanted| *wanted < Level::C) {
            let refused = fault::words(&refused);
            let why = format!("level {wanted:?} is wanted, but refused: {refused}");
            return Ok(Some(run::line(&run::unstarted(Verdict::Internal, why, Level::C))));
        }
        let Self { request, control, outside, group } = *self;
        let ran = level_c::run(request, control, channel, outside, group, refused.clone());
        let report = ran.unwrap_or_else(|fault| {
            let mut report = failed(&fault);
            report.shortfalls.push(Shortfall::Namespaces(refused));
            if let Fault::LandlockTooWeak(landlock) = fault {
                report.shortfalls.extend(landlock.shortfall());
            }
            Some(report)
        });
        Ok(report.map(|report| run::line(&report)))
    }
}

/// A run under way.
struct Run<'a> {
    control: &'a UnixStream,
    up: UnixStream,
    init: OwnedFd,
    /// Kept until the program runs, in case it must be started in another way.
    channel: Option<OwnedFd>,
}

impl Run<'_> {
    /// Leads the network outside that the run asks for, or ends the run.
    fn lead(&self, network: Option<network::Approved>, pid: Pid) -> Result<Option<Server>, Fault> {
        let Some(asked) = network else { return Ok(None) };
        asked.lead(pid).or_else(|fault| self.end().and(Err(fault)))
    }

    /// Returns the whole message of pid 1; None when the caller has gone first.
    fn follow(&mut self, deadline: Instant) -> Result<Option<Vec<u8>>, Fault> {
        let mut message = Vec::new();
        while message.len() < MESSAGE_MAX {
            let left = deadline.saturating_duration_since(Instant::now());
            let timeout = PollTimeout::try_from(left.as_millis()).unwrap_or(PollTimeout::MAX);
            let (called, spoken) = self.ready(timeout)?;
            if called {
                let mut signal = [0; 4096];
                match read(self.control, &mut signal).unwrap_or_default() {
                    0 => {
                        self.end()?;
                        return Ok(None);
                    }
                    // The go signal of a program on standby; pid 1 reads it, or has just gone.
                    count => drop(self.up.write_all(&signal[..count])),
                }
            }
            if spoken {
                message.reserve(READ_MAX);
                match read(&self.up, spare_capacity(&mut message)) {
                    // pid 1 has ended with a signal unread; its message came first.
                    Ok(0) | Err(ReadError::CONNRESET) => break,
                    read => read.map(drop).at("hearing pid 1")?,
                }
                if message.first() == Some(&RUNNING) {
                    self.channel = None;
                }
                if whole_report(&message).is_some() {
                    break;
                }
            }
            if left.is_zero() {
                break;
            }
        }
        Ok(Some(message))
    }

    /// Waits until caller or pid 1 can be read, and returns which of the two.
    fn ready(&self, timeout: PollTimeout) -> Result<(bool, bool), Fault> {
        let watched = [self.control.as_fd(), self.up.as_fd()];
        let mut fds = watched.map(|fd| PollFd::new(fd, PollFlags::POLLIN));
        match poll(&mut fds, timeout) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return Err(Fault::Refused { step: "waiting for the run", errno }),
        }
        let [called, spoken] = fds.map(|fd| fd.any().unwrap_or_default());
        Ok((called, spoken))
    }

    /// Ends pid 1, and with it all processes of the run.
    fn end(&self) -> Result<(), Fault> {
        match sys::kill_pidfd(self.init.as_fd()) {
            Ok(()) | Err(Errno::ESRCH) => {}
            Err(errno) => return Err(Fault::Refused { step: "ending the run", errno }),
        }
        let ours = rustix::process::WaitId::PidFd(self.init.as_fd());
        rustix::process::waitid(ours, rustix::process::WaitIdOptions::EXITED)
            .map(drop)
            .at("waiting for pid 1")
    }
}

/// The message of pid 1.
enum Message {
    /// The line for the caller.
    Report(Vec<u8>),
    /// The kernel refused a step in the namespaces.
    Refused(Refusal),
    Unstarted(Fault),
}

/// The line of a run that pid 1 has watched to its end; nothing follows it.
fn whole_report(message: &[u8]) -> Option<&[u8]> {
    let (first, line) = message.split_first()?;
    (*first == RUNNING && line.ends_with(b"\n")).then_some(line)
}

/// What a message says that is no whole report.
fn judge(message: Vec<u8>) -> Message {
    let text = |message: &[u8]| String::from_utf8_lossy(&message[1..]).into_owned();
    match message.first() {
        Some(&RUNNING) => Message::Report(run::line(&lost())),
        Some(&init::REFUSED) => serde_json::from_slice(&message[1..])
            .map_or_else(|_| Message::Unstarted(no_word()), Message::Refused),
        Some(&init::UNSTARTED) => Message::Unstarted(Fault::Start(text(&message))),
        Some(&init::OFFLINE) => Message::Unstarted(Fault::NoNetwork(text(&message))),
        Some(_) | None => Message::Unstarted(no_word()),
    }
}

fn no_word() -> Fault {
    Fault::Request("pid 1 ended without a word".to_owned())
}

/// Returns the report of a run whose pid 1 was killed: by the program's own doing, or because the
/// machine ran out of memory.
fn lost() -> RunReport {
    let why = "pid 1 of the run was ended".to_owned();
    let mut report = run::unstarted(Verdict::Signal, why, Level::B);
    report.signal = Some(nix::libc::SIGKILL);
    report
}
