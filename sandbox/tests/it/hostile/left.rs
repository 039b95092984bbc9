//! The state that must be the same after the suite as before: processes, mounts, cgroups,
//! descriptors. Orphans of everything started here come to this process, so that none can slip
//! away.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use nix::errno::Errno;
use nix::sys::wait::{WaitPidFlag, waitpid};

use crate::harness::PATIENCE;

/// The state at one moment.
#[derive(Debug)]
pub(crate) struct Before {
    mounts: BTreeSet<String>,
    cgroups: BTreeSet<String>,
    shared: BTreeSet<String>,
    descriptors: usize,
}

impl Before {
    pub(crate) fn look() -> Self {
        nix::sys::prctl::set_child_subreaper(true).unwrap();
        Self {
            mounts: mounts(),
            cgroups: cgroups(Path::new("/sys/fs/cgroup")),
            shared: shared(),
            descriptors: descriptors(),
        }
    }

    /// Returns what is there now and was not then, each in words.
    pub(crate) fn what_is_new(&self) -> Vec<String> {
        let mut found = Vec::new();
        // A run that was cut off ends by itself, at once but not before this is asked.
        if !comes_true(|| matches!(waitpid(None, Some(WaitPidFlag::WNOHANG)), Err(Errno::ECHILD))) {
            found.extend(children().map(|line| format!("the process {line}")));
        }
        // Other tests of the project mount something for a moment.
        if !comes_true(|| mounts().is_subset(&self.mounts)) {
            found.extend(mounts().difference(&self.mounts).map(|line| format!("the mount {line}")));
        }
        let cgroups = cgroups(Path::new("/sys/fs/cgroup"));
        // What other tests of the project make for a moment bears their own word.
        let ours =
            |name: &&String| name.contains("vosim") && !name.contains(crate::delegated::MARK);
        found.extend(
            cgroups.difference(&self.cgroups).filter(ours).map(|name| format!("the cgroup {name}")),
        );
        let own = |name: &&String| name.contains("hostile");
        found.extend(
            shared().difference(&self.shared).filter(own).map(|name| format!("the file {name}")),
        );
        if descriptors() != self.descriptors {
            found.push(format!("{} descriptors instead of {}", descriptors(), self.descriptors));
        }
        found
    }
}

/// Looks again and again, for a while.
fn comes_true(mut so: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + PATIENCE;
    while !so() {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::yield_now();
    }
    true
}

/// Returns the processes below this one.
fn children() -> impl Iterator<Item = String> {
    let threads = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let listed =
        threads.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let numbers: Vec<String> =
        listed.flat_map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>()).collect();
    numbers.into_iter().filter(|pid| !pid.is_empty()).map(|pid| {
        let words = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        format!("{pid} {}", words.replace('\0', " "))
    })
}

fn mounts() -> BTreeSet<String> {
    let text = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Names in the places where everybody may write; what a program writes bears the word `hostile`.
fn shared() -> BTreeSet<String> {
    let places = ["/tmp", "/var/tmp", "/dev/shm"];
    let entries = places.into_iter().filter_map(|place| std::fs::read_dir(place).ok()).flatten();
    entries.filter_map(Result::ok).map(|entry| entry.path().display().to_string()).collect()
}

fn cgroups(below: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(below).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.insert(entry.path().display().to_string());
            found.extend(cgroups(&entry.path()));
        }
    }
    found
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}
