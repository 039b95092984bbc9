//! What stands between this process and a control group of its own, as the files of the machine
//! tell it. Whether there is one is seen by making it; this says what would have to change.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cgroup::mount;

/// What a run at level A needs.
const NEEDED: [&str; 2] = ["memory", "pids"];

/// What would have to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// The controllers are those of version 1.
    VersionOne,
    /// There is no tree of version 2.
    Nothing,
    /// The kernel does not give these controllers to anybody.
    Unknown { missing: String },
    /// The manager of the user's services has not been given these.
    Withheld { missing: String },
    /// Nothing but that our group is not delegated; its path.
    Undelegated { path: String },
}

/// Reads it below `root`.
pub(super) fn obstacle(root: &Path) -> Obstacle {
    let ours = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let version_one = ours.lines().any(|line| line.contains(":memory:") || line.contains(":pids:"));
    let path = ours.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or_default();
    let Some(top) = mount(root) else {
        return if version_one { Obstacle::VersionOne } else { Obstacle::Nothing };
    };
    if let Some(missing) = missing(&top) {
        return if version_one { Obstacle::VersionOne } else { Obstacle::Unknown { missing } };
    }
    if let Some(missing) = manager(&top, path).and_then(|manager| missing(&manager)) {
        return Obstacle::Withheld { missing };
    }
    Obstacle::Undelegated { path: path.to_owned() }
}

/// Which controllers a group does not have; None when it has what is needed.
fn missing(group: &Path) -> Option<String> {
    let there = fs::read_to_string(group.join("cgroup.controllers")).unwrap_or_default();
    let has = |name: &str| there.split_ascii_whitespace().any(|word| word == name);
    let missing: Vec<_> = NEEDED.into_iter().filter(|name| !has(name)).collect();
    (!missing.is_empty()).then(|| missing.join(" and "))
}

/// The group of the service manager of the user whose sessions and services we are one of.
fn manager(top: &Path, path: &str) -> Option<PathBuf> {
    let mut above = PathBuf::new();
    for step in path.split('/').filter(|step| !step.is_empty()) {
        above.push(step);
        let uid = step.strip_prefix("user-").and_then(|rest| rest.strip_suffix(".slice"));
        if let Some(uid) = uid {
            let manager = top.join(&above).join(format!("user@{uid}.service"));
            return manager.is_dir().then_some(manager);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::machine::fake::machine;

    const SESSION: &str = "/user.slice/user-1000.slice/session-3.scope";
    const TOP: &str = "sys/fs/cgroup/cgroup.controllers";
    const MANAGER: &str =
        "sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/cgroup.controllers";

    fn found(cgroup: &str, files: &[(&str, &str)]) -> Obstacle {
        let own = [("proc/self/cgroup", cgroup)];
        let (_dir, machine) = machine(&[&own[..], files].concat());
        obstacle(machine.root())
    }

    #[test]
    fn a_session_on_a_machine_that_could_is_just_not_delegated() {
        let all = "cpu memory pids\n";
        let cgroup = format!("0::{SESSION}\n");
        let undelegated = Obstacle::Undelegated { path: SESSION.to_owned() };
        assert_eq!(found(&cgroup, &[(TOP, all), (MANAGER, all)]), undelegated);
        assert_eq!(found(&cgroup, &[(TOP, all)]), undelegated, "no manager runs");
        let withheld = Obstacle::Withheld { missing: "memory".to_owned() };
        assert_eq!(found(&cgroup, &[(TOP, all), (MANAGER, "pids\n")]), withheld);
        let unknown = Obstacle::Unknown { missing: "memory".to_owned() };
        assert_eq!(found(&cgroup, &[(TOP, "cpu pids\n"), (MANAGER, "pids\n")]), unknown);
    }

    #[test]
    fn version_one_is_told_apart_from_no_control_groups_at_all() {
        let hybrid = "8:pids:/\n4:memory:/x\n0::/\n";
        let beside = [("sys/fs/cgroup/unified/cgroup.controllers", "")];
        assert_eq!(found(hybrid, &beside), Obstacle::VersionOne);
        assert_eq!(found("8:pids:/\n4:memory:/x\n", &[]), Obstacle::VersionOne);
        assert_eq!(found("", &[]), Obstacle::Nothing);
    }
}
