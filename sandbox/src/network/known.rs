//! What a run and `slirp4netns` know each other by.

use std::net::Ipv4Addr;
use std::time::Duration;

/// The name servers of the host, as `slirp4netns` shows them to a run.
pub(super) const RESOLVER: Ipv4Addr = Ipv4Addr::new(10, 0, 2, 3);

/// The host itself, as `slirp4netns` shows it.
pub(super) const GATEWAY: Ipv4Addr = Ipv4Addr::new(10, 0, 2, 2);

/// The device of a run.
pub(super) const DEVICE: &str = "tap0";

/// Longest time until a network is there.
pub(super) const READY_MAX: Duration = Duration::from_secs(5);
