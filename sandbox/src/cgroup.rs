//! A control group of its own for each run (cgroup v2, level A), where a part of the tree is
//! delegated to us: there the kernel itself bounds memory and processes as sums, counts what was
//! used, and ends everybody at one word.
//!
//! It is never required, never taken where others stand, and never left behind: a group is removed
//! with its run, and one whose helper was killed by the next run.

mod figures;
mod files;
mod group;
mod name;
mod own_leaf;
mod place;

pub(crate) use self::group::{Given, Group};
pub(crate) use self::own_leaf::OwnLeaf;
pub(crate) use self::place::{Controllers, Place};
