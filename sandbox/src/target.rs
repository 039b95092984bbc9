//! The last steps of the forked child before it becomes the program. Each one narrows what the
//! program may do; a step that fails ends the child and is reported by name.

use std::convert::Infallible;
use std::ffi::CString;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};

use ::landlock::RulesetCreated;
use nix::errno::Errno;
use nix::fcntl::{AtFlags, FcntlArg, OFlag, fcntl, open, openat};
use nix::sched::{CpuSet, sched_getcpu, sched_setaffinity};
use nix::sys::personality::{self, Persona};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigSet, SigmaskHow, Signal, sigprocmask};
use nix::sys::stat::{Mode, umask};
use nix::unistd::{Pid, execve, execveat};
use vosim_sandbox_spec::{INSTALLING_FILTER, Limits, MemoryBy};

use crate::fault::{At as _, Fault};
use crate::filter::{self, Filter};
use crate::landlock;
use crate::landlock_status::LandlockStatus;
use crate::request::Request;
use crate::standby;
use crate::sys::{self, Turns};

/// Largest stack of one thread.
const STACK_MAX: u64 = 8 * 1024 * 1024;

/// The program's descriptors, all [clear of streams](clear_of_streams), so that placing one does
/// not overwrite another.
#[derive(Debug)]
pub(crate) struct Streams {
    pub(crate) stdin: OwnedFd,
    pub(crate) stdout: OwnedFd,
    pub(crate) stderr: OwnedFd,
    pub(crate) channel: Option<OwnedFd>,
}

/// First number for descriptors that must not be in the way of those the program gets.
const CLEAR_OF_STREAMS: i32 = 10;

/// Moves a descriptor to a number above those that [`Streams`] are placed at.
pub(crate) fn clear_of_streams(fd: OwnedFd) -> Result<OwnedFd, Fault> {
    let number =
        fcntl(&fd, FcntlArg::F_DUPFD_CLOEXEC(CLEAR_OF_STREAMS)).at("copying a descriptor")?;
    sys::adopt(number).at("copying a descriptor")
}

/// The last layers around the program.
#[derive(Debug)]
pub(crate) struct Narrowing<'a> {
    pub(crate) landlock: RulesetCreated,
    /// Whether nothing else hides the files.
    pub(crate) alone: bool,
    /// Whether the run's control group counts processes. The rlimit would refuse first, without
    /// counting its refusals.
    pub(crate) counted: bool,
    pub(crate) filter: Option<&'a mut Filter>,
}

/// Becomes the program; reports Landlock on the way, and returns only when a step failed.
///
/// The child may run in its parent's memory (see [`sys::start_child`]), so the parent sees what it
/// changes there.
pub(crate) fn become_program(
    request: &Request,
    streams: &Streams,
    proc: BorrowedFd<'_>,
    narrowing: Narrowing<'_>,
    told: impl FnOnce(LandlockStatus),
) -> Result<Infallible, Fault> {
    if narrowing.alone {
        // No pid namespace ends the program together with the helper.
        nix::sys::prctl::set_pdeathsig(Signal::SIGKILL).at("binding it to the helper")?;
        prefer_for_oom(proc);
    }
    let start = narrowing.alone.then(|| behind_a_number(request)).transpose()?;
    nix::unistd::setsid().at("starting a session")?;
    umask(Mode::from_bits_truncate(0o077));
    fix_addresses();
    let standby_ms = request.spec.standby.map_or(0, |standby| standby.cpu_ms);
    limit(&request.spec.limits, standby_ms)?;
    if request.spec.limits.one_core {
        keep_to_one_core()?;
    }
    if !narrowing.counted {
        limit_processes(&request.spec.limits)?;
    }
    let nothing: SigSet = SigSet::empty();
    sigprocmask(SigmaskHow::SIG_SETMASK, Some(&nothing), None).at("unblocking signals")?;
    // The standard library ignores it; programs expect to die of it.
    sys::default_action(Signal::SIGPIPE).at("resetting SIGPIPE")?;
    sys::take_turns(Turns::Usual);
    nix::sys::prctl::set_no_new_privs().at("setting no_new_privs")?;
    // Before the streams are placed: its descriptor may have one of their numbers.
    let landlock = landlock::enforce(narrowing.landlock)?;
    told(landlock);
    if narrowing.alone && !landlock.enough_alone() {
        return Err(Fault::LandlockTooWeak(landlock));
    }
    place(streams)?;
    sys::drop_capabilities();
    let own = start.as_ref().and_then(|start| {
        let number = start.as_raw_fd().cast_unsigned();
        filter::filter_to(nix::unistd::getpid().as_raw(), number)
    });
    if let Some(mut own) = own {
        sys::install_filter(&mut own).at("installing the filter of its reach")?;
    }
    if let Some(filter) = narrowing.filter {
        sys::install_filter(filter).at(INSTALLING_FILTER)?;
    }
    let program = &request.argv[0];
    let executed = match start {
        Some(start) => execveat(start, c"", &request.argv, &request.env, AtFlags::AT_EMPTY_PATH),
        None => execve(program, &request.argv, &request.env),
    };
    executed.map_err(|errno| missing(program, errno))
}

/// Opens the program under a number that no descriptor can have once the limits are set. A script
/// cannot be executed that way, since its interpreter could not open it.
fn behind_a_number(request: &Request) -> Result<OwnedFd, Fault> {
    let program = &request.argv[0];
    let flags = OFlag::O_PATH | OFlag::O_CLOEXEC;
    let file =
        open(program.as_c_str(), flags, Mode::empty()).map_err(|errno| missing(program, errno))?;
    let least = i32::try_from(request.spec.limits.open_files).unwrap_or(i32::MAX);
    let number = fcntl(&file, FcntlArg::F_DUPFD_CLOEXEC(least.max(CLEAR_OF_STREAMS)))
        .at("opening the program")?;
    sys::adopt(number).at("opening the program")
}

fn missing(program: &CString, errno: Errno) -> Fault {
    Fault::Missing { what: program.to_string_lossy().into_owned(), errno }
}

/// Lays out memory alike in every run, so that nothing that goes by addresses, such as the order of
/// objects in a set, differs between two of them. Where the kernel refuses they differ.
fn fix_addresses() {
    if let Ok(own) = personality::get() {
        personality::set(own | Persona::ADDR_NO_RANDOMIZE).ok();
    }
}

/// Makes this process and its children the first that the kernel ends when the machine runs out of
/// memory. A refusal is harmless: the run's own limit counts.
pub(crate) fn prefer_for_oom(proc: BorrowedFd<'_>) {
    let flags = OFlag::O_WRONLY | OFlag::O_CLOEXEC;
    if let Ok(file) = openat(proc, "self/oom_score_adj", flags, Mode::empty()) {
        drop(File::from(file).write_all(b"1000"));
    }
}

fn place(streams: &Streams) -> Result<(), Fault> {
    let given = [Some(&streams.stdin), Some(&streams.stdout), Some(&streams.stderr)];
    let mut next = 0;
    for fd in given.into_iter().chain([streams.channel.as_ref()]).flatten() {
        sys::place(fd.as_fd(), next).at("placing descriptors")?;
        next += 1;
    }
    sys::close_on_exec_from(next.cast_unsigned()).at("closing descriptors")
}

/// Sets the limits of one process.
fn limit(limits: &Limits, standby_ms: u64) -> Result<(), Fault> {
    let (cpu, cpu_hard) = standby::cpu_bound_secs(limits.cpu_ms.saturating_add(standby_ms));
    let (held_against, most) = memory_bound(limits);
    for (resource, soft, hard) in [
        (held_against, most, most),
        (Resource::RLIMIT_CPU, cpu, cpu_hard),
        (Resource::RLIMIT_FSIZE, limits.file_size, limits.file_size),
        (Resource::RLIMIT_NOFILE, limits.open_files.into(), limits.open_files.into()),
    ] {
        bound(resource, soft, hard)?;
    }
    let by_data = limits.memory_by == MemoryBy::Data;
    let addresses = by_data.then_some((Resource::RLIMIT_AS, ADDRESSES_MAX));
    // A stricter limit that we were started with serves as well.
    let guards = [
        (Resource::RLIMIT_STACK, STACK_MAX),
        // One byte is too little for any file, and unlike 0 it also keeps a core from a program
        // that the machine may have set up to receive cores.
        (Resource::RLIMIT_CORE, 1),
        (Resource::RLIMIT_MEMLOCK, 0),
        (Resource::RLIMIT_MSGQUEUE, 0),
        (Resource::RLIMIT_SIGPENDING, PENDING_MAX),
    ];
    for (resource, most) in guards.into_iter().chain(addresses) {
        let (_, allowed) = getrlimit(resource).at(SETTING)?;
        let most = most.min(allowed);
        setrlimit(resource, most, most).at(SETTING)?;
    }
    Ok(())
}

/// Keeps it and its children to the processor on which it happens to run, so that runs side by side are spread
/// as the kernel spreads them. The filter lets it choose no other.
fn keep_to_one_core() -> Result<(), Fault> {
    const KEEPING: &str = "keeping it to one processor";
    let mut one = CpuSet::new();
    one.set(sched_getcpu().at(KEEPING)?).at(KEEPING)?;
    sched_setaffinity(Pid::from_raw(0), &one).at(KEEPING)
}

fn limit_processes(limits: &Limits) -> Result<(), Fault> {
    // pid 1 of the sandbox counts too.
    let processes = u64::from(limits.processes) + 1;
    bound(Resource::RLIMIT_NPROC, processes, processes)
}

const SETTING: &str = "setting resource limits";

/// Sets a limit that the report vouches for, so that less would not do.
fn bound(resource: Resource, soft: u64, hard: u64) -> Result<(), Fault> {
    setrlimit(resource, soft, hard).or_else(|errno| match getrlimit(resource) {
        Ok((_, allowed)) if allowed < hard => {
            Err(Fault::TooStrict { resource, wanted: hard, allowed })
        }
        Ok(_) | Err(_) => Err(errno).at(SETTING),
    })
}

/// Writable memory that a runtime may reserve without touching it: V8's code range is 512 MiB.
const RESERVED: u64 = 1 << 30;

/// Most addresses of a runtime that is not held against them: V8 reserves some 10 GiB for each
/// memory of WebAssembly.
const ADDRESSES_MAX: u64 = 256 << 30;

/// Most signals and timers of the account that wait in a run's queues. The account outside has far
/// more, so that no run can take those of another.
const PENDING_MAX: u64 = 256;

/// Returns the kernel's bound on memory. Writable memory counts from the moment it is reserved, so
/// that bound is higher than the limit, and resident memory, which is watched, reaches it first.
const fn memory_bound(limits: &Limits) -> (Resource, u64) {
    match limits.memory_by {
        MemoryBy::AddressSpace => (Resource::RLIMIT_AS, limits.memory),
        MemoryBy::Data => (Resource::RLIMIT_DATA, limits.memory.saturating_add(RESERVED)),
    }
}
