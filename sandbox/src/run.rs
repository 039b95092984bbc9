//! One run inside the isolation that holds: makes the streams, starts the program, watches it and
//! turns the outcome into the report.

use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl, open};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::signal::{SigSet, SigmaskHow, Signal, sigprocmask};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::stat::Mode;
use nix::unistd::pipe2;
use vosim_sandbox_spec::{Level, Limits, Network, RunReport, Usage, VERSION, Verdict};

use crate::cgroup::Given;
use crate::fault::{At as _, Fault};
use crate::filter::{Children, Locks, Sockets, filter};
use crate::landlock;
use crate::layers::{self, Grouped, Held};
use crate::meter::Meter;
use crate::proc_tree::ProcTree;
use crate::request::Request;
use crate::standby::{self, Inbox};
use crate::start::{Started, start};
use crate::sys::Access;
use crate::target::{Narrowing, Streams, clear_of_streams};
use crate::verdict::{self, Ended};
use crate::watch::{BeforeGo, Outcome, Scope, Stream, Watch};

/// First byte of a message from pid 1: the program runs, and the report follows.
pub(crate) const RUNNING: u8 = b'S';

/// The surroundings of a run.
#[derive(Debug)]
pub(crate) struct Stage<'a> {
    pub(crate) scope: Scope,
    /// Descriptor 3 of the program.
    pub(crate) channel: Option<OwnedFd>,
    pub(crate) lifeline: BorrowedFd<'a>,
    /// An open /proc of the host.
    pub(crate) proc: OwnedFd,
    /// The files that Landlock lets through.
    pub(crate) places: Vec<(PathBuf, Access)>,
    pub(crate) held: Held,
    /// The run's own control group, or the reason why it has none.
    pub(crate) group: &'a Given,
    /// Gets a sign once the program runs, so that the helper closes its copy of the channel.
    pub(crate) announce: Option<&'a UnixStream>,
}

/// Runs the program; returns None when the caller has gone.
pub(crate) fn run(request: &Request, mut stage: Stage<'_>) -> Result<Option<RunReport>, Fault> {
    let limits = &request.spec.limits;
    let children = ended_children()?;
    let (stdout, stdout_end) = output_pipe()?;
    let (stderr, stderr_end) = output_pipe()?;
    let streams = Streams {
        stdin: clear_of_streams(standard_input(request.spec.stdin.as_deref())?)?,
        stdout: clear_of_streams(stdout_end)?,
        stderr: clear_of_streams(stderr_end)?,
        channel: stage.channel.take().map(clear_of_streams).transpose()?,
    };
    let proc_tree = ProcTree::new(stage.proc.try_clone().at("copying a descriptor")?);
    stage.held.sees_processes = proc_tree.is_some();
    let children_wanted = match stage.scope {
        Scope::Namespace => Children::Allowed,
        Scope::Descendants => Children::Refused,
    };
    let mut filter = filter(children_wanted, locks(request), sockets(request));
    stage.held.filter = filter.is_some();
    let alone = stage.scope == Scope::Descendants;
    if alone && !stage.held.filter {
        return Err(Fault::Request("there is no system call filter for this machine".to_owned()));
    }
    let narrowing = Narrowing {
        landlock: landlock::prepare(&stage.places, request.spec.network)?,
        alone,
        counted: false,
        filter: filter.as_mut(),
    };
    let started = Instant::now();
    let proc = stage.proc.as_fd();
    let Started { target, landlock, group } =
        start(request, &streams, proc, narrowing, stage.group)?;
    stage.held.landlock = landlock;
    stage.held.enter(Grouped::of(&group));
    let Streams { stdout: stdout_end, stderr: stderr_end, stdin, channel: given } = streams;
    drop((stdin, given));
    if let Some(mut up) = stage.announce {
        up.write_all(&[RUNNING]).at("announcing the start")?;
    }
    let standby = request.spec.standby;
    let watch = Watch {
        limits: standby.map_or_else(|| limits.clone(), |it| standby::limits_before(limits, it)),
        after_go: standby.map(|_| limits.clone()),
        inbox: standby.map(|_| Inbox::new(request.behind.clone())),
        before_go: BeforeGo::default(),
        target,
        scope: stage.scope,
        started,
        stdout: Stream::new(stdout, stdout_end, limits.output_keep),
        stderr: Stream::new(stderr, stderr_end, limits.output_keep),
        children,
        lifeline: stage.lifeline,
        meter: Meter { group: group.ok(), proc_tree },
        target_gone: false,
    };
    Ok(watch.run().map(|outcome| report(outcome, &stage.held, limits)))
}

/// Allows locks only to a program that may write to files.
fn locks(request: &Request) -> Locks {
    let writable = request.spec.mounts.iter().any(|mount| mount.writable);
    if writable || request.spec.limits.file_size > 0 { Locks::Allowed } else { Locks::Refused }
}

/// Allows sockets of a network only to a run that has one.
const fn sockets(request: &Request) -> Sockets {
    match request.spec.network {
        Network::None => Sockets::Pairs,
        Network::Outside => Sockets::Internet,
    }
}

/// Returns a descriptor that tells of ended children from now on.
fn ended_children() -> Result<SignalFd, Fault> {
    let mut mask = SigSet::empty();
    mask.add(Signal::SIGCHLD);
    sigprocmask(SigmaskHow::SIG_BLOCK, Some(&mask), None).at("blocking SIGCHLD")?;
    SignalFd::with_flags(&mask, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)
        .at("making a signal descriptor")
}

/// Makes a pipe whose reading end does not block; the writing end, the program's, does.
fn output_pipe() -> Result<(OwnedFd, OwnedFd), Fault> {
    let (reader, writer) = pipe2(OFlag::O_CLOEXEC).at("making a pipe")?;
    fcntl(&reader, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).at("making a pipe")?;
    Ok((reader, writer))
}

fn standard_input(text: Option<&str>) -> Result<OwnedFd, Fault> {
    let Some(text) = text else {
        return open("/dev/null", OFlag::O_RDONLY | OFlag::O_CLOEXEC, Mode::empty())
            .at("opening an empty input");
    };
    let mut file = File::from(memfd_create("stdin", MFdFlags::MFD_CLOEXEC).at("making the input")?);
    file.write_all(text.as_bytes()).and_then(|()| file.rewind()).at("filling the input")?;
    Ok(file.into())
}

fn report(outcome: Outcome, held: &Held, limits: &Limits) -> RunReport {
    let (exit_code, signal) = match outcome.seen.ended {
        Some(Ended::Exit(code)) => (Some(code), None),
        Some(Ended::Signal(signal)) => (None, Some(signal)),
        None => (None, Some(Signal::SIGKILL as i32)),
    };
    let mut report = RunReport {
        version: VERSION,
        verdict: verdict::name(&outcome.seen),
        suspected: outcome.suspected,
        exit_code,
        signal,
        usage: outcome.usage,
        waited: outcome.waited,
        stdout: outcome.stdout,
        stderr: outcome.stderr,
        enforced: layers::enforced(held, limits),
        shortfalls: layers::shortfalls(held),
        level: held.level,
        error: None,
    };
    if outcome.seen.internal {
        report.error = Some("a process of the run could not be ended".to_owned());
    }
    if let Some(why) = outcome.broken {
        report.verdict = Verdict::Internal;
        report.error = Some(why);
    }
    report
}

/// Longest reason in a report, in characters, since it may quote the request.
const WHY_MAX: usize = 1000;

/// Returns the report of a run that never started.
pub(crate) fn unstarted(verdict: Verdict, mut why: String, level: Level) -> RunReport {
    if let Some((end, _)) = why.char_indices().nth(WHY_MAX) {
        why.truncate(end);
        why.push('…');
    }
    RunReport {
        version: VERSION,
        verdict,
        suspected: None,
        exit_code: None,
        signal: None,
        usage: Usage::default(),
        waited: None,
        stdout: Default::default(),
        stderr: Default::default(),
        enforced: Vec::new(),
        shortfalls: Vec::new(),
        level,
        error: Some(why),
    }
}

/// Returns a report as it is sent.
pub(crate) fn line(report: &RunReport) -> Vec<u8> {
    // Plain strings and numbers: serializing cannot fail.
    let mut line = serde_json::to_vec(report).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Longest time after the wall limit until the report must be there.
pub(crate) const REPORT_GRACE: Duration = Duration::from_secs(10);
