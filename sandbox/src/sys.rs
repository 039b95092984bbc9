//! The few kernel calls that no crate wraps safely: clone3, the mount attributes of a detached
//! tree, descriptor placement, capability sets, the seccomp filter. Nothing here decides anything.

pub(crate) mod network;

use std::ffi::c_long;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use nix::errno::Errno;
use nix::libc;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use nix::unistd::Pid;

/// The two sides of a clone.
pub(crate) enum Side {
    Child,
    Parent {
        pid: Pid,
        /// Readable when the child has ended.
        pidfd: OwnedFd,
    },
}

/// Namespaces of a run: user, pid, net, mount, ipc, uts.
pub(crate) const NAMESPACES: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS;

/// The child is born in the control group of the given descriptor; does not fit into an `int`.
const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;

fn check(result: c_long) -> nix::Result<c_long> {
    if result < 0 { Err(Errno::last()) } else { Ok(result) }
}

/// Forks into new namespaces, and into a control group if one is given; the parent gets a pidfd.
///
/// The caller must have one thread only: the child goes on with a copy of this one.
pub(crate) fn clone_into(flags: i32, group: Option<BorrowedFd<'_>>) -> nix::Result<Side> {
    let mut pidfd: RawFd = -1;
    #[expect(unsafe_code, reason = "clone_args is plain numbers, for which zero is valid")]
    let mut args: libc::clone_args = unsafe { std::mem::zeroed() };
    args.flags = u64::from((flags | libc::CLONE_PIDFD).cast_unsigned());
    if let Some(group) = group {
        args.flags |= CLONE_INTO_CGROUP;
        args.cgroup = u64::from(group.as_raw_fd().cast_unsigned());
    }
    args.pidfd = (&raw mut pidfd).expose_provenance() as u64;
    args.exit_signal = u64::from(libc::SIGCHLD.cast_unsigned());
    #[expect(
        unsafe_code,
        reason = "clone3 without a stack behaves like fork; the process has one thread"
    )]
    let pid = check(unsafe {
        libc::syscall(libc::SYS_clone3, &raw mut args, size_of::<libc::clone_args>())
    })?;
    if pid == 0 {
        return Ok(Side::Child);
    }
    #[expect(unsafe_code, reason = "the kernel has just made this descriptor for us alone")]
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    let pid = i32::try_from(pid).map_err(|_| Errno::EOVERFLOW)?;
    Ok(Side::Parent { pid: Pid::from_raw(pid), pidfd })
}

/// Room for the calls of a child that runs in our memory; far more than they use.
const CHILD_STACK: usize = 256 * 1024;

/// Starts a child that does `work` in this process's memory and ends, or becomes another program
/// on the way. This process stands still until then, so no page is copied and what the child has
/// written is there when it goes on. Descriptors, limits and credentials are the child's own.
///
/// The caller must have one thread only.
pub(crate) fn start_child<Work: FnOnce()>(work: Work) -> nix::Result<Pid> {
    extern "C" fn begin<Work: FnOnce()>(work: *mut libc::c_void) -> libc::c_int {
        #[expect(unsafe_code, reason = "points to the parent's `work`; the parent stands still")]
        let work = unsafe { &mut *work.cast::<Option<Work>>() };
        if let Some(work) = work.take() {
            work();
        }
        1
    }
    let mut work = Some(work);
    let mut stack: Vec<u128> = Vec::with_capacity(CHILD_STACK / size_of::<u128>());
    #[expect(
        unsafe_code,
        reason = "the stack grows down from its end and outlives the child's use of our memory"
    )]
    let pid = unsafe {
        let top = stack.as_mut_ptr().add(stack.capacity());
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        libc::clone(begin::<Work>, top.cast(), flags, (&raw mut work).cast())
    };
    check(pid.into())?;
    Ok(Pid::from_raw(pid))
}

/// Ends a forked child without running the parent's exit handlers.
pub(crate) fn exit_now(status: i32) -> ! {
    #[expect(unsafe_code, reason = "_exit has no preconditions")]
    unsafe {
        libc::_exit(status)
    }
}

/// Sends SIGKILL through a pidfd, which cannot hit a reused number.
pub(crate) fn kill_pidfd(pidfd: BorrowedFd<'_>) -> nix::Result<()> {
    #[expect(unsafe_code, reason = "a null siginfo is allowed")]
    check(unsafe {
        libc::syscall(
            libc::SYS_pidfd_send_signal,
            pidfd.as_raw_fd(),
            libc::SIGKILL,
            std::ptr::null::<libc::siginfo_t>(),
            0,
        )
    })
    .map(drop)
}

/// Whether two processes share one memory; false also where the kernel does not tell.
pub(crate) fn same_memory(one: i32, other: i32) -> bool {
    const KCMP_VM: i32 = 1;
    #[expect(unsafe_code, reason = "numbers only")]
    let answer = unsafe { libc::syscall(libc::SYS_kcmp, one, other, KCMP_VM, 0, 0) };
    answer == 0
}

/// The length of a process's turns on its processor.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turns {
    /// As short as the kernel gives them, for a process that has little to do when it wakes up: it
    /// need not wait until a program that computes has had its turn. The share of time stays the
    /// same.
    Short,
    /// As the machine usually gives them.
    Usual,
}

/// Chooses the turns of this process and of its children. Kernels before 6.12 have one length for
/// all; under an unusual scheduling policy nothing is changed.
pub(crate) fn take_turns(turns: Turns) {
    #[expect(unsafe_code, reason = "sched_attr is plain numbers, for which zero is valid")]
    let mut terms: libc::sched_attr = unsafe { std::mem::zeroed() };
    let size = size_of::<libc::sched_attr>();
    #[expect(unsafe_code, reason = "the call writes at most `size` bytes there")]
    let told = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut terms, size, 0) };
    if told != 0 || terms.sched_policy != libc::SCHED_OTHER.cast_unsigned() {
        return;
    }
    terms.sched_runtime = match turns {
        Turns::Short => SHORT_TURN,
        Turns::Usual => 0,
    };
    #[expect(unsafe_code, reason = "the structure says its own size")]
    unsafe {
        libc::syscall(libc::SYS_sched_setattr, 0, &raw const terms, 0);
    }
}

/// The shortest turn that the kernel gives, nanoseconds.
const SHORT_TURN: u64 = 100_000;

/// Takes a descriptor that the caller has left open as owned.
pub(crate) fn adopt(fd: RawFd) -> nix::Result<OwnedFd> {
    nix::fcntl::fcntl(borrow(fd), nix::fcntl::FcntlArg::F_GETFD)?;
    #[expect(unsafe_code, reason = "checked to be open; each number is adopted once, in main")]
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

fn borrow(fd: RawFd) -> BorrowedFd<'static> {
    #[expect(unsafe_code, reason = "used for one call that reports a closed number as EBADF")]
    unsafe {
        BorrowedFd::borrow_raw(fd)
    }
}

/// Puts `fd` at exactly the number `at`, open across exec.
pub(crate) fn place(fd: BorrowedFd<'_>, at: RawFd) -> nix::Result<()> {
    #[expect(unsafe_code, reason = "only called between fork and exec, where nothing owns `at`")]
    check(c_long::from(unsafe { libc::dup2(fd.as_raw_fd(), at) })).map(drop)
}

/// Marks every descriptor from `first` on as closed at exec.
pub(crate) fn close_on_exec_from(first: u32) -> nix::Result<()> {
    #[expect(unsafe_code, reason = "only flags of descriptors change")]
    check(unsafe {
        libc::syscall(libc::SYS_close_range, first, u32::MAX, libc::CLOSE_RANGE_CLOEXEC)
    })
    .map(drop)
}

/// The access to a detached tree once it is attached.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Access {
    /// The names in a directory and below, and nothing else.
    Names,
    Read,
    Write,
    /// A device of the kernel, without any content.
    Device {
        writable: bool,
    },
}

/// Sets the attributes of a detached tree and cuts it off from the host's propagation.
pub(crate) fn restrict_tree(tree: BorrowedFd<'_>, access: Access) -> nix::Result<()> {
    let attributes = libc::MOUNT_ATTR_NOSUID
        | match access {
            Access::Names | Access::Read => libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NODEV,
            Access::Write => libc::MOUNT_ATTR_NODEV,
            Access::Device { .. } => libc::MOUNT_ATTR_NOEXEC,
        };
    let attr = libc::mount_attr {
        attr_set: attributes,
        attr_clr: 0,
        propagation: libc::MS_PRIVATE,
        userns_fd: 0,
    };
    #[expect(unsafe_code, reason = "the empty path names the descriptor itself")]
    check(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH | libc::AT_RECURSIVE,
            &raw const attr,
            size_of::<libc::mount_attr>(),
        )
    })
    .map(drop)
}

/// Empties every set, so that there is no capability and no exec can restore one.
pub(crate) fn drop_capabilities() {
    for capability in 0..=63 {
        #[expect(unsafe_code, reason = "numbers only")]
        let result = unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
        // EINVAL: there are no more. EPERM: there are none to drop.
        if result < 0 {
            break;
        }
    }
    #[expect(unsafe_code, reason = "numbers only")]
    unsafe {
        libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    }
    // Version 3 of the call: 64 bits in two halves of three sets each, for this thread.
    let head = [0x2008_0522_u32, 0];
    let none = [0_u32; 6];
    #[expect(unsafe_code, reason = "both are as long as version 3 of the call says")]
    unsafe {
        libc::syscall(libc::SYS_capset, &raw const head, &raw const none);
    }
}

/// Gives a signal its default meaning again.
pub(crate) fn default_action(signal: Signal) -> nix::Result<()> {
    let action = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
    #[expect(unsafe_code, reason = "the default action is not a handler of ours")]
    unsafe { sigaction(signal, &action) }.map(drop)
}

/// Installs a filter for this process and all it starts. Needs no_new_privs.
pub(crate) fn install_filter(program: &mut [libc::sock_filter]) -> nix::Result<()> {
    let fprog = libc::sock_fprog {
        len: u16::try_from(program.len()).map_err(|_| Errno::E2BIG)?,
        filter: program.as_mut_ptr(),
    };
    #[expect(unsafe_code, reason = "the program outlives the call, which copies it")]
    check(c_long::from(unsafe {
        libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const fprog)
    }))
    .map(drop)
}
