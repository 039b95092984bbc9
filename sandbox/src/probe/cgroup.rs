//! Which cgroup this process is in, and whether it is the account's own. It looks and makes nothing.

use std::fs;
use std::path::{Path, PathBuf};

/// What a run at level A needs to be handed over.
const NEEDED: [&str; 2] = ["memory", "pids"];

/// How the account stands to its cgroup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Delegation {
    /// It may make cgroups below its own; with these controllers.
    Given { path: String, controllers: String },
    /// The cgroup is somebody else's.
    Closed { path: String },
    /// The cgroup may be used, and these controllers are not in it.
    Without { path: String, missing: String },
    /// The controllers are those of version 1.
    VersionOne,
    /// There is no cgroup file system.
    Nothing,
}

/// Reads it below `root`; `writable` says whether the account may write somewhere.
pub(super) fn delegation(root: &Path, writable: impl Fn(&Path) -> bool) -> Delegation {
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    let ours = read(&root.join("proc/self/cgroup"));
    let version_one = ours.lines().any(|line| line.contains(":memory:") || line.contains(":pids:"));
    let Some(dir) = directory(root, &ours) else {
        return if version_one { Delegation::VersionOne } else { Delegation::Nothing };
    };
    let controllers = read(&dir.join("cgroup.controllers"));
    let has = |name: &&str| controllers.split_whitespace().any(|found| found == *name);
    let missing: Vec<_> = NEEDED.into_iter().filter(|name| !has(name)).collect();
    let path = ours.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or_default();
    let path = path.to_owned();
    let open = writable(&dir) && writable(&dir.join("cgroup.procs"));
    match (missing.is_empty(), open) {
        (false, _) if version_one => Delegation::VersionOne,
        (_, false) => Delegation::Closed { path },
        (false, true) => Delegation::Without { path, missing: missing.join(" and ") },
        (true, true) => Delegation::Given { path, controllers: controllers.trim().to_owned() },
    }
}

/// Where our cgroup of version 2 stands.
fn directory(root: &Path, ours: &str) -> Option<PathBuf> {
    let path = ours.lines().find_map(|line| line.strip_prefix("0::"))?;
    let mounts = fs::read_to_string(root.join("proc/self/mountinfo")).ok()?;
    let (top, place) = mounts.lines().find_map(|line| {
        let (about, kind) = line.split_once(" - ")?;
        let mut fields = about.split(' ').skip(3);
        let (top, place) = (fields.next()?, fields.next()?);
        kind.starts_with("cgroup2 ").then_some((top, place))
    })?;
    // A part of the tree may be mounted: what is above it is not there.
    let below = Path::new(path).strip_prefix(top).ok()?;
    let dir = root.join(place.trim_start_matches('/')).join(below);
    dir.is_dir().then_some(dir)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::machine::fake::machine;

    const MOUNT: &str = "30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n";
    const UNIT: &str = "user.slice/user-1000.slice/user@1000.service/app.slice/vosimd.service";

    fn found(cgroup: &str, controllers: &str, writable: bool) -> Delegation {
        let dir = format!("sys/fs/cgroup/{UNIT}/cgroup.controllers");
        let files = [
            ("proc/self/mountinfo", MOUNT),
            ("proc/self/cgroup", cgroup),
            (dir.as_str(), controllers),
        ];
        let (_dir, machine) = machine(&files);
        delegation(machine.root(), |_| writable)
    }

    #[test]
    fn a_cgroup_is_ours_when_it_has_the_controllers_and_may_be_written() {
        let cgroup = format!("0::/{UNIT}\n");
        let path = format!("/{UNIT}");
        let controllers = "cpu memory pids".to_owned();
        let given = Delegation::Given { path: path.clone(), controllers };
        assert_eq!(found(&cgroup, "cpu memory pids\n", true), given);
        let closed = Delegation::Closed { path: path.clone() };
        assert_eq!(found(&cgroup, "cpu memory pids\n", false), closed);
        let without = Delegation::Without { path, missing: "memory".to_owned() };
        assert_eq!(found(&cgroup, "pids\n", true), without);
    }

    #[test]
    fn version_one_is_told_apart_from_no_cgroup_at_all() {
        let hybrid = format!("8:pids:/\n4:memory:/x\n0::/{UNIT}\n");
        assert_eq!(found(&hybrid, "\n", true), Delegation::VersionOne);
        assert_eq!(found("8:pids:/\n4:memory:/x\n", "", true), Delegation::VersionOne);
        assert_eq!(found("", "", true), Delegation::Nothing);
        assert_eq!(found("0::/elsewhere\n", "", true), Delegation::Nothing);
    }

    #[test]
    fn a_tree_mounted_in_part_begins_at_its_own_top() {
        let (_dir, machine) = machine(&[
            ("proc/self/mountinfo", "30 24 0:26 /docker/7 /sys/fs/cgroup ro - cgroup2 none rw\n"),
            ("proc/self/cgroup", "0::/docker/7/a\n"),
            ("sys/fs/cgroup/a/cgroup.controllers", "memory pids\n"),
        ]);
        let given = delegation(machine.root(), |_| true);
        let (path, controllers) = ("/docker/7/a".to_owned(), "memory pids".to_owned());
        assert_eq!(given, Delegation::Given { path, controllers });
    }
}
