//! A control group of its own for each run (cgroup v2, level A), where a part of the tree is
//! delegated to us: there the kernel itself bounds memory and processes as sums, counts what was
//! used, and ends everybody at one word.
//!
//! It is never required, never taken where others stand, and never left behind: a group is removed
//! with its run, and one whose helper was killed by the next run.

mod figures;
mod group;
mod name;
mod own_leaf;
mod place;

pub(crate) use self::group::Group;
pub(crate) use self::own_leaf::OwnLeaf;
pub(crate) use self::place::Place;

/// The group of a run, or why it has none.
pub(crate) type Given = Result<Group, String>;

/// Which sums the kernel bounds in a group.
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

/// A reason with the path that it is about.
fn about(path: &std::path::Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
