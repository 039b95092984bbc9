//! The addresses that no approved network leads to: those of this machine, those that mean it
//! wherever they are said, those that never leave a link, and the services by which a cloud tells a machine about itself.

use std::fs;
use std::net::Ipv4Addr;

use crate::fault::{Fault, errno_of, told};

/// Addresses with the same first bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Range {
    pub(super) first: u32,
    pub(super) mask: u32,
}

impl Range {
    const fn of(first: Ipv4Addr, bits: u32) -> Self {
        Self { first: first.to_bits(), mask: u32::MAX << (32 - bits) }
    }

    pub(super) const fn one(address: Ipv4Addr) -> Self {
        Self::of(address, 32)
    }
}

/// The addresses between a run and `slirp4netns`. Some of them mean the host.
pub(super) const BETWEEN: Range = Range::of(Ipv4Addr::new(10, 0, 2, 0), 24);

/// What is barred on every machine.
const EVERYWHERE: [Range; 8] = [
    // This host, loopback, and one link.
    Range::of(Ipv4Addr::new(0, 0, 0, 0), 8),
    Range::of(Ipv4Addr::new(127, 0, 0, 0), 8),
    Range::of(Ipv4Addr::new(169, 254, 0, 0), 16),
    // Groups, of which this machine may be one, and all.
    Range::of(Ipv4Addr::new(224, 0, 0, 0), 3),
    BETWEEN,
    // What clouds tell a machine about itself, beside that on the link.
    Range::one(Ipv4Addr::new(100, 100, 100, 200)),
    Range::one(Ipv4Addr::new(168, 63, 129, 16)),
    Range::one(Ipv4Addr::new(192, 0, 0, 192)),
];

/// The table of ways of this process's network, with all addresses that end here.
const WAYS: &str = "/proc/self/net/fib_trie";

/// Returns what is barred here and now.
pub(super) fn barred() -> Result<Vec<Range>, Fault> {
    let ways = fs::read_to_string(WAYS).map_err(|error| {
        let why = told(errno_of(&error));
        Fault::NoNetwork(format!("reading this machine's addresses from {WAYS}: {why}"))
    })?;
    let mut all: Vec<_> = EVERYWHERE.into_iter().chain(own(&ways)).collect();
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// Returns the addresses that end at this machine, whatever interface or table they stand at.
fn own(ways: &str) -> impl Iterator<Item = Range> {
    let mut address = None;
    ways.lines().filter_map(move |line| {
        if let Some(leaf) = line.trim_start().strip_prefix("|-- ") {
            address = leaf.trim().parse::<Ipv4Addr>().ok();
            return None;
        }
        let mut words = line.trim_start().strip_prefix('/')?.split_ascii_whitespace();
        let bits = words.next()?.parse::<u32>().ok().filter(|bits| (1..=32).contains(bits))?;
        let ends_here = matches!(words.nth(1)?, "LOCAL" | "BROADCAST" | "ANYCAST");
        ends_here.then_some(Range::of(address?, bits))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_ends_at_this_machine_is_found_and_no_way_that_leads_on() {
        let ways = "\
Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     |-- 198.51.100.0
        /24 link UNICAST
Local:
  +-- 127.0.0.0/8 2 0 2
     |-- 127.0.0.0
        /8 host LOCAL
     |-- 127.255.255.255
        /32 link BROADCAST
  |-- 198.51.100.7
     /32 host LOCAL
Id 77:
  |-- 203.0.113.0
     /25 host LOCAL
";
        let found: Vec<_> = own(ways).map(|it| (it.first, it.mask.count_ones())).collect();
        let wanted = [
            (Ipv4Addr::new(127, 0, 0, 0), 8),
            (Ipv4Addr::new(127, 255, 255, 255), 32),
            (Ipv4Addr::new(198, 51, 100, 7), 32),
            (Ipv4Addr::new(203, 0, 113, 0), 25),
        ];
        assert_eq!(found, wanted.map(|(first, bits)| (first.to_bits(), bits)));
    }

    #[test]
    fn this_machine_tells_its_loopback() {
        // Where the interface is up, its table names it.
        let all = barred().unwrap();
        assert!(EVERYWHERE.iter().all(|it| all.contains(it)), "{all:?}");
        assert!(all.is_sorted());
    }
}
