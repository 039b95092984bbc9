//! The system call filter: the calls that a run has no business making, as a program for the
//! kernel.
//!
//! The calls of Linux up to a version that was looked at are allowed but those of a deny list,
//! because many languages must run; calls with many purposes only for those that are listed. Newer
//! ones are answered as by a kernel without them. The program is a search tree over ranges of
//! numbers, which the kernel accepts several times faster than a list and walks in a dozen steps.

mod calls;
#[cfg(test)]
mod tests;

use nix::libc::{self, sock_filter};

use calls::Answer::{
    self, Error, ErrorIfAllBits, ErrorIfBits, ErrorIfIn, ErrorUnlessBits, ErrorUnlessIn,
    ErrorUnlessInternet, ErrorUnlessKnown, ErrorUnlessOption, ErrorUnlessPair, ErrorUnlessStart,
    ErrorUnlessZero,
};
use calls::{
    BESIDE_A_KIND, DATAGRAM, FAMILIES, KINDS, OF_TCP, PROTOCOLS, Refused, UNKNOWN, denied,
    denied_to,
};
pub(crate) use calls::{Children, Locks, Sockets};

/// A filter program.
pub(crate) type Filter = Vec<sock_filter>;

/// Returns the kernel's number for this architecture; None where we do not know its calls.
const fn architecture() -> Option<u32> {
    if cfg!(target_arch = "x86_64") {
        Some(0xc000_003e)
    } else if cfg!(target_arch = "aarch64") {
        Some(0xc000_00b7)
    } else {
        None
    }
}

/// Offsets in the kernel's `seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

/// Returns the filter for this machine; None where its call numbers are not known.
pub(crate) fn filter(children: Children, locks: Locks, sockets: Sockets) -> Option<Filter> {
    compile(&denied(children, locks, sockets))
}

/// Returns the second filter of a program without namespaces, which knows its process number and
/// the descriptor by which the program is executed.
pub(crate) fn filter_to(program: i32, start: u32) -> Option<Filter> {
    compile(&denied_to(program, start))
}

fn compile(calls: &[(u32, Answer)]) -> Option<Filter> {
    let mut program = vec![
        load(ARCHITECTURE),
        jump(libc::BPF_JEQ, architecture()?, 1, 0),
        give(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER),
        jump(libc::BPF_JGE, UNKNOWN, 0, 1),
        give(error(libc::ENOSYS)),
    ];
    program.extend(tree(&spans(calls)));
    Some(program)
}

/// The numbers from this one up to the next span, which all get one answer; None allows.
type Span = (u32, Option<Answer>);

/// Turns the table into spans that cover every number: similar calls mostly have adjacent numbers.
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

/// Builds a search tree over the spans, and behind it each answer once, since the kernel checks,
/// translates and keeps every instruction. A jump that depends on something is short, so a long
/// answer stands behind all others and a plain jump to it among them.
fn tree(spans: &[Span]) -> Filter {
    let mut answers: Vec<(Option<Answer>, usize)> = Vec::new();
    let (mut near, mut far) = (Filter::new(), Vec::new());
    for &(_, answer) in spans {
        if !answers.iter().any(|known| known.0 == answer) {
            answers.push((answer, spans.len() - 1 + near.len()));
            let body = answer.map_or_else(|| vec![give(libc::SECCOMP_RET_ALLOW)], leaf);
            if body.len() <= SHORT {
                near.extend(body);
            } else {
                far.push((near.len(), body));
                near.push(give(0));
            }
        }
    }
    for (from, body) in far {
        near[from] = long_jump(near.len() - from - 1);
        near.extend(body);
    }
    let place = |answer| {
        let known = answers.iter().find(|known| known.0 == answer);
        known.expect("each answer has been placed").1
    };
    let mut program = Filter::new();
    branch(spans, &place, &mut program);
    program.extend(near);
    program
}

/// Most instructions of an answer that stands among the near ones.
const SHORT: usize = 6;

/// Halves the spans until one is left; `place` returns the position of its answer.
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
        ErrorIfAllBits { argument, sets } => unless_all_bits(argument, sets),
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
        ErrorUnlessKnown { argument, refused: Refused { values, errno: its }, known, errno } => {
            let mut program = vec![argument_at(argument)];
            for (at, &value) in values.iter().enumerate() {
                program.push(jump(libc::BPF_JEQ, value, values.len() + known.len() - at, 0));
            }
            for (at, &value) in known.iter().enumerate() {
                program.push(jump(libc::BPF_JEQ, value, known.len() - at + 1, 0));
            }
            program.extend([give(error(errno)), give(error(its)), allow]);
            program
        }
        ErrorUnlessStart { descriptor } => vec![
            argument_at(0),
            jump(libc::BPF_JEQ, descriptor, 0, 2),
            argument_at(4),
            jump(libc::BPF_JEQ, libc::AT_EMPTY_PATH.cast_unsigned(), 1, 0),
            give(error(libc::EPERM)),
            allow,
        ],
        ErrorUnlessPair => vec![
            argument_at(0),
            jump(libc::BPF_JEQ, libc::AF_UNIX.cast_unsigned(), 0, 2),
            argument_at(1),
            jump(libc::BPF_JSET, DATAGRAM, 0, 1),
            give(error(libc::EACCES)),
            allow,
        ],
        ErrorUnlessOption { of_tcp, refused, known, errno } => {
            let of = |refused, known| leaf(ErrorUnlessKnown { argument: 2, refused, known, errno });
            by_level(of(Refused { values: &[], errno: 0 }, of_tcp), of(refused, known))
        }
        ErrorUnlessInternet => unless_internet(),
    }
}

/// Goes on with one program for the options of TCP and with another for those of other levels.
fn by_level(of_tcp: Filter, of_others: Filter) -> Filter {
    let mut program = vec![load(ARGUMENTS + 8), jump(libc::BPF_JEQ, OF_TCP, 0, of_tcp.len())];
    program.extend(of_tcp);
    program.extend(of_others);
    program
}

/// Allows a socket of TCP or UDP.
fn unless_internet() -> Filter {
    let allow = give(libc::SECCOMP_RET_ALLOW);
    let ([v4, v6], [stream, datagram], [usual, tcp, udp]) = (FAMILIES, KINDS, PROTOCOLS);
    let kind_alone = instruction(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, 0, 0, !BESIDE_A_KIND);
    vec![
        load(ARGUMENTS),
        jump(libc::BPF_JEQ, v4, 1, 0),
        jump(libc::BPF_JEQ, v6, 0, 8),
        load(ARGUMENTS + 8),
        kind_alone,
        jump(libc::BPF_JEQ, stream, 1, 0),
        jump(libc::BPF_JEQ, datagram, 0, 4),
        load(ARGUMENTS + 16),
        jump(libc::BPF_JEQ, usual, 3, 0),
        jump(libc::BPF_JEQ, tcp, 2, 0),
        jump(libc::BPF_JEQ, udp, 1, 0),
        give(error(libc::EACCES)),
        allow,
    ]
}

/// Allows unless an argument has all bits of one of these sets.
fn unless_all_bits(argument: u32, sets: &[u32]) -> Filter {
    let mut program = Filter::new();
    for (at, &bits) in sets.iter().enumerate() {
        program.push(load(ARGUMENTS + 8 * argument));
        program.push(instruction(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, 0, 0, bits));
        program.push(jump(libc::BPF_JEQ, bits, 3 * (sets.len() - at - 1) + 1, 0));
    }
    program.extend([give(libc::SECCOMP_RET_ALLOW), give(error(libc::EPERM))]);
    program
}

const fn error(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | errno.cast_unsigned()
}

pub(crate) fn instruction(code: u32, jt: usize, jf: usize, k: u32) -> sock_filter {
    let short = |jump: usize| u8::try_from(jump).expect("the tree is far shorter than 255");
    let code = u16::try_from(code).expect("codes are one byte");
    sock_filter { code, jt: short(jt), jf: short(jf), k }
}

fn load(offset: u32) -> sock_filter {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, offset)
}

pub(crate) fn jump(test: u32, value: u32, jt: usize, jf: usize) -> sock_filter {
    instruction(libc::BPF_JMP | test | libc::BPF_K, jt, jf, value)
}

fn long_jump(distance: usize) -> sock_filter {
    let distance = u32::try_from(distance).expect("a filter has a few hundred instructions");
    instruction(libc::BPF_JMP | libc::BPF_JA, 0, 0, distance)
}

pub(crate) fn give(answer: u32) -> sock_filter {
    instruction(libc::BPF_RET | libc::BPF_K, 0, 0, answer)
}
