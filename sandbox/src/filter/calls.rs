//! The system calls that are refused, with their answers.

use nix::libc;

/// The answer of a denied call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// An error in any case; 0 says that it was done.
    Error(i32),
    /// EPERM if an argument has one of these bits.
    ErrorIfBits { argument: u32, bits: u32 },
    /// EPERM if an argument has all bits of one of these.
    ErrorIfAllBits { argument: u32, sets: &'static [u32] },
    /// EAGAIN, as at the limit of processes, if an argument lacks these bits.
    ErrorUnlessBits { argument: u32, bits: u32 },
    /// EPERM unless the first arguments, this many, are zero: a call about another process.
    ErrorUnlessZero { first: u32 },
    /// An error if an argument is one of these.
    ErrorIfIn { argument: u32, values: &'static [u32], errno: i32 },
    /// EPERM unless the first argument is one of these.
    ErrorUnlessIn { values: [u32; 3] },
    /// One error if an argument is one of `refused`, and another unless it is one of `known`: what
    /// newer kernels make of other values was not looked at.
    ErrorUnlessKnown { argument: u32, refused: Refused, known: &'static [u32], errno: i32 },
    /// EPERM unless it executes the program behind this descriptor, which only a run's start has.
    ErrorUnlessStart { descriptor: u32 },
    /// Of the options of TCP only these, and of others as of any socket: the same number means
    /// something else at each level.
    ErrorUnlessOption {
        of_tcp: &'static [u32],
        refused: Refused,
        known: &'static [u32],
        errno: i32,
    },
    /// EACCES unless the call makes a pair of local sockets that know only each other.
    ErrorUnlessPair,
    /// EACCES unless the call makes a socket of TCP or UDP.
    ErrorUnlessInternet,
}

/// Values that get an error of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) values: &'static [u32],
    pub(super) errno: i32,
}

use Answer::{
    Error, ErrorIfAllBits, ErrorIfBits, ErrorIfIn, ErrorUnlessBits, ErrorUnlessIn,
    ErrorUnlessInternet, ErrorUnlessKnown, ErrorUnlessOption, ErrorUnlessPair, ErrorUnlessStart,
    ErrorUnlessZero,
};

/// The first number above the calls that were looked at, those of Linux 6.18. Whatever a newer
/// kernel has there, x32 included, is answered as by one that has none.
pub(super) const UNKNOWN: u32 = 470;

/// Numbers that no call has had so far, up to the one after the last.
#[cfg(target_arch = "x86_64")]
pub(super) const GAP: [u32; 2] = [335, 424];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const GAP: [u32; 2] = [295, 424];

/// Whether a run may start other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Children {
    /// Yes, since a pid namespace ends them all.
    Allowed,
    /// Only threads, since without a pid namespace a process could escape.
    Refused,
}

/// Whether a run may lock files. A run that can write to no file could lock only
/// those that other runs see as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Locks {
    Allowed,
    Refused,
}

/// The sockets that a run may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sockets {
    /// Pairs that know only each other.
    Pairs,
    /// Those, and sockets that connect to an address: of a run whose network is held elsewhere.
    Internet,
}

/// Commands of fcntl that other processes notice: locks of three kinds, leases, notices.
pub(super) const SHARED: [u32; 8] = [5, 6, 7, 36, 37, 38, 1024, 1026];

/// The commands of fcntl that are known: those of [`SHARED`], and those that concern a process and
/// its descriptors alone. Not among them are the size of a pipe, which counts for the account, and
/// hints on what will be written, which stay with the file.
pub(super) const BY_FCNTL: [u32; 24] = [
    // Copies, flags, who gets signals and which.
    0, 1, 2, 3, 4, 8, 9, 10, 11, 15, 16,
    // Whether two are the same, whether it was made just now, a copy closed at exec, sizes, seals.
    1027, 1028, 1030, 1032, 1034, //
    5, 6, 7, 36, 37, 38, 1024, 1026,
];

/// Commands of fcntl that have a signal sent to another process.
pub(super) const OWNERS: [u32; 3] = [8, 10, 15];

/// The requests of ioctl that are known: what terminals, pipes and sockets answer about
/// themselves, flags of descriptors, and a copy of a file that shares its blocks.
pub(super) const BY_IOCTL: [u32; 19] = [
    0x5401,
    0x5402,
    0x5403,
    0x5404,
    0x540b,
    0x540f,
    0x5410,
    0x5411,
    0x5413,
    0x5414,
    0x541b,
    0x5421,
    0x5429,
    0x5450,
    0x5451,
    0x5452,
    0x802c_542a,
    0x4004_9409,
    0x4020_940d,
];

/// The options of prctl that are known. Not among them are a table of futexes of any size, names of
/// mappings, pages shared with whoever has the same, and filters.
pub(super) const BY_PRCTL: [u32; 25] = [
    // The end of the parent, core dumps, names, the set of capabilities, time slack.
    1,
    2,
    3,
    4,
    7,
    15,
    16,
    21,
    23,
    27,
    29,
    30, //
    // Whose children those of nobody are, no new privileges, huge pages, vectors, caches.
    36,
    37,
    38,
    39,
    41,
    42,
    47,
    50,
    51,
    52,
    54,
    66, //
    // The start of a process, as the kernel told it.
    0x4155_5856,
];

/// The options of arch_prctl that are known: segment registers, states of the processor, the
/// second stack.
#[cfg(target_arch = "x86_64")]
pub(super) const BY_ARCH_PRCTL: [u32; 14] = [
    0x1001, 0x1002, 0x1003, 0x1004, 0x1021, 0x1022, 0x1023, 0x1024, 0x1025, 0x5001, 0x5002, 0x5003,
    0x5004, 0x5005,
];

/// Options of prctl with which a program could outlive the helper.
const UNBINDING: [u32; 1] = [libc::PR_SET_PDEATHSIG.cast_unsigned()];

/// Options of setsockopt that enlarge a socket's buffers: SO_SNDBUF, SO_RCVBUF and both by force.
pub(super) const ROOM: [u32; 4] = [7, 8, 32, 33];

/// The options of setsockopt that are known: reuse, no delay (of TCP), keeping alive, lingering,
/// names of senders, least and longest waits. A filter would be memory that belongs to nobody.
pub(super) const BY_SETSOCKOPT: [u32; 12] = [1, 2, 6, 9, 13, 16, 18, 19, 20, 21, 66, 67];

/// The same for sockets that lead out: what the C library's resolver sets is known too, which is to
/// be told of errors. Of no level is there an option among them that chooses a way.
pub(super) const BY_SETSOCKOPT_OUT: [u32; 13] = [1, 2, 6, 9, 11, 13, 16, 18, 19, 20, 21, 66, 67];

/// The options of TCP that are known: no delay, how a connection is kept alive, and how long it waits
/// for an answer.
pub(super) const BY_TCP: [u32; 5] = [1, 4, 5, 6, 18];

/// The level of these.
pub(super) const OF_TCP: u32 = libc::IPPROTO_TCP.cast_unsigned();

/// The families, kinds and protocols of [`Answer::ErrorUnlessInternet`], and what may be said with
/// a kind.
pub(super) const FAMILIES: [u32; 2] =
    [libc::AF_INET.cast_unsigned(), libc::AF_INET6.cast_unsigned()];
pub(super) const KINDS: [u32; 2] =
    [libc::SOCK_STREAM.cast_unsigned(), libc::SOCK_DGRAM.cast_unsigned()];
pub(super) const BESIDE_A_KIND: u32 = (libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC).cast_unsigned();
pub(super) const PROTOCOLS: [u32; 3] =
    [0, libc::IPPROTO_TCP.cast_unsigned(), libc::IPPROTO_UDP.cast_unsigned()];

/// The options of getsockopt that are known: those, sizes, kind, family, error and the other end's
/// account. A cookie is a number that the whole machine counts; a descriptor of the process at the
/// other end would reach out of the run.
pub(super) const BY_GETSOCKOPT: [u32; 20] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17, 18, 19, 20, 21, 30, 38, 39, 66];

/// Advice on memory that outlives it: pages shared with whoever has the same, and the fate of those
/// of a file.
pub(super) const OUTLIVING: [u32; 4] = [12, 20, 21, 25];

/// Flags of reading and writing at a place, except those that append or wait for the disk: they
/// tell whether a file is in memory, or take it out.
pub(super) const OF_THE_CACHE: u32 = !(2 | 4 | 0x10);

/// Flags of memory that no process owns: it stays while unused, and counts for no process. The
/// large pages that a machine has put by are one stock for all, and no process's resident memory.
pub(super) const OF_NOBODY: [u32; 2] =
    [(libc::MAP_SHARED | libc::MAP_ANONYMOUS).cast_unsigned(), libc::MAP_HUGETLB.cast_unsigned()];

/// Calls that are newer than the table of the crate; their numbers are the same on every machine.
mod newer {
    use nix::libc::c_long;

    pub(super) const SET_MEMPOLICY_HOME_NODE: c_long = 450;
    pub(super) const CACHESTAT: c_long = 451;
    pub(super) const STATMOUNT: c_long = 457;
    pub(super) const LISTMOUNT: c_long = 458;
    pub(super) const LSM_GET_SELF_ATTR: c_long = 459;
    pub(super) const LSM_SET_SELF_ATTR: c_long = 460;
    pub(super) const LSM_LIST_MODULES: c_long = 461;
    pub(super) const SETXATTRAT: c_long = 463;
    pub(super) const GETXATTRAT: c_long = 464;
    pub(super) const LISTXATTRAT: c_long = 465;
    pub(super) const REMOVEXATTRAT: c_long = 466;
    pub(super) const OPEN_TREE_ATTR: c_long = 467;
    pub(super) const FILE_GETATTR: c_long = 468;
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

/// The flag of clone for a descriptor of the child, whose number counts all processes of the
/// machine.
const BY_DESCRIPTOR: i32 = libc::CLONE_PIDFD;

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

/// Calls that read attributes of any file that can be named: Landlock lets them pass as well.
const OF_ANY_FILE: [libc::c_long; 9] = [
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
    newer::GETXATTRAT,
    newer::LISTXATTRAT,
    newer::FILE_GETATTR,
];

/// Calls with a clock, which may be the computing time of any process of the machine.
const WITH_A_CLOCK: [libc::c_long; 3] =
    [libc::SYS_clock_gettime, libc::SYS_clock_nanosleep, libc::SYS_timer_create];

/// The bit of a clock that belongs to a process, a thread or a descriptor.
pub(super) const SOMEBODY_S: u32 = 1 << 31;

/// Calls that wait until the disk has everything. A program that writes to no file has nothing to
/// wait for, and a storm of them would hold up whoever has.
const ON_DISK: [libc::c_long; 4] =
    [libc::SYS_fsync, libc::SYS_fdatasync, libc::SYS_sync_file_range, libc::SYS_msync];

/// Calls that answer as if the kernel had none of them.
const ABSENT: [libc::c_long; 38] = [
    // A program below ours: rules and filters are memory that belongs to nobody.
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    libc::SYS_seccomp,
    newer::LSM_GET_SELF_ATTR,
    newer::LSM_SET_SELF_ATTR,
    newer::LSM_LIST_MODULES,
    // The numbers of these descriptors count all processes of the machine, those of the next two
    // all its mounts.
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_process_mrelease,
    newer::STATMOUNT,
    newer::LISTMOUNT,
    // What of a file is in memory was put there by whoever else has read it.
    newer::CACHESTAT,
    libc::SYS_mincore,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Each mapping would have a rule of its own on where its pages lie, which counts for nobody.
    libc::SYS_mbind,
    libc::SYS_set_mempolicy,
    libc::SYS_get_mempolicy,
    newer::SET_MEMPOLICY_HOME_NODE,
    // Of each watch the kernel keeps thousands of events.
    libc::SYS_inotify_init1,
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
const FORBIDDEN: [libc::c_long; 58] = [
    libc::SYS_kcmp,
    // Descriptors under way count for the account, not for the run.
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    // What the machine has left of memory and disks, and how busy it is.
    libc::SYS_sysinfo,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    // They put files into memory and take them out, which others can tell.
    libc::SYS_fadvise64,
    libc::SYS_readahead,
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
pub(super) fn denied(children: Children, locks: Locks, sockets: Sockets) -> Vec<(u32, Answer)> {
    let absent = Error(libc::ENOSYS);
    let forbidden = Error(libc::EPERM);
    let mut calls: Vec<(libc::c_long, Answer)> = vec![
        (libc::SYS_prctl, known(0, &BY_PRCTL, libc::EINVAL)),
        (libc::SYS_ioctl, known(1, &BY_IOCTL, libc::ENOTTY)),
        (libc::SYS_madvise, ErrorIfIn { argument: 2, values: &OUTLIVING, errno: libc::EINVAL }),
        (libc::SYS_preadv2, ErrorIfBits { argument: 5, bits: OF_THE_CACHE }),
        (libc::SYS_pwritev2, ErrorIfBits { argument: 5, bits: OF_THE_CACHE }),
        (libc::SYS_sync, Error(0)),
        (libc::SYS_syncfs, Error(0)),
        (libc::SYS_mmap, ErrorIfAllBits { argument: 3, sets: &OF_NOBODY }),
        // glibc falls back to clone, whose flags can be looked at.
        (libc::SYS_clone3, absent),
        (libc::SYS_clone, on_clone(children)),
        (libc::SYS_unshare, forbidden),
        (libc::SYS_setns, forbidden),
        // A process may change its own limits and its own place among others, not those of pid 1,
        // which watches it.
        (libc::SYS_prlimit64, ErrorUnlessZero { first: 1 }),
        (libc::SYS_setpriority, ErrorUnlessZero { first: 2 }),
        // Turns on a processor shorter than those of pid 1, which then waits behind the program.
        (libc::SYS_sched_setattr, forbidden),
        (libc::SYS_migrate_pages, ErrorUnlessZero { first: 1 }),
        (libc::SYS_move_pages, ErrorUnlessZero { first: 1 }),
    ];
    calls.extend(on_sockets(sockets));
    calls.extend(ABSENT.map(|call| (call, absent)));
    calls.extend(FORBIDDEN.map(|call| (call, forbidden)));
    let by_fcntl = known(1, &BY_FCNTL, libc::EINVAL);
    if locks == Locks::Refused {
        calls.push((libc::SYS_flock, Error(libc::ENOLCK)));
        calls.push((libc::SYS_fcntl, by_fcntl.but(&SHARED, libc::ENOLCK)));
        calls.extend(ON_DISK.map(|call| (call, Error(0))));
    } else {
        calls.push((libc::SYS_fcntl, by_fcntl));
    }
    if children == Children::Allowed {
        calls.push((libc::SYS_sched_setscheduler, ErrorUnlessZero { first: 1 }));
        calls.push((libc::SYS_sched_setparam, ErrorUnlessZero { first: 1 }));
    } else {
        calls.extend(OF_THE_OWNER.map(|call| (call, forbidden)));
        calls.extend(OF_ANY_FILE.map(|call| (call, forbidden)));
        // How it is ranked would be a word from one run to another.
        calls.push((libc::SYS_getpriority, ErrorUnlessZero { first: 2 }));
        calls.push((libc::SYS_ioprio_get, forbidden));
        calls.push((libc::SYS_sched_setscheduler, forbidden));
        calls.push((libc::SYS_sched_setparam, forbidden));
        let of_nobody = ErrorIfBits { argument: 0, bits: SOMEBODY_S };
        calls.extend(WITH_A_CLOCK.map(|call| (call, of_nobody)));
    }
    calls.extend((GAP[0]..GAP[1]).map(|number| (number.into(), absent)));
    #[cfg(target_arch = "x86_64")]
    {
        let ports = [libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt];
        calls.extend(ports.map(|call| (call, forbidden)));
        calls.push((libc::SYS_ustat, absent));
        calls.push((libc::SYS_arch_prctl, known(0, &BY_ARCH_PRCTL, libc::EINVAL)));
        calls.push((libc::SYS_inotify_init, absent));
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
/// The program itself was opened as `start`, a number that no descriptor can have afterwards.
/// No other is executed: the bond between a program and its helper belongs to a thread, and is lost
/// when another thread executes one.
pub(super) fn denied_to(program: i32, start: u32) -> Vec<(u32, Answer)> {
    let forbidden = Error(libc::EPERM);
    let itself = ErrorUnlessIn {
        values: [0, program.cast_unsigned(), program.wrapping_neg().cast_unsigned()],
    };
    let owners = ErrorIfIn { argument: 1, values: &OWNERS, errno: libc::EPERM };
    let unbinding = ErrorIfIn { argument: 0, values: &UNBINDING, errno: libc::EPERM };
    sorted(vec![
        (libc::SYS_kill, itself),
        (libc::SYS_tkill, itself),
        (libc::SYS_tgkill, itself),
        (libc::SYS_rt_sigqueueinfo, itself),
        (libc::SYS_rt_tgsigqueueinfo, itself),
        (libc::SYS_fcntl, owners),
        // The program ends with the helper.
        (libc::SYS_prctl, unbinding),
        (libc::SYS_execve, forbidden),
        (libc::SYS_execveat, ErrorUnlessStart { descriptor: start }),
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

fn on_sockets(sockets: Sockets) -> Vec<(libc::c_long, Answer)> {
    let refused = Error(libc::EACCES);
    let mut calls = vec![
        // Nobody reaches a run. Even a socket of a pair can be given a name, which is one of the
        // host's at level C, and those that wait to be accepted would be memory that belongs to
        // nobody.
        (libc::SYS_bind, refused),
        (libc::SYS_listen, refused),
        (libc::SYS_accept, refused),
        (libc::SYS_accept4, refused),
        // A datagram socket of a pair can still be given the address of another.
        (libc::SYS_socketpair, ErrorUnlessPair),
        (libc::SYS_getsockopt, known(2, &BY_GETSOCKOPT, libc::ENOPROTOOPT)),
    ];
    // Bytes in a socket belong to no process, so only the number of sockets and the usual size of
    // their buffers bound them.
    let errno = libc::ENOPROTOOPT;
    let refused_room = Refused { values: &ROOM, errno: libc::EPERM };
    calls.extend(match sockets {
        // No network and no local service. socketpair, send and receive stay: event loops wake
        // themselves up with them.
        Sockets::Pairs => vec![
            (libc::SYS_socket, refused),
            (libc::SYS_connect, refused),
            (libc::SYS_setsockopt, known(2, &BY_SETSOCKOPT, errno).but(&ROOM, libc::EPERM)),
        ],
        // connect is left to the kernel: a pair has its other end for good.
        Sockets::Internet => vec![
            (libc::SYS_socket, ErrorUnlessInternet),
            (
                libc::SYS_setsockopt,
                ErrorUnlessOption {
                    of_tcp: &BY_TCP,
                    refused: refused_room,
                    known: &BY_SETSOCKOPT_OUT,
                    errno,
                },
            ),
        ],
    });
    calls
}

fn on_clone(children: Children) -> Answer {
    match children {
        Children::Allowed => {
            let bits = (NEW_NAMESPACES | BY_DESCRIPTOR).cast_unsigned();
            ErrorIfBits { argument: 0, bits }
        }
        Children::Refused => {
            ErrorUnlessBits { argument: 0, bits: libc::CLONE_THREAD.cast_unsigned() }
        }
    }
}

/// Only these values pass.
const fn known(argument: u32, known: &'static [u32], errno: i32) -> Answer {
    ErrorUnlessKnown { argument, refused: Refused { values: &[], errno: 0 }, known, errno }
}

impl Answer {
    /// With an error of their own for some of the values.
    const fn but(self, values: &'static [u32], its: i32) -> Self {
        match self {
            ErrorUnlessKnown { argument, known, errno, .. } => {
                ErrorUnlessKnown { argument, refused: Refused { values, errno: its }, known, errno }
            }
            other => other,
        }
    }
}
