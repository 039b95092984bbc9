//! Names of runs' groups. A name holds its owner, so that a group which a killed helper left behind
//! can be told from one in use, and from those of helpers in other pid namespaces.

use std::fs;
use std::path::Path;

const PREFIX: &str = "vosim-run";

/// The helper that a group belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    /// The pid namespace in which the number counts.
    namespace: u64,
    pid: u32,
    /// The start time, since numbers are used again.
    start: u64,
}

impl Owner {
    /// Returns this process; None where /proc does not tell.
    pub(super) fn current(root: &Path) -> Option<Self> {
        let proc = root.join("proc/self");
        let namespace = fs::read_link(proc.join("ns/pid")).ok()?;
        let namespace = namespace.to_str()?.strip_prefix("pid:[")?.strip_suffix(']')?;
        let stat = fs::read_to_string(proc.join("stat")).ok()?;
        let pid = stat.split_ascii_whitespace().next()?;
        Some(Self {
            namespace: namespace.parse().ok()?,
            pid: pid.parse().ok()?,
            start: start_of(&stat)?,
        })
    }

    pub(super) fn group_name(self) -> String {
        format!("{PREFIX}-{}-{}-{}", self.namespace, self.pid, self.start)
    }

    /// Returns the owner that a name holds; None for a name that is no run's.
    pub(super) fn of(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix(PREFIX)?.strip_prefix('-')?.split('-');
        let owner = Self {
            namespace: parts.next()?.parse().ok()?,
            pid: parts.next()?.parse().ok()?,
            start: parts.next()?.parse().ok()?,
        };
        parts.next().is_none().then_some(owner)
    }

    /// Whether the owner was in our namespace and has ended.
    pub(super) fn dead(self, we: Self, root: &Path) -> bool {
        let stat = fs::read_to_string(root.join(format!("proc/{}/stat", self.pid)));
        self.namespace == we.namespace
            && stat.ok().as_deref().and_then(start_of) != Some(self.start)
    }
}

/// Reads field 22 of proc(5); the name before field 3 may contain anything.
fn start_of(stat: &str) -> Option<u64> {
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(22 - 3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_its_owner_and_others_names_do_not() {
        let owner = Owner { namespace: 4_026_531_836, pid: 7, start: 99 };
        assert_eq!(owner.group_name(), "vosim-run-4026531836-7-99");
        assert_eq!(Owner::of(&owner.group_name()), Some(owner));
        for other in
            ["vosimd", "vosim-run", "vosim-run-1-2", "vosim-run-1-2-3-4", "vosim-run-1-2-x"]
        {
            assert_eq!(Owner::of(other), None, "{other}");
        }
    }

    #[test]
    fn we_are_alive_and_who_started_at_another_time_is_not() {
        let root = Path::new("/");
        let we = Owner::current(root).unwrap();
        assert!(!we.dead(we, root));
        assert!(Owner { start: we.start + 1, ..we }.dead(we, root));
        // Numbers of another namespace say nothing here.
        let elsewhere = Owner { namespace: we.namespace + 1, start: we.start + 1, ..we };
        assert!(!elsewhere.dead(we, root));
    }
}
