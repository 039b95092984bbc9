//! What pid 1 sets for the network of its namespace.

use std::fs;
use std::net::{Ipv4Addr, UdpSocket};
use std::os::fd::AsFd as _;

use nix::errno::Errno;

use super::barred::{BETWEEN, Range};
use super::known::GATEWAY;
use crate::fault::{At as _, Fault};
use crate::sys;

/// What is kept of a connection on its way out and in: no more than of any other socket, since it
/// belongs to no process. One that nobody holds any more is soon given up.
const BUFFERS: [(&str, &str); 3] = [
    ("tcp_wmem", "4096 65536 212992"),
    ("tcp_rmem", "4096 65536 212992"),
    ("tcp_orphan_retries", "1"),
];

/// Bounds what the kernel keeps of each connection.
pub(super) fn bound_buffers() -> Result<(), Fault> {
    for (name, value) in BUFFERS {
        fs::write(format!("/proc/sys/net/ipv4/{name}"), value).at("bounding what is on its way")?;
    }
    Ok(())
}

/// Has the kernel answer at once where the filter would let a program wait. What stands between a
/// run and `slirp4netns` must be found, except the host.
pub(super) fn close(barred: &[Range]) -> Result<(), Fault> {
    const CLOSING: &str = "closing the ways to this machine";
    // Any socket of the family takes the question.
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).at(CLOSING)?;
    let others = barred.iter().filter(|range| **range != BETWEEN).copied();
    for Range { first, mask } in others.chain([Range::one(GATEWAY)]) {
        match sys::network::refuse_way(socket.as_fd(), first, mask) {
            Ok(()) | Err(Errno::EEXIST) => {}
            Err(errno) => return Err(errno).at(CLOSING),
        }
    }
    Ok(())
}
