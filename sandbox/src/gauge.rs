//! What a run uses at a moment, by the best source there is: its control group, else the walk over
//! /proc. It decides nothing and signals nobody.

use std::time::Duration;

use crate::census::{self, Census, Sums};
use crate::cgroup::Group;

/// The sources of a run.
#[derive(Debug)]
pub(crate) struct Gauge<'a> {
    pub(crate) group: Option<&'a Group>,
    pub(crate) census: Option<Census>,
}

impl Gauge<'_> {
    /// True when computing of everybody can be seen.
    pub(crate) fn sees_cpu(&self) -> bool {
        self.census.is_some() || self.group.and_then(Group::cpu).is_some()
    }

    /// True when the kernel itself keeps the sum of memory.
    pub(crate) fn bounds_memory(&self) -> bool {
        self.group.is_some_and(|group| group.bounds.memory)
    }

    /// True when the kernel itself keeps the number of processes of this run alone.
    pub(crate) fn bounds_tasks(&self) -> bool {
        self.group.is_some_and(|group| group.bounds.pids)
    }

    /// Looks once; None where nothing can be seen.
    pub(crate) fn take(&mut self) -> Option<Sums> {
        let cpu = self.group.and_then(Group::cpu).map(|cpu| cpu.user + cpu.sys);
        let resident = self.group.filter(|group| group.bounds.memory).and_then(Group::memory);
        let tasks = self.group.filter(|group| group.bounds.pids).and_then(Group::tasks);
        if let (Some(cpu), Some(resident), Some(tasks)) = (cpu, resident, tasks) {
            return Some(Sums { cpu, resident, tasks, processes: tasks });
        }
        let walked = self.census.as_mut().map(Census::take);
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

    /// User and kernel part of all computing, once everybody is gone.
    pub(crate) fn computed(&self) -> (Duration, Duration) {
        if let Some(cpu) = self.group.and_then(Group::cpu) {
            return (cpu.user, cpu.sys);
        }
        let (user, sys) = census::reaped_parts(census::reaped_usage().as_ref());
        let polled = self.census.as_ref().map(Census::cpu).unwrap_or_default();
        // What no wait reported is added to the user part; nobody knows how it divides.
        (user + polled.saturating_sub(user + sys), sys)
    }

    /// The most memory at one time, given the most that was seen.
    pub(crate) fn memory_peak(&self, seen: u64) -> u64 {
        if let Some(group) = self.group.filter(|group| group.bounds.memory) {
            return group.memory_peak().unwrap_or_default().max(seen);
        }
        let largest = census::reaped_usage().map_or(0, |usage| usage.max_rss());
        seen.max(u64::try_from(largest).unwrap_or_default() * 1024)
    }

    /// The most processes and threads at one time, given the most that was seen.
    pub(crate) fn tasks_peak(&self, seen: u32) -> u32 {
        let counted = self.group.filter(|group| group.bounds.pids).and_then(Group::tasks_peak);
        counted.unwrap_or_default().max(seen).max(1)
    }
}
