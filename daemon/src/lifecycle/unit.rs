//! The systemd service that the daemon runs as, if any, and its control group.
//!
//! A unit with `Delegate=` hands its control group over to the daemon. Limits can be set only on
//! groups below one that has no processes of its own, so the daemon moves into a leaf, and
//! `vosim-sandbox` makes its groups beside that (level A). Limits themselves are set only there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The leaf into which the daemon moves; `vosim-sandbox` looks for this name.
const LEAF: &str = "vosimd";

/// Where cgroup v2 may be mounted: alone, or beside the older version.
const MOUNTS: [&str; 2] = ["sys/fs/cgroup", "sys/fs/cgroup/unified"];

/// Who started this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Starter {
    /// systemd, as the named service if the name is known.
    Systemd(Option<String>),
    /// A person, vosimctl or some other program.
    Other,
}

impl Starter {
    /// Finds out who started this process; `root` is `/` except in tests.
    ///
    /// Whatever a service starts inherits all its variables, but `SYSTEMD_EXEC_PID` names the
    /// process.
    pub fn of_this_process(root: &Path) -> Self {
        let named = std::env::var("SYSTEMD_EXEC_PID").ok();
        Self::new(root, named.as_deref(), std::process::id())
    }

    fn new(root: &Path, named: Option<&str>, pid: u32) -> Self {
        if named.and_then(|named| named.parse().ok()) != Some(pid) {
            return Self::Other;
        }
        let group = own_group(root).unwrap_or_default();
        let unit = group.rsplit('/').find(|step| step.ends_with(".service"));
        Self::Systemd(unit.map(str::to_owned))
    }
}

/// Moves this process from the group of its service into a leaf of it, and returns the leaf's path.
///
/// Does nothing if systemd has not started the process or has put it into a leaf itself. An error
/// (without `Delegate=` no leaf can be made) lowers the level of the sandbox and has no other
/// effect.
pub fn step_into_leaf(root: &Path, starter: &Starter) -> io::Result<Option<PathBuf>> {
    let (Starter::Systemd(Some(unit)), Some(group)) = (starter, own_group(root)) else {
        return Ok(None);
    };
    let mut mounts = MOUNTS.iter().map(|mount| root.join(mount));
    let mount = mounts.find(|mount| mount.join("cgroup.controllers").exists());
    let Some(mount) = mount.filter(|_| group.ends_with(unit)) else { return Ok(None) };
    let group = mount.join(group.trim_start_matches('/'));
    let pid = std::process::id().to_string();
    let standing = fs::read_to_string(group.join("cgroup.procs"))?;
    if standing.trim_ascii() != pid {
        let why = format!("others stand in {}", group.display());
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, why));
    }
    let leaf = group.join(LEAF);
    match fs::create_dir(&leaf) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => {}
    }
    fs::write(leaf.join("cgroup.procs"), pid)?;
    Ok(Some(leaf))
}

/// Returns the path of this process's group in the tree of version 2.
fn own_group(root: &Path) -> Option<String> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    groups.lines().find_map(|line| line.strip_prefix("0::")).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: &str = "user.slice/user-1000.slice/user@1000.service/app.slice/vosimd.service";

    /// A machine on which these processes are in the group of our unit.
    fn machine(mount: &str, path: &str, procs: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let group = root.path().join(mount).join(path);
        fs::create_dir_all(&group).unwrap();
        fs::create_dir_all(root.path().join("proc/self")).unwrap();
        let own = format!("1:name=systemd:/elsewhere\n0::/{path}\n");
        fs::write(root.path().join("proc/self/cgroup"), own).unwrap();
        fs::write(root.path().join(mount).join("cgroup.controllers"), "memory pids\n").unwrap();
        fs::write(group.join("cgroup.procs"), procs).unwrap();
        root
    }

    fn ours() -> String {
        format!("{}\n", std::process::id())
    }

    #[test]
    fn only_the_process_that_systemd_names_was_started_by_it() {
        let root = machine(MOUNTS[0], UNIT, "");
        let starter = |named| Starter::new(root.path(), named, 7);
        assert_eq!(starter(Some("7")), Starter::Systemd(Some("vosimd.service".to_owned())));
        for other in [None, Some("8"), Some(""), Some("7 ")] {
            assert_eq!(starter(other), Starter::Other, "{other:?}");
        }
        let scope = machine(MOUNTS[0], "user.slice/user-0.slice/session-1.scope", "");
        assert_eq!(Starter::new(scope.path(), Some("7"), 7), Starter::Systemd(None));
    }

    #[test]
    fn a_service_that_stands_alone_in_its_group_steps_into_a_leaf() {
        let starter = Starter::Systemd(Some("vosimd.service".to_owned()));
        for mount in MOUNTS {
            let root = machine(mount, UNIT, &ours());
            let leaf = step_into_leaf(root.path(), &starter).unwrap().unwrap();
            assert_eq!(leaf, root.path().join(mount).join(UNIT).join("vosimd"));
            let standing = fs::read_to_string(leaf.join("cgroup.procs")).unwrap();
            assert_eq!(standing, std::process::id().to_string());
            // A leaf that a killed daemon has left behind is used again.
            assert!(step_into_leaf(root.path(), &starter).unwrap().is_some());
        }
    }

    #[test]
    fn a_group_in_which_others_stand_or_that_is_not_the_unit_s_is_left_alone() {
        let starter = Starter::Systemd(Some("vosimd.service".to_owned()));
        let shared = machine(MOUNTS[0], UNIT, &format!("1\n{}", ours()));
        let error = step_into_leaf(shared.path(), &starter).unwrap_err();
        assert!(error.to_string().starts_with("others stand in "), "{error}");
        assert!(!shared.path().join(MOUNTS[0]).join(UNIT).join("vosimd").exists());
        let within = machine(MOUNTS[0], &format!("{UNIT}/vosimd"), &ours());
        assert_eq!(step_into_leaf(within.path(), &starter).unwrap(), None);
        let alone = machine(MOUNTS[0], UNIT, &ours());
        assert_eq!(step_into_leaf(alone.path(), &Starter::Other).unwrap(), None);
    }
}
