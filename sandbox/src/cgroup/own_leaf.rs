//! A leaf for a command that is alone in a control group with controllers: a group can be bounded
//! only below one without processes. The command moves into the leaf, and back at its end.

use std::fs;
use std::path::{Path, PathBuf};

use super::files::{about, put};
use super::place::{self, CLI_LEAF, Place};

/// The leaf of this process, which moves back when the value is dropped.
#[derive(Debug)]
pub(crate) struct OwnLeaf {
    around: PathBuf,
    leaf: PathBuf,
    pid: u32,
}

impl OwnLeaf {
    /// Moves into a new leaf; the error says why that is not possible here.
    pub(crate) fn enter(root: &Path) -> Result<Self, String> {
        let pid = std::process::id();
        let around = Place::at(root, place::own(root)?)?.dir;
        let words = |file: &str| fs::read_to_string(around.join(file)).unwrap_or_default();
        let there = words("cgroup.controllers");
        let has = |name| there.split_ascii_whitespace().any(|word| word == name);
        if !has("memory") || !has("pids") {
            return Err(format!("no controllers in {}", around.display()));
        }
        if words("cgroup.procs").trim_ascii() != pid.to_string() {
            return Err(format!("other processes are in {}", around.display()));
        }
        let leaf = around.join(CLI_LEAF);
        fs::create_dir_all(&leaf).map_err(|error| about(&leaf, &error))?;
        let own = Self { around, leaf, pid };
        own.stand_in(&own.leaf).map_err(|error| about(&own.leaf, &error))?;
        Ok(own)
    }

    fn stand_in(&self, group: &Path) -> std::io::Result<()> {
        put(&group.join("cgroup.procs"), &self.pid.to_string())
    }
}

impl Drop for OwnLeaf {
    fn drop(&mut self) {
        // If this fails, the group is removed as a whole by its maker.
        put(&self.around.join("cgroup.subtree_control"), "-memory -pids").ok();
        self.stand_in(&self.around).ok();
        fs::remove_dir(&self.leaf).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cgroup::group::tests::Tree;

    fn tree() -> Tree {
        let tree = Tree::new("sys/fs/cgroup", "run.scope");
        tree.stand_in("/run.scope");
        tree.file("cgroup.procs", &format!("{}\n", std::process::id()));
        // The kernel makes the files of a group; here they are there before.
        let leaf = tree.dir.join(CLI_LEAF);
        fs::create_dir(&leaf).unwrap();
        fs::write(leaf.join("cgroup.procs"), "").unwrap();
        tree
    }

    #[test]
    fn a_process_that_is_alone_moves_into_a_leaf_and_back() {
        let tree = tree();
        let inside = || fs::read_to_string(tree.dir.join(CLI_LEAF).join("cgroup.procs")).unwrap();
        let pid = std::process::id().to_string();
        let leaf = OwnLeaf::enter(tree.root()).unwrap();
        assert_eq!(inside(), pid);
        tree.file("cgroup.procs", "");
        drop(leaf);
        assert_eq!(tree.read("cgroup.procs"), pid);
        assert!(tree.read("cgroup.subtree_control").starts_with("-memory -pids"));
    }

    #[test]
    fn no_process_moves_where_others_are_or_nothing_would_be_gained() {
        let tree = tree();
        tree.file("cgroup.procs", &format!("1\n{}\n", std::process::id()));
        assert!(OwnLeaf::enter(tree.root()).unwrap_err().starts_with("other processes are in"));
        tree.file("cgroup.procs", &format!("{}\n", std::process::id()));
        tree.file("cgroup.controllers", "hugetlb\n");
        assert!(OwnLeaf::enter(tree.root()).unwrap_err().starts_with("no controllers"));
    }
}
