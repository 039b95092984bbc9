//! The figures in a group's files: computing, memory and number of its processes. A file that the
//! kernel does not have is None, never zero.

use std::time::Duration;

use super::group::Group;

/// Computing time of all processes that were ever in a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cpu {
    pub(crate) user: Duration,
    pub(crate) sys: Duration,
}

impl Group {
    pub(crate) fn cpu(&self) -> Option<Cpu> {
        let text = self.read("cpu.stat")?;
        let micros = |key| field(&text, key).map(Duration::from_micros);
        Some(Cpu { user: micros("user_usec")?, sys: micros("system_usec")? })
    }

    /// Returns the bytes charged now: resident pages, page cache, the kernel's own.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.number("memory.current")
    }

    /// Returns the most bytes charged at one time; from Linux 5.19.
    pub(crate) fn memory_peak(&self) -> Option<u64> {
        self.number("memory.peak")
    }

    /// Whether the kernel has ended a process at the bound of memory.
    pub(crate) fn out_of_memory(&self) -> bool {
        self.counted("memory.events", "oom_kill")
    }

    /// Returns the number of processes and threads now.
    pub(crate) fn tasks(&self) -> Option<u32> {
        self.number("pids.current")?.try_into().ok()
    }

    /// Returns the largest number at one time; from Linux 6.1.
    pub(crate) fn tasks_peak(&self) -> Option<u32> {
        self.number("pids.peak")?.try_into().ok()
    }

    /// Whether a new process or thread was refused at the bound.
    pub(crate) fn refused_tasks(&self) -> bool {
        self.counted("pids.events", "max")
    }

    fn number(&self, file: &str) -> Option<u64> {
        self.read(file)?.trim_ascii().parse().ok()
    }

    fn counted(&self, file: &str, key: &str) -> bool {
        self.read(file).and_then(|text| field(&text, key)).is_some_and(|count| count > 0)
    }
}

/// Returns the number behind a key, one pair a line.
fn field(text: &str, key: &str) -> Option<u64> {
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    pairs.into_iter().find(|(name, _)| *name == key)?.1.trim_ascii().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cgroup::group::tests::Tree;

    #[test]
    fn what_the_kernel_writes_is_read() {
        let tree = Tree::new("sys/fs/cgroup", "a");
        let group = tree.group();
        tree.leaf_file("cpu.stat", "usage_usec 30\nuser_usec 10\nsystem_usec 20\nnice_usec 0\n");
        let micros = Duration::from_micros;
        assert_eq!(group.cpu(), Some(Cpu { user: micros(10), sys: micros(20) }));
        tree.leaf_file("memory.current", "4096\n");
        tree.leaf_file("memory.peak", "8192\n");
        assert_eq!((group.memory(), group.memory_peak()), (Some(4096), Some(8192)));
        tree.leaf_file("memory.events", "low 0\nmax 7\noom 1\noom_kill 0\noom_group_kill 0\n");
        assert!(!group.out_of_memory());
        tree.leaf_file("memory.events", "low 0\nmax 7\noom 1\noom_kill 3\noom_group_kill 1\n");
        assert!(group.out_of_memory());
        tree.leaf_file("pids.events", "max 0\n");
        tree.leaf_file("pids.current", "5\n");
        assert_eq!((group.refused_tasks(), group.tasks()), (false, Some(5)));
        tree.leaf_file("pids.events", "max 2\n");
        assert!(group.refused_tasks());
    }

    #[test]
    fn what_the_kernel_does_not_have_is_none() {
        let tree = Tree::new("sys/fs/cgroup", "a");
        let group = tree.group();
        assert_eq!((group.cpu(), group.memory_peak(), group.tasks_peak()), (None, None, None));
        assert!(!group.out_of_memory() && !group.refused_tasks());
        tree.leaf_file("pids.peak", "max\n");
        assert_eq!(group.tasks_peak(), None);
    }
}
