//! The table against another compiler of filters, and what it decides by arguments.

use super::calls::*;
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

type Rules = Vec<seccompiler::SeccompRule>;

/// A condition on an argument.
fn is(at: u8, op: seccompiler::SeccompCmpOp, value: u32) -> seccompiler::SeccompCondition {
    let length = seccompiler::SeccompCmpArgLen::Dword;
    seccompiler::SeccompCondition::new(at, length, op, value.into()).unwrap()
}

/// The rules by which options get the error of some, and those by which they are unknown.
fn of_options(of_tcp: &[u32], refused: Refused, known: &[u32]) -> (Rules, Rules) {
    use seccompiler::{SeccompCmpOp, SeccompRule};
    let elsewhere = is(1, SeccompCmpOp::Ne, OF_TCP);
    let none_of = |level, values: &mut dyn Iterator<Item = &u32>| {
        let each = values.map(|&value| is(2, SeccompCmpOp::Ne, value));
        SeccompRule::new([level].into_iter().chain(each).collect()).unwrap()
    };
    let of_room = refused.values.iter().map(|&value| {
        SeccompRule::new(vec![elsewhere.clone(), is(2, SeccompCmpOp::Eq, value)]).unwrap()
    });
    let of_room = of_room.collect();
    let tcp = none_of(is(1, SeccompCmpOp::Eq, OF_TCP), &mut of_tcp.iter());
    let all = &mut refused.values.iter().chain(known);
    (of_room, vec![tcp, none_of(elsewhere, all)])
}

/// The rules for a socket that is none of TCP or UDP.
fn beside_the_internet() -> Rules {
    use seccompiler::{SeccompCmpOp, SeccompRule};
    let none_of = |at, values: &[u32]| {
        let each = values.iter().map(|&value| is(at, SeccompCmpOp::Ne, value));
        SeccompRule::new(each.collect()).unwrap()
    };
    let masked = |mask: u32, value| {
        SeccompRule::new(vec![is(1, SeccompCmpOp::MaskedEq(mask.into()), value)]).unwrap()
    };
    let mut rules = vec![none_of(0, &FAMILIES), none_of(2, &PROTOCOLS)];
    // It knows no inequality under a mask: each bit beside those of the two kinds, and both of
    // these or none.
    let others = (2..32).map(|bit| 1 << bit).filter(|bit| BESIDE_A_KIND & bit == 0);
    rules.extend(others.map(|bit| masked(bit, bit)));
    rules.extend([0, 3].map(|both| masked(3, both)));
    rules
}

/// The same table compiled by another compiler of filters: one of its filters for each
/// error, because it knows one answer per filter; the kernel takes the strictest.
fn oracle(calls: Vec<(u32, Answer)>) -> Vec<Vec<sock_filter>> {
    use seccompiler::{SeccompCmpArgLen::Dword, SeccompCmpOp, SeccompCondition, SeccompRule};
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
            ErrorIfAllBits { argument, sets } => {
                let each = sets.iter();
                (libc::EPERM, each.flat_map(|&bits| rule(argument, masked(bits), bits)).collect())
            }
            ErrorUnlessBits { argument, bits } => (libc::EAGAIN, rule(argument, masked(bits), 0)),
            ErrorUnlessZero { first } => {
                let each = 0..first;
                (libc::EPERM, each.flat_map(|at| rule(at, SeccompCmpOp::Ne, 0)).collect())
            }
            ErrorIfIn { argument, values, errno } => {
                let each = values.iter();
                (errno, each.flat_map(|&value| rule(argument, SeccompCmpOp::Eq, value)).collect())
            }
            ErrorUnlessIn { values } => {
                let all = values.map(|value| {
                    let op = SeccompCmpOp::Ne;
                    SeccompCondition::new(0, Dword, op, value.into()).unwrap()
                });
                (libc::EPERM, vec![SeccompRule::new(all.to_vec()).unwrap()])
            }
            ErrorUnlessKnown { argument, refused, known, errno } => {
                let all = refused.values.iter().chain(known).map(|&value| {
                    let (argument, op) = (u8::try_from(argument).unwrap(), SeccompCmpOp::Ne);
                    SeccompCondition::new(argument, Dword, op, value.into()).unwrap()
                });
                let each = refused.values.iter();
                let its = each.flat_map(|&value| rule(argument, SeccompCmpOp::Eq, value)).collect();
                if !refused.values.is_empty() {
                    by_error.entry(refused.errno).or_default().push((i64::from(number), its));
                }
                (errno, vec![SeccompRule::new(all.collect()).unwrap()])
            }
            ErrorUnlessStart { descriptor } => {
                let empty = libc::AT_EMPTY_PATH.cast_unsigned();
                let other = |at, value| rule(at, SeccompCmpOp::Ne, value);
                (libc::EPERM, [other(0, descriptor), other(4, empty)].concat())
            }
            ErrorUnlessPair => {
                let local = libc::AF_UNIX.cast_unsigned();
                let mut rules = rule(0, SeccompCmpOp::Ne, local);
                rules.extend(rule(1, masked(DATAGRAM), DATAGRAM));
                (libc::EACCES, rules)
            }
            ErrorUnlessOption { of_tcp, refused, known, errno } => {
                let (of_room, rules) = of_options(of_tcp, refused, known);
                by_error.entry(refused.errno).or_default().push((i64::from(number), of_room));
                (errno, rules)
            }
            ErrorUnlessInternet => (libc::EACCES, beside_the_internet()),
        };
        by_error.entry(errno).or_default().push((i64::from(number), rules));
    }
    by_error.into_iter().map(|(errno, rules)| refusing(errno, rules)).collect()
}

/// A filter of the library that answers with one number where a rule of a call holds.
fn refusing(errno: i32, rules: Vec<(i64, Vec<seccompiler::SeccompRule>)>) -> Vec<sock_filter> {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let deny = SeccompAction::Errno(errno.cast_unsigned());
    let rules = rules.into_iter().collect();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, deny, arch).unwrap();
    let program: BpfProgram = filter.try_into().unwrap();
    program.iter().map(same).collect()
}

fn same(step: &seccompiler::sock_filter) -> sock_filter {
    sock_filter { code: step.code, jt: step.jt, jf: step.jf, k: step.k }
}

/// The kernel's answer to several filters: the one that stands highest, as a signed number.
fn strictest(programs: &[Vec<sock_filter>], number: u32, arguments: [u32; 6]) -> u32 {
    let arch = architecture().unwrap();
    let answers = programs.iter().map(|program| answer(program, arch, number, arguments));
    answers.min_by_key(|answer| (answer & 0xffff_0000).cast_signed()).unwrap()
}

/// Every table there is.
fn tables() -> Vec<Vec<(u32, Answer)>> {
    let mut tables = vec![denied_to(4711, 64)];
    for children in [Children::Allowed, Children::Refused] {
        for sockets in [Sockets::Pairs, Sockets::Internet] {
            let of = |locks| denied(children, locks, sockets);
            tables.extend([Locks::Allowed, Locks::Refused].map(of));
        }
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
        .chain(OF_NOBODY)
        .chain([OF_NOBODY[0] | 2, OF_NOBODY[1] | 0x22, 0x22])
        .chain(ROOM)
        .chain(SHARED.into_iter().chain(OWNERS).chain(BY_IOCTL).chain(BY_FCNTL))
        .chain(BY_PRCTL.into_iter().chain(BY_SETSOCKOPT).chain(BY_GETSOCKOPT).chain(OUTLIVING))
        .chain([64, libc::AT_EMPTY_PATH.cast_unsigned(), OF_THE_CACHE, SOMEBODY_S]);
    let special: Vec<u32> = special.collect();
    let first = special.iter().map(|&first| [first, 0, 0, 0, 0, 0]);
    let second = special.iter().map(|&second| [1, second, 0, 0, 0, 0]);
    let third = special.iter().map(|&third| [1, 1, third, 0, 0, 0]);
    let of_tcp = special.iter().map(|&third| [1, OF_TCP, third, 0, 0, 0]);
    let internet = FAMILIES.map(|family| {
        let kinds = (0..8).chain([BESIDE_A_KIND | KINDS[0], BESIDE_A_KIND, 1 << 31 | KINDS[1]]);
        kinds.flat_map(move |kind| {
            [0, 1, 6, 17, 58, 132, 136, 255, 262].map(|protocol| [family, kind, protocol, 0, 0, 0])
        })
    });
    let fourth = special.iter().map(|&fourth| [0, 0, 0, fourth, 0, 0]);
    let start = special.iter().map(|&fifth| [64, 0, 0, 0, fifth, 0]);
    let last = special.iter().map(|&sixth| [0, 0, 0, 0, 0, sixth]);
    let internet = internet.into_iter().flatten();
    first
        .chain(second)
        .chain(third)
        .chain(of_tcp)
        .chain(internet)
        .chain(fourth)
        .chain(start)
        .chain(last)
        .collect()
}

#[test]
fn another_compiler_decides_the_same_for_every_number() {
    let arguments = arguments();
    for table in tables() {
        let (ours, oracle) = (compile(&table).unwrap(), oracle(table.clone()));
        let mut refused = 0;
        for number in 0..UNKNOWN {
            let listed = table.iter().find(|entry| entry.0 == number);
            // Where no argument decides, a few of them show it.
            let plain = listed.is_none_or(|entry| matches!(entry.1, Error(_)));
            for &arguments in arguments.iter().take(if plain { 3 } else { usize::MAX }) {
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
                Some(ErrorUnlessPair | ErrorUnlessInternet) => error(libc::EACCES),
                Some(ErrorUnlessStart { .. }) => error(libc::EPERM),
                Some(ErrorUnlessOption { errno, .. }) => error(errno),
                Some(ErrorUnlessKnown { known, errno, .. }) if !known.contains(&0) => error(errno),
                None if number >= UNKNOWN => error(libc::ENOSYS),
                None
                | Some(
                    ErrorIfBits { .. }
                    | ErrorIfAllBits { .. }
                    | ErrorUnlessZero { .. }
                    | ErrorIfIn { .. }
                    | ErrorUnlessIn { .. }
                    | ErrorUnlessKnown { .. },
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
    let open = filter(Children::Allowed, Locks::Allowed, Sockets::Pairs).unwrap();
    let closed = filter(Children::Refused, Locks::Refused, Sockets::Pairs).unwrap();
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
    let program = filter_to(42, 64).unwrap();
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
fn memory_is_shared_through_files_alone_and_sockets_keep_their_room() {
    let program = filter(Children::Allowed, Locks::Allowed, Sockets::Pairs).unwrap();
    let to = |number: libc::c_long, at: usize, value: i32| {
        let mut arguments = [0; 6];
        arguments[at] = value.cast_unsigned();
        answer(&program, architecture().unwrap(), u32::try_from(number).unwrap(), arguments)
    };
    let anonymous = libc::MAP_ANONYMOUS;
    for refused in
        [libc::MAP_SHARED | anonymous, libc::MAP_SHARED_VALIDATE | anonymous, libc::MAP_HUGETLB]
    {
        assert_eq!(to(libc::SYS_mmap, 3, refused), error(libc::EPERM), "{refused:x}");
    }
    for taken in [libc::MAP_SHARED, libc::MAP_PRIVATE, libc::MAP_PRIVATE | anonymous] {
        assert_eq!(to(libc::SYS_mmap, 3, taken), libc::SECCOMP_RET_ALLOW, "{taken:x}");
    }
    for refused in [libc::SO_SNDBUF, libc::SO_RCVBUF, libc::SO_SNDBUFFORCE, libc::SO_RCVBUFFORCE] {
        assert_eq!(to(libc::SYS_setsockopt, 2, refused), error(libc::EPERM), "{refused}");
    }
    assert_eq!(to(libc::SYS_setsockopt, 2, libc::SO_PASSCRED), libc::SECCOMP_RET_ALLOW);
}

#[test]
fn only_pairs_that_know_nobody_else_are_made() {
    let program = filter(Children::Allowed, Locks::Refused, Sockets::Pairs).unwrap();
    let pair = |family: i32, kind: i32| {
        let number = u32::try_from(libc::SYS_socketpair).unwrap();
        let arguments = [family.cast_unsigned(), kind.cast_unsigned(), 0, 0, 0, 0];
        answer(&program, architecture().unwrap(), number, arguments)
    };
    for kind in [libc::SOCK_STREAM, libc::SOCK_SEQPACKET, libc::SOCK_STREAM | libc::SOCK_CLOEXEC] {
        assert_eq!(pair(libc::AF_UNIX, kind), libc::SECCOMP_RET_ALLOW);
        assert_eq!(pair(libc::AF_TIPC, kind), error(libc::EACCES));
    }
    for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_DGRAM | libc::SOCK_NONBLOCK] {
        assert_eq!(pair(libc::AF_UNIX, kind), error(libc::EACCES));
    }
}

#[test]
fn a_run_with_a_network_makes_sockets_of_tcp_and_udp_and_nobody_connects_to_it() {
    let program = filter(Children::Allowed, Locks::Refused, Sockets::Internet).unwrap();
    let to = |number: libc::c_long, arguments: [i32; 3]| {
        let [first, second, third] = arguments.map(i32::cast_unsigned);
        let arguments = [first, second, third, 0, 0, 0];
        answer(&program, architecture().unwrap(), u32::try_from(number).unwrap(), arguments)
    };
    let (stream, datagram) = (libc::SOCK_STREAM, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC);
    for family in [libc::AF_INET, libc::AF_INET6] {
        for made in [[family, stream, 0], [family, datagram, libc::IPPROTO_UDP]] {
            assert_eq!(to(libc::SYS_socket, made), libc::SECCOMP_RET_ALLOW, "{made:?}");
        }
        for refused in [
            [family, libc::SOCK_RAW, libc::IPPROTO_ICMP],
            [family, datagram, libc::IPPROTO_ICMP],
            [family, stream, libc::IPPROTO_MPTCP],
            [family, libc::SOCK_SEQPACKET, 0],
        ] {
            assert_eq!(to(libc::SYS_socket, refused), error(libc::EACCES), "{refused:?}");
        }
    }
    for family in [libc::AF_UNIX, libc::AF_NETLINK, libc::AF_PACKET, libc::AF_VSOCK, libc::AF_ALG] {
        assert_eq!(to(libc::SYS_socket, [family, stream, 0]), error(libc::EACCES), "{family}");
    }
    for call in [libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4] {
        assert_eq!(to(call, [3, 0, 0]), error(libc::EACCES), "{call}");
    }
    let of_tcp = |option| to(libc::SYS_setsockopt, [3, libc::IPPROTO_TCP, option]);
    assert_eq!(of_tcp(libc::TCP_KEEPIDLE), libc::SECCOMP_RET_ALLOW);
    assert_eq!(of_tcp(libc::TCP_REPAIR), error(libc::ENOPROTOOPT));
    for chooses_a_way in [libc::IP_OPTIONS, libc::SO_BINDTODEVICE, libc::SO_MARK] {
        let asked = [3, 0, chooses_a_way];
        assert_eq!(to(libc::SYS_setsockopt, asked), error(libc::ENOPROTOOPT), "{chooses_a_way}");
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
    let program = filter(Children::Allowed, Locks::Allowed, Sockets::Pairs).unwrap();
    let arch = architecture().unwrap();
    let killed = libc::SECCOMP_RET_KILL_PROCESS;
    assert_eq!(answer(&program, 0x4000_0003, 0, [0; 6]), killed);
    let x32 = 0x4000_0000;
    for unknown in [GAP[0], GAP[1] - 1, UNKNOWN, UNKNOWN + 1, 1024, x32, x32 + 41, u32::MAX] {
        assert_eq!(answer(&program, arch, unknown, [0; 6]), error(libc::ENOSYS), "{unknown}");
    }
}

#[test]
fn of_calls_with_many_purposes_only_known_ones_pass() {
    let arch = architecture().unwrap();
    let open = filter(Children::Allowed, Locks::Allowed, Sockets::Pairs).unwrap();
    let shut = filter(Children::Allowed, Locks::Refused, Sockets::Pairs).unwrap();
    let to = |program: &Filter, number: libc::c_long, at: usize, value: i32| {
        let mut arguments = [0; 6];
        arguments[at] = value.cast_unsigned();
        answer(program, arch, u32::try_from(number).unwrap(), arguments)
    };
    let allowed = libc::SECCOMP_RET_ALLOW;
    for (number, at, passes, refused, errno) in [
        (libc::SYS_prctl, 0, libc::PR_SET_NAME, 78, libc::EINVAL),
        (libc::SYS_prctl, 0, libc::PR_GET_DUMPABLE, libc::PR_SET_SECCOMP, libc::EINVAL),
        (libc::SYS_fcntl, 1, libc::F_DUPFD_CLOEXEC, libc::F_SETPIPE_SZ, libc::EINVAL),
        (libc::SYS_fcntl, 1, libc::F_GETFL, 1036, libc::EINVAL),
        (libc::SYS_ioctl, 1, 0x5401, 0x5412, libc::ENOTTY),
        (libc::SYS_getsockopt, 2, libc::SO_TYPE, libc::SO_COOKIE, libc::ENOPROTOOPT),
        (libc::SYS_setsockopt, 2, libc::SO_PASSCRED, libc::SO_ATTACH_FILTER, libc::ENOPROTOOPT),
        (libc::SYS_madvise, 2, libc::MADV_DONTNEED, libc::MADV_MERGEABLE, libc::EINVAL),
        (libc::SYS_preadv2, 5, libc::RWF_APPEND, libc::RWF_NOWAIT, libc::EPERM),
    ] {
        assert_eq!(to(&open, number, at, passes), allowed, "{number}: {passes}");
        assert_eq!(to(&open, number, at, refused), error(errno), "{number}: {refused}");
    }
    let lock = |program| to(program, libc::SYS_fcntl, 1, libc::F_SETLK);
    assert_eq!((lock(&open), lock(&shut)), (allowed, error(libc::ENOLCK)));
    let wait = |program| to(program, libc::SYS_fsync, 0, 3);
    assert_eq!((wait(&open), wait(&shut)), (allowed, error(0)));
}

#[test]
fn without_namespaces_a_program_is_executed_once() {
    let program = filter_to(42, 64).unwrap();
    let to = |number: libc::c_long, descriptor: u32, flags: i32| {
        let arguments = [descriptor, 0, 0, 0, flags.cast_unsigned(), 0];
        answer(&program, architecture().unwrap(), u32::try_from(number).unwrap(), arguments)
    };
    let empty = libc::AT_EMPTY_PATH;
    assert_eq!(to(libc::SYS_execveat, 64, empty), libc::SECCOMP_RET_ALLOW);
    for (number, descriptor, flags) in [
        (libc::SYS_execveat, 63, empty),
        (libc::SYS_execveat, 64, 0),
        (libc::SYS_execveat, libc::AT_FDCWD.cast_unsigned(), empty),
        (libc::SYS_execve, 64, empty),
    ] {
        assert_eq!(to(number, descriptor, flags), error(libc::EPERM), "{number} {descriptor}");
    }
}
