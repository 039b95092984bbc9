//! Facts about the machine, as its files tell them: settings, boot parameters, containers, control
//! groups. All files are read below one folder, so that a test can lay out another machine.

use std::fs;
use std::path::{Path, PathBuf};

/// Files that container engines leave inside.
const CONTAINER_MARKS: [&str; 3] = [".dockerenv", "run/.containerenv", "run/systemd/container"];

/// Mount points of cgroup v2: alone, or beside the older version.
const CGROUP_MOUNTS: [&str; 2] = ["sys/fs/cgroup", "sys/fs/cgroup/unified"];

/// The controllers that a run at level A needs.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// A machine, by its file system.
#[derive(Clone, Debug)]
pub(super) struct Host {
    root: PathBuf,
}

/// The obstacle between this process and a control group of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// The controllers are those of version 1.
    VersionOne,
    /// There is no tree of version 2.
    NoTree,
    /// The kernel does not have these controllers.
    NoController { missing: String },
    /// The manager of the user's services has not been given these.
    Withheld { missing: String },
    /// Our group is not delegated, and nothing else is missing.
    Undelegated,
}

impl Host {
    /// Returns the machine whose files are below `root`, which is `/` for this one.
    pub(super) fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// Returns a setting of the kernel by its dotted name; None where it does not exist.
    pub(super) fn setting(&self, name: &str) -> Option<String> {
        self.line(&format!("proc/sys/{}", name.replace('.', "/")))
    }

    /// Returns the kernel's release, for example `6.1.0-18-amd64`.
    pub(super) fn release(&self) -> String {
        self.setting("kernel.osrelease").unwrap_or_else(|| "unknown".to_owned())
    }

    /// Returns the kernel's version; None where the release does not begin with one.
    pub(super) fn version(&self) -> Option<(u32, u32)> {
        let release = self.release();
        let mut parts = release.split(|c: char| !c.is_ascii_digit());
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    }

    /// Whether a system call filter is in force on this process already.
    pub(super) fn is_filtered(&self) -> bool {
        let status = self.line("proc/self/status").unwrap_or_default();
        let mode = status.lines().find_map(|line| line.strip_prefix("Seccomp:"));
        mode.is_some_and(|mode| mode.trim() == "2")
    }

    /// Whether this is a container.
    pub(super) fn is_container(&self) -> bool {
        CONTAINER_MARKS.iter().any(|mark| self.root.join(mark).exists())
    }

    /// Whether systemd manages services.
    pub(super) fn has_systemd(&self) -> bool {
        self.root.join("run/systemd/system").exists()
    }

    /// Whether GRUB takes boot parameters from a folder of files.
    pub(super) fn has_grub_folder(&self) -> bool {
        self.root.join("etc/default/grub.d").is_dir()
    }

    /// Returns the security modules in force, as the boot parameter `lsm=` takes them.
    pub(super) fn security_modules(&self) -> String {
        self.line("sys/kernel/security/lsm").unwrap_or_default()
    }

    /// Returns our cgroup of version 2; empty where there is none.
    pub(super) fn cgroup(&self) -> String {
        let own = self.line("proc/self/cgroup").unwrap_or_default();
        own.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or_default().to_owned()
    }

    /// Returns why this process has no control group of its own.
    pub(super) fn obstacle(&self) -> Obstacle {
        let own = self.line("proc/self/cgroup").unwrap_or_default();
        let version_one =
            own.lines().any(|line| line.contains(":memory:") || line.contains(":pids:"));
        let mounts = CGROUP_MOUNTS.iter().map(|mount| self.root.join(mount));
        let mut trees = mounts.filter(|mount| mount.join("cgroup.controllers").exists());
        let Some(tree) = trees.next() else {
            return if version_one { Obstacle::VersionOne } else { Obstacle::NoTree };
        };
        match missing_controllers(&tree) {
            Some(_) if version_one => return Obstacle::VersionOne,
            Some(missing) => return Obstacle::NoController { missing },
            None => {}
        }
        let manager = manager(&tree, &self.cgroup());
        match manager.and_then(|manager| missing_controllers(&manager)) {
            Some(missing) => Obstacle::Withheld { missing },
            None => Obstacle::Undelegated,
        }
    }

    /// Reads a file, without the white space around its text.
    fn line(&self, path: &str) -> Option<String> {
        Some(fs::read_to_string(self.root.join(path)).ok()?.trim().to_owned())
    }
}

/// Returns the controllers that a group lacks; None when it has all that a run needs.
fn missing_controllers(group: &Path) -> Option<String> {
    let there = fs::read_to_string(group.join("cgroup.controllers")).unwrap_or_default();
    let has = |name: &str| there.split_ascii_whitespace().any(|word| word == name);
    let missing: Vec<_> = CONTROLLERS.into_iter().filter(|name| !has(name)).collect();
    (!missing.is_empty()).then(|| missing.join(" and "))
}

/// Returns the group of the service manager of the user to whom a group belongs.
fn manager(tree: &Path, group: &str) -> Option<PathBuf> {
    let mut above = tree.to_owned();
    for step in group.split('/').filter(|step| !step.is_empty()) {
        above.push(step);
        if let Some(uid) = step.strip_prefix("user-").and_then(|it| it.strip_suffix(".slice")) {
            let manager = above.join(format!("user@{uid}.service"));
            return manager.is_dir().then_some(manager);
        }
    }
    None
}

/// Lays out machines for tests.
#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A machine with these files, which live as long as the folder.
    pub(in crate::doctor) fn host(files: &[(&str, &str)]) -> (tempfile::TempDir, Host) {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let host = Host::at(dir.path());
        (dir, host)
    }

    #[test]
    fn facts_come_from_the_files_and_an_absent_file_means_none() {
        let (_dir, debian) = host(&[
            ("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n"),
            ("proc/sys/kernel/unprivileged_userns_clone", "0\n"),
            ("proc/self/status", "Name:\tx\nSeccomp:\t0\nSeccomp_filters:\t2\n"),
        ]);
        assert_eq!(debian.setting("kernel.unprivileged_userns_clone").unwrap(), "0");
        assert_eq!(debian.setting("user.max_user_namespaces"), None);
        assert_eq!((debian.release().as_str(), debian.version()), ("6.1.0-18-amd64", Some((6, 1))));
        assert!(!debian.is_filtered() && !debian.is_container() && !debian.has_systemd());

        let (_dir, docker) = host(&[
            ("proc/sys/kernel/osrelease", "mine"),
            ("proc/self/status", "Seccomp:\t2\n"),
            (".dockerenv", ""),
        ]);
        assert!(docker.is_filtered() && docker.is_container());
        assert_eq!(docker.version(), None);
    }

    const SESSION: &str = "0::/user.slice/user-1000.slice/session-3.scope\n";
    const TREE: &str = "sys/fs/cgroup/cgroup.controllers";
    const MANAGER: &str =
        "sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/cgroup.controllers";

    fn obstacle(cgroup: &str, files: &[(&str, &str)]) -> Obstacle {
        let own = [("proc/self/cgroup", cgroup)];
        let (_dir, host) = host(&[&own[..], files].concat());
        host.obstacle()
    }

    #[test]
    fn a_session_on_a_machine_that_could_is_just_not_delegated() {
        let all = "cpu memory pids\n";
        let missing = || "memory".to_owned();
        assert_eq!(obstacle(SESSION, &[(TREE, all), (MANAGER, all)]), Obstacle::Undelegated);
        assert_eq!(obstacle(SESSION, &[(TREE, all)]), Obstacle::Undelegated, "no manager runs");
        let withheld = Obstacle::Withheld { missing: missing() };
        assert_eq!(obstacle(SESSION, &[(TREE, all), (MANAGER, "pids\n")]), withheld);
        let none = Obstacle::NoController { missing: missing() };
        assert_eq!(obstacle(SESSION, &[(TREE, "cpu pids\n"), (MANAGER, "pids\n")]), none);
    }

    #[test]
    fn version_one_is_told_apart_from_no_control_groups_at_all() {
        let hybrid = "8:pids:/\n4:memory:/x\n0::/\n";
        let beside = [("sys/fs/cgroup/unified/cgroup.controllers", "")];
        assert_eq!(obstacle(hybrid, &beside), Obstacle::VersionOne);
        assert_eq!(obstacle("8:pids:/\n4:memory:/x\n", &[]), Obstacle::VersionOne);
        assert_eq!(obstacle("", &[]), Obstacle::NoTree);
    }
}
