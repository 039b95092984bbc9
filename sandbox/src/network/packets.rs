//! The filter on the frames that leave a run: TCP and UDP to addresses that are not barred, the
//! questions to name servers, and what finds the way to them. Anything else is dropped.

use nix::libc::{self, sock_filter};

use super::barred::Range;
use super::known::RESOLVER;
use crate::filter::{give, instruction, jump};

/// Kinds of frames.
const ARP: u32 = 0x0806;
const IPV4: u32 = 0x0800;

/// Places in a frame with the shortest head of IPv4, which has no options.
const KIND: u32 = 12;
const VERSION_AND_LENGTH: u32 = 14;
const FRAGMENT: u32 = 20;
const PROTOCOL: u32 = 23;
const DESTINATION: u32 = 30;
const PORT: u32 = 36;

/// Version 4 and a head of five words: an option could name another destination.
const PLAIN: u32 = 0x45;

/// A place within a datagram other than its beginning, where no port is, or one that is incomplete.
const IN_PART: u32 = 0x3fff;

/// The port of name servers.
const NAMES: u32 = 53;

/// Returns the filter.
pub(super) fn filter(barred: &[Range]) -> Vec<sock_filter> {
    let (pass, drop) = (give(u32::MAX), give(0));
    let mut program = vec![
        half(KIND),
        jump(libc::BPF_JEQ, ARP, 0, 1),
        pass,
        jump(libc::BPF_JEQ, IPV4, 1, 0),
        drop,
        byte(VERSION_AND_LENGTH),
        jump(libc::BPF_JEQ, PLAIN, 1, 0),
        drop,
        byte(PROTOCOL),
        jump(libc::BPF_JEQ, libc::IPPROTO_TCP.cast_unsigned(), 2, 0),
        jump(libc::BPF_JEQ, libc::IPPROTO_UDP.cast_unsigned(), 1, 0),
        drop,
        word(DESTINATION),
        jump(libc::BPF_JEQ, RESOLVER.to_bits(), 0, 6),
        half(FRAGMENT),
        jump(libc::BPF_JSET, IN_PART, 2, 0),
        half(PORT),
        jump(libc::BPF_JEQ, NAMES, 1, 0),
        drop,
        pass,
    ];
    for range in barred {
        program.extend([
            word(DESTINATION),
            instruction(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, 0, 0, range.mask),
            jump(libc::BPF_JEQ, range.first & range.mask, 0, 1),
            drop,
        ]);
    }
    program.push(pass);
    program
}

fn word(offset: u32) -> sock_filter {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, offset)
}

fn half(offset: u32) -> sock_filter {
    instruction(libc::BPF_LD | libc::BPF_H | libc::BPF_ABS, 0, 0, offset)
}

fn byte(offset: u32) -> sock_filter {
    instruction(libc::BPF_LD | libc::BPF_B | libc::BPF_ABS, 0, 0, offset)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::network::barred;

    /// Runs the program as the kernel would: a load beyond the frame drops it.
    fn passes(program: &[sock_filter], frame: &[u8]) -> bool {
        let (mut accumulator, mut at) = (0_u32, 0);
        loop {
            let step = program[at];
            let code = u32::from(step.code);
            let size = match code & 0x18 {
                libc::BPF_H => 2,
                libc::BPF_B => 1,
                _ => 4,
            };
            at += 1;
            match code & 7 {
                libc::BPF_RET => return step.k != 0,
                libc::BPF_LD => {
                    let from = step.k as usize;
                    let Some(bytes) = frame.get(from..from + size) else { return false };
                    accumulator = bytes.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte));
                }
                libc::BPF_ALU => accumulator &= step.k,
                _ => {
                    let taken = match code & 0xf0 {
                        libc::BPF_JEQ => accumulator == step.k,
                        libc::BPF_JSET => accumulator & step.k != 0,
                        other => panic!("no such test: {other}"),
                    };
                    at += usize::from(if taken { step.jt } else { step.jf });
                }
            }
        }
    }

    /// A frame with a datagram of IPv4.
    fn frame(protocol: u8, to: [u8; 4], port: u16) -> Vec<u8> {
        let mut frame = vec![0; 64];
        frame[12..15].copy_from_slice(&[0x08, 0x00, 0x45]);
        frame[23] = protocol;
        frame[30..34].copy_from_slice(&to);
        frame[36..38].copy_from_slice(&port.to_be_bytes());
        frame
    }

    fn ours() -> Vec<sock_filter> {
        let mut all = barred::barred().unwrap();
        all.push(Range::one(Ipv4Addr::new(198, 51, 100, 7)));
        filter(&all)
    }

    #[test]
    fn tcp_and_udp_pass_to_what_is_outside_alone() {
        let program = ours();
        for protocol in [6, 17] {
            let to = |address| passes(&program, &frame(protocol, address, 443));
            for outside in [[198, 51, 100, 6], [198, 51, 100, 8], [8, 8, 8, 8], [223, 255, 255, 1]]
            {
                assert!(to(outside), "{outside:?}");
            }
            for here in [
                [198, 51, 100, 7],
                [127, 0, 0, 1],
                [127, 9, 9, 9],
                [0, 0, 0, 0],
                [0, 1, 2, 3],
                [10, 0, 2, 2],
                [10, 0, 2, 3],
                [10, 0, 2, 15],
                [169, 254, 169, 254],
                [224, 0, 0, 251],
                [239, 255, 255, 250],
                [255, 255, 255, 255],
                [168, 63, 129, 16],
            ] {
                assert!(!to(here), "{here:?}");
            }
        }
    }

    #[test]
    fn names_are_asked_for_at_one_port_and_in_whole_datagrams() {
        let program = ours();
        let asks = frame(17, [10, 0, 2, 3], 53);
        assert!(passes(&program, &asks));
        assert!(passes(&program, &frame(6, [10, 0, 2, 3], 53)));
        assert!(!passes(&program, &frame(17, [10, 0, 2, 3], 54)));
        for (at, bits) in [(20, 0x20), (20, 0x1f), (21, 1)] {
            let mut part = asks.clone();
            part[at] = bits;
            assert!(!passes(&program, &part), "{at}");
        }
    }

    #[test]
    fn no_other_kind_of_frame_leaves_a_run() {
        let program = ours();
        let outside = [8, 8, 8, 8];
        for protocol in (0..=255).filter(|it| ![6, 17].contains(it)) {
            assert!(!passes(&program, &frame(protocol, outside, 53)), "{protocol}");
        }
        let changed = |at: usize, byte: u8| {
            let mut frame = frame(6, outside, 443);
            frame[at] = byte;
            passes(&program, &frame)
        };
        // With options, or of another version.
        assert!(!changed(14, 0x46) && !changed(14, 0x4f) && !changed(14, 0x65));
        // IPv6, and tags in front of what is inside.
        let mut other = frame(6, outside, 443);
        for kind in [0x86dd_u16, 0x8100, 0x88a8, 0x0000] {
            other[12..14].copy_from_slice(&kind.to_be_bytes());
            assert!(!passes(&program, &other), "{kind:x}");
        }
        other[12..14].copy_from_slice(&0x0806_u16.to_be_bytes());
        assert!(passes(&program, &other));
        assert!(!passes(&program, &frame(6, outside, 443)[..32]));
    }
}
