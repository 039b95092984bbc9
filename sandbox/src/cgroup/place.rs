//! Finds the part of the tree that is delegated to us and enables the controllers that runs need.
//! No place is guessed: either it is named, or this process is in one of our own leaves of it.

use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use nix::unistd::{Gid, chown};

use super::files::{about, put};

/// Mount points of cgroup v2: alone, or beside the older version.
const MOUNTS: [&str; 2] = ["sys/fs/cgroup", "sys/fs/cgroup/unified"];

/// The leaf of the daemon.
const DAEMON_LEAF: &str = "vosimd";

/// The leaf of a command.
pub(super) const CLI_LEAF: &str = "vosim-cli";

/// The controllers with which the kernel bounds sums in a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Controllers {
    pub(crate) memory: bool,
    pub(crate) pids: bool,
}

impl Controllers {
    pub(crate) const fn all(self) -> bool {
        self.memory && self.pids
    }
}

/// A delegated control group that has no process itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(super) dir: PathBuf,
    /// The root of the file system: `/`, or a folder of a test.
    pub(super) root: PathBuf,
}

impl Place {
    /// Returns the named place, or the one around our leaf; the error says why there is none.
    pub(crate) fn find(root: &Path, named: Option<&Path>) -> Result<Self, String> {
        let dir = match named {
            Some(dir) => dir.to_path_buf(),
            None => around_our_leaf(root)?,
        };
        Self::at(root, dir)
    }

    /// Takes a directory that is an ordinary control group, not the root of all.
    pub(super) fn at(root: &Path, dir: PathBuf) -> Result<Self, String> {
        let kind = fs::read_to_string(dir.join("cgroup.type"));
        match kind.as_deref().map(str::trim_ascii) {
            Ok("domain") => Ok(Self { dir, root: root.to_path_buf() }),
            Ok(kind) => Err(format!("the control group {} is `{kind}`", dir.display())),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(format!("{} is no control group that could be delegated", dir.display()))
            }
            Err(error) => Err(about(&dir, error)),
        }
    }

    /// As root: hands it to the group of the accounts that run programs, as delegation does to an
    /// owner.
    pub(crate) fn hand_over(&self, gid: u32) -> Result<(), String> {
        for file in ["", "cgroup.procs", "cgroup.subtree_control"] {
            let path = self.dir.join(file);
            let told = |error: std::io::Error| about(&path, &error);
            chown(&path, None, Some(Gid::from_raw(gid))).map_err(|errno| told(errno.into()))?;
            let mode = if file.is_empty() { 0o775 } else { 0o664 };
            fs::set_permissions(&path, Permissions::from_mode(mode)).map_err(told)?;
        }
        Ok(())
    }

    /// Enables the controllers that runs need for the groups below, as far as they are there; the
    /// text says what is lacking and why.
    ///
    /// No controller needs to be enabled at first: systemd hands a group over like that.
    pub(super) fn enable(&self) -> (Controllers, String) {
        let words = |file: &str| fs::read_to_string(self.dir.join(file)).unwrap_or_default();
        let (there, enabled) = (words("cgroup.controllers"), words("cgroup.subtree_control"));
        let (mut missing, mut lacking) = (Vec::new(), Vec::new());
        let mut given = |name: &'static str| {
            let has = |list: &str| list.split_ascii_whitespace().any(|word| word == name);
            if has(&enabled) {
                return true;
            }
            if !has(&there) {
                missing.push(name);
                return false;
            }
            let path = self.dir.join("cgroup.subtree_control");
            put(&path, &format!("+{name}"))
                .map_err(|error| lacking.push(self.refusal(name, &error)))
                .is_ok()
        };
        let controllers = Controllers { memory: given("memory"), pids: given("pids") };
        if !missing.is_empty() {
            let missing = missing.join(" and ");
            lacking.push(format!("no controller {missing} in {}", self.dir.display()));
        }
        (controllers, lacking.join("; "))
    }

    fn refusal(&self, controller: &str, error: &std::io::Error) -> String {
        let dir = self.dir.display();
        match error.kind() {
            ErrorKind::ResourceBusy => {
                format!("{controller} cannot be enabled: there are processes in {dir} itself")
            }
            _ => format!("{controller} cannot be enabled in {dir}: {error}"),
        }
    }
}

/// Returns the mount point of version 2.
fn mount(root: &Path) -> Option<PathBuf> {
    let mut mounts = MOUNTS.iter().map(|mount| root.join(mount));
    mounts.find(|mount| mount.join("cgroup.controllers").exists())
}

/// Returns the group of this process.
pub(super) fn own(root: &Path) -> Result<PathBuf, String> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/"));
    match (path, mount(root)) {
        // The path leads out of the control group namespace.
        (Some(path), Some(_)) if path.split('/').any(|step| step == "..") => {
            Err("this process is outside of the control groups it can see".to_owned())
        }
        (Some(path), Some(mount)) => Ok(mount.join(path)),
        (None, _) | (_, None) => Err("no cgroup v2 is mounted".to_owned()),
    }
}

fn around_our_leaf(root: &Path) -> Result<PathBuf, String> {
    let own = own(root)?;
    let ours = [DAEMON_LEAF, CLI_LEAF].iter().any(|leaf| own.ends_with(leaf));
    let around = own.parent().filter(|_| ours).map(Path::to_path_buf);
    around.ok_or_else(|| "no control group is delegated to this process".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cgroup::group::tests::Tree;

    #[test]
    fn our_leaf_shows_the_place_in_both_kinds_of_mount() {
        for mount in ["sys/fs/cgroup", "sys/fs/cgroup/unified"] {
            let tree = Tree::new(mount, "user.slice/vosimd.service");
            tree.stand_in("/user.slice/vosimd.service/vosimd");
            let place = Place::find(tree.root(), None).unwrap();
            assert_eq!(place.dir, tree.dir, "{mount}");
        }
    }

    #[test]
    fn a_group_of_others_is_not_taken_unless_it_is_named() {
        let tree = Tree::new("sys/fs/cgroup", "session.scope");
        tree.stand_in("/session.scope");
        let why = Place::find(tree.root(), None).unwrap_err();
        assert_eq!(why, "no control group is delegated to this process");
        assert_eq!(Place::find(tree.root(), Some(&tree.dir)).unwrap().dir, tree.dir);
    }

    #[test]
    fn what_is_no_delegated_group_is_refused_with_the_reason() {
        let tree = Tree::new("sys/fs/cgroup", "a");
        tree.stand_in("/../b/vosimd");
        assert!(Place::find(tree.root(), None).unwrap_err().contains("outside"));
        tree.file("cgroup.type", "threaded\n");
        let why = Place::find(tree.root(), Some(&tree.dir)).unwrap_err();
        assert!(why.ends_with("is `threaded`"), "{why}");
        // The root of the whole tree has no type.
        let top = tree.dir.parent().unwrap();
        assert!(Place::find(tree.root(), Some(top)).unwrap_err().contains("no control group"));
        let empty = tempfile::tempdir().unwrap();
        assert_eq!(Place::find(empty.path(), None).unwrap_err(), "no cgroup v2 is mounted");
    }

    #[test]
    fn controllers_are_enabled_where_they_are_there_and_not_yet() {
        let tree = Tree::new("sys/fs/cgroup", "a");
        tree.file("cgroup.controllers", "cpu memory pids\n");
        tree.file("cgroup.subtree_control", "");
        let (given, lacking) = tree.place().enable();
        assert!(given.all(), "{lacking}");
        assert_eq!(tree.read("cgroup.subtree_control"), "+pidsry");
        tree.file("cgroup.subtree_control", "memory pids\n");
        assert!(tree.place().enable().0.all());
        assert_eq!(tree.read("cgroup.subtree_control"), "memory pids\n");
    }

    #[test]
    fn a_controller_that_is_not_there_is_named() {
        let tree = Tree::new("sys/fs/cgroup", "a");
        tree.file("cgroup.controllers", "hugetlb\n");
        tree.file("cgroup.subtree_control", "");
        let (given, lacking) = tree.place().enable();
        assert_eq!(given, Controllers::default());
        assert!(lacking.starts_with("no controller memory and pids in /"), "{lacking}");
        tree.file("cgroup.controllers", "pids\n");
        let (given, lacking) = tree.place().enable();
        assert_eq!(given, Controllers { memory: false, pids: true });
        assert!(lacking.starts_with("no controller memory in /"), "{lacking}");
    }

    #[test]
    fn processes_in_the_place_itself_are_the_reason_for_a_refusal() {
        let tree = Tree::new("sys/fs/cgroup", "a");
        let busy = nix::errno::Errno::EBUSY.into();
        let why = tree.place().refusal("memory", &busy);
        assert!(why.starts_with("memory cannot be enabled: there are processes in /"), "{why}");
    }
}
