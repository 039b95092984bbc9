//! A control group of its own for each run (cgroup v2, level A), where a part of the tree is
//! delegated to us: there the kernel itself bounds memory and processes as sums, counts what was
//! used, and ends all processes at once.
//!
//! A group is never required, never taken where other processes are, and never left behind: it is
//! removed with its run, and after a helper was killed, by the next run.

mod figures;
mod files;
mod group;
mod name;
mod own_leaf;
mod place;

pub(crate) use self::group::{Given, Group};
pub(crate) use self::own_leaf::OwnLeaf;
pub(crate) use self::place::{Controllers, Place};
