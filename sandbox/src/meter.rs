//! Measures what a run uses, by the best source there is: its control group, else the walk over
//! /proc. Nothing here decides or signals.

use std::time::Duration;

use crate::cgroup::Group;
use crate::proc_tree::{self, Machine, ProcTree, Sums};

/// The sources of a run.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    pub(crate) group: Option<&'a Group>,
    pub(crate) proc_tree: Option<ProcTree>,
}

impl Meter<'_> {
    /// Whether the computing of all processes can be seen.
    pub(crate) fn sees_cpu(&self) -> bool {
        self.proc_tree.is_some() || self.group.and_then(Group::cpu).is_some()
    }

    /// Whether the kernel itself keeps the sum of memory.
    pub(crate) fn bounds_memory(&self) -> bool {
        self.group.is_some_and(|group| group.bounds.memory)
    }

    /// Whether the kernel itself keeps the number of processes of this run alone.
    pub(crate) fn bounds_tasks(&self) -> bool {
        self.group.is_some_and(|group| group.bounds.pids)
    }

    /// Returns the sums of this moment; None where nothing can be seen.
    pub(crate) fn take(&mut self) -> Option<Sums> {
        let cpu = self.group.and_then(Group::cpu).map(|cpu| cpu.user + cpu.sys);
        let resident = self.group.filter(|group| group.bounds.memory).and_then(Group::memory);
        let tasks = self.group.filter(|group| group.bounds.pids).and_then(Group::tasks);
        if let (Some(cpu), Some(resident), Some(tasks)) = (cpu, resident, tasks) {
            return Some(Sums { cpu, resident, tasks, processes: tasks });
        }
        let walked = self.proc_tree.as_mut().map(ProcTree::take);
        if walked.is_none() && cpu.is_none() {
            return None;
        }
        let walked = walked.unwrap_or_default();
        Some(Sums {
            cpu: cpu.unwrap_or(walked.cpu),
            resident: resident.unwrap_or(walked.resident),
            tasks: tasks.unwrap_or(walked.tasks),
            ..walked
        })
    }

    /// Whether a thread computes or waits for a processor; false where that cannot be seen.
    pub(crate) fn is_ready(&mut self) -> bool {
        self.proc_tree.as_mut().is_some_and(ProcTree::is_ready)
    }

    /// Returns what the machine has left of memory; None where that cannot be seen.
    pub(crate) fn machine(&mut self) -> Option<Machine> {
        self.proc_tree.as_mut().and_then(ProcTree::machine)
    }

    /// Returns the user and kernel part of all computing, once all processes have gone.
    pub(crate) fn computed(&self) -> (Duration, Duration) {
        if let Some(cpu) = self.group.and_then(Group::cpu) {
            return (cpu.user, cpu.sys);
        }
        let (user, sys) = proc_tree::reaped_parts(proc_tree::reaped_usage().as_ref());
        let polled = self.proc_tree.as_ref().map(ProcTree::cpu).unwrap_or_default();
        // Time that no wait reported is added to the user part, since its division is not known.
        (user + polled.saturating_sub(user + sys), sys)
    }

    /// Returns the most memory at one time, given the most that was seen.
    pub(crate) fn memory_peak(&self, seen: u64) -> u64 {
        if let Some(group) = self.group.filter(|group| group.bounds.memory) {
            return group.memory_peak().unwrap_or_default().max(seen);
        }
        let largest = proc_tree::reaped_usage().map_or(0, |usage| usage.max_rss());
        seen.max(u64::try_from(largest).unwrap_or_default() * 1024)
    }

    /// Returns the most processes and threads at one time, given the most that was seen.
    pub(crate) fn tasks_peak(&self, seen: u32) -> u32 {
        let counted = self.group.filter(|group| group.bounds.pids).and_then(Group::tasks_peak);
        counted.unwrap_or_default().max(seen).max(1)
    }
}
