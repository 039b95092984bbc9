//! Says which control really held and by what. It measures nothing itself: every line here comes
//! from a step that did or did not work.

use vosim_sandbox_spec::{Control, Enforcement, Layer, Level, Limits};

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
    /// Why there are no namespaces; empty when there are.
    pub(crate) refused: String,
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
    let (none, note) = (Layer::Absent, held.refused.as_str());
    if held.level <= Level::B {
        return [
            line(Control::Network, Layer::Enforced, "network namespace", "no interface is up"),
            line(Control::Files, Layer::Enforced, "private root", "no Landlock beside it"),
            line(Control::Isolation, Layer::Enforced, "pid, ipc and uts namespaces", ""),
            line(Control::Cleanup, Layer::Enforced, "pid namespace", ""),
        ];
    }
    let network = if held.filter { Layer::Enforced } else { Layer::Absent };
    [
        line(Control::Network, network, "seccomp filter", "no socket can be made"),
        line(Control::Files, none, "private root", note),
        line(Control::Isolation, none, "pid namespace", note),
        line(Control::Cleanup, Layer::Degraded, "sweep over all descendants", note),
    ]
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
        line(Control::Memory, Layer::Degraded, "RLIMIT_AS, sum over all processes", &memory),
        line(Control::Processes, counted, by, &processes),
        line(Control::Output, Layer::Enforced, "bounded reader", &output),
    ]
}
