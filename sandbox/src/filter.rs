//! The system call filter: which calls a run has no business making, as a program for the kernel.
//!
//! Default allow with a deny list, because many languages must run; emitted as a search tree over
//! ranges of numbers, which the kernel accepts several times faster than a list and walks in a
//! dozen steps.

use nix::libc::{self, sock_filter};

/// A filter program.
pub(crate) type Filter = Vec<sock_filter>;

/// What a denied call answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// This error.
    Error(i32),
    /// EPERM when an argument has one of these bits, else allowed.
    ErrorIfBits { argument: u32, bits: u32 },
    /// EAGAIN, as at the limit of processes, when an argument lacks these bits.
    ErrorUnlessBits { argument: u32, bits: u32 },
    /// EPERM unless so many arguments from the first on are zero: a call about somebody else.
    ErrorUnlessZero { first: u32 },
    /// This error when an argument is one of these.
    ErrorIfIn { argument: u32, values: &'static [u32], errno: i32 },
    /// EPERM unless the first argument is one of these.
    ErrorUnlessIn { values: [u32; 3] },
    /// EACCES unless it is a pair of local sockets that know only each other.
    ErrorUnlessPair,
}

use Answer::{
    Error, ErrorIfBits, ErrorIfIn, ErrorUnlessBits, ErrorUnlessIn, ErrorUnlessPair, ErrorUnlessZero,
};

/// Whether a run may start other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Children {
    /// A pid namespace takes them all along in the end.
    Allowed,
    /// Nothing but threads: without a pid namespace a process could slip away.
    Refused,
}

/// Whether a run may lock files and watch them. Where it can write to none, the only ones it could
/// lock are those that a run beside it sees as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Locks {
    Allowed,
    Refused,
}

/// What fcntl can do to a file that others notice: locks of three kinds, leases, notices.
const SHARED: [u32; 8] = [5, 6, 7, 36, 37, 38, 1024, 1026];

/// What fcntl and ioctl can do to have a signal sent to somebody.
const OWNERS: [u32; 3] = [8, 10, 15];
const OWNERS_BY_IOCTL: [u32; 2] = [0x8901, 0x8902];

/// What prctl can do to outlive the helper.
const UNBINDING: [u32; 1] = [libc::PR_SET_PDEATHSIG.cast_unsigned()];

/// The bit that tells datagram and raw sockets from streams and sequenced packets.
const DATAGRAM: u32 = 2;

const NEW_NAMESPACES: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// Calls that are refused, by number.
fn denied(children: Children, locks: Locks) -> Vec<(u32, Answer)> {
    let absent = Error(libc::ENOSYS);
    let forbidden = Error(libc::EPERM);
    let mut calls: Vec<(libc::c_long, Answer)> = vec![
        // No network and no other local service; socketpair, send and receive stay, event
        // loops wake themselves up with them.
        (libc::SYS_socket, Error(libc::EACCES)),
        // A datagram socket of a pair can still be given the address of another.
        (libc::SYS_socketpair, ErrorUnlessPair),
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
    let missing = [
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
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
    calls.extend(missing.map(|call| (call, absent)));
    let refused = [
        libc::SYS_kcmp,
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
    calls.extend(refused.map(|call| (call, forbidden)));
    if locks == Locks::Refused {
        let shared = ErrorIfIn { argument: 1, values: &SHARED, errno: libc::ENOLCK };
        calls.extend([(libc::SYS_flock, Error(libc::ENOLCK)), (libc::SYS_fcntl, shared)]);
        calls.push((libc::SYS_inotify_init1, absent));
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
        }
    }
    sorted(calls)
}

/// What a process must not do to others where no namespace hides them: only Landlock from ABI 6 on
/// keeps its signals inside.
fn denied_to(program: i32) -> Vec<(u32, Answer)> {
    let forbidden = Error(libc::EPERM);
    let itself = ErrorUnlessIn {
        values: [0, program.cast_unsigned(), program.wrapping_neg().cast_unsigned()],
    };
    let owners = ErrorIfIn { argument: 1, values: &OWNERS, errno: libc::EPERM };
    let owners_by_ioctl = ErrorIfIn { argument: 1, values: &OWNERS_BY_IOCTL, errno: libc::EPERM };
    let unbinding = ErrorIfIn { argument: 0, values: &UNBINDING, errno: libc::EPERM };
    sorted(vec![
        (libc::SYS_kill, itself),
        (libc::SYS_tkill, itself),
        (libc::SYS_tgkill, itself),
        (libc::SYS_rt_sigqueueinfo, itself),
        (libc::SYS_rt_tgsigqueueinfo, itself),
        (libc::SYS_pidfd_send_signal, forbidden),
        (libc::SYS_fcntl, owners),
        (libc::SYS_ioctl, owners_by_ioctl),
        // It ends with the helper.
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

/// The word by which the kernel names this machine's calls; None where we do not know it.
const fn architecture() -> Option<u32> {
    if cfg!(target_arch = "x86_64") {
        Some(0xc000_003e)
    } else if cfg!(target_arch = "aarch64") {
        Some(0xc000_00b7)
    } else {
        None
    }
}

/// Numbers from here on are the x32 calls, which carry the word of x86-64.
const X32: u32 = 0x4000_0000;

/// Offsets in the kernel's `seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

/// The filter for this machine; None where its call numbers are not known.
pub(crate) fn filter(children: Children, locks: Locks) -> Option<Filter> {
    compile(&denied(children, locks))
}

/// The filter beside it for a program without namespaces, by its own number.
pub(crate) fn filter_to(program: i32) -> Option<Filter> {
    compile(&denied_to(program))
}

fn compile(calls: &[(u32, Answer)]) -> Option<Filter> {
    let mut program = vec![
        load(ARCHITECTURE),
        jump(libc::BPF_JEQ, architecture()?, 1, 0),
        give(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER),
        jump(libc::BPF_JGE, X32, 0, 1),
        give(error(libc::ENOSYS)),
    ];
    program.extend(tree(&spans(calls)));
    Some(program)
}

/// The numbers from this one up to the next span's, which all get one answer; None allows.
type Span = (u32, Option<Answer>);

/// The table as spans that cover every number: calls of one kind mostly have numbers in a row.
fn spans(calls: &[(u32, Answer)]) -> Vec<Span> {
    let mut spans: Vec<Span> = vec![(0, None)];
    for span in calls.iter().flat_map(|&(call, answer)| [(call, Some(answer)), (call + 1, None)]) {
        spans.pop_if(|last| last.0 == span.0);
        if spans.last().is_none_or(|last| last.1 != span.1) {
            spans.push(span);
        }
    }
    spans
}

/// A search tree over the spans; behind it each answer once, since the kernel checks, translates
/// and keeps every instruction.
fn tree(spans: &[Span]) -> Filter {
    let mut answers: Vec<(Option<Answer>, usize)> = Vec::new();
    let mut behind = Filter::new();
    for &(_, answer) in spans {
        if !answers.iter().any(|known| known.0 == answer) {
            answers.push((answer, spans.len() - 1 + behind.len()));
            behind.extend(answer.map_or_else(|| vec![give(libc::SECCOMP_RET_ALLOW)], leaf));
        }
    }
    let place = |answer| {
        let known = answers.iter().find(|known| known.0 == answer);
        known.expect("each answer has been placed").1
    };
    let mut program = Filter::new();
    branch(spans, &place, &mut program);
    program.extend(behind);
    program
}

/// Halves the spans until one is left; `place` tells where its answer stands.
fn branch(spans: &[Span], place: &impl Fn(Option<Answer>) -> usize, program: &mut Filter) {
    if spans.len() < 2 {
        return;
    }
    let (low, high) = spans.split_at(spans.len() / 2);
    let at = program.len();
    let ahead = |spans: &[Span], branch| match *spans {
        [(_, answer)] => place(answer) - at - 1,
        _ => branch,
    };
    // A branch is one instruction for each of its spans but the first.
    program.push(jump(libc::BPF_JGE, high[0].0, ahead(high, low.len() - 1), ahead(low, 0)));
    branch(low, place, program);
    branch(high, place, program);
}

fn leaf(answer: Answer) -> Filter {
    let allow = give(libc::SECCOMP_RET_ALLOW);
    let argument_at = |argument| load(ARGUMENTS + 8 * argument);
    match answer {
        Error(errno) => vec![give(error(errno))],
        ErrorIfBits { argument, bits } => vec![
            argument_at(argument),
            jump(libc::BPF_JSET, bits, 0, 1),
            give(error(libc::EPERM)),
            allow,
        ],
        ErrorUnlessBits { argument, bits } => vec![
            argument_at(argument),
            jump(libc::BPF_JSET, bits, 1, 0),
            give(error(libc::EAGAIN)),
            allow,
        ],
        ErrorUnlessZero { first } => {
            let mut program = Filter::new();
            for argument in 0..first {
                program.push(argument_at(argument));
                program.push(jump(libc::BPF_JEQ, 0, 1, 0));
                program.push(give(error(libc::EPERM)));
            }
            program.push(allow);
            program
        }
        ErrorIfIn { argument, values, errno } => {
            let mut program = vec![argument_at(argument)];
            for (at, &value) in values.iter().enumerate() {
                program.push(jump(libc::BPF_JEQ, value, values.len() - at, 0));
            }
            program.extend([allow, give(error(errno))]);
            program
        }
        ErrorUnlessIn { values } => {
            let mut program = vec![argument_at(0)];
            for (at, &value) in values.iter().enumerate() {
                program.push(jump(libc::BPF_JEQ, value, values.len() - at, 0));
            }
            program.extend([give(error(libc::EPERM)), allow]);
            program
        }
        ErrorUnlessPair => vec![
            argument_at(0),
            jump(libc::BPF_JEQ, libc::AF_UNIX.cast_unsigned(), 0, 2),
            argument_at(1),
            jump(libc::BPF_JSET, DATAGRAM, 0, 1),
            give(error(libc::EACCES)),
            allow,
        ],
    }
}

const fn error(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | errno.cast_unsigned()
}

fn instruction(code: u32, jt: usize, jf: usize, k: u32) -> sock_filter {
    let short = |jump: usize| u8::try_from(jump).expect("the tree is far shorter than 255");
    let code = u16::try_from(code).expect("codes are one byte");
    sock_filter { code, jt: short(jt), jf: short(jf), k }
}

fn load(offset: u32) -> sock_filter {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, offset)
}

fn jump(test: u32, value: u32, jt: usize, jf: usize) -> sock_filter {
    instruction(libc::BPF_JMP | test | libc::BPF_K, jt, jf, value)
}

fn give(answer: u32) -> sock_filter {
    instruction(libc::BPF_RET | libc::BPF_K, 0, 0, answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a program as the kernel would, for one call.
    fn answer(program: &[sock_filter], arch: u32, number: u32, arguments: [u32; 6]) -> u32 {
        let (mut accumulator, mut at) = (0, 0);
        loop {
            let step = program[at];
            let taken = match u32::from(step.code) & 0xf7 {
                code if code & 7 == libc::BPF_RET => return step.k,
                code if code & 7 == libc::BPF_LD => {
                    accumulator = match step.k {
                        NUMBER => number,
                        ARCHITECTURE => arch,
                        // The upper half of an argument, which these tests leave empty.
                        offset if offset % 8 == 4 => 0,
                        offset => arguments[((offset - ARGUMENTS) / 8) as usize],
                    };
                    at += 1;
                    continue;
                }
                code if code == libc::BPF_ALU | libc::BPF_AND => {
                    accumulator &= step.k;
                    at += 1;
                    continue;
                }
                code if code == libc::BPF_JMP | libc::BPF_JA => {
                    at += 1 + step.k as usize;
                    continue;
                }
                code => match code & 0xf0 {
                    libc::BPF_JEQ => accumulator == step.k,
                    libc::BPF_JGT => accumulator > step.k,
                    libc::BPF_JGE => accumulator >= step.k,
                    libc::BPF_JSET => accumulator & step.k != 0,
                    other => panic!("no such test: {other}"),
                },
            };
            at += 1 + usize::from(if taken { step.jt } else { step.jf });
        }
    }

    /// What another compiler of filters makes of the same table: one of its filters for each
    /// error, because it knows one answer per filter; the kernel takes the strictest.
    fn oracle(calls: Vec<(u32, Answer)>) -> Vec<Vec<sock_filter>> {
        use seccompiler::{
            BpfProgram, SeccompAction, SeccompCmpArgLen::Dword, SeccompCmpOp, SeccompCondition,
            SeccompFilter, SeccompRule,
        };
        let rule = |argument: u32, op, value: u32| {
            let argument = u8::try_from(argument).unwrap();
            let condition = SeccompCondition::new(argument, Dword, op, value.into()).unwrap();
            vec![SeccompRule::new(vec![condition]).unwrap()]
        };
        let mut by_error = std::collections::BTreeMap::<i32, Vec<_>>::new();
        for (number, what) in calls {
            let masked = |bits: u32| SeccompCmpOp::MaskedEq(bits.into());
            let (errno, rules) = match what {
                Error(errno) => (errno, Vec::new()),
                // One rule a bit: masked equality looks at all of its bits at once.
                ErrorIfBits { argument, bits } => {
                    let each = (0..32).map(|bit| 1 << bit).filter(|bit| bits & bit != 0);
                    (libc::EPERM, each.flat_map(|bit| rule(argument, masked(bit), bit)).collect())
                }
                ErrorUnlessBits { argument, bits } => {
                    (libc::EAGAIN, rule(argument, masked(bits), 0))
                }
                ErrorUnlessZero { first } => {
                    let each = 0..first;
                    (libc::EPERM, each.flat_map(|at| rule(at, SeccompCmpOp::Ne, 0)).collect())
                }
                ErrorIfIn { argument, values, errno } => {
                    let each = values.iter();
                    (
                        errno,
                        each.flat_map(|&value| rule(argument, SeccompCmpOp::Eq, value)).collect(),
                    )
                }
                ErrorUnlessIn { values } => {
                    let all = values.map(|value| {
                        let op = SeccompCmpOp::Ne;
                        SeccompCondition::new(0, Dword, op, value.into()).unwrap()
                    });
                    (libc::EPERM, vec![SeccompRule::new(all.to_vec()).unwrap()])
                }
                ErrorUnlessPair => {
                    let local = libc::AF_UNIX.cast_unsigned();
                    let mut rules = rule(0, SeccompCmpOp::Ne, local);
                    rules.extend(rule(1, masked(DATAGRAM), DATAGRAM));
                    (libc::EACCES, rules)
                }
            };
            by_error.entry(errno).or_default().push((i64::from(number), rules));
        }
        let arch = std::env::consts::ARCH.try_into().unwrap();
        let compile = |(errno, rules): (i32, Vec<_>)| {
            let deny = SeccompAction::Errno(errno.cast_unsigned());
            let rules = rules.into_iter().collect();
            let filter = SeccompFilter::new(rules, SeccompAction::Allow, deny, arch).unwrap();
            let program: BpfProgram = filter.try_into().unwrap();
            let same = |step: &seccompiler::sock_filter| sock_filter {
                code: step.code,
                jt: step.jt,
                jf: step.jf,
                k: step.k,
            };
            program.iter().map(same).collect()
        };
        by_error.into_iter().map(compile).collect()
    }

    /// The kernel's answer to several filters: the one that stands highest, as a signed number.
    fn strictest(programs: &[Vec<sock_filter>], number: u32, arguments: [u32; 6]) -> u32 {
        let arch = architecture().unwrap();
        let answers = programs.iter().map(|program| answer(program, arch, number, arguments));
        answers.min_by_key(|answer| (answer & 0xffff_0000).cast_signed()).unwrap()
    }

    /// Every table there is.
    fn tables() -> Vec<Vec<(u32, Answer)>> {
        let mut tables = vec![denied_to(4711)];
        for children in [Children::Allowed, Children::Refused] {
            tables.extend([Locks::Allowed, Locks::Refused].map(|locks| denied(children, locks)));
        }
        tables
    }

    /// Arguments at which some entry changes its mind, and others.
    fn arguments() -> Vec<[u32; 6]> {
        let own = 4711_i32;
        let special = [0, 1, 17, own.cast_unsigned(), own.wrapping_neg().cast_unsigned(), u32::MAX]
            .into_iter()
            .chain([NEW_NAMESPACES.cast_unsigned()])
            .chain((0..32).map(|bit| 1 << bit))
            .chain(SHARED.into_iter().chain(OWNERS).chain(OWNERS_BY_IOCTL));
        let special: Vec<u32> = special.collect();
        let first = special.iter().map(|&first| [first, 0, 0, 0, 0, 0]);
        first.chain(special.iter().map(|&second| [1, second, 0, 0, 0, 0])).collect()
    }

    #[test]
    fn another_compiler_decides_the_same_for_every_number() {
        for table in tables() {
            let (ours, oracle) = (compile(&table).unwrap(), oracle(table.clone()));
            let mut refused = 0;
            for number in 0..1024 {
                for arguments in arguments() {
                    let got = answer(&ours, architecture().unwrap(), number, arguments);
                    let wanted = strictest(&oracle, number, arguments);
                    assert_eq!(got, wanted, "call {number}({arguments:x?})");
                    refused += usize::from(got != libc::SECCOMP_RET_ALLOW);
                }
            }
            assert!(refused > table.len(), "every entry refuses something: {refused}");
            for program in &oracle {
                assert_eq!(answer(program, 0x4000_0003, 0, [0; 6]), libc::SECCOMP_RET_KILL_PROCESS);
            }
        }
    }

    #[test]
    fn every_number_gets_the_answer_of_the_table() {
        for table in tables() {
            let program = compile(&table).unwrap();
            for number in 0..1024 {
                let listed = table.iter().find(|entry| entry.0 == number).map(|entry| entry.1);
                let plain = match listed {
                    Some(Error(errno)) => error(errno),
                    Some(ErrorUnlessBits { .. }) => error(libc::EAGAIN),
                    Some(ErrorUnlessPair) => error(libc::EACCES),
                    None
                    | Some(
                        ErrorIfBits { .. }
                        | ErrorUnlessZero { .. }
                        | ErrorIfIn { .. }
                        | ErrorUnlessIn { .. },
                    ) => libc::SECCOMP_RET_ALLOW,
                };
                let got = answer(&program, architecture().unwrap(), number, [0; 6]);
                assert_eq!(got, plain, "call {number}");
            }
        }
    }

    #[test]
    fn arguments_decide_where_the_table_says_so() {
        let arch = architecture().unwrap();
        let call = |number: libc::c_long| u32::try_from(number).unwrap();
        let with = |first: i32| [first.cast_unsigned(), 0, 0, 0, 0, 0];
        let open = filter(Children::Allowed, Locks::Allowed).unwrap();
        let closed = filter(Children::Refused, Locks::Refused).unwrap();
        let clone = call(libc::SYS_clone);
        let forbidden = error(libc::EPERM);
        assert_eq!(answer(&open, arch, clone, with(libc::CLONE_NEWUSER)), forbidden);
        assert_eq!(answer(&open, arch, clone, with(libc::SIGCHLD)), libc::SECCOMP_RET_ALLOW);
        assert_eq!(answer(&closed, arch, clone, with(libc::SIGCHLD)), error(libc::EAGAIN));
        let thread = with(libc::CLONE_THREAD);
        assert_eq!(answer(&closed, arch, clone, thread), libc::SECCOMP_RET_ALLOW);
        assert_eq!(answer(&open, arch, call(libc::SYS_prlimit64), with(1)), forbidden);
    }

    #[test]
    fn a_program_reaches_itself_and_nobody_else() {
        let program = filter_to(42).unwrap();
        let to = |number: libc::c_long, first: i32, second: u32| {
            let number = u32::try_from(number).unwrap();
            let arguments = [first.cast_unsigned(), second, 0, 0, 0, 0];
            answer(&program, architecture().unwrap(), number, arguments)
        };
        for own in [0, 42, -42] {
            assert_eq!(to(libc::SYS_kill, own, 9), libc::SECCOMP_RET_ALLOW);
        }
        for other in [1, -1, 41, 43, -43] {
            assert_eq!(to(libc::SYS_kill, other, 9), error(libc::EPERM), "{other}");
        }
        let set_owner = libc::F_SETOWN.cast_unsigned();
        assert_eq!(to(libc::SYS_fcntl, 0, set_owner), error(libc::EPERM));
        assert_eq!(to(libc::SYS_fcntl, 0, libc::F_GETFL.cast_unsigned()), libc::SECCOMP_RET_ALLOW);
        assert_eq!(to(libc::SYS_prctl, libc::PR_SET_PDEATHSIG, 0), error(libc::EPERM));
    }

    #[test]
    fn only_pairs_that_know_nobody_else_are_made() {
        let program = filter(Children::Allowed, Locks::Refused).unwrap();
        let pair = |family: i32, kind: i32| {
            let number = u32::try_from(libc::SYS_socketpair).unwrap();
            let arguments = [family.cast_unsigned(), kind.cast_unsigned(), 0, 0, 0, 0];
            answer(&program, architecture().unwrap(), number, arguments)
        };
        for kind in
            [libc::SOCK_STREAM, libc::SOCK_SEQPACKET, libc::SOCK_STREAM | libc::SOCK_CLOEXEC]
        {
            assert_eq!(pair(libc::AF_UNIX, kind), libc::SECCOMP_RET_ALLOW);
            assert_eq!(pair(libc::AF_TIPC, kind), error(libc::EACCES));
        }
        for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_DGRAM | libc::SOCK_NONBLOCK] {
            assert_eq!(pair(libc::AF_UNIX, kind), error(libc::EACCES));
        }
    }

    #[test]
    fn calls_with_one_answer_and_numbers_in_a_row_are_one_span() {
        let (no, absent) = (Error(libc::EPERM), Error(libc::ENOSYS));
        let calls = [(0, no), (1, no), (2, absent), (5, absent), (6, no)];
        let after = [(2, Some(absent)), (3, None), (5, Some(absent)), (6, Some(no)), (7, None)];
        assert_eq!(spans(&calls), [&[(0, Some(no))], &after[..]].concat());
    }

    #[test]
    fn foreign_numbers_are_refused() {
        let program = filter(Children::Allowed, Locks::Allowed).unwrap();
        let arch = architecture().unwrap();
        let killed = libc::SECCOMP_RET_KILL_PROCESS;
        assert_eq!(answer(&program, 0x4000_0003, 0, [0; 6]), killed);
        assert_eq!(answer(&program, arch, X32, [0; 6]), error(libc::ENOSYS));
        assert_eq!(answer(&program, arch, X32 + 41, [0; 6]), error(libc::ENOSYS));
    }
}
