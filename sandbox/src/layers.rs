//! Says which control really held and by what. It measures nothing itself: every line here comes
//! from a step that did or did not work.

use crate::fence::Fenced;
use vosim_sandbox_spec::{Control, Enforcement, Layer, Level, Limits, MemoryBy};

/// What held in this run.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) level: Level,
    /// For example `uid 65534, 1000 inside`.
    pub(crate) account: String,
    /// Computing and memory of all processes can be seen in /proc.
    pub(crate) census: bool,
    /// The system call filter is in place.
    pub(crate) filter: bool,
    /// How much of Landlock is in force.
    pub(crate) fenced: Fenced,
    /// Why there are no namespaces; empty when there are.
    pub(crate) refused: String,
}

impl Held {
    /// Nothing is in place yet but the account.
    pub(crate) fn new(level: Level, account: String, refused: String) -> Self {
        let fenced = Fenced::default();
        Self { level, account, census: false, filter: false, fenced, refused }
    }
}

/// One line for each control.
pub(crate) fn enforced(held: &Held, limits: &Limits) -> Vec<Enforcement> {
    let mut lines = vec![
        line(Control::User, Layer::Enforced, "own account", &held.account),
        line(Control::Privileges, Layer::Enforced, "no_new_privs, empty capability sets", ""),
        line(Control::Inheritance, Layer::Enforced, "close_range, given environment", ""),
        syscalls(held),
    ];
    lines.extend(surroundings(held));
    lines.extend(amounts(held, limits));
    lines.sort_by_key(|line| line.control);
    lines
}

fn line(control: Control, held: Layer, by: &str, note: &str) -> Enforcement {
    Enforcement { control, held, by: by.to_owned(), note: note.to_owned() }
}

fn syscalls(held: &Held) -> Enforcement {
    if held.filter {
        return line(Control::Syscalls, Layer::Enforced, "seccomp filter", "deny list");
    }
    let note = "the call numbers of this architecture are not known";
    line(Control::Syscalls, Layer::Absent, "seccomp filter", note)
}

fn surroundings(held: &Held) -> [Enforcement; 4] {
    let note = held.refused.as_str();
    let fence = fence_words(held.fenced);
    if held.level <= Level::B {
        return [
            line(Control::Network, Layer::Enforced, "network namespace", "no interface is up"),
            line(Control::Files, Layer::Enforced, "private root", &fence),
            line(Control::Isolation, Layer::Enforced, "pid, ipc and uts namespaces", ""),
            line(Control::Cleanup, Layer::Enforced, "pid namespace", ""),
        ];
    }
    let seen = format!("names and sizes of files outside can be seen; {fence}; {note}");
    let guessed = "which process numbers are in use can be found out";
    [
        line(Control::Network, Layer::Enforced, "seccomp filter", "no socket can be made"),
        line(Control::Files, Layer::Degraded, "Landlock", &seen),
        line(Control::Isolation, Layer::Degraded, "seccomp filter, Landlock", guessed),
        line(Control::Cleanup, Layer::Enforced, "no process can be started, sweep", ""),
    ]
}

fn fence_words(fenced: Fenced) -> String {
    match fenced {
        Fenced { abi: 0, .. } => "no Landlock".to_owned(),
        Fenced { abi, whole: true } => format!("Landlock ABI {abi}"),
        Fenced { abi, whole: false } => format!("Landlock ABI {abi}, in part"),
    }
}

fn amounts(held: &Held, limits: &Limits) -> [Enforcement; 5] {
    let seen = if held.census { Layer::Enforced } else { Layer::Degraded };
    let blind = if held.census { "" } else { ", each process alone: /proc shows no children" };
    let cpu = format!("{} ms{blind}", limits.cpu_ms);
    let memory = format!("{} bytes; the sum is looked at every 10 ms{blind}", limits.memory);
    let processes = format!("{}", limits.processes);
    let namespaced = held.level <= Level::B;
    let (counted, by) = if namespaced {
        (Layer::Enforced, "RLIMIT_NPROC in a user namespace")
    } else {
        (Layer::Degraded, "RLIMIT_NPROC shared with the account; threads only")
    };
    let output = format!("{} bytes, {} kept of each stream", limits.output_max, limits.output_keep);
    [
        line(Control::Cpu, seen, "sum over all processes, RLIMIT_CPU", &cpu),
        line(Control::Wall, Layer::Enforced, "clock", &format!("{} ms", limits.wall_ms)),
        line(Control::Memory, Layer::Degraded, memory_bound(limits.memory_by), &memory),
        line(Control::Processes, counted, by, &processes),
        line(Control::Output, Layer::Enforced, "bounded reader", &output),
    ]
}

const fn memory_bound(by: MemoryBy) -> &'static str {
    match by {
        MemoryBy::AddressSpace => "RLIMIT_AS, sum over all processes",
        MemoryBy::Data => "RLIMIT_DATA of 1 GiB more, sum over all processes",
    }
}
