//! The kernel calls for the device of a run and its routes.

use std::ffi::{c_char, c_short, c_ulong, c_ushort, c_void};
use std::os::fd::{AsRawFd as _, BorrowedFd};

use nix::errno::Errno;
use nix::libc;

use super::check;

/// Has each frame on its way to the holders of an open device of a network pass this filter first.
pub(crate) fn filter_frames(
    device: BorrowedFd<'_>,
    filter: &mut [libc::sock_filter],
) -> nix::Result<()> {
    let mut fprog = libc::sock_fprog {
        len: u16::try_from(filter.len()).map_err(|_| Errno::E2BIG)?,
        filter: filter.as_mut_ptr(),
    };
    #[expect(unsafe_code, reason = "the filter outlives the call, which copies it")]
    let done = unsafe { libc::ioctl(device.as_raw_fd(), libc::TUNATTACHFILTER, &raw mut fprog) };
    check(done.into()).map(drop)
}

/// The kernel's `rtentry`.
#[repr(C)]
struct Way {
    pad1: c_ulong,
    to: libc::sockaddr,
    gateway: libc::sockaddr,
    mask: libc::sockaddr,
    flags: c_ushort,
    pad2: c_short,
    pad3: c_ulong,
    pad4: *mut c_void,
    metric: c_short,
    device: *mut c_char,
    mtu: c_ulong,
    window: c_ulong,
    irtt: c_ushort,
}

/// Flags of a way that is there and leads nowhere.
const REFUSED: c_ushort = 0x0201;

/// Has the kernel answer that addresses cannot be reached; `socket` is any of the family.
pub(crate) fn refuse_way(socket: BorrowedFd<'_>, first: u32, mask: u32) -> nix::Result<()> {
    #[expect(unsafe_code, reason = "rtentry is plain numbers and pointers that may be null")]
    let mut way: Way = unsafe { std::mem::zeroed() };
    way.to = named(first);
    way.mask = named(mask);
    way.flags = REFUSED;
    #[expect(unsafe_code, reason = "the call reads the structure, which has the kernel's layout")]
    check(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCADDRT, &raw const way) }.into())
        .map(drop)
}

/// An address as the kernel's ioctls take it: a port, then its four bytes.
fn named(address: u32) -> libc::sockaddr {
    let mut sa_data = [0; 14];
    for (place, byte) in sa_data[2..6].iter_mut().zip(address.to_be_bytes()) {
        *place = c_char::from_ne_bytes([byte]);
    }
    let sa_family = u16::try_from(libc::AF_INET).unwrap_or_default();
    libc::sockaddr { sa_family, sa_data }
}
