//! The system calls that are refused, with their answers.

use nix::libc;

/// The answer of a denied call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// An error in any case.
    Error(i32),
    /// EPERM if an argument has one of these bits.
    ErrorIfBits { argument: u32, bits: u32 },
    /// EPERM if an argument has all of these bits.
    ErrorIfAllBits { argument: u32, bits: u32 },
    /// EAGAIN, as at the limit of processes, if an argument lacks these bits.
    ErrorUnlessBits { argument: u32, bits: u32 },
    /// EPERM unless the first arguments, this many, are zero: a call about another process.
    ErrorUnlessZero { first: u32 },
    /// An error if an argument is one of these.
    ErrorIfIn { argument: u32, values: &'static [u32], errno: i32 },
    /// EPERM unless the first argument is one of these.
    ErrorUnlessIn { values: [u32; 3] },
    /// EACCES unless the call makes a pair of local sockets that know only each other.
    ErrorUnlessPair,
}

use Answer::{
    Error, ErrorIfAllBits, ErrorIfBits, ErrorIfIn, ErrorUnlessBits, ErrorUnlessIn, ErrorUnlessPair,
    ErrorUnlessZero,
};

/// Whether a run may start other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Children {
    /// Yes, since a pid namespace ends them all.
    Allowed,
    /// Only threads, since without a pid namespace a process could escape.
    Refused,
}

/// Whether a run may lock files and watch them. A run that can write to no file could lock only
/// those that other runs see as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Locks {
    Allowed,
    Refused,
}

/// Commands of fcntl that other processes notice: locks of three kinds, leases, notices.
pub(super) const SHARED: [u32; 8] = [5, 6, 7, 36, 37, 38, 1024, 1026];

/// Commands of fcntl that have a signal sent to another process.
pub(super) const OWNERS: [u32; 3] = [8, 10, 15];

/// Requests of ioctl that have a signal sent, and those that change a file opened only for reading:
/// its flags, attributes and version, or a seal, in the numbering of the kernel and its 32-bit
/// side.
pub(super) const BY_IOCTL: [u32; 7] =
    [0x8901, 0x8902, 0x4008_6602, 0x4004_6602, 0x4008_7602, 0x401c_5820, 0x4080_6685];

/// Options of prctl with which a program could outlive the helper.
const UNBINDING: [u32; 1] = [libc::PR_SET_PDEATHSIG.cast_unsigned()];

/// Options of setsockopt that enlarge a socket's buffers: SO_SNDBUF, SO_RCVBUF and both by force.
pub(super) const ROOM: [u32; 4] = [7, 8, 32, 33];

/// Flags of memory that no process owns: it stays while unused, and counts for no process.
pub(super) const SHARED_MEMORY: u32 = (libc::MAP_SHARED | libc::MAP_ANONYMOUS).cast_unsigned();

/// Calls that are newer than the table of the crate; their numbers are the same on every machine.
mod newer {
    use nix::libc::c_long;

    pub(super) const SETXATTRAT: c_long = 463;
    pub(super) const REMOVEXATTRAT: c_long = 466;
    pub(super) const OPEN_TREE_ATTR: c_long = 467;
    pub(super) const FILE_SETATTR: c_long = 469;
}

/// The bit that tells datagram and raw sockets from streams and sequenced packets.
pub(super) const DATAGRAM: u32 = 2;

pub(super) const NEW_NAMESPACES: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// Calls with which an owner changes any file that can be named. Landlock lets them pass, so
/// without a private root a run could change the files of the account that runs it.
const OF_THE_OWNER: [libc::c_long; 15] = [
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    newer::SETXATTRAT,
    newer::REMOVEXATTRAT,
    newer::FILE_SETATTR,
];

/// Calls that answer as if the kernel had none of them.
const ABSENT: [libc::c_long; 19] = [
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // The whole machine shares one supply of these.
    libc::SYS_io_setup,
    libc::SYS_userfaultfd,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_fanotify_init,
    libc::SYS_lookup_dcookie,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
];

/// Calls that nobody may make, whoever else is hidden.
const FORBIDDEN: [libc::c_long; 51] = [
    libc::SYS_kcmp,
    // A pipe would keep pages that the program has given up.
    libc::SYS_vmsplice,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    newer::OPEN_TREE_ATTR,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_personality,
    libc::SYS_sched_setaffinity,
    libc::SYS_ioprio_set,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semctl,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];

/// Returns the calls that are refused, by number.
pub(super) fn denied(children: Children, locks: Locks) -> Vec<(u32, Answer)> {
    let absent = Error(libc::ENOSYS);
    let forbidden = Error(libc::EPERM);
    let mut calls: Vec<(libc::c_long, Answer)> = vec![
        // No network and no local service. socketpair, send and receive stay: event loops wake
        // themselves up with them.
        (libc::SYS_socket, Error(libc::EACCES)),
        // A datagram socket of a pair can still be given the address of another.
        (libc::SYS_socketpair, ErrorUnlessPair),
        // Bytes in a socket belong to no process, so only the number of sockets and the usual size
        // of their buffers bound them.
        (libc::SYS_setsockopt, ErrorIfIn { argument: 2, values: &ROOM, errno: libc::EPERM }),
        (libc::SYS_mmap, ErrorIfAllBits { argument: 3, bits: SHARED_MEMORY }),
        // glibc falls back to clone, whose flags can be looked at.
        (libc::SYS_clone3, absent),
        (libc::SYS_clone, on_clone(children)),
        (libc::SYS_unshare, forbidden),
        (libc::SYS_setns, forbidden),
        // A process may change its own limits and its own place among others, not those of pid 1,
        // which watches it.
        (libc::SYS_prlimit64, ErrorUnlessZero { first: 1 }),
        (libc::SYS_setpriority, ErrorUnlessZero { first: 2 }),
        (libc::SYS_sched_setscheduler, ErrorUnlessZero { first: 1 }),
        (libc::SYS_sched_setparam, ErrorUnlessZero { first: 1 }),
        (libc::SYS_sched_setattr, ErrorUnlessZero { first: 1 }),
        (libc::SYS_migrate_pages, ErrorUnlessZero { first: 1 }),
        (libc::SYS_move_pages, ErrorUnlessZero { first: 1 }),
    ];
    calls.extend(ABSENT.map(|call| (call, absent)));
    calls.extend(FORBIDDEN.map(|call| (call, forbidden)));
    if locks == Locks::Refused {
        let shared = ErrorIfIn { argument: 1, values: &SHARED, errno: libc::ENOLCK };
        calls.extend([(libc::SYS_flock, Error(libc::ENOLCK)), (libc::SYS_fcntl, shared)]);
        calls.push((libc::SYS_inotify_init1, absent));
    }
    if children == Children::Refused {
        calls.extend(OF_THE_OWNER.map(|call| (call, forbidden)));
    }
    #[cfg(target_arch = "x86_64")]
    {
        let ports = [libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt];
        calls.extend(ports.map(|call| (call, forbidden)));
        if locks == Locks::Refused {
            calls.push((libc::SYS_inotify_init, absent));
        }
        if children == Children::Refused {
            let forks = [libc::SYS_fork, libc::SYS_vfork];
            calls.extend(forks.map(|call| (call, Error(libc::EAGAIN))));
            let by_name = [
                libc::SYS_chmod,
                libc::SYS_chown,
                libc::SYS_lchown,
                libc::SYS_utime,
                libc::SYS_utimes,
                libc::SYS_futimesat,
            ];
            calls.extend(by_name.map(|call| (call, forbidden)));
        }
    }
    sorted(calls)
}

/// Returns the calls that reach other processes, refused where no namespace hides those: only
/// Landlock from ABI 6 on keeps signals inside.
pub(super) fn denied_to(program: i32) -> Vec<(u32, Answer)> {
    let forbidden = Error(libc::EPERM);
    let itself = ErrorUnlessIn {
        values: [0, program.cast_unsigned(), program.wrapping_neg().cast_unsigned()],
    };
    let owners = ErrorIfIn { argument: 1, values: &OWNERS, errno: libc::EPERM };
    let by_ioctl = ErrorIfIn { argument: 1, values: &BY_IOCTL, errno: libc::EPERM };
    let unbinding = ErrorIfIn { argument: 0, values: &UNBINDING, errno: libc::EPERM };
    sorted(vec![
        (libc::SYS_kill, itself),
        (libc::SYS_tkill, itself),
        (libc::SYS_tgkill, itself),
        (libc::SYS_rt_sigqueueinfo, itself),
        (libc::SYS_rt_tgsigqueueinfo, itself),
        (libc::SYS_pidfd_send_signal, forbidden),
        (libc::SYS_fcntl, owners),
        (libc::SYS_ioctl, by_ioctl),
        // The program ends with the helper.
        (libc::SYS_prctl, unbinding),
    ])
}

fn sorted(calls: Vec<(libc::c_long, Answer)>) -> Vec<(u32, Answer)> {
    let mut calls: Vec<_> = calls
        .into_iter()
        .filter_map(|(number, answer)| Some((u32::try_from(number).ok()?, answer)))
        .collect();
    calls.sort_by_key(|&(number, _)| number);
    calls
}

fn on_clone(children: Children) -> Answer {
    match children {
        Children::Allowed => ErrorIfBits { argument: 0, bits: NEW_NAMESPACES.cast_unsigned() },
        Children::Refused => {
            ErrorUnlessBits { argument: 0, bits: libc::CLONE_THREAD.cast_unsigned() }
        }
    }
}
