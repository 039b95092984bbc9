//! Waiting until what an earlier turn has left to do is done, so that no turn pays for another.

use std::fs;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Between two looks.
const APART: Duration = Duration::from_millis(4);
/// Looks in a row that must find everybody asleep.
const ASLEEP: usize = 4;
/// Looks in all, some ten seconds.
const LOOKS: usize = 2_500;

/// Returns when a process has so many helpers and everybody below it sleeps, whatever it takes up
/// to a bound; what is measured then says itself what it found.
pub(crate) fn wait_until_quiet(root: u32, helpers: usize) {
    let mut asleep = 0;
    for _ in 0..LOOKS {
        let (found, awake) = below(root);
        asleep = if found == helpers && !awake { asleep + 1 } else { 0 };
        if asleep == ASLEEP {
            return;
        }
        let (_held, nothing_comes) = channel::<()>();
        nothing_comes.recv_timeout(APART).unwrap_err();
    }
}

/// How many helpers a process has, and whether anybody below it computes.
fn below(root: u32) -> (usize, bool) {
    let all: Vec<_> = fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter_map(Process::read)
        .collect();
    let helper = |one: &&Process| one.parent == root && one.name.starts_with("vosim-sandbox");
    let mut family = vec![root];
    let mut awake = false;
    let mut at = 0;
    while let Some(&parent) = family.get(at) {
        for child in all.iter().filter(|one| one.parent == parent) {
            awake |= child.state != 'S';
            family.push(child.pid);
        }
        at += 1;
    }
    (all.iter().filter(helper).count(), awake)
}

struct Process {
    pid: u32,
    name: String,
    state: char,
    parent: u32,
}

impl Process {
    /// None when it has just gone.
    fn read(pid: u32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (head, tail) = stat.rsplit_once(") ")?;
        let mut rest = tail.split(' ');
        let state = rest.next()?.chars().next()?;
        let parent = rest.next()?.parse().ok()?;
        let name = head.split_once('(')?.1.to_owned();
        Some(Self { pid, name, state, parent })
    }
}
