//! The system call filter: which calls a run has no business making, as a program for the kernel.
//!
//! Default allow with a deny list, because many languages must run; emitted as a search tree,
//! which the kernel accepts several times faster than a list and walks in a dozen steps.

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
    /// EPERM unless the argument is zero: a call about somebody else.
    ErrorUnlessZero { argument: u32 },
}

use Answer::{Error, ErrorIfBits, ErrorUnlessBits, ErrorUnlessZero};

/// Whether a run may start other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Children {
    /// A pid namespace takes them all along in the end.
    Allowed,
    /// Nothing but threads: without a pid namespace a process could slip away.
    Refused,
}

const NEW_NAMESPACES: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// Calls that are refused, by number.
fn denied(children: Children) -> Vec<(u32, Answer)> {
    let absent = Error(libc::ENOSYS);
    let forbidden = Error(libc::EPERM);
    let mut calls: Vec<(libc::c_long, Answer)> = vec![
        // No network and no other local service; socketpair, send and receive stay, event
        // loops wake themselves up with them.
        (libc::SYS_socket, Error(libc::EACCES)),
        // glibc falls back to clone, whose flags can be looked at.
        (libc::SYS_clone3, absent),
        (libc::SYS_clone, on_clone(children)),
        (libc::SYS_unshare, forbidden),
        (libc::SYS_setns, forbidden),
        // A process may change its own limits, not those of pid 1.
        (libc::SYS_prlimit64, ErrorUnlessZero { argument: 0 }),
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
    #[cfg(target_arch = "x86_64")]
    {
        let ports = [libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt];
        calls.extend(ports.map(|call| (call, forbidden)));
        if children == Children::Refused {
            let forks = [libc::SYS_fork, libc::SYS_vfork];
            calls.extend(forks.map(|call| (call, Error(libc::EAGAIN))));
        }
    }
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
pub(crate) fn filter(children: Children) -> Option<Filter> {
    let mut program = vec![
        load(ARCHITECTURE),
        jump(libc::BPF_JEQ, architecture()?, 1, 0),
        give(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER),
        jump(libc::BPF_JGE, X32, 0, 1),
        give(error(libc::ENOSYS)),
    ];
    program.extend(tree(&denied(children)));
    Some(program)
}

/// Halves the sorted list until two numbers are left to compare.
fn tree(calls: &[(u32, Answer)]) -> Filter {
    if calls.len() > 2 {
        let middle = calls.len() / 2;
        let (low, high) = (tree(&calls[..middle]), tree(&calls[middle..]));
        let mut program = vec![jump(libc::BPF_JGE, calls[middle].0, low.len(), 0)];
        program.extend(low);
        program.extend(high);
        return program;
    }
    let mut program = Filter::new();
    for &(number, answer) in calls {
        let leaf = leaf(answer);
        program.push(jump(libc::BPF_JEQ, number, 0, leaf.len()));
        program.extend(leaf);
    }
    program.push(give(libc::SECCOMP_RET_ALLOW));
    program
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
        ErrorUnlessZero { argument } => vec![
            argument_at(argument),
            jump(libc::BPF_JEQ, 0, 1, 0),
            give(error(libc::EPERM)),
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
    fn oracle(children: Children) -> Vec<Vec<sock_filter>> {
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
        for (number, what) in denied(children) {
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
                ErrorUnlessZero { argument } => (libc::EPERM, rule(argument, SeccompCmpOp::Ne, 0)),
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

    #[test]
    fn another_compiler_decides_the_same_for_every_number() {
        let first = [0, 1, 17, NEW_NAMESPACES.cast_unsigned(), u32::MAX]
            .into_iter()
            .chain((0..32).map(|bit| 1 << bit));
        let all: Vec<u32> = first.collect();
        for children in [Children::Allowed, Children::Refused] {
            let (ours, oracle) = (filter(children).unwrap(), oracle(children));
            let mut refused = 0;
            for number in 0..2048 {
                for first in &all {
                    let arguments = [*first, 0, 0, 0, 0, 0];
                    let got = answer(&ours, architecture().unwrap(), number, arguments);
                    let wanted = strictest(&oracle, number, arguments);
                    assert_eq!(got, wanted, "call {number}({first:#x}) with {children:?}");
                    refused += usize::from(got != libc::SECCOMP_RET_ALLOW);
                }
            }
            assert!(refused > 70 * all.len(), "the table is not empty: {refused}");
            for program in &oracle {
                assert_eq!(answer(program, 0x4000_0003, 0, [0; 6]), libc::SECCOMP_RET_KILL_PROCESS);
            }
        }
    }

    #[test]
    fn every_number_gets_the_answer_of_the_table() {
        for children in [Children::Allowed, Children::Refused] {
            let program = filter(children).unwrap();
            let table = denied(children);
            for number in 0..1024 {
                let listed = table.iter().find(|entry| entry.0 == number).map(|entry| entry.1);
                let plain = match listed {
                    None | Some(ErrorIfBits { .. } | ErrorUnlessZero { .. }) => {
                        libc::SECCOMP_RET_ALLOW
                    }
                    Some(Error(errno)) => error(errno),
                    Some(ErrorUnlessBits { .. }) => error(libc::EAGAIN),
                };
                let got = answer(&program, architecture().unwrap(), number, [0; 6]);
                assert_eq!(got, plain, "call {number} with {children:?}");
            }
        }
    }

    #[test]
    fn arguments_decide_where_the_table_says_so() {
        let arch = architecture().unwrap();
        let call = |number: libc::c_long| u32::try_from(number).unwrap();
        let with = |first: i32| [first.cast_unsigned(), 0, 0, 0, 0, 0];
        let open = filter(Children::Allowed).unwrap();
        let closed = filter(Children::Refused).unwrap();
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
    fn foreign_numbers_are_refused() {
        let program = filter(Children::Allowed).unwrap();
        let arch = architecture().unwrap();
        let killed = libc::SECCOMP_RET_KILL_PROCESS;
        assert_eq!(answer(&program, 0x4000_0003, 0, [0; 6]), killed);
        assert_eq!(answer(&program, arch, X32, [0; 6]), error(libc::ENOSYS));
        assert_eq!(answer(&program, arch, X32 + 41, [0; 6]), error(libc::ENOSYS));
    }
}
